//! How a time limit came about, and what a program near it needed when it was run again alone.

use std::iter;
use std::time::Duration;

use grader_model::{Breach, CaseResult, CpuTime, TimeInfo, Verdict};

use crate::layout::whole;
use crate::style::Style;
use crate::words::{LimitEnd, Phrase, Product};

/// `limit: 3 × 2.11 s of the reference = 6.33 s`, for a case on whose verdict its limit has a say.
///
/// Where the limit is not that of the problem, as in a subtask that asks for growth, only the reference's time is told.
pub(super) fn origin(time: Option<&TimeInfo>, case: &CaseResult, style: &Style) -> Option<String> {
    let wall = || {
        let outcome = case.outcome.as_ref();
        outcome.and_then(|outcome| outcome.breach) == Some(Breach::Wall)
    };
    let over = case.verdict == Verdict::TimeLimit && !wall();
    if !over && !case.near_limit {
        return None;
    }
    let words = style.words();
    let explained = time.and_then(|time| Some((time, language_factor(time, case)?)));
    let Some((time, language)) = explained else {
        let yardstick = case.yardstick?;
        return Some(words.reference(&yardstick.to_string()));
    };
    let limit = case.limits?.cpu;
    let special = ((language - 1.0).abs() > f64::EPSILON).then_some(language);
    let of_language = |time: CpuTime| times(time, language).unwrap_or(time);
    let Some(factor) = time.factor else {
        // One that nothing is multiplied with has no origin but the problem file.
        let base = time.at_least.to_string();
        return special.map(|factor| words.limit_by_language(&base, factor, &limit.to_string()));
    };
    let yardstick = case.yardstick?;
    let asked = times(yardstick, factor)?;
    let product = Product {
        factor,
        yardstick: yardstick.to_string(),
        language: special,
        result: of_language(asked).to_string(),
    };
    let end = if asked < time.at_least {
        Some(LimitEnd::Least(of_language(time.at_least).to_string()))
    } else {
        let most = time.at_most.filter(|most| of_language(asked) > *most);
        most.map(|most| LimitEnd::Most(most.to_string()))
    };
    Some(words.limit_is(&product, end.as_ref()))
}

/// `run again alone 3 times: 6.1 s of 6.33 s, …; the smallest counts`.
pub(super) fn alone(time: Option<&TimeInfo>, case: &CaseResult, style: &Style) -> Option<String> {
    let confirmation = case.confirmation.as_ref()?;
    let words = style.words();
    let runs = runs_alone(time, case, style)?;
    Some(words.run_alone(&runs, confirmation.runs.len(), confirmation.resolved))
}

/// The CPU times of the runs alone, each with the limit of its moment where that is known.
pub(super) fn runs_alone(
    time: Option<&TimeInfo>,
    case: &CaseResult,
    style: &Style,
) -> Option<String> {
    let confirmation = case.confirmation.as_ref()?;
    if confirmation.runs.is_empty() {
        return None;
    }
    let words = style.words();
    let language = time.and_then(|time| language_factor(time, case));
    let limit_at = |index: usize| -> Option<CpuTime> {
        let time = time?;
        let yardstick = match time.factor {
            None => None,
            Some(_) => Some(*confirmation.yardsticks.get(index)?),
        };
        limit(time, language?, yardstick)
    };
    let limits: Option<Vec<CpuTime>> = (0..confirmation.runs.len()).map(limit_at).collect();
    let runs = confirmation.runs.iter().map(CpuTime::to_string);
    let comma = words.say(Phrase::ListComma);
    Some(match limits.as_deref() {
        // One limit for all is said once.
        Some([limit, rest @ ..]) if rest.iter().all(|other| other == limit) => {
            let runs: Vec<String> = runs.collect();
            words.run_of(&runs.join(comma), &limit.to_string())
        }
        Some(limits) => {
            let pairs = runs.zip(limits);
            let told: Vec<String> = pairs
                .map(|(run, limit)| whole(&words.run_of(&run, &limit.to_string())))
                .collect();
            told.join(comma)
        }
        None => runs.collect::<Vec<_>>().join(comma),
    })
}

/// What the limit of a case was multiplied by for its language; nothing where the problem's rule does not give this
/// limit with any language's factor.
fn language_factor(time: &TimeInfo, case: &CaseResult) -> Option<f64> {
    let actual = case.limits?.cpu.0;
    let gives = |language: &f64| {
        limit(time, *language, case.yardstick).is_some_and(|limit| {
            // Times that were written down are rounded to a microsecond.
            limit.0.abs_diff(actual) <= actual / 1000 + Duration::from_micros(10)
        })
    };
    iter::once(1.0)
        .chain(time.languages.values().copied())
        .find(gives)
}

/// The limit by the problem's rule; nothing where it is a multiple of a time that is not known.
fn limit(time: &TimeInfo, language: f64, yardstick: Option<CpuTime>) -> Option<CpuTime> {
    let base = match time.factor {
        None => time.at_least,
        Some(factor) => times(yardstick?, factor)?.max(time.at_least),
    };
    let limit = times(base, language)?;
    Some(time.at_most.map_or(limit, |most| limit.min(most)))
}

