//! Test groups of an exported package: their folders, tests and settings.

use std::collections::BTreeMap;

use grader_problem::{Case, Checker, InputValidator, Subtask, TestData};
use serde_json::{Map, Value, json};

use super::scoring::{is_sample, secret};
use super::writer::{PackageWriter, is_plain, plain};
use crate::error::{PackageError, unsupported};

/// A test to be written.
#[derive(Clone)]
struct Test {
    name: String,
    input: Vec<u8>,
    answer: Vec<u8>,
    /// Arguments of validators and submissions.
    arguments: Map<String, Value>,
}

/// Names that the format allows, and whose order is that of their bytes: they get a number in front if that is needed.
/// `end` is what follows the names in those of files.
fn ordered<'n>(names: impl Iterator<Item = &'n str>, end: &str) -> Vec<String> {
    let names: Vec<String> = names.map(plain).collect();
    let is_usable = |name: &String| is_plain(name) && name != "test_group" && name.len() < 200;
    let is_before = |a: &String, b: &String| [a, end].concat() < [b, end].concat();
    if names.is_sorted_by(is_before) && names.iter().all(is_usable) {
        return names;
    }
    let width = names.len().to_string().len();
    let cut = |name: String| name.chars().take(200).collect::<String>();
    let numbered = names.into_iter().enumerate();
    numbered
        .map(|(index, name)| format!("{:0width$}-{}", index + 1, cut(name)))
        .collect()
}

impl<'a> PackageWriter<'a> {
    /// The folders of the subtasks with cases. Import gives them these names again.
    pub(super) fn folders(&self) -> Vec<(String, &'a Subtask)> {
        let place = |top: &str, prefix: &str, all: Vec<&'a Subtask>| {
            let names = all.iter().map(|it| it.name.as_str());
            let names = names.map(|name| name.strip_prefix(prefix).unwrap_or(name));
            let names = ordered(names, "").into_iter();
            let mut folders: Vec<_> = names.map(|it| format!("data/{top}/{it}")).collect();
            // One group of samples is the folder itself, and so is one that import has named after it.
            let (is_only, is_sample) = (all.len() == 1, top == "sample");
            let is_named = all.first().is_some_and(|it| it.name.as_str() == top);
            if is_only && is_sample || is_named && (is_only || is_sample) {
                folders[0] = format!("data/{top}");
            }
            folders.into_iter().zip(all)
        };
        let samples = self.problem.subtasks.iter().filter(|it| is_sample(it));
        let samples = place("sample", "sample-", samples.collect());
        let secret = place("secret", "", secret(self.problem).collect());
        samples.chain(secret).collect()
    }

    /// Writes the test groups.
    pub(super) fn data(&mut self, data: &[TestData]) -> Result<(), PackageError> {
        let mut data = data.iter();
        let mut of_cases: BTreeMap<&str, Vec<&TestData>> = BTreeMap::new();
        for subtask in &self.problem.subtasks {
            let own = data.by_ref().take(subtask.cases.len()).collect();
            of_cases.insert(subtask.name.as_str(), own);
        }
        let folders = self.folders();
        let mut groups = Vec::new();
        for (folder, subtask) in &folders {
            let names = ordered(subtask.cases.iter().map(|case| case.name.as_str()), ".in");
            let own = &of_cases[subtask.name.as_str()];
            let cases = subtask.cases.iter().zip(names).zip(own);
            let tests = cases.map(|((case, name), data)| self.test(name, case, data));
            groups.push((folder, *subtask, tests.collect::<Result<Vec<_>, _>>()?));
        }
        let mut settings: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
        for (top, map) in self.top_settings() {
            settings.insert(top.to_owned(), map);
        }
        let copies = self.visible(&groups);
        let (shared, _) = self.tests("data/sample", copies, true);
        let sample = settings.entry("data/sample".to_owned()).or_default();
        sample.extend(shared);
        for (folder, subtask, tests) in groups {
            let is_inside = |(it, _): &(String, _)| it != folder && is_in(it, folder);
            let is_alone = !folders.iter().any(is_inside);
            let (shared, own) = self.tests(folder, tests, is_alone);
            let group = settings.entry(folder.clone()).or_default();
            group.extend(self.group_settings(subtask, &folders, false));
            group.extend(shared);
            for (path, arguments) in own {
                let mut inner = self.group_settings(subtask, &folders, true);
                inner.extend(arguments);
                settings.insert(path, inner);
            }
        }
        let (legacy, later) = ("testdata", "test_group");
        let file = if self.is_legacy { legacy } else { later };
        for (folder, map) in settings {
            let mut files = self.exported.files.range(format!("{folder}/")..);
            let is_used = files.next().is_some_and(|(path, _)| is_in(path, &folder));
            if is_used && !map.is_empty() {
                self.yaml(format!("{folder}/{file}.yaml"), &map);
            }
        }
        Ok(())
    }

    /// Writes the tests of a group. Returns the arguments that they share and, in the legacy format, where arguments belong to
    /// a group, those of each test that is a group of its own. The groups in one that is not alone would have the same.
    fn tests(
        &mut self,
        folder: &str,
        tests: Vec<Test>,
        is_alone: bool,
    ) -> (Map<String, Value>, BTreeMap<String, Map<String, Value>>) {
        let first = tests.first().map(|it| it.arguments.clone());
        let first = first.unwrap_or_default();
        let is_same = tests.iter().all(|it| it.arguments == first);
        let is_shared = is_same && (is_alone || first.is_empty());
        let mut own = BTreeMap::new();
        for test in tests {
            let mut path = format!("{folder}/{}", test.name);
            if !is_shared && self.is_legacy {
                own.insert(path.clone(), test.arguments);
                path = format!("{path}/{}", test.name);
            } else if !is_shared && !test.arguments.is_empty() {
                self.yaml(format!("{path}.yaml"), &test.arguments);
            }
            self.file(format!("{path}.in"), test.input);
            self.file(format!("{path}.ans"), test.answer);
        }
        (if is_shared { first } else { Map::new() }, own)
    }

    /// A test with its input as programs of the package read it, and its arguments in words of the format.
    fn test(&self, name: String, case: &Case, data: &TestData) -> Result<Test, PackageError> {
        let mut input = Vec::new();
        if self.reads_arguments {
            input.extend(words(&case.arguments)?.into_bytes());
            input.push(b'\n');
        }
        input.extend(&*data.input);
        let mut validators = case.validators.iter();
        let validator = validators.find_map(InputValidator::program);
        let validator = validator.filter(|_| !self.reads_arguments);
        let of_input = validator.map_or(&[][..], |call| &call.arguments);
        let mut arguments = Map::new();
        for (legacy, key, words_of) in [
            (
                "output_validator_flags",
                "output_validator_args",
                &*options(case),
            ),
            ("input_validator_flags", "input_validator_args", of_input),
            ("", "args", &*case.arguments),
        ] {
            if words_of.is_empty() || self.is_legacy && legacy.is_empty() {
                continue;
            }
            if self.is_legacy {
                arguments.insert(legacy.to_owned(), words(words_of)?.into());
            } else {
                arguments.insert(key.to_owned(), json!(words_of));
            }
        }
        Ok(Test {
            name,
            input,
            answer: data.answer.to_vec(),
            arguments,
        })
    }

    /// If students see cases that are worth points, and no others, the first of each subtask is also a sample: returns these.
    fn visible(&mut self, groups: &[(&String, &Subtask, Vec<Test>)]) -> Vec<Test> {
        let public = groups.iter().filter(|(_, subtask, _)| !subtask.hidden);
        let is_secret = |group: &&(&String, _, _)| group.0.starts_with("data/secret");
        let (secret, samples): (Vec<_>, Vec<_>) = public.partition(is_secret);
        if secret.is_empty() {
            return Vec::new();
        }
        let names = secret.iter().map(|(_, it, _)| format!("`{}`", it.name));
        let names = names.collect::<Vec<_>>().join(", ");
        let mut note = format!("students see the cases of {names} here; the package's are secret");
        if !samples.is_empty() {
            self.note(note);
            return Vec::new();
        }
        note += ", and its samples are copies of some";
        self.note(note);
        let copies = secret.into_iter().filter_map(|(folder, _, tests)| {
            let (first, group) = (tests.first()?, folder.rsplit('/').next()?);
            let name = format!("{group}-{}", first.name);
            Some(Test {
                name,
                ..first.clone()
            })
        });
        let mut copies: Vec<Test> = copies.collect();
        if self.is_legacy
            && let Some(first) = copies.first()
        {
            let arguments = first.arguments.clone();
            copies.retain(|it| it.arguments == arguments);
        }
        copies
    }
}

