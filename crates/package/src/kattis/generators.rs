//! Tests that are not in the package, but described in its `generators/generators.yaml`, as by `BAPCtools`.
//!
//! Format: <https://github.com/RagnarGrootKoerkamp/BAPCtools/blob/HEAD/doc/generators.md>.

use std::collections::BTreeMap;
use std::rc::Rc;

use grader_model::{counted, file_name};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha512};

use crate::constants::{MAX_ARGUMENT_BYTES, MAX_CASE_DATA, MAX_CASES, MAX_FOLDER_DEPTH};
use crate::draft::{Constants, Draft, check_name, fill, is_source};
use crate::error::{PackageError, mistake};
use crate::output::{TomlCase, template};
use crate::yaml::{Yaml, items};

const FILE: &str = "generators/generators.yaml";
/// Keys that only a test has; an entry without them is a folder.
const OF_TESTS: [&str; 12] = [
    "copy",
    "generate",
    "count",
    "match",
    "in",
    "ans",
    "out",
    "yaml",
    "interaction",
    "in.statement",
    "in.download",
    "hint",
];

/// Keys of the file that do not affect judging here.
const IRRELEVANT: [&str; 3] = ["version", "retries", "visualizer"];

/// Text that marks a generator that writes files. Only standard output is used.
const WRITES: [&str; 3] = ["testcase.in", ".in'", ".in\""];

/// `generators.yaml`, which is also the folder `data`.
#[derive(Deserialize)]
struct GeneratorsYaml {
    solution: Option<String>,
    generators: Map<String, Value>,
}

/// A folder of tests.
#[derive(Deserialize)]
struct FolderYaml {
    /// Tests and folders: a mapping, or a list of mappings, whose tests are numbered.
    data: Value,
    /// Names of earlier tests and folders.
    include: Value,
    random_salt: Option<String>,
    #[serde(rename = "test_group.yaml")]
    settings: Option<Value>,
    #[serde(rename = "testdata.yaml")]
    older_settings: Option<Value>,
}

/// A test, or several.
#[derive(Deserialize)]
struct TestYaml {
    generate: Option<String>,
    /// The path of files in `generators`, without their extensions.
    copy: Option<String>,
    count: Option<Value>,
    #[serde(rename = "in")]
    input: Option<String>,
    #[serde(rename = "ans")]
    answer: Option<String>,
    yaml: Value,
    random_salt: Option<String>,
    #[serde(rename = "in.statement")]
    stated: Option<Value>,
    #[serde(rename = "in.download")]
    offered: Option<Value>,
}

/// The tests and settings of `generators.yaml`.
#[derive(Default)]
pub(super) struct Generated {
    /// The tests of each folder, such as `data/secret/large`, by their names.
    tests: BTreeMap<String, Tests>,
    /// The contents of `test_group.yaml` in these folders.
    settings: BTreeMap<String, Value>,
    constants: Constants,
    /// The solution that gives missing answers.
    pub(super) solution: Option<String>,
    /// The files of those generators that are not one file or folder of their name.
    files: Map<String, Value>,
    /// Generators that were copied: the path in the problem, or why one cannot be used.
    programs: BTreeMap<String, Result<String, &'static str>>,
    /// The tests of earlier entries and folders by their keys, for `include`.
    known: BTreeMap<String, Tests>,
    /// How many tests are in lists, and the number of the last one read.
    listed: usize,
    number: usize,
    /// Tests and folders that were visited.
    visited: usize,
    /// Bytes of texts that became files.
    bytes: usize,
    /// Tests that cannot be made, with the reason.
    left_out: Vec<String>,
}

type Tests = BTreeMap<String, Rc<GeneratedTest>>;

/// How a test is made.
struct GeneratedTest {
    entry: Rc<TestYaml>,
    command: String,
    seed: u32,
}

