//! Checkers, and above all those that are programs of the problem's author.
//!
//! Such a program is built once per run of the grader, as a reference given as sources is, and runs in the same sandbox as
//! submissions, in a fresh folder that holds the input, the answer and the output and nothing else. It decides by its
//! exit status. Whatever else becomes of it (a crash, a limit, a status that its protocol does not know) is a fault of
//! the problem: the verdict is `JE` and the points stay open. All that it writes is capped and escaped, as a student's
//! output is.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grader_model::{
    Breach, Bytes, CpuTime, End, Evidence, Excerpt, Figure, Ink, Judgement, Limits, Mark, Outcome,
    Share, Span, Text, WallTime,
};
use grader_problem::{
    AuthorCall, AuthorProgram, Checker, CheckerProtocol, ProgramId, Role, ScoreRule,
};
use grader_sandbox::{BindMount, MountPoint, Request, Returns, SandboxError};

use crate::Fault;
use crate::build::{Built, build_trusted};
use crate::judge::Worker;
use crate::once::{OnceMap, once};
use crate::passes::Passes;
use crate::run::CaseRef;
use crate::run_lock::Exclusive;
use crate::seat::Seat;
use crate::workspace::{Workspace, read_start, write};

/// CPU time that building a checker may take.
const COMPILE_TIME: CpuTime = CpuTime(Duration::from_secs(60));
/// Wall time that a checker has on top of three times its CPU time: the machine may be busy.
const SPARE_WALL: Duration = Duration::from_secs(30);
/// Most that a checker may write: to standard output, to standard error, to each file.
const MAX_OUTPUT: Bytes = Bytes(8 << 20);
/// Most that a generator may print.
const MAX_INPUT: Bytes = Bytes(64 << 20);
/// Bytes of a message that are read.
const MAX_MESSAGE: u64 = 4096;
/// Most bytes of a line of a message, and most lines after its first.
const MAX_LINE: usize = 200;
const MAX_LINES: usize = 20;
/// Bytes of a checker's or its compiler's output that a fault quotes.
const MAX_FAULT: usize = 500;

/// The author's programs, each built when it is first needed.
#[derive(Default)]
pub(crate) struct CheckerPrograms(OnceMap<ProgramId, Arc<Built>>);

/// What a generator or validator did.
pub(crate) struct AuthorRun {
    /// Its exit status.
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
    /// How its standard error begins.
    pub(crate) stderr: Vec<u8>,
}

/// An output for a checker to judge.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) worker: Worker<'a>,
    pub(crate) exclusive: Option<&'a Exclusive<'a>>,
    pub(crate) at: CaseRef<'a>,
    /// Empty for an interactor: what the program writes to it is not stored.
    pub(crate) output: &'a [u8],
    /// The right answer, if there is one.
    pub(crate) answer: Option<&'a [u8]>,
    /// What is kept from pass to pass, if there may be several.
    pub(crate) passes: Option<&'a Passes>,
}

impl CheckerPrograms {
    /// Asks the checker of a case, built in or a program. An interactor gets the output as if a program had written it and
    /// ended.
    pub(crate) fn check(&self, question: Question<'_>) -> Result<Judgement, Fault> {
        let Question { output, answer, .. } = question;
        let checker = &question.at.case.checker;
        if !matches!(checker, Checker::Program(_)) {
            return Ok(grader_check::check(checker, output, answer)?);
        }
        let asked = self.asked(question, None)?;
        match asked.run(WallTime::default())?.0 {
            // The machine may be busy, so try again.
            Err(Fault::CheckerWall { .. }) => asked.run(WallTime::default())?.0,
            judged => judged,
        }
    }

    /// Runs the interactor of a case beside a program that may take so long. What it says, and its CPU time.
    pub(crate) fn interact(
        &self,
        question: Question<'_>,
        seat: &Seat<'_>,
        wall: WallTime,
    ) -> Result<(Result<Judgement, Fault>, CpuTime), Fault> {
        self.asked(question, Some(seat))?.run(wall)
    }

