//! The checker of a case, from `[checker.…]`.

use crate::author_program::Role;
use crate::checker_options::{CheckerFile, LinesFile, NumbersFile, ProgramFile, QueensBoardFile};
use crate::constants::{MAX_COLUMNS, MAX_DRAWN_BOARD};
use crate::contains::contains;
use crate::context::{Context, Variables};
use crate::problem::{Checker, TokenOptions};
use crate::suggest::quoted;
use crate::value::{At, Scalar};

pub(crate) fn checker(
    file: &At<CheckerFile>,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Checker {
    match &file.value {
        CheckerFile::Exact(_) => Checker::Exact,
        CheckerFile::Lines(LinesFile { any_order: true }) => Checker::AnyOrder,
        CheckerFile::Lines(_) => Checker::Lines,
        CheckerFile::Tokens(options) => Checker::Tokens(*options),
        CheckerFile::Numbers(options) => {
            if options.absolute.is_none() && options.relative.is_none() {
                let message = "`numbers` needs a tolerance: `absolute`, `relative` or both\nwrite `absolute = 1e-6`";
                context.report(&options.span, message);
            }
            if options.skip_words && options.space_change_sensitive {
                let message = "`skip-words` and `space-change-sensitive` cannot be used together";
                context.report(&options.span, message);
            }
            numbers(options)
        }
        CheckerFile::Contains(options) => Checker::Contains(contains(options, variables, context)),
        CheckerFile::QueensBoard(options) => {
            check_symbols(options, context);
            Checker::QueensBoard {
                size: size(&options.size, MAX_DRAWN_BOARD, variables, context),
                queen: options.queen.value.clone(),
                blank: options.blank.value.clone(),
                separator: options.separator.clone(),
            }
        }
        CheckerFile::QueensColumns(options) => Checker::QueensColumns {
            size: size(&options.size, MAX_COLUMNS, variables, context),
            base: options.base.get(),
        },
        CheckerFile::Program(options) => author_program(options, Role::Checker, variables, context),
    }
}

fn numbers(options: &NumbersFile) -> Checker {
    let absolute = options.absolute.map_or(0.0, |value| value.0);
    let relative = options.relative.map_or(0.0, |value| value.0);
    if options.skip_words {
        return Checker::OnlyNumbers { absolute, relative };
    }
    Checker::Numbers {
        absolute,
        relative,
        tokens: TokenOptions {
            case_sensitive: options.case_sensitive,
            space_change_sensitive: options.space_change_sensitive,
        },
    }
}

/// A checker or interactor program of the author.
pub(crate) fn author_program(
    file: &ProgramFile,
    role: Role,
    variables: &Variables,
    context: &mut Context<'_>,
) -> Checker {
    Checker::Program(context.author_call(file, role, variables))
}

/// The number of rows of a board. Reports a mistake and returns 1 if it is wrong.
fn size(at: &At<Scalar>, max: u32, variables: &Variables, context: &mut Context<'_>) -> u32 {
    let Some(text) = context.fill(at, variables) else {
        return 1;
    };
    let size = text.trim().parse().ok();
    size.filter(|size| (1..=max).contains(size))
        .unwrap_or_else(|| {
            let found = quoted(&text);
            let message = format!("`size` must be a whole number from 1 to {max}, found {found}");
            context.report(&at.span, &message);
            1
        })
}

fn check_symbols(board: &QueensBoardFile, context: &mut Context<'_>) {
    for (key, at) in [("queen", &board.queen), ("blank", &board.blank)] {
        if at.trim().is_empty() || at.chars().any(char::is_control) {
            let found = quoted(at);
            let message = format!("`{key}` must be a visible symbol, found {found}");
            context.report(&at.span, &message);
        }
    }
    if board.queen.value == board.blank.value {
        context.report(&board.blank.span, "`queen` and `blank` must differ");
    }
}
