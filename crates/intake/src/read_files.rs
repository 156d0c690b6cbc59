//! Files that are named on the command line.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use grader_model::{ProblemId, SourceFile};
use grader_problem::Assignment;

use crate::error::IntakeError;
use crate::folder::{folder_program, one_language};
use crate::junk::is_archive;
use crate::name::shown;
use crate::pattern::{Patterns, described_endings};
use crate::program::{Kind, Recognise, is_text};
use crate::student::read_folder;
use crate::submission::Submission;
use crate::tree::{Content, File, Folder, Part, read_tree};
use crate::unreadable::Unreadable;

/// Reads the files, or folders, that somebody wants judged.
///
/// Each goes to the `problem` that is named, or else to the one that its name fits; several for one problem are one
/// submission of several files. If all that fit anything fit the same problem, the others belong to it too
/// (`count.c util.c util.h`). A folder whose name fits a problem, or any folder if the problem is named, holds the
/// submission for it; any other folder is read as a student's. `recognise` tells programs by their contents.
///
/// # Errors
/// If something named does not exist, cannot be read, fits no problem, is no source file of an accepted language, or
/// is too large.
pub fn read_files(
    paths: &[PathBuf],
    assignment: &Assignment,
    problem: Option<&ProblemId>,
    recognise: Recognise<'_>,
) -> Result<BTreeMap<ProblemId, Submission>, IntakeError> {
    let patterns = &Patterns::new(assignment)?;
    if paths.is_empty() {
        return Err(IntakeError::NoFiles);
    }
    let unknown = |id: &ProblemId| IntakeError::UnknownProblem {
        id: id.clone(),
        known: patterns.ids(),
    };
    let given = problem.map(|id| patterns.find(id).ok_or_else(|| unknown(id)));
    let given = given.transpose()?;
    let named = paths
        .iter()
        .map(|path| Named::look(path, patterns, given))
        .collect::<Result<Vec<_>, _>>()?;
    let fitting: BTreeSet<usize> = named.iter().filter_map(|named| named.problem).collect();
    let only = if fitting.len() == 1 {
        fitting.first().copied()
    } else {
        // If there is only one problem, nobody has to name it.
        (patterns.len() == 1).then_some(0)
    };
    let mut parts: BTreeMap<usize, Vec<&Named<'_>>> = BTreeMap::new();
    let mut submissions = BTreeMap::new();
    for named in &named {
        let mut undecided = None;
        if named.problem.is_none() && named.is_folder {
            let work = read_folder(named.location, patterns, recognise);
            if let Some(unreadable) = work.faults.into_values().next() {
                return Err(named.unreadable(unreadable));
            }
            if !work.submissions.is_empty() {
                for (id, submission) in work.submissions {
                    // What was named first counts.
                    submissions
                        .entry(id)
                        .or_insert_with(|| named.prefixed(submission));
                }
                continue;
            }
            undecided = work.undecided;
        }
        let problem = named.problem.or(only).ok_or_else(|| {
            let path = named.shown.clone();
            match undecided {
                Some(reason) => IntakeError::Folder { path, reason },
                None => IntakeError::NoProblem {
                    path,
                    expected: patterns.described(),
                },
            }
        })?;
        parts.entry(problem).or_default().push(named);
    }
    for (problem, parts) in parts {
        let submission = Assembly::new(problem, patterns, recognise).read(&parts)?;
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
        let failed = |error| IntakeError::of(location, error);
        // Links are followed here: whoever types the command may read what they point to.
        let is_folder = fs::metadata(location).map_err(failed)?.is_dir();
        // `.` and `..` have their name elsewhere.
        let name = if let Some(name) = location.file_name() {
            shown(name)
        } else {
            let whole = fs::canonicalize(location).map_err(failed)?;
            whole.file_name().map(shown).unwrap_or_default()
        };
        let by_name = || {
            if is_folder {
                patterns.best_for_folder(&name)
            } else {
                patterns.best(&name)
            }
        };
        Ok(Self {
            problem: given.or_else(|| Some(by_name()?.0)),
            location,
            shown: shown(location.as_os_str()),
            is_folder,
            name,
        })
    }

    /// The path of something in this folder, as one would type it.
    fn path_of(&self, below: &str) -> String {
        format!("{}/{below}", self.shown.trim_end_matches('/'))
    }

    fn unreadable(&self, unreadable: Unreadable) -> IntakeError {
        IntakeError::Folder {
            path: self.shown.clone(),
            reason: unreadable.reason,
        }
    }

    /// A submission that was found in this folder.
    fn prefixed(&self, mut submission: Submission) -> Submission {
        for shown in &mut submission.shown {
            *shown = self.path_of(shown);
        }
        submission
    }

    fn as_file(&self) -> Result<File, IntakeError> {
        let data = fs::metadata(self.location);
        Ok(File {
            name: self.name.clone(),
            path: self.name.clone(),
            content: Content::OnDisk(self.location.to_owned()),
            size: data
                .map_err(|error| IntakeError::of(self.location, error))?
                .len(),
        })
    }

    fn as_folder(&self) -> Folder {
        let parts = [Part::Folder {
            location: self.location.to_owned(),
            path: String::new(),
        }];
        // What else lies in a folder that was named is nobody's mistake.
        let mut folder = read_tree(&parts, None, &mut Vec::new());
        folder.name.clone_from(&self.name);
        folder
    }
}

