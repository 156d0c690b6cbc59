//! Tasks in several passes: an accepting checker may write `nextpass.in`, the input of the program's next pass.
//!
//! A program must learn nothing from its earlier pass except that input. So the first passes of all cases run before
//! any second pass, and the second passes run in an order derived from hidden inputs: if a pass leaves a trace in a
//! clock or a kernel counter, the run that looks for it does not come right after.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use grader_model::{CaseResult, LanguageId, SourceFile, Text, Verdict, text};
use grader_problem::{CaseKey, CaseRef};

use super::pairs::Pairs;
use super::policy::{News, Next, Policy, failed};

/// Judges a case and later ones pass by pass: all first passes in order, then all second passes in a different order.
pub(crate) struct PassesAt<'a, 's> {
    at: CaseRef<'a>,
    language: LanguageId,
    /// Results of this case and later ones.
    known: &'s mut BTreeMap<CaseKey, CaseResult>,
    /// The order of the next pass is derived from this.
    order: blake3::Hasher,
    /// The current pass, from 1.
    pass: u32,
    /// Cases that run in this pass or in the next.
    waiting: VecDeque<Open<'a>>,
    next: Vec<Open<'a>>,
    under_way: Option<UnderWay<'a>>,
}

/// A case that has been accepted so far.
struct Open<'a> {
    at: CaseRef<'a>,
    /// The input of the next pass; the case's own before the first.
    input: Option<Arc<[u8]>>,
    result: Option<CaseResult>,
}

/// The current pass of a case.
struct UnderWay<'a> {
    case: Open<'a>,
    pairs: Pairs<'a>,
    /// The input of the next pass, if the checker requested one. A pass may run several times; the last request counts.
    next_input: Option<Arc<[u8]>>,
}

impl<'a, 's> PassesAt<'a, 's> {
    /// `known` has the results so far, perhaps this case's; `later` has the cases after it that may run before it is
    /// judged.
    pub(crate) fn new(
        at: CaseRef<'a>,
        later: impl Iterator<Item = CaseRef<'a>>,
        language: LanguageId,
        sources: &[SourceFile],
        known: &'s mut BTreeMap<CaseKey, CaseResult>,
    ) -> Self {
        let mut order = blake3::Hasher::new();
        for source in sources {
            order.update(blake3::hash(&source.bytes).as_bytes());
        }
        let mut waiting = VecDeque::new();
        if !known.contains_key(&at.key()) {
            let later = later.filter(|it| !known.contains_key(&it.key()));
            waiting.extend([at].into_iter().chain(later).map(|at| Open {
                at,
                input: None,
                result: None,
            }));
        }
        Self {
            at,
            language,
            known,
            order,
            pass: 1,
            waiting,
            next: Vec::new(),
            under_way: None,
        }
    }

    /// Begins the next pass of a case; returns false if there is none.
    fn begin(&mut self) -> bool {
        if self.waiting.is_empty() {
            let (seed, pass) = (self.order.finalize(), self.pass);
            self.next.sort_by_cached_key(|case| {
                let name = format!("{pass} {}/{}", case.at.subtask.name, case.at.case.name);
                *blake3::keyed_hash(seed.as_bytes(), name.as_bytes()).as_bytes()
            });
            self.waiting.extend(self.next.drain(..));
            self.pass += 1;
        }
        self.under_way = self.waiting.pop_front().map(|case| UnderWay {
            pairs: Pairs::new(case.at, self.language),
            case,
            next_input: None,
        });
        self.under_way.is_some()
    }

