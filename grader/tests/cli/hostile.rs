//! Submissions of any size and shape: thousands of files, links, the longest names, a `Makefile` without end. Whatever is done with
//! them says the same, in a text that people can read.

use std::os::unix::fs::symlink;

use crate::harness::{Room, have};
use crate::lab::{earned, line};

use Says::{Right, Unbuilt, Unread};

const PROBLEM: &str = "format = 1
id = \"sum\"
title = \"Sum\"
[submission]
files = [\"sum.*\"]
languages = [\"c\", \"python\"]
[checker.tokens]
[[subtask]]
name = \"all\"
points = 2
case = [{ name = \"one\", answer = \"7\" }]
";

const C: &str = "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 7); return 0; }\n";

/// A student with these files.
struct Hostile {
    student: &'static str,
    files: Vec<(String, String)>,
    /// Where they are, and where they lead.
    links: &'static [(&'static str, &'static str)],
    says: Says,
}

/// What is said of a submission.
enum Says {
    /// All points for these files.
    Right(&'static str),
    /// Not scored yet, as is seen before anything runs.
    Unread(&'static str),
    /// Not scored yet, as is seen when these files are built.
    Unbuilt(&'static str, &'static str),
}

impl Hostile {
    fn new(student: &'static str, files: Vec<(String, String)>, says: Says) -> Self {
        Self {
            student,
            files,
            links: &[],
            says,
        }
    }

    /// What `grade` says: verdict, points and sentence.
    fn graded(&self) -> String {
        match self.says {
            Right(_) => "AC 2".to_owned(),
            Unread(sentence) | Unbuilt(_, sentence) => format!("JE ? {sentence}"),
        }
    }

    /// What `grade --dry-run` says of the problem.
    fn dry(&self) -> String {
        match self.says {
            Right(files) | Unbuilt(files, _) => long(&format!("sum: {files}")),
            Unread(sentence) => format!("sum: not scored yet: {sentence}"),
        }
    }

    /// The exit status of `test`, and what it says first.
    fn tested(&self) -> (i32, String) {
        let heading = "sum · Sum · 2 points".to_owned();
        match self.says {
            Right(_) => (0, heading),
            Unbuilt(..) => (3, heading),
            Unread(sentence) => {
                let folder = format!("`class/{}/", self.student);
                (2, format!("error: {}", sentence.replacen('`', &folder, 1)))
            }
        }
    }
}

/// `LONG` stands for as many letters as make a name of 255 bytes with such an extension; without one, for a Python module.
fn long(text: &str) -> String {
    ["csv", "py", "c", "h"]
        .iter()
        .fold(text.to_owned(), |text, extension| {
            let name = format!("{}.{extension}", "x".repeat(254 - extension.len()));
            text.replace(&format!("LONG.{extension}"), &name)
        })
        .replace("LONG", &"x".repeat(252))
}

fn files(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let files = files.iter().map(|(path, text)| (long(path), long(text)));
    files.collect()
}

/// These files beside so many others.
fn beside(
    own: &[(&str, &str)],
    count: usize,
    path: impl Fn(usize) -> String,
) -> Vec<(String, String)> {
    let others = (0..count).map(|it| (path(it), String::new()));
    files(own).into_iter().chain(others).collect()
}

fn crowds() -> Vec<Hostile> {
    let all = |name: &dyn Fn(usize) -> String, count| -> String {
        let imports = (0..count).map(|it| format!("import {}\n", name(it)));
        imports.chain(["print(7)\n".to_owned()]).collect()
    };
    let thousand = all(&|it| format!("m{it:04}"), 1000);
    let folders = all(&|it| format!("p{it:03}.a.b.c.d.m{it:03}"), 800);
    vec![
        Hostile::new(
            "crowd",
            beside(&[("HW/sum.c", C)], 9_900, |it| format!("HW/data/{it}.txt")),
            Right("HW/sum.c"),
        ),
        Hostile::new(
            "flood",
            beside(&[("HW/sum.py", "print(7)\n")], 10_001, |it| {
                format!("HW/{it}.py")
            }),
            Unread("`HW` holds more than 10000 files; the rest was not looked at"),
        ),
        Hostile::new(
            "thousand",
            beside(&[("sum.py", &thousand)], 1000, |it| format!("m{it:04}.py")),
            Unbuilt(
                "sum.py, m0000.py, m0001.py, ",
                "1001 files were submitted; only the first 1000 are compiled: submit only what the program needs.",
            ),
        ),
        Hostile::new(
            "folders",
            beside(&[("sum.py", &folders)], 800, |it| {
                format!("p{it:03}/a/b/c/d/m{it:03}.py")
            }),
            Unbuilt(
                "sum.py, p000/a/b/c/d/m000.py, ",
                "not compiled: 4801 files and folders, more than 4096",
            ),
        ),
        Hostile::new(
            "makefile-of-no-use",
            files(&[("sum.c", C), ("Makefile", "sum:\n\twhile :; do :; done\n")]),
            Right("sum.c"),
        ),
    ]
}

fn links() -> Vec<Hostile> {
    let linked = format!("#include \"util.h\"\n{C}");
    vec![
        Hostile {
            links: &[("HW/util.h", "/etc/hostname")],
            ..Hostile::new(
                "link",
                files(&[("HW/sum.c", &linked)]),
                Unread("`HW/util.h` is a link, which is not followed: submit the file itself"),
            )
        },
        Hostile {
            links: &[("HW/data.txt", "/etc/hostname")],
            ..Hostile::new(
                "link-data",
                files(&[("HW/sum.py", "print(open('data.txt').read())\n")]),
                Unread("`HW/data.txt` is a link, which is not followed: submit the file itself"),
            )
        },
        Hostile {
            links: &[("HW", "/etc")],
            ..Hostile::new(
                "link-folder",
                files(&[("README", "")]),
                Unread("`HW` is a link, which is not followed: submit the file itself"),
            )
        },
        Hostile {
            links: &[("HW/here", "."), ("HW/itself", "itself")],
            ..Hostile::new(
                "links-in-a-circle",
                files(&[("HW/sum.c", C)]),
                Right("HW/sum.c"),
            )
        },
    ]
}

fn long_names() -> Vec<Hostile> {
    let header = format!("#include \"LONG.h\"\n{C}");
    let uses = C
        .replace("#include", "int seven(void);\n#include")
        .replace(", 7", ", seven()");
    let reads = "print(open('LONG.csv').read())\n";
    let imports = "import LONG as m\nprint(m.n)\n";
    let seven = "int seven(void) { return 7; }\n";
    vec![
        Hostile::new(
            "long-data",
            files(&[("HW/sum.py", reads), ("HW/LONG.csv", "7\n")]),
            Right("HW/sum.py, HW/LONG.csv"),
        ),
        Hostile::new(
            "long-header",
            files(&[("HW/sum.c", &header), ("HW/LONG.h", "")]),
            Right("HW/sum.c, HW/LONG.h"),
        ),
        Hostile::new(
            "long-module",
            files(&[("sum.py", imports), ("LONG.py", "n = 7\n")]),
            Right("sum.py, LONG.py"),
        ),
        Hostile::new(
            "long-source",
            files(&[("sum.c", &uses), ("LONG.c", seven)]),
            Right("sum.c, LONG.c"),
        ),
    ]
}

/// A text without blanks and line feeds: long names are broken anywhere.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn whatever_is_done_with_a_hostile_submission_says_the_same() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let all: Vec<Hostile> = [crowds(), links(), long_names()]
        .into_iter()
        .flatten()
        .collect();
    let mut room = Room::new().lab("sum", 2, PROBLEM);
    for it in &all {
        let top = format!("class/{}", it.student);
        let files = it.files.iter();
        room = files.fold(room, |room, (path, text)| {
            room.file(&format!("{top}/{path}"), text)
        });
        for (path, to) in it.links {
            symlink(to, room.path(&format!("{top}/{path}"))).unwrap();
        }
    }
    let earned = earned(&room, "./lab", "sum");
    let dry = room.run(&["grade", "class", "-a", "./lab", "--dry-run"]);
    assert_eq!(dry.status, 0, "{}", dry.stderr);
    let lines = dry.stdout.lines().count();
    assert!(lines < 2000, "nobody reads {lines} lines");
    let dry = format!("\n{}", dry.stdout);
    for it in &all {
        let name = it.student;
        let found = earned.iter().find(|earned| earned.student == name).unwrap();
        let graded = line(&[&found.verdict, &found.points, &found.message]);
        assert_eq!(graded, it.graded(), "{name}: {}", found.hints.join(" "));
        let (_, shown) = dry.split_once(&format!("\n{name}\n")).unwrap();
        let is_shown = bare(shown).starts_with(&bare(&it.dry()));
        assert!(is_shown, "{name}: {shown:.400}");
        let tested = room.run(&["test", &format!("class/{name}"), "-a", "./lab"]);
        let out = match tested.status {
            2 => &tested.stderr,
            _ => &tested.stdout,
        };
        let first = out.lines().next().unwrap_or_default().to_owned();
        assert_eq!((tested.status, first), it.tested(), "{}", tested.stderr);
        assert!(tested.stderr.lines().count() <= 101, "{name}");
    }
}

#[test]
fn a_students_makefile_without_end_is_stopped_by_every_command_and_a_dry_run_does_not_start_it() {
    if !have(&["gcc", "make"]) {
        return;
    }
    let problem = PROBLEM
        .replace("\"c\", \"python\"]", "\"c\"]\nextra = [\"Makefile\"]")
        .replace(
            "[checker.tokens]",
            "[limits]\ncompile-time = \"1 s\"\n[build]\ncommand = [\"make\", \"sum\"]\nprogram = \"sum\"\n[checker.tokens]",
        );
    let room = Room::new()
        .lab("sum", 2, problem)
        .file("class/ann/HW/sum.c", C)
        .file(
            "class/ann/HW/Makefile",
            "sum: sum.c\n\twhile :; do :; done\n",
        );
    let stopped = "the build was stopped: it took more than 1 s";
    let found = &earned(&room, "./lab", "sum")[0];
    let graded = line(&[&found.verdict, &found.points, &found.message]);
    assert_eq!(graded, format!("CE 0 {stopped}"));
    let dry = room.run(&["grade", "class", "-a", "./lab", "--dry-run"]);
    assert_eq!(dry.stdout, "ann\n  sum: HW/Makefile, HW/sum.c\n");
    let tested = room.run(&["test", "class/ann", "-a", "./lab"]);
    assert_eq!(tested.status, 1, "{}", tested.stderr);
    let last = format!("  sum: 0 of 2 points  CE {stopped}");
    assert_eq!(tested.stdout.lines().last(), Some(&*last));
}
