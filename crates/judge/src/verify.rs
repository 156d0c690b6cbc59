//! Holding problems to the verdicts and flags that their sample submissions must get.

use grader_model::{
    EventKind, Evidence, Flag, FlagEvidence, Judgement, Mark, Mismatch, MutantResult,
    ProblemResult, ProblemVerification, SampleResult, Sink, StudentId, Text, Verdict, Verification,
};
use grader_problem::{Assignment, Entry, Problem, ReferenceProgram, Sample};

use crate::engine::{Dispatcher, languages};
use crate::host;
use crate::job::{Job, Shared, Sources};
use crate::judge::Judge;
use crate::mutants::{self, Extent, Mutant};
use crate::reference::References;
use crate::run::CaseRef;
use crate::scheduler::{Message, for_each, judge_all};

/// The samples of one problem of an assignment.
#[derive(Debug)]
pub struct ProblemSamples<'a> {
    /// The problem and what it is worth.
    pub entry: &'a Entry,
    /// Its samples.
    pub samples: &'a [Sample],
    /// The mutants of its reference, where it is one that the grader carries.
    pub mutants: Vec<Mutant>,
}

impl Judge {
    /// Judges all samples and holds each to its expectation; runs the mutants of the references, each of which some
    /// case must fail. Nothing when asked to stop.
    ///
    /// The sink hears of every sample as of a student with one submission, so that it can show progress.
    pub fn verify(
        &self,
        assignment: &Assignment,
        problems: &[ProblemSamples<'_>],
        extent: Extent,
        sink: &mut dyn Sink,
    ) -> Option<Verification> {
        let ids: Vec<Vec<(StudentId, Vec<String>)>> = problems
            .iter()
            .map(|problem| problem.samples.iter().map(identity).collect())
            .collect();
        let mut jobs = Vec::new();
        for (problem, ids) in problems.iter().zip(&ids) {
            for (sample, (id, shown)) in problem.samples.iter().zip(ids) {
                jobs.push(Job {
                    student: id,
                    entry: problem.entry,
                    sources: Sources::InMemory(&sample.sources),
                    shown,
                });
            }
        }
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
        let reference_mismatches = self.reference_mismatches(references, problems, &mut dispatcher);
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
        let mutants: Option<Vec<Vec<MutantResult>>> = problems
            .iter()
            .zip(&reference_mismatches)
            .map(|(problem, known)| {
                // Against a reference that is itself wrong nothing can be said of them.
                if known.is_empty() {
                    self.mutants(references, problem, extent, &mut dispatcher)
                } else {
                    Some(Vec::new())
                }
            })
            .collect();
        dispatcher.send_measured(references);
        let interrupted = mutants.is_none() || results.iter().any(Option::is_none);
        dispatcher.send(EventKind::RunFinished { interrupted });
        let mut results: Vec<ProblemResult> = results.into_iter().collect::<Option<_>>()?;

        let mut verified = Vec::new();
        for ((problem, mut mismatches), mutants) in
            problems.iter().zip(reference_mismatches).zip(mutants?)
        {
            let rest = results.split_off(problem.samples.len());
            let samples: Vec<SampleResult> = problem
                .samples
                .iter()
                .zip(results)
                .map(|(sample, found)| held(sample, found))
                .collect();
            results = rest;
            mismatches.extend(suspicion(&samples));
            mismatches.extend(mutants.iter().filter_map(mutants::complaint));
            if samples.is_empty() {
                mismatches.push(Mismatch {
                    place: "submissions".to_owned(),
                    message: Text::new("there are no sample submissions", "没有样例提交"),
                    fault: false,
                });
            }
            verified.push(ProblemVerification {
                id: problem.entry.problem.id.clone(),
                mismatches,
                idle_cases: idle_cases(&samples),
                samples,
                mutants,
            });
        }
        Some(Verification {
            assignment: assignment.id.clone(),
            host,
            isolation,
            every_case: extent == Extent::EveryCase,
            problems: verified,
        })
    }

    /// Runs the reference of each problem on every case, which measures it for the samples too, and lets the
    /// checker judge what it prints.
    fn reference_mismatches(
        &self,
        references: &References,
        problems: &[ProblemSamples<'_>],
        dispatcher: &mut Dispatcher<'_, '_>,
    ) -> Vec<Vec<Mismatch>> {
        let mut all = Vec::new();
        for problem in problems.iter().map(|samples| &samples.entry.problem) {
            dispatcher.send(EventKind::JobStarted {
                student: StudentId::new("reference"),
                problem: problem.id.clone(),
            });
            let cases: Vec<_> = problem
                .subtasks
                .iter()
                .flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)))
                .collect();
            let mismatches = for_each(self, &cases, |worker, &(subtask, case)| {
                if problem.reference.is_none() || self.stop().is_requested() {
                    return None;
                }
                let at = CaseRef {
                    problem,
                    subtask,
                    case,
                };
                let (fault, message) = match references.measured(worker, at) {
                    Ok(known) => (false, complaint(&known.judgement?)?),
                    Err(error) => (true, error.text()),
                };
                Some(Mismatch {
                    place: format!("reference, case {}/{}", subtask.name, case.name),
                    message,
                    fault,
                })
            });
            all.push(mismatches.into_iter().flatten().collect());
        }
        all
    }
}

