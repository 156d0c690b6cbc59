//! Folders that are one submission of several files.

use grader_model::LanguageId;

use crate::junk::is_archive;
use crate::name::stem_of;
use crate::notebook::program_name;
use crate::pattern::Patterns;
use crate::pool::Pool;
use crate::program::{Kind, has_main, is_notebook, is_text};
use crate::start::{Start, start};
use crate::tree::{File, Folder};
use crate::unreadable::Unreadable;

/// The files of a folder that is one program.
pub(crate) struct Program<'t> {
    /// Its sources, headers, and other texts that they may include.
    pub(crate) sources: Vec<&'t File>,
    /// The source in which it starts, or which the author's program uses, if it is known.
    pub(crate) entry: Option<&'t File>,
    /// What else lies in the folder.
    pub(crate) rest: Vec<&'t File>,
    /// Why it may lack a part.
    pub(crate) missing: Option<&'t Unreadable>,
}

/// What a folder with the name of a problem holds.
pub(crate) enum Found<'t> {
    Program(Program<'t>),
    /// Sources in which it could start, none of which has the problem's name, or a better one: nobody knows which is meant.
    Several(Vec<&'t File>),
    /// No sources, or programs with names of their own: the folder must be looked through.
    Others,
}

pub(crate) fn read_program<'t>(
    folder: &'t Folder,
    problem: usize,
    patterns: &Patterns,
    pool: &Pool<'t>,
) -> Found<'t> {
    let Some(mut program) = one_language(folder, problem, patterns) else {
        return Found::Others;
    };
    let sources = program.sources.iter().copied();
    let sources = sources.filter(|file| patterns.kind(&file.name).is_source());
    if let Some([one, other]) = twins(&program, problem, patterns) {
        let has_name = |file: &File| patterns.fit(problem, &file.name).is_some();
        return if has_name(one) && has_name(other) {
            Found::Others
        } else {
            Found::Several(vec![one, other])
        };
    }
    let is_for_another = |file| is_for_another(file, folder, problem, patterns);
    if sources.clone().any(is_for_another) {
        return Found::Others;
    }
    // In these languages every file is a program by itself; only names distinguish alternatives from parts.
    let is_alone = |file: &File| {
        let kind = patterns.kind(&file.name);
        matches!(kind, Kind::Source(LanguageId::Python | LanguageId::Pascal))
    };
    let is_program = |file: &&File| {
        if is_alone(file) {
            return patterns.fit(problem, &file.name).is_some();
        }
        // What cannot be read is reported when the submission is read.
        let text = file.read(patterns.problem(problem).submission.size.0);
        text.ok().flatten().is_some_and(|text| has_main(&text))
    };
    let programs: Vec<&File> = sources.clone().filter(is_program).collect();
    let has_name = |file: &&File| is_alone(file) || patterns.best(&file.name).is_some();
    let fit = |file: &&File| {
        let fit = patterns.fit(problem, &file.name);
        (fit.is_none(), fit)
    };
    // A file without a `main` is a part, even if it has the problem's name, unless the author has the `main`.
    let is_whole = |file: &File| {
        let has_authors_files = !patterns.problem(problem).submission.include.is_empty();
        is_alone(file) || has_authors_files || programs.iter().any(|it| it.path == file.path)
    };
    if programs.len() > 1
        && sources
            .clone()
            .filter(has_name)
            .min_by_key(fit)
            .is_some_and(is_whole)
    {
        return Found::Others;
    }
    let places: Vec<usize> = sources.filter_map(|file| pool.find(file)).collect();
    program.entry = match start(&places, problem, pool, patterns) {
        Start::In(at) => Some(pool.files[at].file),
        Start::Several(_) if programs.len() > 1 => return Found::Several(programs),
        Start::Several(_) | Start::Nowhere => None,
    };
    Found::Program(program)
}

