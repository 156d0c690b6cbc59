//! Runs that were kept from the processor.
//!
//! The limit of wall time is there for programs that sleep or wait for what never comes. On a crowded machine it also
//! strikes programs that work, and that is no failure of theirs. So a run that was stopped by it though it may have
//! been the machine's doing is made again, alone, with wall time enough for its whole limit of CPU time at the part
//! of a processor that it got. CPU time decides then. That our own workers pause does not make other people's
//! programs pause: hence the longer time.
//!
//! Whether it was the machine's doing is told by the kernel's count of the time in which some program was ready to
//! run and had no processor ([`grader_sandbox::Runner::crowded`]). Who sleeps on a quiet machine adds nothing to that.
//! Where it is not counted, a program that worked a tenth of its time is believed.

use std::time::Duration;

use grader_model::{Breach, Limits, Outcome, WallTime};

/// A program that got less of a processor than this slept, however crowded the machine was.
const LEAST: f64 = 1.0 / 25.0;
/// The same where it is not known how crowded the machine was.
const LEAST_UNKNOWN: f64 = 1.0 / 10.0;
/// So many times longer than at the part of the processor that it got a program is waited for.
const PATIENCE: f64 = 1.5;

/// A run that was stopped for wall time though it may have wanted to work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Starved {
    /// The part of a processor that it got.
    part: f64,
    /// Whether it is known that the machine was crowded.
    pub(crate) certain: bool,
}

impl Starved {
    /// What is to be thought of a run; nothing where it was not stopped for wall time, or for sleeping. `crowded` is
    /// the time during the run in which some program had no processor.
    pub(crate) fn of(outcome: &Outcome, crowded: Option<Duration>) -> Option<Self> {
        let (wall, cpu) = (outcome.wall.0, outcome.cpu.0);
        if outcome.breach != Some(Breach::Wall) || wall.is_zero() {
            return None;
        }
        let part = cpu.as_secs_f64() / wall.as_secs_f64();
        let least = if crowded.is_some() {
            LEAST
        } else {
            LEAST_UNKNOWN
        };
        // What it did not work it must have been kept from working, for the larger half.
        let kept = crowded.is_none_or(|crowded| crowded * 2 >= wall.saturating_sub(cpu));
        (part >= least && kept).then_some(Self {
            part,
            certain: crowded.is_some(),
        })
    }

    /// The limits of another run: wall time for all of the CPU time, and for the band above that.
    pub(crate) fn stretched(self, limits: Limits, band: f64) -> Limits {
        let needed = limits.cpu.0.mul_f64((1.0 + band) * PATIENCE / self.part);
        Limits {
            wall: limits.wall.max(WallTime(needed + Duration::from_secs(2))),
            ..limits
        }
    }
}

#[cfg(test)]
mod tests {
    use grader_model::{Bytes, CpuTime, End};

    use super::*;

    fn stopped(cpu: u64, wall: u64, breach: Option<Breach>) -> Outcome {
        Outcome {
            end: End::Signalled(9),
            breach,
            cpu: CpuTime::from_millis(cpu),
            wall: WallTime::from_millis(wall),
            memory: None,
            stdout: Bytes(0),
            stderr: Bytes(0),
        }
    }

    fn is_starved(cpu: u64, crowded: Option<u64>) -> bool {
        let outcome = stopped(cpu, 8000, Some(Breach::Wall));
        Starved::of(&outcome, crowded.map(Duration::from_millis)).is_some()
    }

    #[test]
    fn who_works_on_a_crowded_machine_is_starved() {
        assert!(is_starved(2000, Some(8000)));
        assert!(is_starved(2000, Some(3000)));
        assert!(is_starved(320, Some(8000)));
    }

    #[test]
    fn who_sleeps_is_not_starved_whatever_the_machine_does() {
        assert!(!is_starved(2000, Some(2999)));
        assert!(!is_starved(2000, Some(0)));
        assert!(!is_starved(319, Some(8000)));
        assert!(!is_starved(0, Some(8000)));
    }

    #[test]
    fn where_nothing_is_known_of_the_machine_a_tenth_of_the_time_is_work() {
        assert!(is_starved(800, None));
        assert!(!is_starved(799, None));
    }

    #[test]
    fn only_wall_time_starves() {
        for breach in [None, Some(Breach::Cpu), Some(Breach::Memory)] {
            let outcome = stopped(2000, 8000, breach);
            assert_eq!(Starved::of(&outcome, None), None);
        }
        let nothing = stopped(0, 0, Some(Breach::Wall));
        assert_eq!(Starved::of(&nothing, None), None);
    }

    #[test]
    fn another_run_has_time_for_its_whole_limit_at_the_part_it_got() {
        let limits = Limits {
            cpu: CpuTime::from_millis(2000),
            wall: WallTime::from_millis(8000),
            memory: Bytes(1),
            output: Bytes(1),
            processes: 1,
        };
        let starved = |cpu| {
            let outcome = stopped(cpu, 8000, Some(Breach::Wall));
            Starved::of(&outcome, None).unwrap()
        };
        // 2 s by a quarter is 8 s; with a tenth more, and half as much again, 13.2 s.
        let wall = |cpu, band| starved(cpu).stretched(limits, band).wall;
        assert_eq!(wall(2000, 0.1), WallTime::from_millis(15_200));
        // Never less than it had.
        assert_eq!(wall(7999, 0.0), limits.wall);
    }
}
