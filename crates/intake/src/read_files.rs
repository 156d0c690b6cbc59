//! Files that are named on the command line.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_model::{Bytes, ProblemId, SourceFile};
use grader_problem::Assignment;

use crate::folder::{folder_program, one_language};
use crate::junk::is_archive;
use crate::pattern::{Patterns, described_endings};
use crate::program::{Kind, Recognise, is_text};
use crate::student::{Fault, read_student};
use crate::tree::{Part, read_at_most, read_parts, shown};
use crate::{IntakeError, Submission};

/// Reads the files, or folders, that somebody wants judged.
///
/// Each goes to the `problem` that is named, or else to the one that its name fits; several for one
/// problem are one submission of several files. Where all that fit anything fit the same problem, the
/// others belong to it too (`count.c util.c util.h`). A folder whose name fits a problem, or any folder
/// when the problem is named, holds the submission for it; any other folder is taken as a student's.
/// `recognise` tells programs whose names do not (`count.txt`, `count`) from other files.
///
/// # Errors
/// When something named does not exist, cannot be read, fits no problem, is no source file of an accepted
/// language, or is too large.
pub fn read_files(
    paths: &[PathBuf],
    assignment: &Assignment,
    problem: Option<&ProblemId>,
    recognise: Recognise<'_>,
) -> Result<BTreeMap<ProblemId, Submission>, IntakeError> {
    let patterns = Patterns::new(assignment)?;
    if paths.is_empty() {
        return Err(IntakeError::NoFiles);
    }
    let given = problem
        .map(|id| {
            patterns
                .find(id)
                .ok_or_else(|| IntakeError::UnknownProblem {
                    id: id.clone(),
                    known: patterns.ids(),
                })
        })
        .transpose()?;
    // Where there is only one problem, nobody has to name it.
    let last_resort = (patterns.len() == 1).then_some(0);
    let named = paths
        .iter()
        .map(|path| Named::look(path, &patterns, given))
        .collect::<Result<Vec<_>, _>>()?;
    let mut parts: BTreeMap<usize, Vec<&Named>> = BTreeMap::new();
    let mut submissions = BTreeMap::new();
    let fitting: HashSet<usize> = named.iter().filter_map(|named| named.problem).collect();
    let only = match fitting.len() {
        1 => fitting.into_iter().next(),
        _ => None,
    };
    for named in &named {
        let mut undecided = None;
        if named.problem.is_none() && named.is_folder {
            let work = read_student(named.location, &patterns, recognise);
            if let Some(fault) = work.faults.values().next() {
                return Err(named.unreadable(fault));
            }
            let found = work.submissions;
            if !found.is_empty() {
                for (id, mut submission) in found {
                    named.prefix(&mut submission);
                    // What was named first is stronger.
                    submissions.entry(id).or_insert(submission);
                }
                continue;
            }
            undecided = work.undecided;
        }
        let problem = named.problem.or(only).or(last_resort).ok_or_else(|| {
            let path = named.shown.clone();
            match undecided {
                Some(reason) => IntakeError::SeveralPrograms { path, reason },
                None => IntakeError::NoProblem {
                    path,
                    expected: patterns.described(),
                },
            }
        })?;
        parts.entry(problem).or_default().push(named);
    }
    for (problem, parts) in parts {
        let submission = Assembly::new(problem, &patterns, recognise).read(&parts)?;
        submissions.insert(patterns.problem(problem).id.clone(), submission);
    }
    Ok(submissions)
}

/// Something that was named.
struct Named<'a> {
    location: &'a Path,
    name: String,
    shown: String,
    is_folder: bool,
    problem: Option<usize>,
}

impl<'a> Named<'a> {
    fn look(
        location: &'a Path,
        patterns: &Patterns,
        given: Option<usize>,
    ) -> Result<Self, IntakeError> {
        // Links are followed here: whoever types the command may read what they point to.
        let data = fs::metadata(location).map_err(|error| IntakeError::of(location, error))?;
        let name = match location.file_name() {
            Some(name) => shown(name),
            // `.` and `..` have their name elsewhere.
            None => fs::canonicalize(location)
                .map_err(|error| IntakeError::of(location, error))?
                .file_name()
                .map(shown)
                .unwrap_or_default(),
        };
        let by_name = || {
            if data.is_dir() {
                patterns.best_for_folder(&name)
            } else {
                patterns.best(&name)
            }
        };
        Ok(Self {
            problem: given.or_else(|| Some(by_name()?.0)),
            location,
            shown: shown(location.as_os_str()),
            is_folder: data.is_dir(),
            name,
        })
    }
}

impl Named<'_> {
    /// The path of something in this folder, as one would type it.
    fn path_of(&self, below: &str) -> String {
        format!("{}/{below}", self.shown.trim_end_matches('/'))
    }

    /// Something in this folder cannot be read.
    fn unreadable(&self, fault: &Fault) -> IntakeError {
        let broken = match fault {
            Fault::Broken(broken) => broken,
            // Archives are not opened here, so that nothing of this kind comes; were it to, it would be said.
            Fault::Lost(lost) => {
                let error = io::Error::other(lost.reason.en.clone());
                return IntakeError::of(self.location, error);
            }
        };
        IntakeError::Read {
            path: if broken.path.is_empty() {
                self.shown.clone()
            } else {
                self.path_of(&broken.path)
            },
            error: broken.error.clone(),
        }
    }

    fn prefix(&self, submission: &mut Submission) {
        for shown in &mut submission.shown {
            *shown = self.path_of(shown);
        }
    }
}