impl Generated {
    /// Reads the file, if there is one.
    pub(super) fn read(draft: &mut Draft<'_>) -> Result<Self, PackageError> {
        let mut generated = Self::default();
        let Some(yaml) = Yaml::file(draft.library, FILE)? else {
            return Ok(generated);
        };
        let mut yaml = yaml.ignoring(&IRRELEVANT);
        draft.mark_used(FILE);
        generated.constants = draft.constants.clone();
        let typed: GeneratorsYaml = yaml.typed()?;
        let solution = typed.solution;
        generated.solution = solution.map(|path| path.trim_start_matches('/').to_owned());
        generated.files = typed.generators;
        let root: FolderYaml = yaml.typed()?;
        generated.listed = listed(&yaml.value);
        generated.set(&root, "data");
        let salt = root.random_salt.unwrap_or_default();
        // The order decides which number a test has, and what `include` may name.
        for folder in ["sample", "secret"] {
            let inner = &root.data[folder];
            if inner.is_object() {
                let found = generated.folder(&format!("data/{folder}"), inner, &salt)?;
                generated.known.insert(folder.to_owned(), found);
            }
        }
        draft.notes.extend(yaml.notes());
        Ok(generated)
    }

    pub(super) fn settings(&self, folder: &str) -> Option<&Value> {
        self.settings.get(folder)
    }

    /// Whether the file describes a folder.
    pub(super) fn has(&self, folder: &str) -> bool {
        self.tests.contains_key(folder)
    }

    /// The names of the folders in a folder.
    pub(super) fn folders(&self, folder: &str) -> Vec<String> {
        let inner = |path: &String| Some(path.strip_prefix(folder)?.strip_prefix('/')?.to_owned());
        let inner = self.tests.keys().filter_map(inner);
        inner.filter(|name| !name.contains('/')).collect()
    }

    fn set(&mut self, entry: &FolderYaml, folder: &str) {
        let settings = entry.settings.as_ref().or(entry.older_settings.as_ref());
        if let Some(settings) = settings {
            self.settings.insert(folder.to_owned(), settings.clone());
        }
    }

    fn visit(&mut self, count: usize) -> Result<(), PackageError> {
        self.visited += count;
        if self.visited > MAX_CASES {
            return mistake(FILE, format!("there are more than {MAX_CASES} tests"));
        }
        Ok(())
    }