/// What a checker has against an output; nothing where it is right.
fn complaint(judgement: &Judgement) -> Option<Text> {
    (judgement.mark != Mark::Right).then(|| {
        judgement
            .evidence
            .first()
            .map_or_else(|| Text::new("not right", "不正确"), reason)
    })
}

fn reason(evidence: &Evidence) -> Text {
    match (&evidence.expected, &evidence.found) {
        (Some(expected), Some(found)) => Text::new(
            format!(
                "{}: expected `{expected}`, found `{found}`",
                evidence.message.en
            ),
            format!("{}：应为 `{expected}`，实为 `{found}`", evidence.message.zh),
        ),
        _ => evidence.message.clone(),
    }
}

fn identity(sample: &Sample) -> (StudentId, Vec<String>) {
    let shown = sample
        .sources
        .iter()
        .map(|source| source.path.clone())
        .collect();
    (StudentId::new(sample.path.clone()), shown)
}

/// Compares what a sample got with what it must get.
fn held(sample: &Sample, found: ProblemResult) -> SampleResult {
    let mut mismatches = Vec::new();
    if found.verdict == Verdict::JudgeError {
        mismatches.push(Mismatch {
            fault: true,
            ..mismatch("judge error", &first_fault(&found))
        });
    } else {
        verdict_mismatches(sample, &found, &mut mismatches);
        mismatches.extend(flag_mismatches(&sample.flags, &found.flags));
    }
    if let Some(points) = sample.points
        && found.points.is_some_and(|found| found != points)
    {
        let got = found
            .points
            .map(|points| points.to_string())
            .unwrap_or_default();
        mismatches.push(mismatch(
            "points",
            &Text::new(
                format!("expected {points}, found {got}"),
                format!("应得 {points} 分，实得 {got} 分"),
            ),
        ));
    }
    for (name, expected) in &sample.subtasks {
        let Some(subtask) = found.subtasks.iter().find(|subtask| subtask.name == *name) else {
            continue;
        };
        if !expected.contains(&subtask.verdict) {
            mismatches.push(mismatch(
                &format!("subtask {name}"),
                &differs(expected, subtask.verdict),
            ));
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

/// Every case has an expected verdict or is accepted, and at least one has an expected one; samples that must be accepted
/// get every point; samples that must not compile do not.
fn verdict_mismatches(sample: &Sample, found: &ProblemResult, mismatches: &mut Vec<Mismatch>) {
    let expected = sample.expected.as_slice();
    let is_expected = |verdict| expected.contains(&verdict);
    if expected == [Verdict::CompileError] || found.verdict == Verdict::CompileError {
        if !is_expected(found.verdict) {
            mismatches.push(mismatch("verdict", &differs(expected, found.verdict)));
        }
        return;
    }
    let mut met = false;
    for subtask in &found.subtasks {
        // A time that grows too fast may fail the subtask and no case.
        met |= subtask.message.is_some() && is_expected(subtask.verdict);
        for case in &subtask.cases {
            met |= is_expected(case.verdict);
            let allowed = is_expected(case.verdict)
                || case.verdict == Verdict::Accepted
                || case.needless
                || (case.verdict == Verdict::Skipped && expected != [Verdict::Accepted]);
            if !allowed {
                let mut message = differs(expected, case.verdict);
                if let Some(why) = &case.message {
                    message.en = format!("{}: {}", message.en, why.en);
                    message.zh = format!("{}：{}", message.zh, why.zh);
                }
                mismatches.push(mismatch(
                    &format!("case {}/{}", subtask.name, case.name),
                    &message,
                ));
            }
        }
    }
    if !met && mismatches.is_empty() {
        mismatches.push(mismatch("verdict", &differs(expected, found.verdict)));
    }
    if expected == [Verdict::Accepted]
        && mismatches.is_empty()
        && found.points != Some(found.max_points)
    {
        let got = found
            .points
            .map(|points| points.to_string())
            .unwrap_or_default();
        mismatches.push(mismatch(
            "points",
            &Text::new(
                format!("expected all {} points, found {got}", found.max_points),
                format!("应得满分 {}，实得 {got}", found.max_points),
            ),
        ));
    }
}

/// Every flag that is expected is raised, and no other.
fn flag_mismatches(expected: &[String], raised: &[Flag]) -> Vec<Mismatch> {
    let unexpected = raised
        .iter()
        .filter(|flag| !expected.contains(&flag.code))
        .map(|flag| {
            let code = &flag.code;
            let first = flag.evidence.first();
            let (en, zh) = first.map_or((String::new(), String::new()), |it| {
                (
                    format!("; {}", shown(it, &it.message.en)),
                    format!("；{}", shown(it, &it.message.zh)),
                )
            });
            Text::new(
                format!(
                    "raised the flag `{code}`, which is not expected: {}{en}",
                    flag.message.en
                ),
                format!("不应有标记 `{code}`：{}{zh}", flag.message.zh),
            )
        });
    let missing = expected
        .iter()
        .filter(|code| raised.iter().all(|flag| flag.code != **code))
        .map(|code| {
            Text::new(
                format!("did not raise the flag `{code}`, which is expected"),
                format!("应有标记 `{code}`，实际没有"),
            )
        });
    unexpected
        .chain(missing)
        .map(|message| mismatch("flags", &message))
        .collect()
}

/// What was seen, behind the place where it was.
fn shown(evidence: &FlagEvidence, message: &str) -> String {
    match &evidence.place {
        Some(place) => format!("{place}: {message}"),
        None => message.to_owned(),
    }
}

fn differs(expected: &[Verdict], found: Verdict) -> Text {
    let expected: Vec<&str> = expected.iter().map(|verdict| verdict.code()).collect();
    let expected = expected.join("/");
    Text::new(
        format!("expected {expected}, found {found}"),
        format!("应为 {expected}，实为 {found}"),
    )
}

fn mismatch(place: &str, message: &Text) -> Mismatch {
    Mismatch {
        place: place.to_owned(),
        message: message.clone(),
        fault: false,
    }
}

fn first_fault(result: &ProblemResult) -> Text {
    result
        .message
        .clone()
        .or_else(|| {
            result
                .subtasks
                .iter()
                .flat_map(|subtask| &subtask.cases)
                .find(|case| case.verdict == Verdict::JudgeError)
                .and_then(|case| case.message.clone())
        })
        .unwrap_or_default()
}

/// When all samples that must be accepted fail the same case, the reference is the likely culprit.
fn suspicion(samples: &[SampleResult]) -> Vec<Mismatch> {
    let right: Vec<&SampleResult> = samples
        .iter()
        .filter(|sample| sample.expected == Verdict::Accepted)
        .collect();
    let Some((first, others)) = right.split_first() else {
        return Vec::new();
    };
    if others.is_empty() {
        return Vec::new();
    }
    let wrong = |verdict| matches!(verdict, Verdict::WrongAnswer | Verdict::PresentationError);
    let mut suspicions = Vec::new();
    for (s, subtask) in first.found.subtasks.iter().enumerate() {
        for (c, case) in subtask.cases.iter().enumerate() {
            let all_wrong = right.iter().all(|sample| {
                sample
                    .found
                    .subtasks
                    .get(s)
                    .and_then(|subtask| subtask.cases.get(c))
                    .is_some_and(|case| wrong(case.verdict))
            });
            if all_wrong {
                let count = right.len();
                suspicions.push(mismatch(
                    &format!("reference, case {}/{}", subtask.name, case.name),
                    &Text::new(
                        format!("none of the {count} samples that must be accepted agrees with it: the reference or the answer is the likely culprit"),
                        format!("{count} 个应当通过的样例都与它不一致：很可能是参考程序或答案有误"),
                    ),
                ));
            }
        }
    }
    suspicions
}

/// Cases that every wrong sample passes (or never comes to): they tell nobody apart.
fn idle_cases(samples: &[SampleResult]) -> Vec<String> {
    let wrong: Vec<&SampleResult> = samples
        .iter()
        .filter(|sample| !matches!(sample.expected, Verdict::Accepted | Verdict::CompileError))
        .collect();
    let Some(first) = samples.first() else {
        return Vec::new();
    };
    let mut idle = Vec::new();
    for (s, subtask) in first.found.subtasks.iter().enumerate() {
        for (c, case) in subtask.cases.iter().enumerate() {
            let killed = wrong.iter().any(|sample| {
                sample
                    .found
                    .subtasks
                    .get(s)
                    .and_then(|subtask| subtask.cases.get(c))
                    .is_some_and(|case| {
                        !matches!(
                            case.verdict,
                            Verdict::Accepted | Verdict::Skipped | Verdict::JudgeError
                        )
                    })
            });
            if !killed {
                idle.push(format!("{}/{}", subtask.name, case.name));
            }
        }
    }
    idle
}

/// All problems of an assignment with their samples, and with the mutants that a reference of the grader has, by its
/// name.
pub fn with_samples<'a>(
    assignment: &'a Assignment,
    samples: &'a [Vec<Sample>],
    mutants: &dyn Fn(&str) -> Vec<Mutant>,
) -> Vec<ProblemSamples<'a>> {
    let of = |problem: &Problem| match problem.reference.as_ref()?.program {
        ReferenceProgram::Builtin(ref name) => Some(mutants(name)),
        ReferenceProgram::Sources(_) => None,
    };
    assignment
        .problems
        .iter()
        .zip(samples)
        .map(|(entry, samples)| ProblemSamples {
            entry,
            samples,
            mutants: of(&entry.problem).unwrap_or_default(),
        })
        .collect()
}
