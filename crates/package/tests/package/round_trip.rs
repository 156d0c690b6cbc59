//! Exported problems that are imported again are the same, but for what is listed.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use grader_language::Languages;
use grader_model::SourceFile;
use grader_package::{ExportFormat, ExportOptions, ImportOptions, PackageError, export};
use grader_problem::{
    Answer, Case, Checker, DiskLibrary, InputValidator, MemoryLibrary, Problem, Sample, Subtask,
    TestData, TimeRule, load_problem, load_samples,
};

use crate::common::{files, read};
use crate::snapshots::assert_kept;

/// The formats, as their options.
pub(crate) const FORMATS: [(&str, ExportOptions); 2] = [
    (
        "legacy",
        ExportOptions {
            format: ExportFormat::Legacy,
            pass_fail: false,
        },
    ),
    (
        "2025-09",
        ExportOptions {
            format: ExportFormat::V2025_09,
            pass_fail: false,
        },
    ),
];

/// A problem with its samples and the data of its cases.
struct Loaded {
    problem: Problem,
    samples: Vec<Sample>,
    data: Vec<TestData>,
    files: BTreeMap<String, Vec<u8>>,
}

impl Loaded {
    fn of(files: BTreeMap<String, Vec<u8>>) -> Self {
        let builtins: Vec<String> = files
            .get("problem.toml")
            .map(|text| String::from_utf8_lossy(text).into_owned())
            .iter()
            .filter_map(|text| {
                Some(
                    text.split_once("builtin = \"")?
                        .1
                        .split_once('"')?
                        .0
                        .to_owned(),
                )
            })
            .collect();
        let builtins: Vec<&str> = builtins.iter().map(String::as_str).collect();
        let library = MemoryLibrary::new("", files.clone());
        let problem = load_problem(&library, "", &builtins, &Languages::built_in()).unwrap();
        let samples = load_samples(&library, &problem).unwrap();
        let cases = problem.subtasks.iter().flat_map(|it| &it.cases);
        // What a reference would print does not matter here.
        let data = cases.enumerate().map(|(index, case)| TestData {
            input: match &case.generator {
                Some(_) => Arc::from(format!("input {index}\n").into_bytes()),
                None => case.input.clone(),
            },
            answer: match &case.answer {
                Answer::Given(answer) => answer.clone(),
                Answer::Reference => Arc::from(format!("answer {index}\n").into_bytes()),
                Answer::Input | Answer::None => Arc::default(),
            },
        });
        let data = data.collect();
        Self {
            problem,
            samples,
            data,
            files,
        }
    }

    /// The files of its statements.
    fn statements(&self) -> Vec<SourceFile> {
        let is_statement = |path: &str| path.starts_with("statement");
        let files = self.files.iter().filter(|(path, _)| is_statement(path));
        files
            .map(|(path, bytes)| SourceFile::new(path.clone(), bytes.clone()))
            .collect()
    }

    /// The problem, exported and imported again.
    fn again(&self, options: ExportOptions) -> Result<Self, PackageError> {
        let statements = self.statements();
        let exported = export(
            &self.problem,
            &self.samples,
            &statements,
            &self.data,
            options,
        )?;
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in &exported.files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        let package = DiskLibrary::new(folder.path()).with_links_into(folder.path());
        let id = self.problem.id.as_str();
        Ok(Self::of(
            read(&package, id, &ImportOptions::default())?.files,
        ))
    }
}

/// The differences of two values, as `what: one -> other`.
fn compare<T: Debug + PartialEq>(found: &mut Vec<String>, what: &str, one: &T, other: &T) {
    if one != other {
        let shown = |value: &T| format!("{value:?}").chars().take(160).collect::<String>();
        found.push(format!("{what}: {} -> {}", shown(one), shown(other)));
    }
}

/// How a case is judged, and on what. The package compares words instead of lines.
fn judged(case: &Case, data: &TestData) -> String {
    let checker = match &case.checker {
        Checker::Program(call) => {
            let sources = call.program.sources.iter();
            let own = |it: &&SourceFile| !it.path.starts_with("as_output_validator");
            let sources: Vec<_> = sources.filter(own).map(|it| blake3(&it.bytes)).collect();
            format!(
                "{sources:?} {:?} {:?} {:?}",
                call.arguments, call.program.cpu, call.program.memory
            )
        }
        Checker::Lines => {
            "Tokens(TokenOptions { case_sensitive: true, space_change_sensitive: false })"
                .to_owned()
        }
        other => format!("{other:?}"),
    };
    // The package gets a validator if the problem has none.
    let validators = case.validators.iter().flat_map(|it| match it {
        InputValidator::Program(call) => call.arguments.clone(),
        InputValidator::Checktestdata(file) => vec![blake3(&file.source.bytes)],
    });
    let validators: Vec<String> = validators.collect();
    let (input, answer) = (blake3(&data.input), blake3(&data.answer));
    format!(
        "{input} {answer} {:?} {checker} {validators:?}",
        case.arguments
    )
}

fn blake3(bytes: &[u8]) -> String {
    format!(
        "{:x}-{}",
        bytes
            .iter()
            .fold(0_u64, |sum, byte| sum.wrapping_mul(1_099_511_628_211)
                ^ u64::from(*byte)),
        bytes.len()
    )
}

