//! Compares the results of sample submissions with their expectations.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use grader_intake::{Class, Student};
use grader_model::{
    CaseResult, Event, EventKind, Judgement, Mark, Mismatch, ProblemId, ProblemResult,
    ProblemVerification, Sink, Status, StudentId, SubtaskName, SubtaskResult, Verdict,
    Verification,
};
use grader_problem::{Assignment, AuthorProgram, CaseRef, Entry, OwnValues, Problem, Sample};

use crate::Fault;
use crate::author_cache::AuthorCache;
use crate::author_programs::AuthorBuild;
use crate::decide::expectation::{compare, mismatch};
use crate::decide::not_found::not_found;
use crate::decide::verification::{verified, without_repetitions};
use crate::engine::describe_host;
use crate::job::submission_of;
use crate::judge::Judge;
use crate::keys::{author_programs, of_programs};
use crate::lab::Lab;
use crate::reference::not_for_cpython;
use crate::scheduler::for_each;

/// Students for whom generators, validators and references run, if each has values of their own.
const OTHER_STUDENTS: [&str; 3] = ["1", "2", "3"];

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

/// A problem with its samples.
struct Sampled<'a> {
    entry: &'a Entry,
    samples: &'a [Sample],
    /// The key of its verification, if that may be kept.
    key: Option<String>,
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
        let (mut all, mut new) = (Vec::new(), Vec::new());
        for (entry, samples) in problems {
            let key = cache.and_then(|cache| key(cache, entry, samples, options));
            let known = key.as_ref().filter(|_| options.changed);
            let known = known.and_then(|key| self.kept_verification(key));
            if known.is_none() {
                new.push(Sampled {
                    entry,
                    samples,
                    key,
                });
            }
            all.push(known);
        }
        let judged = Assignment {
            problems: new.iter().map(|it| it.entry.clone()).collect(),
            ..assignment.clone()
        };
        let mut verification = self.verify_all(&judged, &new, options, sink);
        for (problem, found) in new.iter().zip(&verification.problems) {
            self.keep_verification(problem, found);
        }
        let mut judged = verification.problems.into_iter();
        let problems = all.into_iter().map_while(|it| it.or_else(|| judged.next()));
        verification.problems = problems.collect();
        verification
    }

    fn kept_verification(&self, key: &str) -> Option<ProblemVerification> {
        let found = self.settings.author_cache.as_ref()?.find(key)?;
        let found = serde_json::from_slice(&found).ok()?;
        Some(ProblemVerification {
            unchanged: true,
            ..found
        })
    }

    /// Keeps the verification of a problem if everything is as expected.
    fn keep_verification(&self, problem: &Sampled<'_>, found: &ProblemVerification) {
        let mut samples = found.samples.iter();
        // A language that was missing may be installed by then.
        let holds = found.mismatches.is_empty() && samples.all(|it| it.holds() && it.has_run());
        if holds
            && !self.stop().is_requested()
            && let (Some(cache), Some(key)) = (&self.settings.author_cache, &problem.key)
            && let Ok(content) = serde_json::to_vec(found)
        {
            cache.keep(key, &content);
        }
    }

    /// Verifies all problems. Unless `all` is set, a sample stops once its result is certain.
    fn verify_all(
        &self,
        assignment: &Assignment,
        problems: &[Sampled<'_>],
        VerifyOptions { all, fuzz, .. }: VerifyOptions,
        sink: &mut dyn Sink,
    ) -> Verification {
        let class = class_of(problems);
        let stopped = problems.iter().filter(|_| !all).flat_map(|problem| {
            let id = &problem.entry.problem.id;
            let samples = problem.samples.iter();
            samples.map(move |it| ((it.path.as_str(), id), it))
        });
        let (mut results, mut mismatches) = (Results::default(), Vec::new());
        let mut sinks: [&mut dyn Sink; 2] = [sink, &mut results];
        let stopped = stopped.collect();
        let summary = self.grade_after(assignment, &class, Some(stopped), &mut sinks, |events| {
            for problem in problems {
                events.send(EventKind::JobStarted {
                    student: StudentId::new("reference"),
                    problem: problem.entry.problem.id.clone(),
                });
            }
            mismatches = self.own_mismatches(problems, fuzz);
        });
        let found = problems
            .iter()
            .zip(mismatches)
            .map(|(problem, mismatches)| {
                let mut found = problem.verified(mismatches, &mut results, !all);
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
            problems: found.collect(),
        }
    }

    /// Runs the generator, the validator and the reference on every case, and the checker on the reference's output; then tests
    /// validators and checkers: for each problem, what is wrong. The reference's times also serve for the samples.
    fn own_mismatches(&self, problems: &[Sampled<'_>], fuzz: bool) -> Vec<Vec<Mismatch>> {
        self.build_all(problems);
        let tried = problems.iter().map(|it| tried(&it.entry.problem));
        let tried: Vec<Vec<Arc<Problem>>> = tried.collect();
        let cases = problems.iter().zip(&tried).flat_map(|(problem, tried)| {
            let cases = tried.iter().flat_map(|it| CaseRef::all(it));
            cases.map(move |at| (problem, at))
        });
        let mut cases: Vec<_> = cases.collect();
        // The last cases are usually the largest. They begin first, so that in the end no core waits for them.
        cases.reverse();
        let found = for_each(self, &cases, 0, |lab, _, (problem, at)| {
            // Where accepted samples may earn a part, nobody knows an output that earns everything.
            let accepted = problem.samples.iter();
            let accepted = accepted.filter(|it| it.verdict == Verdict::Accepted);
            let mut allowed = accepted.flat_map(|it| &it.expectation.verdicts);
            let found = own_mismatch(lab, *at, &mut |verdict| allowed.any(|it| *it == verdict));
            if !at.problem.needs_student() {
                lab.forget_own(*at);
            }
            found
        });
        let mut found = found.into_iter().rev();
        let all = problems.iter().zip(&tried).map(|(problem, tried)| {
            let Sampled { entry, samples, .. } = problem;
            let count = tried.iter().map(|it| it.case_count()).sum();
            let cases = found.by_ref().take(count);
            let mut mismatches = without_repetitions(cases.flatten());
            mismatches.extend(self.probed(&entry.problem, samples));
            if fuzz {
                mismatches.extend(self.fuzzed(&entry.problem, samples));
            }
            mismatches
        });
        all.collect()
    }

    /// Builds the references and the author's programs side by side. A case that needs one reports why it cannot be built.
    fn build_all(&self, all: &[Sampled<'_>]) {
        let problems = || all.iter().map(|it| &*it.entry.problem);
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

/// The problem, and the same with the values of some students if each has values of their own.
fn tried(problem: &Arc<Problem>) -> Vec<Arc<Problem>> {
    let others = OTHER_STUDENTS.iter().filter(|_| problem.needs_student());
    let others = others.map(|it| Arc::new(problem.for_student(it)));
    [Arc::clone(problem)].into_iter().chain(others).collect()
}

/// What is built before cases run.
enum Built<'a> {
    /// A generator, a validator or a checker.
    Author(&'a AuthorProgram),
    /// The reference of this problem.
    Reference(&'a Problem),
}

/// What is wrong with the input of a case, or with the reference's output, unless an accepted sample is `allowed` to get that
/// there. `None` if nothing is, or on a request to stop.
fn own_mismatch(
    lab: Lab<'_>,
    at: CaseRef<'_>,
    allowed: &mut dyn FnMut(Verdict) -> bool,
) -> Option<Mismatch> {
    if lab.judge.stop().is_requested() || at.case.mutant.is_some() {
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
                    let (found, verdict) = match (known.fault(at.case), known.judgement) {
                        (Some(fault), _) => ((in_lines(&fault), true), Verdict::RuntimeError),
                        (None, judgement) => {
                            let judgement = judgement?;
                            let verdict = match judgement.mark {
                                Mark::Partial(_) => Verdict::PartiallyCorrect,
                                _ => Verdict::WrongAnswer,
                            };
                            ((rejection(&judgement)?, false), verdict)
                        }
                    };
                    if allowed(verdict) {
                        return None;
                    }
                    found
                }
                Err(Fault::Stopped) => return None,
                Err(error) => (in_lines(&error), true),
            }
        }
    };
    let mut place = format!("{role}, case {}/{}", at.subtask.name, at.case.name);
    for (name, value) in at.problem.own.iter().flat_map(OwnValues::all) {
        place.extend([", ", &name, " ", &value]);
    }
    Some(Mismatch {
        place,
        message,
        fault,
    })
}

/// A failure, followed by the compiler's messages or by the reference's standard error, if that has more details.
fn in_lines(fault: &Fault) -> String {
    let text = fault.text().en;
    match fault {
        Fault::Reference { stderr, .. } if stderr.contains('\n') => format!("{text}\n{stderr}"),
        Fault::Build { messages, .. } if messages.contains('\n') => format!("{text}\n{messages}"),
        _ => text,
    }
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

impl Sampled<'_> {
    /// Compares the results of the samples, as far as there are any; they may have been stopped once that was certain.
    fn verified(
        &self,
        mut mismatches: Vec<Mismatch>,
        results: &mut Results,
        stops: bool,
    ) -> ProblemVerification {
        let problem = &self.entry.problem;
        if self.samples.is_empty() {
            let message = "there are no sample submissions";
            mismatches.push(mismatch("submissions", message));
        }
        let compared = self.samples.iter().filter_map(|sample| {
            let job = (StudentId::new(&sample.path), problem.id.clone());
            let mut result = results.0.remove(&job)?;
            if result.verdict == Verdict::JudgeError && is_unavailable(problem, sample, &result) {
                result.status = Status::NotJudged;
            }
            let mut compared = compare(sample, result, stops);
            compared.result.warning = not_found(&compared.result, &problem.languages);
            Some(compared)
        });
        verified(problem.id.clone(), compared.collect(), mismatches)
    }
}

/// Whether this machine cannot judge a sample: its language is not installed, or it is too slow in another interpreter.
fn is_unavailable(problem: &Problem, sample: &Sample, result: &ProblemResult) -> bool {
    let language = problem.language_of(&sample.sources);
    language.is_some_and(|language| {
        let slow = not_for_cpython(problem, language);
        let is_slow = |it: &CaseResult| slow.is_some() && it.message.as_deref() == slow.as_ref();
        // What requires a subtask with such a case is not run for the same reason.
        let judged = result
            .subtasks
            .iter()
            .filter(|it| !requires_a_fault(problem, &result.subtasks, &it.name));
        let cases = judged.flat_map(|it| &*it.cases);
        let mut faults = cases
            .filter(|it| it.verdict == Verdict::JudgeError)
            .peekable();
        let has_faults = faults.peek().is_some();
        let is_whole = result.message.is_none();
        language.find().is_err() || is_whole && has_faults && faults.all(is_slow)
    })
}

/// Whether a subtask requires one that could not be judged.
fn requires_a_fault(problem: &Problem, results: &[SubtaskResult], name: &SubtaskName) -> bool {
    let is_fault = |name: &SubtaskName| {
        let mut results = results.iter();
        results.any(|it| it.name == *name && it.verdict == Verdict::JudgeError)
    };
    let subtask = problem.subtasks.iter().find(|it| it.name == *name);
    subtask.is_some_and(|it| it.require.iter().any(is_fault))
}

/// A class in which each sample is the only submission of a student. Samples that must exceed the time limit come
/// first: they take longest, and a late start would keep a single core busy at the end.
fn class_of(problems: &[Sampled<'_>]) -> Class {
    let samples = problems.iter().flat_map(|problem| {
        let samples = problem.samples.iter();
        samples.map(move |sample| (&problem.entry.problem, sample))
    });
    let mut samples: Vec<_> = samples.collect();
    samples.sort_by_key(|(_, sample)| !sample.expectation.verdicts.contains(&Verdict::TimeLimit));
    let students = samples.into_iter().map(|(problem, sample)| {
        let language = problem.language_of(&sample.sources);
        let submission = submission_of(sample, language.map(|it| it.id));
        Student {
            id: StudentId::new(&sample.path),
            submissions: BTreeMap::from([(problem.id.clone(), submission)]),
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