/// The parts of one submission, put together.
struct Assembly<'p> {
    problem: usize,
    patterns: &'p Patterns,
    recognise: Recognise<'p>,
    sources: Vec<SourceFile>,
    shown: Vec<String>,
    /// Bytes that the problem still allows.
    left: u64,
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
            left: patterns.problem(problem).submission.size.0,
            names: HashSet::new(),
        }
    }

    fn read(mut self, parts: &[&Named<'_>]) -> Result<Submission, IntakeError> {
        for part in parts {
            if part.is_folder {
                self.add_folder(part)?;
            } else {
                self.add_file(part)?;
            }
        }
        let language = (self.recognise)(&self.sources);
        let is_source = |source: &SourceFile| Kind::of(source.name()).is_source();
        let rule = &self.patterns.problem(self.problem).submission;
        let is_program = language.is_some_and(|language| rule.languages.contains(&language));
        if is_program || self.sources.iter().any(is_source) {
            return Ok(Submission::in_memory(self.sources, self.shown, language));
        }
        let is_other = |part: &&&Named<'_>| !part.is_folder && Kind::of(&part.name) == Kind::Other;
        Err(self.no_sources(parts.iter().find(is_other).unwrap_or(&parts[0])))
    }

    /// A file that was named: a source, or something that goes with one.
    fn add_file(&mut self, part: &Named<'_>) -> Result<(), IntakeError> {
        let file = part.as_file()?;
        let languages = &self.patterns.problem(self.problem).submission.languages;
        let is_possible = match Kind::of(&part.name) {
            kind @ Kind::Source(_) => kind.is_accepted(languages),
            Kind::Header => true,
            // What cannot be read is reported below.
            Kind::Other => !is_archive(&part.name) && is_text(&file).unwrap_or(true),
        };
        if !is_possible {
            return Err(self.no_sources(part));
        }
        self.add(&file, part, part.shown.clone())
    }

    fn add_folder(&mut self, part: &Named<'_>) -> Result<(), IntakeError> {
        let folder = part.as_folder();
        let program = if let Some(program) = folder_program(&folder, self.problem, self.patterns) {
            program
        } else {
            // Several programs: the best of them, as in a student's folder.
            let id = &self.patterns.problem(self.problem).id;
            let mut work = read_folder(part.location, self.patterns, self.recognise);
            if let Some(unreadable) = work.faults.remove(id) {
                return Err(part.unreadable(unreadable));
            }
            if let Some(submission) = work.submissions.remove(id) {
                let mut submission = part.prefixed(submission);
                self.shown.append(&mut submission.shown);
                let sources = submission
                    .sources()
                    .map_err(|error| IntakeError::of(part.location, error))?;
                self.sources.extend(sources.into_owned());
                return Ok(());
            }
            one_language(&folder, self.problem, self.patterns)
                .ok_or_else(|| self.no_sources(part))?
        };
        if let Some(missing) = program.missing {
            return Err(part.unreadable(missing.clone()));
        }
        for file in program.sources {
            self.add(file, part, part.path_of(&file.path))?;
        }
        Ok(())
    }

    fn add(&mut self, file: &File, part: &Named<'_>, shown: String) -> Result<(), IntakeError> {
        let rule = self.patterns.problem(self.problem);
        if !self.names.insert(file.path.clone()) {
            return Err(IntakeError::SameName {
                problem: rule.id.clone(),
                name: file.path.clone(),
            });
        }
        let bytes = file.read(self.left);
        let bytes = bytes
            .map_err(|unreadable| part.unreadable(unreadable))?
            .ok_or_else(|| IntakeError::TooLarge {
                problem: rule.id.clone(),
                most: rule.submission.size,
            })?;
        self.left -= bytes.len() as u64;
        self.sources
            .push(SourceFile::new(file.path.as_str(), bytes));
        self.shown.push(shown);
        Ok(())
    }

    fn no_sources(&self, part: &Named<'_>) -> IntakeError {
        let languages = &self.patterns.problem(self.problem).submission.languages;
        IntakeError::NoSources {
            path: part.shown.clone(),
            accepted: described_endings(languages),
        }
    }
}
