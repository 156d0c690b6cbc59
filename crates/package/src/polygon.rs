//! Codeforces Polygon packages.
//!
//! Format, as documented by its readers: <https://github.com/purplesyringa/problem-xml-specs>.

mod groups;
mod problem_xml;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use grader_model::{Points, Verdict, extension_of, file_name};
use serde_json::{Value, json};

use self::groups::{TestGroup, in_order};
use self::problem_xml::{FILE, Group, IRRELEVANT, Judging, ProblemXml, Test, Testset};
use crate::constants::{MAX_CASES, MAX_SUBTASKS, MAX_XML};
use crate::draft::{Draft, is_source};
use crate::error::{PackageError, mistake, unsupported};
use crate::expected;
use crate::output::{self, Imported, TomlCase, TomlProgram, TomlSubtask, all_or_nothing, template};
use crate::xml;
use crate::yaml::read_text;

/// Resources for typesetting Polygon's statements.
const TYPESETTING: [&str; 4] = ["olymp.sty", "problem.tex", "statements.ftl", "tutorial.tex"];
/// Top-level entries of a package that are read, or that Polygon generates from others.
const KNOWN: [&str; 15] = [
    FILE,
    "files",
    "solutions",
    "statements",
    "statement-sections",
    "tests",
    "tags",
    "stresses",
    "scripts",
    "check.cpp",
    "check.exe",
    "doall.bat",
    "doall.sh",
    "wipe.bat",
    "wipe.sh",
];

pub(crate) fn import(mut draft: Draft<'_>) -> Result<Imported, PackageError> {
    let text = read_text(draft.library, FILE, MAX_XML)?.ok_or(PackageError::Unknown)?;
    let xml = xml::read(FILE, &text, "problem", |parent, element| {
        if !IRRELEVANT.contains(&(parent, element)) {
            draft.note(format!("`{FILE}`: `<{element}>` is not used"));
        }
    })?;
    let mut package = PolygonReader {
        draft,
        xml: &xml,
        executables: BTreeMap::new(),
        headers: BTreeMap::new(),
        lacks_answers: false,
    };
    package.problem()?;
    package.statements();
    package.rest();
    package.draft.finish()
}

struct PolygonReader<'a> {
    draft: Draft<'a>,
    xml: &'a ProblemXml,
    /// Paths of programs, by their names without extension.
    executables: BTreeMap<&'a str, &'a str>,
    /// Headers for C and C++ programs: their names and paths.
    headers: BTreeMap<String, String>,
    /// Whether a test has no answer file.
    lacks_answers: bool,
}

impl<'a> PolygonReader<'a> {
    fn note(&mut self, note: impl Into<String>) {
        self.draft.note(note);
    }

    fn problem(&mut self) -> Result<(), PackageError> {
        let xml = self.xml;
        let mut testsets: Vec<&Testset> = xml.judging.testset.iter().collect();
        testsets.sort_by_key(|it| it.name != "tests");
        let [testset, others @ ..] = &testsets[..] else {
            return mistake(FILE, "there is no `<testset>`");
        };
        for Testset { name, .. } in others {
            self.note(format!("`{FILE}`: the testset `{name}` is not used"));
        }
        let executables = xml.files.executables.executable.iter();
        for path in executables.filter_map(|it| it.source.path.as_deref()) {
            let name = stem(file_name(path));
            self.executables.entry(name).or_insert(path);
        }
        let names = xml.names.name.iter();
        self.draft
            .title(names.filter_map(|it| Some((it.language.as_deref()?, it.value.as_deref()?))));
        self.resources()?;
        self.run(&xml.judging)?;
        let limit = |key, text: &str| number(key, (!text.is_empty()).then(|| text.trim()));
        let seconds = limit("time-limit", &testset.time_limit)?.map(|it| it / 1000.0);
        let memory = limit("memory-limit", &testset.memory_limit)?;
        let memory = memory.unwrap_or(f64::from(256 << 20));
        self.draft.limit(seconds, memory / f64::from(1 << 20), 64.0);
        self.judge()?;
        self.validator()?;
        self.draft.problem.subtask = self.parts(testset)?;
        let main = self.solutions()?;
        self.reference(main)
    }

