//! Compares the results of sample submissions with their expectations.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use grader_intake::{Class, Student, Submission};
use grader_language::SourceText;
use grader_model::{
    Event, EventKind, Flag, Judgement, Mark, Mismatch, Points, ProblemId, ProblemResult,
    ProblemVerification, SampleResult, Sink, Status, StudentId, Verdict, Verification,
};
use grader_problem::{Assignment, AuthorProgram, CaseRef, Entry, Expectation, Problem, Sample};

use crate::Fault;
use crate::author_cache::AuthorCache;
use crate::author_programs::AuthorBuild;
use crate::decide::expectation::{allows, decides, fails};
use crate::engine::describe_host;
use crate::judge::Judge;
use crate::keys::{author_programs, of_programs};
use crate::lab::Lab;
use crate::scheduler::for_each;

/// What `verify` runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerifyOptions {
    /// Every case, even if a sample's result is already certain.
    pub all: bool,
    /// Only problems that changed since they last passed; others have the result of that run.
    pub changed: bool,
    /// Also break inputs for validators and answers for checkers.
    pub fuzz: bool,
}

impl Judge {
    /// Judges all samples and compares each with its expectation. `samples` has each problem's samples, in order. After
    /// a request to stop, only the samples judged before are compared.
    ///
    /// The sink sees each sample as a student with one submission, and so can show progress.
    pub fn verify(
        &self,
        assignment: &Assignment,
        samples: &[Vec<Sample>],
        options: VerifyOptions,
        sink: &mut dyn Sink,
    ) -> Verification {
        let cache = self.settings.author_cache.as_ref();
        let problems = assignment.problems.iter().zip(samples);
        let kept: Vec<_> = problems
            .clone()
            .map(|(entry, samples)| {
                let key = cache.and_then(|cache| key(cache, entry, samples, options));
                let found = cache.filter(|_| options.changed).zip(key.as_ref());
                let found = found.and_then(|(cache, key)| cache.find(key));
                let found = found.and_then(|it| serde_json::from_slice(&it).ok());
                let known = found.map(|it| ProblemVerification {
                    unchanged: true,
                    ..it
                });
                (key, known)
            })
            .collect();
        let judged = problems
            .zip(&kept)
            .filter(|(_, (_, known))| known.is_none());
        let judged = judged.map(|((entry, samples), _)| (entry.clone(), samples.clone()));
        let (problems, samples): (Vec<_>, Vec<_>) = judged.unzip();
        let judged = Assignment {
            problems,
            ..assignment.clone()
        };
        let mut verification = self.verify_all(&judged, &samples, options, sink);
        let mut judged = verification.problems.into_iter();
        let problems = kept.into_iter().filter_map(|(key, known)| {
            let found = known.or_else(|| judged.next())?;
            let mut samples = found.samples.iter();
            // A language that was missing may be installed by then.
            let holds = found.mismatches.is_empty() && samples.all(|it| it.holds() && it.has_run());
            if let (Some(cache), Some(key), true) = (cache, key, holds && !found.unchanged)
                && let Ok(content) = serde_json::to_vec(&found)
                && !self.stop().is_requested()
            {
                cache.keep(&key, &content);
            }
            Some(found)
        });
        verification.problems = problems.collect();
        verification
    }

