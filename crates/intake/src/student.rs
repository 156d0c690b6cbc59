//! One student's folder to submissions.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use grader_model::{Bytes, LanguageId, ProblemId, SourceFile, Text, UnusedFile, extension_of};

use crate::class::{Located, Lost};
use crate::folder::{folder_program, is_for_another, several_mains};
use crate::junk::is_archive;
use crate::pattern::{Fit, Patterns};
use crate::program::{Kind, Looks, Recognise};
use crate::tree::{Broken, File, Folder, Part, own, read_at_most, read_parts};
use crate::unpacker::Unpacker;
use crate::{Submission, natural, reason};

/// What a student handed in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) submissions: BTreeMap<ProblemId, Submission>,
    /// Problems whose submission cannot be read.
    pub(crate) faults: BTreeMap<ProblemId, Fault>,
    pub(crate) unused: Vec<UnusedFile>,
    /// What is to be known of it.
    pub(crate) notes: Vec<Text>,
    /// The first folder for a problem in which nobody knows which program is meant.
    pub(crate) undecided: Option<Text>,
}

/// Why it cannot be told what was handed in for a problem.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Something that may be it cannot be read.
    Broken(Broken),
    /// It may be in what was not opened.
    Lost(Lost),
}

impl Fault {
    pub(crate) fn lost(self) -> Lost {
        match self {
            Self::Broken(broken) => Lost::ours(reason::fault(&broken)),
            Self::Lost(lost) => lost,
        }
    }
}

/// Reads a student's folder, in which archives are not opened.
pub(crate) fn read_student(location: &Path, patterns: &Patterns, recognise: Recognise<'_>) -> Work {
    let parts = [Part::Folder {
        location: location.to_owned(),
        path: String::new(),
    }];
    read_work(&parts, patterns, recognise, None)
}

/// Reads everything that a student handed in.
pub(crate) fn read_work(
    parts: &[Part],
    patterns: &Patterns,
    recognise: Recognise<'_>,
    unpacker: Option<&Unpacker<'_>>,
) -> Work {
    let mut unused = Vec::new();
    let tree = read_parts(parts, unpacker, &mut unused);
    let broken = tree.root.broken.clone().map(Fault::Broken);
    let mut intake = Intake {
        patterns,
        looks: Looks::new(recognise),
        candidates: (0..patterns.len()).map(|_| Vec::new()).collect(),
        lost: broken.or(tree.lost.map(Fault::Lost)),
        unused,
        several: None,
        undecided: None,
    };
    intake.sort_folder(&tree.root, 0);
    let (submissions, faults) = intake.choose();
    let undecided = intake.undecided;
    let mut unused = intake.unused;
    unused.sort_by(|a, b| natural::compare(&a.path, &b.path));
    Work {
        submissions,
        faults,
        unused,
        notes: tree.notes,
        undecided,
    }
}

/// Why a candidate cannot be the submission.
enum Refused {
    /// It is larger than allowed.
    TooLarge(Text),
    /// It cannot be read.
    Broken(Broken),
}

/// Reads the files of a submission.
fn read_submission(
    sources: &[Source<'_>],
    most: Bytes,
    recognise: Recognise<'_>,
) -> Result<Submission, Refused> {
    let too_large = |size: u64| {
        let reason = reason::too_large(Bytes(size), most);
        Err(Refused::TooLarge(reason))
    };
    let size = sources.iter().map(|source| source.file.size).sum();
    if size > most.0 {
        return too_large(size);
    }
    let mut left = most.0;
    let mut files = Vec::new();
    let mut located = Vec::new();
    for source in sources {
        match read_at_most(&source.file.location, left) {
            Ok(Some(bytes)) => {
                left -= bytes.len() as u64;
                located.push(Located::new(source.path, &source.file.location, &bytes));
                files.push(SourceFile::new(source.path, bytes));
            }
            // It grew since it was looked at.
            Ok(None) => return too_large(most.0.saturating_add(1)),
            Err(error) => return Err(Refused::Broken(source.file.broken(error))),
        }
    }
    let shown = sources.iter().map(|source| source.file.path.clone());
    let language = recognise(&files);
    Ok(Submission::located(located, shown.collect(), language))
}

impl File {
    fn broken(&self, error: io::Error) -> Broken {
        Broken {
            path: self.path.clone(),
            error: Arc::new(error),
        }
    }
}

/// A file of a submission and its path in the submission.
#[derive(Clone, Copy)]
struct Source<'t> {
    file: &'t File,
    path: &'t str,
}

/// Something that could be the submission for a problem.
struct Candidate<'t> {
    rank: Rank,
    /// Path to show.
    path: String,
    sources: Vec<Source<'t>>,
    /// Other files in the same folder.
    rest: Vec<&'t File>,
    /// The part of it that is known to be unreadable.
    broken: Option<Broken>,
}