    /// Sets `[run]`, if submissions read or write files.
    fn run(&mut self, judging: &Judging) -> Result<(), PackageError> {
        if let Some(runs) = judging.run_count.as_ref().filter(|runs| *runs != "1") {
            let message = format!("`run-count` is {runs}: only one run for each test is supported");
            return mistake(FILE, message);
        }
        if judging.treat_points_from_checker_as_percent {
            self.note("the checker gives points in percent: change it, `points 1` is full score");
        }
        for (key, name, standard) in [
            ("input-file", &judging.input_file, "stdin"),
            ("output-file", &judging.output_file, "stdout"),
        ] {
            if !["", standard].contains(&&**name) {
                self.draft.problem.run.insert(key, name.clone().into());
            }
        }
        Ok(())
    }

    /// Sets `include`, the files that are compiled with submissions, and finds the headers.
    fn resources(&mut self) -> Result<(), PackageError> {
        let mut included = BTreeSet::new();
        for file in &self.xml.files.resources.file {
            let path = &*file.path;
            let name = file_name(path);
            let is_header = ["h", "hh", "hpp", "inc"].contains(&&*extension_of(name));
            let mut assets = file.assets.asset.iter();
            let is_for_solutions = assets.any(|it| it.name.eq_ignore_ascii_case("solution"));
            if !self.has(path)? {
                if !TYPESETTING.contains(&name) {
                    self.note(format!("`{path}` is not in the package"));
                }
                continue;
            }
            if is_header {
                self.headers.insert(name.to_owned(), path.to_owned());
            }
            if is_for_solutions {
                if included.insert(format!("include/{name}")) {
                    self.draft.file(path, &format!("include/{name}"));
                }
            } else if !is_header && !TYPESETTING.contains(&name) {
                self.note(format!("`{path}` is not used"));
            }
        }
        self.draft.problem.submission.include = included.into_iter().collect();
        Ok(())
    }

    /// Sets `[checker.…]` or `[interactor]`.
    fn judge(&mut self) -> Result<(), PackageError> {
        let assets = &self.xml.assets;
        let checker = &assets.checker;
        let path = checker.source.path.as_deref();
        if let Some(interactor) = &assets.interactor {
            let interactor = interactor.source.path.as_deref();
            self.program(interactor.unwrap_or_default(), "interactor")?;
            if let Some(path) = path {
                self.draft.mark_used(path);
                self.note(format!(
                    "`{path}` is not used: the interactor alone decides"
                ));
            }
            self.draft.problem.interactor = Some(TomlProgram::testlib("interactor"));
            return Ok(());
        }
        if let Some(kind) = checker.kind.as_ref().filter(|kind| *kind != "testlib") {
            return unsupported(format!("checkers of the type `{kind}` are not supported"));
        }
        let mut table = built_in(&checker.name);
        if table.is_some() {
            if let Some(path) = path {
                self.draft.mark_used(path);
            }
        } else {
            let missing = || PackageError::file(FILE, "there is no checker");
            self.program(path.ok_or_else(missing)?, "checker")?;
            table = Some(TomlProgram::testlib("checker").checker());
        }
        self.draft.problem.checker = table;
        Ok(())
    }

    /// Sets `[validator]`: the first one.
    fn validator(&mut self) -> Result<(), PackageError> {
        let validators = self.xml.assets.validators.validator.iter();
        for path in validators.filter_map(|it| it.source.path.as_deref()) {
            if self.draft.problem.validator.is_empty() && is_source(file_name(path)) {
                self.program(path, "validator")?;
                self.draft.problem.validator = vec![TomlProgram::new("validator")];
            } else {
                self.draft.mark_used(path);
                self.note(format!("`{path}` is not used"));
            }
        }
        Ok(())
    }

