//! Teaching assistants who share a class: users of one group, in a folder that is the group's.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::class::{SQUARE, WRONG};
use crate::harness::*;

/// Users and a group that nobody else has. None of the users has a home.
const ADA: u32 = 61_301;
const BEN: u32 = 61_302;
const EVE: u32 = 61_303;
const STAFF: u32 = 61_300;

/// A course folder `root:STAFF 2770` with two classes, if this machine can have it.
fn course() -> Option<Room> {
    let is_root = fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    if !is_root {
        eprintln!("skipped: only root can be several users");
        return None;
    }
    if !have(&["setpriv", "mkfifo", "gcc"]) {
        return None;
    }
    let room = Room::new()
        .fixture("squares", "course/squares")
        .file("course/class/ann/square.c", SQUARE)
        .file("course/other/bob/square.c", WRONG);
    for user in [ADA, BEN, EVE] {
        let locks = room.path(&format!("locks-{user}"));
        fs::create_dir(&locks).unwrap();
        chown(&locks, Some(user), None).unwrap();
    }
    set_mode(&room.path(""), 0o755);
    chown(room.path("course"), None, Some(STAFF)).unwrap();
    set_mode(&room.path("course"), 0o2770);
    let grader = room.command_as_it_is(&["--version"]);
    let can_start = as_user(&room, ADA, "022", &grader).output();
    if !can_start.is_ok_and(|it| it.status.success()) {
        eprintln!("skipped: other users cannot start this grader");
        return None;
    }
    Some(room)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A command of one of the users, in the course.
fn as_user(room: &Room, user: u32, umask: &str, command: &Command) -> Command {
    let group = if user == EVE { EVE } else { STAFF };
    let mut other = Command::new("setpriv");
    other
        .args([format!("--reuid={user}"), format!("--regid={user}")])
        .arg(format!("--groups={group}"))
        .args([
            "sh",
            "-c",
            "umask $0; cd course 2>/dev/null; exec \"$@\"",
            umask,
        ])
        .arg(command.get_program())
        .args(command.get_args());
    let mut other = room.prepared(other);
    other
        .env("BITCRAFT_CORE_LOCKS", room.path(&format!("locks-{user}")))
        .env("HOME", "/nonexistent")
        .env_remove("XDG_CACHE_HOME");
    other
}

fn grader(room: &Room, user: u32, umask: &str, arguments: &[&str]) -> Command {
    let mut arguments = arguments.to_vec();
    if arguments[0] == "grade" && !strict() {
        arguments.extend(["--isolation", "basic"]);
    }
    as_user(room, user, umask, &room.command_as_it_is(&arguments))
}

fn run(room: &Room, user: u32, umask: &str, line: &str) -> Ran {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    Ran::of(grader(room, user, umask, &arguments).output().unwrap())
}

/// Everything below a folder, with its mode and its group.
fn below(folder: &Path) -> Vec<(String, u32, u32)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let found = fs::symlink_metadata(&path).unwrap();
        all.push((
            path.display().to_string(),
            found.mode() & 0o7777,
            found.gid(),
        ));
        if found.is_dir() {
            all.extend(below(&path));
        }
    }
    all
}

#[test]
fn two_users_of_a_group_grade_one_class_and_nobody_else_sees_it() {
    let Some(room) = course() else { return };
    let grade = "grade class -a ./squares -q";
    for (user, umask) in [(ADA, "077"), (BEN, "022"), (ADA, "022"), (BEN, "077")] {
        let ran = run(&room, user, umask, grade);
        assert_eq!(ran.status, 0, "{user}: {}", ran.stderr);
        let web = "report class -q --web https://example.org/ --feedback web";
        let ran = run(&room, user, umask, web);
        assert_eq!(ran.status, 0, "{user}: {}", ran.stderr);
        let all = below(&room.path("course/.grader"));
        assert!(
            all.iter()
                .any(|(path, ..)| path.ends_with("staff/ann.html"))
        );
        assert!(all.iter().any(|(path, ..)| path.ends_with("links.key")));
        for (path, mode, group) in all {
            assert_eq!(group, STAFF, "{path}");
            assert!([0o2770, 0o660].contains(&mode), "{path}: {mode:o}");
        }
    }
    let report = |user| run(&room, user, "022", "report class");
    let (ada, ben) = (report(ADA), report(BEN));
    assert_eq!(
        (ada.status, &ada.stdout),
        (0, &ben.stdout),
        "{}",
        ada.stderr
    );

    // The folder may be open to others: what is in it for staff is not.
    set_mode(&room.path("course"), 0o2775);
    for line in ["report class", grade] {
        let ran = run(&room, EVE, "022", line);
        let expected = "error: cannot use the ledger `.grader/ledger.db`: Permission denied";
        assert_eq!(ran.status, 2, "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{line}: {}", ran.stderr);
    }
}

