//! Checkers and interactors: built in, or programs of the problem's author.
//!
//! A checker program gets a fresh folder with only the input, the answer and the output. [`author_programs`] describes
//! how it is built and what its failures mean; its protocol's module interprets its exit status and messages.
//!
//! [`author_programs`]: crate::author_programs

mod cms;
mod junit;
mod kattis;
pub(crate) mod pass_feedback;
pub(crate) mod second_run;
mod testlib;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grader_model::{CpuTime, Evidence, Excerpt, Judgement, Mark, Share, Text, WallTime};
use grader_problem::{AuthorCall, CaseRef, Checker, CheckerProtocol, Role};
use grader_sandbox::{MountPoint, Request, Returns, SandboxError};

use crate::Fault;
use crate::author_programs::{AuthorBuild, exit_status, fault, request};
use crate::build::Built;
use crate::constants::MAX_MESSAGE_READ_BYTES;
use crate::decide::junit::Report;
use crate::interact::handshake::PipeEnd;
use crate::lab::Lab;
use crate::workspace::{Workspace, read_start, write};

use pass_feedback::Feedback;

/// A checker's or interactor's input besides the output.
#[derive(Clone, Copy)]
pub(crate) struct CheckedCase<'a> {
    /// The case, with its input.
    pub(crate) at: CaseRef<'a>,
    /// The right answer, if there is one.
    pub(crate) answer: Option<&'a [u8]>,
    /// State kept between passes, if there may be several.
    pub(crate) feedback: Option<&'a Feedback>,
}

impl CheckedCase<'_> {
    /// The same if an interactor judges it.
    pub(crate) fn with_interactor(self) -> Option<Self> {
        self.at.case.checker.is_interactive().then_some(self)
    }
}

/// Runs a case's checker on an output. An interactor gets the output as if a program had written it and exited.
pub(crate) fn check(
    lab: Lab<'_>,
    case: CheckedCase<'_>,
    output: &[u8],
) -> Result<Judgement, Fault> {
    if case.at.case.checker.is_built_in() {
        return Ok(grader_check::check(
            &case.at.case.checker,
            output,
            case.answer,
        )?);
    }
    let call = CheckerCall::new(lab, case, Source::Output(output))?;
    match call.run()?.judged {
        // The machine may be busy, so try again.
        Err(Fault::CheckerWall { .. }) => call.run()?.judged,
        judged => judged,
    }
}

/// Whether a case's checker accepts an output, with this answer, in a first pass or in a second run.
pub(crate) fn accepts(
    lab: Lab<'_>,
    at: CaseRef<'_>,
    answer: Option<&[u8]>,
    output: &[u8],
) -> Result<bool, Fault> {
    let case = &*lab.with_input(at)?;
    let feedback = Feedback::of_one_run(at.problem, lab.judge.folder())?;
    if let (Some(feedback), Some(_)) = (&feedback, &case.second_run) {
        feedback.hand_over(b"", b"")?;
        feedback.begin(2)?;
    }
    let checked = CheckedCase {
        at: CaseRef { case, ..at },
        answer,
        feedback: feedback.as_ref(),
    };
    Ok(check(lab, checked, output)?.mark == Mark::Right)
}

/// A run of a checker or an interactor.
pub(crate) struct Answered {
    /// Its judgement, unless it is at fault.
    pub(crate) judged: Result<Judgement, Fault>,
    /// An interactor's unit tests, which decide instead of the judgement.
    pub(crate) report: Option<Report>,
    pub(crate) cpu: CpuTime,
}

impl Answered {
    /// Whether it is the result, however the program ends.
    pub(crate) fn is_final(&self) -> bool {
        let is_final = |it: &Judgement| matches!(it.mark, Mark::Wrong | Mark::Layout);
        self.report.is_some() || self.judged.as_ref().map_or(true, is_final)
    }
}

/// Runs a case's interactor beside a program with this wall time limit.
pub(crate) fn interact(
    lab: Lab<'_>,
    case: CheckedCase<'_>,
    pipes: &PipeEnd<'_>,
    wall: WallTime,
) -> Result<Answered, Fault> {
    CheckerCall::new(lab, case, Source::Pipes(pipes, wall))?.run()
}

