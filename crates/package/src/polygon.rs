//! Codeforces Polygon packages.
//!
//! Format, as documented by its readers: <https://github.com/purplesyringa/problem-xml-specs>.

mod groups;
mod known;
mod xml;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use grader_model::{Verdict, extension_of, file_name};
use roxmltree::{Document, ParsingOptions};
use serde_json::{Value, json};

use self::groups::{TestGroup, in_order};
use self::known::{PARENTS, TYPESETTING, is_known, is_read};
use self::xml::{FILE, Node, all, find, number, numbered, points, source};
use crate::constants::{
    MAX_CASES, MAX_SUBTASKS, MAX_XML, MAX_XML_ATTRIBUTES, MAX_XML_NAMESPACES, MAX_XML_NODES,
};
use crate::draft::{Draft, is_source};
use crate::error::{PackageError, mistake, unsupported};
use crate::expected;
use crate::output::{self, Imported, TomlCase, TomlProgram, TomlSubtask, require_others, template};
use crate::yaml::read_text;

pub(crate) fn import(draft: Draft<'_>) -> Result<Imported, PackageError> {
    let wrong = |error: &dyn std::fmt::Display| PackageError::file(FILE, error);
    let text = read_text(draft.library, FILE, MAX_XML)?.ok_or(PackageError::Unknown)?;
    check_attributes(&text).map_err(|error| wrong(&error))?;
    if text.matches("xmlns").count() > MAX_XML_NAMESPACES {
        let message = format!("it declares more than {MAX_XML_NAMESPACES} namespaces");
        return Err(wrong(&message));
    }
    let options = ParsingOptions {
        nodes_limit: MAX_XML_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options).map_err(|error| wrong(&error))?;
    if !document.root_element().has_tag_name("problem") {
        return Err(wrong(&"the root element must be `<problem>`"));
    }
    let mut package = PolygonReader {
        draft,
        document: document.root(),
        root: document.root_element(),
        executables: BTreeMap::new(),
        headers: BTreeMap::new(),
        lacks_answers: false,
    };
    package.problem()?;
    package.statements();
    package.rest();
    package.draft.finish()
}

/// Rejects an element with too many attributes by counting its equals signs, which precede the next `<`. Equals signs
/// in the text after the element are counted, too, but no real package has that many.
fn check_attributes(text: &str) -> Result<(), String> {
    let mut line = 1;
    for piece in text.split('<') {
        if piece.matches('=').count() > MAX_XML_ATTRIBUTES {
            return Err(format!(
                "line {line}: an element has more than {MAX_XML_ATTRIBUTES} attributes"
            ));
        }
        line += piece.matches('\n').count();
    }
    Ok(())
}

