//! Two classes never share a report: files and folders that one of them wrote, and addresses of pages.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use crate::class::{SQUARE, WRONG, squares};
use crate::harness::{Ran, Room, names, zip};

/// Two sections in folders of their own, whose classes have the same name; and another assignment.
fn room() -> Room {
    let room = squares()
        .keeping()
        .fixture("squares", "circles")
        .replace(
            "circles/assignment.toml",
            "id = \"squares\"",
            "id = \"circles\"",
        )
        .file("a/class/bob/square.c", WRONG)
        .file("a/class/dave/square.c", WRONG)
        .file("b/class/bob/square.c", SQUARE);
    for (class, assignment) in [("a/class", "./squares"), ("b/class", "./squares")] {
        let ran = room.run(&["grade", class, "-a", assignment, "-j1"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    room
}

fn run(room: &Room, line: &str) -> Ran {
    room.run(&line.split(' ').collect::<Vec<_>>())
}

/// The reports on a class, and how each is refused to another.
const REPORTS: [(&str, &str, &str); 9] = [
    ("report CLASS --csv OUT", "OUT", "file"),
    ("report CLASS --json OUT", "OUT", "file"),
    ("report CLASS --junit OUT", "OUT", "file"),
    ("report CLASS --markdown OUT", "OUT", "file"),
    ("report CLASS --html OUT.html", "OUT.html", "file"),
    ("report CLASS --html OUT", "OUT/index.html", "folder"),
    ("report CLASS -q --feedback OUT", "OUT", "folder"),
    (
        "report CLASS -q --web https://example.org/ --feedback OUT",
        "OUT",
        "folder",
    ),
    ("grade CLASS -a ./squares --csv OUT", "OUT", "file"),
];

/// Everything below a path, with its bytes.
fn bytes(room: &Room, path: &str) -> Vec<(String, Vec<u8>)> {
    let full = room.path(path);
    if full.is_dir() {
        let inner = names(&full).into_iter();
        return inner
            .flat_map(|name| bytes(room, &format!("{path}/{name}")))
            .collect();
    }
    vec![(path.to_owned(), fs::read(full).unwrap())]
}

#[test]
fn a_report_on_another_class_or_assignment_is_refused_and_nothing_is_lost() {
    let room = room();
    for (index, (line, refused, what)) in REPORTS.into_iter().enumerate() {
        let name = format!("out{index}");
        let of = |class: &str| line.replace("CLASS", class).replace("OUT", &name);
        let (path, refused) = (
            refused.split('/').next().unwrap().replace("OUT", &name),
            refused.replace("OUT", &name),
        );
        let ran = run(&room, &of("a/class"));
        assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
        let before = bytes(&room, &path);
        let ran = run(&room, &of("b/class"));
        let message = format!(
            "error: `{refused}` is of another class, assignment or course, and was not changed: name another {what}\n"
        );
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        assert!(ran.stderr.ends_with(&message), "{line}: {}", ran.stderr);
        assert!(bytes(&room, &path) == before, "{line}");
        // Its own class may.
        let ran = run(&room, &of("a/class"));
        assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
    }
    // The same class by another assignment.
    for option in [
        "--csv out0",
        "--json out1",
        "--junit out2",
        "--markdown out3",
        "--html out5",
    ] {
        let line = format!("grade a/class -a ./circles -j1 {option}");
        let ran = run(&room, &line);
        assert_eq!(ran.status, 2, "{line}");
        assert!(ran.stderr.contains("is of another class"), "{}", ran.stderr);
    }
}

#[test]
fn pages_of_students_are_kept_also_without_the_page_of_their_class() {
    let room = room();
    assert_eq!(run(&room, "report a/class --html pages").status, 0);
    for name in ["index.html", "print.html"] {
        fs::remove_file(room.path("pages").join(name)).unwrap();
    }
    let before = bytes(&room, "pages");
    let ran = run(&room, "report b/class --html pages");
    assert!(
        ran.status == 2 && ran.stderr.contains("bob.html` is of another class"),
        "{}",
        ran.stderr
    );
    assert!(bytes(&room, "pages") == before);
    // As an earlier version wrote it.
    let page = room.path("pages/staff/bob.html");
    let text = fs::read_to_string(&page).unwrap();
    let (begin, rest) = text.split_once("<meta name=\"bitcraft-class\"").unwrap();
    let (_, end) = rest.split_once(">\n").unwrap();
    fs::write(&page, format!("{begin}{end}")).unwrap();
    let ran = run(&room, "report a/class --html pages");
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `pages/staff/bob.html` does not say of which class it is, and may be of another one: remove it, or name another folder\n"
        )
    );
}

#[test]
fn one_file_is_not_named_twice_however_it_is_spelled() {
    let room = room().folder("pages");
    symlink("y", room.path("link")).unwrap();
    for (files, named) in [
        ("--csv y --junit ./y", "./y"),
        ("--csv y --json a/../y", "a/../y"),
        ("--json link --csv y", "y"),
        ("--csv - --markdown /dev/stdout", "/dev/stdout"),
        ("--csv pages/index.html --html pages", "pages"),
        (
            "--html ./pages --csv pages/students/bob.html",
            "pages/students/bob.html",
        ),
    ] {
        // They are written in another order than they are named.
        let ran = run(&room, &format!("report a/class {files}"));
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{files}");
        let message = "error: two reports would go to `";
        assert!(ran.stderr.starts_with(message), "{named}: {}", ran.stderr);
        assert!(!room.path("y").exists() && names(&room.path("pages")).is_empty());
    }
}

#[test]
fn a_zip_of_feedback_is_of_one_class() {
    let download = |source| zip(&[("Ann Lee_4711_assignsubmission_file_/square.c", source)]);
    let room = squares()
        .keeping()
        .file("one.zip", download(SQUARE))
        .file("two.zip", download(WRONG));
    for class in ["one.zip", "two.zip"] {
        assert_eq!(run(&room, &format!("grade {class} -a ./squares")).status, 0);
    }
    let write = |class: &str| {
        run(
            &room,
            &format!("report {class} -q --moodle-feedback out.zip"),
        )
    };
    assert_eq!(
        [write("one.zip"), write("one.zip")].map(|it| it.status),
        [0; 2]
    );
    let ran = write("two.zip");
    assert!(
        ran.status == 2 && ran.stderr.contains("`out.zip` is of another class"),
        "{}",
        ran.stderr
    );
}

#[test]
fn links_are_secret_and_stay_when_the_class_is_renamed() {
    let room = room();
    let write = |class: &str, out: &str| {
        let line = format!("report {class} -q --web https://example.org/ --feedback {out}");
        let ran = run(&room, &line);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let links = room.path(out).join("links.csv");
        assert_eq!(fs::metadata(&links).unwrap().mode() & 0o777, 0o600);
        fs::read_to_string(links).unwrap()
    };
    let links = write("a/class", "web");
    // A table that others could read until now.
    let readable = Permissions::from_mode(0o644);
    fs::set_permissions(room.path("web/links.csv"), readable.clone()).unwrap();
    assert_eq!(write("a/class", "web"), links);
    fs::rename(room.path("a/class"), room.path("a/week")).unwrap();
    assert_eq!(run(&room, "grade a/week -a ./squares -j1").status, 0);
    assert_eq!(write("a/week", "web"), links);
    assert_eq!(write("a/week", "elsewhere"), links);
    // A class whose folder has the same name, in the same ledger, has other pages.
    let other = "grade b/class -a ./squares -j1 --ledger a/.grader/ledger.db";
    assert_eq!(run(&room, other).status, 0);
    let others = write("b/class --ledger a/.grader/ledger.db", "others");
    let pages = |links: &str| {
        let pages = links.split("https://example.org/").skip(1);
        pages.map(|it| it[..32].to_owned()).collect::<Vec<_>>()
    };
    let known = pages(&links);
    assert!(!known.is_empty() && pages(&others).iter().all(|it| !known.contains(it)));
    assert_eq!(write("a/week --ledger a/.grader/ledger.db", "web"), links);

    let key = room.path("a/.grader/links.key");
    for mode in [0o644, 0o602] {
        fs::set_permissions(&key, Permissions::from_mode(mode)).unwrap();
        let ran = run(
            &room,
            "report a/week -q --web https://example.org/ --feedback new",
        );
        let message = "error: others may read or write `a/.grader/links.key`, and so find the page of every student: ";
        assert!(
            ran.status == 2 && ran.stderr.contains(message),
            "{}",
            ran.stderr
        );
        assert!(!room.path("new/pages").exists());
    }
}
