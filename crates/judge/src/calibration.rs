//! What was measured of a reference: times of its cases, and whether the machine is still as fast as it was then.
//!
//! Measurements belong to an *epoch*, a stretch of time in which the machine was equally fast. One cheap case is the
//! *gauge*: it is run again to see whether the epoch still lasts. When it does not, a new one begins, and a case is
//! measured anew when it is next asked for.

pub(crate) mod kept;

use std::collections::BTreeMap;
use std::time::Duration;

use grader_model::{CaseName, CpuTime, ProblemId, SubtaskName, Yardstick};

/// Shorter times are measured [`REPEATS`] times, because they vary most and cost least.
pub(crate) const SHORT: CpuTime = CpuTime(Duration::from_millis(50));
/// How often a short time is measured, and how often the gauge is read at most.
pub(crate) const REPEATS: u32 = 3;
/// The gauge is the longest case below this time: long enough to be steady, short enough to be cheap.
const GAUGE: CpuTime = CpuTime(Duration::from_millis(200));
/// A shorter case is no gauge: its time is mostly the noise of starting a process.
const SHORTEST_GAUGE: CpuTime = CpuTime(Duration::from_millis(10));
/// A reading of the gauge that differs by no more is believed at once.
pub(crate) const AGREES: f64 = 0.05;
/// The machine may become so much faster or slower before a new epoch begins.
const DRIFT: f64 = 0.2;
/// The same for measurements that were kept from an earlier run.
const KEPT_DRIFT: f64 = 0.1;
/// One run that took three times as long is no reason to take a machine of half the speed for the same: what counts is
/// the smallest time, which varies less than the largest.
const WIDEST: f64 = 0.5;

/// A case, by its subtask and name.
pub(crate) type CaseKey = (SubtaskName, CaseName);

/// Measurements of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Samples {
    /// The smallest counts.
    pub(crate) smallest: CpuTime,
    pub(crate) largest: CpuTime,
    pub(crate) count: u32,
}

impl Samples {
    pub(crate) const fn one(cpu: CpuTime) -> Self {
        Self {
            smallest: cpu,
            largest: cpu,
            count: 1,
        }
    }

    pub(crate) fn add(&mut self, cpu: CpuTime) {
        self.join(Self::one(cpu));
    }

    fn join(&mut self, other: Self) {
        self.smallest = self.smallest.min(other.smallest);
        self.largest = self.largest.max(other.largest);
        self.count += other.count;
    }

    /// The largest divided by the smallest; at least 1.
    pub(crate) fn spread(self) -> f64 {
        ratio(self.largest, self.smallest)
    }
}

/// One time divided by another, of which none counts as shorter than a microsecond.
pub(crate) fn ratio(time: CpuTime, by: CpuTime) -> f64 {
    let seconds = |time: CpuTime| time.0.as_secs_f64().max(1e-6);
    seconds(time) / seconds(by)
}

/// A case and what was measured of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) samples: Samples,
    pub(crate) epoch: u32,
    kept: bool,
    drifts: u32,
}

/// All that was measured of one problem's reference.
#[derive(Debug, Default)]
pub(crate) struct Calibration {
    epoch: u32,
    cases: BTreeMap<CaseKey, Measured>,
}

/// The case that is run again to see how fast the machine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gauge {
    pub(crate) place: CaseKey,
    /// What it took in the epoch.
    pub(crate) samples: Samples,
    /// The epoch in which it was chosen.
    pub(crate) epoch: u32,
}

/// What the gauge reads now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) gauge: Gauge,
    pub(crate) now: Samples,
}

impl Calibration {
    /// What was measured of a case in this epoch.
    pub(crate) fn of(&self, place: &CaseKey) -> Option<Measured> {
        let measured = self.cases.get(place).copied()?;
        (measured.epoch == self.epoch).then_some(measured)
    }

    /// Whether a case was measured at all, in this epoch or before.
    pub(crate) fn knows(&self, place: &CaseKey) -> bool {
        self.cases.contains_key(place)
    }

    /// Adds measurements of a case: to those of this epoch, or in the place of older ones, or of kept ones, so that no
    /// outlier of an earlier run is handed on for ever. What is known of it then.
    ///
    /// The smallest kept time of the gauge stays beside them, for it is of one speed of the machine with all else that
    /// was kept.
    pub(crate) fn record(&mut self, place: &CaseKey, mut samples: Samples) -> Measured {
        let epoch = self.epoch;
        let kept = self.of(place).filter(|measured| measured.kept);
        if let Some(kept) = kept
            && self.gauge().is_some_and(|gauge| gauge.place == *place)
        {
            samples.smallest = samples.smallest.min(kept.samples.smallest);
        }
        *self
            .cases
            .entry(place.clone())
            .and_modify(|measured| {
                if measured.epoch == epoch && measured.kept {
                    measured.samples = samples;
                    measured.kept = false;
                } else if measured.epoch == epoch {
                    measured.samples.join(samples);
                } else {
                    *measured = Measured {
                        samples,
                        epoch,
                        kept: false,
                        drifts: measured.drifts + 1,
                    };
                }
            })
            .or_insert(Measured {
                samples,
                epoch,
                kept: false,
                drifts: 0,
            })
    }