    /// Verifies all problems. Unless `all` is set, a sample stops once its result is certain.
    fn verify_all(
        &self,
        assignment: &Assignment,
        samples: &[Vec<Sample>],
        VerifyOptions { all, fuzz, .. }: VerifyOptions,
        sink: &mut dyn Sink,
    ) -> Verification {
        let class = class_of(assignment, samples);
        let mut results = Results::default();
        let mut reference_mismatches = Vec::new();
        let mut sinks: [&mut dyn Sink; 2] = [sink, &mut results];
        let problems = assignment.problems.iter().zip(samples).filter(|_| !all);
        let stopped = problems.flat_map(|(entry, samples)| {
            let id = &entry.problem.id;
            samples.iter().map(move |it| ((it.path.as_str(), id), it))
        });
        let stopped = stopped.collect();
        let summary = self.grade_after(assignment, &class, Some(stopped), &mut sinks, |events| {
            for entry in &assignment.problems {
                events.send(EventKind::JobStarted {
                    student: StudentId::new("reference"),
                    problem: entry.problem.id.clone(),
                });
            }
            let mut own = self.own_mismatches(assignment, samples);
            for (entry, samples) in assignment.problems.iter().zip(samples) {
                let mut mismatches = own.remove(&entry.problem.id).unwrap_or_default();
                mismatches.extend(self.probed(&entry.problem));
                if fuzz {
                    mismatches.extend(self.fuzzed(&entry.problem, samples));
                }
                reference_mismatches.push(mismatches);
            }
        });
        let problems = assignment.problems.iter().zip(samples);
        let verified = problems.zip(reference_mismatches);
        let verified = verified.map(|((entry, samples), mismatches)| {
            let id = &entry.problem.id;
            let compared = samples.iter().filter_map(|sample| {
                let job = (StudentId::new(&sample.path), id.clone());
                let mut result = results.0.remove(&job)?;
                if result.verdict == Verdict::JudgeError && is_unavailable(&entry.problem, sample) {
                    result.status = Status::NotJudged;
                }
                let cases = result.subtasks.iter().flat_map(|it| &*it.cases);
                let mut ran: Vec<_> = cases.clone().map(|it| it.verdict).collect();
                if let Some(last) = cases
                    .clone()
                    .position(|it| !all && decides(&sample.expectation, it))
                {
                    ran.truncate(last + 1);
                }
                Some((sample, compare(sample, result, ran.len()), ran))
            });
            let compared = compared.collect();
            let mut found = verify_problem(id.clone(), compared, mismatches);
            if samples.is_empty() {
                let message = "there are no sample submissions";
                found.mismatches.push(mismatch("submissions", message));
            }
            if summary.interrupted {
                // A sample that was not judged might fail such a case.
                found.idle_cases.clear();
            }
            found
        });
        Verification {
            assignment: assignment.id.clone(),
            host: describe_host(assignment, &class),
            isolation: self.isolation(),
            problems: verified.collect(),
        }
    }

    /// Runs the generator, the validator and the reference on every case, and the checker on the reference's output: by
    /// problem, what is wrong. The reference's times also serve for the samples.
    fn own_mismatches(
        &self,
        assignment: &Assignment,
        samples: &[Vec<Sample>],
    ) -> BTreeMap<ProblemId, Vec<Mismatch>> {
        self.build_all(assignment);
        // Where accepted samples may earn a part, nobody knows an output that earns everything.
        let problems = assignment.problems.iter().zip(samples);
        let in_parts = problems.filter(|(_, samples)| samples.iter().any(may_earn_a_part));
        let in_parts: BTreeSet<_> = in_parts.map(|(entry, _)| &entry.problem.id).collect();
        let problems = assignment.problems.iter();
        let cases = problems.flat_map(|entry| CaseRef::all(&entry.problem));
        let mut cases: Vec<_> = cases.collect();
        // The last cases are usually the largest. They begin first, so that in the end no core waits for them.
        cases.reverse();
        let found = for_each(self, &cases, 0, |lab, _, &at| {
            let id = &at.problem.id;
            let is_in_parts = in_parts.contains(id);
            Some((id, own_mismatch(lab, at, is_in_parts)?))
        });
        let mut mismatches: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (id, mismatch) in found.into_iter().rev().flatten() {
            mismatches.entry(id.clone()).or_default().push(mismatch);
        }
        let all = mismatches.into_iter();
        all.map(|(id, all)| (id, without_repetitions(all)))
            .collect()
    }

    /// Builds the references and the author's programs side by side. A case that needs one reports why it cannot be built.
    fn build_all(&self, assignment: &Assignment) {
        let problems = || assignment.problems.iter().map(|entry| &*entry.problem);
        let authors = problems().flat_map(author_programs);
        let authors: BTreeMap<_, _> = authors.map(|it| (&it.id, it)).collect();
        let authors = authors.into_values().map(Built::Author);
        let built: Vec<_> = authors.chain(problems().map(Built::Reference)).collect();
        for_each(self, &built, 0, |lab, _, built| match *built {
            Built::Author(program) => drop(lab.get(&AuthorBuild(program))),
            Built::Reference(problem) => drop(lab.reference(problem)),
        });
    }
}

