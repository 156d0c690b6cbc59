//! The programs of a problem's author: generators, validators, checkers and interactors.
//!
//! Each is built once per run of the grader, as a reference in sources is, and runs in the same sandbox as submissions,
//! in a fresh folder. Its exit status is its decision. Anything else (a crash, a limit, a status that its protocol does
//! not define) is a fault of the problem: the verdict is `JE` and the points stay open. Its output is capped and
//! escaped like a student's.
//!
//! Each input is generated once, when the first job needs it.

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::Arc;

use grader_language::{ProgramSources, SourceText};
use grader_model::{Breach, Bytes, End, Excerpt, Limits, Outcome, WallTime};
use grader_problem::{AuthorCall, AuthorProgram, Case, CaseRef, InputValidator};
use grader_sandbox::{BindMount, Request};

use crate::Fault;
use crate::build::{Built, build_trusted};
use crate::constants::{
    AUTHOR_COMPILE_TIME, AUTHOR_SPARE_WALL, MAX_AUTHOR_OUTPUT, MAX_FAULT_BYTES,
    MAX_GENERATED_INPUT, MAX_MESSAGE_READ_BYTES, MAX_VALIDATOR_MESSAGE_BYTES,
};
use crate::lab::{Key, Lab, Task};
use crate::program::Program;
use crate::together::{Asked, Ended, MAX_EXIT_STATUS, run_together};
use crate::workspace::{Workspace, read_start};

/// Result of running a generator or validator.
struct AuthorRun {
    /// Its exit status.
    status: i32,
    stdout: Vec<u8>,
    /// The beginning of its standard error.
    stderr: Vec<u8>,
}

/// The build of an author's program.
pub(crate) struct AuthorBuild<'a>(pub(crate) &'a AuthorProgram);

impl Task for AuthorBuild<'_> {
    type Out = Arc<Built>;

    fn key(&self) -> Key {
        Key::of("author's program", [self.0.id.as_bytes()])
    }

    fn run(&self, lab: Lab<'_>) -> Result<Arc<Built>, Fault> {
        let Self(program) = self;
        let failed = |messages: &str| {
            let is_missing = messages.contains("testlib.h: No such file");
            let hint = if is_missing {
                "; put it and `testlib.h` into a folder, and name that folder as `source`"
            } else {
                ""
            };
            let what = format!("{} does not compile", program.described());
            Fault::build(&what, messages, hint)
        };
        let texts = SourceText::all(&program.sources);
        let (language, sources) = (program.language.as_ref(), ProgramSources::own(&texts));
        build_trusted(lab, language, &sources, AUTHOR_COMPILE_TIME, failed).map(Arc::new)
    }
}

/// What a generator prints.
pub(crate) struct Generated<'a>(pub(crate) &'a AuthorCall);

impl Task for Generated<'_> {
    type Out = Arc<[u8]>;

    fn key(&self) -> Key {
        let AuthorCall { program, arguments } = self.0;
        let arguments = arguments.iter().map(String::as_bytes);
        Key::of(
            "input",
            [program.id.as_bytes()].into_iter().chain(arguments),
        )
    }

    fn run(&self, lab: Lab<'_>) -> Result<Arc<[u8]>, Fault> {
        lab.printed(self.0, b"")
    }

    fn run_together(tasks: &[&Self], lab: Lab<'_>) -> Result<Vec<Option<Arc<[u8]>>>, Fault> {
        let asked = tasks.iter().map(|it| Asked {
            arguments: &it.0.arguments,
            stdin: b"",
        });
        let program = tasks.first().map(|it| &*it.0.program);
        let ended = lab
            .run_author_together(program, &asked.collect::<Vec<_>>())?
            .into_iter();
        Ok(ended.map(|it| it?.answer(MAX_GENERATED_INPUT)).collect())
    }

    fn size(input: &Arc<[u8]>) -> Option<usize> {
        Some(input.len())
    }
}

