//! Compares what the sample submissions of problems get with what they must get.

use grader_model::{
    EventKind, Flag, Judgement, Mark, Mismatch, ProblemResult, ProblemVerification, SampleResult,
    Sink, StudentId, Verdict, Verification,
};
use grader_problem::{Assignment, Problem, Sample};

use crate::engine::{Dispatcher, languages};
use crate::host;
use crate::job::{Job, Shared, Sources};
use crate::judge::Judge;
use crate::reference::References;
use crate::run::CaseRef;
use crate::scheduler::{Message, for_each, judge_all};

impl Judge {
    /// Judges all samples and compares each with its expectation. `samples` are those of each problem, in order.
    /// `None` when asked to stop.
    ///
    /// The sink sees each sample as a student with one submission, and so can show progress.
    pub fn verify(
        &self,
        assignment: &Assignment,
        samples: &[Vec<Sample>],
        sink: &mut dyn Sink,
    ) -> Option<Verification> {
        let problems = || assignment.problems.iter().zip(samples);
        let submitters: Vec<(StudentId, Vec<String>)> =
            samples.iter().flatten().map(submitter).collect();
        let jobs: Vec<Job<'_>> = problems()
            .flat_map(|(entry, samples)| samples.iter().map(move |sample| (entry, sample)))
            .zip(&submitters)
            .map(|((entry, sample), (student, shown))| Job {
                student,
                entry,
                sources: Sources::InMemory(&sample.sources),
                shown,
            })
            .collect();
        let host = host::describe(languages(&jobs));
        let isolation = self.runner().isolation();
        let mut sinks: [&mut dyn Sink; 1] = [sink];
        let mut dispatcher = Dispatcher::new(&mut sinks);
        dispatcher.send(EventKind::RunStarted {
            run: None,
            assignment: assignment.info(),
            host: Box::new(host.clone()),
            isolation: isolation.clone(),
            students: jobs.iter().map(|job| job.student.clone()).collect(),
            unused: Vec::new(),
            jobs: jobs.len(),
            cases: jobs.iter().map(|job| job.entry.problem.case_count()).sum(),
        });
        let shared = Shared::default();
        let references = &shared.references;
        let reference_mismatches: Vec<Vec<Mismatch>> = problems()
            .map(|(entry, _)| {
                dispatcher.send(EventKind::JobStarted {
                    student: StudentId::new("reference"),
                    problem: entry.problem.id.clone(),
                });
                self.reference_mismatches(references, &entry.problem)
            })
            .collect();
        dispatcher.send_measured(references);
        let mut results: Vec<Option<ProblemResult>> = jobs.iter().map(|_| None).collect();
        let mut listen = |message| match message {
            Message::Event(kind) => dispatcher.send(*kind),
            Message::Done(_, None) => {}
            Message::Done(job, Some(finished)) => {
                let result = finished.done.result;
                dispatcher.send(EventKind::JobFinished {
                    student: jobs[job].student.clone(),
                    result: Box::new(result.clone()),
                });
                results[job] = Some(result);
            }
        };
        let listen = |messages: Vec<Message>| messages.into_iter().for_each(&mut listen);
        judge_all(self, &shared, &jobs, listen);
        dispatcher.send_measured(references);
        let interrupted = results.iter().any(Option::is_none);
        dispatcher.send(EventKind::RunFinished { interrupted });
        let mut results = results.into_iter().collect::<Option<Vec<_>>>()?.into_iter();

        let verified = problems().zip(reference_mismatches);
        let verified = verified.map(|((entry, samples), mismatches)| {
            let found = results.by_ref().take(samples.len());
            let samples = samples
                .iter()
                .zip(found)
                .map(|(sample, found)| compare(sample, found));
            verify_problem(&entry.problem, samples.collect(), mismatches)
        });
        Some(Verification {
            assignment: assignment.id.clone(),
            host,
            isolation,
            problems: verified.collect(),
        })
    }

