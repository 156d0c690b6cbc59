//! Broken inputs for the validators of a problem, and broken outputs for its checkers (`grader verify`).
//!
//! None may make such a program fail. With `--fuzz`, each right answer and each input is broken in many ways, and a checker
//! must accept no result. A validator decides itself what is valid, so it is reported only if it, and all others of the
//! case, accept the result of one way for every input.

mod mutations;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grader_model::{Excerpt, Mismatch, Verdict};
use grader_problem::{
    Answer, AuthorCall, AuthorProgram, CaseRef, Checker, InputValidator, Problem, Reference,
    ReferenceProgram, Role, Sample,
};

use self::mutations::{Mutation, of_answers, of_inputs};
use crate::Fault;
use crate::author_programs::AuthorBuild;
use crate::check::accepts;
use crate::check::second_run::probe;
use crate::constants::{MAX_FUZZED_SHOWN_BYTES, MAX_FUZZED_TEXTS, MAX_PROBE_BYTES};
use crate::judge::Judge;
use crate::lab::Lab;
use crate::scheduler::for_each;

/// A name, and the output of a problem's program.
type Probe = (&'static str, fn(&Problem) -> Vec<u8>);

/// Outputs to test a checker with.
const PROBES: [Probe; 3] = [
    ("nothing", |_| Vec::new()),
    ("junk", |_| {
        b"junk \xff\0 -1 99999999999999999999 1e999 nan\n\n \n?\n".repeat(100)
    }),
    ("an endless line", |problem| {
        vec![b'9'; problem.limits.output.0.min(MAX_PROBE_BYTES) as usize]
    }),
];

/// What is tested.
#[derive(Clone, Copy, PartialEq)]
enum Tested<'a> {
    Checker(&'a AuthorProgram),
    Validator(&'a InputValidator),
}

impl<'a> Tested<'a> {
    /// The program that is built, if it is one.
    fn program(self) -> Option<&'a AuthorProgram> {
        match self {
            Self::Checker(program) => Some(program),
            Self::Validator(validator) => validator.program().map(|call| &*call.program),
        }
    }

    /// Whether it is the same program, maybe with other arguments.
    fn is_same(self, other: Self) -> bool {
        match (self.program(), other.program()) {
            (None, None) => self == other,
            (program, other) => program == other,
        }
    }

    fn is_validator(self) -> bool {
        matches!(self, Self::Validator(_))
    }

    /// Its role and its name.
    fn place(self) -> String {
        match self {
            Self::Checker(program) => format!("checker `{}`", program.name()),
            Self::Validator(validator) => format!("validator `{}`", validator.name()),
        }
    }
}

/// An input or a right answer, its case, and the program with the arguments of that case.
struct Accepted<'a> {
    at: CaseRef<'a>,
    by: Tested<'a>,
    text: Arc<[u8]>,
}

impl Judge {
    /// Feeds each checker, each interactor and each program in `change` outputs that a student's program may produce; none must
    /// make it fail. A program in `change` also gets what a right one prints in its last case, which is usually the largest.
    pub(crate) fn probed(&self, problem: &Problem, samples: &[Sample]) -> Vec<Mismatch> {
        let mut seen = Vec::new();
        let answered = answered(problem, samples);
        let programs = CaseRef::all(problem)
            .flat_map(|at| at.case.programs().map(move |call| (at, &call.program)));
        let programs = programs.filter(|(_, program)| {
            let is_new = program.role.reads_outputs() && !seen.contains(&program.id);
            seen.push(program.id);
            is_new
        });
        let probes = programs.flat_map(|(at, program)| {
            let change =
                |at: CaseRef<'_>| Some(at.case.second_run.as_ref()?.change.as_ref()?.program.id);
            let changed = CaseRef::all(&answered).filter(|it| change(*it) == Some(program.id));
            let right = changed.last().map(|at| (at, program, None));
            let given = PROBES.map(|it| (at, program, Some(it)));
            given.into_iter().chain(right)
        });
        let probes: Vec<_> = probes.collect();
        let mismatches = for_each(self, &probes, 0, |lab, _, (at, program, given)| {
            // Build failures are already reported.
            lab.get(&AuthorBuild(program)).ok()?;
            lab.input(*at).ok()?;
            lab.answer(*at).ok()?;
            let (name, output) = match given {
                Some((name, output)) => (*name, output(problem)),
                // Its failures are reported elsewhere.
                None => ("a right output", lab.first_output(*at).ok()?),
            };
            let fault = match &at.case.second_run {
                Some(second) if program.role == Role::Change => {
                    probe(lab, second, &output).err()?
                }
                _ => check_output(lab, *at, &output).err()?,
            };
            let place = format!("{}, given {name}", program.role.name());
            failure(place, &fault, "")
        });
        mismatches.into_iter().flatten().collect()
    }

