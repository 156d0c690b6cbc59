//! `[limits]` and `[time-flags]`: settings that depend on times and may name cases.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{LanguageId, NamedCase};

use crate::constants::{
    DEFAULT_COMPILE_TIME, DEFAULT_CONFIRM, DEFAULT_MEMORY, DEFAULT_OUTPUT, DEFAULT_TIME,
};
use crate::context::Context;
use crate::file::{CaseMultipleFile, CaseTimeFile, LimitsFile, ProblemFile, TimeLimitFile};
use crate::flags::FlatRule;
use crate::limit_rule::{CaseMultiple, LanguageLimits, LimitRule, ReferenceLimit, TimeRule};
use crate::problem::Subtask;
use crate::suggest::{quoted, unknown};
use crate::value::{At, Count, Factor, Time};

/// The limits of all cases. Individual limits of cases are written to `subtasks`.
pub(crate) fn limits(
    problem: &ProblemFile,
    subtasks: &mut [Subtask],
    context: &mut Context<'_>,
) -> LimitRule {
    let file = &problem.limits;
    let mut named = NamedCases::new(problem, subtasks, context);
    let time = file.time.as_ref();
    let time = time.map_or(TimeRule::Absolute(DEFAULT_TIME), |it| named.time_rule(it));
    if let (TimeRule::Absolute(time), Some(wall)) = (&time, &file.wall)
        && wall.0 < time.0
    {
        let message = format!(
            "`wall` must not be shorter than `time`, {time}, found {}\na program that sleeps or waits needs wall time, but no CPU time",
            wall.wall()
        );
        named.context.report(&wall.span, &message);
    }
    let languages = languages(file, named.context);
    for (file, subtask) in problem.subtask.iter().zip(subtasks) {
        // Explicit cases come last.
        let cases = subtask.cases.iter_mut().rev();
        for (case, file) in cases.zip(file.case.iter().rev()) {
            case.time = file.time.as_ref().and_then(|it| named.case_limit(it));
        }
    }
    LimitRule {
        time,
        wall: file.wall.as_ref().map(|wall| wall.wall()),
        memory: file.memory.map_or(DEFAULT_MEMORY, |size| size.0),
        output: file.output.map_or(DEFAULT_OUTPUT, |size| size.0),
        processes: file.processes.map_or(1, Count::get),
        compile_time: file.compile_time.map_or(DEFAULT_COMPILE_TIME, Time::cpu),
        slack: LimitRule::SLACK,
        confirm: file.confirm.map_or(DEFAULT_CONFIRM, Count::get),
        languages,
    }
}

/// Limits of each language: its defaults with the file's exceptions.
fn languages(file: &LimitsFile, context: &mut Context<'_>) -> BTreeMap<LanguageId, LanguageLimits> {
    let all = context.languages.iter().map(|language| {
        let limits = LanguageLimits {
            time_factor: language.definition.time_factor,
            memory: None,
        };
        (language.id, limits)
    });
    let mut all: BTreeMap<_, _> = all.collect();
    for (word, special) in &file.languages {
        if let Some(limits) = context.language(word).and_then(|id| all.get_mut(&id)) {
            limits.memory = special.memory.map(|size| size.0);
            if let Some(Factor(factor)) = special.time_factor {
                limits.time_factor = factor;
            }
        }
    }
    all
}

/// Resolves the cases that limits name.
struct NamedCases<'a, 'b> {
    all: Vec<NamedCase>,
    /// Cases in which the reference is not timed, because they have their own limits.
    untimed: BTreeSet<String>,
    context: &'a mut Context<'b>,
}

impl<'a, 'b> NamedCases<'a, 'b> {
    fn new(problem: &ProblemFile, subtasks: &[Subtask], context: &'a mut Context<'b>) -> Self {
        let all = subtasks.iter().flat_map(|subtask| {
            subtask.cases.iter().map(|case| NamedCase {
                name: format!("{}/{}", subtask.name, case.name),
                hidden: subtask.hidden,
            })
        });
        let untimed = problem.subtask.iter().flat_map(|subtask| {
            let cases = subtask.case.iter().filter(|case| case.time.is_some());
            cases.map(|case| format!("{}/{}", subtask.name.0, case.name.0))
        });
        Self {
            all: all.collect(),
            untimed: untimed.collect(),
            context,
        }
    }

    fn time_rule(&mut self, file: &TimeLimitFile) -> TimeRule {
        match file {
            TimeLimitFile::Absolute(time) => TimeRule::Absolute(time.cpu()),
            TimeLimitFile::Reference(file) => TimeRule::Reference(ReferenceLimit {
                factor: file.reference.0,
                case: None,
                at_least: self.bound(file.at_least.as_ref()),
                at_most: self.bound(file.at_most.as_ref()),
                slowest: file.slowest,
                round_up: file.round_up.map(Time::cpu),
            }),
        }
    }

    /// The limit of a single case.
    fn case_limit(&mut self, file: &CaseTimeFile) -> Option<ReferenceLimit> {
        let case = self.named(&file.case);
        let at_most = self.bound(file.at_most.as_ref());
        Some(ReferenceLimit {
            factor: file.reference.0,
            case: Some(case?),
            at_least: None,
            at_most,
            slowest: false,
            round_up: None,
        })
    }

    fn bound(&mut self, file: Option<&CaseMultipleFile>) -> Option<CaseMultiple> {
        Some(CaseMultiple {
            factor: file?.reference.0,
            case: self.named(&file?.case)?,
        })
    }

    /// The case with this name. If there is none, or the reference is not timed in it, reports that and returns `None`.
    fn named(&mut self, named: &At<String>) -> Option<NamedCase> {
        let message = match self.all.iter().find(|it| it.name == named.value) {
            Some(found) if !self.untimed.contains(&found.name) => return Some(found.clone()),
            Some(_) => format!(
                "the reference is not timed in case {}, which has a `time` of its own\nname a case without `time`",
                quoted(named)
            ),
            None => {
                let known = self.all.iter().map(|it| it.name.as_str());
                unknown("case", named, known)
            }
        };
        self.context.report(&named.span, &message);
        None
    }
}

/// Checks that the variable and values of a flat rule occur in cases.
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