    /// Runs the reference on every case, which measures it for the samples too, and lets the checker judge its output.
    fn reference_mismatches(&self, references: &References, problem: &Problem) -> Vec<Mismatch> {
        if problem.reference.is_none() {
            return Vec::new();
        }
        let subtasks = problem.subtasks.iter();
        let cases: Vec<_> = subtasks
            .flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)))
            .collect();
        let mismatches = for_each(self, &cases, |worker, &(subtask, case)| {
            if self.stop().is_requested() {
                return None;
            }
            let at = CaseRef {
                problem,
                subtask,
                case,
            };
            let (message, fault) = match references.measured(worker, at) {
                Ok(known) => (rejection(&known.judgement?)?, false),
                Err(error) => (error.text().en, true),
            };
            let place = format!("reference, case {}/{}", subtask.name, case.name);
            Some(Mismatch {
                place,
                message,
                fault,
            })
        });
        mismatches.into_iter().flatten().collect()
    }
}

fn submitter(sample: &Sample) -> (StudentId, Vec<String>) {
    let sources = sample.sources.iter();
    let shown = sources.map(|source| source.path.clone()).collect();
    (StudentId::new(sample.path.clone()), shown)
}

/// Why the checker rejects an output; `None` if it accepts it.
fn rejection(judgement: &Judgement) -> Option<String> {
    if judgement.mark == Mark::Right {
        return None;
    }
    Some(judgement.evidence.first().map_or_else(
        || "not right".to_owned(),
        |evidence| match (&evidence.expected, &evidence.found) {
            (Some(expected), Some(found)) => {
                let message = &evidence.message.en;
                format!("{message}: expected `{expected}`, found `{found}`")
            }
            _ => evidence.message.en.clone(),
        },
    ))
}

fn verify_problem(
    problem: &Problem,
    samples: Vec<SampleResult>,
    mut mismatches: Vec<Mismatch>,
) -> ProblemVerification {
    if samples.is_empty() {
        mismatches.push(mismatch("submissions", "there are no sample submissions"));
    }
    let right = with_verdicts(&samples, |expected| expected == Verdict::Accepted);
    let wrong = with_verdicts(&samples, |expected| {
        !matches!(expected, Verdict::Accepted | Verdict::CompileError)
    });
    let mut idle_cases = Vec::new();
    let names = samples.first().into_iter().flat_map(SampleResult::cases);
    for (index, (name, _)) in names.enumerate() {
        let fails = |sample: &Vec<Verdict>| {
            let verdict = sample.get(index).copied().unwrap_or(Verdict::Skipped);
            !matches!(
                verdict,
                Verdict::Accepted | Verdict::Skipped | Verdict::JudgeError
            )
        };
        let disagrees = |sample: &Vec<Verdict>| {
            matches!(
                sample.get(index),
                Some(Verdict::WrongAnswer | Verdict::PresentationError)
            )
        };
        // If several right programs give the same wrong answer, the reference is more likely to be wrong.
        if right.len() > 1 && right.iter().all(disagrees) {
            let message = format!(
                "none of the {} samples that must be accepted agrees with it: the reference or the answer is the likely culprit",
                right.len()
            );
            mismatches.push(mismatch(&format!("reference, case {name}"), message));
        }
        if !wrong.iter().any(fails) {
            idle_cases.push(name);
        }
    }
    ProblemVerification {
        id: problem.id.clone(),
        mismatches,
        samples,
        idle_cases,
    }
}

/// The verdicts in each case of the samples that must get certain verdicts.
fn with_verdicts(samples: &[SampleResult], wanted: impl Fn(Verdict) -> bool) -> Vec<Vec<Verdict>> {
    let samples = samples.iter().filter(|sample| wanted(sample.expected));
    samples
        .map(|sample| sample.cases().map(|(_, case)| case.verdict).collect())
        .collect()
}

