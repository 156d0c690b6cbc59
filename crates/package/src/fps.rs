//! FPS, the "free problem set" of HUSTOJ and its relatives: one XML file with many problems and their tests.
//!
//! Format: <https://github.com/zhblue/freeproblemset/blob/master/fps.current.dtd>. Where it is vague, `problem_import_xml.php` and
//! `judge_client.cc` of <https://github.com/zhblue/hustoj> are authoritative.

use std::collections::{BTreeMap, BTreeSet};

use grader_language::Languages;
use grader_model::{Points, counted, natural_order};
use grader_problem::{Library, LibraryEntry};
use serde::{Deserialize, Deserializer, Serialize};

use crate::constants::{MAX_FILES, MAX_FPS, MAX_FPS_HEAD_BYTES};
use crate::draft::{Draft, check_name};
use crate::error::{PackageError, mistake, unsupported};
use crate::folder::PackageFolder;
use crate::options::ImportOptions;
use crate::output::{Content, Imported, TomlProgram};
use crate::test_groups::{Test, TestGroup, Worth, add};
use crate::{statement, xml};

/// Elements that do not affect judging: where a problem comes from.
const IRRELEVANT: [&str; 4] = ["generator", "url", "remote_oj", "remote_id"];
/// Longest time limit in seconds, and largest memory limit in MiB.
const MAX_SECONDS: f64 = 600.0;
const MAX_MEMORY_MIB: f64 = 65_536.0;

#[derive(Deserialize)]
struct ProblemSet {
    item: Vec<ReadItem>,
}

/// A problem, or why it cannot be read: the others can.
struct ReadItem(Result<Item, String>);

impl<'de> Deserialize<'de> for ReadItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let item = Item::deserialize(deserializer);
        Ok(Self(item.map_err(|error| error.to_string())))
    }
}

/// A problem.
#[derive(Deserialize)]
struct Item {
    title: String,
    time_limit: Text,
    memory_limit: Text,
    description: String,
    input: String,
    output: String,
    hint: String,
    source: String,
    sample_input: Vec<String>,
    sample_output: Vec<String>,
    test_input: Vec<Text>,
    test_output: Vec<Text>,
    solution: Vec<Text>,
    template: Vec<Text>,
    prepend: Vec<Text>,
    append: Vec<Text>,
    spj: Text,
    tpj: Text,
    interactor: String,
}

/// The text of an element, with its attributes.
#[derive(Deserialize)]
struct Text {
    #[serde(rename = "$text")]
    value: String,
    /// Of a limit: `s` or `ms`, `mb` or `kb`.
    unit: String,
    /// Of a test.
    name: String,
    /// Of a program.
    language: String,
}

/// `assignment.toml`.
#[derive(Serialize)]
struct TomlAssignment {
    format: u32,
    id: String,
    title: String,
    problem: Vec<TomlEntry>,
}

#[derive(Serialize)]
struct TomlEntry {
    path: String,
    points: Points,
}

/// The file of a problem set in the folder of a package.
pub(crate) fn file(library: &dyn Library, entries: &[LibraryEntry]) -> Option<String> {
    let is_set = |name: &str| {
        let bytes = library.read(name).unwrap_or_default();
        let head = &bytes[..bytes.len().min(MAX_FPS_HEAD_BYTES)];
        head.windows(4).any(|it| it == b"<fps")
    };
    let names = entries.iter().filter(|it| !it.folder).map(|it| &it.name);
    let mut files = names.filter(|name| name.to_lowercase().ends_with(".xml"));
    files.find(|name| is_set(name)).cloned()
}

