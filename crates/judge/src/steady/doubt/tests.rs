use grader_model::{Bytes, WallTime};
use proptest::prelude::*;

use super::*;

fn ms(millis: u64) -> CpuTime {
    CpuTime::from_millis(millis)
}

fn limits(cpu: CpuTime) -> Limits {
    Limits {
        cpu,
        wall: WallTime(cpu.0 * 3),
        memory: Bytes(1 << 20),
        output: Bytes(1 << 10),
        processes: 1,
    }
}

/// Bounds whose limit is a multiple of the reference's time.
fn movable(limit: u64) -> Bounds {
    Bounds {
        limits: limits(ms(limit)),
        origin: None,
        steps: Vec::new(),
        movable: true,
    }
}

fn fixed(limit: u64) -> Bounds {
    Bounds {
        movable: false,
        ..movable(limit)
    }
}

fn stepped(limit: u64, steps: &[(u64, u32)]) -> Bounds {
    let step = |&(most, share): &(u64, u32)| (ms(most), Share::from_thousandths(share));
    Bounds {
        steps: steps.iter().map(step).collect(),
        ..movable(limit)
    }
}

fn ended(millis: u64) -> Taken {
    Taken {
        cpu: ms(millis),
        cut: false,
    }
}

fn stopped(millis: u64) -> Taken {
    Taken {
        cpu: ms(millis),
        cut: true,
    }
}

fn pair(taken: Taken, yardstick: u64) -> Pair {
    Pair {
        taken,
        yardstick: Some(ms(yardstick)),
        bounds: movable(3 * yardstick),
    }
}

fn three_times(yardstick: Option<CpuTime>) -> Bounds {
    Bounds {
        limits: limits(CpuTime(yardstick.unwrap_or_default().0 * 3)),
        ..movable(1)
    }
}

#[test]
fn what_is_done_about_a_run_depends_on_time_machine_and_band() {
    use Next::{MeasureAnew, ReadGauge, RunAlone, Stands};
    let limit = movable(1000);
    // The run, the band, the drift; against a limit of 1 s.
    let table = [
        (ended(499), 0.15, None, Stands),
        (ended(500), 0.15, None, ReadGauge),
        (ended(700), 0.15, Some(1.19), Stands),
        (ended(700), 0.15, Some(1.21), MeasureAnew),
        (ended(700), 0.15, Some(0.79), MeasureAnew),
        (ended(849), 0.15, Some(1.0), Stands),
        (ended(851), 0.15, Some(1.0), RunAlone),
        (ended(851), 0.15, Some(1.5), MeasureAnew),
        (ended(1000), 0.15, Some(1.0), RunAlone),
        (ended(1149), 0.15, Some(1.0), RunAlone),
        (ended(601), 0.4, Some(1.0), RunAlone),
        (ended(599), 0.4, Some(1.0), Stands),
        (stopped(1150), 0.15, None, ReadGauge),
        (stopped(1150), 0.15, Some(1.0), Stands),
        (stopped(1150), 0.15, Some(1.5), MeasureAnew),
        // What was stopped would have taken longer, however far above the limit that was.
        (stopped(5000), 0.15, None, ReadGauge),
        (ended(2001), 0.15, None, Stands),
    ];
    for (taken, band, drift, expected) in table {
        assert_eq!(
            next(taken, &limit, band, drift, 0.2),
            expected,
            "{taken:?} {band} {drift:?}"
        );
    }
    // A gauge that is itself rough proves less.
    assert_eq!(next(ended(700), &limit, 0.15, Some(1.4), 0.5), Stands);
}

#[test]
fn a_drift_that_is_wider_than_the_band_and_begins_no_epoch_fails_nobody_unseen() {
    use Next::{RunAlone, Stands};
    let limit = movable(1000);
    let table = [
        // On the machine that the limit is of it would have taken 0.97 s.
        (stopped(1150), 1.19, RunAlone),
        (stopped(1150), 1.11, RunAlone),
        (stopped(1150), 1.08, Stands),
        (stopped(1500), 1.19, Stands),
        // And this one 1.05 s.
        (ended(840), 0.8, RunAlone),
        (ended(840), 0.9, Stands),
        (ended(700), 0.8, Stands),
    ];
    for (taken, drift, expected) in table {
        let found = next(taken, &limit, 0.15, Some(drift), 0.2);
        assert_eq!(found, expected, "{taken:?} {drift}");
    }
}

#[test]
fn a_fixed_limit_never_asks_for_the_gauge() {
    let limit = fixed(1000);
    for (taken, expected) in [
        (ended(700), Next::Stands),
        (ended(900), Next::RunAlone),
        (ended(1100), Next::RunAlone),
        (stopped(1150), Next::Stands),
    ] {
        assert_eq!(next(taken, &limit, 0.15, None, 0.2), expected, "{taken:?}");
    }
}