/// What is built before cases run.
enum Built<'a> {
    /// A generator, a validator or a checker.
    Author(&'a AuthorProgram),
    /// The reference of this problem.
    Reference(&'a Problem),
}

/// Whether a sample that is accepted may earn a part of the points.
fn may_earn_a_part(sample: &Sample) -> bool {
    let expects = |verdict| sample.expectation.verdicts.contains(&verdict);
    expects(Verdict::Accepted) && expects(Verdict::PartiallyCorrect)
}

/// What is wrong with the input of a case, or with the reference's output, which may earn a part of the points if
/// `is_in_parts`. `None` if nothing is, or on a request to stop.
fn own_mismatch(lab: Lab<'_>, at: CaseRef<'_>, is_in_parts: bool) -> Option<Mismatch> {
    if lab.judge.stop().is_requested() {
        return None;
    }
    let mut role = "input";
    let (message, fault) = match lab.input_mistake(at) {
        Ok(Some(mistake)) => (mistake, false),
        Err(Fault::Stopped) => return None,
        Err(error) => (error.text().en, true),
        Ok(None) if at.problem.reference.is_none() => return None,
        Ok(None) => {
            role = "reference";
            match lab.measured(at) {
                Ok(known) => {
                    let judgement = known.judgement?;
                    if is_in_parts && matches!(judgement.mark, Mark::Partial(_)) {
                        return None;
                    }
                    (rejection(&judgement)?, false)
                }
                Err(Fault::Stopped) => return None,
                Err(error) => (in_lines(&error), true),
            }
        }
    };
    let place = format!("{role}, case {}/{}", at.subtask.name, at.case.name);
    Some(Mismatch {
        place,
        message,
        fault,
    })
}

/// A failure, followed by the reference's standard error if that has more details.
fn in_lines(fault: &Fault) -> String {
    let text = fault.text().en;
    match fault {
        Fault::Reference { stderr, .. } if stderr.contains('\n') => format!("{text}\n{stderr}"),
        _ => text,
    }
}

/// Merges a reference's identical failures in several cases into one mismatch.
fn without_repetitions(mismatches: Vec<Mismatch>) -> Vec<Mismatch> {
    let mut kept: Vec<(Mismatch, usize)> = Vec::new();
    for mismatch in mismatches {
        let lines = |it: &Mismatch| it.message.split_once('\n').map(|(_, rest)| rest.to_owned());
        let is_same = |(it, _): &&mut (Mismatch, usize)| lines(it) == lines(&mismatch);
        match kept.iter_mut().find(is_same) {
            Some((_, more)) if lines(&mismatch).is_some() => *more += 1,
            _ => kept.push((mismatch, 0)),
        }
    }
    let kept = kept.into_iter().map(|(mismatch, more)| {
        let place = match more {
            0 => mismatch.place,
            1 => format!("{} and 1 more case", mismatch.place),
            more => format!("{} and {more} more cases", mismatch.place),
        };
        Mismatch { place, ..mismatch }
    });
    kept.collect()
}

/// The result of each sample, by its name and problem.
#[derive(Default)]
struct Results(BTreeMap<(StudentId, ProblemId), ProblemResult>);

impl Sink for Results {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if let EventKind::JobFinished { student, result } = &event.kind {
            let job = (student.clone(), result.id.clone());
            self.0.insert(job, (**result).clone());
        }
        Ok(())
    }
}

/// The key of a problem's verification. `None` if what it depends on is not known.
fn key(
    cache: &AuthorCache,
    entry: &Entry,
    samples: &[Sample],
    options: VerifyOptions,
) -> Option<String> {
    let problem = &entry.problem;
    let toolchains = of_programs(problem, samples)?;
    let languages = problem.languages.iter();
    let languages: Vec<_> = languages.map(|it| (it.id, &it.definition)).collect();
    let worth = (entry.points, entry.bonus);
    let whole = (options.all, options.fuzz);
    let parts = (
        &problem.version,
        worth,
        languages,
        toolchains,
        samples,
        whole,
    );
    Some(cache.key([format!("{parts:?}").as_bytes()]))
}

/// A class in which each sample is the only submission of a student. Samples that must exceed the time limit come
/// first: they take longest, and a late start would keep a single core busy at the end.
fn class_of(assignment: &Assignment, samples: &[Vec<Sample>]) -> Class {
    let problems = assignment.problems.iter().zip(samples);
    let mut samples: Vec<_> = problems
        .flat_map(|(entry, samples)| samples.iter().map(move |sample| (entry, sample)))
        .collect();
    samples.sort_by_key(|(_, sample)| !sample.expectation.verdicts.contains(&Verdict::TimeLimit));
    let students = samples.into_iter().map(|(entry, sample)| {
        let sources = sample.sources.clone();
        let shown = sources.iter().map(|source| source.path.clone()).collect();
        let language = entry
            .problem
            .languages
            .recognise(&SourceText::all(&sources));
        let language = language.map(|language| language.id);
        let submission = Submission::in_memory(sources, shown, language);
        Student {
            id: StudentId::new(&sample.path),
            submissions: BTreeMap::from([(entry.problem.id.clone(), submission)]),
            ..Student::default()
        }
    });
    Class {
        students: students.collect(),
        ..Class::default()
    }
}

