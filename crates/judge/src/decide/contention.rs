//! CPU contention: a program that ran out of wall time because other processes kept it from the processor.
//!
//! The wall time limit is for programs that sleep or wait forever. To tell contention from sleep, the kernel counts the
//! time in which a program was ready to run but had no processor. Sleeping adds nothing to that count, even if other
//! programs wait.

use std::time::Duration;

use grader_model::{Breach, Limits, Outcome, WallTime};

/// Below this share of a processor a program counts as sleeping if the kernel does not count waiting.
const MIN_CPU_SHARE_UNCOUNTED: f64 = 1.0 / 10.0;
/// Factor by which the wall time limit is extended for a program that was kept from the processor.
const EXTENSION: u32 = 4;

/// A run that reached its wall time limit although it wanted to work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contention {
    /// Wall time in which it worked or slept, rather than waiting for a processor. `None` if the kernel does not count
    /// waiting.
    own: Option<Duration>,
}

impl Contention {
    /// `None` if the run did not reach its wall time limit, or slept. `waited` is the time it waited for a processor,
    /// if the kernel counts it.
    pub(crate) fn of(outcome: &Outcome, waited: Option<Duration>) -> Option<Self> {
        let (wall, cpu) = (outcome.wall.0, outcome.cpu.0);
        if outcome.breach != Some(Breach::Wall) || wall.is_zero() {
            return None;
        }
        let is_explained = match waited {
            // Contention must explain most of the time in which it was not running.
            Some(waited) => waited * 2 >= wall.saturating_sub(cpu),
            None => cpu.as_secs_f64() >= wall.as_secs_f64() * MIN_CPU_SHARE_UNCOUNTED,
        };
        is_explained.then(|| Self {
            own: waited.map(|waited| wall.saturating_sub(waited)),
        })
    }

    /// Whether contention alone is to blame. If not, it worked and slept for longer than its wall time limit, or the
    /// kernel does not count waiting.
    pub(crate) fn is_certain(self, limits: Limits) -> bool {
        self.own.is_some_and(|own| own < limits.wall.0)
    }

    /// Whether another run with more wall time may end differently.
    pub(crate) fn is_possible(self, limits: Limits) -> bool {
        self.own.is_none() || self.is_certain(limits)
    }
}

/// The wall time limit for repeating a run that was kept from the processor.
pub(crate) fn more_wall_time(limits: Limits) -> WallTime {
    WallTime(limits.wall.0.saturating_mul(EXTENSION))
}

#[cfg(test)]
mod tests {
    use grader_model::{Bytes, CpuTime};

    use super::*;
    use crate::tests::ended_well;

    fn stopped(cpu: u64, breach: Option<Breach>) -> Outcome {
        Outcome {
            breach,
            wall: WallTime::from_millis(8000),
            ..ended_well(CpuTime::from_millis(cpu))
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
            (0, wall, Some(4000), true),
            (2000, wall, Some(2999), false),
            (2000, wall, Some(0), false),
            (319, wall, Some(1000), false),
            (0, wall, Some(3999), false),
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
    fn who_has_had_the_whole_wall_time_was_not_kept_from_it() {
        let limits = |wall| Limits {
            cpu: CpuTime::from_millis(2000),
            wall: WallTime::from_millis(wall),
            memory: Bytes(1),
            output: Bytes(1),
            processes: 1,
        };
        // Waiting in ms, of 8 s, and the problem's wall time.
        for (waited, wall, is_certain, is_possible) in [
            (Some(6500), 2000, true, true),
            (Some(6000), 2000, false, false),
            (Some(4000), 2000, false, false),
            (Some(4000), 8000, true, true),
            (None, 2000, false, true),
        ] {
            let found = Contention::of(
                &stopped(800, Some(Breach::Wall)),
                waited.map(Duration::from_millis),
            );
            let found = found.unwrap();
            let limits = limits(wall);
            assert_eq!(
                (found.is_certain(limits), found.is_possible(limits)),
                (is_certain, is_possible),
                "{waited:?} {wall}"
            );
        }
        assert_eq!(more_wall_time(limits(2000)), WallTime::from_millis(8000));
    }
}
