//! Seconds of the clock, as programs see them that draw their numbers from it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::seats::Seats;
use crate::{Fault, Stop};

/// So long after we took the time a program may look at the clock first: a sandbox is set up, and a virtual machine
/// begins.
const GRACE: Duration = Duration::from_millis(100);
/// How often a waiting worker looks whether it was asked to stop.
const SLICE: Duration = Duration::from_millis(50);
/// The longest wait. It is only reached where the clock is set back meanwhile.
const LONGEST: Duration = Duration::from_secs(2);

/// The clock of the wall, and waiting for it.
pub(super) trait Clock {
    /// The time.
    fn now(&self) -> SystemTime;
    /// Waits so long.
    fn sleep(&self, time: Duration);

    /// Waits as `wait` does, and lets others use the seat of this thread meanwhile.
    fn away(&self, wait: &mut dyn FnMut() -> Result<(), Fault>) -> Result<(), Fault> {
        wait()
    }
}

/// The machine's.
pub(super) struct SystemClock<'a>(pub(super) &'a Seats);

impl Clock for SystemClock<'_> {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn away(&self, wait: &mut dyn FnMut() -> Result<(), Fault>) -> Result<(), Fault> {
        self.0.away(wait)
    }
}

/// The second of a time, as `time(NULL)` gives it; 0 before 1970.
pub(super) fn second(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// The last second that a program begun then may take for the present one.
pub(super) fn last_second(began: SystemTime) -> u64 {
    second(began + GRACE)
}

/// Waits until a second begins, a second and a bit at most. Nothing is held meanwhile.
///
/// # Errors
/// [`Fault::Stopped`] when asked to stop.
pub(super) fn wait_for(begins: u64, clock: &dyn Clock, stop: &Stop) -> Result<(), Fault> {
    let mut waited = Duration::ZERO;
    while second(clock.now()) < begins && waited < LONGEST {
        if stop.is_requested() {
            return Err(Fault::Stopped);
        }
        let left = (UNIX_EPOCH + Duration::from_secs(begins))
            .duration_since(clock.now())
            .unwrap_or(Duration::ZERO);
        let slice = left.clamp(Duration::from_millis(1), SLICE);
        clock.sleep(slice);
        waited += slice;
    }
    Ok(())
}
