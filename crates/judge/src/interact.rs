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
mod transcript;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::thread;

use grader_model::{Breach, CpuTime, Evidence, Limits, Outcome, WallTime};
use grader_sandbox::NamedPipe;

use crate::Fault;
use crate::check::{self, Answered, CheckedCase};
use crate::constants::{MAX_UNREAD_BYTES, RECORDED_FACTOR, RECORDED_WALL, RELAY_CHUNK_BYTES};
use crate::decide::contention::Contention;
use crate::lab::Lab;
use crate::program::Program;
use crate::run::{self, Held};
use crate::threads::start;
use crate::workspace::Workspace;

use handshake::{Handshake, PipeEnd, Side};
use transcript::Transcript;

/// Runs a program on a case, in parallel with the interactor if there is one. Builds the case's checker first.
pub(crate) fn run<'a>(
    lab: Lab<'a>,
    program: &Program,
    case: CheckedCase<'_>,
    limits: Limits,
) -> Result<Held<'a>, Fault> {
    lab.build_checker(case.at)?;
    if case.at.case.checker.is_interactive() {
        interact(lab, program, case, limits, None)
    } else {
        let rule = &case.at.problem.run;
        run::run(lab, program, rule, case.at.case, limits, None)
    }
}

/// The limits of a run that is recorded: enough wall time to show which side waits, and on a busy machine, for all that was said in
/// the run that it repeats.
fn to_record(limits: Limits, ran: &Outcome) -> Limits {
    let wall = match ran.breach {
        Some(Breach::Wall) => RECORDED_WALL,
        _ => RECORDED_WALL.max(WallTime(ran.wall.0.saturating_mul(RECORDED_FACTOR))),
    };
    Limits {
        wall: limits.wall.min(wall),
        ..limits
    }
}

/// The transcript of an additional run after this one. `None` if that run fails, which does not affect the verdict, or if it
/// would keep other jobs waiting.
pub(crate) fn record(
    lab: Lab<'_>,
    program: &Program,
    case: CheckedCase<'_>,
    limits: Limits,
    ran: &Outcome,
) -> Option<Evidence> {
    if lab.alone.is_some() || case.feedback.is_some() {
        return None;
    }
    let transcript = Transcript::new();
    let limits = to_record(limits, ran);
    interact(lab, program, case, limits, Some(&transcript)).ok()?;
    Some(transcript.evidence())
}

/// Runs both sides, and records their output if there is a transcript.
fn interact<'a>(
    lab: Lab<'a>,
    program: &Program,
    case: CheckedCase<'_>,
    limits: Limits,
    transcript: Option<&Transcript>,
) -> Result<Held<'a>, Fault> {
    let judge = lab.judge;
    let workspace = Workspace::new(judge.folder(), "pipes-")?;
    let handshake = Handshake::new(judge.stop());
    let direction = |from| Direction::new(&workspace, &handshake, from, transcript);
    let (from_program, from_interactor) = (direction(Side::Program)?, direction(Side::Interactor)?);
    let pipes = |side, reads: &Direction<'_>, writes: &Direction<'_>| PipeEnd {
        handshake: &handshake,
        side,
        stdin: reads.read_from.clone(),
        stdout: writes.write_to.clone(),
    };
    let interactor = pipes(Side::Interactor, &from_program, &from_interactor);
    let program_end = pipes(Side::Program, &from_interactor, &from_program);
    let (held, judged) = thread::scope(|scope| {
        // If a thread cannot be started, both sides' ends are closed here, so that the others do not wait.
        let (interactor, program_end) = (interactor, program_end);
        let handshake = &handshake;
        for direction in [from_program, from_interactor] {
            start(scope, move || direction.relay(handshake))?;
        }
        let judged = start(scope, move || {
            // End it here even if it was never started, so that the program does not wait for it.
            let pipes = interactor;
            let wall = limits.wall;
            let judged = check::interact(lab, case, &pipes, wall);
            if handshake.first() == Side::Interactor && is_final(&judged) {
                handshake.end_program();
            }
            judged
        })?;
        let rule = &case.at.problem.run;
        let held = run::run(lab, program, rule, case.at.case, limits, Some(&program_end));
        // So that the interactor does not wait for a program that was never started.
        drop(program_end);
        Ok::<_, Fault>((held, judged.join()))
    })?;
    let judged = judged.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    settled(&handshake, held, judged)
}

/// The answer of an interactor, unless it is at fault, and its CPU time.
type Judged = Result<(Result<Answered, Fault>, CpuTime), Fault>;

/// The run of the program, with the interactor's judgement. The side that ended first decides.
fn settled<'a>(
    handshake: &Handshake<'_>,
    held: Result<Held<'a>, Fault>,
    judged: Judged,
) -> Result<Held<'a>, Fault> {
    let is_first = handshake.first() == Side::Interactor;
    let (mut held, (judged, cpu)) = match (held, judged) {
        (Ok(held), Ok(judged)) => (held, judged),
        // The later failure is a consequence of the first.
        (Err(_), Err(fault)) if is_first => return Err(fault),
        (Err(fault), _) | (_, Err(fault)) => return Err(fault),
    };
    let judged = match judged {
        Err(fault) if is_first => return Err(fault),
        judged => judged,
    };
    let run = &mut held.run;
    run.rejected = is_first && judged.as_ref().is_ok_and(Answered::is_final);
    let mut both = run.outcome.clone();
    both.cpu.0 += cpu.0;
    // Two sides that kept a processor busy were not starved of it.
    let are_kept = both.cpu.0 * 2 < both.wall.0 && !run.rejected;
    // While one side works, the other waits for its output, not for a processor.
    let waited = run
        .waited
        .map(|ours| ours + handshake.waited(Side::Interactor));
    run.contention = Contention::of(&both, waited).filter(|_| are_kept);
    held.judged = Some(judged.map(|answered| {
        held.report = answered.report;
        answered.judgement
    }));
    Ok(held)
}

/// Whether the judgement of an interactor that ended first is final, whatever the program does now.
fn is_final(judged: &Judged) -> bool {
    match judged {
        Ok((Ok(answered), _)) => answered.is_final(),
        Ok((Err(_), _)) | Err(_) => true,
    }
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

#[cfg(test)]
mod tests {
    use grader_model::Bytes;

    use super::*;
    use crate::tests::ended_well;

    #[test]
    fn a_recorded_run_has_as_long_as_the_run_that_it_repeats_may_need_again() {
        let limits = Limits {
            cpu: CpuTime::from_millis(2000),
            wall: WallTime::from_millis(60_000),
            memory: Bytes(64 << 20),
            output: Bytes(1024),
            processes: 1,
        };
        // Wall time in ms, how the run was stopped, and the limit that follows.
        for (wall, breach, expected) in [
            (10, None, 2000),
            (5000, None, 20_000),
            (20_000, None, 60_000),
            // Which side waits is soon seen.
            (60_000, Some(Breach::Wall), 2000),
            (5000, Some(Breach::Cpu), 20_000),
        ] {
            let ran = Outcome {
                breach,
                wall: WallTime::from_millis(wall),
                ..ended_well(CpuTime::from_millis(5))
            };
            let found = to_record(limits, &ran).wall;
            assert_eq!(found, WallTime::from_millis(expected), "{wall} {breach:?}");
        }
    }
}