    /// Reads a folder; returns its tests and those of the folders in it.
    fn folder(&mut self, path: &str, entry: &Value, salt: &str) -> Result<Tests, PackageError> {
        self.visit(1)?;
        if path.split('/').count() > MAX_FOLDER_DEPTH {
            let message = format!("folders are nested more than {MAX_FOLDER_DEPTH} deep");
            return mistake(FILE, message);
        }
        let entry: FolderYaml = Yaml::of(FILE, entry.clone()).typed()?;
        self.set(&entry, path);
        let salt = entry.random_salt.as_deref().unwrap_or(salt);
        let (mut tests, mut below) = (Tests::new(), Tests::new());
        for key in items(&entry.include) {
            let Some(found) = key.as_str().and_then(|key| self.known.get(key)) else {
                let message = format!("`include` of {key}: expected an earlier test or folder");
                return mistake(FILE, message);
            };
            tests.extend(found.clone());
            self.visit(1 + found.len())?;
        }
        let (inner, is_list) = (items(&entry.data), entry.data.is_array());
        let inner = || inner.iter().filter_map(Value::as_object).flatten();
        let folders = inner().filter(|(_, entry)| is_folder(entry)).count();
        let mut folder_number = 0;
        for (key, entry) in inner() {
            let name = |number: usize, count: usize| {
                let width = count.to_string().len();
                let name = match &**key {
                    key if !is_list => key.to_owned(),
                    "" => format!("{number:0width$}"),
                    key => format!("{number:0width$}-{key}"),
                };
                check_name(FILE, &name).map(|()| name)
            };
            if is_folder(entry) {
                folder_number += 1;
                let inner_path = format!("{path}/{}", name(folder_number, folders)?);
                let found = self.folder(&inner_path, entry, salt)?;
                below.extend(found.clone());
                self.known.insert(key.clone(), found);
                continue;
            }
            let entry = Rc::new(test(entry)?);
            let salt = entry.random_salt.as_deref().unwrap_or(salt);
            let counts = counts(entry.count.as_ref())?;
            let is_range = counts
                .windows(2)
                .all(|pair| pair[0].checked_add(1) == Some(pair[1]));
            let width = counts.iter().map(|it| it.to_string().len()).max();
            let width = width.filter(|_| is_range).unwrap_or(0);
            let mut found = Tests::new();
            for count in counts {
                self.visit(1)?;
                self.number += usize::from(is_list);
                let mut name = name(self.number, self.listed)?;
                let command = entry.generate.as_deref().unwrap_or_default();
                let mut command = fill(&self.constants, command, "{{", "}}");
                if entry.count.is_some() {
                    name = format!("{name}-{count:0width$}");
                    command = command.replace("{count}", &count.to_string());
                }
                if command.len() > MAX_ARGUMENT_BYTES {
                    let message = format!("a command is longer than {MAX_ARGUMENT_BYTES} bytes");
                    return mistake(FILE, message);
                }
                let number = match count {
                    1 => String::new(),
                    count => format!(":{}", i128::from(count) - 1),
                };
                let hash = Sha512::digest(format!("{salt}{number}{}", command.trim()));
                let end = [hash[60], hash[61], hash[62], hash[63]];
                let test = GeneratedTest {
                    entry: Rc::clone(&entry),
                    command,
                    seed: u32::from_be_bytes(end) & (u32::MAX >> 1),
                };
                found.insert(name, Rc::new(test));
            }
            tests.extend(found.clone());
            self.known.insert(key.clone(), found);
        }
        below.extend(tests.clone());
        self.tests.insert(path.to_owned(), tests);
        Ok(below)
    }

    /// Makes the tests of a folder, except those for which the package `has` a file.
    pub(super) fn make(
        &mut self,
        draft: &mut Draft<'_>,
        folder: &str,
        has: impl Fn(&str) -> bool,
    ) -> Result<Vec<TomlCase>, PackageError> {
        let mut made = Vec::new();
        let tests = self.tests.get_mut(folder).map(std::mem::take);
        for (name, test) in tests.unwrap_or_default() {
            if has(&format!("{name}.in")) {
                continue;
            }
            let path = format!("{folder}/{name}");
            let entry = &test.entry;
            let own = entry.yaml.as_object();
            let mut keys = own.into_iter().flat_map(Map::keys);
            if let Some(key) = keys.find(|key| key.contains("arg") || key.contains("flags")) {
                let message = format!("`{path}`: `{key}` of a single test is not supported");
                return mistake(FILE, message);
            }
            let input = entry.input.as_ref();
            let has_input = self.file(draft, entry, input, &format!("{path}.in"))?;
            // A `.ans` file in a case folder needs its `.in`.
            let place = if has_input { "" } else { "answers/" };
            let answer = format!("{place}{path}.ans");
            let has_answer = self.file(draft, entry, entry.answer.as_ref(), &answer)?;
            let mut case = TomlCase {
                name,
                answer_file: has_answer.then_some(answer),
                ..TomlCase::default()
            };
            if has_input {
                case.stdin_file = Some(format!("{path}.in"));
            } else {
                match self.command(draft, &test)? {
                    Ok(generate) => case.generate = Some(generate),
                    Err(reason) => {
                        // A sample may exist only in the statement.
                        if entry.stated.is_none() && entry.offered.is_none() {
                            self.left_out.push(format!("`{path}`: {reason}"));
                        }
                        continue;
                    }
                }
            }
            made.push(case);
        }
        Ok(made)
    }