fn differences(x: &Loaded, y: &Loaded) -> Vec<String> {
    let mut found = Vec::new();
    let (a, b) = (&x.problem, &y.problem);
    compare(&mut found, "title", &a.title, &b.title);
    let time = |it: &Problem| match &it.limits.time {
        TimeRule::Absolute(time) => format!("{time:?}"),
        TimeRule::Reference(rule) => format!("{rule:?}"),
    };
    compare(&mut found, "time", &time(a), &time(b));
    compare(&mut found, "memory", &a.limits.memory, &b.limits.memory);
    compare(&mut found, "output", &a.limits.output, &b.limits.output);
    compare(&mut found, "size", &a.submission.size, &b.submission.size);
    compare(&mut found, "passes", &a.run.passes, &b.run.passes);
    let names = |it: &Problem| {
        it.subtasks
            .iter()
            .map(|it| it.name.to_string())
            .collect::<Vec<_>>()
    };
    compare(&mut found, "subtasks", &names(a), &names(b));
    let cases = |it: &Loaded| {
        let mut data = it.data.iter();
        let subtasks = it.problem.subtasks.iter();
        let of_subtask = |subtask: &Subtask| {
            let cases = subtask.cases.iter().zip(data.by_ref());
            let cases: Vec<_> = cases
                .map(|(case, data)| (case.name.to_string(), judged(case, data)))
                .collect();
            (subtask.name.to_string(), cases)
        };
        subtasks.map(of_subtask).collect::<BTreeMap<_, _>>()
    };
    let (of_a, of_b) = (cases(x), cases(y));
    for subtask in &a.subtasks {
        let name = subtask.name.as_str();
        let Some(other) = b.subtasks.iter().find(|it| it.name.as_str() == name) else {
            continue;
        };
        let place = |key: &str| format!("{name}: {key}");
        compare(&mut found, &place("points"), &subtask.points, &other.points);
        compare(&mut found, &place("score"), &subtask.score, &other.score);
        compare(
            &mut found,
            &place("require"),
            &subtask.require,
            &other.require,
        );
        compare(&mut found, &place("hidden"), &subtask.hidden, &other.hidden);
        let list = |all: &[(String, String)], names: bool| -> Vec<String> {
            all.iter()
                .map(|(name, it)| if names { name } else { it }.clone())
                .collect()
        };
        let (of_a, of_b) = (&of_a[name], &of_b[name]);
        compare(
            &mut found,
            &place("names"),
            &list(of_a, true),
            &list(of_b, true),
        );
        if of_a.len() != of_b.len() {
            found.push(format!("{name}: {} cases -> {}", of_a.len(), of_b.len()));
        }
        for ((case, one), (_, other)) in of_a.iter().zip(of_b) {
            compare(&mut found, &place(case), one, other);
        }
    }
    compare(&mut found, "points", &a.points(), &b.points());
    let samples = |it: &Loaded| {
        let samples = it.samples.iter().map(|it| {
            let expectation = serde_json::to_string(&it.expectation).unwrap();
            format!("{} {expectation}", it.path)
        });
        samples.collect::<Vec<_>>()
    };
    let (of_a, of_b) = (samples(x), samples(y));
    found.extend(
        of_a.iter()
            .filter(|it| !of_b.contains(it))
            .map(|it| format!("sample: {it} -> ")),
    );
    found.extend(
        of_b.iter()
            .filter(|it| !of_a.contains(it))
            .map(|it| format!("sample:  -> {it}")),
    );
    found
}

/// What may differ is the whole content of the file: names that need a number in front, rounded limits, what only we know of
/// samples.
#[test]
fn bundled_problems_are_the_same_again() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
    let mut text = String::new();
    for (path, _) in files(&top)
        .iter()
        .filter(|(path, _)| path.ends_with("/problem.toml"))
    {
        let folder = path.trim_end_matches("/problem.toml");
        let problem = Loaded::of(files(&top.join(folder)));
        for (format, options) in FORMATS {
            writeln!(text, "== {folder} {format}").unwrap();
            match problem.again(options) {
                Ok(again) => {
                    for difference in differences(&problem, &again) {
                        writeln!(text, "{difference}").unwrap();
                    }
                }
                Err(error) => writeln!(text, "{error}").unwrap(),
            }
        }
    }
    assert_kept("round-trip", &text);
}

/// The packages here, as problems.
#[test]
fn imported_packages_are_the_same_again() {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    assert_kept("round-trip-packages", &of_packages(&packages));
}

/// The differences of each package in a folder.
fn of_packages(folder: &Path) -> String {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut text = String::new();
    for name in names {
        let folder = folder.join(&name);
        let library = DiskLibrary::new(&folder).with_links_into(&folder);
        let imported = match read(&library, &name, &ImportOptions::default()) {
            Ok(imported) => imported,
            Err(error) => {
                writeln!(text, "== {name}: not imported: {error}").unwrap();
                continue;
            }
        };
        let problem = Loaded::of(imported.files);
        for (format, options) in FORMATS {
            match problem.again(options) {
                Ok(again) => {
                    let found = differences(&problem, &again);
                    writeln!(text, "== {name} {format}: {}", found.len()).unwrap();
                    for difference in found {
                        writeln!(text, "{difference}").unwrap();
                    }
                }
                Err(error) => writeln!(text, "== {name} {format}: {error}").unwrap(),
            }
        }
    }
    text
}