#[test]
fn two_users_at_once_wait_for_each_other() {
    let Some(room) = course() else { return };
    // Who writes into a pipe waits for its reader, and has the ledger meanwhile.
    let pipe = room.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    set_mode(&pipe, 0o666);
    let line = [
        "grade",
        "class",
        "-a",
        "./squares",
        "-q",
        "--json",
        "../pipe",
    ];
    let mut ada = grader(&room, ADA, "077", &line);
    let mut ada = ada
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lock = room.path("course/.grader/ledger.db.lock");
    let holder = format!("\"pid\":{},", ada.id());
    while !fs::read_to_string(&lock).is_ok_and(|it| it.contains(&holder)) {
        assert!(ada.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let grade = "grade other -a ./squares -q";
    let ran = run(&room, BEN, "022", grade);
    let held = format!("process {} has been grading ", ada.id());
    assert!(
        ran.status == 2 && ran.stderr.contains(&held),
        "{}",
        ran.stderr
    );
    let results = fs::read(&pipe).unwrap();
    assert!(ada.wait().unwrap().success() && !results.is_empty());
    let ran = run(&room, BEN, "022", grade);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for (user, class, student) in [(ADA, "other", "bob"), (BEN, "class", "ann")] {
        let ran = run(&room, user, "022", &format!("report {class}"));
        assert!(
            ran.status == 0 && ran.stdout.contains(student),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_ledger_is_shared_only_as_its_folder_says() {
    let Some(room) = course() else { return };
    let grade = "grade class -a ./squares -q";
    let (course, own) = (room.path("course"), room.path("course/.grader"));
    let refused = |user, who: &str, path: &Path| {
        for line in [grade, "report class"] {
            let ran = run(&room, user, "022", line);
            let expected = format!(
                "`{}` belongs to another user, or others may write to it",
                path.display()
            );
            let is_refused = ran.status == 2 && ran.stderr.contains(&expected);
            assert!(is_refused, "{who}: {line}: {}", ran.stderr);
        }
    };
    assert_eq!(run(&room, ADA, "022", grade).status, 0);
    set_mode(&course, 0o2777);
    refused(ADA, "everybody may write the folder", &course);
    refused(BEN, "everybody may write the folder", &course);
    set_mode(&course, 0o770);
    refused(BEN, "no set-group-ID bit", &own);
    set_mode(&course, 0o2770);
    let ledger = own.join("ledger.db");
    set_mode(&ledger, 0o666);
    refused(BEN, "everybody may write the ledger", &ledger);
    set_mode(&ledger, 0o660);
    chown(&ledger, None, Some(EVE)).unwrap();
    refused(ADA, "the ledger is another group's", &ledger);
    chown(&ledger, None, Some(STAFF)).unwrap();
    assert_eq!(run(&room, BEN, "022", grade).status, 0);
    // Without the bit, a ledger is its user's alone, as ever.
    fs::remove_dir_all(&own).unwrap();
    set_mode(&course, 0o770);
    assert_eq!(run(&room, ADA, "022", grade).status, 0);
    assert_eq!(fs::metadata(&own).unwrap().mode() & 0o7777, 0o700);
    assert_eq!(fs::metadata(&ledger).unwrap().mode() & 0o7777, 0o600);
}

/// What a member of the group leads to files of another one is not followed.
#[test]
fn links_in_a_shared_folder_are_not_followed() {
    let Some(room) = course() else { return };
    let grade = "grade class -a ./squares -q";
    assert_eq!(run(&room, ADA, "022", grade).status, 0);
    let (own, home) = (room.path("course/.grader"), room.path("home"));
    fs::create_dir(&home).unwrap();
    fs::write(home.join("notes"), "mine").unwrap();
    for path in [&home, &home.join("notes")] {
        chown(path, Some(BEN), None).unwrap();
    }
    for (name, to, status) in [
        (".grader/ledger.db.lock", "notes", 2),
        (".grader/ledger.db", "notes", 2),
        (".grader/class-report", "", 0),
        (".grader/class-report/squares/staff", "", 0),
        (".grader", "", 2),
    ] {
        let (path, kept) = (room.path("course").join(name), room.path("course/kept"));
        fs::rename(&path, &kept).unwrap();
        symlink(home.join(to), &path).unwrap();
        let ran = run(&room, BEN, "022", grade);
        assert_eq!(ran.status, status, "{name}: {}", ran.stderr);
        assert_eq!(below(&home).len(), 1, "{name}");
        assert_eq!(fs::read_to_string(home.join("notes")).unwrap(), "mine");
        fs::remove_file(&path).unwrap();
        fs::rename(&kept, &path).unwrap();
    }
    assert!(own.is_dir());
}

#[test]
fn ledgers_of_earlier_graders_and_shards_stay_the_groups() {
    let Some(room) = course() else { return };
    let fixtures = repository().join("grader/tests/fixtures/ledgers");
    let course = room.path("course");
    let folder = course.join(".grader");
    fs::create_dir(&folder).unwrap();
    chown(&folder, Some(ADA), Some(STAFF)).unwrap();
    set_mode(&folder, 0o2770);
    for (from, to) in [("6", ".grader/ledger.db"), ("6-1", "1.db"), ("6-2", "2.db")] {
        let to = course.join(to);
        fs::copy(fixtures.join(format!("{from}.db")), &to).unwrap();
        chown(&to, Some(ADA), Some(STAFF)).unwrap();
        set_mode(&to, 0o660);
    }
    let read = |user| run(&room, user, "077", "report --run 1 --csv -");
    let before = read(BEN);
    assert_eq!(before.status, 0, "{}", before.stderr);
    for line in [
        "grade class -a ./squares -q",
        "merge 1.db 2.db -o merged.db --class class",
    ] {
        let ran = run(&room, BEN, "077", line);
        assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
    }
    for (user, file) in [
        (ADA, ".grader/ledger.db"),
        (BEN, ".grader/ledger.db.before-format-7"),
        (BEN, "merged.db"),
    ] {
        let found = fs::metadata(course.join(file)).unwrap();
        let actual = (found.uid(), found.gid(), found.mode() & 0o7777);
        assert_eq!(actual, (user, STAFF, 0o660), "{file}");
    }
    assert_eq!(read(ADA).stdout, before.stdout);
    let ran = run(&room, ADA, "077", "history --ledger merged.db");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}