    /// Copies the tests; returns the subtasks, each after those that it requires.
    fn parts(&mut self, testset: &'a Testset) -> Result<Vec<TomlSubtask>, PackageError> {
        let tests = &testset.tests.test;
        if tests.is_empty() || tests.len() > MAX_CASES {
            let found = tests.len();
            let message =
                format!("a problem must have 1 to {MAX_CASES} tests in `<tests>`, found {found}");
            return mistake(FILE, message);
        }
        let groups = testset.groups.group.iter();
        let groups: BTreeMap<&str, &Group> = groups
            .filter_map(|it| Some((it.name.as_deref()?, it)))
            .collect();
        let mut has_points = false;
        let of_tests = tests.iter().map(|it| &it.points);
        for given in of_tests.chain(groups.values().map(|it| &it.points)) {
            has_points |= points(given.as_ref())?.is_some_and(|points| points > 0.0);
        }
        if has_points {
            check_groups(&groups, tests)?;
        }
        if !has_points && tests.iter().any(|it| it.group.is_some()) {
            self.note("groups are not used: they have no points, so all tests must pass");
        }
        let mut parts: Vec<TestGroup<'a>> = Vec::new();
        for (index, test) in tests.iter().enumerate() {
            let usual = if test.sample { "sample" } else { "secret" };
            let (group, settings) = match &test.group {
                Some(name) if has_points => (&**name, groups.get(&**name).copied()),
                _ => (usual, None),
            };
            let is_whole =
                !has_points || settings.is_some_and(|it| it.points_policy == "complete-group");
            let each = points(test.points.as_ref())?.unwrap_or(0.0);
            let is_same = |it: &TestGroup<'_>| {
                it.group == group && (is_whole || it.each.total_cmp(&each).is_eq())
            };
            let at = match parts.iter().position(is_same) {
                Some(at) => at,
                None if parts.len() == MAX_SUBTASKS => {
                    return mistake(FILE, format!("there are more than {MAX_SUBTASKS} groups"));
                }
                None => {
                    parts.push(TestGroup {
                        is_whole,
                        each,
                        ..TestGroup::new(group, settings, &parts)
                    });
                    parts.len() - 1
                }
            };
            parts[at].points += each;
            parts[at].subtask.hidden |= !test.sample;
            self.test(index + 1, test, testset, &mut parts[at])?;
        }
        for part in &mut parts {
            let given = part.settings.filter(|_| part.is_whole);
            let given = points(given.and_then(|it| it.points.as_ref()))?;
            part.subtask.score = if part.is_whole { "all" } else { "sum" };
            part.subtask.points = output::points(given.unwrap_or(part.points));
        }
        if tests.iter().all(|it| it.sample) {
            self.note("all tests are samples, which students may see");
        }
        let mut subtasks = in_order(parts)?;
        if !has_points {
            subtasks.sort_by_key(|it| it.hidden);
            all_or_nothing(&mut subtasks, Points::whole(1));
        }
        Ok(subtasks)
    }

    /// Copies a test, or adds a generated case.
    fn test(
        &mut self,
        number: usize,
        test: &Test,
        testset: &Testset,
        part: &mut TestGroup<'a>,
    ) -> Result<(), PackageError> {
        let input = numbered(&testset.input_path_pattern, number)?;
        let folder = format!("data/{}", part.subtask.name);
        let name = format!("{folder}/{number:02}");
        if self.has(&input)? {
            self.draft.lines(&input, &format!("{name}.in"));
            part.subtask.folder = Some(folder);
            if !testset.answer_path_pattern.is_empty() {
                let answer = numbered(&testset.answer_path_pattern, number)?;
                if self.has(&answer)? {
                    self.draft.lines(&answer, &format!("{name}.ans"));
                    return Ok(());
                }
            }
        } else {
            part.subtask.case.push(TomlCase {
                name: format!("{number:02}"),
                generate: Some(self.generator(number, &input, test)?),
                ..TomlCase::default()
            });
        }
        self.lacks_answers = true;
        Ok(())
    }

    /// The command that generates a test; copies its program.
    fn generator(
        &mut self,
        number: usize,
        input: &str,
        test: &Test,
    ) -> Result<String, PackageError> {
        let wrong = |message: &str| {
            mistake(
                input,
                format!("test {number} is not in the package, and {message}"),
            )
        };
        let command = &test.cmd;
        let mut words = command.split_whitespace();
        let Some(first) = words.next() else {
            return wrong("it has no generator");
        };
        if test.from_file.is_some() || command.contains(['"', '\'', '\\', '<', '>', '|']) {
            return wrong(&format!("the command `{command}` is not a plain one"));
        }
        let Some(path) = self.executables.get(stem(first)).copied() else {
            return wrong(&format!("there is no generator `{first}`"));
        };
        let folder = format!("generators/{}", stem(first));
        if !self.draft.is_used(path) {
            self.program(path, &folder)?;
        }
        let words: Vec<&str> = std::iter::once(&*folder).chain(words).collect();
        Ok(template(&words.join(" ")))
    }

    /// Copies sample submissions; returns the name of the main one.
    fn solutions(&mut self) -> Result<Option<&'a str>, PackageError> {
        let mut solutions: Vec<_> = self.xml.assets.solutions.solution.iter().collect();
        // The main one comes first, so that no other takes its name in `submissions/accepted`.
        solutions.sort_by_key(|it| it.tag != "main");
        let mut main = None;
        for solution in solutions {
            let (tag, kind) = (&*solution.tag, &*solution.source.kind);
            let Some(path) = solution.source.path.as_deref() else {
                continue;
            };
            let name = file_name(path);
            if !self.has(path)? {
                return mistake(path, "the file is not in the package");
            }
            if kind.starts_with("python.2") || kind.starts_with("python.pypy2") {
                self.note(format!("`{path}` is not used: it is in Python 2"));
                continue;
            }
            if solution.extra_tags.is_some() {
                self.note(format!("`{path}`: its tags of single groups are not used"));
            }
            if tag == "main" && is_source(name) {
                main.get_or_insert(name);
            }
            if kind.starts_with("python.pypy3") && ["main", "accepted"].contains(&tag) {
                self.draft.ask_for_pypy();
            }
            let other = format!("{tag}-{name}");
            self.draft
                .sample(path, name, &other, &verdicts(tag).into())?;
        }
        Ok(main)
    }

    /// Sets `[reference]`, if a test has no answer.
    fn reference(&mut self, main: Option<&str>) -> Result<(), PackageError> {
        if !self.lacks_answers {
            return Ok(());
        }
        if self.draft.problem.interactor.is_some() {
            self.note("the interactor gets an empty answer for tests that have no answer file");
            return Ok(());
        }
        let Some(name) = main else {
            let message =
                "there are tests without answers, and no main solution that could give them";
            return mistake(FILE, message);
        };
        let path = format!("submissions/accepted/{name}");
        self.draft.problem.reference = Some(BTreeMap::from([("path", path.into())]));
        Ok(())
    }

    /// Copies statements unchanged.
    fn statements(&mut self) {
        for (from, to) in [
            ("statements", "statement"),
            ("statement-sections", "statement/sections"),
        ] {
            if self.draft.library.list(from).is_ok() {
                self.draft.statement(from, to);
            }
        }
        // Typeset statements are in hidden folders.
        for statement in &self.xml.statements.statement {
            let path = &statement.path;
            if let Some(inner) = path.strip_prefix("statements/.")
                && self.has(path).unwrap_or(false)
            {
                self.draft.statement(path, &format!("statement/{inner}"));
            }
        }
    }

    /// Notes files that are not used.
    fn rest(&mut self) {
        for path in self.executables.values() {
            if !self.draft.is_used(path) {
                self.draft.note(format!("`{path}` is not used"));
            }
        }
        self.draft.note_unused(|name| KNOWN.contains(&name));
    }

    /// Copies a program into its own folder, with the headers if it includes files.
    fn program(&mut self, path: &str, folder: &str) -> Result<(), PackageError> {
        if !self.has(path)? {
            return mistake(path, "the file is not in the package");
        }
        let name = file_name(path);
        if !is_source(name) {
            return mistake(path, "its language is not known");
        }
        self.draft.file(path, &format!("{folder}/{name}"));
        let bytes = self.draft.library.read(path);
        let bytes = bytes.map_err(|error| PackageError::file(path, error))?;
        let text = String::from_utf8_lossy(&bytes);
        if text.contains("quitp") {
            self.draft.note(format!(
                "`{path}` may give points: change it if so, `points 1` is full score"
            ));
        }
        if !text.contains("#include") {
            return Ok(());
        }
        for (name, header) in &self.headers {
            self.draft.file(header, &format!("{folder}/{name}"));
        }
        if !self.headers.contains_key("testlib.h") {
            self.draft.note_testlib(&format!("`{path}`"), &text, folder);
        }
        Ok(())
    }

    /// Whether the package has a file. Fails if its path leads out of the package.
    fn has(&self, path: &str) -> Result<bool, PackageError> {
        match self.draft.library.list(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(true),
            entries => entries
                .map(|_| false)
                .map_err(|error| PackageError::file(path, error)),
        }
    }
}

