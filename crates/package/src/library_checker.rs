//! Packages of Library Checker: `info.toml`, with generators for most tests. The first solution gives the answers.
//!
//! Format: <https://github.com/yosupo06/library-checker-problems/blob/master/docs/guideline.en.md>. Where it is vague,
//! `generate.py` of the same repository is authoritative.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, Verdict, extension_of};
use grader_problem::Library;
use serde::Deserialize;
use toml::Value;

use crate::constants::{MAX_CASES, MAX_FILES, MAX_FOLDER_DEPTH, MAX_YAML};
use crate::draft::{Draft, check_name};
use crate::error::{PackageError, mistake, unsupported};
use crate::expected;
use crate::folder::PackageFolder;
use crate::output::{Content, Imported, TomlCase, TomlProgram, TomlSubtask, all_or_nothing};
use crate::yaml::read_text;

const FILE: &str = "info.toml";
const SOLUTION: &str = "correct.cpp";
/// The generated header with the constants in `[params]`.
const PARAMS: &str = "params.h";

#[derive(Deserialize)]
struct Info {
    title: Option<String>,
    timelimit: f64,
    checker: Option<String>,
    verifier: Option<String>,
    tests: Vec<InfoTests>,
    #[serde(default)]
    solutions: Vec<InfoSolution>,
    #[serde(default)]
    params: BTreeMap<String, Value>,
}

/// Tests by one generator, or with one prefix of their names.
#[derive(Deserialize)]
struct InfoTests {
    name: String,
    number: usize,
}

#[derive(Default, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are the keys of the file"
)]
struct InfoSolution {
    name: String,
    expect: String,
    wrong: bool,
    allow_wa: bool,
    allow_tle: bool,
    allow_re: bool,
    /// Whether it is a function, which `grader/grader.cpp` calls.
    function: bool,
}

struct LibraryCheckerReader<'a> {
    draft: Draft<'a>,
    /// All headers, by their paths in the package: those of the package, those in `common` of the repository, and
    /// `params.h`. Each program gets them all: copying only those that it includes would need a C preprocessor.
    headers: BTreeMap<String, Content>,
}

pub(crate) fn import(
    mut draft: Draft<'_>,
    repository: Option<&PackageFolder<'_>>,
) -> Result<Imported, PackageError> {
    let text = read_text(draft.library, FILE, MAX_YAML)?.ok_or(PackageError::Unknown)?;
    let (mut unread, wrong) = (BTreeSet::new(), |error: toml::de::Error| {
        PackageError::file(FILE, error.message())
    });
    let toml = toml::Deserializer::parse(&text).map_err(wrong)?;
    let note = |path: serde_ignored::Path<'_>| {
        unread.insert(path.to_string());
    };
    let info: Info = serde_ignored::deserialize(toml, note).map_err(wrong)?;
    // The page of the repository on which the problem is discussed.
    unread.remove("forum");
    let notes = unread
        .iter()
        .map(|key| format!("`{FILE}`: `{key}` is not used"));
    draft.notes.extend(notes);
    let mut headers = BTreeMap::new();
    for path in headers_in(draft.library, "", 0) {
        headers.insert(path.clone(), Content::Copy(path));
    }
    if let Some(repository) = repository {
        for path in headers_in(repository, "common", 0) {
            headers.insert(path.clone(), Content::Shared(path));
        }
    }
    headers.insert(PARAMS.to_owned(), Content::Bytes(constants(&info.params)?));
    let programs = info.tests.len() + info.solutions.len() + 3;
    if headers.len().saturating_mul(programs) > MAX_FILES {
        let count = headers.len();
        return unsupported(format!(
            "there are too many headers for {programs} programs: {count}, together with those in `common`"
        ));
    }
    let mut reader = LibraryCheckerReader { draft, headers };
    reader.problem(info)?;
    let known = [FILE, "hash.json", "gen", "sol", "grader"];
    reader
        .draft
        .note_unused(|name| known.contains(&name) || is_header(name));
    reader.draft.finish()
}

