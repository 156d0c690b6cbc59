//! Sample submissions with the verdicts that they must get.

use std::collections::BTreeMap;
use std::sync::Arc;

use grader_model::{Points, SourceFile, SubtaskName, Verdict, escaped};

use crate::diagnostic::{Diagnostic, FileText, Loaded, Log};
use crate::file::{ExpectationFile, ExpectedFile};
use crate::library::{Library, LibraryError, sources_below};
use crate::parse::{open, parse};
use crate::problem::Problem;
use crate::suggest::{did_you_mean, nearest, quoted};
use crate::value::At;

/// A sample submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its path below `submissions/`: `wrong-answer/off-by-one.c`.
    pub path: String,
    /// The verdict of its folder.
    pub verdict: Verdict,
    /// The verdicts that are right for it: those of `expected`, else that of its folder. Never empty.
    pub expected: Vec<Verdict>,
    /// Its files.
    pub sources: Vec<SourceFile>,
    /// The points that it must get, if the author gives them.
    pub points: Option<Points>,
    /// For subtasks that the author names: the verdicts that are right for the subtask.
    pub subtasks: BTreeMap<SubtaskName, Vec<Verdict>>,
    /// The codes of the flags that it must raise, in order; no others.
    pub flags: Vec<String>,
    /// Why it must get them, in the author's words.
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

/// The sample submissions of a problem, in the order of their paths, from `submissions/` in its folder. Names that
/// begin with a dot are skipped. Without that folder there are none.
pub fn load_samples(library: &dyn Library, problem: &Problem) -> Loaded<Vec<Sample>> {
    let root = match problem.folder.as_str() {
        "" => "submissions".to_owned(),
        folder => format!("{folder}/submissions"),
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
                if entry.folder {
                    finder.folder(&entry.name, &path);
                } else if entry.name != EXPECTED {
                    finder.report(&path, "expected a folder named by a verdict, found a file");
                }
            }
            if entries.iter().any(|entry| entry.name == EXPECTED) {
                finder.expectations(&format!("{root}/{EXPECTED}"), problem);
            }
        }
        Err(LibraryError::NotFound) => {}
        Err(error) => finder.report(&root, &error.to_string()),
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
    fn report(&mut self, path: &str, message: &str) {
        let file = Arc::new(FileText {
            path: escaped(self.library.describe(path).as_bytes()),
            text: String::new(),
        });
        self.diagnostics.push(Diagnostic::new(&file, None, message));
    }

    fn folder(&mut self, name: &str, path: &str) {
        let Some(&(_, verdict)) = FOLDERS.iter().find(|(folder, _)| *folder == name) else {
            let names = FOLDERS.map(|(folder, _)| folder);
            let help = did_you_mean(name, &names, "folder");
            let message = format!("unknown verdict folder {}\n{help}", quoted(name));
            self.report(path, &message);
            return;
        };
        let entries = match self.library.list(path) {
            Ok(entries) => entries,
            Err(error) => return self.report(path, &error.to_string()),
        };
        for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
            let inner = format!("{path}/{}", entry.name);
            let sources = if entry.folder {
                sources_below(self.library, &inner)
            } else {
                let bytes = self.library.read(&inner);
                bytes.map(|bytes| vec![SourceFile::new(entry.name.as_str(), bytes)])
            };
            match sources {
                Ok(sources) if sources.is_empty() => {
                    self.report(
                        &inner,
                        "a sample's folder must hold source files, found none",
                    );
                }
                Ok(sources) => self.samples.push(Sample {
                    path: format!("{name}/{}", entry.name),
                    verdict,
                    expected: vec![verdict],
                    sources,
                    points: None,
                    subtasks: BTreeMap::new(),
                    flags: Vec::new(),
                    because: None,
                }),
                Err(error) => self.report(&inner, &error.to_string()),
            }
        }
    }

    fn expectations(&mut self, path: &str, problem: &Problem) {
        let mut log = match open(self.library, path) {
            Ok((log, _)) => log,
            Err(diagnostic) => return self.diagnostics.push(diagnostic),
        };
        for (name, file) in parse::<ExpectedFile>(&mut log).unwrap_or_default() {
            self.expectation(&name, &file, problem, &mut log);
        }
        self.diagnostics.append(&mut log.diagnostics);
    }

    fn expectation(
        &mut self,
        name: &At<String>,
        file: &At<ExpectationFile>,
        problem: &Problem,
        log: &mut Log,
    ) {
        let wanted = name.trim_end_matches('/');
        let Some(sample) = self.samples.iter_mut().find(|sample| sample.path == wanted) else {
            let help = nearest(
                wanted,
                self.samples.iter().map(|sample| sample.path.as_str()),
            );
            let message = format!("there is no sample {}\n{help}", quoted(name));
            return log.report(&name.span, &message);
        };
        if let Some(verdicts) = &file.expected {
            sample.expected.clone_from(&verdicts.0);
        }
        if let Some(points) = &file.points
            && points.0 > problem.points()
        {
            let message = format!(
                "`points` must be at most the problem's {}, found {}",
                problem.points(),
                points.0
            );
            log.report(&points.span, &message);
        }
        sample.points = file.points.as_ref().map(|points| points.0);
        let known: Vec<&str> = problem.subtasks.iter().map(|s| s.name.as_str()).collect();
        for (subtask, verdicts) in &file.subtasks {
            if !known.contains(&subtask.as_str()) {
                let help = did_you_mean(subtask, &known, "subtask");
                let message = format!("unknown subtask {}\n{help}", quoted(subtask));
                log.report(&subtask.span, &message);
            }
            let name = SubtaskName::new(subtask.as_str());
            sample.subtasks.insert(name, verdicts.0.clone());
        }
        for flag in file.flags.iter().flatten() {
            if sample.flags.iter().any(|other| other == flag.0) {
                let message = format!("flag {} is listed twice", quoted(flag.0));
                log.report(&flag.span, &message);
            }
            sample.flags.push(flag.0.to_owned());
        }
        sample.flags.sort_unstable();
        sample.because = file.because.as_ref().map(|because| because.0.clone());
    }
}
