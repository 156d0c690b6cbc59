//! The documentation, as a reader follows it: every `console` block runs, and prints what the page shows.
//!
//! A page is followed from top to bottom in one folder. "Save … as `PATH`:" before a block writes a file, and so does a
//! heading that is a path, for the first block below it; the path is in the folder that the heading above it names, if any. A block of commands without any output shows none. Else each output is whole, but for lines `…` in the place of others; times,
//! sizes and dates may be any. With `BITCRAFT_BLESS=1`, outputs that differ are written into the page.

use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::{env, fs};

use assert_cmd::cargo::cargo_bin;
use regex::Regex;

use crate::harness::{Room, have, repository, strict};
use crate::unit_tests;

#[test]
fn the_readmes_are_as_they_say() {
    for page in ["README.md", "README.zh.md"] {
        // What a course system hands out.
        let room = Room::new().file("grades.csv", "id,grade\nada,\nbob,\n");
        follow(&room, &[page]);
    }
}

#[test]
fn the_tutorial_is_as_it_says() {
    follow(&Room::new(), &["docs/tutorial.md"]);
}

#[test]
fn the_page_for_students_is_as_it_says() {
    follow(&Room::new(), &["docs/students.md"]);
}

#[test]
fn the_guides_are_as_they_say() {
    for page in [
        "README",
        "install",
        "write-a-problem",
        "checkers",
        "sources",
        "linters",
        "samples",
        "packages",
        "cases",
        "course",
        "submissions",
        "teams-and-terms",
        "ci",
        "cluster",
        "sandbox",
        "benchmarks",
        "privacy",
        "lab",
        "files",
        "upgrading",
        "tested",
        "course-systems",
    ] {
        follow(&Room::new(), &[&format!("docs/{page}.md")]);
    }
}

#[test]
fn a_task_that_asks_for_a_function_is_as_its_page_says() {
    if have(&["javac"]) {
        follow(&Room::new(), &["docs/functions.md"]);
    }
}

#[test]
fn a_systems_course_is_as_its_page_says() {
    if have(&["make", "cmake"]) {
        follow(&Room::new(), &["docs/systems.md"]);
    }
}

#[test]
fn the_page_on_two_runs_is_as_it_says() {
    if have(&["make"]) {
        follow(&Room::new(), &["docs/two-runs.md"]);
    }
}

#[test]
fn values_of_students_are_as_their_page_says() {
    if have(&["python3"]) {
        follow(&Room::new(), &["docs/own-values.md"]);
    }
}

#[test]
fn the_pages_on_unit_tests_are_as_they_say() {
    if unit_tests::have_frameworks() {
        let path = unit_tests::search_path();
        for page in [
            "unit-tests",
            "pytest",
            "junit",
            "separate-tests",
            "other-frameworks",
        ] {
            let room = Room::new().env("PATH", &path);
            follow(&room, &[&format!("docs/{page}.md")]);
        }
    }
}

#[test]
fn the_page_on_own_tests_is_as_it_says() {
    if unit_tests::have_frameworks() {
        let path = unit_tests::search_path();
        follow(&Room::new().env("PATH", &path), &["docs/own-tests.md"]);
    }
}

#[test]
fn every_page_with_commands_is_followed() {
    let here = include_str!("docs.rs");
    for entry in fs::read_dir(repository().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let has_commands = path.extension().is_some_and(|it| it == "md")
            && fs::read_to_string(&path)
                .unwrap()
                .contains("\n```console\n");
        let names = [format!("\"{name}\""), format!("\"docs/{name}.md\"")];
        let is_followed = names.iter().any(|it| here.contains(it));
        assert!(is_followed || !has_commands, "no test follows {name}");
    }
}

/// The files that a page says to save.
pub(crate) fn files(page: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let (mut files, mut above) = (Vec::new(), Above::default());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            above.read(line);
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        files.extend(
            above
                .saved(kind)
                .map(|path| (path, block.join("\n") + "\n")),
        );
    }
    files
}

/// Follows pages in one folder.
fn follow(room: &Room, pages: &[&str]) {
    if !strict() || !have(&["gcc", "g++", "rustc", "python3"]) {
        return;
    }
    for page in pages {
        let path = repository().join(page);
        let text = fs::read_to_string(&path).unwrap();
        let mut differences = String::new();
        let found = found(room, &text, &mut differences);
        if env::var_os("BITCRAFT_BLESS").is_some() {
            fs::write(path, found).unwrap();
        } else {
            assert!(found == text, "{page} does not show:\n{differences}");
        }
    }
}

