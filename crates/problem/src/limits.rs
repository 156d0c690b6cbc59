//! `[limits]` and `[time-flags]`: what depends on times, and names cases.

use crate::context::Context;
use crate::defaults_and_maxima::{
    DEFAULT_COMPILE_TIME, DEFAULT_CONFIRM, DEFAULT_MEMORY, DEFAULT_OUTPUT,
};
use crate::file::{CaseMultipleFile, LimitsFile, TimeLimitFile};
use crate::limit_rule::{CaseMultiple, LanguageLimits, LimitRule, TimeRule};
use crate::problem::{Case, FlatRule, Subtask};
use crate::suggest::{did_you_mean, quoted};
use crate::value::{At, Count, Factor, Time};

pub(crate) fn limits(
    file: &LimitsFile,
    subtasks: &[Subtask],
    context: &mut Context<'_>,
) -> LimitRule {
    if let (TimeLimitFile::Absolute(time), Some(wall)) = (&file.time.value, &file.wall)
        && wall.0 < time.0
    {
        let message = format!(
            "`wall` must not be shorter than `time`, {}, found {}\na program that sleeps or waits needs wall time, but no CPU time",
            time.cpu(),
            wall.wall()
        );
        context.report(&wall.span, &message);
    }
    let languages = file.languages.iter().map(|(language, limits)| {
        let usual = LanguageLimits::usual(language.0).time_factor;
        let limits = LanguageLimits {
            time_factor: limits.time_factor.map_or(usual, |Factor(factor)| factor),
            memory: limits.memory.map(|size| size.0),
        };
        (language.0, limits)
    });
    LimitRule {
        time: time_rule(&file.time, subtasks, context),
        wall: file.wall.as_ref().map(|wall| wall.wall()),
        memory: file.memory.map_or(DEFAULT_MEMORY, |size| size.0),
        output: file.output.map_or(DEFAULT_OUTPUT, |size| size.0),
        processes: file.processes.map_or(1, Count::get),
        compile_time: file.compile_time.map_or(DEFAULT_COMPILE_TIME, Time::cpu),
        slack: LimitRule::SLACK,
        confirm: file.confirm.map_or(DEFAULT_CONFIRM, Count::get),
        languages: languages.collect(),
    }
}

fn time_rule(file: &TimeLimitFile, subtasks: &[Subtask], context: &mut Context<'_>) -> TimeRule {
    match file {
        TimeLimitFile::Absolute(time) => TimeRule::Absolute(time.cpu()),
        TimeLimitFile::Reference(file) => {
            let mut bound = |bound: &Option<_>| case_multiple(bound.as_ref()?, subtasks, context);
            TimeRule::Reference {
                factor: file.reference.0,
                at_least: bound(&file.at_least),
                at_most: bound(&file.at_most),
            }
        }
    }
}

fn case_multiple(
    file: &CaseMultipleFile,
    subtasks: &[Subtask],
    context: &mut Context<'_>,
) -> Option<CaseMultiple> {
    let cases = subtasks
        .iter()
        .flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)));
    let name = |(subtask, case): (&Subtask, &Case)| format!("{}/{}", subtask.name, case.name);
    let Some((subtask, case)) = cases.clone().find(|it| name(*it) == file.case.value) else {
        let names: Vec<String> = cases.map(name).collect();
        let help = did_you_mean(&file.case, names.iter().map(String::as_str), "case");
        let message = format!("there is no case {}\n{help}", quoted(&file.case));
        context.report(&file.case.span, &message);
        return None;
    };
    Some(CaseMultiple {
        factor: file.reference.0,
        subtask: subtask.name.clone(),
        case: case.name.clone(),
        hidden: subtask.hidden,
    })
}

/// Checks that there are cases between which the time must grow.
pub(crate) fn check_flat(flat: &At<FlatRule>, subtasks: &[Subtask], context: &mut Context<'_>) {
    let FlatRule {
        over,
        from,
        to,
        at_least,
    } = &flat.value;
    let cases = subtasks.iter().flat_map(|subtask| &subtask.cases);
    let values = cases.filter_map(|case| case.variables.get(over)?.parse().ok());
    let values: Vec<f64> = values.collect();
    let missing = [from, to].into_iter().find(|value| !values.contains(value));
    let message = if let Some(value) = missing {
        format!("no case has the value {value} of {}", quoted(over))
    } else if from >= to {
        format!("`from` must be below `to`, {to}, found {from}")
    } else if at_least.is_nan() || *at_least <= 1.0 {
        format!("`at-least` must be above 1, found {at_least}")
    } else {
        return;
    };
    context.report(&flat.span, &message);
}