/// Fails if a group with points, or one that another depends on, has no tests.
fn check_groups(groups: &BTreeMap<&str, &Group>, tests: &[Test]) -> Result<(), PackageError> {
    let has_tests = |name: &str| tests.iter().any(|it| it.group.as_deref() == Some(name));
    for (name, group) in groups {
        let lost = points(group.points.as_ref())?.filter(|points| *points > 0.0);
        if let Some(lost) = lost.filter(|_| !has_tests(name)) {
            let message =
                format!("the group `{name}` has no tests: its {lost} points would be lost");
            return mistake(FILE, message);
        }
        if let Some(missing) = group.needs().find(|needed| !has_tests(needed)) {
            let message = format!("the group `{name}` depends on `{missing}`, which has no tests");
            return mistake(FILE, message);
        }
    }
    Ok(())
}

/// The checker equivalent to this standard checker of Polygon.
pub(crate) fn built_in(name: &str) -> Option<Value> {
    Some(match name.strip_prefix("std::")?.strip_suffix(".cpp")? {
        // testlib's integers have no leading zeros: they are equal if written the same.
        "wcmp" | "ncmp" | "icmp" | "hcmp" => json!({ "tokens": {} }),
        "yesno" | "nyesno" => json!({ "tokens": { "case-sensitive": false } }),
        "rcmp" | "acmp" => json!({ "numbers": { "absolute": 1.5e-6 } }),
        "rncmp" => json!({ "numbers": { "absolute": 1.5e-5 } }),
        "rcmp4" => json!({ "numbers": { "absolute": 1e-4, "relative": 1e-4 } }),
        "rcmp6" | "dcmp" => json!({ "numbers": { "absolute": 1e-6, "relative": 1e-6 } }),
        "rcmp9" => json!({ "numbers": { "absolute": 1e-9, "relative": 1e-9 } }),
        _ => return None,
    })
}