/// Source of the output to be checked.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// A file.
    Output(&'a [u8]),
    /// The program running beside it, with that program's wall time limit.
    Pipes(&'a PipeEnd<'a>, WallTime),
}

/// A call of an author's checker or interactor.
struct CheckerCall<'a> {
    lab: Lab<'a>,
    call: &'a AuthorCall,
    built: Arc<Built>,
    case: CheckedCase<'a>,
    source: Source<'a>,
}

impl<'a> CheckerCall<'a> {
    fn new(lab: Lab<'a>, case: CheckedCase<'a>, source: Source<'a>) -> Result<Self, Fault> {
        let Checker::Program(call) = &case.at.case.checker else {
            let message = "the case has no checker that is a program";
            return Err(Fault::Other(message.to_owned()));
        };
        Ok(Self {
            lab,
            call,
            built: lab.get(&AuthorBuild(&call.program))?,
            case,
            source,
        })
    }

    /// Runs the program.
    fn run(&self) -> Result<Answered, Fault> {
        let (lab, program) = (self.lab, &*self.call.program);
        let workspace = Workspace::new(lab.judge.folder(), "check-")?;
        let request = self.request(&workspace)?;
        let outcome = match self.source {
            Source::Output(_) => lab.execute(&request, None)?.outcome,
            // It takes no slot of its core: the program it talks to has that slot.
            Source::Pipes(pipes, _) => match lab.judge.runner().run(pipes, &request) {
                Err(SandboxError::Cancelled) => return Err(Fault::Stopped),
                Err(SandboxError::Execute { source, .. }) => {
                    let reason = format!("cannot be executed: {source}");
                    return Err(self.fault(&reason, b""));
                }
                outcome => outcome?,
            },
        };
        let stderr = read_start(&request.stderr, MAX_MESSAGE_READ_BYTES)?;
        let feedback = request.directory.host.join("feedback");
        let mut report = None;
        let status = exit_status(lab, program, &outcome, &request.limits, &stderr);
        let judged = status.and_then(|status| match program.protocol {
            CheckerProtocol::Kattis => self.kattis(status, &stderr, &feedback),
            CheckerProtocol::Testlib => self.testlib(status, stderr.trim_ascii()),
            CheckerProtocol::Hustoj => self.hustoj(status, stderr.trim_ascii()),
            CheckerProtocol::Cms => {
                let score = read_start(&request.stdout, MAX_MESSAGE_READ_BYTES)?;
                self.cms(status, &score, &stderr)
            }
            CheckerProtocol::Junit => {
                report = Some(self.junit(status, &stderr, &feedback)?);
                Ok(Judgement::right())
            }
        });
        Ok(Answered {
            judged,
            report,
            cpu: outcome.cpu,
        })
    }

    /// The request to run the program in a folder with its files.
    fn request(&self, workspace: &Workspace) -> Result<Request, Fault> {
        let input = &self.case.at.case.input;
        let answer = self.case.answer.unwrap_or_default();
        let folder = workspace.folder("box")?;
        write(&folder.join("input"), input)?;
        write(&folder.join("answer"), answer)?;
        let directory = self.lab.judge.runner().mount(MountPoint::Work, &folder);
        let AuthorCall { program, arguments } = self.call;
        let mut request = request(self.lab, program, &self.built, workspace, directory);
        let given = match program.protocol {
            CheckerProtocol::Kattis | CheckerProtocol::Junit => {
                let feedback = workspace.folder("box/feedback")?;
                if let Some(kept) = self.case.feedback {
                    kept.restore(&feedback)?;
                }
                request.returns = Returns::Everything;
                ["input", "answer", "feedback/"]
            }
            CheckerProtocol::Testlib => ["input", "output", "answer"],
            CheckerProtocol::Hustoj | CheckerProtocol::Cms => ["input", "answer", "output"],
        };
        let given = given.map(|it| request.directory.inside.join(it).into_os_string());
        request.arguments.extend(given);
        let arguments = arguments.iter().map(OsString::from);
        request.arguments.extend(arguments);
        request.stdin = self.stdin(workspace, &folder)?;
        request.scratch.0 += (input.len() + answer.len()) as u64;
        match self.source {
            Source::Output(output) => request.scratch.0 += output.len() as u64,
            Source::Pipes(pipes, wall) => {
                request.stdout.clone_from(&pipes.stdout);
                // It may spin while it waits for the program.
                request.limits.cpu.0 += wall.0;
                request.limits.wall.0 += wall.0;
            }
        }
        Ok(request)
    }

