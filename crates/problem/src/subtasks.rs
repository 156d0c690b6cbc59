//! `[[subtask]]`: groups of cases and their scoring rules.

use grader_model::{HiddenUntil, LanguageId, Points, RubricItem, SubtaskName};

use crate::cases::cases;
use crate::constants::{DEFAULT_GROWTH_UNTIL, MAX_GROWTH_UNTIL, MIN_GROWTH_CASES};
use crate::context::Context;
use crate::diagnostic::Log;
use crate::file::{
    AttemptsFile, GrowthFile, HiddenFile, ProblemFile, SubtaskFile, TimeStepFile, UntilDue,
};
use crate::harness::check_tests;
use crate::problem::{AttemptRule, Case, Checks, GrowthRule, Subtask, TimeStep};
use crate::suggest::{did_you_mean, quoted, unknown};
use crate::tool_check::check_rule;
use crate::value::{At, Time};

/// Whether something decides on the cases of a subtask, apart from explicit ones that are dialogues.
pub(crate) fn has_checker(problem: &ProblemFile, subtask: &SubtaskFile) -> bool {
    problem.checker.is_some()
        || problem.interactor.is_some()
        || problem.run.report.is_some()
        || subtask.checker.is_some()
}

/// Whether something decides on all cases of a subtask.
fn is_judged(problem: &ProblemFile, subtask: &SubtaskFile) -> bool {
    let is_explicit = subtask.cases.is_none() && subtask.folder.is_none();
    let mut cases = subtask.case.iter();
    has_checker(problem, subtask)
        || (is_explicit && !subtask.case.is_empty() && cases.all(|it| it.dialogue.is_some()))
}

pub(crate) fn subtasks(
    problem: &ProblemFile,
    checks: &Checks,
    accepted: &[LanguageId],
    context: &mut Context<'_>,
) -> Vec<Subtask> {
    let all = &problem.subtask;
    if all.is_empty() {
        context.report(&all.span, "a problem needs at least one subtask");
    }
    if !all
        .iter()
        .all(|it| !it.has_runs() || is_judged(problem, it))
    {
        let message = "missing key `checker` or `interactor` at the top of the file";
        context.report(&(0..0), message);
    }
    let mut subtasks = Vec::new();
    for (index, file) in all.iter().enumerate() {
        let (earlier, name) = (&all[..index], &file.name);
        if earlier.iter().any(|other| other.name.value == name.value) {
            let message = format!("subtask {} is listed twice", quoted(&name.0));
            context.report(&name.span, &message);
        }
        let (growth, attempts, by_time) = (&file.growth, &file.attempts, &file.by_time);
        let log = &mut context.log;
        if problem
            .run
            .passes
            .as_ref()
            .is_some_and(|passes| passes.get() > 1)
        {
            let growth = growth.as_ref().map(|at| ("growth", &at.span));
            let attempts = attempts.as_ref().map(|at| ("attempts", &at.span));
            for (name, span) in growth.into_iter().chain(attempts) {
                log.report(
                    span,
                    &format!("`{name}` and `passes` cannot be used together"),
                );
            }
        }
        check_tests(problem, file, log);
        context.files(&file.test_files);
        let log = &mut context.log;
        let (hidden, hidden_until) = hidden(file.hidden.as_ref(), log);
        let (growth, attempts) = (growth.as_ref(), attempts.as_ref());
        let by_time = by_time.as_ref();
        let require = required(earlier, file, context);
        let manual = manual(all, file, context);
        let check = check_rule(file, checks, accepted, context);
        let cases = if file.has_runs() {
            cases(problem, file, context)
        } else {
            Vec::new()
        };
        subtasks.push(Subtask {
            name: SubtaskName::new(name.0.as_str()),
            points: file.points,
            score: file.score,
            require,
            hidden,
            hidden_until,
            manual,
            check,
            ascending: file.ascending,
            growth: growth.map(|growth| growth_rule(growth, &cases, context)),
            attempts: attempts.map(|attempts| attempt_rule(attempts, context)),
            by_time: by_time.map_or_else(Vec::new, |steps| time_steps(steps, context)),
            cases,
        });
    }
    subtasks
}

/// The rubric of a subtask that is graded by hand.
fn manual(
    all: &[At<SubtaskFile>],
    file: &At<SubtaskFile>,
    context: &mut Context<'_>,
) -> Option<Vec<RubricItem>> {
    let items = &file.items;
    if !file.manual {
        if let Some(item) = items.first() {
            context.report(&item.span, "a rubric needs `manual = true`");
        }
        return None;
    }
    if file.has_cases() {
        let message = "a subtask that is graded by hand has no cases";
        context.report(&file.span, message);
    }
    if file.hidden.is_some() {
        let message = "`manual` and `hidden` cannot be used together";
        context.report(&file.span, message);
    }
    for item in items {
        let all = all.iter().flat_map(|subtask| &subtask.items);
        let mut earlier = all.take_while(|other| other.span.start < item.span.start);
        if earlier.any(|other| other.id.0 == item.id.0) {
            let message = format!("item {} is listed twice", quoted(&item.id.0));
            context.report(&item.id.span, &message);
        }
    }
    let sum: Points = items.iter().map(|item| item.points).sum();
    if let Some(first) = items.first().filter(|_| sum != file.points) {
        let (id, points) = (quoted(&file.name.0), file.points);
        let message = format!(
            "the items are worth {sum} points together, but subtask {id} is worth {points}"
        );
        context.report(&first.span, &message);
    }
    let items = items.iter();
    let items = items.map(|item| RubricItem {
        id: item.id.0.clone(),
        points: item.points,
        text: item.text.0.clone(),
    });
    Some(items.collect())
}