struct PolygonReader<'a> {
    draft: Draft<'a>,
    document: Node<'a>,
    root: Node<'a>,
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
        let judging = find(self.root, "judging");
        let mut testsets: Vec<Node<'a>> = all(self.root, "judging/testset").collect();
        testsets.sort_by_key(|it| it.attribute("name") != Some("tests"));
        let (Some(judging), Some(testset)) = (judging, testsets.first().copied()) else {
            return mistake(FILE, "there is no `<testset>`");
        };
        for other in testsets.iter().skip(1) {
            let name = other.attribute("name").unwrap_or_default();
            self.note(format!("`{FILE}`: the testset `{name}` is not used"));
        }
        for (path, _) in all(self.root, "files/executables/executable").filter_map(source) {
            let name = stem(file_name(path));
            self.executables.entry(name).or_insert(path);
        }
        let names = all(self.root, "names/name")
            .filter_map(|it| Some((it.attribute("language")?, it.attribute("value")?)));
        self.draft.title(names);
        self.resources()?;
        self.run(judging)?;
        self.limits(testset)?;
        self.judge()?;
        self.validator()?;
        self.draft.problem.subtask = self.parts(testset)?;
        let main = self.solutions()?;
        self.reference(main)
    }

    /// Sets `[run]`, if submissions read or write files.
    fn run(&mut self, judging: Node<'a>) -> Result<(), PackageError> {
        let runs = judging.attribute("run-count").unwrap_or("1");
        if runs != "1" {
            let message = format!("`run-count` is {runs}: only one run for each test is supported");
            return mistake(FILE, message);
        }
        if judging.attribute("treat-points-from-checker-as-percent") == Some("true") {
            self.note("the checker gives points in percent: change it, `points 1` is full score");
        }
        for (key, standard) in [("input-file", "stdin"), ("output-file", "stdout")] {
            let name = judging.attribute(key).unwrap_or_default();
            if !["", standard].contains(&name) {
                self.draft.problem.run.insert(key, name.into());
            }
        }
        Ok(())
    }

    fn limits(&mut self, testset: Node<'a>) -> Result<(), PackageError> {
        let number = |key: &str| {
            let text = find(testset, key).and_then(|it| it.text());
            text.map(|text| number(key, text.trim())).transpose()
        };
        let seconds = number("time-limit")?.map(|milliseconds| milliseconds / 1000.0);
        let memory = number("memory-limit")?.unwrap_or(f64::from(256 << 20));
        self.draft.limit(seconds, memory / f64::from(1 << 20), 64.0);
        Ok(())
    }

    /// Sets `include`, the files that are compiled with submissions, and finds the headers.
    fn resources(&mut self) -> Result<(), PackageError> {
        let mut included = BTreeSet::new();
        for file in all(self.root, "files/resources/file") {
            let path = file.attribute("path").unwrap_or_default();
            let name = file_name(path);
            let is_header = ["h", "hh", "hpp", "inc"].contains(&&*extension_of(name));
            let mut assets = all(file, "assets/asset").filter_map(|it| it.attribute("name"));
            let is_for_solutions = assets.any(|it| it.eq_ignore_ascii_case("solution"));
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
        let program = |source: &str| TomlProgram {
            source: source.to_owned(),
            protocol: Some("testlib"),
            ..TomlProgram::default()
        };
        let checker = find(self.root, "assets/checker");
        let path = checker.and_then(source).map(|(path, _)| path);
        if let Some(interactor) = find(self.root, "assets/interactor") {
            let (interactor, _) = source(interactor).unwrap_or_default();
            self.program(interactor, "interactor")?;
            if let Some(path) = path {
                self.draft.mark_used(path);
                self.note(format!(
                    "`{path}` is not used: the interactor alone decides"
                ));
            }
            self.draft.problem.interactor = Some(program("interactor"));
            return Ok(());
        }
        let kind = checker.and_then(|it| it.attribute("type"));
        if let Some(kind) = kind.filter(|kind| *kind != "testlib") {
            return unsupported(format!("checkers of the type `{kind}` are not supported"));
        }
        let mut table = checker.and_then(|it| built_in(it.attribute("name")?));
        if table.is_some() {
            if let Some(path) = path {
                self.draft.mark_used(path);
            }
        } else {
            let missing = || PackageError::file(FILE, "there is no checker");
            self.program(path.ok_or_else(missing)?, "checker")?;
            table = Some(program("checker").checker());
        }
        self.draft.problem.checker = table;
        Ok(())
    }

    /// Sets `[validator]`: the first one.
    fn validator(&mut self) -> Result<(), PackageError> {
        for (path, _) in all(self.root, "assets/validators/validator").filter_map(source) {
            if self.draft.problem.validator.is_none() && is_source(file_name(path)) {
                self.program(path, "validator")?;
                self.draft.problem.validator = Some(TomlProgram {
                    source: "validator".to_owned(),
                    ..TomlProgram::default()
                });
            } else {
                self.draft.mark_used(path);
                self.note(format!("`{path}` is not used"));
            }
        }
        Ok(())
    }

    /// Copies the tests; returns the subtasks, each after those that it requires.
    fn parts(&mut self, testset: Node<'a>) -> Result<Vec<TomlSubtask>, PackageError> {
        let tests: Vec<Node<'a>> = all(testset, "tests/test").collect();
        if tests.is_empty() || tests.len() > MAX_CASES {
            let found = tests.len();
            let message =
                format!("a problem must have 1 to {MAX_CASES} tests in `<tests>`, found {found}");
            return mistake(FILE, message);
        }
        let groups: BTreeMap<&str, Node<'a>> = all(testset, "groups/group")
            .filter_map(|it| Some((it.attribute("name")?, it)))
            .collect();
        let mut has_points = false;
        for node in tests.iter().chain(groups.values()) {
            has_points |= points(*node)?.is_some_and(|points| points > 0.0);
        }
        if has_points {
            check_groups(&groups, &tests)?;
        }
        let is_sample = |test: &Node<'_>| test.attribute("sample") == Some("true");
        let only_samples = tests.iter().all(is_sample);
        if !has_points && tests.iter().any(|it| it.has_attribute("group")) {
            self.note("groups are not used: they have no points, so all tests must pass");
        }
        let mut parts: Vec<TestGroup<'a>> = Vec::new();
        for (index, test) in tests.iter().enumerate() {
            let named = test.attribute("group").filter(|_| has_points);
            let group = named.unwrap_or(if is_sample(test) { "sample" } else { "secret" });
            let settings = named.and_then(|name| groups.get(name));
            let is_whole = !has_points
                || settings.and_then(|it| it.attribute("points-policy")) == Some("complete-group");
            let each = points(*test)?.unwrap_or(0.0);
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
                        ..TestGroup::new(group, settings.copied(), &parts)
                    });
                    parts.len() - 1
                }
            };
            parts[at].points += each;
            parts[at].subtask.hidden |= !is_sample(test);
            self.test(index + 1, *test, testset, &mut parts[at])?;
        }
        for part in &mut parts {
            let given = groups.get(part.group).filter(|_| part.is_whole);
            let given = given.map(|it| points(*it)).transpose()?.flatten();
            part.subtask.score = if part.is_whole { "all" } else { "sum" };
            part.subtask.points = output::points(if has_points {
                given.unwrap_or(part.points)
            } else {
                f64::from(only_samples == (part.group == "sample"))
            });
        }
        if only_samples {
            self.note("all tests are samples, which students may see");
        }
        let mut subtasks = in_order(parts)?;
        if !has_points {
            // All tests must pass; the last subtask has the points.
            subtasks.sort_by_key(|it| it.points);
            require_others(&mut subtasks);
        }
        Ok(subtasks)
    }

    /// Copies a test, or adds a generated case.
    fn test(
        &mut self,
        number: usize,
        test: Node<'a>,
        testset: Node<'a>,
        part: &mut TestGroup<'a>,
    ) -> Result<(), PackageError> {
        let pattern = |key: &str| find(testset, key).and_then(|it| it.text());
        let input = numbered(pattern("input-path-pattern").unwrap_or_default(), number)?;
        let folder = format!("data/{}", part.subtask.name);
        let name = format!("{folder}/{number:02}");
        if self.has(&input)? {
            self.draft.lines(&input, &format!("{name}.in"));
            part.subtask.folder = Some(folder);
            if let Some(pattern) = pattern("answer-path-pattern") {
                let answer = numbered(pattern, number)?;
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
        test: Node<'a>,
    ) -> Result<String, PackageError> {
        let wrong = |message: &str| {
            mistake(
                input,
                format!("test {number} is not in the package, and {message}"),
            )
        };
        let command = test.attribute("cmd").unwrap_or_default();
        let mut words = command.split_whitespace();
        let Some(first) = words.next() else {
            return wrong("it has no generator");
        };
        if test.has_attribute("from-file") || command.contains(['"', '\'', '\\', '<', '>', '|']) {
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
        let mut solutions: Vec<Node<'a>> = all(self.root, "assets/solutions/solution").collect();
        // The main one comes first, so that no other takes its name in `submissions/accepted`.
        solutions.sort_by_key(|it| it.attribute("tag") != Some("main"));
        let mut main = None;
        for solution in solutions {
            let tag = solution.attribute("tag").unwrap_or_default();
            let Some((path, kind)) = source(solution) else {
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
            if all(solution, "extra-tags").next().is_some() {
                self.note(format!("`{path}`: its tags of single groups are not used"));
            }
            if tag == "main" && is_source(name) {
                main.get_or_insert(name);
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
        for statement in all(self.root, "statements/statement") {
            let path = statement.attribute("path").unwrap_or_default();
            if let Some(inner) = path.strip_prefix("statements/.")
                && self.has(path).unwrap_or(false)
            {
                self.draft.statement(path, &format!("statement/{inner}"));
            }
        }
    }

    /// Notes elements and files that are not used.
    fn rest(&mut self) {
        for parent in PARENTS {
            let inner = all(self.document, parent).flat_map(|it| it.children());
            for element in inner.filter(Node::is_element) {
                let name = element.tag_name().name();
                if !is_known(parent, name) {
                    self.draft.note(format!("`{FILE}`: `<{name}>` is not used"));
                }
            }
        }
        for path in self.executables.values() {
            if !self.draft.is_used(path) {
                self.draft.note(format!("`{path}` is not used"));
            }
        }
        self.draft.note_unused(is_read);
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
        if text.contains("testlib.h") && !self.headers.contains_key("testlib.h") {
            self.draft.note(format!(
                "`{path}` needs `testlib.h`, which the package does not have: put it into `{folder}`"
            ));
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
fn check_groups(groups: &BTreeMap<&str, Node<'_>>, tests: &[Node<'_>]) -> Result<(), PackageError> {
    let has_tests = |name: &str| tests.iter().any(|it| it.attribute("group") == Some(name));
    for (name, group) in groups {
        let lost = points(*group)?.filter(|points| *points > 0.0);
        if let Some(lost) = lost.filter(|_| !has_tests(name)) {
            let message =
                format!("the group `{name}` has no tests: its {lost} points would be lost");
            return mistake(FILE, message);
        }
        let needs = all(*group, "dependencies/dependency");
        let mut needs = needs.filter_map(|it| it.attribute("group"));
        if let Some(missing) = needs.find(|needed| !has_tests(needed)) {
            let message = format!("the group `{name}` depends on `{missing}`, which has no tests");
            return mistake(FILE, message);
        }
    }
    Ok(())
}

/// The checker equivalent to this standard checker of Polygon.
fn built_in(name: &str) -> Option<Value> {
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
