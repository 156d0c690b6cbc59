//! Transcripts: an interaction that failed runs once more, and what both sides say is recorded.

use grader_model::{Breach, CaseResult, Evidence, Limits, Outcome, WallTime};

use crate::check::CheckedCase;
use crate::constants::{RECORDED_FACTOR, RECORDED_WALL};
use crate::interact;
use crate::interact::transcript::Transcript;
use crate::lab::Lab;
use crate::program::Program;
use crate::run::request;

/// The transcript of an additional run after one that failed. `None` if that run fails, which does not affect the verdict, or if it
/// would keep other jobs waiting.
pub(crate) fn record(
    lab: Lab<'_>,
    program: &Program,
    case: CheckedCase<'_>,
    limits: Limits,
    failed: &CaseResult,
) -> Option<Evidence> {
    if lab.alone.is_some() || case.feedback.is_some() {
        return None;
    }
    let limits = to_record(limits, failed.outcome.as_ref()?);
    let workspace = lab.judge.run_folder().ok()?;
    let rule = &case.at.problem.run;
    let request = request(lab, &workspace, program, rule, case.at.case, limits).ok()?;
    let transcript = Transcript::new();
    interact::run(lab, case, request, Some(&transcript)).ok()?;
    Some(transcript.evidence())
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

#[cfg(test)]
mod tests {
    use grader_model::{Bytes, CpuTime};

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