/// The files of the one accepted language in which most of a folder's sources are, and all headers and other
/// texts beside them for which the problem leaves room: a source may include a file of any name.
fn one_language<'t>(
    folder: &'t Folder,
    problem: usize,
    patterns: &Patterns,
) -> Option<Program<'t>> {
    let rule = &patterns.problem(problem).submission;
    let files = folder.all_files();
    let kinds: Vec<Kind> = files.iter().map(|file| patterns.kind(&file.name)).collect();
    let is_of = |language| move |kind: &&Kind| **kind == Kind::Source(language);
    let count = |language| kinds.iter().filter(is_of(language)).count();
    // The first of those that have most, in the order in which languages are listed.
    let language = patterns
        .languages
        .iter()
        .map(|language| language.id)
        .filter(|language| rule.languages.contains(language) && count(*language) > 0)
        .rev()
        .max_by_key(|&language| count(language))?;
    let belongs = |file: &File| match patterns.kind(&file.name) {
        kind @ Kind::Source(_) => kind.goes_with(language) && kind.is_accepted(&rule.languages),
        Kind::Header => true,
        Kind::Other => false,
    };
    let belonging = files.iter().filter(|file| belongs(file));
    let size = belonging.map(|file| file.size).sum();
    let mut room = rule.size.0.saturating_sub(size);
    let mut goes_along = |file: &File| {
        // With a notebook that may be the program, the folder is not judged.
        if is_notebook(&file.name, b"") {
            return may_be_program(file, &files, problem, patterns);
        }
        let taken = patterns.kind(&file.name) == Kind::Other
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
    let is_part = |file: &&File| belongs(file) || goes_along(file);
    let (sources, rest): (Vec<&File>, _) = files.iter().copied().partition(is_part);
    let unreadable = |file: &&'t File| file.location.as_ref().err();
    Some(Program {
        missing: folder
            .missing()
            .or_else(|| sources.iter().find_map(unreadable)),
        entry: None,
        sources,
        rest,
    })
}

/// Whether a notebook may be the program for a problem: none of these files is its export, or one with a better name. If its own name
/// fits no problem, any whose name fits is meant.
pub(crate) fn may_be_program(
    notebook: &File,
    files: &[&File],
    problem: usize,
    patterns: &Patterns,
) -> bool {
    let languages = &patterns.problem(problem).submission.languages;
    let own = patterns.fit(problem, &program_name(&notebook.name));
    let is_instead = |file: &&File| {
        let kind = patterns.kind(&file.name);
        let is_python = kind == Kind::Source(LanguageId::Python);
        let fit = patterns.fit(problem, &file.name);
        kind.is_accepted(languages)
            && fit.is_some_and(|fit| own.is_none_or(|own| is_python && fit <= own))
    };
    is_notebook(&notebook.name, b"")
        && languages.contains(&LanguageId::Python)
        && !files.iter().any(is_instead)
}

/// A source and one of the same name in another accepted language: nothing says which of them is meant.
fn twins<'t>(program: &Program<'t>, problem: usize, patterns: &Patterns) -> Option<[&'t File; 2]> {
    let languages = &patterns.problem(problem).submission.languages;
    let accepted = |file: &&File| patterns.kind(&file.name).is_accepted(languages);
    let stem = |file: &File| stem_of(&file.path).to_lowercase();
    let mut rest = program.rest.iter().filter(|it| accepted(it));
    rest.find_map(|other| {
        let mut sources = program.sources.iter().filter(|it| accepted(it));
        let one = sources.find(|it| stem(it) == stem(other))?;
        Some([*one, *other])
    })
}

/// Whether a file in a folder for `problem` is for another problem by its name. In a folder of the problem's
/// own name nothing is, whatever the files are called.
fn is_for_another(file: &File, folder: &Folder, problem: usize, patterns: &Patterns) -> bool {
    let best = patterns.best(&file.name);
    best.is_some_and(|(index, _)| index != problem) && !patterns.is_own_name(problem, &folder.name)
}