/// Reads a problem set: one problem as its folder, several as an assignment with their folders.
pub(crate) fn import(
    folder: &PackageFolder<'_>,
    file: &str,
    id: &str,
    options: &ImportOptions,
) -> Result<Imported, PackageError> {
    let bytes = folder.read(file);
    let bytes = bytes.map_err(|error| PackageError::file(file, error))?;
    if bytes.len() as u64 > MAX_FPS.0 {
        return mistake(file, format!("the file is larger than {MAX_FPS}"));
    }
    let text = xml::decoded(file, &bytes)?;
    drop(bytes);
    let mut unread = BTreeSet::new();
    let set: ProblemSet = xml::read(file, &text, "fps", |_, element| {
        unread.insert(element.to_owned());
    })?;
    let import = |id: &str, item: &ReadItem| {
        let item = item.0.as_ref();
        let item = item.map_err(PackageError::unsupported)?;
        let draft = Draft::new(folder, id, options.clone());
        ItemReader { draft, item }.import()
    };
    let used = unread.iter().filter(|it| !IRRELEVANT.contains(&&***it));
    let mut notes: Vec<String> = used.map(|it| format!("`<{it}>` is not used")).collect();
    let others = folder.list("").unwrap_or_default().into_iter();
    let others = others.filter(|it| it.name != file);
    notes.extend(others.map(|it| format!("`{}` is not used", it.name)));
    if set.item.is_empty() {
        return mistake(file, "there is no `<item>`");
    }
    if let [item] = &set.item[..] {
        let mut imported = import(id, item)?.0;
        imported.notes.extend(notes);
        return Ok(imported);
    }
    let mut assignment = TomlAssignment {
        format: 1,
        id: id.to_owned(),
        title: file.trim_end_matches(".xml").to_owned(),
        problem: Vec::new(),
    };
    let mut files = Vec::new();
    let mut of_items = BTreeMap::<String, Vec<String>>::new();
    let digits = set.item.len().to_string().len();
    for (number, item) in (1..).zip(&set.item) {
        let path = format!("p{number:0digits$}");
        let title = item.0.as_ref().map_or("", |it| it.title.trim());
        let label = format!("`{path}` {title}").trim_end().to_owned();
        match import(&path, item) {
            Ok((imported, points)) => {
                let prefixed = imported.files.into_iter();
                files.extend(prefixed.map(|(inner, it)| (format!("{path}/{inner}"), it)));
                assignment.problem.push(TomlEntry { path, points });
                for note in imported.notes {
                    of_items.entry(note).or_default().push(label.clone());
                }
            }
            Err(why) => {
                let why = format!("not imported: {why}");
                of_items.entry(why).or_default().push(label);
            }
        }
        if files.len() > MAX_FILES {
            return unsupported(format!("there are more than {MAX_FILES} files"));
        }
    }
    notes.extend(of_items.into_iter().map(|(note, labels)| {
        let more = match labels.len() {
            0..=3 => String::new(),
            count => format!(" and {} more", count - 3),
        };
        format!("{}{more}: {note}", labels[..labels.len().min(3)].join(", "))
    }));
    if assignment.problem.is_empty() {
        let count = counted(set.item.len(), "item", "items");
        let why = notes.join("; ");
        return mistake(file, format!("none of {count} can be imported: {why}"));
    }
    let text = toml::to_string(&assignment);
    let text = text.map_err(|error| PackageError::file(file, error))?;
    files.push((
        "assignment.toml".to_owned(),
        Content::Bytes(text.into_bytes()),
    ));
    Ok(Imported {
        files,
        notes,
        paired: Vec::new(),
    })
}

/// One problem of a set.
struct ItemReader<'a> {
    draft: Draft<'a>,
    item: &'a Item,
}

impl<'a> ItemReader<'a> {
    /// The problem, and its points.
    fn import(mut self) -> Result<(Imported, Points), PackageError> {
        let item = self.item;
        let title = item.title.trim();
        if !title.is_empty() {
            self.draft.problem.title = title.into();
        }
        if !item.interactor.trim().is_empty() {
            return unsupported("interactors (`<interactor>`) are not supported");
        }
        let mut programs = item.solution.iter().chain(&item.template);
        if programs.any(|it| it.language.starts_with("SQL")) {
            return unsupported("students submit queries in SQL");
        }
        self.languages()?;
        self.limits()?;
        self.checker()?;
        let points = self.tests()?;
        let has_samples = self.draft.problem.subtask.iter().any(|it| !it.hidden);
        let samples = if has_samples { "{{samples}}" } else { "" };
        let accepted = self.draft.problem.submission.languages.clone();
        for (number, solution) in (1..).zip(&item.solution) {
            let name = &solution.language;
            let language =
                language(name).filter(|it| accepted.is_empty() || accepted.contains(&it.0));
            let Some((_, extension)) = language else {
                self.draft
                    .note(format!("a solution in `{name}` is not used"));
                continue;
            };
            let path = format!("submissions/accepted/solution-{number}.{extension}");
            self.draft.bytes(&path, solution.value.clone().into_bytes());
        }
        if item.template.iter().any(|it| !it.value.trim().is_empty()) {
            self.draft
                .note("`<template>` is not used: it is what students begin with");
        }
        let sections = [&*item.input, &item.output, &item.hint, &item.source];
        let head = [title, &item.description];
        statement::write(&mut self.draft, head, sections, samples);
        Ok((self.draft.finish()?, points))
    }

