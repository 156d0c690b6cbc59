//! `[[subtask]]`: groups of cases, and what their times and verdicts are worth.

use std::ops::Range;
use std::time::Duration;

use grader_model::{CpuTime, SubtaskName};

use crate::cases::CaseBuilder;
use crate::context::Context;
use crate::file::{AttemptsFile, GrowthFile, ProblemFile, SubtaskFile, TimeStepFile};
use crate::problem::{AttemptRule, Case, GrowthRule, Subtask, TimeStep};
use crate::suggest::{did_you_mean, quoted, variables_of};
use crate::value::At;

/// Fewer points make no line with an interval.
const MIN_GROWTH_CASES: usize = 4;
/// Half of what a run of a growth may take at most.
const MAX_UNTIL: Duration = Duration::from_secs(30);

pub(crate) fn subtasks(problem: &ProblemFile, context: &mut Context<'_>) -> Vec<Subtask> {
    let all = &problem.subtask;
    if all.is_empty() {
        context.report(&all.span, "a problem needs at least one subtask");
    }
    if problem.checker.is_none() && all.iter().any(|subtask| subtask.checker.is_none()) {
        context.report(&(0..0), "missing key `checker` at the top of the file");
    }
    let indices = 0..all.len();
    indices
        .map(|index| subtask(problem, index, context))
        .collect()
}

fn subtask(problem: &ProblemFile, index: usize, context: &mut Context<'_>) -> Subtask {
    let all = &problem.subtask;
    let file = &all[index];
    if all[..index]
        .iter()
        .any(|earlier| earlier.name.value == file.name.value)
    {
        let message = format!("subtask {} is listed twice", quoted(&file.name.0));
        context.report(&file.name.span, &message);
    }
    let require = required(all, index, context);
    let cases = CaseBuilder::new(problem, file).cases(file, context);
    exclusive(file, context);
    let growth = file.growth.as_ref();
    let attempts = file.attempts.as_ref();
    let by_time = file.by_time.as_ref();
    Subtask {
        name: SubtaskName::new(file.name.0.as_str()),
        points: file.points.0,
        score: file.score,
        require,
        hidden: file.hidden,
        growth: growth.map(|growth| growth_rule(growth, &cases, context)),
        attempts: attempts.map(|attempts| attempt_rule(attempts, context)),
        by_time: by_time.map_or_else(Vec::new, |steps| time_steps(steps, context)),
        cases,
    }
}

/// `growth`, `attempts` and `by-time` each say what a case's time or verdict means: one of them at most.
fn exclusive(file: &SubtaskFile, context: &mut Context<'_>) {
    let mut given: Vec<(&str, &Range<usize>)> = Vec::new();
    given.extend(file.growth.iter().map(|at| ("growth", &at.span)));
    given.extend(file.attempts.iter().map(|at| ("attempts", &at.span)));
    given.extend(file.by_time.iter().map(|at| ("by-time", &at.span)));
    given.sort_by_key(|(_, span)| span.start);
    if let [(first, _), others @ ..] = given.as_slice() {
        for (other, span) in others {
            let message = format!("`{first}` and `{other}` of a subtask exclude each other");
            context.report(span, &message);
        }
    }
}

/// The subtasks that one requires: only earlier ones, so that there are no cycles.
fn required(all: &[At<SubtaskFile>], index: usize, context: &mut Context<'_>) -> Vec<SubtaskName> {
    let mut required: Vec<SubtaskName> = Vec::new();
    for wanted in &all[index].require {
        let name = wanted.0.as_str();
        let place = all
            .iter()
            .position(|other| other.name.value == wanted.value);
        let message = match place {
            _ if required.iter().any(|other| other.as_str() == name) => {
                format!("subtask {} is listed twice in `require`", quoted(name))
            }
            Some(place) if place < index => {
                required.push(SubtaskName::new(name));
                continue;
            }
            Some(place) if place == index => format!("subtask {} requires itself", quoted(name)),
            Some(_) => format!(
                "`require` must name earlier subtasks, but {} comes later\nchange the order of the subtasks",
                quoted(name)
            ),
            None => {
                let earlier = all[..index].iter();
                let names: Vec<&str> = earlier.map(|other| other.name.0.as_str()).collect();
                let help = did_you_mean(name, &names, "subtask");
                format!("unknown subtask {}\n{help}", quoted(name))
            }
        };
        context.report(&wanted.span, &message);
    }
    required
}