fn is_in(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The output validator's options for a case.
fn options(case: &Case) -> Vec<String> {
    let mut options = Vec::new();
    let mut layout = |is_case_sensitive: bool, is_space_sensitive: bool| {
        options.extend(is_case_sensitive.then_some("case_sensitive".to_owned()));
        options.extend(is_space_sensitive.then_some("space_change_sensitive".to_owned()));
    };
    match &case.checker {
        Checker::Exact => layout(true, true),
        Checker::AnyOrder
        | Checker::OnlyNumbers { .. }
        | Checker::Contains(_)
        | Checker::Report => {}
        Checker::Lines => layout(true, false),
        Checker::Tokens(tokens) => layout(tokens.case_sensitive, tokens.space_change_sensitive),
        Checker::Numbers {
            absolute,
            relative,
            tokens,
        } => {
            layout(tokens.case_sensitive, tokens.space_change_sensitive);
            for (name, value) in [("absolute", absolute), ("relative", relative)] {
                options.extend([format!("float_{name}_tolerance"), format!("{value:e}")]);
            }
        }
        Checker::QueensBoard { size, .. } | Checker::QueensColumns { size, .. } => {
            options.push(size.to_string());
        }
        Checker::Program(call) => options.clone_from(&call.arguments),
    }
    options
}

/// Joins words with spaces.
fn words(words: &[String]) -> Result<String, PackageError> {
    let is_word = |word: &&String| !word.is_empty() && !word.contains(char::is_whitespace);
    if let Some(other) = words.iter().find(|word| !is_word(word)) {
        return unsupported(format!(
            "arguments with spaces are not supported, found `{other}`"
        ));
    }
    Ok(words.join(" "))
}
