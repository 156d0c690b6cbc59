//! Folders that are one submission of several files.

use grader_model::LanguageId;

use crate::pattern::Patterns;
use crate::program::{Kind, has_main};
use crate::tree::{File, Folder, read_at_most};

/// The files of a folder that is one program.
pub(crate) struct FolderProgram<'t> {
    /// Its sources and headers.
    pub(crate) sources: Vec<&'t File>,
    /// What else lies in the folder.
    pub(crate) rest: Vec<&'t File>,
}

/// The program of a folder whose name fits a problem; nothing where the folder must be looked through,
/// because it holds no sources, several programs, or programs for other problems too.
pub(crate) fn folder_program<'t>(
    folder: &'t Folder,
    problem: usize,
    patterns: &Patterns,
) -> Option<FolderProgram<'t>> {
    let rule = &patterns.problem(problem).submission;
    let program = one_language(folder, &rule.languages)?;
    let of_another = |file: &&File| {
        let best = patterns.best(&file.name);
        best.is_some_and(|(index, _)| index != problem)
    };
    // A folder of the problem's own name is for nothing else, whatever its files are called.
    if !patterns.is_own_name(problem, &folder.name) && program.sources.iter().any(of_another) {
        return None;
    }
    // Too large anyway, and said so when it is read: no reason to read it twice.
    let size: u64 = program.sources.iter().map(|file| file.size).sum();
    if size > rule.size.0 {
        return Some(program);
    }
    let sources = || {
        let is_source = |file: &&&File| matches!(Kind::of(&file.name), Kind::Source(_));
        program.sources.iter().filter(is_source)
    };
    let programs = match sources().next().map(|file| Kind::of(&file.name)) {
        // Every file of these is a program by itself; names tell alternatives from parts.
        Some(Kind::Source(LanguageId::Python | LanguageId::Pascal)) => sources()
            .filter(|file| patterns.fit(problem, &file.name).is_some())
            .count(),
        _ => sources()
            .filter(|file| {
                // What cannot be read is found out, and said, when the submission is read.
                let text = read_at_most(&file.location, rule.size.0).ok().flatten();
                text.is_some_and(|text| has_main(&text))
            })
            .count(),
    };
    (programs <= 1).then_some(program)
}

/// The files of the one accepted language in which most of a folder's sources are.
pub(crate) fn one_language<'t>(
    folder: &'t Folder,
    accepted: &[LanguageId],
) -> Option<FolderProgram<'t>> {
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
        .filter(|language| accepted.contains(language) && count(*language) > 0)
        .rev()
        .max_by_key(|&language| count(language))?;
    let belongs = |file: &&File| {
        let kind = Kind::of(&file.name);
        kind.goes_with(Kind::Source(language)) && kind.is_accepted(accepted)
    };
    let (sources, rest) = files.into_iter().partition(belongs);
    Some(FolderProgram { sources, rest })
}
