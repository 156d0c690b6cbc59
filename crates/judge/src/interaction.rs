//! An interactive case: the program and the interactor run at the same time, each in a sandbox of its own, and each reads
//! what the other writes.
//!
//! The side that ends first decides: if the interactor rejects first, the program's end does not matter, and if the program
//! fails first, the interactor's judgement does not. A program that was rejected is killed at once. To know which was first, we hold a copy of each pipe end that a side
//! has until we know that the side has ended; until then, the other side sees neither end of file nor `SIGPIPE`. What is
//! written to a side that has ended is discarded, so that an unread last line is no crash.
//!
//! The pipes are direct: a relay would double the time of every round trip. For a transcript, the case runs once more with
//! a relay thread in each direction.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use grader_model::{CpuTime, Evidence, Judgement, Limits, Mark, WallTime};
use grader_problem::Checker;
use grader_sandbox::NamedPipe;

use crate::Fault;
use crate::checker_program::{CheckerPrograms, Question};
use crate::contention::Contention;
use crate::run::{Program, Ran, run};
use crate::seat::{Joint, Seat, Side};
use crate::transcript::Transcript;
use crate::workspace::Workspace;

/// Wall time of a run that is recorded: enough to show who waits for whom.
const RECORDED_WALL: WallTime = WallTime(Duration::from_secs(2));
/// Bytes that a side may write after the other has ended. If it writes more, it gets `SIGPIPE`.
const MAX_UNREAD: u64 = 1 << 20;
/// Bytes that are relayed at a time.
const CHUNK: usize = 16 << 10;

/// What a run gave, beside an interactor if there is one.
pub(crate) struct Interaction<'a> {
    /// What became of the program.
    pub(crate) ran: Ran<'a>,
    /// What the interactor says, if there is one. It failed only if the program had ended before: it may not expect that.
    pub(crate) judged: Option<Result<Judgement, Fault>>,
    /// Whether the interactor rejected before the program ended: then it does not matter how the program ended.
    pub(crate) rejected: bool,
}

/// A program that is to run on a case, and what an interactor needs besides.
#[derive(Clone, Copy)]
pub(crate) struct CaseProgram<'a> {
    pub(crate) checkers: &'a CheckerPrograms,
    pub(crate) program: &'a Program,
    /// Of the program.
    pub(crate) limits: Limits,
    /// For the interactor: the output is empty.
    pub(crate) question: Question<'a>,
}