/// The parts of one submission, put together.
struct Assembly<'p> {
    problem: usize,
    patterns: &'p Patterns,
    recognise: Recognise<'p>,
    sources: Vec<SourceFile>,
    shown: Vec<String>,
    size: u64,
    names: HashSet<String>,
}

impl<'p> Assembly<'p> {
    fn new(problem: usize, patterns: &'p Patterns, recognise: Recognise<'p>) -> Self {
        Self {
            problem,
            patterns,
            recognise,
            sources: Vec::new(),
            shown: Vec::new(),
            size: 0,
            names: HashSet::new(),
        }
    }

    fn read(mut self, parts: &[&Named<'_>]) -> Result<Submission, IntakeError> {
        let languages = &self.patterns.problem(self.problem).submission.languages;
        for part in parts {
            if part.is_folder {
                self.add_folder(part)?;
            } else {
                self.add_file(part)?;
            }
        }
        let language = (self.recognise)(&self.sources);
        let is_source = |source: &SourceFile| Kind::of(source.name()).is_source();
        let is_program = || language.is_some_and(|language| languages.contains(&language));
        if self.sources.iter().any(is_source) || is_program() {
            return Ok(Submission::held(self.sources, self.shown, language));
        }
        let is_other = |part: &&&Named<'_>| !part.is_folder && Kind::of(&part.name) == Kind::Other;
        Err(match parts.iter().find(is_other) {
            Some(part) => self.not_accepted(part),
            None => self.no_sources(parts[0]),
        })
    }

    /// A file that was named: a source, or something that goes with one.
    fn add_file(&mut self, part: &Named<'_>) -> Result<(), IntakeError> {
        let languages = &self.patterns.problem(self.problem).submission.languages;
        let failed = |error| IntakeError::of(part.location, error);
        let size = fs::metadata(part.location).map_err(failed)?.len();
        let is_possible = match Kind::of(&part.name) {
            kind @ Kind::Source(_) => kind.is_accepted(languages),
            Kind::Header => true,
            Kind::Other => !is_archive(&part.name) && is_text(part.location).map_err(failed)?,
        };
        if !is_possible {
            return Err(self.not_accepted(part));
        }
        self.add(part.location, part.name.clone(), part.shown.clone(), size)
    }

    fn add_folder(&mut self, part: &Named<'_>) -> Result<(), IntakeError> {
        let problem = self.patterns.problem(self.problem);
        // What else lies in a folder that was named is nobody's mistake.
        let parts = [Part::Folder {
            location: part.location.to_owned(),
            path: String::new(),
        }];
        let mut folder = read_parts(&parts, None, &mut Vec::new()).root;
        folder.name.clone_from(&part.name);
        let program = if let Some(program) = folder_program(&folder, self.problem, self.patterns) {
            program
        } else {
            // Several programs: the best of them, as in a student's folder.
            let mut work = read_student(part.location, self.patterns, self.recognise);
            if let Some(fault) = work.faults.get(&problem.id) {
                return Err(part.unreadable(fault));
            }
            if let Some(mut submission) = work.submissions.remove(&problem.id) {
                part.prefix(&mut submission);
                let sources = submission
                    .sources()
                    .map_err(|error| IntakeError::of(part.location, error))?;
                self.sources.extend(sources.into_owned());
                self.shown.append(&mut submission.shown);
                return Ok(());
            }
            one_language(&folder, self.problem, self.patterns)
                .ok_or_else(|| self.no_sources(part))?
        };
        if let Some(broken) = program.broken {
            return Err(part.unreadable(&Fault::Broken(broken.clone())));
        }
        for file in program.sources {
            let shown = part.path_of(&file.path);
            self.add(&file.location, file.path.clone(), shown, file.size)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        location: &Path,
        path: String,
        shown: String,
        size: u64,
    ) -> Result<(), IntakeError> {
        let rule = self.patterns.problem(self.problem);
        let most = rule.submission.size;
        let too_large = |size: u64| IntakeError::TooLarge {
            problem: rule.id.clone(),
            size: Bytes(size),
            most,
        };
        if !self.names.insert(path.clone()) {
            return Err(IntakeError::SameName {
                problem: rule.id.clone(),
                name: path,
            });
        }
        self.size += size;
        if self.size > most.0 {
            return Err(too_large(self.size));
        }
        let bytes = read_at_most(location, most.0)
            .map_err(|error| IntakeError::of(location, error))?
            .ok_or_else(|| too_large(most.0.saturating_add(1)))?;
        self.sources.push(SourceFile::new(path, bytes));
        self.shown.push(shown);
        Ok(())
    }

    fn not_accepted(&self, part: &Named<'_>) -> IntakeError {
        let languages = &self.patterns.problem(self.problem).submission.languages;
        IntakeError::NotAccepted {
            path: part.shown.clone(),
            accepted: described_endings(languages),
        }
    }

    fn no_sources(&self, part: &Named<'_>) -> IntakeError {
        let languages = &self.patterns.problem(self.problem).submission.languages;
        IntakeError::NoSources {
            path: part.shown.clone(),
            accepted: described_endings(languages),
        }
    }
}