    /// Leaves out the languages in which HUSTOJ puts a program between two texts, if there is a solution in another one.
    fn languages(&mut self) -> Result<(), PackageError> {
        let parts = self.item.prepend.iter().chain(&self.item.append);
        let parts = parts.filter(|it| !it.value.trim().is_empty());
        let of = |it: &Text| language(&it.language).map(|it| it.0);
        let wrapped: BTreeSet<_> = parts.map(of).collect();
        if wrapped.is_empty() {
            return Ok(());
        }
        let mut solutions = self.item.solution.iter().filter_map(of);
        if solutions.all(|it| wrapped.contains(&Some(it))) {
            return unsupported(
                "code around each submission (`<prepend>`, `<append>`) is not supported",
            );
        }
        let all = Languages::built_in();
        let all = all.iter().map(|it| it.id.as_str());
        let (without, with): (Vec<_>, Vec<_>) = all.partition(|it| wrapped.contains(&Some(it)));
        self.draft.problem.submission.languages = with;
        let without = without.join("`, `");
        let note = format!(
            "programs in `{without}` are not accepted: they stand between `<prepend>` and `<append>`"
        );
        self.draft.note(note);
        Ok(())
    }

    fn limits(&mut self) -> Result<(), PackageError> {
        let limit = |name: &str, given: &Text, most: f64, [all, unit]: [&str; 2], factor: f64| {
            let text = given.value.trim();
            let is_smaller = given.unit.trim().eq_ignore_ascii_case(unit);
            let factor = if is_smaller { factor } else { 1.0 };
            match text.parse::<f64>().map(|it| it * factor) {
                _ if text.is_empty() => Ok(None),
                Ok(number) if number > 0.0 && number <= most => Ok(Some(number)),
                _ => unsupported(format!(
                    "the {name} limit is `{text}`: expected more than 0, at most {most} {all}"
                )),
            }
        };
        let seconds = limit(
            "time",
            &self.item.time_limit,
            MAX_SECONDS,
            ["s", "ms"],
            0.001,
        )?;
        let memory = limit(
            "memory",
            &self.item.memory_limit,
            MAX_MEMORY_MIB,
            ["MiB", "kb"],
            1.0 / 1024.0,
        )?;
        let memory = memory.unwrap_or(256.0).max(1.0);
        self.draft.limit(seconds, memory, 64.0);
        Ok(())
    }

    /// Sets the checker: the special judge, or lines, which differ as little as HUSTOJ lets them.
    fn checker(&mut self) -> Result<(), PackageError> {
        let (spj, tpj) = (&self.item.spj, &self.item.tpj);
        if [spj, tpj].iter().any(|it| it.language == "Text") {
            return unsupported("the text judge is not supported: students submit programs");
        }
        let program = [tpj, spj]
            .into_iter()
            .find(|it| !it.value.trim().is_empty());
        let Some(program) = program else {
            self.draft.problem.checker = Some(serde_json::json!({ "lines": {} }));
            return Ok(());
        };
        let text = &program.value;
        let is_testlib = text.contains("registerTestlibCmd");
        if is_testlib && std::ptr::eq(program, spj) {
            self.draft.note("`<spj>` is a checker of testlib: it gets the output first and then the answer, which HUSTOJ swaps");
        }
        self.draft.note_testlib("the checker", text, "checker");
        let Some((_, extension)) = language(if is_testlib { "C++" } else { &program.language })
        else {
            return unsupported(format!("the checker is in `{}`", program.language));
        };
        let path = format!("checker/checker.{extension}");
        self.draft.bytes(&path, text.clone().into_bytes());
        let checker = TomlProgram {
            protocol: Some(if is_testlib { "testlib" } else { "hustoj" }),
            ..TomlProgram::new("checker")
        };
        self.draft.problem.checker = Some(checker.checker());
        Ok(())
    }

