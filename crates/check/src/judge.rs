//! From a checker's options to its function.

use grader_model::{Evidence, Judgement, Mark};
use grader_problem::Checker;
use thiserror::Error;

use crate::{
    board, cap, clean, columns, exact, gray_code, gray_grid, lines, numbers, room, say, scan,
    tokens,
};

/// A checker could not decide. Our fault, never the student's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// The checker compares, and there is nothing to compare with.
    #[error("checker `{checker}` needs an expected output, found none")]
    NoAnswer {
        /// Its name in problem files.
        checker: &'static str,
    },
    /// The checker is a program of the problem's author, which must be run.
    #[error("the checker is a program, which must be run")]
    Program,
}

/// Judges what a program wrote.
///
/// `expected` is the right answer; checkers for which [`Checker::needs_answer`] is false do not look at it.
///
/// # Errors
///
/// When the checker needs an expected output and there is none.
pub fn judge(
    checker: &Checker,
    output: &[u8],
    expected: Option<&[u8]>,
) -> Result<Judgement, CheckError> {
    let mut judgement = decide(checker, output, expected)?;
    if judgement.mark != Mark::Right
        && let Some(clean) = clean::cleaned(output)
    {
        let again = match clean.bytes(room::of(checker, expected)) {
            Some(bytes) => Some(decide(checker, &bytes, expected)?),
            None => None,
        };
        match again.filter(|again| again.mark != Mark::Wrong) {
            Some(again) => {
                let mut evidence = clean.evidence();
                evidence.extend(again.evidence);
                judgement = Judgement {
                    mark: Mark::Layout,
                    evidence,
                };
            }
            None => judgement.evidence.extend(clean.evidence()),
        }
    }
    cap::cap(&mut judgement);
    Ok(judgement)
}

fn decide(
    checker: &Checker,
    output: &[u8],
    expected: Option<&[u8]>,
) -> Result<Judgement, CheckError> {
    let needed = || {
        expected.ok_or(CheckError::NoAnswer {
            checker: checker.name(),
        })
    };
    let empty = scan::is_blank(output);
    Ok(match checker {
        Checker::Exact => {
            let expected = needed()?;
            if output == expected {
                Judgement::right()
            } else if empty && !scan::is_blank(expected) {
                no_output(output)
            } else {
                exact::judge(output, expected)
            }
        }
        Checker::Lines | Checker::Tokens { .. } | Checker::Numbers { .. }
            if empty && !scan::is_blank(needed()?) =>
        {
            no_output(output)
        }
        Checker::Lines => lines::judge(output, needed()?),
        Checker::Tokens { case_sensitive } => tokens::judge(output, needed()?, *case_sensitive),
        Checker::Numbers {
            absolute, relative, ..
        } => numbers::judge(output, needed()?, *absolute, *relative),
        Checker::QueensBoard { size, .. } | Checker::QueensColumns { size, .. }
            if empty && *size > 0 =>
        {
            no_output(output)
        }
        Checker::QueensBoard {
            size,
            queen,
            blank,
            separator,
        } => board::judge(output, *size, queen, blank, separator),
        Checker::QueensColumns { size, base } => columns::judge(output, *size, *base),
        Checker::GrayCode { bits, .. } if empty && *bits > 0 => no_output(output),
        Checker::GrayGrid { rows, columns } if empty && (*rows > 0 || *columns > 0) => {
            no_output(output)
        }
        Checker::Program { .. } => return Err(CheckError::Program),
        Checker::GrayCode { bits, order } => gray_code::judge(output, *bits, *order),
        Checker::GrayGrid { rows, columns } => gray_grid::judge(output, *rows, *columns),
    })
}

fn no_output(output: &[u8]) -> Judgement {
    let message = if output.is_empty() {
        say::text("the program printed nothing", "程序没有任何输出")
    } else {
        say::text(
            "the program printed nothing but white space",
            "程序只输出了空白字符",
        )
    };
    Judgement::because(Mark::Wrong, Evidence::new("no-output", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_answer_is_our_fault() {
        let error = judge(&Checker::Lines, b"92\n", None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "checker `lines` needs an expected output, found none"
        );
    }

    #[test]
    fn an_empty_output_has_its_own_words_in_every_checker() {
        let checkers = [
            Checker::Exact,
            Checker::Lines,
            Checker::Tokens {
                case_sensitive: true,
            },
            Checker::Numbers {
                absolute: 0.0,
                relative: 0.0,
                case_sensitive: true,
            },
            Checker::QueensBoard {
                size: 4,
                queen: "Q".to_owned(),
                blank: "#".to_owned(),
                separator: String::new(),
            },
            Checker::QueensColumns { size: 4, base: 1 },
            Checker::GrayCode {
                bits: 2,
                order: grader_problem::GrayOrder::Any,
            },
            Checker::GrayGrid {
                rows: 1,
                columns: 1,
            },
        ];
        for checker in checkers {
            for (output, words) in [
                (&b""[..], "the program printed nothing"),
                (b" \r\n\n", "the program printed nothing but white space"),
            ] {
                let judgement = judge(&checker, output, Some(b"92\n")).unwrap();
                assert_eq!(judgement.mark, Mark::Wrong);
                assert_eq!(judgement.evidence.len(), 1);
                assert_eq!(judgement.evidence[0].code, "no-output");
                assert_eq!(judgement.evidence[0].message.en, words);
            }
        }
    }

    #[test]
    fn an_empty_output_may_be_what_is_expected() {
        for checker in [Checker::Exact, Checker::Lines] {
            assert_eq!(judge(&checker, b"", Some(b"")), Ok(Judgement::right()));
        }
    }
}