    /// Breaks the inputs and the right answers of a problem, and feeds them to its validators and checkers.
    pub(crate) fn fuzzed(&self, problem: &Problem, samples: &[Sample]) -> Vec<Mismatch> {
        let mut all = Vec::new();
        for at in CaseRef::all(problem).filter(|it| it.case.mutant.is_none()) {
            for by in at.case.validators.iter().map(Tested::Validator) {
                if let Ok(text) = self.lab().input(at) {
                    add(&mut all, Accepted { at, by, text });
                }
            }
        }
        let answered = answered(problem, samples);
        for (at, answered) in CaseRef::all(problem).zip(CaseRef::all(&answered)) {
            if let Checker::Program(AuthorCall { program, .. }) = &at.case.checker
                && program.role == Role::Checker
                && self.lab().input(at).is_ok()
                && let Ok(Some(text)) = self.lab().answer(answered)
            {
                let by = Tested::Checker(program);
                add(&mut all, Accepted { at, by, text });
            }
        }
        let found = all.into_iter().flat_map(|it| self.fuzz(it));
        found.collect()
    }

    /// Breaks each text in each way.
    fn fuzz(&self, mut texts: Vec<Accepted<'_>>) -> Vec<Mismatch> {
        // There is one.
        let tested = texts[0].by;
        // Reported elsewhere.
        if let Some(program) = tested.program()
            && self.lab().get(&AuthorBuild(program)).is_err()
        {
            return Vec::new();
        }
        texts.sort_by_key(|it| it.text.len());
        texts.truncate(MAX_FUZZED_TEXTS);
        let mutations: Vec<Mutation> = if tested.is_validator() {
            of_inputs().collect()
        } else {
            of_answers().collect()
        };
        // One that never ends is not started again.
        let failed: Vec<_> = mutations.iter().map(|_| AtomicBool::new(false)).collect();
        let runs = mutations.iter().zip(&failed);
        let runs = runs.flat_map(|run| texts.iter().map(move |it| (run, it)));
        let runs: Vec<_> = runs.collect();
        let ends = for_each(
            self,
            &runs,
            0,
            |lab, _, ((mutation, failed), Accepted { at, by, text })| {
                if failed.load(Ordering::Relaxed) || self.stop().is_requested() {
                    return None;
                }
                let text = (mutation.change)(text)?;
                let accepts = match by {
                    Tested::Validator(validator) => {
                        let others = &at.case.validators;
                        let mut others = others.iter().filter(|it| it != validator);
                        // All of the case must accept.
                        let mut accept = || {
                            others.all(|other| {
                                let rejection = lab.rejection(other, &text);
                                failed.fetch_or(rejection.is_err(), Ordering::Relaxed);
                                matches!(rejection, Ok(None))
                            })
                        };
                        let rejection = lab.rejection(validator, &text);
                        rejection.map(|it| it.is_none() && accept())
                    }
                    Tested::Checker(_) => check_output(lab, *at, &text),
                };
                failed.fetch_or(accepts.is_err(), Ordering::Relaxed);
                Some(accepts)
            },
        );
        let ends = ends.chunks(texts.len()).zip(&mutations);
        let found = ends.filter_map(|(ends, mutation)| found(tested, &texts, mutation, ends));
        found.collect()
    }
}