    fn asked<'a>(
        &self,
        question: Question<'a>,
        seat: Option<&'a Seat<'a>>,
    ) -> Result<Asked<'a>, Fault> {
        let Checker::Program(call) = &question.at.case.checker else {
            let message = "the case has no checker that is a program";
            return Err(Fault::Other(message.to_owned()));
        };
        Ok(Asked {
            program: &call.program,
            arguments: &call.arguments,
            built: self.built(question.worker, &call.program)?,
            question,
            seat,
        })
    }

    /// Runs a generator or validator.
    pub(crate) fn output(
        &self,
        worker: Worker<'_>,
        AuthorCall { program, arguments }: &AuthorCall,
        stdin: &[u8],
    ) -> Result<AuthorRun, Fault> {
        let built = self.built(worker, program)?;
        let judge = worker.judge;
        let workspace = Workspace::new(judge.folder(), "author-")?;
        let folder = workspace.folder("box")?;
        let directory = judge.runner().mount(MountPoint::Work, &folder);
        let mut request = request(worker, program, &built, &workspace, directory);
        request
            .arguments
            .extend(arguments.iter().map(OsString::from));
        request.stdin = Some(workspace.file("stdin", stdin)?);
        (request.files, request.limits.output) = (MAX_INPUT, MAX_INPUT);
        let outcome = worker.execute(None, &request, None)?.outcome;
        let stderr = read_start(&request.stderr, MAX_MESSAGE)?;
        Ok(AuthorRun {
            status: status(worker, program, &outcome, &request.limits, &stderr)?,
            stdout: read_start(&request.stdout, MAX_INPUT.0)?,
            stderr,
        })
    }

    pub(crate) fn built(
        &self,
        worker: Worker<'_>,
        program: &AuthorProgram,
    ) -> Result<Arc<Built>, Fault> {
        once(&self.0, program.id.clone(), worker.judge, || {
            let failed = |why: &str| {
                let why = Excerpt::first(why.as_bytes(), MAX_FAULT);
                let is_missing = why.text.contains("testlib.h: No such file");
                let help = if is_missing {
                    "; put it and `testlib.h` into a folder, and name that folder as `source`"
                } else {
                    ""
                };
                fault(program, &format!("does not compile: {why}{help}"), b"")
            };
            build_trusted(worker, (&program.sources, 0), COMPILE_TIME, failed).map(Arc::new)
        })
    }
}

/// A failure of a checker, with what it wrote.
pub(crate) fn fault(program: &AuthorProgram, reason: &str, stderr: &[u8]) -> Fault {
    let stderr = Excerpt::first(stderr.trim_ascii(), MAX_FAULT);
    let wrote = if stderr.is_empty() {
        String::new()
    } else {
        format!("; it wrote: {stderr}")
    };
    let (role, name) = (program.role.name(), program.name());
    Fault::Other(format!("the problem's {role} `{name}` {reason}{wrote}"))
}

/// The request to run a program of the author.
fn request(
    worker: Worker<'_>,
    program: &AuthorProgram,
    built: &Built,
    workspace: &Workspace,
    directory: BindMount,
) -> Request {
    let language = built.language();
    let limits = Limits {
        cpu: program.cpu,
        wall: WallTime(program.cpu.0 * 3 + SPARE_WALL),
        memory: Bytes(program.memory.0 + language.memory.0),
        output: MAX_OUTPUT,
        processes: 1 + language.threads,
    };
    built
        .program(program.memory)
        .request(worker, workspace, directory, limits)
}

