//! An interactive case: the program and the interactor run concurrently, each in its own sandbox, and each reads what
//! the other writes.
//!
//! The side that ends first decides: if the interactor rejects first, how the program ends does not matter; if the
//! program fails first, the interactor's judgement does not count. A rejected program is killed at once. To know which
//! side ended first, we keep a copy of each side's pipe ends until we know that the side has ended; until then, the
//! other side gets neither end of file nor `SIGPIPE`. Output to a side that has ended is discarded, so that an unread
//! last line does not crash the writer.
//!
//! The pipes are direct: a relay would double the time of every round trip. For a transcript, the case runs once more
//! with a relay thread in each direction.

pub(crate) mod handshake;
pub(crate) mod transcript;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::thread;

use grader_sandbox::{NamedPipe, Request};

use crate::Fault;
use crate::check::{self, Answered, CheckedCase};
use crate::constants::{MAX_UNREAD_BYTES, RELAY_CHUNK_BYTES};
use crate::decide::contention::Contention;
use crate::decide::run::Run;
use crate::lab::Lab;
use crate::threads::start;
use crate::workspace::Workspace;

use handshake::{Handshake, PipeEnd, Side};
use transcript::Transcript;

/// Runs a program and the case's interactor, which is built, and records what they say if there is a transcript. Returns the
/// run of the program, and what the interactor says of it.
pub(crate) fn run(
    lab: Lab<'_>,
    case: CheckedCase<'_>,
    mut request: Request,
    transcript: Option<&Transcript>,
) -> Result<(Run, Answered), Fault> {
    let workspace = Workspace::new(lab.judge.folder(), "pipes-")?;
    let handshake = Handshake::new(lab.judge.stop());
    let direction = |from| Direction::new(&workspace, &handshake, from, transcript);
    let (from_program, from_interactor) = (direction(Side::Program)?, direction(Side::Interactor)?);
    let pipes = |side, reads: &Direction<'_>, writes: &Direction<'_>| PipeEnd {
        handshake: &handshake,
        side,
        stdin: reads.read_from.clone(),
        stdout: writes.write_to.clone(),
    };
    let interactor = pipes(Side::Interactor, &from_program, &from_interactor);
    let program = pipes(Side::Program, &from_interactor, &from_program);
    request.stdin = Some(program.stdin.clone());
    request.stdout.clone_from(&program.stdout);
    let (run, answered) = thread::scope(|scope| {
        // If a thread cannot be started, both sides' ends are closed here, so that the others do not wait.
        let (interactor, program) = (interactor, program);
        let (handshake, wall) = (&handshake, request.limits.wall);
        for direction in [from_program, from_interactor] {
            start(scope, move || direction.relay(handshake))?;
        }
        let answered = start(scope, move || {
            // End it here even if it was never started, so that the program does not wait for it.
            let pipes = interactor;
            let answered = check::interact(lab, case, &pipes, wall);
            let is_final = answered.as_ref().map_or(true, Answered::is_final);
            if handshake.first() == Side::Interactor && is_final {
                handshake.end_program();
            }
            answered
        })?;
        let run = lab.execute(&request, Some(&program));
        // So that the interactor does not wait for a program that was never started.
        drop(program);
        Ok::<_, Fault>((run, answered.join()))
    })?;
    let answered = answered.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    settled(&handshake, run, answered)
}

/// The run of the program, and what the interactor says of it. The side that ended first decides; so what the interactor says is
/// an error only if the program ended first, which an interactor may not expect.
fn settled(
    handshake: &Handshake<'_>,
    run: Result<Run, Fault>,
    answered: Result<Answered, Fault>,
) -> Result<(Run, Answered), Fault> {
    let is_first = handshake.first() == Side::Interactor;
    let (mut run, answered) = match (run, answered) {
        // The later failure is a consequence of the first.
        (Err(_), Err(fault)) if is_first => return Err(fault),
        (Err(fault), _) | (_, Err(fault)) => return Err(fault),
        (Ok(run), Ok(answered)) => (run, answered),
    };
    let answered = match answered {
        Answered {
            judged: Err(fault), ..
        } if is_first => return Err(fault),
        answered => answered,
    };
    run.rejected = is_first && answered.is_final();
    let mut both = run.outcome.clone();
    both.cpu.0 += answered.cpu.0;
    // Two sides that kept a processor busy were not starved of it.
    let are_kept = both.cpu.0 * 2 < both.wall.0 && !run.rejected;
    // While one side works, the other waits for its output, not for a processor.
    let waited = run
        .waited
        .map(|ours| ours + handshake.waited(Side::Interactor));
    run.contention = Contention::of(&both, waited).filter(|_| are_kept);
    Ok((run, answered))
}

/// The pipe from one side to the other.
struct Direction<'a> {
    from: Side,
    write_to: PathBuf,
    read_from: PathBuf,
    reader: File,
    /// The relay's destination and transcript, if recorded.
    copy: Option<(File, &'a Transcript)>,
}

impl<'a> Direction<'a> {
    fn new(
        workspace: &Workspace,
        handshake: &Handshake<'_>,
        from: Side,
        transcript: Option<&'a Transcript>,
    ) -> Result<Self, Fault> {
        let pipe = |what: &str| {
            let path = workspace.path().join(format!("{from:?}-{what}"));
            NamedPipe::new(path.clone()).map_err(Fault::file("make a pipe", path))
        };
        let written = pipe("writes")?;
        handshake.hold(from, written.writer);
        let (write_to, mut read_from, mut copy) = (written.path.clone(), written.path, None);
        if let Some(transcript) = transcript {
            let copied = pipe("wrote")?;
            handshake.hold(from.other(), copied.reader);
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

    /// Relays the data if it is recorded. Discards data that the other side no longer reads.
    fn relay(mut self, handshake: &Handshake<'_>) {
        if let Some((mut writer, transcript)) = self.copy.take() {
            let mut chunk = vec![0; RELAY_CHUNK_BYTES];
            while let Ok(count @ 1..) = self.reader.read(&mut chunk) {
                transcript.add(self.from, &chunk[..count]);
                if writer.write_all(&chunk[..count]).is_err() {
                    break;
                }
            }
        } else {
            handshake.wait_for_end(self.from.other());
        }
        // Until the writer ends too, or exceeds the limit.
        let _ = io::copy(&mut self.reader.take(MAX_UNREAD_BYTES), &mut io::sink());
    }
}