    /// The same for measurements that were begun in `epoch`. Nothing, and nothing is added, where that is over: they are
    /// of two speeds of the machine, or of another one.
    pub(crate) fn record_of(
        &mut self,
        epoch: u32,
        place: &CaseKey,
        samples: Samples,
    ) -> Option<Measured> {
        (epoch == self.epoch).then(|| self.record(place, samples))
    }

    /// The epoch that lasts.
    pub(crate) const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Takes over what was measured in an earlier run.
    pub(crate) fn adopt(&mut self, place: CaseKey, samples: Samples) {
        let measured = Measured {
            samples,
            epoch: self.epoch,
            kept: true,
            drifts: 0,
        };
        self.cases.insert(place, measured);
    }

    /// Takes from the kept times of the gauge, which have been found to hold, what it does not vary by any more. Whether
    /// that is anything.
    pub(crate) fn narrow(&mut self, reading: &Reading) -> bool {
        let Some(measured) = self.cases.get_mut(&reading.gauge.place) else {
            return false;
        };
        let samples = &mut measured.samples;
        let largest = reading.now.largest.max(samples.smallest);
        let narrower = largest < samples.largest;
        samples.largest = samples.largest.min(largest);
        narrower
    }

    /// The gauge of this epoch. `None` before a case was measured in it that is long enough.
    pub(crate) fn gauge(&self) -> Option<Gauge> {
        let current = || {
            let cases = self.cases.iter();
            cases.filter(|(_, measured)| {
                measured.epoch == self.epoch && measured.samples.smallest >= SHORTEST_GAUGE
            })
        };
        let time = |(_, measured): &(&CaseKey, &Measured)| measured.samples.smallest;
        let (place, measured) = current()
            .filter(|case| time(case) < GAUGE)
            .max_by_key(time)
            .or_else(|| current().min_by_key(time))?;
        Some(Gauge {
            place: place.clone(),
            samples: measured.samples,
            epoch: self.epoch,
        })
    }

    /// Begins an epoch with what the gauge reads, unless somebody else has begun one since it was chosen. The epoch
    /// where it was begun here.
    pub(crate) fn begin_epoch(&mut self, reading: &Reading) -> Option<u32> {
        if self.epoch != reading.gauge.epoch {
            return None;
        }
        self.epoch += 1;
        self.record(&reading.gauge.place, reading.now);
        Some(self.epoch)
    }

    /// What is told of a case.
    pub(crate) fn yardstick(&self, problem: &ProblemId, place: &CaseKey) -> Option<Yardstick> {
        let measured = self.of(place)?;
        let (subtask, case) = place.clone();
        Some(Yardstick {
            problem: problem.clone(),
            subtask,
            case,
            cpu: measured.samples.smallest,
            largest: measured.samples.largest,
            samples: measured.samples.count,
            kept: measured.kept,
            drifts: measured.drifts,
        })
    }
}

impl Gauge {
    /// Whether the gauge was read often enough: it agrees, or was read [`REPEATS`] times.
    pub(crate) fn is_read(&self, now: Samples) -> bool {
        now.count >= REPEATS || (self.drift(now) - 1.0).abs() <= AGREES
    }

    /// How many times as long everything takes now.
    fn drift(&self, now: Samples) -> f64 {
        ratio(now.smallest, self.samples.smallest)
    }
}

impl Reading {
    /// How many times as long everything takes now.
    pub(crate) fn drift(&self) -> f64 {
        self.gauge.drift(self.now)
    }

    /// How far from 1 [`Reading::drift`] may be in an epoch: where the gauge itself varies more than that, so much.
    pub(crate) fn tolerance(&self) -> f64 {
        self.at_least(DRIFT)
    }

    /// This tolerance, or what the gauge itself varies by, up to [`WIDEST`].
    fn at_least(&self, tolerance: f64) -> f64 {
        (self.gauge.samples.spread() - 1.0).clamp(tolerance, WIDEST)
    }

    /// Whether the machine is still what it was.
    pub(crate) fn agrees(&self) -> bool {
        (self.drift() - 1.0).abs() <= self.tolerance()
    }

