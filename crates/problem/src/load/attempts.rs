//! `attempts` of a subtask.

use crate::diagnostic::{Code, Log};
use crate::problem::AttemptRule;
use crate::raw::RawAttempts;
use crate::reader::{At, Slot};

pub(crate) fn build(raw: &At<RawAttempts>, log: &mut Log) -> Option<AttemptRule> {
    let RawAttempts {
        runs,
        at_least,
        score,
    } = &raw.value;
    match (at_least, score) {
        (Slot::Absent, Slot::Absent) => {
            log.report_with(
                &raw.span,
                Code::MissingKey,
                "`subtask.attempts` needs `at-least` or `score`",
                "write `at-least = 3` for points when so many are accepted, or `score = \"rate\"`"
                    .to_owned(),
            );
            None
        }
        (Slot::Given(_), Slot::Given(score)) => {
            log.report(
                &score.span,
                Code::Conflict,
                "`at-least` and `score` of `subtask.attempts` exclude each other",
            );
            None
        }
        (Slot::Broken, _) | (_, Slot::Broken) => None,
        (Slot::Absent, Slot::Given(_)) => Some(AttemptRule {
            runs: runs.get()?.0,
            at_least: None,
        }),
        (Slot::Given(at_least), Slot::Absent) => {
            let (runs, least) = (runs.get()?.0, at_least.value.0);
            if least > runs {
                log.report(
                    &at_least.span,
                    Code::BadValue,
                    format!(
                        "`subtask.attempts.at-least` must be at most `runs`, {runs}, found {least}"
                    ),
                );
                return None;
            }
            Some(AttemptRule {
                runs,
                at_least: Some(least),
            })
        }
    }
}
