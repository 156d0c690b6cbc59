//! What a student submitted, sorted by problem.

use std::collections::BTreeMap;
use std::path::Path;

use grader_model::{Bytes, LanguageId, ProblemId, SourceFile, Text, UnusedFile, extension_of};

use crate::folder::{Found, Program, read_program};
use crate::junk::is_archive;
use crate::pattern::{Fit, Patterns};
use crate::program::{Kind, Recognise, language_by_content};
use crate::submission::{FileOnDisk, Submission};
use crate::tree::{File, Folder, Part, read_tree};
use crate::unpacker::Unpacker;
use crate::unreadable::Unreadable;
use crate::{junk, reason};

/// What a student submitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) submissions: BTreeMap<ProblemId, Submission>,
    /// Problems whose submission is, or may be, in what cannot be read.
    pub(crate) faults: BTreeMap<ProblemId, Unreadable>,
    pub(crate) unused: Vec<UnusedFile>,
    /// The first folder for a problem in which several programs could be meant.
    pub(crate) undecided: Option<Text>,
}

/// Reads a folder of this name and path, in which archives are not opened.
pub(crate) fn read_folder(
    location: &Path,
    name: String,
    path: &str,
    patterns: &Patterns,
    recognise: Recognise<'_>,
) -> Work {
    let parts = [Part::Folder {
        location: location.to_owned(),
        path: path.to_owned(),
    }];
    let mut unused = Vec::new();
    let mut root = read_tree(&parts, None, &mut unused);
    if let Some(folder) = root.folders.first_mut() {
        folder.name = name;
    }
    sort(&root, unused, patterns, recognise)
}

/// Reads everything that a student submitted.
pub(crate) fn read_work(
    parts: &[Part],
    patterns: &Patterns,
    recognise: Recognise<'_>,
    unpacker: &Unpacker<'_>,
) -> Work {
    let mut unused = Vec::new();
    let root = read_tree(parts, Some(unpacker), &mut unused);
    sort(&root, unused, patterns, recognise)
}

fn sort(
    root: &Folder,
    unused: Vec<UnusedFile>,
    patterns: &Patterns,
    recognise: Recognise<'_>,
) -> Work {
    let mut sorter = Sorter {
        patterns,
        recognise,
        candidates: (0..patterns.len()).map(|_| Vec::new()).collect(),
        missing: root.unreadable.clone(),
        unused,
        several: None,
        undecided: None,
    };
    sorter.sort_folder(root, 0);
    let mut work = Work::default();
    for index in 0..patterns.len() {
        let id = patterns.problem(index).id.clone();
        match sorter.choose(index) {
            Some(Ok(submission)) => drop(work.submissions.insert(id, submission)),
            Some(Err(unreadable)) => drop(work.faults.insert(id, unreadable)),
            None => work
                .faults
                .extend(sorter.missing.clone().map(|missing| (id, missing))),
        }
    }
    work.undecided = sorter.undecided;
    work.unused = sorter.unused;
    work
}

/// Something that could be the submission for a problem.
struct Candidate<'t> {
    rank: Rank,
    /// Its path for people.
    path: String,
    /// Its files, and their paths in the submission.
    sources: Vec<(&'t File, &'t str)>,
    /// Why it, or a part of it, is known to be unreadable.
    unreadable: Option<Unreadable>,
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

struct Sorter<'p, 't> {
    patterns: &'p Patterns,
    recognise: Recognise<'p>,
    /// For each problem.
    candidates: Vec<Vec<Candidate<'t>>>,
    /// Why work for any problem may be missing.
    missing: Option<Unreadable>,
    unused: Vec<UnusedFile>,
    /// Why no file of this folder is for a problem unless it has the problem's name.
    several: Option<Text>,
    /// The first of these.
    undecided: Option<Text>,
}

