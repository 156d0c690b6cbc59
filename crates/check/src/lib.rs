//! Built-in checkers: from a program's output to a judgement with evidence.
//!
//! [`check`] is a pure function; the rules of each checker are at the top of its file. Time is linear in the size of
//! the output and the expected output. Extra memory is a small multiple of the expected output, however much a hostile
//! program writes (`tests/memory.rs`). Nothing here panics: output may be invalid UTF-8, contain control characters, or
//! be one line of a million characters. Evidence is escaped and capped on construction, so every judgement is small.
//!
//! A judgement is *right*, *wrong* or *layout*: the right answer in a wrong format. All checkers recognise two such
//! formats: extra text around the answer (`extra.rs`) and invisible bytes (`invisible.rs`).
//!
//! ```
//! use grader_check::check;
//! use grader_model::Mark;
//! use grader_problem::{Checker, TokenOptions};
//!
//! let options = TokenOptions { case_sensitive: true, space_change_sensitive: false };
//! let checker = Checker::Tokens(options);
//! let judgement = check(&checker, b"Solutions = 92\n", Some(b"92\n"))?;
//! assert_eq!(judgement.mark, Mark::Layout);
//! assert_eq!(judgement.evidence[0].message.en, "extra text before the answer: `Solutions = `");
//! # Ok::<(), grader_check::CheckError>(())
//! ```

mod attack;
mod board;
mod columns;
mod constants;
mod contains;
mod diff;
mod difference;
mod error;
mod exact;
mod extra;
mod invisible;
mod lines;
mod look_alike;
mod message;
mod mistake;
mod numbers;
mod other_answer;
mod rule;
mod scan;
mod words;

use grader_model::{Evidence, Judgement, Mark, Text, text};
use grader_problem::{Checker, Contains};

use numbers::Tolerance;
use rule::WordRule;

pub use crate::error::CheckError;
pub use crate::mistake::{Failed, Mistakes, common_mistake, mistakes};

use crate::constants::{MAX_COPY_BYTES, MAX_SAID_BYTES};

/// Judges the output of a program.
///
/// `expected` is the right answer; checkers without [`Checker::needs_answer`] ignore it.
///
/// # Errors
///
/// If the checker needs an expected output but there is none, or if it is not built in.
pub fn check(
    checker: &Checker,
    output: &[u8],
    expected: Option<&[u8]>,
) -> Result<Judgement, CheckError> {
    let judgement = judge_bytes(checker, output, expected)?;
    // In an answer that has such bytes itself, they are not the mistake.
    let is_plain = expected.is_none_or(|it| invisible::find(it).is_none());
    let is_noted = judgement.mark != Mark::Right && is_plain;
    let Some(note) = invisible::find(output).filter(|_| is_noted) else {
        return Ok(judgement);
    };
    let max = MAX_COPY_BYTES.max(2 * expected.map_or(0, <[u8]>::len));
    let again = match invisible::removed(output, max) {
        Some(bytes) => judge_bytes(checker, &bytes, expected)?,
        None => judgement.clone(),
    };
    if again.mark == Mark::Wrong {
        let evidence = judgement.evidence.into_iter().chain([note]).collect();
        return Ok(Judgement { evidence, ..again });
    }
    Ok(Judgement {
        mark: Mark::Layout,
        evidence: [note].into_iter().chain(again.evidence).collect(),
    })
}

/// Judges what a program wrote to standard error.
///
/// # Errors
///
/// If the patterns do not fit together. Those of a loaded problem do.
pub fn check_stderr(rule: &Contains, written: &[u8]) -> Result<Judgement, CheckError> {
    let mut judgement = contains::check(rule, written, b"")?;
    for evidence in &mut judgement.evidence {
        let said = std::mem::take(&mut evidence.message);
        evidence.message = text!("standard error: {said}", "标准错误输出：{said}", said);
    }
    Ok(judgement)
}

/// Whether an output that was judged as the right answer inside extra text says `other`, too, the right answer of another
/// case: then it is not right. Only words are compared, and nothing that is very long.
pub fn says_another(checker: &Checker, output: &[u8], expected: &[u8], other: &[u8]) -> bool {
    let Some(rule) = rule_of(checker) else {
        return false;
    };
    let is_short = |bytes: &[u8]| bytes.len() <= MAX_SAID_BYTES;
    [output, expected, other].into_iter().all(is_short)
        && other_answer::says(output, expected, other, rule)
}

/// How a checker compares two words; `None` if it does not compare the words of an output in their order.
fn rule_of(checker: &Checker) -> Option<WordRule> {
    Some(match checker {
        Checker::Tokens(options) => WordRule::new(options.case_sensitive, None),
        &Checker::Numbers {
            absolute,
            relative,
            tokens,
        } => WordRule::new(
            tokens.case_sensitive,
            Some(Tolerance { absolute, relative }),
        ),
        Checker::Exact | Checker::Lines => WordRule::EXACT,
        _ => return None,
    })
}

fn judge_bytes(
    checker: &Checker,
    output: &[u8],
    expected: Option<&[u8]>,
) -> Result<Judgement, CheckError> {
    let expected = match expected {
        None if checker.needs_answer() => return Err(CheckError::NoAnswer(checker.name())),
        expected => expected.unwrap_or_default(),
    };
    let may_be_blank = match checker {
        Checker::Contains(rule) if !rule.has_answer => !rule.requires_text(),
        _ => checker.needs_answer() && scan::is_blank(expected),
    };
    if scan::is_blank(output) && !may_be_blank && checker.is_built_in() {
        return Ok(no_output(output));
    }
    Ok(match checker {
        Checker::Exact => exact::check(output, expected),
        Checker::Lines => lines::check(output, expected),
        Checker::AnyOrder => lines::check_any_order(output, expected),
        Checker::Tokens(options) => words::check(output, expected, *options, None),
        &Checker::Numbers {
            absolute,
            relative,
            tokens,
        } => {
            let tolerance = Tolerance { absolute, relative };
            words::check(output, expected, tokens, Some(tolerance))
        }
        &Checker::OnlyNumbers { absolute, relative } => {
            words::check_numbers(output, expected, Tolerance { absolute, relative })
        }
        Checker::Contains(rule) => contains::check(rule, output, expected)?,
        Checker::QueensBoard {
            size,
            queen,
            blank,
            separator,
        } => board::check(
            output,
            &board::BoardFormat {
                size: *size,
                queen,
                blank,
                separator,
            },
        ),
        Checker::QueensColumns { size, base } => columns::check(output, *size, *base),
        Checker::Program(_) | Checker::Report => return Err(CheckError::NoAnswer(checker.name())),
    })
}

fn no_output(output: &[u8]) -> Judgement {
    let text = if output.is_empty() {
        Text::new("the program printed nothing", "程序没有任何输出")
    } else {
        Text::new(
            "the program printed nothing but white space",
            "程序只输出了空白字符",
        )
    };
    Judgement::because(Mark::Wrong, Evidence::new("no-output", text))
}