    /// Records the result of the current pass.
    fn judged(&mut self, mut result: CaseResult) {
        let Some(UnderWay {
            mut case,
            next_input,
            ..
        }) = self.under_way.take()
        else {
            return;
        };
        let (pass, max) = (self.pass, case.at.problem.run.passes);
        if result.verdict != Verdict::Accepted {
            if let Some(message) = &mut result.message
                && result.verdict != Verdict::JudgeError
            {
                let Text { en, zh } = match (&case.at.case.second_run, pass) {
                    (Some(_), 1) => Text::new("in the first run", "第一次运行"),
                    (Some(_), _) => Text::new("in the second run", "第二次运行"),
                    (None, _) => text!("pass {pass}", "第 {pass} 轮"),
                };
                message.en = format!("{en}: {}", message.en);
                message.zh = format!("{zh}：{}", message.zh);
            }
        } else if let Some(earlier) = case.result.take() {
            result = both(&earlier, result);
        }
        match next_input.filter(|_| result.verdict == Verdict::Accepted) {
            None => {
                self.known.insert(case.at.key(), result);
            }
            Some(_) if pass >= max => {
                let why = format!(
                    "the problem's checker or interactor requested more than {max} passes (`passes` in `[run]`)"
                );
                let why = Text::new(why.clone(), format!("评测系统故障：{why}"));
                self.known.insert(case.at.key(), *failed(case.at, why));
            }
            Some(input) => {
                self.order
                    .update(blake3::hash(&case.at.case.input).as_bytes());
                self.order.update(blake3::hash(&input).as_bytes());
                case.input = Some(input);
                case.result = Some(result);
                self.next.push(case);
            }
        }
    }
}

impl<'a> Policy<'a> for PassesAt<'a, '_> {
    fn next(&mut self, now: u64) -> Next<'a> {
        loop {
            let Some(UnderWay { case, pairs, .. }) = &mut self.under_way else {
                if self.begin() {
                    continue;
                }
                let lost = || *failed(self.at, Text::plain("the case has no result"));
                let result = self.known.remove(&self.at.key()).unwrap_or_else(lost);
                return Next::Done(Box::new(result));
            };
            match pairs.next(now) {
                Next::Done(result) => self.judged(*result),
                Next::Run(mut plan) => {
                    plan.pass = self.pass;
                    plan.input.clone_from(&case.input);
                    return Next::Run(plan);
                }
                next => return next,
            }
        }
    }

    fn told(&mut self, news: News) {
        if let Some(under_way) = &mut self.under_way {
            if let News::Ran(run) = &news
                && let Some(input) = &run.next_input
            {
                under_way.next_input = Some(Arc::clone(input));
            }
            under_way.pairs.told(news);
        }
    }
}

/// The result of two accepted passes: the later one, with the times of the slower.
fn both(earlier: &CaseResult, later: CaseResult) -> CaseResult {
    let cpu = |result: &CaseResult| result.outcome.as_ref().map(|outcome| outcome.cpu);
    let slower = if cpu(earlier) > cpu(&later) {
        earlier.clone()
    } else {
        later.clone()
    };
    CaseResult {
        outcome: slower.outcome,
        limits: slower.limits,
        limit_origin: slower.limit_origin,
        message: slower.message,
        confirmation: slower.confirmation,
        near_limit: earlier.near_limit || later.near_limit,
        share: earlier.share.into_iter().chain(later.share).min(),
        ..later
    }
}

#[cfg(test)]
mod tests {
    use grader_model::{CpuTime, Share};
    use grader_problem::{Assignment, ReferenceTimes, TimeStep};

    use super::*;
    use crate::decide::policy::RunPlan;
    use crate::decide::run::JudgedRun;
    use crate::tests::{doubling, ended_well};