/// How good a candidate is: less is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Whether only what it holds makes it a program: a guess, which prose can mislead.
    by_content: bool,
    depth: usize,
    fit: Fit,
    is_folder: bool,
    /// Characters in its name.
    length: usize,
}

struct Intake<'p, 't> {
    patterns: &'p Patterns,
    looks: Looks<'p>,
    /// For each problem.
    candidates: Vec<Vec<Candidate<'t>>>,
    /// A folder that cannot be read and may hold work for any problem.
    lost: Option<Fault>,
    unused: Vec<UnusedFile>,
    /// Why no file of this folder is for a problem that it has not the name of.
    several: Option<Text>,
    /// The first of these.
    undecided: Option<Text>,
}

impl<'t> Intake<'_, 't> {
    fn sort_folder(&mut self, folder: &'t Folder, depth: usize) {
        for file in &folder.files {
            self.sort_file(file, depth);
        }
        for below in &folder.folders {
            self.sort_below(below, depth);
        }
    }

    /// A folder in one that is looked through.
    fn sort_below(&mut self, below: &'t Folder, depth: usize) {
        let best = self.patterns.best_for_folder(&below.name);
        let is_program = best.is_some_and(|(problem, fit)| {
            self.sort_program(below, problem, Self::rank_of_folder(below, fit, depth))
        });
        if is_program {
            return;
        }
        if let Some(broken) = &below.broken {
            let own_problem = best
                .map(|(problem, _)| problem)
                .filter(|&problem| self.patterns.is_own_name(problem, &below.name));
            if let Some((problem, fit)) = best {
                self.candidates[problem].push(Candidate {
                    rank: Self::rank_of_folder(below, fit, depth),
                    path: format!("{}/", below.path),
                    sources: Vec::new(),
                    rest: Vec::new(),
                    broken: Some(broken.clone()),
                });
            }
            if own_problem.is_none() {
                self.lost
                    .get_or_insert_with(|| Fault::Broken(broken.clone()));
            }
        }
        let outer = self.several.clone();
        if let Some((problem, _)) = best
            && let Some(mains) = several_mains(below, problem, self.patterns)
        {
            let names: Vec<&str> = mains.iter().map(|file| file.path_in(below)).collect();
            let id = &self.patterns.problem(problem).id;
            let reason = reason::several_mains(id, &names, &extension_of(&mains[0].name));
            self.undecided.get_or_insert_with(|| reason.clone());
            self.several = Some(reason);
        }
        self.sort_folder(below, depth + 1);
        self.several = outer;
    }

    fn rank_of_folder(folder: &Folder, fit: Fit, depth: usize) -> Rank {
        Rank {
            by_content: false,
            depth,
            fit,
            is_folder: true,
            length: folder.name.chars().count(),
        }
    }

    /// Takes a folder for the candidate that it is, if it is one program.
    fn sort_program(&mut self, folder: &'t Folder, problem: usize, rank: Rank) -> bool {
        let Some(program) = folder_program(folder, problem, self.patterns) else {
            return false;
        };
        let sources = program.sources.into_iter().map(|file| Source {
            file,
            path: file.path_in(folder),
        });
        let (others, rest): (Vec<&File>, Vec<&File>) = program.rest.into_iter().partition(|file| {
            Kind::of(&file.name) == Kind::Other
                && is_for_another(file, folder, problem, self.patterns)
        });
        self.candidates[problem].push(Candidate {
            rank,
            path: format!("{}/", folder.path),
            sources: sources.collect(),
            rest,
            broken: program.broken.cloned(),
        });
        for file in others {
            self.sort_file(file, rank.depth + 1);
        }
        for archive in folder.archives() {
            self.sort_below(archive, rank.depth + 1);
        }
        true
    }

    fn sort_file(&mut self, file: &'t File, depth: usize) {
        let name = &file.name;
        match Kind::of(name) {
            Kind::Source(language) => {
                if let Some((problem, fit)) = self.patterns.best(name) {
                    let rank = Self::rank_of(file, fit, depth);
                    return self.sort_source(file, language, problem, rank);
                }
                let reason = match (&self.several, self.patterns.nearest(name)) {
                    (Some(reason), _) => reason.clone(),
                    (None, Some(expected)) => reason::did_you_mean(name, &expected),
                    (None, None) => reason::no_problem(name, &self.patterns.examples(name)),
                };
                self.pass(&file.path, reason, true);
            }
            Kind::Header => self.pass(&file.path, reason::header(), true),
            Kind::Other if is_archive(name) => self.pass(&file.path, reason::archive(), true),
            Kind::Other => match self.patterns.best(name) {
                Some((problem, fit)) => self.sort_guess(file, problem, fit, depth),
                None => self.pass(&file.path, reason::not_source(), false),
            },
        }
    }

    fn rank_of(file: &File, fit: Fit, depth: usize) -> Rank {
        Rank {
            by_content: false,
            depth,
            fit,
            is_folder: false,
            length: file.name.chars().count(),
        }
    }

    /// A file whose name fits a problem, but is not that of a source: what it holds decides.
    fn sort_guess(&mut self, file: &'t File, problem: usize, fit: Fit, depth: usize) {
        let rank = Rank {
            by_content: true,
            ..Self::rank_of(file, fit, depth)
        };
        let most = self.patterns.problem(problem).submission.size;
        match self.looks.language(file, most.0) {
            Ok(Some(language)) => self.sort_source(file, language, problem, rank),
            Ok(None) => self.pass(&file.path, reason::not_source(), true),
            Err(error) => {
                self.pass(&file.path, reason::unreadable(&error), true);
                self.candidates[problem].push(Candidate {
                    rank,
                    path: file.path.clone(),
                    sources: Vec::new(),
                    rest: Vec::new(),
                    broken: Some(file.broken(error)),
                });
            }
        }
    }

    fn sort_source(&mut self, file: &'t File, language: LanguageId, problem: usize, rank: Rank) {
        let rule = self.patterns.problem(problem);
        if !rule.submission.languages.contains(&language) {
            let reason = reason::language(language, &rule.id, &rule.submission.languages);
            return self.pass(&file.path, reason, true);
        }
        self.candidates[problem].push(Candidate {
            rank,
            path: file.path.clone(),
            sources: vec![Source {
                file,
                path: &file.name,
            }],
            rest: Vec::new(),
            broken: None,
        });
    }

    /// Takes the best candidate of each problem that is not too large; a fault where it cannot be read, since
    /// the next best is not what the student wants judged.
    fn choose(&mut self) -> (BTreeMap<ProblemId, Submission>, BTreeMap<ProblemId, Fault>) {
        let mut submissions = BTreeMap::new();
        let mut faults = BTreeMap::new();
        for (index, candidates) in std::mem::take(&mut self.candidates).into_iter().enumerate() {
            let patterns = self.patterns;
            let problem = patterns.problem(index);
            match self.choose_for(&problem.id, problem.submission.size, candidates) {
                Some(Ok(submission)) => {
                    submissions.insert(problem.id.clone(), submission);
                }
                Some(Err(broken)) => {
                    faults.insert(problem.id.clone(), Fault::Broken(broken));
                }
                None => {
                    if let Some(lost) = &self.lost {
                        faults.insert(problem.id.clone(), lost.clone());
                    }
                }
            }
        }
        (submissions, faults)
    }

    fn choose_for(
        &mut self,
        problem: &ProblemId,
        most: Bytes,
        mut candidates: Vec<Candidate<'t>>,
    ) -> Option<Result<Submission, Broken>> {
        candidates.sort_by(|a, b| a.rank.cmp(&b.rank).then_with(|| a.path.cmp(&b.path)));
        let mut chosen = None;
        // Why the others are not judged.
        let mut decided: Option<Text> = None;
        for candidate in candidates {
            let path = &candidate.path;
            if let Some(reason) = &decided {
                // That it cannot be read has been said already.
                if candidate.broken.is_none() {
                    self.pass(path, reason.clone(), true);
                }
                continue;
            }
            let read = match candidate.broken {
                Some(broken) => Err(broken),
                None => match read_submission(&candidate.sources, most, self.looks.recognise()) {
                    Ok(submission) => Ok(submission),
                    Err(Refused::TooLarge(reason)) => {
                        self.pass(path, reason, true);
                        continue;
                    }
                    Err(Refused::Broken(broken)) => {
                        self.pass(&broken.path, reason::unreadable(&broken.error), true);
                        Err(broken)
                    }
                },
            };
            decided = Some(match &read {
                Ok(_) => reason::another_was_taken(path, problem),
                Err(_) => reason::unreadable_comes_first(path, problem),
            });
            for file in candidate.rest {
                self.pass_in_folder(file, path);
            }
            chosen = Some(read);
        }
        chosen
    }

    /// A file in a submission's folder that is not part of it.
    fn pass_in_folder(&mut self, file: &File, folder: &str) {
        match Kind::of(&file.name) {
            Kind::Source(_) => self.pass(&file.path, reason::other_language(folder), true),
            Kind::Header | Kind::Other if is_archive(&file.name) => {
                self.pass(&file.path, reason::archive(), true);
            }
            Kind::Header | Kind::Other => self.pass(&file.path, reason::not_part(folder), false),
        }
    }

    fn pass(&mut self, path: &str, reason: Text, notable: bool) {
        self.unused.push(UnusedFile {
            path: own(path),
            reason,
            notable,
        });
    }
}