    /// Whether what was kept from an earlier run still holds.
    pub(crate) fn keeps(&self) -> bool {
        (self.drift() - 1.0).abs() <= self.at_least(KEPT_DRIFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(case: &str) -> CaseKey {
        (SubtaskName::new("all"), CaseName::new(case))
    }

    fn ms(millis: u64) -> CpuTime {
        CpuTime::from_millis(millis)
    }

    fn measured(cases: &[(&str, u64)]) -> Calibration {
        let mut calibration = Calibration::default();
        for (case, millis) in cases {
            calibration.record(&place(case), Samples::one(ms(*millis)));
        }
        calibration
    }

    fn reading(calibration: &Calibration, millis: u64) -> Reading {
        Reading {
            gauge: calibration.gauge().unwrap(),
            now: Samples::one(ms(millis)),
        }
    }

    #[test]
    fn the_gauge_is_the_longest_cheap_case_or_else_the_shortest() {
        let gauge = |cases: &[(&str, u64)]| measured(cases).gauge().map(|gauge| gauge.place.1);
        assert_eq!(gauge(&[]), None);
        assert_eq!(
            gauge(&[("a", 3), ("b", 150), ("c", 900)]),
            Some(CaseName::new("b"))
        );
        assert_eq!(gauge(&[("b", 900), ("c", 300)]), Some(CaseName::new("c")));
    }

    #[test]
    fn the_gauge_is_read_until_it_agrees_and_three_times_at_most() {
        let gauge = measured(&[("a", 100)]).gauge().unwrap();
        let mut now = Samples::one(ms(130));
        assert!(!gauge.is_read(now));
        now.add(ms(104));
        assert!(gauge.is_read(now));
        let mut slow = Samples::one(ms(130));
        slow.add(ms(150));
        slow.add(ms(140));
        assert!(gauge.is_read(slow));
        let reading = Reading { gauge, now: slow };
        assert!((reading.drift() - 1.3).abs() < 1e-9);
    }

    #[test]
    fn a_new_epoch_forgets_every_case_but_the_gauge_and_counts_the_drift() {
        let mut calibration = measured(&[("a", 100), ("b", 1000)]);
        let slower = reading(&calibration, 150);
        calibration.begin_epoch(&slower);
        // Another worker saw the same.
        calibration.begin_epoch(&slower);
        assert_eq!(calibration.of(&place("b")), None);
        let samples = |case| calibration.of(&place(case)).map(|it| it.samples);
        assert_eq!(samples("a"), Some(Samples::one(ms(150))));
        calibration.record(&place("b"), Samples::one(ms(1500)));
        calibration.record(&place("b"), Samples::one(ms(1600)));
        assert_eq!(
            calibration.yardstick(&ProblemId::new("p"), &place("b")),
            Some(Yardstick {
                problem: ProblemId::new("p"),
                subtask: SubtaskName::new("all"),
                case: CaseName::new("b"),
                cpu: ms(1500),
                largest: ms(1600),
                samples: 2,
                kept: false,
                drifts: 1,
            })
        );
    }

    #[test]
    fn one_run_that_was_held_up_hides_no_change_of_the_machine() {
        let mut rough = measured(&[("a", 100)]);
        rough.record(&place("a"), Samples::one(ms(300)));
        let holds = |millis| {
            let reading = reading(&rough, millis);
            (reading.agrees(), reading.keeps())
        };
        assert_eq!(
            [49, 51, 149, 151, 250].map(holds),
            [false, true, true, false, false].map(|holds| (holds, holds))
        );
    }

    #[test]
    fn what_was_kept_is_replaced_by_what_is_measured_now() {
        let samples = |smallest, largest, count| Samples {
            smallest: ms(smallest),
            largest: ms(largest),
            count,
        };
        let mut calibration = Calibration::default();
        calibration.adopt(place("gauge"), samples(100, 140, 3));
        calibration.adopt(place("b"), samples(900, 1400, 5));
        let told = |calibration: &Calibration, case| {
            let measured = calibration.of(&place(case)).unwrap();
            (measured.samples, measured.kept)
        };
        calibration.record(&place("b"), samples(1000, 1000, 1));
        calibration.record(&place("b"), samples(1010, 1010, 1));
        assert_eq!(told(&calibration, "b"), (samples(1000, 1010, 2), false));
        // The gauge's outlier goes when it is read; its smallest time is of one speed with all that was kept.
        let now = reading(&calibration, 104);
        assert!(calibration.narrow(&now));
        assert_eq!(told(&calibration, "gauge"), (samples(100, 104, 3), true));
        assert!(!calibration.narrow(&now));
        calibration.record(&place("gauge"), samples(102, 103, 2));
        assert_eq!(told(&calibration, "gauge"), (samples(100, 103, 2), false));
    }

    #[test]
    fn what_was_kept_holds_within_a_tenth_or_its_own_spread() {
        let steady = measured(&[("a", 100)]);
        let mut rough = measured(&[("a", 100)]);
        rough.record(&place("a"), Samples::one(ms(130)));
        let keeps = |calibration, millis| reading(calibration, millis).keeps();
        assert_eq!(
            [91, 109, 111, 89].map(|now| keeps(&steady, now)),
            [true, true, false, false]
        );
        assert_eq!(
            [71, 129, 131].map(|now| keeps(&rough, now)),
            [true, true, false]
        );
    }
}
