//! `[time-flags]`.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Log};
use crate::problem::{Case, FlatRule, Subtask, TimeFlags};
use crate::raw::{Finite, RawFlat, RawTimeFlags};
use crate::reader::At;
use crate::suggest::{did_you_mean, quoted};

/// The rules; `subtasks` are those of the problem, nothing where they have mistakes of their own.
pub(crate) fn build(
    raw: &RawTimeFlags,
    subtasks: Option<&[Subtask]>,
    log: &mut Log,
) -> Option<TimeFlags> {
    let flat = raw.flat.at().map(|at| flat(&at.value, subtasks, log));
    Some(TimeFlags {
        faster_than: raw.faster_than.get().map(|part| part.0),
        flat: match flat {
            Some(rule) => Some(rule?),
            None => None,
        },
    })
}

fn flat(raw: &RawFlat, subtasks: Option<&[Subtask]>, log: &mut Log) -> Option<FlatRule> {
    if let (Some(from), Some(to)) = (raw.from.at(), raw.to.at())
        && from.value.0 >= to.value.0
    {
        log.report(
            &from.span,
            Code::BadValue,
            format!(
                "`time-flags.flat.from` must be below `to`, {}, found {}",
                to.value.0, from.value.0
            ),
        );
        return None;
    }
    if let (Some(over), Some(subtasks)) = (raw.over.at(), subtasks) {
        let cases: Vec<&Case> = subtasks.iter().flat_map(|subtask| &subtask.cases).collect();
        variable(raw, over, &cases, log);
    }
    Some(FlatRule {
        over: raw.over.get()?.clone(),
        from: raw.from.get()?.0,
        to: raw.to.get()?.0,
        at_least: raw.at_least.get()?.0,
    })
}

/// Reports a variable that no case has, and values that it has in no case.
fn variable(raw: &RawFlat, over: &At<String>, cases: &[&Case], log: &mut Log) {
    let names: BTreeSet<&str> = cases
        .iter()
        .flat_map(|case| case.variables.keys().map(String::as_str))
        .collect();
    if !names.contains(over.value.as_str()) {
        let names: Vec<&str> = names.into_iter().collect();
        log.report_with(
            &over.span,
            Code::UnknownVariable,
            format!("no case has a variable {}", quoted(&over.value)),
            did_you_mean(&over.value, &names, "variable"),
        );
        return;
    }
    for at in [raw.from.at(), raw.to.at()].into_iter().flatten() {
        let Finite(wanted) = at.value;
        let values = cases
            .iter()
            .filter_map(|case| case.variables.get(&over.value)?.parse::<f64>().ok());
        #[expect(clippy::float_cmp, reason = "both are read from decimal digits")]
        if !values.into_iter().any(|value| value == wanted) {
            log.report(
                &at.span,
                Code::BadValue,
                format!("no case has the value {wanted} of {}", quoted(&over.value)),
            );
        }
    }
}
