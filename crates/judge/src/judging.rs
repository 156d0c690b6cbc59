//! Judges a built submission: its cases in order, each by its policy.

use std::collections::BTreeMap;
use std::time::SystemTime;
use std::{mem, ptr};

use blake3::Hash;
use grader_check::{Mistakes, common_mistake};
use grader_language::{AuthorsError, Language, SourceText};
use grader_model::{
    CaseResult, EventKind, FaultCause, Flag, LanguageId, ProblemResult, Status, SubtaskResult,
    Verdict,
};
use grader_problem::{Case, CaseKey, CaseRef, Problem, Sample, Subtask};

use crate::build::Built;
use crate::check::pass_feedback::Feedback;
use crate::decide::attempts::{AttemptsAt, Interleaved, Ruled, same_answer, second};
use crate::decide::flags::{KnownAnswer, report_flags, source_flags, time_flags, whole_number};
use crate::decide::growth::SweepCase;
use crate::decide::hints::add_hints;
use crate::decide::junit::Report;
use crate::decide::order::{
    early_end, hints_on_hidden_cases, is_failed, lacking, requirements_are_met,
};
use crate::decide::pairs::Pairs;
use crate::decide::passes::PassesAt;
use crate::decide::policy::{News, Next, Policy};
use crate::decide::score::{by_hand, by_tool, problem_points, subtask_result};
use crate::decide::submitted_tests::SubmittedTests;
use crate::decide::tested::TestedRun;
use crate::decide::tool_output::Checked;
use crate::job::Job;
use crate::lab::Lab;
use crate::prepared::Prepared;
use crate::run_lock::Exclusive;
use crate::{Fault, reproduce};

/// A submission that is being judged.
#[derive(Clone, Copy)]
pub(crate) struct Judging<'a> {
    /// Set if it is a sample that stops early.
    pub(crate) sample: Option<&'a Sample>,
    pub(crate) job: &'a Job<'a>,
    pub(crate) lab: Lab<'a>,
    pub(crate) prepared: &'a Prepared<'a>,
    pub(crate) texts: &'a [SourceText<'a>],
    pub(crate) built: &'a Built,
}

/// What earlier runs mean for the cases that are still to be judged.
#[derive(Default)]
pub(crate) struct Ahead {
    attempts: Interleaved,
    passes: BTreeMap<CaseKey, CaseResult>,
    feedback: BTreeMap<CaseKey, Feedback>,
    /// Runs of harnesses.
    pub(crate) tested: Vec<TestedRun>,
    /// Whether an interaction was recorded.
    has_transcript: bool,
    /// For each run, the error in an included file that ended it, if one did.
    errors: Vec<Option<AuthorsError>>,
    /// What the outputs show, by case.
    mistakes: BTreeMap<CaseKey, Mistakes>,
    /// Submitted tests that count.
    pub(crate) submitted: SubmittedTests,
    /// What tools say, by check.
    pub(crate) checked: BTreeMap<String, Checked>,
    /// What was printed in each case that did not pass.
    pub(crate) words: BTreeMap<CaseKey, Hash>,
}

impl Ahead {
    /// The error in an included file that ended all runs, if the same one did.
    pub(crate) fn common_error(&self) -> Option<AuthorsError> {
        let first = self.errors.first()?.as_ref()?;
        let is_common = self.errors.iter().all(|it| it.as_ref() == Some(first));
        is_common.then(|| first.clone())
    }

    /// Tells the usual mistake that all failed cases show, in the first of them; apart from the hidden ones, whose hints are not
    /// for students.
    pub(crate) fn tell_mistakes(&self, problem: &Problem, result: &mut ProblemResult) {
        for hidden in [false, true] {
            let all = result
                .subtasks
                .iter_mut()
                .flat_map(SubtaskResult::cases_mut);
            let failed = CaseRef::all(problem).zip(all).filter(|(at, case)| {
                let is_judged =
                    [Verdict::WrongAnswer, Verdict::PresentationError].contains(&case.verdict);
                is_judged && at.subtask.hidden == hidden
            });
            let shown = failed.map(|(at, case)| {
                let mistakes = self.mistakes.get(&at.key())?;
                Some((mistakes, (at.case.hint.as_ref(), case)))
            });
            let Some(shown) = shown.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let (mistakes, mut cases): (Vec<_>, Vec<_>) = shown.into_iter().unzip();
            if let Some((author, case)) = cases.first_mut() {
                add_hints(case, *author, common_mistake(&mistakes));
            }
        }
    }
}