/// The verdicts that a solution's tag allows; empty if it must not be run.
fn verdicts(tag: &str) -> Vec<Verdict> {
    let folder = match tag {
        "main" => "accepted",
        "failed" => "rejected",
        "presentation-error" => return vec![Verdict::PresentationError, Verdict::WrongAnswer],
        "time-limit-exceeded-or-accepted" => return vec![Verdict::TimeLimit, Verdict::Accepted],
        "time-limit-exceeded-or-memory-limit-exceeded" => "brute_force",
        tag => tag,
    };
    expected::from_word(folder).unwrap_or_default()
}

/// The name of a program without its extension.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if is_source(name) => stem,
        _ => name,
    }
}

/// A non-negative number, if there is a text.
fn number(key: &str, text: Option<&str>) -> Result<Option<f64>, PackageError> {
    let Some(text) = text else { return Ok(None) };
    match text.parse() {
        Ok(number) if f64::is_finite(number) && number >= 0.0 => Ok(Some(number)),
        _ => mistake(FILE, format!("`{key}`: expected a number, found `{text}`")),
    }
}

/// The points of a test or group.
fn points(text: Option<&String>) -> Result<Option<f64>, PackageError> {
    number("points", text.map(String::as_str))
}

/// `tests/%02d` with a number.
fn numbered(pattern: &str, number: usize) -> Result<String, PackageError> {
    let filled = || {
        let (before, rest) = pattern.split_once('%')?;
        let (width, after) = rest.split_once('d')?;
        let width: usize = match width {
            "" => 0,
            width => width.strip_prefix('0')?.parse().ok()?,
        };
        let is_fine = width <= 20 && !after.contains('%');
        is_fine.then(|| format!("{before}{number:0width$}{after}"))
    };
    filled().ok_or_else(|| {
        let message = format!("expected a path with one `%d` or `%02d`, found `{pattern}`");
        PackageError::file(FILE, message)
    })
}