impl Lab<'_> {
    /// What an author's program prints. It has to end with exit status 0.
    pub(crate) fn printed(self, call: &AuthorCall, stdin: &[u8]) -> Result<Arc<[u8]>, Fault> {
        let run = self.output(call, stdin)?;
        if run.status == 0 {
            return Ok(run.stdout.into());
        }
        let reason = format!("ended with exit status {}", run.status);
        Err(fault(&call.program, &reason, &run.stderr))
    }

    /// The input of a case, generated if necessary.
    pub(crate) fn input(self, at: CaseRef<'_>) -> Result<Arc<[u8]>, Fault> {
        match &at.case.generator {
            Some(generator) => self.get(&Generated(generator)),
            None => Ok(Arc::clone(&at.case.input)),
        }
    }

    /// A case with its input, generated if necessary.
    pub(crate) fn with_input(self, at: CaseRef<'_>) -> Result<Cow<'_, Case>, Fault> {
        if at.case.generator.is_none() {
            return Ok(Cow::Borrowed(at.case));
        }
        Ok(Cow::Owned(Case {
            input: self.input(at)?,
            ..at.case.clone()
        }))
    }

    /// Whether the validator of a search accepts these inputs; `None` if it must decide alone.
    pub(crate) fn are_valid(
        self,
        validator: &InputValidator,
        inputs: &[&[u8]],
    ) -> Result<Vec<Option<bool>>, Fault> {
        let validator = match validator {
            InputValidator::Program(call) => call,
            InputValidator::Checktestdata(it) => {
                let decided = inputs.iter().map(|input| it.program.check(input).ok());
                return Ok(decided.map(|it| it.map(|it| it.is_ok())).collect());
            }
        };
        let asked = inputs.iter().map(|stdin| Asked {
            arguments: &validator.arguments,
            stdin,
        });
        let ended =
            self.run_author_together(Some(&validator.program), &asked.collect::<Vec<_>>())?;
        let statuses = ended.into_iter().map(|it| Some(it?.status));
        let decided = statuses.map(|it| it.filter(|status| *status <= MAX_EXIT_STATUS));
        Ok(decided.map(|it| it.map(is_accepting)).collect())
    }

    /// Runs a generator or validator several times.
    fn run_author_together(
        self,
        program: Option<&AuthorProgram>,
        asked: &[Asked<'_>],
    ) -> Result<Vec<Option<Ended>>, Fault> {
        let Some(program) = program else {
            return Ok(Vec::new());
        };
        let built = self.get(&AuthorBuild(program))?;
        // Its folder is empty when it runs alone, too.
        let alone = Program {
            data: Arc::default(),
            ..built.program(program.memory)
        };
        run_together(self, &alone, limits(program, &built), &built.batches, asked)
    }

    /// The mistake in a case's input, if any: its generator is not deterministic, or the problem's validator rejects
    /// it.
    pub(crate) fn input_mistake(self, at: CaseRef<'_>) -> Result<Option<String>, Fault> {
        match self.generator_mistake(at)? {
            None => self.validator_mistake(at),
            mistake => Ok(mistake),
        }
    }

    /// What is wrong if a case's generator prints something else on a second run.
    pub(crate) fn generator_mistake(self, at: CaseRef<'_>) -> Result<Option<String>, Fault> {
        let Some(generator) = &at.case.generator else {
            return Ok(None);
        };
        let first = self.input(at)?;
        if Generated(generator).run(self)? == first {
            return Ok(None);
        }
        let name = generator.program.name().to_owned();
        let call = [&[name], &generator.arguments[..]].concat().join(" ");
        Ok(Some(format!(
            "the generator `{call}` printed different output on a second run"
        )))
    }

    /// Why the first validator that rejects a case's input does so.
    pub(crate) fn validator_mistake(self, at: CaseRef<'_>) -> Result<Option<String>, Fault> {
        for validator in &at.case.validators {
            let rejection = self.rejection(validator, &self.input(at)?)?;
            if rejection.is_some() {
                return Ok(rejection);
            }
        }
        Ok(None)
    }

    /// Why a validator rejects an input; `None` if it accepts it.
    pub(crate) fn rejection(
        self,
        validator: &InputValidator,
        input: &[u8],
    ) -> Result<Option<String>, Fault> {
        let name = validator.name();
        let validator = match validator {
            InputValidator::Program(call) => call,
            InputValidator::Checktestdata(it) => {
                return match it.program.check(input) {
                    Ok(Ok(())) => Ok(None),
                    Ok(Err(rejection)) => Ok(Some(format!(
                        "the validator `{name}` rejected the input: {rejection}"
                    ))),
                    Err(mistake) => Err(Fault::Other(format!(
                        "the problem's validator `{name}` cannot decide: its {mistake}"
                    ))),
                };
            }
        };
        let AuthorRun {
            status,
            stdout,
            stderr,
        } = self.output(validator, input)?;
        if is_accepting(status) {
            return Ok(None);
        }
        let said = [stderr, stdout].concat();
        let said = Excerpt::first(said.trim_ascii(), MAX_VALIDATOR_MESSAGE_BYTES);
        let said = Some(format!(": {said}")).filter(|_| !said.is_empty());
        let said = said.unwrap_or_default();
        Ok(Some(format!(
            "the validator `{name}` rejected the input (exit status {status}){said}"
        )))
    }

    /// Runs a generator, a validator or what changes an output.
    fn output(
        self,
        AuthorCall { program, arguments }: &AuthorCall,
        stdin: &[u8],
    ) -> Result<AuthorRun, Fault> {
        let built = self.get(&AuthorBuild(program))?;
        let workspace = self.judge.run_folder()?;
        let directory = workspace.directory.clone();
        let mut request = request(self, program, &built, &workspace, directory);
        request
            .arguments
            .extend(arguments.iter().map(OsString::from));
        request.stdin = Some(workspace.stdin(stdin)?);
        (request.files, request.limits.output) = (MAX_GENERATED_INPUT, MAX_GENERATED_INPUT);
        let outcome = self.execute(&request, None)?.outcome;
        let stderr = read_start(&request.stderr, MAX_MESSAGE_READ_BYTES)?;
        Ok(AuthorRun {
            status: exit_status(self, program, &outcome, &request.limits, &stderr)?,
            stdout: read_start(&request.stdout, MAX_GENERATED_INPUT.0)?,
            stderr,
        })
    }

    /// Builds the programs that look at the output of a case. This is done early, because an exclusive run and a program
    /// that waits for its interactor must not wait for a compiler. An exclusive run always follows a shared one.
    pub(crate) fn build_checker(self, at: CaseRef<'_>) -> Result<(), Fault> {
        let programs = at.case.programs().map(|call| &call.program);
        for program in programs.filter(|it| it.role.reads_outputs() && self.alone.is_none()) {
            self.get(&AuthorBuild(program))?;
        }
        Ok(())
    }
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
    Fault::Other(format!("{} {reason}{wrote}", program.described()))
}

/// The request to run an author's program.
pub(crate) fn request(
    lab: Lab<'_>,
    program: &AuthorProgram,
    built: &Built,
    workspace: &Workspace,
    directory: BindMount,
) -> Request {
    let limits = limits(program, built);
    built
        .program(program.memory)
        .request(lab, workspace, directory, limits)
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
    lab: Lab<'_>,
    program: &AuthorProgram,
    outcome: &Outcome,
    limits: &Limits,
    stderr: &[u8],
) -> Result<i32, Fault> {
    let reason = match (outcome.breach, outcome.end) {
        (None, End::Exited(status)) => return Ok(status),
        (None, End::Signalled(_)) if lab.must_stop() => {
            return Err(Fault::Stopped);
        }
        (None, end) => format!("was killed by {end}"),
        (Some(Breach::Wall), _) => {
            return Err(Fault::CheckerWall {
                program: program.described(),
                wall: limits.wall,
            });
        }
        (Some(Breach::Cpu), _) => format!("took more than {} of CPU time", program.cpu),
        (Some(Breach::Memory), _) => format!("took more than {} of memory", program.memory),
        (Some(Breach::Output), _) => format!("wrote more than {}", limits.output),
    };
    Err(fault(program, &reason, stderr))
}