/// Nothing where the product is no time.
fn times(time: CpuTime, factor: f64) -> Option<CpuTime> {
    let product = Duration::try_from_secs_f64(time.0.as_secs_f64() * factor);
    product.ok().map(CpuTime)
}

#[cfg(test)]
mod tests {
    use grader_model::{Lang, Limits};

    use super::*;
    use crate::sample;

    /// A case over its limit of so many milliseconds, of which the reference took so many.
    fn over(limit: u64, yardstick: Option<u64>) -> CaseResult {
        let results = sample::results();
        let mut case = results.students[4].problems[0].subtasks[1].cases[2].clone();
        case.limits = case.limits.map(|limits| Limits {
            cpu: CpuTime::from_millis(limit),
            ..limits
        });
        case.yardstick = yardstick.map(CpuTime::from_millis);
        case
    }

    fn told(problem: usize, limit: u64, yardstick: Option<u64>, lang: Lang) -> Option<String> {
        let info = &sample::results().assignment.problems[problem];
        let style = Style {
            lang,
            ..Style::default()
        };
        origin(info.time.as_ref(), &over(limit, yardstick), &style)
    }

    #[test]
    fn a_limit_is_explained_by_the_reference_the_language_and_its_ends() {
        let shown = |problem, limit, yardstick| {
            [Lang::En, Lang::Zh].map(|lang| told(problem, limit, yardstick, lang).unwrap())
        };
        assert_eq!(
            shown(0, 6330, Some(2110)),
            [
                "limit: 3 × 2.11 s of the reference = 6.33 s",
                "限制：标准程序 2.11 s × 3 = 6.33 s"
            ]
        );
        assert_eq!(
            shown(0, 15_000, Some(500)),
            [
                "limit: 3 × 500 ms of the reference × 10 for the language = 15 s",
                "限制：标准程序 500 ms × 3 × 10（语言系数）= 15 s"
            ]
        );
        assert_eq!(
            shown(0, 1000, Some(2)),
            [
                "limit: at least 1 s; 3 × 2.0 ms of the reference = 6.0 ms is less",
                "限制：至少 1 s；标准程序 2.0 ms × 3 = 6.0 ms，不到此数"
            ]
        );
        assert_eq!(
            shown(0, 60_000, Some(30_000)),
            [
                "limit: at most 60 s; 3 × 30 s of the reference = 90 s is more",
                "限制：至多 60 s；标准程序 30 s × 3 = 90 s，超过此数"
            ]
        );
        assert_eq!(
            shown(2, 2000, None),
            [
                "limit: 1 s × 2 for the language = 2 s",
                "限制：1 s × 2（语言系数）= 2 s"
            ]
        );
    }

    #[test]
    fn runs_alone_stand_beside_the_limits_of_their_moment_as_far_as_these_are_known() {
        let results = sample::results();
        let info = &results.assignment.problems[0];
        let mut case = results.students[4].problems[0].subtasks[1].cases[1].clone();
        let shown = |time: Option<&TimeInfo>, case: &CaseResult| {
            let style = Style::default();
            style.paint(&alone(time, case, &style).unwrap())
        };
        assert_eq!(
            shown(info.time.as_ref(), &case),
            "run again alone 3 times: 6.3 s of 6.33 s, 6.41 s of 6.39 s, 6.35 s of 6.36 s; they do not agree, and the smallest counts"
        );
        assert_eq!(
            shown(None, &case),
            "run again alone 3 times: 6.3 s, 6.41 s, 6.35 s; they do not agree, and the smallest counts"
        );
        let confirmation = case.confirmation.as_mut().unwrap();
        confirmation.yardsticks.clear();
        confirmation.resolved = true;
        let mut absolute = results.assignment.problems[2].time.clone().unwrap();
        absolute.at_least = CpuTime::from_millis(6330);
        assert_eq!(
            shown(Some(&absolute), &case),
            "run again alone 3 times: 6.3 s, 6.41 s, 6.35 s of 6.33 s; the smallest counts"
        );
        case.confirmation.as_mut().unwrap().runs.truncate(1);
        assert_eq!(
            shown(Some(&absolute), &case),
            "run again alone: 6.3 s of 6.33 s"
        );
    }

    #[test]
    fn a_limit_that_the_rule_does_not_give_is_not_explained_by_it() {
        assert_eq!(
            told(0, 12_345, Some(2110), Lang::En).unwrap(),
            "reference: 2.11 s"
        );
        assert_eq!(told(0, 12_345, None, Lang::En), None);
        assert_eq!(told(2, 1000, None, Lang::En), None);
        let mut broken = sample::results().assignment.problems[0]
            .time
            .clone()
            .unwrap();
        broken.factor = Some(f64::NAN);
        let style = Style::default();
        assert_eq!(
            origin(Some(&broken), &over(6330, Some(2110)), &style).unwrap(),
            "reference: 2.11 s"
        );
    }
}