impl<'t> Sorter<'_, 't> {
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
        if below.is_archive {
            self.miss(below.unreadable.as_ref());
        }
        let best = self.patterns.best_for_folder(&below.name);
        let rank = |fit| Rank {
            by_content: false,
            depth,
            fit,
            is_folder: true,
            length: below.name.chars().count(),
        };
        let mut is_known = false;
        let outer = self.several.clone();
        if let Some((problem, fit)) = best {
            match read_program(below, problem, self.patterns) {
                Found::Program(program) => {
                    return self.sort_program(below, program, problem, rank(fit));
                }
                Found::Several(mains) => {
                    let names: Vec<&str> = mains.iter().map(|file| file.path_in(below)).collect();
                    let id = &self.patterns.problem(problem).id;
                    let reason = reason::several_mains(id, &names, &extension_of(names[0]));
                    self.undecided.get_or_insert_with(|| reason.clone());
                    self.several = Some(reason);
                }
                Found::Others => {}
            }
            if below.unreadable.is_some() && below.all_files().is_empty() {
                is_known = self.patterns.is_own_name(problem, &below.name);
                self.candidates[problem].push(Candidate {
                    rank: rank(fit),
                    path: format!("{}/", below.path),
                    sources: Vec::new(),
                    unreadable: below.unreadable.clone(),
                });
            }
        }
        if !is_known {
            self.miss(below.unreadable.as_ref());
        }
        self.sort_folder(below, depth + 1);
        self.several = outer;
    }

    /// A folder that is one program.
    fn sort_program(
        &mut self,
        folder: &'t Folder,
        program: Program<'t>,
        problem: usize,
        rank: Rank,
    ) {
        let sources = program.sources.into_iter();
        self.candidates[problem].push(Candidate {
            rank,
            path: format!("{}/", folder.path),
            sources: sources.map(|file| (file, file.path_in(folder))).collect(),
            unreadable: program.missing.cloned(),
        });
        for file in program.rest {
            self.sort_file(file, rank.depth + 1);
        }
        for archive in folder.archives() {
            self.sort_below(archive, rank.depth + 1);
        }
    }

    fn sort_file(&mut self, file: &'t File, depth: usize) {
        let name = &file.name;
        let kind = Kind::of(name);
        let best = self.patterns.best(name).map(|(problem, fit)| {
            let rank = Rank {
                by_content: kind == Kind::Other,
                depth,
                fit,
                is_folder: false,
                length: name.chars().count(),
            };
            (problem, rank)
        });
        if let Err(unreadable) = &file.location {
            match best {
                Some((problem, rank)) if kind != Kind::Header => {
                    self.add(file, problem, rank, Some(unreadable.clone()));
                }
                // Of other files the name shows that they are no program.
                _ if kind.is_source() || is_archive(name) => self.miss(Some(unreadable)),
                _ => {}
            }
            return;
        }
        match (kind, best) {
            (Kind::Source(language), Some((problem, rank))) => {
                self.sort_source(file, language, problem, rank);
            }
            (Kind::Source(_), None) => {
                let reason = match (&self.several, self.patterns.nearest(name)) {
                    (Some(reason), _) => reason.clone(),
                    (None, Some(expected)) => reason::did_you_mean(name, &expected),
                    (None, None) => reason::no_problem(name, &self.patterns.examples(name)),
                };
                self.pass(&file.path, reason, true);
            }
            (Kind::Header, _) => self.pass(&file.path, reason::header(), true),
            (Kind::Other, _) if is_archive(name) => self.pass(&file.path, reason::archive(), true),
            (Kind::Other, Some((problem, rank))) => self.sort_guess(file, problem, rank),
            (Kind::Other, None) => self.pass(&file.path, reason::not_source(), false),
        }
    }

    /// A file whose name fits a problem, but is not that of a source: what it holds decides.
    fn sort_guess(&mut self, file: &'t File, problem: usize, rank: Rank) {
        let most = self.patterns.problem(problem).submission.size;
        match language_by_content(file, most.0, self.recognise) {
            Ok(Some(language)) => self.sort_source(file, language, problem, rank),
            Ok(None) => self.pass(&file.path, reason::not_source(), true),
            Err(unreadable) => {
                self.pass(&file.path, unreadable.why.clone(), true);
                self.add(file, problem, rank, Some(unreadable));
            }
        }
    }

    fn sort_source(&mut self, file: &'t File, language: LanguageId, problem: usize, rank: Rank) {
        let rule = self.patterns.problem(problem);
        if rule.submission.languages.contains(&language) {
            return self.add(file, problem, rank, None);
        }
        let reason = reason::language(language, &rule.id, &rule.submission.languages);
        self.pass(&file.path, reason, true);
    }

    /// A file that is a candidate.
    fn add(&mut self, file: &'t File, problem: usize, rank: Rank, unreadable: Option<Unreadable>) {
        self.candidates[problem].push(Candidate {
            rank,
            path: file.path.clone(),
            sources: vec![(file, &file.name)],
            unreadable,
        });
    }

    /// Takes the best candidate for a problem that is not too large. If that cannot be read, so it is: the next best is
    /// not what the student wants judged.
    fn choose(&mut self, problem: usize) -> Option<Result<Submission, Unreadable>> {
        let mut candidates = std::mem::take(&mut self.candidates[problem]);
        // Of two entries of one name in an archive nobody knows which counts: the one that was skipped goes first.
        candidates.sort_by(|a, b| {
            let (a_key, b_key) = (
                (a.rank, a.unreadable.is_none()),
                (b.rank, b.unreadable.is_none()),
            );
            a_key.cmp(&b_key).then_with(|| a.path.cmp(&b.path))
        });
        let most = self.patterns.problem(problem).submission.size;
        let mut chosen = None;
        let mut others: Option<Text> = None;
        for candidate in candidates {
            let path = &candidate.path;
            if let Some(reason) = &others {
                // What cannot be read is reported already.
                if candidate.unreadable.is_none() {
                    self.pass(path, reason.clone(), true);
                }
                continue;
            }
            let read = match candidate.unreadable {
                Some(unreadable) => Err(Rejected::Unreadable(None, unreadable)),
                None => read_submission(&candidate.sources, most, self.recognise),
            };
            match read {
                Ok(submission) => {
                    others = Some(reason::not_used(path));
                    chosen = Some(Ok(submission));
                }
                Err(Rejected::TooLarge(size)) => {
                    self.pass(path, reason::too_large(size, most), true);
                }
                Err(Rejected::Unreadable(file, unreadable)) => {
                    if let Some(file) = file {
                        self.pass(file, unreadable.why.clone(), true);
                    }
                    others = Some(reason::not_used_for(path));
                    chosen = Some(Err(unreadable));
                }
            }
        }
        chosen
    }

    /// Work for any problem may be missing.
    fn miss(&mut self, unreadable: Option<&Unreadable>) {
        self.missing = self.missing.take().or_else(|| unreadable.cloned());
    }

    fn pass(&mut self, path: &str, reason: Text, notable: bool) {
        self.unused.push(junk::unused(path, reason, notable));
    }
}