    /// Makes a file of a test from the entry's text, or from the file that it copies; returns whether there is one.
    fn file(
        &mut self,
        draft: &mut Draft<'_>,
        entry: &TestYaml,
        text: Option<&String>,
        to: &str,
    ) -> Result<bool, PackageError> {
        if let Some(text) = text {
            let mut text = text.clone();
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            self.bytes += text.len();
            if self.bytes as u64 > MAX_CASE_DATA.0 {
                return mistake(FILE, format!("the tests are larger than {MAX_CASE_DATA}"));
            }
            draft.bytes(to, text.into_bytes());
            return Ok(true);
        }
        let (_, extension) = to.rsplit_once('.').unwrap_or_default();
        let from = entry.copy.as_ref();
        let from = from.map(|path| format!("generators/{path}.{extension}"));
        let from = from.filter(|from| draft.is_file(from));
        if let Some(from) = &from {
            draft.file(from, to);
        }
        Ok(from.is_some())
    }

    /// The command that prints a test, or why there is none.
    fn command(
        &mut self,
        draft: &mut Draft<'_>,
        test: &GeneratedTest,
    ) -> Result<Result<String, &'static str>, PackageError> {
        if test.command.contains(['\'', '"', '\\']) {
            return Ok(Err("its command has a quote or `\\`"));
        }
        let mut words = test.command.split_whitespace();
        let Some(name) = words.next() else {
            return Ok(Err("it has no input"));
        };
        let program = match self.programs.get(name) {
            Some(program) => program.clone(),
            None => self.program(draft, name)?,
        };
        self.programs.insert(name.to_owned(), program.clone());
        Ok(program.map(|mut command| {
            for argument in words {
                let argument = seeded(&argument.replace("{name}", "testcase"), test.seed);
                command = format!("{command} {argument}");
            }
            template(&command)
        }))
    }

    /// Copies a generator; returns its path in the problem, or why it cannot be used.
    fn program(
        &self,
        draft: &mut Draft<'_>,
        name: &str,
    ) -> Result<Result<String, &'static str>, PackageError> {
        let to = format!("generators/{name}");
        let listed = self
            .files
            .get(name)
            .into_iter()
            .flat_map(items)
            .filter_map(Value::as_str);
        let mut sources: Vec<String> = listed.map(|file| format!("generators/{file}")).collect();
        let is_listed = !sources.is_empty();
        if is_listed {
            let is_missing = sources.iter().any(|path| !draft.is_file(path));
            if is_missing || check_name(FILE, name).is_err() {
                sources.clear();
            }
        } else if draft.is_file(&to) {
            sources.push(to.clone());
        } else {
            let entries = draft.library.list(&to).unwrap_or_default();
            sources.extend(entries.iter().map(|it| format!("{to}/{}", it.name)));
        }
        // Scripts start other processes, which generators may not.
        let is_script = |path: &String| ["build", "run"].contains(&file_name(path));
        let writes_file = |path: &String| {
            let text = draft.library.read(path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            WRITES.iter().any(|name| text.contains(name))
        };
        if sources.iter().any(is_script) {
            return Ok(Err("its generator has a `build` or `run` script"));
        } else if !sources.iter().any(|path| is_source(path)) {
            return Ok(Err("its generator is missing, or in an unknown language"));
        } else if sources.iter().any(writes_file) {
            return Ok(Err("its generator writes a file instead of printing"));
        }
        if is_listed {
            for source in sources {
                draft.file(&source, &format!("{to}/{}", file_name(&source)));
            }
        } else {
            draft.copy(&to, &to)?;
        }
        Ok(Ok(to))
    }

    /// Notes the tests that could not be made.
    pub(super) fn note_left_out(&self, draft: &mut Draft<'_>) {
        if let Some(first) = self.left_out.first() {
            let count = counted(self.left_out.len(), "test", "tests");
            draft.note(format!("`{FILE}`: skipped {count}, such as {first}"));
        }
    }
}

