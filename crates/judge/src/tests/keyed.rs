//! Which part of a key each change changes.

use std::collections::BTreeSet;

use grader_model::{Change, Points};
use proptest::prelude::*;

use super::*;
use crate::JobKey;
use crate::keys::{Keys, changes};

/// The key of a job in which these things are others than usual.
fn key(other: &BTreeSet<Change>) -> JobKey {
    let is = |change| other.contains(&change);
    let machine = Arc::new(Machine {
        layers: vec![
            if is(Change::Isolation) {
                "landlock"
            } else {
                "own"
            }
            .to_owned(),
        ],
        ..Machine::default()
    });
    let setup = Setup {
        grader: if is(Change::Grader) { "0.2.0" } else { "0.1.0" },
        ..Setup::new(&machine, None)
    };
    let judge = setup.judge();
    let mut assignment = doubling(|problem| {
        if is(Change::Running) {
            problem.limits.memory.0 += 1;
        }
    });
    if is(Change::Judging) {
        assignment.problems[0].points = Points::from_thousandths(1);
    }
    let text = if is(Change::Sources) { "other" } else { "own" };
    let language = if is(Change::Toolchain) {
        LanguageId::Rust
    } else {
        LanguageId::C
    };
    let sources = [SourceFile::new("double.c", text.as_bytes())];
    let isolation = judge.runner().isolation();
    Keys::new(&isolation, &judge.settings.grader, &assignment).of(
        &assignment.problems[0],
        Some(language),
        &sources,
    )
}

/// All but the machine, which no test can change.
const CHANGES: [Change; 6] = [
    Change::Sources,
    Change::Judging,
    Change::Running,
    Change::Toolchain,
    Change::Grader,
    Change::Isolation,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn keys_differ_in_exactly_the_parts_that_have_changed(
        chosen in prop::collection::btree_set(prop::sample::select(CHANGES.to_vec()), 0..=6),
    ) {
        let found = changes(&key(&BTreeSet::new()), &key(&chosen));
        prop_assert_eq!(found, chosen.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn a_bonus_is_another_way_to_count_points() {
    let judge = Setup::new(&Arc::default(), None).judge();
    let mut assignment = doubling(|_| ());
    let key = |assignment: &Assignment| {
        Keys::new(
            &judge.runner().isolation(),
            &judge.settings.grader,
            assignment,
        )
        .of(&assignment.problems[0], None, &[])
    };
    let before = key(&assignment);
    assignment.problems[0].bonus = true;
    assert_eq!(changes(&before, &key(&assignment)), [Change::Judging]);
}