/// Why a candidate is not the submission.
enum Rejected<'t> {
    /// Its size.
    TooLarge(Bytes),
    /// The file, if that is not reported yet.
    Unreadable(Option<&'t str>, Unreadable),
}

/// Reads the files of a submission, with their paths in it.
fn read_submission<'t>(
    sources: &[(&'t File, &str)],
    most: Bytes,
    recognise: Recognise<'_>,
) -> Result<Submission, Rejected<'t>> {
    let size: u64 = sources.iter().map(|(file, _)| file.size).sum();
    if size > most.0 {
        return Err(Rejected::TooLarge(Bytes(size)));
    }
    let mut left = most.0;
    let (mut found, mut held) = (Vec::new(), Vec::new());
    for (file, path) in sources {
        let failed = |unreadable| Rejected::Unreadable(Some(&file.path), unreadable);
        let location = file.location.clone().map_err(failed)?;
        let bytes = file.read(left).map_err(failed)?;
        // It may have grown since it was looked at.
        let bytes = bytes.ok_or(Rejected::TooLarge(Bytes(most.0.saturating_add(1))))?;
        left -= bytes.len() as u64;
        found.push(FileOnDisk::new(path, location, &bytes));
        held.push(SourceFile::new(*path, bytes));
    }
    let shown = sources.iter().map(|(file, _)| file.path.clone());
    let language = recognise(&held);
    Ok(Submission::on_disk(found, shown.collect(), language))
}
