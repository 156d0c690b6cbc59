//! Sample submissions with the verdicts that they must get.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_model::{Points, SourceFile, SubtaskName, Verdict};

use super::file::{open, parse, sources_below};
use crate::diagnostic::{Code, Diagnostic, FileText, Loaded, Log};
use crate::library::{Library, LibraryError};
use crate::problem::Problem;
use crate::raw::{Earned, FlagCode, Prose};
use crate::reader::{At, Entries, Slot, table};
use crate::suggest::{closest, did_you_mean, quoted};

/// A sample submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its path below `submissions/`: `wrong-answer/off-by-one.c`.
    pub path: String,
    /// The verdict that its folder stands for.
    pub verdict: Verdict,
    /// Its files.
    pub sources: Vec<SourceFile>,
    /// The points that it must get, where the author says so.
    pub points: Option<Points>,
    /// The folded verdicts that subtasks must get, where the author says so.
    pub subtasks: BTreeMap<SubtaskName, Verdict>,
    /// The codes of the flags that it must raise, in order; no others.
    pub flags: Vec<String>,
    /// What the author says about it.
    pub because: Option<String>,
}

/// The folders of `submissions/` and what they stand for.
const FOLDERS: [(&str, Verdict); 8] = [
    ("accepted", Verdict::Accepted),
    ("wrong-answer", Verdict::WrongAnswer),
    ("presentation-error", Verdict::PresentationError),
    ("time-limit", Verdict::TimeLimit),
    ("memory-limit", Verdict::MemoryLimit),
    ("output-limit", Verdict::OutputLimit),
    ("runtime-error", Verdict::RuntimeError),
    ("compile-error", Verdict::CompileError),
];

const EXPECTED: &str = "expected.toml";

table! {
    /// What is expected of a sample, besides its folder's verdict.
    RawExpectation: UnknownKey {
        /// The points that it gets.
        optional points: Earned,
        /// The folded verdicts of subtasks.
        optional subtasks: Entries<String, Verdict>,
        /// The codes of the flags that it raises, and no others. Default: none.
        optional flags: Vec<At<FlagCode>>,
        /// Why it gets them.
        optional because: Prose,
    }
}

/// The sample submissions of a problem, in the order of their paths, from `submissions/` in its folder; names
/// that begin with a dot are passed over. Without that folder there are none.
///
/// All mistakes are reported together.
pub fn load_samples(library: &dyn Library, problem: &Problem) -> Loaded<Vec<Sample>> {
    let root = if problem.folder.is_empty() {
        "submissions".to_owned()
    } else {
        format!("{}/submissions", problem.folder)
    };
    let mut finder = Finder {
        library,
        samples: Vec::new(),
        diagnostics: Vec::new(),
    };
    match library.list(&root) {
        Ok(entries) => {
            for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
                let path = format!("{root}/{}", entry.name);
                match (entry.folder, entry.name.as_str()) {
                    (false, EXPECTED) => {}
                    (true, name) => finder.folder(name, &path),
                    (false, _) => {
                        let message = "expected a folder named by a verdict, found a file";
                        finder.report(&path, Code::UnknownSample, message, None);
                    }
                }
            }
            if entries.iter().any(|entry| entry.name == EXPECTED) {
                finder.expectations(&format!("{root}/{EXPECTED}"), problem);
            }
        }
        Err(LibraryError::NotFound) => {}
        Err(error) => finder.report(&root, Code::MissingFile, &error.to_string(), None),
    }
    finder.samples.sort_by(|a, b| a.path.cmp(&b.path));
    Loaded::new(Some(finder.samples), finder.diagnostics)
}

struct Finder<'a> {
    library: &'a dyn Library,
    samples: Vec<Sample>,
    diagnostics: Vec<Diagnostic>,
}

