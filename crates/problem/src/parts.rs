//! The parts of a problem that results depend on, as hashes.
//!
//! They are made from what was understood of the files and not from their bytes, so that a comment, the order of keys
//! or another way to write the same cases changes nothing. Every field of every type is named here: whoever adds one
//! must say where it belongs.

use std::fmt::Debug;

use crate::limit_rule::LimitRule;
use crate::problem::{
    Answer, Case, Checker, CheckerProgram, Problem, Reference, ReferenceProgram, RunRule,
    SubmissionRule, Subtask,
};

/// Hashes of the two parts of a problem, each 64 hexadecimal digits.
///
/// They hold within one version of this program: small values are hashed by the text that `Debug` gives, which another
/// version may give otherwise. Whoever keeps them keeps beside them which program made them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemParts {
    /// What decides what a program does and for how long it is let: arguments, inputs and files, limits, the reference
    /// with what it is asked, how often a case is run, which languages may be used.
    pub running: String,
    /// What decides what becomes of that: checkers, given answers, points and how they are counted, what is required
    /// or hidden, flags.
    pub judging: String,
}

impl Problem {
    /// The hashes of its parts. The points that an assignment gives it are not among them.
    pub fn parts(&self) -> ProblemParts {
        let mut parts = Parts::default();
        parts.problem(self);
        ProblemParts {
            running: parts.running.end(),
            judging: parts.judging.end(),
        }
    }
}

/// Hashes words one after the other, each with its length before it, so that no two lists look the same.
#[derive(Default)]
struct Hasher(blake3::Hasher);

impl Hasher {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn value(&mut self, value: impl Debug) {
        self.bytes(format!("{value:?}").as_bytes());
    }

    fn end(self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

#[derive(Default)]
struct Parts {
    running: Hasher,
    judging: Hasher,
}

impl Parts {
    fn problem(&mut self, problem: &Problem) {
        let Problem {
            // A result is asked for by this name; it need not be in the hash.
            id: _,
            // No result says it.
            title: _,
            submission,
            source,
            time_flags,
            run,
            limits,
            reference,
            subtasks,
            // Where it lies, and how it is written.
            folder: _,
            version: _,
        } = problem;
        let SubmissionRule {
            // They decide which files are taken, and those are known by themselves.
            files: _,
            languages,
            size: _,
        } = submission;
        let RunRule {
            input_file,
            output_file,
            exit_status,
        } = run;
        self.judging.value((source, time_flags, exit_status));
        // Whether the reference is timed decides what it is asked, and so what it answers.
        let timed = problem.needs_yardstick();
        self.running
            .value((languages, input_file, output_file, timed));
        self.limits(limits);
        self.reference(reference.as_ref());
        self.running.value(subtasks.len());
        for subtask in subtasks {
            self.subtask(subtask);
        }
    }

    fn limits(&mut self, limits: &LimitRule) {
        let LimitRule {
            time,
            wall,
            memory,
            output,
            processes,
            compile_time,
            slack,
            confirm,
            languages,
        } = limits;
        self.running.value((
            time,
            wall,
            memory,
            output,
            processes,
            compile_time,
            slack,
            confirm,
            languages,
        ));
    }

    fn reference(&mut self, reference: Option<&Reference>) {
        let Some(Reference { program, calibrate }) = reference else {
            self.running.value("no reference");
            return;
        };
        self.running.value(calibrate);
        match program {
            ReferenceProgram::Builtin(name) => self.running.value(("builtin", name)),
            ReferenceProgram::Sources(sources) => {
                self.running.value(("sources", sources.len()));
                for source in sources {
                    self.running.bytes(source.path.as_bytes());
                    self.running.bytes(&source.bytes);
                }
            }
        }
    }

    fn subtask(&mut self, subtask: &Subtask) {
        let Subtask {
            name,
            points,
            score,
            require,
            hidden,
            growth,
            attempts,
            by_time,
            cases,
        } = subtask;
        self.running.value((name, growth, attempts, cases.len()));
        // Which cases belong to which subtask the other part says.
        self.judging
            .value((points, score, require, hidden, by_time));
        for case in cases {
            self.case(case);
        }
    }

    fn case(&mut self, case: &Case) {
        let Case {
            name,
            variables,
            arguments,
            input,
            answer,
            checker,
        } = case;
        self.running.value((name, arguments));
        self.running.bytes(input);
        self.judging.value(variables);
        match checker {
            Checker::Program { program, arguments } => {
                let CheckerProgram {
                    sources,
                    protocol,
                    cpu,
                    memory,
                } = &**program;
                self.judging
                    .value((protocol, cpu, memory, arguments, sources.len()));
                for source in sources {
                    self.judging.bytes(source.path.as_bytes());
                    self.judging.bytes(&source.bytes);
                }
            }
            checker => self.judging.value(checker),
        }
        match answer {
            Answer::Given(bytes) => {
                self.judging.value("given");
                self.judging.bytes(bytes);
            }
            Answer::Reference => self.judging.value("reference"),
            Answer::None => self.judging.value("none"),
        }
    }
}

#[cfg(test)]
mod tests;
