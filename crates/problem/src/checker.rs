//! The checker of a case, from `[checker.…]`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::context::Context;
use crate::file::{CheckerFile, QueensBoardFile};
use crate::problem::Checker;
use crate::suggest::quoted;
use crate::value::At;
use crate::variables::CheckerNumber;

/// Largest board that is drawn: it must fit into the largest output.
const MAX_BOARD: u32 = 10_000;
const MAX_COLUMNS: u32 = 10_000_000;

/// A case for which a checker is made.
pub(crate) struct CaseVariables<'a> {
    /// How messages call the case, with its subtask.
    pub(crate) place: &'a str,
    pub(crate) variables: &'a BTreeMap<String, String>,
}

impl CaseVariables<'_> {
    /// The checker of this case.
    pub(crate) fn checker(&self, file: &CheckerFile, context: &mut Context<'_>) -> Checker {
        match file {
            CheckerFile::Exact(_) => Checker::Exact,
            CheckerFile::Lines(_) => Checker::Lines,
            CheckerFile::Tokens(options) => Checker::Tokens {
                case_sensitive: options.case_sensitive,
                space_change_sensitive: options.space_change_sensitive,
            },
            CheckerFile::Numbers(options) => {
                if options.absolute.is_none() && options.relative.is_none() {
                    let message = "`numbers` needs a tolerance: `absolute`, `relative` or both\nwrite `absolute = 1e-6`";
                    context.report(&options.span, message);
                }
                Checker::Numbers {
                    absolute: options.absolute.map_or(0.0, |value| value.0),
                    relative: options.relative.map_or(0.0, |value| value.0),
                    case_sensitive: options.case_sensitive,
                    space_change_sensitive: options.space_change_sensitive,
                }
            }
            CheckerFile::QueensBoard(options) => {
                check_symbols(options, context);
                Checker::QueensBoard {
                    size: self.number("size", &options.size, 1..=MAX_BOARD, context),
                    queen: options.queen.value.clone(),
                    blank: options.blank.value.clone(),
                    separator: options.separator.clone(),
                }
            }
            CheckerFile::QueensColumns(options) => Checker::QueensColumns {
                size: self.number("size", &options.size, 1..=MAX_COLUMNS, context),
                base: options.base.get(),
            },
            CheckerFile::Program(options) => Checker::Program {
                program: context.checker_program(options),
                arguments: context.fill_all(&options.arguments, self.variables),
            },
        }
    }

    fn number(
        &self,
        key: &str,
        at: &At<CheckerNumber>,
        range: RangeInclusive<u32>,
        context: &mut Context<'_>,
    ) -> u32 {
        let Some(text) = context.fill(&at.0, &at.span, self.variables) else {
            return *range.start();
        };
        let value = text.trim().parse().ok();
        value
            .filter(|value| range.contains(value))
            .unwrap_or_else(|| {
                let message = format!(
                    "`{key}` must be a whole number from {} to {}, found {} in {}",
                    range.start(),
                    range.end(),
                    quoted(&text),
                    self.place
                );
                context.report(&at.span, &message);
                *range.start()
            })
    }
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
