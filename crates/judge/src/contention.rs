//! CPU contention: a program that ran out of wall time because other processes kept it from the processor.
//!
//! The wall clock limit is for programs that sleep or wait for what never comes. The kernel's count of the time in
//! which some process was ready to run and had no processor ([`grader_sandbox::Runner::cpu_pressure`]) tells the two apart:
//! a program that sleeps adds nothing to it.

use std::time::Duration;

use grader_model::{Breach, Limits, Outcome, WallTime};

/// Below this share of a processor a program counts as sleeping, however busy the machine was.
const MIN_CPU_SHARE: f64 = 1.0 / 25.0;
/// The same if the kernel does not count waiting.
const MIN_CPU_SHARE_UNCOUNTED: f64 = 1.0 / 10.0;
/// How much longer another run may take than at the share of the processor that this one got.
const PATIENCE: f64 = 1.5;

/// A run that was stopped for wall time although it wanted to work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contention {
    /// The share of a processor that it got.
    cpu_share: f64,
    /// Whether the kernel counted the waiting, so that the machine is certainly busy.
    pub(crate) is_certain: bool,
}

impl Contention {
    /// `None` if the run was not stopped for wall time, or slept. `waited` is the time in which some process waited for
    /// a processor during the run, if the kernel counts it.
    pub(crate) fn of(outcome: &Outcome, waited: Option<Duration>) -> Option<Self> {
        let (wall, cpu) = (outcome.wall.0, outcome.cpu.0);
        if outcome.breach != Some(Breach::Wall) || wall.is_zero() {
            return None;
        }
        let cpu_share = cpu.as_secs_f64() / wall.as_secs_f64();
        let least = match waited {
            Some(_) => MIN_CPU_SHARE,
            None => MIN_CPU_SHARE_UNCOUNTED,
        };
        // Contention must explain most of the time in which it did not work.
        let is_explained = waited.is_none_or(|waited| waited * 2 >= wall.saturating_sub(cpu));
        (cpu_share >= least && is_explained).then_some(Self {
            cpu_share,
            is_certain: waited.is_some(),
        })
    }

    /// Limits with wall time enough to use up `cpu_factor` times the CPU limit at the share that this run got.
    pub(crate) fn with_more_wall_time(self, limits: Limits, cpu_factor: f64) -> Limits {
        let needed = limits.cpu.0.mul_f64(cpu_factor * PATIENCE / self.cpu_share);
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

    fn stopped(cpu: u64, breach: Option<Breach>) -> Outcome {
        Outcome {
            end: End::Signalled(9),
            breach,
            cpu: CpuTime::from_millis(cpu),
            wall: WallTime::from_millis(8000),
            memory: None,
            stdout: Bytes(0),
            stderr: Bytes(0),
        }
    }

    #[test]
    fn a_program_that_works_is_told_from_one_that_sleeps() {
        let wall = Some(Breach::Wall);
        // CPU time and waiting in ms, of 8 s.
        for (cpu, breach, waited, expected) in [
            (2000, wall, Some(8000), true),
            (2000, wall, Some(3000), true),
            (320, wall, Some(8000), true),
            (2000, wall, Some(2999), false),
            (2000, wall, Some(0), false),
            (319, wall, Some(8000), false),
            (0, wall, Some(8000), false),
            (800, wall, None, true),
            (799, wall, None, false),
            (2000, None, None, false),
            (2000, Some(Breach::Cpu), None, false),
            (2000, Some(Breach::Memory), None, false),
        ] {
            let found = Contention::of(&stopped(cpu, breach), waited.map(Duration::from_millis));
            assert_eq!(found.is_some(), expected, "{cpu} {breach:?} {waited:?}");
        }
    }

    #[test]
    fn another_run_has_wall_time_for_its_whole_cpu_limit() {
        let limits = Limits {
            cpu: CpuTime::from_millis(2000),
            wall: WallTime::from_millis(8000),
            memory: Bytes(1),
            output: Bytes(1),
            processes: 1,
        };
        let wall = |cpu, factor| {
            let found = Contention::of(&stopped(cpu, Some(Breach::Wall)), None).unwrap();
            found.with_more_wall_time(limits, factor).wall
        };
        // 2 s at a quarter of a processor are 8 s; a tenth more, half as much again, and 2 s: 15.2 s.
        assert_eq!(wall(2000, 1.1), WallTime::from_millis(15_200));
        assert_eq!(wall(7999, 1.0), limits.wall);
    }
}