    /// Judges the cases of an assignment with two passes. `run` returns the result of a run.
    fn judge(
        assignment: &Assignment,
        source: &str,
        mut run: impl FnMut(&RunPlan<'_>) -> JudgedRun,
    ) -> CaseResult {
        let mut cases = CaseRef::all(&assignment.problems[0].problem);
        let sources = [SourceFile::new("a.c", source.as_bytes().to_vec())];
        let (at, mut known) = (cases.next().unwrap(), BTreeMap::new());
        let mut passes = PassesAt::new(at, cases, LanguageId::C, &sources, &mut known);
        loop {
            let news = match passes.next(0) {
                Next::Times(_) => News::Times(Some(ReferenceTimes {
                    own: CpuTime::from_millis(1000),
                    ..ReferenceTimes::default()
                })),
                Next::Run(plan) => News::Ran(Box::new(run(&plan))),
                Next::Done(result) => return *result,
                next => panic!("{next:?}"),
            };
            passes.told(news);
        }
    }

    fn two_passes() -> Assignment {
        doubling(|problem| problem.run.passes = 2)
    }

    /// An accepted run.
    fn accepted(plan: &RunPlan<'_>, next_input: Option<&str>) -> JudgedRun {
        let name = &plan.at.case.name;
        JudgedRun {
            next_input: next_input.map(|input| input.as_bytes().into()),
            ..JudgedRun::not_started(name, Verdict::Accepted, Text::default())
        }
    }

    /// The passes of a program's cases, each of which requests a second pass, in the order in which they run.
    fn order(source: &str, next_input: &str) -> Vec<String> {
        let mut log = Vec::new();
        let result = judge(&two_passes(), source, |plan| {
            log.push(format!("{} {}", plan.pass, plan.at.case.name));
            assert_eq!(plan.input.is_some(), plan.pass == 2);
            accepted(plan, (plan.pass == 1).then_some(next_input))
        });
        assert_eq!(result.verdict, Verdict::Accepted);
        log
    }

    #[test]
    fn all_first_passes_run_before_the_second_ones_which_run_in_an_order_that_hidden_inputs_decide()
    {
        let log = order("one", "");
        let passes = |pass| {
            (1..=5)
                .map(move |n| format!("{pass} n={n}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(log[..5], passes(1));
        assert_ne!(log[5..], passes(2));
        let mut sorted = log[5..].to_vec();
        sorted.sort();
        assert_eq!(sorted, passes(2));
        assert_eq!(order("one", ""), log);
        assert!((0..8).any(|n| order(&n.to_string(), "") != log));
        assert!((0..8).any(|n| order("one", &n.to_string()) != log));
    }

    #[test]
    fn the_slower_pass_earns_points_by_time() {
        let mut assignment = two_passes();
        let problem = Arc::get_mut(&mut assignment.problems[0].problem).unwrap();
        problem.limits.confirm = 0;
        let steps = [(0.5, 100.0), (4.0, 60.0)].map(|(ratio, percent)| TimeStep {
            ratio,
            share: Share::of(percent, 100.0),
        });
        problem.subtasks[0].by_time = steps.to_vec();
        let result = judge(&assignment, "", |plan| {
            let mut run = accepted(plan, (plan.pass == 1).then_some(""));
            run.result.message = None;
            run.result.limits = Some(plan.limits);
            let millis = if plan.pass == 1 { 2000 } else { 100 };
            run.result.outcome = Some(ended_well(CpuTime::from_millis(millis)));
            run
        });
        let message = result.message.map(|it| it.en);
        let earned = "accepted; 2 times the reference's time earns 60%";
        assert_eq!(message.as_deref(), Some(earned));
        assert_eq!(result.share, Some(Share::of(60.0, 100.0)));
    }

    #[test]
    fn a_pass_that_is_repeated_asks_for_the_next_one_by_its_last_run_that_did() {
        let mut assignment = two_passes();
        let problem = Arc::get_mut(&mut assignment.problems[0].problem).unwrap();
        problem.subtasks.truncate(1);
        problem.subtasks[0].cases.truncate(1);
        let mut log = Vec::new();
        let result = judge(&assignment, "", |plan| {
            let input = plan.input.as_deref().map(String::from_utf8_lossy);
            log.push(format!("{} {}", plan.pass, input.unwrap_or_default()));
            let mut run = accepted(plan, None);
            // The first pass is near the limit of 10 s, and its last run fails.
            run.result.limits = Some(plan.limits);
            let millis = if plan.pass == 1 { 9900 } else { 100 };
            run.result.outcome = Some(ended_well(CpuTime::from_millis(millis)));
            match log.len() {
                1..=3 => run.next_input = Some(log.len().to_string().into_bytes().into()),
                4 => run.result.verdict = Verdict::RuntimeError,
                _ => {}
            }
            run
        });
        assert_eq!(log, ["1 ", "1 ", "1 ", "1 ", "2 3"]);
        assert_eq!(result.verdict, Verdict::Accepted);
    }
}