#[test]
fn a_step_of_points_is_a_threshold_like_the_limit() {
    let bounds = stepped(3000, &[(500, 1000), (1500, 600), (4000, 100)]);
    let share = |cpu| bounds.share(ms(cpu)).map(Share::thousandths);
    assert_eq!(
        [500, 501, 1500, 1501, 3000, 3001].map(share),
        [Some(1000), Some(600), Some(600), Some(100), Some(100), None]
    );
    let todo = |cpu| next(ended(cpu), &bounds, 0.15, Some(1.0), 0.2);
    assert_eq!(
        [200, 300, 450, 700, 1400, 2000, 2900, 3800].map(todo),
        [
            Next::Stands,
            Next::Stands,
            Next::RunAlone,
            Next::Stands,
            Next::RunAlone,
            Next::Stands,
            Next::RunAlone,
            // The step above the limit changes nothing.
            Next::Stands,
        ]
    );
    assert_eq!(next(ended(249), &bounds, 0.15, None, 0.2), Next::Stands);
    assert_eq!(next(ended(251), &bounds, 0.15, None, 0.2), Next::ReadGauge);
}

#[test]
fn the_band_follows_the_spread_of_the_reference_up_to_a_half() {
    let band = |bounds: &Bounds, spread| (bounds.band(spread) * 100.0).round() as u32;
    assert_eq!(
        [1.0, 1.1, 1.3, 9.0].map(|spread| band(&movable(1), spread)),
        [15, 15, 30, 50]
    );
    assert_eq!(band(&fixed(1), 1.3), 15);
}

#[test]
fn runs_alone_end_early_when_they_can_say_no_more() {
    let enough = |first, kept, runs: &[Taken]| {
        let pairs: Vec<Pair> = runs.iter().map(|taken| pair(*taken, 1000)).collect();
        is_enough(first, kept, &pairs, 0.15)
    };
    assert!(enough(1.02, false, &[ended(2400)]));
    assert!(enough(1.02, false, &[ended(3100), ended(2400)]));
    assert!(!enough(1.02, false, &[ended(2600)]));
    assert!(enough(1.02, false, &[stopped(3451)]));
    assert!(enough(1.02, false, &[ended(3100), stopped(3451)]));
    // Some run has kept to the limit, so that the stopped one may have been disturbed.
    assert!(!enough(0.99, true, &[stopped(3451)]));
    assert!(!enough(1.02, false, &[ended(2990), stopped(3451)]));
}

#[test]
fn runs_alone_that_disagree_are_settled_by_the_smallest_times_and_say_so() {
    let settled = |pairs: &[Pair]| settle(pairs, three_times).map(|(settled, _)| settled);
    assert_eq!(settled(&[]), None);
    assert_eq!(
        settled(&[
            pair(ended(3010), 1000),
            pair(ended(2990), 1010),
            pair(stopped(3500), 1020)
        ]),
        Some(Settled {
            taken: ended(2990),
            yardstick: Some(ms(1000)),
            share: Some(Share::WHOLE),
            resolved: false,
        })
    );
    assert_eq!(
        settled(&[pair(ended(3010), 1010), pair(ended(3020), 1000)]),
        Some(Settled {
            taken: ended(3010),
            yardstick: Some(ms(1000)),
            share: None,
            resolved: false,
        })
    );
}

fn any_pairs() -> impl Strategy<Value = Vec<Pair>> {
    let one = (100u64..10_000, 100u64..3_000).prop_map(|(cpu, by)| pair(ended(cpu), by));
    prop::collection::vec(one, 1..10)
}

proptest! {
    #[test]
    fn runs_alone_that_agree_give_the_verdict_that_they_agree_on(pairs in any_pairs()) {
        let (settled, _) = settle(&pairs, three_times).unwrap();
        if settled.resolved {
            let first = &pairs[0];
            prop_assert_eq!(settled.share, first.bounds.share(first.taken.cpu));
        }
    }

    #[test]
    fn the_order_of_runs_alone_does_not_matter(pairs in any_pairs()) {
        let mut reversed = pairs.clone();
        reversed.reverse();
        prop_assert_eq!(settle(&pairs, three_times), settle(&reversed, three_times));
    }

    #[test]
    fn a_faster_run_never_earns_less(cpu in 1u64..10_000, faster in 1u64..10_000) {
        let bounds = stepped(5000, &[(500, 1000), (1500, 600)]);
        let slower = cpu.max(faster);
        prop_assert!(bounds.share(ms(cpu.min(faster))) >= bounds.share(ms(slower)));
    }

    #[test]
    fn nothing_stands_within_the_band_and_nothing_is_done_far_from_it(
        cpu in 1u64..10_000, spread in 1.0f64..3.0,
    ) {
        let bounds = movable(2000);
        let band = bounds.band(spread);
        let part = cpu as f64 / 2000.0;
        let todo = next(ended(cpu), &bounds, band, Some(1.0), 0.2);
        prop_assert_eq!(todo == Next::RunAlone, (part - 1.0).abs() <= band);
        if part < 0.5 {
            prop_assert_eq!(next(ended(cpu), &bounds, band, None, 0.2), Next::Stands);
        }
    }
}