impl Finder<'_> {
    /// Reports a mistake of a file or folder as a whole.
    fn report(&mut self, path: &str, code: Code, message: &str, help: Option<String>) {
        let file = Arc::new(FileText {
            path: grader_model::escaped(self.library.describe(path).as_bytes()),
            text: String::new(),
        });
        self.diagnostics
            .push(Diagnostic::new(&file, None, code, message, help));
    }

    fn folder(&mut self, name: &str, path: &str) {
        let Some(&(_, verdict)) = FOLDERS.iter().find(|(folder, _)| *folder == name) else {
            let names = FOLDERS.map(|(folder, _)| folder);
            self.report(
                path,
                Code::UnknownVerdict,
                &format!("unknown verdict folder {}", quoted(name)),
                did_you_mean(name, &names, "folder"),
            );
            return;
        };
        let entries = match self.library.list(path) {
            Ok(entries) => entries,
            Err(error) => {
                self.report(path, Code::MissingFile, &error.to_string(), None);
                return;
            }
        };
        for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
            let inner = format!("{path}/{}", entry.name);
            let sources = if entry.folder {
                sources_below(self.library, &inner)
            } else {
                self.library
                    .read(&inner)
                    .map(|bytes| vec![SourceFile::new(entry.name.as_str(), bytes)])
            };
            match sources {
                Ok(sources) if sources.is_empty() => {
                    let message = "a sample's folder must hold source files, found none";
                    self.report(&inner, Code::Empty, message, None);
                }
                Ok(sources) => self.samples.push(Sample {
                    path: format!("{name}/{}", entry.name),
                    verdict,
                    sources,
                    points: None,
                    subtasks: BTreeMap::new(),
                    flags: Vec::new(),
                    because: None,
                }),
                Err(error) => self.report(&inner, Code::MissingFile, &error.to_string(), None),
            }
        }
    }

    fn expectations(&mut self, path: &str, problem: &Problem) {
        let mut log = match open(self.library, path) {
            Ok((log, _)) => log,
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                return;
            }
        };
        if let Some(raw) = parse::<Entries<String, RawExpectation>>(&mut log) {
            for (name, expectation) in &raw.value.list {
                self.expectation(name, expectation, problem, &mut log);
            }
        }
        self.diagnostics.append(&mut log.diagnostics);
    }

    fn expectation(
        &mut self,
        name: &At<String>,
        raw: &At<RawExpectation>,
        problem: &Problem,
        log: &mut Log,
    ) {
        let RawExpectation {
            points,
            subtasks,
            flags,
            because,
        } = &raw.value;
        if points.is_absent() && subtasks.is_absent() && flags.is_absent() && because.is_absent() {
            log.report(
                &raw.span,
                Code::Empty,
                "an expectation must have `points`, `subtasks`, `flags` or `because`, found nothing",
            );
        }
        if let Slot::Given(at) = points
            && at.value.0 > problem.points()
        {
            log.report(
                &at.span,
                Code::BadValue,
                format!(
                    "`points` must be at most the problem's {}, found {}",
                    problem.points(),
                    at.value.0
                ),
            );
        }
        let known: Vec<&str> = problem.subtasks.iter().map(|s| s.name.as_str()).collect();
        let mut verdicts = BTreeMap::new();
        for (subtask, verdict) in subtasks.get().iter().flat_map(|entries| &entries.list) {
            if known.contains(&subtask.value.as_str()) {
                verdicts.insert(SubtaskName::new(subtask.value.as_str()), verdict.value);
            } else {
                log.report_with(
                    &subtask.span,
                    Code::UnknownSubtask,
                    format!("unknown subtask {}", quoted(&subtask.value)),
                    did_you_mean(&subtask.value, &known, "subtask"),
                );
            }
        }
        let mut codes: Vec<String> = Vec::new();
        for flag in flags.get().into_iter().flatten() {
            let FlagCode(code) = flag.value;
            if codes.iter().any(|other| other == code) {
                let message = format!("flag {} stands twice", quoted(code));
                log.report(&flag.span, Code::Duplicate, message);
            } else {
                codes.push(code.to_owned());
            }
        }
        codes.sort_unstable();
        let wanted = name.value.trim_end_matches('/');
        if let Some(sample) = self.samples.iter_mut().find(|s| s.path == wanted) {
            sample.points = points.get().map(|points| points.0);
            sample.subtasks = verdicts;
            sample.flags = codes;
            sample.because = because.get().map(|because| because.0.clone());
        } else {
            let near = closest(wanted, self.samples.iter().map(|s| s.path.as_str()));
            log.report_with(
                &name.span,
                Code::UnknownSample,
                format!("there is no sample {}", quoted(&name.value)),
                near.map(|near| format!("did you mean `{near}`?")),
            );
        }
    }
}
