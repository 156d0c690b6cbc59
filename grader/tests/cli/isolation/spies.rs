//! Students who look for what is others', in each kind of container.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;

use super::*;

/// A class with an honest student, one who looks for what is others', and one who submits somebody else's work by its
/// path.
struct Spies {
    room: Room,
    /// Somebody listens.
    _service: TcpListener,
}

impl Spies {
    fn new() -> Self {
        let room = squares().keeping();
        let service = TcpListener::bind("127.0.0.1:0").unwrap();
        let honest = room.path("class/honest/square.c");
        let secrets = [
            honest.clone(),
            room.path("class"),
            room.path("squares/square/problem.toml"),
            room.path("class/.grader/ledger.db"),
            room.path(".grader/ledger.db"),
        ];
        let secrets: Vec<String> = secrets
            .iter()
            .map(|it| format!("\"{}\"", it.display()))
            .collect();
        let spy = include_str!("../../fixtures/spies/spy.c")
            .replace("SECRETS", &secrets.join(", "))
            .replace("PORT", &service.local_addr().unwrap().port().to_string());
        let room = room
            .file("class/honest/square.c", SQUARE)
            .file("class/spy/square.c", spy)
            .file(
                "class/thief/square.c",
                format!("#include \"{}\"\n", honest.display()),
            )
            .fixture("spies", ".");
        Self {
            room,
            _service: service,
        }
    }

    /// Checks that nobody found anything, and what is printed about the isolation.
    fn found_nothing(ran: &Ran, stderr: &str) {
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (0, stderr),
            "{}",
            ran.stdout
        );
        let results: Value = serde_json::from_str(&ran.stdout).unwrap();
        let points: Vec<(&str, f64)> = results["students"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["id"].as_str().unwrap(), it["points"].as_f64().unwrap()))
            .collect();
        assert_eq!(
            points,
            [("honest", 10.0), ("spy", 10.0), ("thief", 0.0)],
            "{results:#}"
        );
    }

    /// Makes everything an ordinary user's.
    fn give(&self) {
        let folders = [self.room.path(""), self.room.cache().to_owned()];
        let mut command = Command::new("chown");
        command.args(["-R", "1000:1000"]).args(folders);
        assert!(command.status().unwrap().success());
    }
}

const SPIED: [&str; 7] = [
    "grade",
    "class",
    "-a",
    "./squares",
    "--json",
    "-",
    "--no-pages",
];

/// Whether this machine has what the tests with spies need; prints when not.
fn may_spy() -> bool {
    // A sandbox that is whole has Landlock.
    may_forbid() && strict() && have(&["gcc", "setpriv", "python3"])
}

#[test]
fn the_spy_finds_what_is_open() {
    if !have(&["gcc"]) {
        return;
    }
    let spies = Spies::new();
    let program = spies.room.path("spy");
    let source = spies.room.path("class/spy/square.c");
    let built = Command::new("gcc")
        .arg("-o")
        .args([&program, &source])
        .status();
    assert!(built.unwrap().success());
    // What it would see of the grader, it sees of us.
    let ran = Command::new(&program).arg("3").output().unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let us = std::process::id();
    for leak in [
        "class/honest/square.c\n".to_owned(),
        "squares/square/problem.toml\n".to_owned(),
        format!("/proc/{us}/cwd\n"),
        format!("/proc/{us}/environ\n"),
        "LEAK network\n".to_owned(),
    ] {
        assert!(printed.contains(&leak), "{leak}{printed}");
    }
}

/// Grades a class on some kind of machine.
type Grade<'a> = &'a dyn Fn(&Room) -> Ran;

#[test]
fn a_spy_finds_nothing_however_little_this_machine_has() {
    if !may_spy() {
        return;
    }
    let other = "they run as another user, who can read world-readable files (check the class folder); the network is \
                 blocked\n";
    // Root's files are closed by their permissions alone.
    let without_landlock = format!("{DOCKER} env LC_ALL=C python3 without-landlock.py");
    let rows: [(Grade<'_>, bool, &str); 5] = [
        (&|room| room.run_as_it_is(&SPIED), false, ""),
        (&|room| as_the_only_user(room, &SPIED), false, CLOSED),
        (&|room| as_root_by(room, USER, &SPIED), true, CLOSED),
        (&|room| as_root_by(room, DOCKER, &SPIED), false, CLOSED),
        (
            &|room| as_root_by(room, &without_landlock, &SPIED),
            false,
            other,
        ),
    ];
    for (grade, is_users, line) in rows {
        let spies = Spies::new();
        if is_users {
            spies.give();
        } else {
            let private = fs::Permissions::from_mode(0o700);
            fs::set_permissions(spies.room.path(""), private).unwrap();
        }
        let open = if line.is_empty() { "" } else { OPEN };
        Spies::found_nothing(&grade(&spies.room), &format!("{open}{line}"));
    }
}

#[test]
fn if_nothing_closes_files_the_line_says_so() {
    if !may_spy() {
        return;
    }
    let spies = Spies::new();
    spies.give();
    // Its interpreter may be in the home of root.
    let by = format!("env LC_ALL=C python3 without-landlock.py {USER}");
    let ran = as_root_by(&spies.room, &by, &SPIED);
    let line = "they can read and change your files, other submissions among them; the network is blocked\n";
    assert_eq!((ran.status, ran.stderr), (0, format!("{OPEN}{line}")));
}