impl LibraryCheckerReader<'_> {
    fn problem(&mut self, info: Info) -> Result<(), PackageError> {
        if let Some(title) = info.title {
            self.draft.problem.title = title.into();
        }
        if !(info.timelimit > 0.0 && info.timelimit <= 600.0) {
            let found = info.timelimit;
            let message = format!("`timelimit` must be above 0 and at most 600, found {found}");
            return mistake(FILE, message);
        }
        self.draft.limit(Some(info.timelimit), 1024.0, 64.0);
        let checker = info.checker.as_deref().unwrap_or("checker.cpp");
        self.program(checker, "checker");
        self.draft.problem.checker = Some(TomlProgram::testlib("checker").checker());
        let verifier = info.verifier.as_deref().unwrap_or("verifier.cpp");
        if info.verifier.is_some() || self.draft.library.read(verifier).is_ok() {
            self.program(verifier, "verifier");
            self.draft.problem.validator = vec![TomlProgram::new("verifier")];
        }
        self.tests(&info.tests)?;
        self.solution(&InfoSolution {
            name: SOLUTION.to_owned(),
            expect: "AC".to_owned(),
            ..InfoSolution::default()
        })?;
        for solution in info.solutions.iter().filter(|it| it.name != SOLUTION) {
            self.solution(solution)?;
        }
        if self.draft.library.read("task.md").is_ok() {
            self.draft.file("task.md", "statement/task.md");
        }
        Ok(())
    }

    /// Adds the subtasks: the tests of `example.in` are samples.
    fn tests(&mut self, tests: &[InfoTests]) -> Result<(), PackageError> {
        let count = tests.iter().map(|it| it.number);
        let count = count.fold(0, usize::saturating_add);
        if count == 0 || count > MAX_CASES {
            let message = format!("there must be 1 to {MAX_CASES} tests, found {count}");
            return mistake(FILE, message);
        }
        let mut stems = BTreeSet::new();
        let mut groups = ["sample", "secret"].map(|name| TomlSubtask {
            name: name.to_owned(),
            score: "all",
            hidden: name == "secret",
            ..TomlSubtask::default()
        });
        for InfoTests { name, number } in tests {
            check_name(FILE, name)?;
            let is_sample = name == "example.in";
            let cases = &mut groups[usize::from(!is_sample)].case;
            let (stem, kind) = name.rsplit_once('.').unwrap_or((name, ""));
            if !stems.insert(stem) {
                return mistake(FILE, format!("there are several tests `{stem}`"));
            }
            match kind {
                "cpp" => self.program(&format!("gen/{name}"), &format!("generators/{stem}")),
                "in" => {}
                _ => return mistake(name, "a test must be a `.cpp` generator or `.in` files"),
            }
            for index in 0..*number {
                let mut case = TomlCase {
                    name: format!("{stem}_{index:02}"),
                    ..TomlCase::default()
                };
                if kind == "cpp" {
                    case.generate = Some(format!("generators/{stem} {index}"));
                } else {
                    let file = format!("data/{}.in", case.name);
                    self.draft.file(&format!("gen/{}.in", case.name), &file);
                    case.stdin_file = Some(file);
                }
                cases.push(case);
            }
        }
        let groups = groups.into_iter().filter(|it| !it.case.is_empty());
        let mut groups: Vec<_> = groups.collect();
        if groups.iter().all(|it| !it.hidden) {
            self.draft
                .note("all tests are samples, which students may see");
        }
        all_or_nothing(&mut groups, Points::whole(1));
        self.draft.problem.subtask = groups;
        Ok(())
    }

    /// Copies a sample solution: alone, or as a folder if it includes headers.
    fn solution(&mut self, solution: &InfoSolution) -> Result<(), PackageError> {
        let name = &*solution.name;
        check_name(FILE, name)?;
        let mut expect = &*solution.expect;
        if solution.wrong {
            expect = "WA";
        }
        if expect == "RE" {
            expect = "RTE";
        }
        let mut verdicts = expected::from_word(expect).unwrap_or_default();
        let is_allowed = [
            (solution.allow_wa, Verdict::WrongAnswer),
            (solution.allow_tle, Verdict::TimeLimit),
            (solution.allow_re, Verdict::RuntimeError),
        ];
        let allowed = is_allowed.into_iter().filter(|(is_allowed, _)| *is_allowed);
        verdicts.extend(allowed.map(|(_, verdict)| verdict));
        if expect.is_empty() {
            verdicts.push(Verdict::Accepted);
        }
        let path = format!("sol/{name}");
        let Some(place) = self
            .draft
            .place_sample(&path, name, name, &verdicts.clone().into())?
        else {
            return Ok(());
        };
        let to = format!("submissions/{place}");
        let text = self.draft.library.read(&path);
        let text = text.map_err(|error| PackageError::file(&path, error))?;
        let mut lines = text.split(|byte| *byte == b'\n');
        let includes = lines.any(|line| line.starts_with(b"#") && line.contains(&b'"'));
        if solution.function {
            let grader = "grader/grader.cpp";
            self.draft.file(grader, &format!("{to}/{grader}"));
        }
        if includes || solution.function {
            self.program(&path, &to);
        } else {
            self.draft.file(&path, &to);
        }
        if name == SOLUTION {
            self.draft.problem.reference = Some(BTreeMap::from([("path", to.into())]));
        }
        Ok(())
    }

    /// Copies a program with all headers into a folder.
    fn program(&mut self, path: &str, folder: &str) {
        self.draft.file(path, &format!("{folder}/{path}"));
        for (path, content) in &self.headers {
            let to = format!("{folder}/{path}");
            self.draft.content(&to, content.clone());
        }
    }
}

/// The paths of all headers in a folder.
fn headers_in(library: &dyn Library, folder: &str, depth: usize) -> Vec<String> {
    let mut headers = Vec::new();
    let entries = library.list(folder).unwrap_or_default();
    for entry in entries.into_iter().filter(|_| depth < MAX_FOLDER_DEPTH) {
        let path = match folder {
            "" => entry.name,
            folder => format!("{folder}/{}", entry.name),
        };
        if entry.folder {
            headers.extend(headers_in(library, &path, depth + 1));
        } else if is_header(&path) {
            headers.push(path);
        }
    }
    headers
}

fn is_header(name: &str) -> bool {
    ["h", "hh", "hpp", "hxx", "inc"].contains(&&*extension_of(name))
}

/// `params.h`: the constants, as `generate.py` defines them.
fn constants(params: &BTreeMap<String, Value>) -> Result<Vec<u8>, PackageError> {
    let mut lines = Vec::new();
    for (name, value) in params {
        let value = match value {
            Value::Integer(number) => format!("(long long){number}"),
            Value::Float(number) => format!("{number:?}"),
            Value::String(text) if !text.contains(['"', '\\', '\n']) => format!("\"{text}\""),
            other => {
                let message = format!("`{name}` must be a number or a plain text, found `{other}`");
                return mistake("info.toml: params", message);
            }
        };
        lines.push(format!("#define {name} {value}\n"));
    }
    Ok(lines.concat().into_bytes())
}
