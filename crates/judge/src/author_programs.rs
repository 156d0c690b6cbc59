//! The programs of a problem's author: generators, validators, checkers and interactors.
//!
//! Each is built once per run of the grader, as a reference in sources is, and runs in the same sandbox as submissions,
//! in a fresh folder. Its exit status is its decision. Anything else (a crash, a limit, a status that its protocol does
//! not define) is a fault of the problem: the verdict is `JE` and the points stay open. Its output is capped and
//! escaped like a student's.
//!
//! Generated inputs are kept: each is generated once, when the first job needs it.

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grader_language::{ProgramSources, SourceText};
use grader_model::{Breach, Bytes, End, Excerpt, Limits, Outcome, WallTime};
use grader_problem::{AuthorCall, AuthorProgram, Case, CaseRef, Checker, ProgramId};
use grader_sandbox::{BindMount, Request};

use crate::Fault;
use crate::build::{Built, build_trusted};
use crate::constants::{
    AUTHOR_COMPILE_TIME, AUTHOR_SPARE_WALL, MAX_AUTHOR_OUTPUT, MAX_FAULT_BYTES,
    MAX_GENERATED_INPUT, MAX_KEPT_BYTES, MAX_MESSAGE_READ_BYTES, MAX_VALIDATOR_MESSAGE_BYTES,
};
use crate::context::{CoreTurn, RunContext};
use crate::judge::Worker;
use crate::lock::locked;
use crate::once::{OnceMap, is_known, keep, once};
use crate::program::Program;
use crate::together::{MAX_EXIT_STATUS, Ran};
use crate::workspace::{Workspace, read_start};

/// Result of running a generator or validator.
struct AuthorRun {
    /// Its exit status.
    status: i32,
    stdout: Vec<u8>,
    /// The beginning of its standard error.
    stderr: Vec<u8>,
}

/// The author's built programs, and the generated inputs.
#[derive(Default)]
pub(crate) struct AuthorPrograms {
    built: OnceMap<ProgramId, Arc<Built>>,
    /// What a generator printed with these arguments.
    inputs: OnceMap<(ProgramId, Vec<String>), Arc<[u8]>>,
    kept_bytes: AtomicU64,
}