/// A page with the outputs that its commands have here, where they differ from those that it shows.
fn found(room: &Room, text: &str, differences: &mut String) -> String {
    let mut page: Vec<String> = Vec::new();
    let mut above = Above::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        page.push(line.to_owned());
        let Some(kind) = line.strip_prefix("```") else {
            above.read(line);
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let saved = above.saved(kind);
        if kind == "console" {
            let steps = steps(&block);
            let is_silent = steps.iter().all(|step| step.output.is_empty());
            for Step { command, output } in steps {
                let printed = printed(room, &command.join("\n"));
                let printed: Vec<&str> = printed.lines().collect();
                let is_shown = is_silent || matches(&output, &printed);
                page.extend(command.iter().map(|line| (*line).to_owned()));
                if !is_shown {
                    *differences += &[&command[..], &printed, &[""]].concat().join("\n");
                }
                let lines = if is_shown { output } else { printed };
                page.extend(lines.into_iter().map(str::to_owned));
            }
        } else {
            if let Some(path) = saved {
                let path = room.path(&path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, block.join("\n") + "\n").unwrap();
            }
            page.extend(block.into_iter().map(str::to_owned));
        }
        page.push("```".to_owned());
    }
    page.join("\n") + "\n"
}

/// What stands above a block.
#[derive(Default)]
struct Above {
    paragraph: String,
    /// The folder that the last heading of the second level names, such as `mine/`.
    folder: String,
    /// The last heading, until a block has it.
    heading: String,
}

impl Above {
    fn read(&mut self, line: &str) {
        if line.starts_with('#') {
            line.clone_into(&mut self.heading);
        }
        if line.starts_with("## ") {
            let folder = line.split('`').find(|it| it.ends_with('/'));
            folder.unwrap_or_default().clone_into(&mut self.folder);
        }
        if line.is_empty() && !self.paragraph.ends_with(':') {
            self.paragraph.clear();
        }
        self.paragraph += line;
    }

    /// The file that is saved with the next block, which is of this kind.
    fn saved(&mut self, kind: &str) -> Option<String> {
        let paragraph = std::mem::take(&mut self.paragraph);
        if kind == "console" {
            return None;
        }
        let heading = std::mem::take(&mut self.heading);
        let sentence = || {
            let (before, path) = paragraph.strip_suffix("`:")?.rsplit_once('`')?;
            before.contains("Save").then(|| path.to_owned())
        };
        let path = || {
            let path = heading.trim_start_matches('#').trim();
            let path = path.strip_prefix('`')?.strip_suffix('`')?;
            let path = format!("{}{path}", self.folder);
            (path.contains('/') && !path.contains([' ', '`'])).then_some(path)
        };
        sentence().or_else(path)
    }
}

/// A command with the output that a page shows.
#[derive(Default)]
struct Step<'a> {
    /// Its lines, the first after `$ `.
    command: Vec<&'a str>,
    output: Vec<&'a str>,
}

fn steps<'a>(block: &[&'a str]) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::new();
    for line in block {
        let is_continued = steps.last().is_some_and(|step| {
            let last = step.command.last().unwrap();
            step.output.is_empty() && (last.ends_with('\\') || last.ends_with('|'))
        });
        if line.starts_with("$ ") && !is_continued {
            steps.push(Step::default());
        }
        let step = steps.last_mut().expect("a block begins with a command");
        if is_continued || step.command.is_empty() {
            step.command.push(line);
        } else {
            step.output.push(line);
        }
    }
    steps
}

/// What a command prints to both streams. It may end with 1, a verdict, and not with a mistake or a fault.
pub(crate) fn printed(room: &Room, command: &str) -> String {
    let command = command.strip_prefix("$ ").unwrap();
    // A search has as long as it takes, however busy this machine is.
    let command = command.replace("--time 60", "--time 600");
    let programs = cargo_bin!("grader").parent().unwrap().to_owned();
    let path = room.variable("PATH").map(Into::into);
    let path = path.or_else(|| env::var_os("PATH")).unwrap_or_default();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path)));
    let ran = room
        .prepared(Command::new("sh"))
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .env("PATH", path.unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let status = ran.status.code();
    assert!(
        matches!(status, Some(0 | 1)),
        "$ {command}\n{printed}{status:?}"
    );
    printed
}

/// Whether an output is the one that a page shows.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    let Some((line, rest)) = shown.split_first() else {
        return printed.is_empty();
    };
    if line.trim() == "…" {
        return (0..=printed.len()).any(|at| matches(rest, &printed[at..]));
    }
    let is_same = printed
        .first()
        .is_some_and(|it| redacted(it) == redacted(line));
    is_same && matches(rest, &printed[1..])
}

/// A line without what differs from run to run and from machine to machine.
pub(crate) fn redacted(line: &str) -> String {
    static MEASURED: LazyLock<Regex> = LazyLock::new(|| {
        let patterns = [
            r"\d+(\.\d+)? (µs|ms|s|KiB|MiB)\b",
            r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?",
            r"\d+(\.\d+)? times its limit: .*",
        ];
        Regex::new(&patterns.join("|")).unwrap()
    });
    MEASURED.replace_all(line, "<measured>").into_owned()
}
