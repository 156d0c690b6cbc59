//! One student's folder to submissions.

use std::collections::BTreeMap;
use std::path::Path;

use grader_model::{Bytes, ProblemId, SourceFile, Text, UnusedFile};

use crate::folder::{FolderProgram, folder_program};
use crate::junk::is_archive;
use crate::pattern::{Fit, Patterns};
use crate::program::Kind;
use crate::tree::{File, Folder, read_at_most, read_tree};
use crate::{Submission, natural, reason};

/// What a student's folder holds.
pub(crate) struct Work {
    pub(crate) submissions: BTreeMap<ProblemId, Submission>,
    pub(crate) unused: Vec<UnusedFile>,
}

/// Reads a student's folder.
pub(crate) fn read_student(location: &Path, patterns: &Patterns) -> Work {
    let mut unused = Vec::new();
    let tree = read_tree(location, &mut unused);
    let mut intake = Intake {
        patterns,
        candidates: (0..patterns.len()).map(|_| Vec::new()).collect(),
        unused,
    };
    intake.sort_folder(&tree, 0);
    let submissions = intake.choose();
    let mut unused = intake.unused;
    unused.sort_by(|a, b| natural::compare(&a.path, &b.path));
    Work {
        submissions,
        unused,
    }
}

/// Reads the files of a submission; the reason where they cannot be or are larger than allowed.
pub(crate) fn read_submission(sources: &[Source<'_>], most: Bytes) -> Result<Submission, Text> {
    let too_large = |size: u64| Err(reason::too_large(Bytes(size), most));
    let size = sources.iter().map(|source| source.file.size).sum();
    if size > most.0 {
        return too_large(size);
    }
    let mut left = most.0;
    let mut files = Vec::new();
    for source in sources {
        match read_at_most(&source.file.location, left) {
            Ok(Some(bytes)) => {
                left -= bytes.len() as u64;
                files.push(SourceFile::new(source.path, bytes));
            }
            // It grew since it was looked at.
            Ok(None) => return too_large(most.0.saturating_add(1)),
            Err(error) => return Err(reason::unreadable(&error)),
        }
    }
    Ok(Submission {
        sources: files,
        shown: sources
            .iter()
            .map(|source| source.file.path.clone())
            .collect(),
    })
}

/// A file of a submission and its path in the submission.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    pub(crate) file: &'t File,
    pub(crate) path: &'t str,
}

/// Something that could be the submission for a problem.
struct Candidate<'t> {
    /// Less is better: depth, fit of the name, whether it is a folder, length of the name.
    rank: (usize, Fit, bool, usize),
    /// Path to show.
    path: String,
    sources: Vec<Source<'t>>,
    /// Other files in the same folder.
    rest: Vec<&'t File>,
}

struct Intake<'p, 't> {
    patterns: &'p Patterns,
    /// For each problem.
    candidates: Vec<Vec<Candidate<'t>>>,
    unused: Vec<UnusedFile>,
}

impl<'t> Intake<'_, 't> {
    fn sort_folder(&mut self, folder: &'t Folder, depth: usize) {
        for file in &folder.files {
            self.sort_file(file, depth);
        }
        for below in &folder.folders {
            let program = self
                .patterns
                .best_for_folder(&below.name)
                .and_then(|(problem, fit)| {
                    let program = folder_program(below, problem, self.patterns)?;
                    Some((problem, fit, program))
                });
            match program {
                Some((problem, fit, FolderProgram { sources, rest })) => {
                    let sources = sources.into_iter().map(|file| Source {
                        file,
                        path: file.path_in(below),
                    });
                    self.candidates[problem].push(Candidate {
                        rank: (depth, fit, true, below.name.chars().count()),
                        path: format!("{}/", below.path),
                        sources: sources.collect(),
                        rest,
                    });
                }
                None => self.sort_folder(below, depth + 1),
            }
        }
    }

    fn sort_file(&mut self, file: &'t File, depth: usize) {
        let name = &file.name;
        let kind = Kind::of(name);
        let best = self.patterns.best(name);
        let Kind::Source(language) = kind else {
            let (reason, notable) = match kind {
                Kind::Header => (reason::header(), true),
                _ if is_archive(name) => (reason::archive(), true),
                _ => (reason::not_source(), best.is_some()),
            };
            return self.pass(&file.path, reason, notable);
        };
        let Some((problem, fit)) = best else {
            let reason = match self.patterns.nearest(name) {
                Some(expected) => reason::did_you_mean(name, &expected),
                None => reason::no_problem(name, &self.patterns.examples(name)),
            };
            return self.pass(&file.path, reason, true);
        };
        let rule = self.patterns.problem(problem);
        if !kind.is_accepted(&rule.submission.languages) {
            let reason = reason::language(language, &rule.id, &rule.submission.languages);
            return self.pass(&file.path, reason, true);
        }
        self.candidates[problem].push(Candidate {
            rank: (depth, fit, false, name.chars().count()),
            path: file.path.clone(),
            sources: vec![Source { file, path: name }],
            rest: Vec::new(),
        });
    }

    /// Takes the best candidate of each problem that can be read.
    fn choose(&mut self) -> BTreeMap<ProblemId, Submission> {
        let mut submissions = BTreeMap::new();
        for (index, mut candidates) in std::mem::take(&mut self.candidates).into_iter().enumerate()
        {
            let problem = self.patterns.problem(index);
            candidates.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.path.cmp(&b.path)));
            let mut taken: Option<String> = None;
            for candidate in candidates {
                let Candidate {
                    path,
                    sources,
                    rest,
                    ..
                } = candidate;
                if let Some(taken) = &taken {
                    self.pass(&path, reason::another_was_taken(taken, &problem.id), true);
                    continue;
                }
                match read_submission(&sources, problem.submission.size) {
                    Err(reason) => self.pass(&path, reason, true),
                    Ok(submission) => {
                        submissions.insert(problem.id.clone(), submission);
                        for file in rest {
                            self.pass_in_folder(file, &path);
                        }
                        taken = Some(path);
                    }
                }
            }
        }
        submissions
    }

    /// A file in a submission's folder that is not part of it.
    fn pass_in_folder(&mut self, file: &File, folder: &str) {
        match Kind::of(&file.name) {
            Kind::Other => self.pass(&file.path, reason::not_source(), false),
            _ => self.pass(&file.path, reason::other_language(folder), true),
        }
    }

    fn pass(&mut self, path: &str, reason: Text, notable: bool) {
        self.unused.push(UnusedFile {
            path: path.to_owned(),
            reason,
            notable,
        });
    }
}