    /// Adds the subtasks; returns their points.
    fn tests(&mut self) -> Result<Points, PackageError> {
        let (samples, secret) = (self.samples(), self.secret()?);
        if secret.is_empty() && (samples.is_empty() || !self.draft.options.allow_empty) {
            let hint = if samples.is_empty() {
                ""
            } else {
                "; pass `--allow-empty` to import the samples, worth 0 points"
            };
            return unsupported(format!("there are no tests{hint}"));
        }
        let worth = Points::whole(u32::from(!secret.is_empty()));
        let mut groups = Vec::new();
        if !samples.is_empty() {
            groups.push(TestGroup {
                name: "sample".to_owned(),
                worth: Worth::Packed(Points::ZERO),
                is_sample: true,
                tests: samples,
                ..TestGroup::default()
            });
        }
        if !secret.is_empty() {
            groups.push(TestGroup {
                name: "secret".to_owned(),
                worth: Worth::Packed(worth),
                require: groups.iter().map(|it| it.name.clone()).collect(),
                tests: secret,
                ..TestGroup::default()
            });
        }
        add(&mut self.draft, groups, false)?;
        Ok(worth)
    }

    fn has_checker(&self) -> bool {
        let checkers = [&self.item.spj, &self.item.tpj];
        checkers.iter().any(|it| !it.value.trim().is_empty())
    }

    /// The samples with an input and an output: HUSTOJ makes no test of the others.
    fn samples(&mut self) -> Vec<Test> {
        let lists = [&self.item.sample_input, &self.item.sample_output];
        let (mut samples, mut left) = (Vec::new(), 0);
        for at in 0..lists[0].len().max(lists[1].len()) {
            let [input, output] = lists.map(|it| it.get(at).map_or("", String::as_str));
            let is_given = at < lists[0].len() && at < lists[1].len();
            if is_given && !input.is_empty() && (self.has_checker() || !output.trim().is_empty()) {
                samples.push(test((samples.len() + 1).to_string(), input, output));
            } else if !input.trim().is_empty() || !output.trim().is_empty() {
                left += 1;
            }
        }
        if left > 0 {
            let count = counted(left, "sample is", "samples are");
            self.draft
                .note(format!("{count} left out: without an input or an output"));
        }
        samples
    }

    /// The tests, in natural order.
    fn secret(&mut self) -> Result<Vec<Test>, PackageError> {
        let item = self.item;
        let name = |(index, test): (usize, &'a Text)| match test.name.trim() {
            "" => (format!("test{index}"), &*test.value),
            name => (name.to_owned(), &*test.value),
        };
        let inputs: BTreeMap<_, _> = item.test_input.iter().enumerate().map(name).collect();
        let mut answers: BTreeMap<_, _> = item.test_output.iter().enumerate().map(name).collect();
        let counts = [item.test_input.len(), item.test_output.len()];
        if [inputs.len(), answers.len()] != counts {
            return unsupported("two tests have the same name");
        }
        let mut tests = Vec::new();
        for (name, input) in inputs {
            match answers.remove(&name) {
                Some(answer) => tests.push(test(name, input, answer)),
                None if self.has_checker() => tests.push(test(name, input, "")),
                None => return unsupported(format!("the test `{name}` has no output")),
            }
        }
        if let Some(name) = answers.keys().next() {
            return unsupported(format!("the test `{name}` has no input"));
        }
        tests.sort_by(|a, b| natural_order(&a.name, &b.name));
        if tests.iter().any(|it| it.name.ends_with(']')) {
            self.draft
                .note("points in the names of tests are not used: all tests must pass");
        }
        if tests.iter().any(|it| check_name("", &it.name).is_err()) {
            for (number, test) in (1..).zip(&mut tests) {
                let number: usize = number;
                test.name = format!("{number:02}");
            }
        }
        Ok(tests)
    }
}

/// A test of these texts.
fn test(name: String, input: &str, answer: &str) -> Test {
    let content = |text: &str| Some(Content::Bytes(text.as_bytes().to_vec()));
    Test {
        name,
        input: content(input),
        answer: content(answer),
        ..Test::default()
    }
}

/// The language with this name in HUSTOJ, which also takes extensions as names, and the extension of its sources.
fn language(name: &str) -> Option<(&'static str, String)> {
    let extension = match name {
        "C++" | "Clang++" => "cpp",
        "Clang" => "c",
        "Pascal" => "pas",
        "Python" => "py",
        "JavaScript" => "js",
        other => other,
    };
    let languages = Languages::built_in();
    let language = languages.of_file_name(&format!("x.{extension}"))?;
    let extension = language.definition.extensions.first()?;
    Some((language.id.as_str(), extension.clone()))
}