    /// What the program reads from standard input. Checkers of Testlib, HUSTOJ and CMS read the output as a file, and an interactor
    /// of Testlib may write to that.
    fn stdin(&self, workspace: &Workspace, folder: &Path) -> Result<Option<PathBuf>, Fault> {
        let program = &self.call.program;
        let has_file = match program.protocol {
            CheckerProtocol::Kattis | CheckerProtocol::Junit => false,
            CheckerProtocol::Testlib | CheckerProtocol::Hustoj | CheckerProtocol::Cms => true,
        };
        let is_checker = has_file && program.role != Role::Interactor;
        if has_file {
            let output = match self.source {
                Source::Output(output) if is_checker => output,
                Source::Output(_) | Source::Pipes(..) => b"",
            };
            write(&folder.join("output"), output)?;
        }
        match self.source {
            Source::Pipes(pipes, _) => Ok(Some(pipes.stdin.clone())),
            Source::Output(_) if is_checker => Ok(None),
            Source::Output(output) => workspace.file("output", output).map(Some),
        }
    }

    /// A failure of the program, with the beginning of its standard error.
    fn fault(&self, reason: &str, stderr: &[u8]) -> Fault {
        fault(&self.call.program, reason, stderr)
    }

    /// If the checker has no message for the student, the judgement shows the beginning of the output.
    fn judgement(&self, mark: Mark, mut evidence: Vec<Evidence>) -> Judgement {
        if mark != Mark::Right && !evidence.iter().any(|evidence| !evidence.staff_only) {
            let text = match (mark, self.source) {
                (Mark::Partial(Share::NOTHING), _) => Text::new(
                    "the output is accepted, with 0 points",
                    "输出被接受，但得 0 分",
                ),
                (Mark::Partial(_), Source::Output(_)) => {
                    Text::new("the checker gave partial credit", "检查程序只给了部分分数")
                }
                (Mark::Partial(_), Source::Pipes(..)) => {
                    Text::new("the interactor gave partial credit", "交互器只给了部分分数")
                }
                (_, Source::Output(_)) => Text::new(
                    "the checker does not accept the output",
                    "检查程序判定输出不正确",
                ),
                (_, Source::Pipes(..)) => Text::new(
                    "the interactor rejected the program's output",
                    "交互器判定程序的输出不正确",
                ),
            };
            let mut shown = Evidence::new("checker", text);
            if let Source::Output(output) = self.source {
                shown = shown.with_found(Excerpt::new(output));
            }
            evidence.insert(0, shown);
        }
        Judgement { mark, evidence }
    }

    /// A number from 0 to `whole`, as a share of the points. If there are no points, it does not count.
    fn share(&self, place: &str, text: &[u8], whole: f64) -> Result<Mark, Fault> {
        if whole == 0.0 {
            return Ok(Mark::Right);
        }
        let text = text.trim_ascii();
        let number = std::str::from_utf8(text).ok();
        let number = number.and_then(|text| text.parse::<f64>().ok());
        let Some(number) = number.filter(|number| (0.0..=whole).contains(number)) else {
            let found = Excerpt::first(text, 40);
            let reason =
                format!("must give a number from 0 to {whole} as {place}, found `{found}`");
            return Err(self.fault(&reason, b""));
        };
        Ok(match Share::of(number, whole) {
            Share::WHOLE => Mark::Right,
            Share::NOTHING => Mark::Wrong,
            share => Mark::Partial(share),
        })
    }
}