/// Why the checker rejects an output; `None` if it accepts it.
fn rejection(judgement: &Judgement) -> Option<String> {
    if judgement.mark == Mark::Right {
        return None;
    }
    Some(judgement.evidence.first().map_or_else(
        || "the checker rejected it".to_owned(),
        |evidence| match (&evidence.expected, &evidence.found) {
            (Some(expected), Some(found)) => {
                let message = &evidence.message.en;
                format!("{message}: expected `{expected}`, found `{found}`")
            }
            _ => evidence.message.en.clone(),
        },
    ))
}

/// A sample, its result, and the verdicts of the cases that ran before it was stopped.
type Compared<'a> = (&'a Sample, SampleResult, Vec<Verdict>);

fn verify_problem(
    id: ProblemId,
    compared: Vec<Compared<'_>>,
    mut mismatches: Vec<Mismatch>,
) -> ProblemVerification {
    if !compared.is_empty() && compared.iter().all(|(_, it, _)| !it.has_run()) {
        mismatches.push(Mismatch {
            fault: true,
            ..mismatch("submissions", "no sample can be run on this machine")
        });
    }
    let mut idle_cases = Vec::new();
    let have_run = compared.iter().filter(|(_, it, _)| it.has_run());
    let (right, others): (Vec<_>, Vec<_>) =
        have_run.partition(|(sample, ..)| sample.expectation.verdicts == [Verdict::Accepted]);
    let is_wrong =
        |(sample, ..): &&Compared<'_>| !sample.expectation.verdicts.contains(&Verdict::Accepted);
    let wrong: Vec<_> = others.into_iter().filter(is_wrong).collect();
    let names = compared
        .first()
        .into_iter()
        .flat_map(|(_, it, _)| it.cases());
    let names: Vec<String> = names.map(|(name, _)| name).collect();
    let stopped_early = wrong.iter().any(|(.., ran)| ran.len() < names.len());
    for (index, name) in names.into_iter().enumerate() {
        // Verdicts in this case of the samples that ran it and have certain expectations.
        let verdicts = |samples: &[&Compared<'_>]| -> Vec<_> {
            let verdicts = samples.iter().filter_map(|(.., ran)| ran.get(index));
            verdicts.copied().collect()
        };
        let (right, failing) = (verdicts(&right), verdicts(&wrong));
        // If several right programs give the same wrong answer, the reference is more likely to be wrong.
        let disagrees = |it| matches!(it, Verdict::WrongAnswer | Verdict::PresentationError);
        if right.len() > 1 && right.iter().copied().all(disagrees) {
            let message = format!(
                "none of the {} samples that must be accepted agrees with it: the reference or the answer is the likely culprit",
                right.len()
            );
            mismatches.push(mismatch(&format!("reference, case {name}"), message));
        }
        let says_nothing = |it: &Verdict| {
            // A program that does not compile fails no case.
            matches!(
                it,
                Verdict::Accepted | Verdict::Skipped | Verdict::JudgeError | Verdict::CompileError
            )
        };
        // Unknown if all wrong samples were stopped before.
        let is_known = wrong.is_empty() || !failing.is_empty();
        if is_known && failing.iter().all(says_nothing) {
            idle_cases.push(name);
        }
    }
    ProblemVerification {
        id,
        mismatches,
        samples: compared.into_iter().map(|(_, result, _)| result).collect(),
        idle_cases,
        stopped_early,
        unchanged: false,
    }
}