fn growth_rule(file: &At<GrowthFile>, cases: &[Case], context: &mut Context<'_>) -> GrowthRule {
    if let Some(until) = &file.until
        && until.0 > MAX_UNTIL
    {
        let message = format!(
            "`until` must be at most {}, found {}\nno run of a growth may take more than 60 s",
            CpuTime(MAX_UNTIL),
            until.cpu()
        );
        context.report(&until.span, &message);
    }
    if let Some(message) = size_mistake(&file.over, cases) {
        context.report(&file.over.span, &message);
    }
    // No cases at all is already a mistake.
    if (1..MIN_GROWTH_CASES).contains(&cases.len()) {
        let found = cases.len();
        let message = format!("`growth` needs at least {MIN_GROWTH_CASES} cases, found {found}");
        context.report(&file.span, &message);
    }
    GrowthRule {
        over: file.over.value.clone(),
        at_most: file.at_most.0,
        until: file
            .until
            .as_ref()
            .map_or(GrowthRule::UNTIL, |until| until.cpu()),
    }
}

/// What is wrong with the first case whose size is missing, not a positive number, or not above the one before.
fn size_mistake(variable: &str, cases: &[Case]) -> Option<String> {
    let mut before: Option<(f64, &str)> = None;
    for case in cases {
        let name = quoted(case.name.as_str());
        let Some(text) = case.variables.get(variable) else {
            let help = variables_of(&case.variables, variable, "give the case `variables`");
            let variable = quoted(variable);
            return Some(format!("case {name} has no variable {variable}\n{help}"));
        };
        let (variable, found) = (quoted(variable), quoted(text));
        let size = text
            .parse()
            .ok()
            .filter(|size: &f64| *size > 0.0 && size.is_finite());
        let Some(size) = size else {
            return Some(format!(
                "{variable} must be a positive number in every case, found {found} in case {name}"
            ));
        };
        match before {
            Some((smaller, earlier)) if size <= smaller => {
                return Some(format!(
                    "{variable} must grow from case to case, found {found} in case {name} after {}\nchange the order of the cases",
                    quoted(earlier)
                ));
            }
            _ => before = Some((size, text)),
        }
    }
    None
}

fn attempt_rule(file: &At<AttemptsFile>, context: &mut Context<'_>) -> AttemptRule {
    let runs = file.runs.get();
    match (&file.at_least, &file.score) {
        (None, None) => context.report(
            &file.span,
            "`attempts` needs `at-least` or `score`\nwrite `at-least = 3` for points when so many are accepted, or `score = \"rate\"`",
        ),
        (Some(_), Some(score)) => context.report(
            &score.span,
            "`at-least` and `score` of `attempts` exclude each other",
        ),
        (Some(at_least), None) if at_least.get() > runs => {
            let found = at_least.get();
            let message = format!("`at-least` must be at most `runs`, {runs}, found {found}");
            context.report(&at_least.span, &message);
        }
        _ => {}
    }
    AttemptRule {
        runs,
        at_least: file.at_least.as_ref().map(|at_least| at_least.get()),
    }
}

fn time_steps(file: &At<Vec<TimeStepFile>>, context: &mut Context<'_>) -> Vec<TimeStep> {
    if file.is_empty() {
        context.report(
            &file.span,
            "`by-time` has no steps\nwrite `[[1.5, 100], [4, 60]]`: up to 1.5 times the reference's time all points, up to 4 times 60 %",
        );
    }
    for pair in file.windows(2) {
        let [(ratio, percent), (next_ratio, next_percent)] = pair else {
            continue;
        };
        let (before, now) = (ratio.0, next_ratio.0);
        if now <= before {
            let message = format!("the ratios must grow, found {now} after {before}");
            context.report(&next_ratio.span, &message);
        }
        let (before, now) = (percent.0, next_percent.0);
        if now >= before {
            let message = format!("the percentages must fall, found {now} after {before}");
            context.report(&next_percent.span, &message);
        }
    }
    let steps = file.iter();
    steps
        .map(|(ratio, percent)| TimeStep {
            ratio: ratio.0,
            share: percent.share(),
        })
        .collect()
}
