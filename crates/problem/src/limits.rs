//! `[limits]` and `[time-flags]`: what depends on times, and names cases.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::LanguageId;

use crate::context::Context;
use crate::file::{
    CaseMultipleFile, DEFAULT_COMPILE_TIME, DEFAULT_MEMORY, DEFAULT_OUTPUT, FlatFile, LimitsFile,
    TimeFlagsFile, TimeLimitFile,
};
use crate::limit_rule::{CaseMultiple, LanguageLimits, LimitRule, TimeRule};
use crate::problem::{Case, FlatRule, Subtask, TimeFlags};
use crate::suggest::{did_you_mean, nearest, quoted};
use crate::value::{Count, Factor, Time};

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
    LimitRule {
        time: time_rule(&file.time, subtasks, context),
        wall: file.wall.as_ref().map(|wall| wall.wall()),
        memory: file.memory.map_or(DEFAULT_MEMORY, |size| size.0),
        output: file.output.map_or(DEFAULT_OUTPUT, |size| size.0),
        processes: file.processes.map_or(1, Count::get),
        compile_time: file.compile_time.map_or(DEFAULT_COMPILE_TIME, Time::cpu),
        slack: LimitRule::SLACK,
        confirm: file.confirm.map_or(LimitRule::CONFIRM, Count::get),
        languages: languages(file),
    }
}

fn languages(file: &LimitsFile) -> BTreeMap<LanguageId, LanguageLimits> {
    let languages = file.languages.iter();
    let limits = languages.map(|(language, limits)| {
        let usual = LanguageLimits::usual(language.0).time_factor;
        let limits = LanguageLimits {
            time_factor: limits.time_factor.map_or(usual, |Factor(factor)| factor),
            memory: limits.memory.map(|size| size.0),
        };
        (language.0, limits)
    });
    limits.collect()
}

fn time_rule(file: &TimeLimitFile, subtasks: &[Subtask], context: &mut Context<'_>) -> TimeRule {
    match file {
        TimeLimitFile::Absolute(time) => TimeRule::Absolute(time.cpu()),
        TimeLimitFile::Reference(file) => {
            let mut bound = |bound: &Option<CaseMultipleFile>| {
                bound
                    .as_ref()
                    .and_then(|bound| case_multiple(bound, subtasks, context))
            };
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
    let cases = || {
        let subtasks = subtasks.iter();
        subtasks.flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)))
    };
    let name = |(subtask, case): &(&Subtask, &Case)| format!("{}/{}", subtask.name, case.name);
    let Some((subtask, case)) = cases().find(|it| name(it) == file.case.value) else {
        let names: Vec<String> = cases().map(|it| name(&it)).collect();
        let help = match nearest(&file.case, names.iter().map(String::as_str)) {
            help if help.is_empty() => "write `subtask/case`, such as `large/n=14`".to_owned(),
            help => help,
        };
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

pub(crate) fn time_flags(
    file: &TimeFlagsFile,
    subtasks: &[Subtask],
    context: &mut Context<'_>,
) -> TimeFlags {
    let TimeFlagsFile { faster_than, flat } = file;
    TimeFlags {
        faster_than: faster_than.as_ref().map(|part| part.0),
        flat: flat.as_ref().map(|flat| flat_rule(flat, subtasks, context)),
    }
}

fn flat_rule(file: &FlatFile, subtasks: &[Subtask], context: &mut Context<'_>) -> FlatRule {
    let (from, to) = (file.from.0, file.to.0);
    if from >= to {
        let message = format!("`from` must be below `to`, {to}, found {from}");
        context.report(&file.from.span, &message);
    }
    let cases = || subtasks.iter().flat_map(|subtask| &subtask.cases);
    let names: BTreeSet<&str> = cases()
        .flat_map(|case| case.variables.keys().map(String::as_str))
        .collect();
    let variable = quoted(&file.over);
    if names.contains(file.over.as_str()) {
        let values: Vec<f64> = cases()
            .filter_map(|case| case.variables.get(&file.over.value)?.parse().ok())
            .collect();
        for at in [&file.from, &file.to] {
            if !values.contains(&at.0) {
                let message = format!("no case has the value {} of {variable}", at.0);
                context.report(&at.span, &message);
            }
        }
    } else {
        let names: Vec<&str> = names.into_iter().collect();
        let help = did_you_mean(&file.over, &names, "variable");
        let message = format!("no case has a variable {variable}\n{help}");
        context.report(&file.over.span, &message);
    }
    FlatRule {
        over: file.over.value.clone(),
        from,
        to,
        at_least: file.at_least.0,
    }
}