/// The exit status of a program of the author that ended by itself.
fn status(
    worker: Worker<'_>,
    program: &AuthorProgram,
    outcome: &Outcome,
    limits: &Limits,
    stderr: &[u8],
) -> Result<i32, Fault> {
    let reason = match (outcome.breach, outcome.end) {
        (None, End::Exited(status)) => return Ok(status),
        (None, End::Signalled(_)) if worker.judge.stop().is_requested() => {
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

/// A program of the author with a question that it is to decide.
struct Asked<'a> {
    program: &'a AuthorProgram,
    arguments: &'a [String],
    built: Arc<Built>,
    question: Question<'a>,
    /// For an interactor: its pipes, and when it starts and ends.
    seat: Option<&'a Seat<'a>>,
}

impl Asked<'_> {
    /// Runs the program, with so much more time. What it says, and its CPU time.
    fn run(&self, more: WallTime) -> Result<(Result<Judgement, Fault>, CpuTime), Fault> {
        let (worker, program) = (self.question.worker, self.program);
        let judge = worker.judge;
        let answer = self.question.answer.unwrap_or_default();
        let (input, output) = (&self.question.at.case.input, self.question.output);
        let workspace = Workspace::new(judge.folder(), "check-")?;
        let folder = workspace.folder("box")?;
        write(&folder.join("input"), input)?;
        write(&folder.join("answer"), answer)?;
        let directory = judge.runner().mount(MountPoint::Work, &folder);
        let inside = |file: &str| directory.inside.join(file).into_os_string();
        let (stdin, returns, given) = match program.protocol {
            CheckerProtocol::Kattis => {
                let feedback = workspace.folder("box/feedback")?;
                if let Some(passes) = self.question.passes {
                    passes.restore(&feedback)?;
                }
                let given = [inside("input"), inside("answer"), inside("feedback/")];
                let stdin = match self.seat {
                    Some(seat) => seat.stdin.clone(),
                    None => workspace.file("output", output)?,
                };
                (Some(stdin), Returns::Everything, given)
            }
            CheckerProtocol::Testlib => {
                let given = [inside("input"), inside("output"), inside("answer")];
                let is_interactor = program.role == Role::Interactor;
                let stdin = match self.seat {
                    Some(seat) => Some(seat.stdin.clone()),
                    None if is_interactor => Some(workspace.file("output", output)?),
                    None => None,
                };
                // An interactor may write it.
                let output = if is_interactor { b"" } else { output };
                write(&folder.join("output"), output)?;
                (stdin, Returns::Nothing, given)
            }
        };
        let size = input.len() + answer.len() + output.len();
        let mut request = request(worker, program, &self.built, &workspace, directory);
        request.arguments.extend(given);
        let arguments = self.arguments.iter().map(OsString::from);
        request.arguments.extend(arguments);
        request.returns = returns;
        request.stdin = stdin;
        if let Some(seat) = self.seat {
            request.stdout.clone_from(&seat.stdout);
        }
        request.scratch.0 += size as u64;
        // An interactor may use as much CPU time while it waits for the program.
        request.limits.cpu.0 += more.0;
        request.limits.wall.0 += more.0;
        let outcome = if let Some(seat) = self.seat {
            // It takes no slot of its core: the program that it waits for has it.
            match judge.runner().run_gated(seat, &request) {
                Err(SandboxError::Cancelled) => return Err(Fault::Stopped),
                Err(SandboxError::Execute { source, .. }) => {
                    return Err(fault(
                        program,
                        &format!("cannot be executed: {source}"),
                        b"",
                    ));
                }
                outcome => outcome?,
            }
        } else {
            worker
                .execute(self.question.exclusive, &request, None)?
                .outcome
        };
        let stderr = read_start(&request.stderr, MAX_MESSAGE)?;
        let judged = status(worker, program, &outcome, &request.limits, &stderr);
        let judged = judged.and_then(|status| match program.protocol {
            CheckerProtocol::Kattis => self.kattis(status, &stderr, &folder.join("feedback")),
            CheckerProtocol::Testlib => self.testlib(status, stderr.trim_ascii()),
        });
        Ok((judged, outcome.cpu))
    }

    /// Exit status 42 accepts and 43 rejects; files in the feedback folder say more.
    fn kattis(&self, status: i32, stderr: &[u8], folder: &Path) -> Result<Judgement, Fault> {
        let failed = |reason: &str| Err(fault(self.program, reason, stderr));
        let file = |name: &str| feedback(&folder.join(name));
        let score = match (file("score_multiplier.txt")?, file("score.txt")?) {
            (None, None) => None,
            (Some(text), None) => Some(("score_multiplier.txt", text, 1.0)),
            (None, Some(text)) => Some(("score.txt", text, self.worth())),
            (Some(_), Some(_)) => {
                return failed("wrote both `score.txt` and `score_multiplier.txt`");
            }
        };
        let mark = match (status, score) {
            (42, None) => Mark::Right,
            (42, Some((place, text, whole))) => self.share(place, &text, whole)?,
            (43, None) => Mark::Wrong,
            (43, Some(_)) => return failed("gave a score to an output that it rejected"),
            (status, _) => {
                return failed(&format!(
                    "ended with exit status {status} instead of 42 or 43"
                ));
            }
        };
        let mut evidence = Vec::new();
        evidence.extend(file("teammessage.txt")?.and_then(|text| message("checker", &text)));
        let for_staff = file("judgemessage.txt")?.and_then(|text| message("checker-staff", &text));
        evidence.extend(for_staff.map(Evidence::for_staff));
        if Passes::is_asked_for(folder) {
            match self.question.passes {
                Some(passes) if mark == Mark::Right => passes.keep(folder)?,
                Some(_) => {
                    return failed("requested another pass for an output that it rejected");
                }
                None => return failed("requested another pass, but `passes` of `[run]` is 1"),
            }
        }
        Ok(self.judgement(mark, evidence))
    }

    /// The exit status decides; the message is on standard error.
    fn testlib(&self, status: i32, stderr: &[u8]) -> Result<Judgement, Fault> {
        let (mark, text) = match status {
            0 => (Mark::Right, after("ok", stderr)),
            1 => (Mark::Wrong, after("wrong answer", stderr)),
            // Also what testlib calls dirt (text after the answer) and an unexpected end of file.
            2 | 4 | 8 => (Mark::Layout, after("wrong output format", stderr)),
            7 => {
                let text = after("points", stderr);
                let end = text.iter().position(u8::is_ascii_whitespace);
                let (number, rest) = text.split_at(end.unwrap_or(text.len()));
                (self.share("points", number, 1.0)?, rest.trim_ascii())
            }
            3 => return Err(fault(self.program, "reports a failure", stderr)),
            status => {
                let reason = format!("ended with exit status {status} instead of 0 to 4, 7 or 8");
                return Err(fault(self.program, &reason, stderr));
            }
        };
        let evidence = message("checker", text).into_iter().collect();
        Ok(self.judgement(mark, evidence))
    }

    /// If the checker has no message for the student, the judgement shows the beginning of the output.
    fn judgement(&self, mark: Mark, mut evidence: Vec<Evidence>) -> Judgement {
        if mark != Mark::Right && !evidence.iter().any(|evidence| !evidence.staff_only) {
            let partial = matches!(mark, Mark::Partial(_));
            let text = match (partial, self.seat) {
                (true, None) => ("the checker gave partial credit", "检查程序只给部分分数"),
                (true, Some(_)) => ("the interactor gave partial credit", "交互器只给部分分数"),
                (false, None) => (
                    "the checker does not accept the output",
                    "检查程序不接受这个输出",
                ),
                (false, Some(_)) => (
                    "the interactor rejected the program's output",
                    "交互器判定程序的输出不正确",
                ),
            };
            let mut shown = Evidence::new("checker", Text::new(text.0, text.1));
            if self.seat.is_none() {
                shown = shown.with_found(Excerpt::new(self.question.output));
            }
            evidence.insert(0, shown);
        }
        Judgement { mark, evidence }
    }

    /// A number of at most `whole`, as a part of the points.
    fn share(&self, place: &str, text: &[u8], whole: f64) -> Result<Mark, Fault> {
        let text = text.trim_ascii();
        let number = std::str::from_utf8(text).ok();
        let number = number.and_then(|text| text.parse::<f64>().ok());
        let Some(number) = number.filter(|number| (0.0..=whole).contains(number)) else {
            let found = Excerpt::first(text, 40);
            let reason =
                format!("must give a number from 0 to {whole} as {place}, found `{found}`");
            return Err(fault(self.program, &reason, b""));
        };
        if whole == 0.0 {
            return Ok(Mark::Right);
        }
        // At most 1000, so nothing is cut off.
        let thousandths = (number / whole * 1000.0).round() as u32;
        Ok(match Share::from_thousandths(thousandths) {
            Share::WHOLE => Mark::Right,
            Share::NOTHING => Mark::Wrong,
            share => Mark::Partial(share),
        })
    }

    /// The points that the case is worth.
    fn worth(&self) -> f64 {
        let subtask = self.question.at.subtask;
        let parts = match subtask.score {
            ScoreRule::Sum => subtask.cases.len(),
            ScoreRule::All | ScoreRule::Worst => 1,
        };
        subtask.points.to_f64() / parts as f64
    }
}

/// The rest of a text that begins with a word of the protocol.
fn after<'a>(word: &str, text: &'a [u8]) -> &'a [u8] {
    text.strip_prefix(word.as_bytes())
        .unwrap_or(text)
        .trim_ascii()
}

/// How a feedback file begins; `None` if it is not there. Only a regular file counts.
fn feedback(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        read_start(path, MAX_MESSAGE).map(Some)
    } else {
        Ok(None)
    }
}

/// A message of a checker: its first line, and below it the others as they stand.
fn message(code: &str, text: &[u8]) -> Option<Evidence> {
    let mut lines = text.trim_ascii().split(|byte| *byte == b'\n');
    let shown = |line: &[u8]| Excerpt::first(line.trim_ascii_end(), MAX_LINE).to_string();
    let first = lines.next().map(shown).filter(|line| !line.is_empty())?;
    let mut figure = Figure::default();
    for line in lines.take(MAX_LINES) {
        figure.push([Span::new(shown(line), Ink::Plain)]);
    }
    let evidence = Evidence::new(code, Text::new(first.clone(), first));
    Some(if figure.lines.is_empty() {
        evidence
    } else {
        evidence.with_figure(figure)
    })
}