impl AuthorPrograms {
    /// A case with its input, generated if necessary.
    pub(crate) fn with_input<'a>(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'a>,
    ) -> Result<Cow<'a, Case>, Fault> {
        if at.case.generator.is_none() {
            return Ok(Cow::Borrowed(at.case));
        }
        Ok(Cow::Owned(Case {
            input: self.input(worker, at)?,
            ..at.case.clone()
        }))
    }

    /// Generates the inputs of these cases of one search, as far as several runs in one sandbox can do that.
    pub(crate) fn generate_together(
        &self,
        worker: Worker<'_>,
        cases: &[CaseRef<'_>],
    ) -> Result<(), Fault> {
        let generators = cases.iter().filter_map(|at| at.case.generator.as_ref());
        let new = generators.filter(|it| !is_known(&self.inputs, &call_key(it)));
        let calls: Vec<_> = new.map(|it| (it, &b""[..])).collect();
        let ran = self.run_together(worker, &calls)?;
        for ((generator, _), ran) in calls.into_iter().zip(ran) {
            if let Some((0, output)) = ran {
                self.keep(&output)?;
                keep(&self.inputs, call_key(generator), output);
            }
        }
        Ok(())
    }

    /// Whether the validator of a search accepts these inputs; `None` if it must decide alone.
    pub(crate) fn are_valid(
        &self,
        worker: Worker<'_>,
        validator: &AuthorCall,
        inputs: &[&[u8]],
    ) -> Result<Vec<Option<bool>>, Fault> {
        let calls: Vec<_> = inputs.iter().map(|it| (validator, *it)).collect();
        let ran = self.run_together(worker, &calls)?.into_iter();
        let decided = ran.map(|it| it.filter(|(status, _)| *status <= MAX_EXIT_STATUS));
        Ok(decided.map(|it| it.map(|it| is_accepting(it.0))).collect())
    }

    /// Runs one generator or validator on several inputs.
    fn run_together(
        &self,
        worker: Worker<'_>,
        calls: &[(&AuthorCall, &[u8])],
    ) -> Result<Vec<Option<Ran>>, Fault> {
        let Some((AuthorCall { program, .. }, _)) = calls.first() else {
            return Ok(Vec::new());
        };
        let built = self.built(worker, program)?;
        let calls = calls.iter();
        let calls: Vec<_> = calls
            .map(|(call, stdin)| (&call.arguments[..], *stdin))
            .collect();
        // Its folder is empty when it runs alone, too.
        let runs = Program {
            data: Arc::default(),
            ..built.program(program.memory)
        };
        let limited = (&runs, limits(program, &built));
        built.together.run(worker, limited, &calls)
    }

    pub(crate) fn input(&self, worker: Worker<'_>, at: CaseRef<'_>) -> Result<Arc<[u8]>, Fault> {
        let Some(generator) = &at.case.generator else {
            return Ok(Arc::clone(&at.case.input));
        };
        once(&self.inputs, call_key(generator), worker.judge, || {
            let input = self.generate(worker, generator)?;
            self.keep(&input)?;
            Ok(input)
        })
    }

    /// Counts bytes kept in memory; fails above the limit.
    pub(crate) fn keep(&self, bytes: &[u8]) -> Result<(), Fault> {
        let size = bytes.len() as u64;
        if self.kept_bytes.fetch_add(size, Ordering::Relaxed) + size > MAX_KEPT_BYTES {
            // Over the limit: not kept.
            self.kept_bytes.fetch_sub(size, Ordering::Relaxed);
            let max = Bytes(MAX_KEPT_BYTES);
            return Err(Fault::Other(format!(
                "the generated inputs and the reference's answers are larger than {max} together"
            )));
        }
        Ok(())
    }

    /// Forgets all inputs if what is kept takes half of the memory that it may take. Returns whether it did.
    pub(crate) fn forget_if_full(&self) -> bool {
        let is_full = self.kept_bytes.load(Ordering::Relaxed) > MAX_KEPT_BYTES / 2;
        if is_full {
            locked(&self.inputs).clear();
            self.kept_bytes.store(0, Ordering::Relaxed);
        }
        is_full
    }

    /// Runs a generator.
    fn generate(&self, worker: Worker<'_>, generator: &AuthorCall) -> Result<Arc<[u8]>, Fault> {
        let run = self.output(worker, generator, b"")?;
        if run.status == 0 {
            return Ok(run.stdout.into());
        }
        let reason = format!("ended with exit status {}", run.status);
        Err(fault(&generator.program, &reason, &run.stderr))
    }

    /// The mistake in a case's input, if any: its generator is not deterministic, or the problem's validator rejects
    /// it.
    pub(crate) fn input_mistake(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<Option<String>, Fault> {
        match self.generator_mistake(worker, at)? {
            None => self.validator_mistake(worker, at),
            mistake => Ok(mistake),
        }
    }

    /// What is wrong if a case's generator prints something else on a second run.
    pub(crate) fn generator_mistake(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<Option<String>, Fault> {
        let Some(generator) = &at.case.generator else {
            return Ok(None);
        };
        if self.generate(worker, generator)? == self.input(worker, at)? {
            return Ok(None);
        }
        let name = generator.program.name().to_owned();
        let call = [&[name], &generator.arguments[..]].concat().join(" ");
        Ok(Some(format!(
            "the generator `{call}` printed different output on a second run"
        )))
    }

    /// Why the validator rejects a case's input.
    pub(crate) fn validator_mistake(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<Option<String>, Fault> {
        match &at.case.validator {
            Some(validator) => self.rejection(worker, validator, &self.input(worker, at)?),
            None => Ok(None),
        }
    }

    /// Why a validator rejects an input; `None` if it accepts it.
    pub(crate) fn rejection(
        &self,
        worker: Worker<'_>,
        validator: &AuthorCall,
        input: &[u8],
    ) -> Result<Option<String>, Fault> {
        let AuthorRun {
            status,
            stdout,
            stderr,
        } = self.output(worker, validator, input)?;
        if is_accepting(status) {
            return Ok(None);
        }
        let said = [stderr, stdout].concat();
        let said = Excerpt::first(said.trim_ascii(), MAX_VALIDATOR_MESSAGE_BYTES);
        let name = validator.program.name();
        Ok(Some(format!(
            "the validator `{name}` rejected the input (exit status {status}): {said}"
        )))
    }

    /// Runs a generator or validator.
    fn output(
        &self,
        worker: Worker<'_>,
        AuthorCall { program, arguments }: &AuthorCall,
        stdin: &[u8],
    ) -> Result<AuthorRun, Fault> {
        let built = self.built(worker, program)?;
        let workspace = worker.judge.run_folder()?;
        let directory = workspace.directory.clone();
        let mut request = request(worker, program, &built, &workspace, directory);
        request
            .arguments
            .extend(arguments.iter().map(OsString::from));
        request.stdin = Some(workspace.stdin(stdin)?);
        (request.files, request.limits.output) = (MAX_GENERATED_INPUT, MAX_GENERATED_INPUT);
        let turn = CoreTurn::new(RunContext::beside(worker), None);
        let outcome = turn.execute(&request)?;
        let stderr = read_start(&request.stderr, MAX_MESSAGE_READ_BYTES)?;
        Ok(AuthorRun {
            status: exit_status(worker, program, &outcome, &request.limits, &stderr)?,
            stdout: read_start(&request.stdout, MAX_GENERATED_INPUT.0)?,
            stderr,
        })
    }

    /// Builds the checker of a case, if it is a program. This is done early, because an exclusive run and a program
    /// that waits for its interactor must not wait for a compiler. An exclusive run always follows a shared one.
    pub(crate) fn build_checker(
        &self,
        context: RunContext<'_>,
        at: CaseRef<'_>,
    ) -> Result<(), Fault> {
        if let (None, Checker::Program(call)) = (context.exclusive, &at.case.checker) {
            self.built(context.worker, &call.program)?;
        }
        Ok(())
    }

    pub(crate) fn built(
        &self,
        worker: Worker<'_>,
        program: &AuthorProgram,
    ) -> Result<Arc<Built>, Fault> {
        once(&self.built, program.id, worker.judge, || {
            let failed = |why: &str| {
                let why = Excerpt::first(why.as_bytes(), MAX_FAULT_BYTES);
                let is_missing = why.text.contains("testlib.h: No such file");
                let help = if is_missing {
                    "; put it and `testlib.h` into a folder, and name that folder as `source`"
                } else {
                    ""
                };
                fault(program, &format!("does not compile: {why}{help}"), b"")
            };
            let texts = SourceText::all(&program.sources);
            let (language, sources) = (program.language.as_ref(), ProgramSources::own(&texts));
            build_trusted(worker, language, &sources, AUTHOR_COMPILE_TIME, failed).map(Arc::new)
        })
    }
}

/// What determines a generator's output.
fn call_key(call: &AuthorCall) -> (ProgramId, Vec<String>) {
    (call.program.id, call.arguments.clone())
}

/// Whether a validator accepts its input.
const fn is_accepting(status: i32) -> bool {
    matches!(status, 0 | 42)
}

/// A failure of an author's program, with the beginning of its standard error.
pub(crate) fn fault(program: &AuthorProgram, reason: &str, stderr: &[u8]) -> Fault {
    let stderr = Excerpt::first(stderr.trim_ascii(), MAX_FAULT_BYTES);
    let wrote = if stderr.is_empty() {
        String::new()
    } else {
        format!("; it wrote: {stderr}")
    };
    let (role, name) = (program.role.name(), program.name());
    Fault::Other(format!("the problem's {role} `{name}` {reason}{wrote}"))
}

/// The request to run an author's program.
pub(crate) fn request(
    worker: Worker<'_>,
    program: &AuthorProgram,
    built: &Built,
    workspace: &Workspace,
    directory: BindMount,
) -> Request {
    let limits = limits(program, built);
    built
        .program(program.memory)
        .request(worker, workspace, directory, limits)
}

fn limits(program: &AuthorProgram, built: &Built) -> Limits {
    let language = &built.language.definition;
    Limits {
        cpu: program.cpu,
        wall: WallTime(program.cpu.0 * 3 + AUTHOR_SPARE_WALL),
        memory: Bytes(program.memory.0 + language.memory.0),
        output: MAX_AUTHOR_OUTPUT,
        processes: program.processes + language.threads,
    }
}

/// The exit status of an author's program. Any other end is a fault.
pub(crate) fn exit_status(
    worker: Worker<'_>,
    program: &AuthorProgram,
    outcome: &Outcome,
    limits: &Limits,
    stderr: &[u8],
) -> Result<i32, Fault> {
    let reason = match (outcome.breach, outcome.end) {
        (None, End::Exited(status)) => return Ok(status),
        (None, End::Signalled(_)) if worker.must_stop() => {
            return Err(Fault::Stopped);
        }
        (None, end) => format!("was killed by {end}"),
        (Some(Breach::Wall), _) => {
            return Err(Fault::CheckerWall {
                role: program.role.name(),
                name: program.name().to_owned(),
                wall: limits.wall,
            });
        }
        (Some(Breach::Cpu), _) => format!("took more than {} of CPU time", program.cpu),
        (Some(Breach::Memory), _) => format!("took more than {} of memory", program.memory),
        (Some(Breach::Output), _) => format!("wrote more than {}", limits.output),
    };
    Err(fault(program, &reason, stderr))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_has_a_limit_and_what_is_refused_does_not_count() {
        let programs = AuthorPrograms {
            kept_bytes: AtomicU64::new(MAX_KEPT_BYTES - 10),
            ..AuthorPrograms::default()
        };
        assert!(programs.keep(&[0; 9]).is_ok());
        let fault = programs.keep(&[0; 1000]).unwrap_err().chain();
        let message =
            "the generated inputs and the reference's answers are larger than 1 GiB together";
        assert_eq!(fault, message);
        assert!(programs.keep(&[0]).is_ok() && programs.keep(&[0]).is_err());
        // A search starts over.
        assert!(programs.forget_if_full() && !programs.forget_if_full());
        assert!(programs.keep(&[0; 1000]).is_ok());
    }
}
