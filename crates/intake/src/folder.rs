//! Folders that are one submission of several files.

use grader_model::{Bytes, LanguageId};

use crate::junk::is_archive;
use crate::pattern::Patterns;
use crate::program::{Kind, has_main, is_text};
use crate::tree::{File, Folder};
use crate::unreadable::Unreadable;

/// The files of a folder that is one program.
pub(crate) struct FolderProgram<'t> {
    /// Its sources, headers, and other texts that they may include.
    pub(crate) sources: Vec<&'t File>,
    /// What else lies in the folder.
    pub(crate) rest: Vec<&'t File>,
    /// Why it may lack a part.
    pub(crate) missing: Option<&'t Unreadable>,
}

/// The program of a folder whose name fits a problem; `None` if the folder must be looked through, because it holds no
/// sources, several programs, or programs for other problems too.
pub(crate) fn folder_program<'t>(
    folder: &'t Folder,
    problem: usize,
    patterns: &Patterns,
) -> Option<FolderProgram<'t>> {
    let rule = &patterns.problem(problem).submission;
    let program = one_language(folder, problem, patterns)?;
    let sources = || {
        let is_source = |file: &&&File| Kind::of(&file.name).is_source();
        program.sources.iter().filter(is_source)
    };
    if sources().any(|file| is_for_another(file, folder, problem, patterns)) {
        return None;
    }
    // Too large, which is reported when it is read: no reason to read it twice.
    let size: u64 = program.sources.iter().map(|file| file.size).sum();
    if size > rule.size.0 {
        return Some(program);
    }
    let programs = match sources().next().map(|file| Kind::of(&file.name)) {
        // Every file of these is a program by itself; names tell alternatives from parts.
        Some(Kind::Source(LanguageId::Python | LanguageId::Pascal)) => sources()
            .filter(|file| patterns.fit(problem, &file.name).is_some())
            .count(),
        _ => with_main(&program, rule.size).len(),
    };
    (programs <= 1).then_some(program)
}

/// The sources of a program that have a `main`.
fn with_main<'t>(program: &FolderProgram<'t>, most: Bytes) -> Vec<&'t File> {
    let has_main = |file: &&&File| {
        // What cannot be read is reported when the submission is read.
        let text = file.read(most.0).ok().flatten();
        Kind::of(&file.name).is_source() && text.is_some_and(|text| has_main(&text))
    };
    program.sources.iter().filter(has_main).copied().collect()
}

/// The sources with a `main` in a folder for one problem, if there are several and none has the problem's name: nobody
/// knows which is meant.
pub(crate) fn several_mains<'t>(
    folder: &'t Folder,
    problem: usize,
    patterns: &Patterns,
) -> Option<Vec<&'t File>> {
    let rule = &patterns.problem(problem).submission;
    let program = one_language(folder, problem, patterns)?;
    let size: u64 = program.sources.iter().map(|file| file.size).sum();
    if size > rule.size.0 {
        return None;
    }
    let mut mains = with_main(&program, rule.size);
    // Of these every file is a program by itself.
    mains.retain(|file| {
        let alone = [LanguageId::Python, LanguageId::Pascal].map(Kind::Source);
        !alone.contains(&Kind::of(&file.name))
    });
    let is_named = |file: &&File| patterns.best(&file.name).is_some();
    (mains.len() > 1 && !mains.iter().any(is_named)).then_some(mains)
}

/// The files of the one accepted language in which most of a folder's sources are, and all headers and other
/// texts beside them for which the problem leaves room: a source may include a file of any name.
fn one_language<'t>(
    folder: &'t Folder,
    problem: usize,
    patterns: &Patterns,
) -> Option<FolderProgram<'t>> {
    let rule = &patterns.problem(problem).submission;
    let files = folder.all_files();
    let count = |language: LanguageId| {
        let kind = Kind::Source(language);
        files
            .iter()
            .filter(|file| Kind::of(&file.name) == kind)
            .count()
    };
    // The first of those that have most, in the order in which languages are listed.
    let language = LanguageId::ALL
        .into_iter()
        .filter(|language| rule.languages.contains(language) && count(*language) > 0)
        .rev()
        .max_by_key(|&language| count(language))?;
    let belongs = |file: &File| match Kind::of(&file.name) {
        kind @ Kind::Source(_) => {
            kind.goes_with(Kind::Source(language)) && kind.is_accepted(&rule.languages)
        }
        Kind::Header => true,
        Kind::Other => false,
    };
    let size: u64 = files
        .iter()
        .filter(|file| belongs(file))
        .map(|f| f.size)
        .sum();
    let mut room = rule.size.0.saturating_sub(size);
    let mut goes_along = |file: &File| {
        let taken = Kind::of(&file.name) == Kind::Other
            && !is_archive(&file.name)
            && !is_for_another(file, folder, problem, patterns)
            && file.size <= room
            // What cannot be read may be a part.
            && is_text(file).unwrap_or(true);
        if taken {
            room -= file.size;
        }
        taken
    };
    let (sources, rest) = files
        .into_iter()
        .partition(|file| belongs(file) || goes_along(file));
    Some(FolderProgram {
        sources,
        rest,
        missing: folder.missing(),
    })
}

/// Whether a file in a folder for `problem` is for another problem by its name. In a folder of the problem's
/// own name nothing is, whatever the files are called.
fn is_for_another(file: &File, folder: &Folder, problem: usize, patterns: &Patterns) -> bool {
    !patterns.is_own_name(problem, &folder.name)
        && patterns
            .best(&file.name)
            .is_some_and(|(index, _)| index != problem)
}