/// Compares what a sample got with what it must get.
fn compare(sample: &Sample, found: ProblemResult) -> SampleResult {
    let mut mismatches = Vec::new();
    if found.verdict == Verdict::JudgeError {
        mismatches.push(Mismatch {
            fault: true,
            ..mismatch("judge error", first_fault(&found))
        });
    } else {
        mismatches.extend(verdict_mismatches(sample, &found));
        mismatches.extend(flag_mismatches(&sample.flags, &found.flags));
    }
    if let (Some(expected), Some(got)) = (sample.points, found.points)
        && expected != got
    {
        mismatches.push(mismatch(
            "points",
            format!("expected {expected}, found {got}"),
        ));
    }
    for subtask in &found.subtasks {
        if let Some(expected) = sample.subtasks.get(&subtask.name)
            && !expected.contains(&subtask.verdict)
        {
            let place = format!("subtask {}", subtask.name);
            mismatches.push(mismatch(&place, differs(expected, subtask.verdict)));
        }
    }
    SampleResult {
        path: sample.path.clone(),
        expected: sample.verdict,
        found,
        mismatches,
        because: sample.because.clone(),
    }
}

/// Each case must get the folder's verdict or be accepted, and at least one the folder's. Accepted samples must get
/// all points, and only samples in `compile-error` may fail to compile.
fn verdict_mismatches(sample: &Sample, found: &ProblemResult) -> Vec<Mismatch> {
    let expected = sample.expected.as_slice();
    let is_expected = |verdict| expected.contains(&verdict);
    let whole = || vec![mismatch("verdict", differs(expected, found.verdict))];
    if expected == [Verdict::CompileError] || found.verdict == Verdict::CompileError {
        return if is_expected(found.verdict) {
            Vec::new()
        } else {
            whole()
        };
    }
    let mut mismatches = Vec::new();
    let mut met = false;
    for subtask in &found.subtasks {
        // Growth may fail a subtask and no case of it.
        met |= subtask.message.is_some() && is_expected(subtask.verdict);
        for case in &subtask.cases {
            met |= is_expected(case.verdict);
            let allowed = is_expected(case.verdict)
                || case.verdict == Verdict::Accepted
                || case.skipped
                || (case.verdict == Verdict::Skipped && expected != [Verdict::Accepted]);
            if !allowed {
                let mut message = differs(expected, case.verdict);
                if let Some(why) = &case.message {
                    message = format!("{message}: {}", why.en);
                }
                let place = format!("case {}/{}", subtask.name, case.name);
                mismatches.push(mismatch(&place, message));
            }
        }
    }
    if !mismatches.is_empty() {
        return mismatches;
    }
    if !met {
        return whole();
    }
    if expected == [Verdict::Accepted] && found.points != Some(found.max_points) {
        let got = found.points.map_or_else(String::new, |it| it.to_string());
        let message = format!("expected all {} points, found {got}", found.max_points);
        return vec![mismatch("points", message)];
    }
    Vec::new()
}

/// A sample must raise the flags that are expected, and no others.
fn flag_mismatches(expected: &[String], raised: &[Flag]) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    for flag in raised.iter().filter(|flag| !expected.contains(&flag.code)) {
        let mut message = format!(
            "raised the flag `{}`, which is not expected: {}",
            flag.code, flag.message.en
        );
        if let Some(evidence) = flag.evidence.first() {
            let place = evidence.place.as_ref();
            let place = place.map_or_else(String::new, |place| format!("{place}: "));
            message = format!("{message}; {place}{}", evidence.message.en);
        }
        mismatches.push(mismatch("flags", message));
    }
    for code in expected {
        if raised.iter().all(|flag| flag.code != *code) {
            let message = format!("did not raise the flag `{code}`, which is expected");
            mismatches.push(mismatch("flags", message));
        }
    }
    mismatches
}

fn differs(expected: &[Verdict], found: Verdict) -> String {
    let expected: Vec<&str> = expected.iter().map(|verdict| verdict.code()).collect();
    format!("expected {}, found {found}", expected.join(" or "))
}

fn mismatch(place: &str, message: impl Into<String>) -> Mismatch {
    Mismatch {
        place: place.to_owned(),
        message: message.into(),
        fault: false,
    }
}

fn first_fault(result: &ProblemResult) -> String {
    let mut cases = result.subtasks.iter().flat_map(|subtask| &subtask.cases);
    let case = || {
        cases
            .find(|case| case.verdict == Verdict::JudgeError)?
            .message
            .as_ref()
    };
    let message = result.message.as_ref().or_else(case);
    message.map_or_else(String::new, |message| message.en.clone())
}