impl Judging<'_> {
    /// The problem's result, from those of all subtasks.
    pub(crate) fn summed_up(&self, subtasks: Vec<SubtaskResult>) -> ProblemResult {
        let entry = self.job.entry;
        let built = self.built;
        let language = &built.language;
        let (points, verdict) = problem_points(&subtasks);
        let mut hints = built.plan.hints.clone();
        hints.extend(hints_on_hidden_cases(&entry.problem, &subtasks));
        ProblemResult {
            id: entry.problem.id.clone(),
            points,
            max_points: entry.points,
            bonus: entry.bonus,
            verdict,
            status: if verdict == Verdict::JudgeError {
                Status::Fault(FaultCause::Grader)
            } else {
                Status::Judged
            },
            hints,
            language: Some(language.id),
            build: language.is_of_programs().then(|| built.report.clone()),
            flags: self.flags(language, &subtasks),
            subtasks,
            ..ProblemResult::default()
        }
    }

    /// Judges the cases of a subtask, and sends each result; `earlier` has those of the subtasks before it. `None` on a request
    /// to stop.
    pub(crate) fn subtask(
        &self,
        subtask: &Subtask,
        earlier: &[SubtaskResult],
        ahead: &mut Ahead,
        send: &dyn Fn(EventKind),
    ) -> Option<SubtaskResult> {
        if subtask.manual.is_some() {
            return Some(by_hand(subtask));
        }
        let lacking = lacking(subtask, earlier);
        if let Some(rule) = &subtask.check {
            let mut tools = self.job.entry.problem.checks.tools.iter();
            let tool = tools.find(|it| it.name == rule.check)?;
            let checked = self.checked(tool, ahead).ok()?;
            return Some(by_tool(subtask, rule, lacking, checked));
        }
        let mut cases = Vec::with_capacity(subtask.cases.len());
        for case in &subtask.cases {
            if self.lab.judge.stop().is_requested() {
                return None;
            }
            let at = CaseRef {
                problem: &self.job.entry.problem,
                subtask,
                case,
            };
            let unrun = |verdict, message| CaseResult::unrun(case.name.clone(), verdict, message);
            let stops_early = self.lab.judge.settings.stops_early;
            let early = early_end(subtask, &cases, earlier, self.sample, stops_early);
            let early_end = lacking.is_none() && early.is_some();
            let judged = match (&lacking, early) {
                (Some((verdict, message)), _) => Ok(unrun(*verdict, message.clone())),
                (None, Some(message)) => Ok(unrun(Verdict::Skipped, message)),
                (None, None) => match (&case.test, &case.mutant) {
                    (_, Some(mutant)) => self.mutant(at, mutant, earlier, &cases, ahead),
                    (Some(rule), None) => {
                        let run = self.tested(at, earlier, &cases, ahead);
                        run.map(|it| it.judge(at, rule))
                    }
                    (None, None) => self.case(at, earlier, &cases, ahead).map(|(it, _)| it),
                },
            };
            let judged = judged.and_then(|mut result| {
                if result.verdict == Verdict::TimeLimit
                    && let Some(why) = self.lab.no_time_limit(at, &self.built.language)?
                {
                    result.verdict = Verdict::JudgeError;
                    result.message = Some(Box::new(why));
                }
                self.with_command(at, &mut result)?;
                if !subtask.hidden && case.mutant.is_none() && is_failed(&result) {
                    result.hints.extend(case.hint.clone());
                }
                Ok(result)
            });
            let result = match judged {
                Ok(result) => result,
                Err(Fault::Stopped) => return None,
                Err(fault) => unrun(Verdict::JudgeError, fault.text()),
            };
            send(EventKind::CaseFinished {
                student: self.job.student.clone(),
                problem: self.job.entry.problem.id.clone(),
                subtask: subtask.name.clone(),
                hidden: subtask.hidden,
                early_end,
                case: Box::new(result.clone()),
            });
            cases.push(result);
        }
        Some(subtask_result(subtask, cases, earlier))
    }

    /// Judges a case that no subtask has.
    ///
    /// # Errors
    /// Our own failure, and [`Fault::Stopped`].
    pub(crate) fn searched(&self, at: CaseRef<'_>) -> Result<CaseResult, Fault> {
        let mut ahead = Ahead::default();
        let mut result = match &at.case.test {
            Some(rule) => self.tested(at, &[], &[], &mut ahead)?.judge(at, rule),
            None => self.case(at, &[], &[], &mut ahead)?.0,
        };
        self.with_command(at, &mut result)?;
        Ok(result)
    }

    /// The run of the harness for a case, which other cases share.
    pub(crate) fn tested<'b>(
        &self,
        at: CaseRef<'_>,
        earlier: &[SubtaskResult],
        cases: &[CaseResult],
        ahead: &'b mut Ahead,
    ) -> Result<&'b mut TestedRun, Fault> {
        let known = ahead.tested.iter();
        let place = known.take_while(|it| !it.case.has_run_of(at.case)).count();
        if place == ahead.tested.len() {
            let (result, report) = self.case(at, earlier, cases, ahead)?;
            ahead.tested.push(TestedRun {
                case: at.case.clone(),
                result,
                report,
                is_shown: false,
            });
        }
        Ok(&mut ahead.tested[place])
    }

    /// Executes the requests of a case's policy until there is a result. Also returns the last complete report of its harness.
    /// `cases` has the earlier results of its subtask.
    ///
    /// # Errors
    /// [`Fault::Stopped`], or if the reference cannot be built. The policy is told of other faults.
    fn case(
        &self,
        at: CaseRef<'_>,
        earlier: &[SubtaskResult],
        cases: &[CaseResult],
        ahead: &mut Ahead,
    ) -> Result<(CaseResult, Option<Report>), Fault> {
        if !ahead.passes.contains_key(&at.key()) {
            // Other cases begin, with their first pass.
            ahead.feedback.clear();
        }
        let Ahead {
            attempts,
            passes,
            feedback,
            has_transcript,
            errors,
            mistakes,
            words,
            ..
        } = ahead;
        let judge = self.lab.judge;
        let mut policy = self.policy(at, earlier, cases, attempts, passes);
        let (mut exclusive, mut waited_for, mut report) = (None, 0, None);
        loop {
            let now = second(SystemTime::now()).max(mem::take(&mut waited_for));
            let next = policy.next(now);
            if !matches!(next, Next::Done(_)) {
                judge.check_stop()?;
            }
            exclusive = self.exclusive(&next, exclusive)?;
            let lab = self.lab.alone(exclusive.as_ref());
            let news = match next {
                Next::Done(result) => return Ok((*result, report)),
                Next::Wait(second) => {
                    lab.wait_for(second)?;
                    waited_for = second;
                    continue;
                }
                Next::Times(at) => self.lab.times(at, self.language()).map(News::Times),
                Next::Reference(at) => {
                    let is_cpython = self.built.language.lacks_pypy();
                    let run = lab.run_reference(at);
                    run.map(|it| News::Reference(it.time(is_cpython)))
                }
                Next::Run(plan) => {
                    // In a sample, only the first is of interest.
                    let records = self.sample.is_none() || !*has_transcript;
                    let kept = Feedback::of(plan.at, feedback, judge.folder());
                    let run = kept.and_then(|kept| self.run_and_check(lab, &plan, kept, records));
                    run.map(|mut run| {
                        report = run.report.take().or(report.take());
                        *has_transcript |= run.has_transcript;
                        errors.push(run.authors_error.take());
                        mistakes.insert(plan.at.key(), mem::take(&mut run.mistakes));
                        words.extend(run.words.map(|it| (plan.at.key(), it)));
                        News::Ran(Box::new(run))
                    })
                }
            };
            policy.told(match news {
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Err(fault) => News::Failed(fault.text()),
                Ok(news) => news,
            });
        }
    }

    /// The machine for what comes next, if that must be alone on it; the one it has, if it has it.
    fn exclusive<'b>(
        &'b self,
        next: &Next<'_>,
        held: Option<Exclusive<'b>>,
    ) -> Result<Option<Exclusive<'b>>, Fault> {
        if !next.is_alone() || held.is_some() {
            return Ok(held.filter(|_| next.is_alone()));
        }
        if let Next::Reference(at) = next {
            // Built early: an exclusive run must not wait for another job.
            self.lab.reference(at.problem)?;
        }
        let judge = self.lab.judge;
        judge.run_lock.exclusive(judge.stop()).map(Some)
    }

    /// The policy of a case.
    fn policy<'b>(
        &self,
        at: CaseRef<'b>,
        earlier: &'b [SubtaskResult],
        cases: &[CaseResult],
        attempts: &'b mut Interleaved,
        passes: &'b mut BTreeMap<CaseKey, CaseResult>,
    ) -> Box<dyn Policy<'b> + 'b> {
        let (language, later) = (self.language(), Self::later(at, earlier));
        if let Some(rule) = at.subtask.attempts {
            let ruled = |at: CaseRef<'b>| at.subtask.attempts.map(|rule| Ruled { at, rule });
            let later = later.filter_map(ruled).collect();
            Box::new(AttemptsAt::new(
                attempts,
                Ruled { at, rule },
                later,
                language,
            ))
        } else if at.problem.run.passes > 1 {
            let sources = self.prepared.files;
            Box::new(PassesAt::new(at, later, language, sources, passes))
        } else if let Some(rule) = &at.subtask.growth {
            Box::new(SweepCase::new(at, rule, language, cases))
        } else {
            Box::new(Pairs::new(at, language))
        }
    }

    fn language(&self) -> LanguageId {
        self.built.language.id
    }

    /// Adds the input and the command that reproduce a failed case. Each of several passes has added its own.
    fn with_command(&self, at: CaseRef<'_>, result: &mut CaseResult) -> Result<(), Fault> {
        let is_nobodys = at.case.mutant.is_some() || result.outcome.is_none();
        if is_nobodys || result.verdict == Verdict::Accepted {
            (result.input, result.command) = (None, None);
        } else if at.problem.run.passes == 1 {
            self.reproduce(at.problem, &*self.lab.with_input(at)?, result);
        }
        Ok(())
    }

    /// Adds the input of a case and the command that reproduce a run on it.
    pub(crate) fn reproduce(&self, problem: &Problem, case: &Case, result: &mut CaseResult) {
        result.input = reproduce::input(case).map(Box::new);
        let files = &self.job.submission.shown;
        result.command = reproduce::command(self.built, files, problem, case);
    }

    /// Later cases that may start before this one has its result.
    fn later<'b>(
        at: CaseRef<'b>,
        earlier: &'b [SubtaskResult],
    ) -> impl Iterator<Item = CaseRef<'b>> {
        let all = CaseRef::all(at.problem).skip_while(move |it| !ptr::eq(it.case, at.case));
        all.skip(1)
            .filter(|it| requirements_are_met(it.subtask, earlier))
    }

    /// Flags for the instructor.
    fn flags(&self, language: &Language, results: &[SubtaskResult]) -> Vec<Flag> {
        let problem = &self.job.entry.problem;
        let all = results.iter().flat_map(|subtask| &*subtask.cases);
        let mut answers = Vec::new();
        for (at, result) in CaseRef::all(problem).zip(all) {
            // If a case was run, the reference's answer is already known.
            if result.outcome.is_some()
                && problem.source.answers.is_some()
                && let Ok(Some(answer)) = self.lab.answer(at)
                && let Some(answer) = whole_number(&answer)
            {
                let case = at.case.name.clone();
                answers.push(KnownAnswer { case, answer });
            }
        }
        let (texts, shown) = (self.texts, &self.job.submission.shown);
        let _large = self.lab.judge.large_source(self.prepared.files);
        let mut flags = source_flags(&problem.source, language, texts, shown, Some(&answers));
        flags.extend(time_flags(problem, results));
        flags.extend(same_answer(problem, results));
        flags.extend(report_flags(results));
        flags
    }
}