/// Compares a sample's result with its expectation. If it was stopped after `ran` cases, its other cases, points and
/// flags are unknown.
fn compare(sample: &Sample, mut found: ProblemResult, ran: usize) -> SampleResult {
    // A person's points are none of its business.
    if found.subtasks.iter().any(|it| it.manual.is_some()) {
        found.subtasks.retain(|it| it.manual.is_none());
        found.points = found.subtasks.iter().map(|it| it.points).sum();
        found.max_points = found.subtasks.iter().map(|it| it.max_points).sum();
    }
    let mut mismatches = Vec::new();
    let is_whole = found.subtasks.iter().flat_map(|it| &*it.cases).count() == ran;
    if found.status == Status::NotJudged {
        // Its language is not installed.
    } else if found.verdict == Verdict::JudgeError {
        mismatches.push(Mismatch {
            fault: true,
            ..mismatch("judge error", first_fault(&found))
        });
    } else {
        mismatches.extend(verdict_mismatches(&sample.expectation, &found, ran));
        if is_whole {
            mismatches.extend(flag_mismatches(&sample.expectation.flags, &found.flags));
        }
    }
    if is_whole
        && let (Some(expected), Some(got)) = (&sample.expectation.points, found.points)
        && !expected.contains(&got)
    {
        let (fewest, most) = (expected.start(), expected.end());
        let wanted = if fewest == most {
            fewest.to_string()
        } else {
            format!("{fewest} to {most}")
        };
        mismatches.push(mismatch(
            "points",
            format!("expected {wanted}, found {got}"),
        ));
    }
    let is_judged = is_whole && found.status != Status::NotJudged;
    for subtask in found.subtasks.iter().filter(|_| is_judged) {
        if let Some(expected) = sample.expectation.subtasks.get(&subtask.name)
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
        because: sample.expectation.because.clone(),
    }
}

/// Whether a sample's language is not installed on this machine.
fn is_unavailable(problem: &Problem, sample: &Sample) -> bool {
    let language = problem
        .languages
        .recognise(&SourceText::all(&sample.sources));
    language.is_some_and(|language| language.find().is_err())
}

/// Each case must get an expected verdict or be accepted, and at least one must get a required one; or the first case
/// that fails must get an expected verdict. Accepted samples must earn all points, partially correct ones some of them,
/// and only samples in `compile-error` may fail to compile. Only the first `ran` cases count.
fn verdict_mismatches(
    expectation: &Expectation,
    found: &ProblemResult,
    mut ran: usize,
) -> Vec<Mismatch> {
    let expected = expectation.verdicts.as_slice();
    let is_expected = |verdict| expected.contains(&verdict);
    let whole = || vec![mismatch("verdict", differs(expected, found.verdict))];
    if expected == [Verdict::CompileError] || found.verdict == Verdict::CompileError {
        return if is_expected(found.verdict) {
            Vec::new()
        } else {
            whole()
        };
    }
    let got = || found.points.map_or_else(String::new, |it| it.to_string());
    if expected == [Verdict::PartiallyCorrect] {
        let max = found.max_points;
        if found
            .points
            .is_some_and(|points| points > Points::ZERO && points < max)
        {
            return Vec::new();
        }
        let message = format!(
            "expected some of the {max} points and not all, found {}",
            got()
        );
        return vec![mismatch("points", message)];
    }
    let mut mismatches = Vec::new();
    let mut met = false;
    for subtask in &found.subtasks {
        // Growth may fail a subtask but none of its cases.
        met |= subtask.message.is_some() && expectation.required().contains(&subtask.verdict);
        for case in subtask.cases.iter().take(ran) {
            met |= expectation.required().contains(&case.verdict);
            if !allows(expectation, case) {
                let mut message = differs(expected, case.verdict);
                if let Some(why) = &case.message {
                    message = format!("{message}: {}", why.en);
                }
                let place = format!("case {}/{}", subtask.name, case.name);
                mismatches.push(mismatch(&place, message));
            }
            if expectation.first_failure && fails(case) {
                return mismatches;
            }
        }
        ran = ran.saturating_sub(subtask.cases.len());
    }
    met |= expectation.first_failure && is_expected(found.verdict);
    if !mismatches.is_empty() {
        return mismatches;
    }
    if !met {
        return whole();
    }
    let is_full = found.points == Some(found.max_points) || expectation.points.is_some();
    if expected == [Verdict::Accepted] && !is_full {
        let message = format!("expected all {} points, found {}", found.max_points, got());
        return vec![mismatch("points", message)];
    }
    Vec::new()
}

/// A sample must raise exactly the expected flags.
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
    let mut cases = result.subtasks.iter().flat_map(|subtask| &*subtask.cases);
    let case = || {
        cases
            .find(|case| case.verdict == Verdict::JudgeError)?
            .message
            .as_deref()
    };
    let message = result.message.as_ref().or_else(case);
    message.map_or_else(String::new, |message| message.en.clone())
}
