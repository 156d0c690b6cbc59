//! Students who look for what is others', in each kind of container.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::Value;

use super::*;

/// Prints the square, unless it finds something of others.
const SPY: &str = r#"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const secrets[] = { SECRETS };
static int leaks;

static void leak(const char *what) { printf("LEAK %s\n", what); leaks++; }

static int can_list(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return 0;
    closedir(folder);
    return 1;
}

int main(int count, char **arguments) {
    char path[4096], byte;
    (void)count;
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (open(secrets[i], O_RDONLY) >= 0) leak(secrets[i]);
    struct dirent *entry;
    DIR *folder = opendir("/tmp");
    while (folder && (entry = readdir(folder))) {
        snprintf(path, sizeof path, "/tmp/%s", entry->d_name);
        if (!strncmp(entry->d_name, "bitcraft-", 9) && can_list(path)) leak(path);
    }
    folder = opendir("/proc");
    while (folder && (entry = readdir(folder))) {
        int pid = atoi(entry->d_name);
        if (pid <= 0 || pid == getpid()) continue;
        static const char *const views[] = { "cwd", "root", "exe", "fd/0", "fd/3", "fd/7" };
        for (int i = 0; i < 6; i++) {
            snprintf(path, sizeof path, "/proc/%d/%s", pid, views[i]);
            if (readlink(path, &byte, 1) == 1) leak(path);
        }
        snprintf(path, sizeof path, "/proc/%d/environ", pid);
        int file = open(path, O_RDONLY);
        if (file >= 0 && read(file, &byte, 1) == 1) leak(path);
        if (file >= 0) close(file);
        snprintf(path, sizeof path, "/proc/%d/mem", pid);
        if (open(path, O_RDONLY) >= 0) leak(path);
    }
    if (ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0) leak("parent");
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (line >= 0 && connect(line, (struct sockaddr *)&to, sizeof to) == 0) leak("network");
    int n = atoi(arguments[1]);
    if (!leaks) printf("%d\n", n * n);
    return 0;
}
"#;

/// Starts a command in which Landlock does not exist.
const WITHOUT_LANDLOCK: &str = r"
import ctypes, os, struct, sys
# From 444 to 446 (landlock_create_ruleset and its siblings): ENOSYS.
code = [(0x20, 0, 0, 0), (0x35, 0, 2, 444), (0x25, 1, 0, 446), (0x06, 0, 0, 0x50026), (0x06, 0, 0, 0x7fff0000)]
filters = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *line) for line in code))
program = ctypes.create_string_buffer(struct.pack('HP', len(code), ctypes.addressof(filters)))
libc = ctypes.CDLL(None, use_errno=True)
long = ctypes.c_ulong
if libc.prctl(38, long(1), long(0), long(0), long(0)) or libc.prctl(22, long(2), program):
    sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
";

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
        let spy = SPY
            .replace("SECRETS", &secrets.join(", "))
            .replace("PORT", &service.local_addr().unwrap().port().to_string());
        let room = room
            .file("class/honest/square.c", SQUARE)
            .file("class/spy/square.c", spy)
            .file(
                "class/thief/square.c",
                format!("#include \"{}\"\n", honest.display()),
            )
            .file("without-landlock.py", WITHOUT_LANDLOCK);
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

const SPIED: [&str; 6] = ["grade", "class", "-a", "./squares", "--format", "json"];

/// Whether this machine has what the tests with spies need; prints when not.
fn may_spy() -> bool {
    // A sandbox that is whole has Landlock.
    may_forbid() && sandboxed() && have(&["gcc", "setpriv", "python3"])
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
                 closed\n";
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
    let line = "they can read and change your files, other submissions among them; the network is closed\n";
    assert_eq!((ran.status, ran.stderr), (0, format!("{OPEN}{line}")));
}