impl<'a> CaseProgram<'a> {
    /// Runs it, beside the interactor if the case has one.
    pub(crate) fn run(self) -> Result<Interaction<'a>, Fault> {
        let Question {
            worker,
            exclusive,
            at,
            ..
        } = self.question;
        if let (None, Checker::Program(call)) = (exclusive, &at.case.checker) {
            // Nobody may wait for a compiler while running exclusively, or while a program waits for its interactor. An
            // exclusive run always follows one that is not.
            self.checkers.built(worker, &call.program)?;
        }
        if at.case.checker.is_interactive() {
            return self.interact(None);
        }
        Ok(Interaction {
            ran: self.run_program(None)?,
            judged: None,
            rejected: false,
        })
    }

    fn run_program(&self, seat: Option<&Seat<'_>>) -> Result<Ran<'a>, Fault> {
        let Question {
            worker,
            exclusive,
            at,
            ..
        } = self.question;
        let (rule, limits) = (&at.problem.run, self.limits);
        run(worker, exclusive, self.program, rule, at.case, limits, seat)
    }

    /// Runs both. With a transcript, what they write is recorded.
    fn interact(self, transcript: Option<&Transcript>) -> Result<Interaction<'a>, Fault> {
        let judge = self.question.worker.judge;
        let workspace = Workspace::new(judge.folder(), "pipes-")?;
        let joint = Joint::new(judge.stop());
        let direction = |from| Direction::new(&workspace, &joint, from, transcript);
        let (from_program, from_interactor) =
            (direction(Side::Program)?, direction(Side::Interactor)?);
        let seat = |side, reads: &Direction<'_>, writes: &Direction<'_>| {
            Seat::new(
                &joint,
                side,
                reads.read_from.clone(),
                writes.write_to.clone(),
            )
        };
        let interactor = seat(Side::Interactor, &from_program, &from_interactor);
        let program = seat(Side::Program, &from_interactor, &from_program);
        let (ran, judged) = thread::scope(|scope| {
            for direction in [from_program, from_interactor] {
                scope.spawn(|| direction.relay(&joint));
            }
            let judged = scope.spawn(|| {
                // It ends here, also if it was never started, so that the program does not wait for it.
                let seat = interactor;
                let wall = self.limits.wall;
                let judged = self.checkers.interact(self.question, &seat, wall);
                if joint.first() == Side::Interactor && is_final(&judged) {
                    joint.end_program();
                }
                judged
            });
            let ran = self.run_program(Some(&program));
            // So that the interactor does not wait for one that was never started.
            drop(program);
            (ran, judged.join())
        });
        let judged = judged.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let is_first = joint.first() == Side::Interactor;
        let (mut ran, (judged, cpu)) = match (ran, judged) {
            (Ok(ran), Ok(judged)) => (ran, judged),
            // What failed later did so because the other was not there.
            (Err(_), Err(fault)) if is_first => return Err(fault),
            (Err(fault), _) | (_, Err(fault)) => return Err(fault),
        };
        let mut rejected = false;
        let judged = match judged {
            Err(fault) if is_first => return Err(fault),
            Ok(judged) => {
                rejected = is_first && is_rejection(&judged);
                Ok(judged)
            }
            failed => failed,
        };
        let mut both = ran.outcome.clone();
        both.cpu.0 += cpu.0;
        // Two that have kept a processor busy were not kept from it.
        let are_kept = both.cpu.0 * 2 < both.wall.0 && !rejected;
        // While one works, the other waits for what it writes, and for no processor.
        let waited = ran.waited.map(|ours| ours + joint.waited(Side::Interactor));
        ran.contention = Contention::of(&both, waited).filter(|_| are_kept);
        Ok(Interaction {
            ran,
            judged: Some(judged),
            rejected,
        })
    }

    /// The transcript of a further run; `None` if that fails, which changes no verdict, or if it would keep others waiting.
    pub(crate) fn recorded(self) -> Option<Evidence> {
        if self.question.exclusive.is_some() || self.question.passes.is_some() {
            return None;
        }
        let transcript = Transcript::new();
        let recorded = Self {
            limits: Limits {
                wall: self.limits.wall.min(RECORDED_WALL),
                ..self.limits
            },
            ..self
        };
        recorded.interact(Some(&transcript)).ok()?;
        Some(transcript.evidence())
    }
}

/// Whether an interactor that ended first has decided, whatever the program does now.
fn is_final(judged: &Result<(Result<Judgement, Fault>, CpuTime), Fault>) -> bool {
    match judged {
        Ok((Ok(judged), _)) => is_rejection(judged),
        Ok((Err(_), _)) | Err(_) => true,
    }
}

fn is_rejection(judged: &Judgement) -> bool {
    matches!(judged.mark, Mark::Wrong | Mark::Layout)
}

/// What one side writes, on its way to the other.
struct Direction<'a> {
    from: Side,
    write_to: PathBuf,
    read_from: PathBuf,
    reader: File,
    /// With a transcript, what is read is written there.
    copy: Option<(File, &'a Transcript)>,
}

impl<'a> Direction<'a> {
    fn new(
        workspace: &Workspace,
        joint: &Joint<'_>,
        from: Side,
        transcript: Option<&'a Transcript>,
    ) -> Result<Self, Fault> {
        let pipe = |what: &str| {
            let path = workspace.path().join(format!("{from:?}-{what}"));
            NamedPipe::new(path.clone()).map_err(Fault::file("make a pipe", path))
        };
        let written = pipe("writes")?;
        joint.hold(from, written.writer);
        let (write_to, mut read_from, mut copy) = (written.path.clone(), written.path, None);
        if let Some(transcript) = transcript {
            let copied = pipe("wrote")?;
            joint.hold(from.other(), copied.reader);
            read_from = copied.path;
            copy = Some((copied.writer, transcript));
        }
        Ok(Self {
            from,
            write_to,
            read_from,
            reader: written.reader,
            copy,
        })
    }

    /// Copies what is written if there is a transcript. What nobody reads any more is thrown away.
    fn relay(mut self, joint: &Joint<'_>) {
        if let Some((mut writer, transcript)) = self.copy.take() {
            let mut chunk = vec![0; CHUNK];
            while let Ok(count @ 1..) = self.reader.read(&mut chunk) {
                transcript.add(self.from, &chunk[..count]);
                if writer.write_all(&chunk[..count]).is_err() {
                    break;
                }
            }
        } else {
            joint.wait_for_end(self.from.other());
        }
        // Until the writer has ended too, or writes on and on.
        let _ = io::copy(&mut self.reader.take(MAX_UNREAD), &mut io::sink());
    }
}