/// Sets the reference, which gives missing answers: this solution, or else the first accepted submission.
pub(super) fn reference(
    draft: &mut Draft<'_>,
    solution: Option<String>,
) -> Result<(), PackageError> {
    let accepted = draft.library.list("submissions/accepted");
    let accepted = accepted.unwrap_or_default().into_iter();
    let accepted = accepted.map(|entry| format!("submissions/accepted/{}", entry.name));
    let mut all = solution.into_iter().chain(accepted);
    let is_program =
        |path: &String| draft.is_file(path) && is_source(path) || draft.library.list(path).is_ok();
    if let Some(from) = all.find(is_program) {
        let to = format!("reference/{}", file_name(&from));
        draft.copy(&from, &to)?;
        draft.problem.reference = Some(BTreeMap::from([("path", to.into())]));
    }
    Ok(())
}

fn is_folder(entry: &Value) -> bool {
    let entry = entry.as_object();
    entry.is_some_and(|entry| !OF_TESTS.iter().any(|key| entry.contains_key(*key)))
}

/// The number of tests in lists below a folder.
fn listed(entry: &Value) -> usize {
    let data = &entry["data"];
    let inner = items(data).iter().filter_map(Value::as_object).flatten();
    let counts = inner.map(|(_, entry)| match entry {
        _ if is_folder(entry) => listed(entry),
        _ if data.is_array() => counts(entry.get("count")).map_or(0, |counts| counts.len()),
        _ => 0,
    });
    counts.sum()
}

/// A test, which may be just its command.
fn test(entry: &Value) -> Result<TestYaml, PackageError> {
    let entry = match entry {
        Value::Object(_) => entry.clone(),
        Value::String(command) => match command.strip_suffix(".in") {
            Some(path) => json!({ "copy": path }),
            None => json!({ "generate": command }),
        },
        _ => Value::Null,
    };
    Yaml::of(FILE, entry).typed()
}

/// `3`, `[2, 5]` or `2..=5`, as numbers, of which there may be too many; one number if there is no `count`.
fn counts(count: Option<&Value>) -> Result<Vec<i64>, PackageError> {
    let numbers: Option<Vec<i64>> = match count {
        None => Some(vec![1]),
        Some(Value::Array(items)) => items.iter().map(Value::as_i64).collect(),
        Some(count) => {
            let text = count.as_str().map_or(format!("1..={count}"), str::to_owned);
            let ends = text.split_once("..=");
            let ends = ends.map(|(first, last)| (first.trim().parse(), last.trim().parse()));
            match ends {
                Some((Ok(first), Ok(last))) => Some((first..=last).take(MAX_CASES + 1).collect()),
                _ => None,
            }
        }
    };
    numbers.filter(|it| !it.is_empty()).ok_or_else(|| {
        let found = count.map(Value::to_string).unwrap_or_default();
        let found: String = found.chars().take(40).collect();
        let message = format!("`count`: expected numbers or a range, found `{found}`");
        PackageError::file(FILE, message)
    })
}

/// An argument with the seed for `{seed}` or `{seed:7}`.
fn seeded(argument: &str, seed: u32) -> String {
    let filled = || {
        let (before, rest) = argument.split_once("{seed")?;
        let (number, after) = rest.split_once('}')?;
        let digits = number.strip_prefix(':');
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (number.is_empty() || digits.is_some_and(is_number))
            .then(|| format!("{before}{seed}{after}"))
    };
    filled().unwrap_or_else(|| argument.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_seed_is_replaced() {
        for (argument, expected) in [
            ("{seed}", "7"),
            ("--s={seed:12}x", "--s=7x"),
            ("{seed:}", "{seed:}"),
            ("{seeds}", "{seeds}"),
            ("{seed", "{seed"),
        ] {
            assert_eq!(seeded(argument, 7), expected);
        }
    }
}
