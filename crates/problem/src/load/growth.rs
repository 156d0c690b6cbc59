//! `growth` of a subtask.

use std::ops::Range;
use std::time::Duration;

use grader_model::CpuTime;

use crate::diagnostic::{Code, Log};
use crate::problem::{Case, GrowthRule};
use crate::raw::{RawGrowth, Time};
use crate::reader::At;
use crate::suggest::{closest, quoted, ticked};

/// Fewer points make no line with an interval.
const FEWEST_CASES: usize = 4;
/// Half of what a run of a growth may take at most.
const LONGEST: Duration = Duration::from_secs(30);

/// The rule; `cases` are those of the subtask, nothing where they have mistakes of their own.
pub(crate) fn build(
    raw: &At<RawGrowth>,
    cases: Option<&[Case]>,
    log: &mut Log,
) -> Option<GrowthRule> {
    let RawGrowth {
        over,
        at_most,
        until,
    } = &raw.value;
    if let Some(at) = until.at()
        && at.value.0 > LONGEST
    {
        log.report_with(
            &at.span,
            Code::BadValue,
            format!(
                "`subtask.growth.until` must be at most {}, found {}",
                CpuTime(LONGEST),
                CpuTime(at.value.0)
            ),
            "no run of a growth may take more than 60 s".to_owned(),
        );
    }
    if let (Some(cases), Some(over)) = (cases, over.at()) {
        sizes(over, cases, log);
        if cases.len() < FEWEST_CASES {
            log.report(
                &raw.span,
                Code::BadValue,
                format!(
                    "`subtask.growth` needs at least {FEWEST_CASES} cases, found {}",
                    cases.len()
                ),
            );
        }
    }
    Some(GrowthRule {
        over: over.get()?.clone(),
        at_most: at_most.get()?.0,
        until: until
            .get()
            .map_or(GrowthRule::UNTIL, |&Time(time)| CpuTime(time)),
    })
}

/// Reports the first case whose size is not there, not a positive number, or not above the one before.
fn sizes(over: &At<String>, cases: &[Case], log: &mut Log) {
    let mut before: Option<(f64, &str)> = None;
    for case in cases {
        let Some(text) = case.variables.get(&over.value) else {
            missing(&over.span, &over.value, case, log);
            return;
        };
        let size = text
            .parse()
            .ok()
            .filter(|size: &f64| *size > 0.0 && size.is_finite());
        let Some(size) = size else {
            log.report(
                &over.span,
                Code::BadValue,
                format!(
                    "{} must be a positive number in every case, found {} in case {}",
                    quoted(&over.value),
                    quoted(text),
                    quoted(case.name.as_str())
                ),
            );
            return;
        };
        if let Some((smaller, earlier)) = before
            && size <= smaller
        {
            log.report_with(
                &over.span,
                Code::BadValue,
                format!(
                    "{} must grow from case to case, found {} in case {} after {}",
                    quoted(&over.value),
                    quoted(text),
                    quoted(case.name.as_str()),
                    quoted(earlier)
                ),
                "change the order of the cases".to_owned(),
            );
            return;
        }
        before = Some((size, text));
    }
}

fn missing(span: &Range<usize>, name: &str, case: &Case, log: &mut Log) {
    let names: Vec<&str> = case.variables.keys().map(String::as_str).collect();
    let help = match closest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "give the case `variables`".to_owned(),
        None => format!("variables of the case: {}", ticked(&names)),
    };
    log.report_with(
        span,
        Code::UnknownVariable,
        format!(
            "case {} has no variable {}",
            quoted(case.name.as_str()),
            quoted(name)
        ),
        help,
    );
}
