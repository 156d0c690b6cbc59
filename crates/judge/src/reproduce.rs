//! The input and the command line that reproduce a run by hand.

use grader_language::Language;
use grader_model::{Excerpt, file_stem};
use grader_problem::{Case, Problem};

use crate::command_line::typed;
use crate::constants::{MAX_STORED_INPUT_BYTES, MAX_TYPED_INPUT_BYTES};

/// The input of a case. `None` if there is none, or if an interactor reads it in its own format.
pub(crate) fn input(case: &Case) -> Option<Excerpt> {
    let is_read = !case.input.is_empty() && !case.checker.is_interactive();
    is_read.then(|| Excerpt::block(&case.input, MAX_STORED_INPUT_BYTES))
}

/// `printf '6\n' | ./count`: runs a program of these files on a case. `None` if that takes more than one line.
pub(crate) fn command(
    language: &Language,
    files: &[String],
    problem: &Problem,
    case: &Case,
) -> Option<String> {
    let [file] = files else {
        return None;
    };
    let stem = file_stem(file);
    let has = |word: &str| language.definition.run.iter().any(|it| it == word);
    let mut words = match language.definition.run.first()?.as_str() {
        "{program}" => vec![format!("./{stem}")],
        tool if has("{main}") => vec![tool.to_owned(), file.clone()],
        tool if has("{class}") => vec![tool.to_owned(), stem.to_owned()],
        _ => return None,
    };
    words.extend(case.arguments.iter().cloned());
    let command = typed(words);
    if case.input.is_empty() || case.checker.is_interactive() {
        return Some(command);
    }
    let input = std::str::from_utf8(&case.input).ok()?;
    let is_shown = |c: char| c == '\n' || !c.is_control();
    let is_typed = input.len() <= MAX_TYPED_INPUT_BYTES && input.chars().all(is_shown);
    if problem.run.input_file.is_some() || !is_typed {
        return None;
    }
    let format = input.replace('\\', r"\\").replace('%', "%%");
    let format = typed([format.replace('\n', r"\n")]);
    Some(format!("printf {format} | {command}"))
}
