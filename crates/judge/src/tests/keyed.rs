//! The part of a key that each change affects.

use grader_model::{Change, Points};

use super::*;
use crate::JobKey;
use crate::keys::{Keys, changes};

/// A job's key, optionally with one change.
fn key(other: Option<Change>, is_bonus: bool) -> JobKey {
    let is = |change| other == Some(change);
    let machine = Arc::new(Machine {
        layers: vec![format!("own {}", is(Change::Isolation))],
        ..Machine::default()
    });
    let isolation = Setup::new(&machine, None).judge().runner().isolation();
    let grader = format!("0.1.0 {}", is(Change::Grader));
    let mut assignment = doubling(|_| ());
    let entry = &mut assignment.problems[0];
    entry.bonus = is_bonus;
    if is(Change::Judging) {
        entry.points = Points::from_thousandths(1);
    }
    let text = format!("own {}", is(Change::Sources));
    let language = assignment.languages.get(LanguageId::C);
    let language = language.filter(|_| !is(Change::Toolchain));
    let sources = [SourceFile::new("double.c", text.as_bytes())];
    let keys = Keys::new(&isolation, &grader, &assignment);
    keys.of(&assignment.problems[0], language, &sources)
}

#[test]
fn keys_differ_in_exactly_the_part_that_has_changed() {
    let usual = key(None, false);
    assert_eq!(changes(&usual, &key(None, false)), []);
    // All except the machine, which no test can change.
    for change in [
        Change::Sources,
        Change::Judging,
        Change::Toolchain,
        Change::Grader,
        Change::Isolation,
    ] {
        assert_eq!(changes(&usual, &key(Some(change), false)), [change]);
    }
    let both = [Change::Sources, Change::Judging];
    assert_eq!(changes(&usual, &key(Some(Change::Sources), true)), both);
}