/// Adds a text to those that its program accepts, unless it is there.
fn add<'a>(all: &mut Vec<Vec<Accepted<'a>>>, new: Accepted<'a>) {
    let Some(texts) = all.iter_mut().find(|it| it[0].by.is_same(new.by)) else {
        return all.push(vec![new]);
    };
    let is_known = texts.iter().any(|other| {
        let (a, b) = (new.at.case, other.at.case);
        let is_same = other.text == new.text && other.by == new.by;
        is_same && a.arguments == b.arguments && a.checker == b.checker
    });
    if !is_known {
        texts.push(new);
    }
}

/// The problem, with an accepted sample as its reference if it has none, whose output is the answer to cases without one.
fn answered(problem: &Problem, samples: &[Sample]) -> Problem {
    let mut problem = problem.clone();
    let right = samples.iter().find(|it| it.verdict == Verdict::Accepted);
    if let (None, Some(sample)) = (&problem.reference, right) {
        problem.reference = Some(Reference {
            program: ReferenceProgram::Sources(sample.sources.clone()),
            calibrate: Vec::new(),
            timed: Vec::new(),
        });
    }
    if problem.reference.is_some() {
        let cases = problem.subtasks.iter_mut().flat_map(|it| &mut it.cases);
        for case in cases.filter(|it| it.answer == Answer::None) {
            case.answer = Answer::Reference;
        }
    }
    problem
}

/// Whether the checker of a case accepts an output beside the right answer.
fn check_output(lab: Lab<'_>, at: CaseRef<'_>, output: &[u8]) -> Result<bool, Fault> {
    accepts(lab, at, lab.answer(at)?.as_deref(), output)
}

/// What is wrong with a program that got these texts, each broken in this way. `None` stands for what it did not get.
fn found(
    tested: Tested<'_>,
    texts: &[Accepted<'_>],
    mutation: &Mutation,
    ends: &[Option<Result<bool, Fault>>],
) -> Option<Mismatch> {
    let (is_validator, place) = (tested.is_validator(), tested.place());
    let broken = |index: usize| {
        let Accepted { at, text, .. } = &texts[index];
        let text = (mutation.change)(text).unwrap_or_default();
        let shown = Excerpt::input(&text, MAX_FUZZED_SHOWN_BYTES).to_string();
        let lines = if shown.is_empty() {
            shown
        } else {
            format!("\n{shown}")
        };
        (at.named().name, lines)
    };
    let noun = if is_validator { "input" } else { "answer" };
    let name = mutation.name;
    let failed = ends.iter().enumerate();
    let mut failed = failed.filter_map(|(index, it)| Some((index, it.as_ref()?.as_ref().err()?)));
    if let Some((index, fault)) = failed.find(|(_, it)| !matches!(it, Fault::Stopped)) {
        let (case, lines) = broken(index);
        let place = format!("{place}, given the {noun} of {case} {name}");
        return failure(place, fault, &lines);
    }
    let given = ends.iter().flatten().count();
    let accepted = ends
        .iter()
        .enumerate()
        .filter(|(_, it)| matches!(it, Some(Ok(true))));
    let (first, count) = (accepted.clone().next()?.0, accepted.count());
    if !mutation.is_wrong || (is_validator && count < given) {
        return None;
    }
    let (case, lines) = broken(first);
    let accepts = match (is_validator, given) {
        (_, 1) => format!("accepts the {noun} of {case} {name}"),
        (true, _) => {
            format!("accepts every input {name} ({given} tried), such as that of {case}")
        }
        (false, _) => {
            format!("accepts answers {name} ({count} of {given} tried), such as that of {case}")
        }
    };
    Some(Mismatch {
        place,
        message: format!("{accepts}{lines}"),
        fault: false,
    })
}

/// The failure of a program of the author's, and what it got. `None` if it was stopped.
fn failure(place: String, fault: &Fault, lines: &str) -> Option<Mismatch> {
    if matches!(fault, Fault::Stopped) {
        return None;
    }
    Some(Mismatch {
        place,
        message: format!("{}{lines}", fault.text().en),
        // These are the program's own faults.
        fault: !matches!(fault, Fault::Other(_) | Fault::CheckerWall { .. }),
    })
}
