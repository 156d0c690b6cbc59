//! Sample submissions with their expected verdicts.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::sync::Arc;

use grader_model::{SubtaskName, Verdict, escaped};

use crate::diagnostic::{Diagnostic, FileText, Loaded, Log, loaded};
use crate::file::{ExpectationFile, ExpectedFile};
use crate::library::{Library, LibraryEntry, below, explain, sources};
use crate::parse::parse;
use crate::problem::Problem;
use crate::sample::Sample;
use crate::suggest::{did_you_mean, unknown};
use crate::value::At;

/// The folders of `submissions/`, with the verdicts of their samples.
pub const SAMPLE_FOLDERS: [(&str, Verdict); 9] = [
    ("accepted", Verdict::Accepted),
    ("partially-correct", Verdict::PartiallyCorrect),
    ("wrong-answer", Verdict::WrongAnswer),
    ("presentation-error", Verdict::PresentationError),
    ("time-limit", Verdict::TimeLimit),
    ("memory-limit", Verdict::MemoryLimit),
    ("output-limit", Verdict::OutputLimit),
    ("runtime-error", Verdict::RuntimeError),
    ("compile-error", Verdict::CompileError),
];

const EXPECTED: &str = "expected.toml";

/// The sample submissions of a problem, in the order of their paths, from `submissions/` in its folder. Names that
/// begin with a dot are skipped. If the folder does not exist, there are none.
///
/// # Errors
/// The mistakes.
pub fn load_samples(library: &dyn Library, problem: &Problem) -> Loaded<Vec<Sample>> {
    let root = below(&problem.folder, "submissions");
    let mut samples = Vec::new();
    let mut mistakes = Vec::new();
    let mut expected = false;
    // A mistake without a place in a file.
    let mistake = |path: &str, message: &str| {
        let file = FileText {
            path: escaped(library.describe(path).as_bytes()),
            text: String::new(),
        };
        Diagnostic::new(&Arc::new(file), None, message)
    };
    let entries = match library.list(&root) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(samples),
        entries => entries.map_err(|error| vec![mistake(&root, &explain(&error))])?,
    };
    for LibraryEntry { name, folder } in entries {
        let path = below(&root, &name);
        let verdict = SAMPLE_FOLDERS
            .iter()
            .find(|(word, _)| *word == name && folder);
        let Some(&(_, verdict)) = verdict else {
            if name == EXPECTED {
                expected = true;
            } else {
                let help = did_you_mean(&name, SAMPLE_FOLDERS.map(|(word, _)| word), "folder");
                let message = format!("expected a folder named by a verdict\n{help}");
                mistakes.push(mistake(&path, &message));
            }
            continue;
        };
        let inside = library.list(&path).unwrap_or_else(|error| {
            mistakes.push(mistake(&path, &explain(&error)));
            Vec::new()
        });
        for entry in inside {
            let inner = below(&path, &entry.name);
            match sources(library, &inner) {
                Ok(sources) => samples.push(Sample {
                    path: below(&name, &entry.name),
                    verdict,
                    expectation: vec![verdict].into(),
                    sources,
                }),
                Err(error) => mistakes.push(mistake(&inner, &explain(&error))),
            }
        }
    }
    if expected {
        match parse::<ExpectedFile>(library, &below(&root, EXPECTED)) {
            Ok((mut log, file)) => {
                for (name, file) in file {
                    expect(&name, &file, &mut samples, problem, &mut log);
                }
                mistakes.append(&mut log.mistakes);
            }
            Err(of_file) => mistakes.extend(of_file),
        }
    }
    samples.sort_by(|a, b| a.path.cmp(&b.path));
    loaded(Some(samples), mistakes)
}

/// Adds a sample's entry in `expected.toml`.
fn expect(
    name: &At<String>,
    file: &ExpectationFile,
    samples: &mut [Sample],
    problem: &Problem,
    log: &mut Log,
) {
    let wanted = name.trim_end_matches('/');
    let Some(sample) = samples.iter_mut().find(|sample| sample.path == wanted) else {
        let known = samples.iter().map(|sample| sample.path.as_str());
        return log.report(&name.span, &unknown("sample", wanted, known));
    };
    let expectation = &mut sample.expectation;
    if let Some(verdicts) = &file.expected {
        expectation.verdicts.clone_from(&verdicts.0);
    }
    if let Some(verdicts) = &file.required {
        expectation.required.clone_from(&verdicts.0);
    }
    expectation.first_failure = file.first_failure;
    if let Some(points) = &file.points {
        let (max, found) = (problem.points(), *points.0.end());
        if found > max {
            let message = format!("`points` must be at most the problem's {max}, found {found}");
            log.report(&points.span, &message);
        }
        expectation.points = Some(points.0.clone());
    }
    let known = || problem.subtasks.iter().map(|subtask| subtask.name.as_str());
    for (subtask, verdicts) in &file.subtasks {
        if !known().any(|name| name == subtask.value) {
            log.report(&subtask.span, &unknown("subtask", subtask, known()));
        }
        let name = SubtaskName::new(subtask.as_str());
        expectation.subtasks.insert(name, verdicts.0.clone());
    }
    let flags: BTreeSet<&str> = file.flags.iter().map(|flag| flag.0).collect();
    expectation.flags = flags.into_iter().map(str::to_owned).collect();
    expectation.because = file.because.as_ref().map(|because| because.0.clone());
}
