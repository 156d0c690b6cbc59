//! The input and the command line that reproduce a run by hand.

use grader_language::Language;
use grader_model::{Excerpt, Points, file_name, file_stem, typed};
use grader_problem::{Case, Problem};

use crate::build::Built;
use crate::constants::{MAX_STORED_INPUT_BYTES, MAX_TYPED_INPUT_BYTES};

/// The input of a case. `None` if there is none, or if an interactor reads it in its own format.
pub(crate) fn input(case: &Case) -> Option<Excerpt> {
    let is_read = !case.input.is_empty() && !case.checker.is_interactive();
    is_read.then(|| Excerpt::input(&case.input, MAX_STORED_INPUT_BYTES))
}

/// `printf '6\n' | ./count`, or `printf '6\n' > in.txt && ./count && cat out.txt`: runs a program of these files on a case.
/// `None` if that takes more than one line.
pub(crate) fn command(
    built: &Built,
    files: &[String],
    problem: &Problem,
    case: &Case,
) -> Option<String> {
    if !built.language.is_of_programs() {
        return None;
    }
    let own_build = built.language.definition.build.as_ref();
    let (before, mut words) = match (own_build, files) {
        (Some(own), _) => (String::new(), vec![format!("./{}", own.program)]),
        (None, [file]) if built.plan.has_authors_main => with_authors_main(built, file, problem)?,
        (None, [file]) => (String::new(), of_file(&built.language, file)?),
        _ => return None,
    };
    words.extend(case.arguments.iter().cloned());
    let mut command = typed(words);
    if let Some(name) = &problem.run.output_file {
        command = format!("{command} && cat {}", typed([name]));
    }
    let input_file = problem.run.input_file.as_ref();
    let is_without = case.input.is_empty() && input_file.is_none();
    if is_without || case.checker.is_interactive() {
        return Some(before + &command);
    }
    let input = std::str::from_utf8(&case.input).ok()?;
    let is_shown = |c: char| c == '\n' || !c.is_control();
    if input.len() > MAX_TYPED_INPUT_BYTES || !input.chars().all(is_shown) {
        return None;
    }
    let format = input.replace('\\', r"\\").replace('%', "%%");
    let format = typed([format.replace('\n', r"\n")]);
    // Otherwise `-1` would be an option.
    let end = if input.starts_with('-') { "-- " } else { "" };
    let print = format!("{before}printf {end}{format}");
    Some(match input_file {
        Some(name) => format!("{print} > {} && {command}", typed([name])),
        None => format!("{print} | {command}"),
    })
}

/// Starts a program of one file.
fn of_file(language: &Language, file: &str) -> Option<Vec<String>> {
    let stem = file_stem(file);
    let has = |word: &str| language.definition.run.iter().any(|it| it == word);
    Some(match language.definition.run.first()?.as_str() {
        "{program}" => vec![format!("./{stem}")],
        tool if has("{main}") => vec![tool.to_owned(), file.to_owned()],
        tool if has("{class}") => vec![tool.to_owned(), stem.to_owned()],
        _ => return None,
    })
}

/// `cp gcd/main.c . && gcc main.c gcd.c -o program && ` and `./program`, for students who have the kit: it has the author's
/// files. `None` if there is no kit of the problem.
fn with_authors_main(
    built: &Built,
    file: &str,
    problem: &Problem,
) -> Option<(String, Vec<String>)> {
    let mut subtasks = problem.subtasks.iter();
    let has_kit = subtasks.any(|it| !it.hidden && it.points > Points::ZERO);
    if !has_kit || built.plan.is_edited {
        return None;
    }
    let (compile, start) = built.language.by_hand(&built.plan)?;
    let include = &problem.submission.include;
    let paths = built.plan.files.iter().map(|(path, _)| path.as_str());
    let (authors, own): (Vec<_>, Vec<_>) =
        paths.partition(|path| include.iter().any(|it| it.path == *path));
    let file = file.strip_prefix("./").unwrap_or(file);
    // A name could be taken for an option.
    let [own] = own[..] else { return None };
    if [own, file].iter().any(|name| name.starts_with(['-', '@'])) {
        return None;
    }
    let authors = authors.iter().map(|path| format!("{}/{path}", problem.id));
    let mut copied: Vec<String> = authors.collect();
    let has_name = file_name(file) == own;
    if has_name && file != own {
        copied.push(file.to_owned());
    }
    let copy = ["cp".to_owned()].into_iter().chain(copied);
    let mut steps = vec![typed(copy.chain([".".to_owned()]))];
    if !has_name {
        steps.push(typed(["cp", file, own]));
    }
    if !compile.is_empty() {
        steps.push(typed(compile));
    }
    let before = steps.iter().map(|step| format!("{step} && "));
    Some((before.collect(), start))
}
