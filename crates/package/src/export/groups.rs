//! Test groups of an exported package: their folders, tests and settings.

use std::collections::BTreeMap;

use grader_problem::{Case, Checker, InputValidator, Subtask, TestData};
use serde_json::{Map, Value, json};

use super::scoring::{is_sample, secret};
use super::writer::{PackageWriter, is_plain, plain};
use crate::error::{PackageError, unsupported};

/// Settings of groups and tests, by the path of their file without its extension.
type Settings = BTreeMap<String, Map<String, Value>>;

/// A test to be written.
struct Test {
    /// Its group's folder.
    group: String,
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
        let problem = self.problem;
        let samples: Vec<&Subtask> = problem.subtasks.iter().filter(|it| is_sample(it)).collect();
        let secret: Vec<&Subtask> = secret(problem).collect();
        let place = |top: &str, prefix: &str, all: &[&Subtask]| -> Vec<String> {
            let names = all.iter().map(|it| {
                let name = it.name.as_str();
                name.strip_prefix(prefix).unwrap_or(name)
            });
            let names = ordered(names, "");
            names
                .iter()
                .map(|name| format!("data/{top}/{name}"))
                .collect()
        };
        let mut of_samples = place("sample", "sample-", &samples);
        let mut of_secret = place("secret", "", &secret);
        // One group of samples is the folder itself, and so is one that import has named after it.
        match (&samples[..], &mut of_samples[..]) {
            ([_], [only]) => "data/sample".clone_into(only),
            ([first, ..], [folder, ..]) if first.name.as_str() == "sample" => {
                "data/sample".clone_into(folder);
            }
            _ => {}
        }
        if let ([only], [folder]) = (&secret[..], &mut of_secret[..])
            && only.name.as_str() == "secret"
        {
            "data/secret".clone_into(folder);
        }
        let mut folders: Vec<_> = of_samples.into_iter().zip(samples).collect();
        folders.extend(of_secret.into_iter().zip(secret));
        folders
    }

    /// Writes the test groups; returns the inputs of all tests.
    pub(super) fn data(&mut self, data: &[TestData]) -> Result<Vec<Vec<u8>>, PackageError> {
        let problem = self.problem;
        let mut settings: Settings = BTreeMap::new();
        for (folder, map) in self.top_settings() {
            settings.entry(folder.to_owned()).or_default().extend(map);
        }
        let mut data = data.iter();
        let mut of_cases: BTreeMap<&str, Vec<&TestData>> = BTreeMap::new();
        for subtask in &problem.subtasks {
            let own = data.by_ref().take(subtask.cases.len()).collect();
            of_cases.insert(subtask.name.as_str(), own);
        }
        let folders = self.folders();
        let mut tests = Vec::new();
        for (folder, subtask) in &folders {
            let names = ordered(subtask.cases.iter().map(|case| case.name.as_str()), ".in");
            let own = &of_cases[subtask.name.as_str()];
            let mut of_group = Vec::new();
            for ((case, name), test) in subtask.cases.iter().zip(names).zip(own) {
                of_group.push(self.test(folder, name, case, test)?);
            }
            let group = settings.entry(folder.clone()).or_default();
            group.extend(self.group_settings(subtask, &folders, false));
            let is_same = of_group
                .windows(2)
                .all(|pair| pair[0].arguments == pair[1].arguments);
            if self.is_legacy && !is_same {
                // Arguments belong to a group there, so a test with its own ones is a group of its own.
                for test in &mut of_group {
                    test.group = format!("{folder}/{}", test.name);
                    let inner = self.group_settings(subtask, &folders, true);
                    settings.insert(test.group.clone(), inner);
                }
            }
            tests.extend(of_group);
        }
        self.visible(&folders, &mut tests);
        settings.retain(|folder, _| tests.iter().any(|it| is_in(&it.group, folder)));
        let inputs = tests.iter().map(|test| test.input.clone()).collect();
        self.write_tests(tests, settings);
        Ok(inputs)
    }

    /// A test with its input as programs of the package read it, and its arguments in words of the format.
    fn test(
        &self,
        group: &str,
        name: String,
        case: &Case,
        data: &TestData,
    ) -> Result<Test, PackageError> {
        let mut input = Vec::new();
        if self.reads_arguments {
            input.extend(words(&case.arguments)?.into_bytes());
            input.push(b'\n');
        }
        input.extend(&*data.input);
        let of_input = match &case.validator {
            Some(InputValidator::Program(call)) if !self.reads_arguments => &call.arguments[..],
            _ => &[],
        };
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
            group: group.to_owned(),
            name,
            input,
            answer: data.answer.to_vec(),
            arguments,
        })
    }

    /// If students see cases that are worth points, and no others, the first of each subtask is also a sample.
    fn visible(&mut self, folders: &[(String, &Subtask)], tests: &mut Vec<Test>) {
        let public = folders.iter().filter(|(_, subtask)| !subtask.hidden);
        let public: Vec<_> = public.collect();
        if public.is_empty() {
            return;
        }
        let secret: Vec<String> = public
            .iter()
            .filter(|(folder, _)| folder.starts_with("data/secret"))
            .map(|(_, subtask)| format!("`{}`", subtask.name))
            .collect();
        if secret.is_empty() {
            return;
        }
        let mut note = format!(
            "students see the cases of {} here; the package's are secret",
            secret.join(", ")
        );
        if secret.len() == public.len() {
            let mut copies: Vec<Test> = Vec::new();
            for (folder, _) in public {
                let first = tests.iter().find(|it| is_in(&it.group, folder));
                let Some(first) = first else { continue };
                let is_same = copies
                    .first()
                    .is_none_or(|it| it.arguments == first.arguments);
                if is_same || !self.is_legacy {
                    let group = folder.rsplit('/').next().unwrap_or_default();
                    copies.push(Test {
                        group: "data/sample".to_owned(),
                        name: format!("{group}-{}", first.name),
                        input: first.input.clone(),
                        answer: first.answer.clone(),
                        arguments: first.arguments.clone(),
                    });
                }
            }
            note += ", and its samples are copies of some";
            copies.append(tests);
            *tests = copies;
        }
        self.note(note);
    }

    fn write_tests(&mut self, tests: Vec<Test>, mut settings: Settings) {
        let file = if self.is_legacy {
            "testdata"
        } else {
            "test_group"
        };
        // In the legacy format, the tests of a folder have the same arguments.
        let is_legacy = self.is_legacy;
        let top = |test: &Test| {
            let mut parts = test.group.match_indices('/');
            let end = (!is_legacy).then(|| parts.nth(1)).flatten();
            test.group[..end.map_or(test.group.len(), |it| it.0)].to_owned()
        };
        let mut kinds: BTreeMap<String, Vec<&Map<String, Value>>> = BTreeMap::new();
        for test in &tests {
            let known = kinds.entry(top(test)).or_default();
            if known.len() < 2 && !known.contains(&&test.arguments) {
                known.push(&test.arguments);
            }
        }
        let kinds: BTreeMap<String, usize> = kinds
            .into_iter()
            .map(|(top, all)| (top, all.len()))
            .collect();
        for test in &tests {
            let top = top(test);
            if kinds[&top] == 1 {
                let group = settings.entry(top).or_default();
                group.extend(test.arguments.clone());
            } else {
                let path = format!("{}/{}.yaml", test.group, test.name);
                if !test.arguments.is_empty() {
                    self.yaml(path, &test.arguments);
                }
            }
        }
        for (folder, map) in settings.iter().filter(|(_, map)| !map.is_empty()) {
            self.yaml(format!("{folder}/{file}.yaml"), map);
        }
        for test in tests {
            let path = format!("{}/{}", test.group, test.name);
            self.file(format!("{path}.in"), test.input);
            self.file(format!("{path}.ans"), test.answer);
        }
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
        Checker::AnyOrder | Checker::OnlyNumbers { .. } | Checker::Report => {}
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

/// Joins words with blanks.
fn words(words: &[String]) -> Result<String, PackageError> {
    let is_word = |word: &&String| !word.is_empty() && !word.contains(char::is_whitespace);
    if let Some(other) = words.iter().find(|word| !is_word(word)) {
        return unsupported(format!(
            "arguments with blanks are not supported, found `{other}`"
        ));
    }
    Ok(words.join(" "))
}