/// Whether a subtask is hidden, and until when.
fn hidden(file: Option<&At<HiddenFile>>, log: &mut Log) -> (bool, Option<HiddenUntil>) {
    let Some(At { value, span }) = file else {
        return (false, None);
    };
    let moment = match value {
        HiddenFile::Always(is_hidden) => return (*is_hidden, None),
        HiddenFile::Until(UntilDue::Due) => return (true, Some(HiddenUntil::Due)),
        HiddenFile::Moment(moment) => moment,
    };
    let text = moment.to_string();
    let until = match (text.parse(), text.parse()) {
        _ if moment.date.is_none() || moment.time.is_none() => None,
        (Ok(moment), _) => Some(HiddenUntil::Moment(moment)),
        (Err(_), local) => local.ok().map(HiddenUntil::Local),
    };
    if until.is_none() {
        log.report(
            span,
            "expected a date and a time such as 2026-12-01T12:00:00",
        );
    }
    (true, until)
}

/// The required subtasks: earlier ones only, so there are no cycles.
fn required(
    earlier: &[At<SubtaskFile>],
    file: &SubtaskFile,
    context: &mut Context<'_>,
) -> Vec<SubtaskName> {
    let known = || earlier.iter().map(|subtask| subtask.name.0.as_str());
    let mut required = Vec::new();
    for wanted in &file.require {
        let name = wanted.0.as_str();
        if !known().any(|earlier| earlier == name) {
            let message = unknown("earlier subtask", name, known());
            context.report(&wanted.span, &message);
        }
        let found = earlier.iter().find(|it| it.name.0 == name);
        if let Some(found) = found.filter(|it| !it.has_runs()) {
            let name = quoted(name);
            let message = if found.manual {
                format!("subtask {name} is graded by hand, later")
            } else {
                format!("subtask {name} has no cases: its check runs later")
            };
            context.report(&wanted.span, &message);
        }
        required.push(SubtaskName::new(name));
    }
    required
}

fn growth_rule(file: &At<GrowthFile>, cases: &[Case], context: &mut Context<'_>) -> GrowthRule {
    let until = file.until.map_or(DEFAULT_GROWTH_UNTIL, Time::cpu);
    if until > MAX_GROWTH_UNTIL {
        let message = format!("`until` must be at most {MAX_GROWTH_UNTIL}, found {until}");
        context.report(&file.span, &message);
    }
    if let Some(message) = size_mistake(&file.over, cases) {
        context.report(&file.over.span, &message);
    }
    // A subtask without cases is already reported.
    if (1..MIN_GROWTH_CASES).contains(&cases.len()) {
        let found = cases.len();
        let message = format!("`growth` needs at least {MIN_GROWTH_CASES} cases, found {found}");
        context.report(&file.span, &message);
    }
    GrowthRule {
        over: file.over.value.clone(),
        at_most: file.at_most.0,
        until,
    }
}

/// A message on the first case whose size is missing, not a positive number, or not above the one before.
fn size_mistake(variable: &str, cases: &[Case]) -> Option<String> {
    let mut before = 0.0;
    for case in cases {
        let name = quoted(case.name.as_str());
        let Some(found) = case.variables.get(variable) else {
            let known = case.variables.keys().map(String::as_str);
            let help = did_you_mean(variable, known, "variable");
            let variable = quoted(variable);
            return Some(format!("case {name} has no variable {variable}\n{help}"));
        };
        match found.parse() {
            Ok(size) if size > before && f64::is_finite(size) => before = size,
            _ => {
                let (variable, found) = (quoted(variable), quoted(found));
                return Some(format!(
                    "{variable} must be a positive number that grows from case to case, found {found} in case {name}"
                ));
            }
        }
    }
    None
}

fn attempt_rule(file: &At<AttemptsFile>, context: &mut Context<'_>) -> AttemptRule {
    let runs = file.runs.get();
    let at_least = file.at_least.as_ref();
    if at_least.is_none() && file.score.is_none() {
        let message = "`attempts` needs `at-least` or `score`\nwrite `at-least = 3` to award the points once 3 attempts are accepted, or `score = \"rate\"`";
        context.report(&file.span, message);
    }
    if let Some(at_least) = at_least.filter(|at_least| at_least.get() > runs) {
        let found = at_least.get();
        let message = format!("`at-least` must be at most `runs`, {runs}, found {found}");
        context.report(&at_least.span, &message);
    }
    AttemptRule {
        runs,
        at_least: at_least.map(|at_least| at_least.get()),
    }
}

fn time_steps(file: &At<Vec<TimeStepFile>>, context: &mut Context<'_>) -> Vec<TimeStep> {
    if file.is_empty() {
        let message = "`by-time` has no steps\nwrite `[[1.5, 100], [4, 60]]`: up to 1.5 times the reference's time all points, up to 4 times 60%";
        context.report(&file.span, message);
    }
    for pair in file.windows(2) {
        let TimeStepFile(ratio, percent) = &pair[0];
        let TimeStepFile(next_ratio, next_percent) = &pair[1];
        if next_ratio.0 <= ratio.0 || next_percent.0 >= percent.0 {
            let message = "from step to step the ratio must grow and the percentage fall";
            context.report(&next_ratio.span, message);
        }
    }
    let steps = file.iter();
    steps
        .map(|TimeStepFile(ratio, percent)| TimeStep {
            ratio: ratio.0,
            share: percent.share(),
        })
        .collect()
}
