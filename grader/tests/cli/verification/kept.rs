//! What `verify` keeps for later runs: programs that it built, and which problems were as expected.

use std::collections::BTreeSet;
use std::fs;

use super::{own, program};
use crate::harness::{Room, have, strict};

/// The names of the entries in the user's cache folder.
fn entries(room: &Room) -> BTreeSet<String> {
    let entries = fs::read_dir(room.cache().join("bitcraft"));
    let entries = entries.into_iter().flatten();
    entries
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn what_an_earlier_run_compiled_is_used_and_so_is_nothing_that_somebody_changed() {
    if !strict() || !have(&["gcc"]) {
        return;
    }
    let room = own().file("double/submissions/accepted/twice.c", program("n + n"));
    let built = |more: &[&str]| {
        let arguments = [&["verify", "double", "--json", "-"], more].concat();
        let (status, document) = room.json(&arguments);
        assert_eq!(status, 0, "{document:#}");
        let samples = document["assignments"][0]["problems"][0]["samples"].clone();
        let samples = samples.as_array().unwrap().iter();
        samples
            .map(|it| it["found"]["build"].clone())
            .collect::<Vec<_>>()
    };
    built(&["--fresh"]);
    assert_eq!(entries(&room), BTreeSet::new());
    let first = built(&[]);
    let kept = entries(&room);
    assert!(kept.len() > first.len(), "{kept:?}");
    // With the times of the first run.
    assert_eq!(built(&[]), first);
    assert_eq!(entries(&room), kept);
    for name in &kept {
        let path = room.cache().join("bitcraft").join(name);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path, bytes).unwrap();
    }
    built(&[]);
    assert_eq!(entries(&room), kept);
    // Another program has another entry, and so has another result.
    let sample = "double/submissions/accepted/twice.c";
    let room = room.file(sample, program("n + n + 0"));
    assert_eq!(room.run(&["verify", "double"]).status, 0);
    assert_eq!(entries(&room).difference(&kept).count(), 2);
    // `grade` and `test` leave it alone.
    let before = entries(&room);
    let (problem, file) = (room.path("double"), room.path(sample));
    let arguments = [
        "test",
        file.to_str().unwrap(),
        "-a",
        problem.to_str().unwrap(),
    ];
    room.run(&arguments);
    assert_eq!(entries(&room), before);
}

#[test]
fn a_missing_folder_of_caches_is_made_and_a_missing_home_is_not() {
    if !strict() || !have(&["gcc"]) {
        return;
    }
    for (caches, home, made) in [
        ("new/caches", "", Some("new/caches/bitcraft")),
        ("", "", Some(".cache/bitcraft")),
        ("", "gone", None),
    ] {
        let mut room = own();
        let caches = match caches {
            "" => String::new(),
            _ => room.path(caches).display().to_string(),
        };
        let home = room.path(home).display().to_string();
        room = room.env("XDG_CACHE_HOME", &caches).env("HOME", &home);
        let ran = room.run(&["verify", "double"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let kept = made.is_some_and(|it| fs::read_dir(room.path(it)).unwrap().next().is_some());
        assert_eq!((kept, room.path("gone").exists()), (made.is_some(), false));
    }
}

#[test]
fn without_a_sandbox_nothing_is_kept() {
    let room = own();
    let ran = room.run(&["verify", "double", "--isolation", "basic"]);
    assert_eq!(
        (ran.status, entries(&room)),
        (0, BTreeSet::new()),
        "{ran:?}"
    );
}

#[test]
fn only_what_changed_is_verified_again() {
    if !strict() {
        return;
    }
    let room = own().copy("problems/bit-practice/eight-queens", "eight-queens");
    fs::remove_dir_all(room.path("eight-queens/submissions")).unwrap();
    let room = room
        .file("eight-queens/submissions/accepted/a.py", "print(92)\n")
        .file("eight-queens/submissions/wrong-answer/b.py", "print(91)\n");
    let unchanged = |room: &Room, status| {
        let arguments = [
            "verify",
            "double",
            "eight-queens",
            "--changed",
            "--json",
            "-",
        ];
        let (found, document) = room.json(&arguments);
        assert_eq!(found, status, "{document:#}");
        let assignments = document["assignments"].as_array().unwrap().iter();
        let problems = assignments.map(|it| &it["problems"][0]);
        problems
            .map(|it| it["unchanged"] == true)
            .collect::<Vec<_>>()
    };
    assert_eq!(unchanged(&room, 0), [false, false]);
    let whole = room.run(&["verify", "double"]);
    assert_eq!(unchanged(&room, 0), [true, true]);
    let again = room.run(&["verify", "double", "--changed"]);
    let (head, rest) = again.stdout.split_once('\n').unwrap();
    let rest = rest
        .strip_prefix("  unchanged since it was verified\n")
        .unwrap();
    assert_eq!(format!("{head}\n{rest}"), whole.stdout);
    // What is not as expected is never taken from an earlier run.
    let sample = "double/submissions/accepted/twice.py";
    let room = room.replace(sample, "n + n", "n + 3");
    for _ in 0..2 {
        assert_eq!(unchanged(&room, 1), [false, true]);
    }
    let room = room.replace(sample, "n + 3", "2 * n");
    assert_eq!(unchanged(&room, 0), [false, true]);
    let room = room.replace(
        "double/problem.toml",
        "points = 6",
        "points = 6\nhidden = true",
    );
    assert_eq!(unchanged(&room, 0), [false, true]);
}
