//! How students lay out their files: whole projects, as an IDE keeps them and a student zips them.
//!
//! `tests/fixtures/layouts` has a folder for each task: the assignment, `layouts.txt`, and `parts`, the texts of the files. A line of
//! `layouts.txt` is a path and, after `<`, a part, a package to put at its top, and what an editor does to it (`mark`, `crlf`). A file
//! without a part is empty. A folder whose name ends in `.zip` is an archive. What a layout earns is in `expected.txt`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::{Ran, Room, have, repository, student};

/// Files by their paths.
type Files = BTreeMap<String, Vec<u8>>;

/// The layouts of a task: a name, and what the student submits.
fn layouts(task: &Path) -> Vec<(String, Files)> {
    let text = fs::read_to_string(task.join("layouts.txt")).unwrap();
    let sections = text.split("== ").skip(1);
    let layout = |section: &str| {
        let (name, lines) = section.split_once('\n').unwrap();
        let lines = lines.lines().filter(|line| !line.is_empty());
        let files = lines.map(|line| file(task, line)).collect();
        (name.to_owned(), files)
    };
    sections.map(layout).collect()
}

/// The file of a line: `src/Node.java < node edu.ds crlf`.
fn file(task: &Path, line: &str) -> (String, Vec<u8>) {
    let Some((path, content)) = line.split_once(" < ") else {
        return (line.to_owned(), Vec::new());
    };
    let mut words = content.split(' ');
    let part = task.join("parts").join(words.next().unwrap());
    let mut text = fs::read_to_string(part).unwrap();
    let mut package = String::new();
    let (mut has_mark, mut has_crlf) = (false, false);
    for word in words {
        match word {
            "mark" => has_mark = true,
            "crlf" => has_crlf = true,
            name => package = format!("package {name};\n\n"),
        }
    }
    text = text.replace("{package}", &package);
    if has_crlf {
        text = text.replace('\n', "\r\n");
    }
    if has_mark {
        text.insert(0, '\u{feff}');
    }
    (path.to_owned(), text.into_bytes())
}

/// Packs the folders that are archives, the inner ones first.
fn packed(files: Files) -> Files {
    let (mut plain, mut archives) = (Files::new(), BTreeMap::<String, Files>::new());
    for (path, bytes) in files {
        match path.split_once(".zip/") {
            Some((archive, inner)) => {
                let archive = archives.entry(format!("{archive}.zip")).or_default();
                archive.insert(inner.to_owned(), bytes);
            }
            None => drop(plain.insert(path, bytes)),
        }
    }
    for (path, files) in archives {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in packed(files) {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(&bytes).unwrap();
        }
        plain.insert(path, zip.finish().unwrap().into_inner());
    }
    plain
}

/// What a student earned for a problem, and why, in a line; and for which files.
fn outcome(problem: &Value) -> String {
    let message = problem["message"].as_str().unwrap_or_default();
    let (points, verdict) = (&problem["points"], problem["verdict"].as_str().unwrap());
    let files = problem["files"].as_array().unwrap();
    let files: Vec<&str> = files.iter().map(|it| it.as_str().unwrap()).collect();
    let line = match points.as_f64() {
        None => format!("not scored yet: {message}"),
        Some(10.0) => "all points".to_owned(),
        Some(points) => format!("{points} {verdict} {message}"),
    };
    format!("{}\n  of {}", line.trim_end(), files.join(", "))
}

#[test]
fn projects_are_taken_as_students_hand_them_in() {
    let folder = repository().join("grader/tests/fixtures/layouts");
    for (task, tools) in [
        ("bank", &["python3"][..]),
        ("lab", &["gcc", "javac", "python3", "node"]),
        ("list", &["gcc"]),
        ("shop", &["javac"]),
        ("sim", &["g++"]),
        ("tree", &["javac"]),
        ("words", &["python3"]),
    ] {
        if !have(tools) {
            continue;
        }
        let task = folder.join(task);
        let layouts = layouts(&task);
        let mut room = Room::new();
        for (at, (_, files)) in layouts.iter().enumerate() {
            for (path, bytes) in packed(files.clone()) {
                room = room.file(&format!("class/s{at:02}/{path}"), bytes);
            }
        }
        let assignment = task.to_str().unwrap();
        let (_, results) = room.json(&["grade", "class", "-a", assignment, "--json", "-"]);
        let mut shown = String::new();
        for (at, (name, _)) in layouts.iter().enumerate() {
            let student = student(&results, &format!("s{at:02}"));
            let problems = student["problems"].as_array().unwrap().iter();
            let outcomes: Vec<String> = problems.map(outcome).collect();
            writeln!(shown, "== {name}\n{}\n", outcomes.join("\n")).unwrap();
        }
        let expected = task.join("expected.txt");
        if std::env::var_os("BITCRAFT_BLESS").is_some() {
            fs::write(expected, shown).unwrap();
        } else {
            assert_eq!(shown, fs::read_to_string(expected).unwrap());
        }
    }
}

/// Ann's project is clear, Bob's is not, and Cy submitted nothing.
fn simulations() -> Room {
    let task = repository().join("grader/tests/fixtures/layouts/sim");
    let part = |name: &str| fs::read(task.join("parts").join(name)).unwrap();
    Room::new()
        .fixture("layouts/sim", "sim")
        .file("class/ann/src/main.cpp", part("main"))
        .file("class/ann/src/grid.cpp", part("grid.cpp"))
        .file("class/ann/src/grid.h", part("grid.h"))
        .file("class/ann/tests/test_grid.cpp", part("test"))
        .file("class/ann/report.pdf", "")
        .file("class/bob/a.cpp", part("main"))
        .file("class/bob/b.cpp", part("old"))
        .folder("class/cy")
}

#[test]
fn a_dry_run_shows_what_would_be_judged_and_runs_nothing() {
    let room = simulations().keeping();
    let ran = room.run(&["grade", "class", "-a", "./sim", "--dry-run"]);
    assert_eq!(
        (ran.status, &*ran.stdout),
        (
            0,
            "\
ann
  sim: src/grid.cpp, src/grid.h, src/main.cpp
  - report.pdf: a document
  - tests/test_grid.cpp: not used: a test
bob
  sim: not scored yet: `a.cpp` could be the program, and so could `b.cpp`: keep one of them, or
       choose it with `grader correct --file`
  - a.cpp: `a.cpp` matches no problem; expected a name like `sim.cpp`
  - b.cpp: `b.cpp` matches no problem; expected a name like `sim.cpp`
cy
  sim: nothing submitted
"
        )
    );
    assert_eq!(ran.stderr, "3 students; nothing was judged (`--dry-run`)\n");
    assert!(!room.path(".grader").exists());
    let of_bob = [
        "grade",
        "class",
        "-a",
        "./sim",
        "--dry-run",
        "--student",
        "bob",
        "--lang",
        "zh",
    ];
    let ran = room.run(&of_bob);
    assert_eq!(
        ran.stdout,
        "\
bob
  sim: 暂未评分：`a.cpp` 可能是要评测的程序，`b.cpp` 也可能是：请只保留一个，或用 `grader correct
       --file` 指定
  - a.cpp: `a.cpp` 与任何题目都不对应；文件名应类似 `sim.cpp`
  - b.cpp: `b.cpp` 与任何题目都不对应；文件名应类似 `sim.cpp`
"
    );
    let ran = room.run(&["grade", "class", "-a", "./sim", "--dry-run", "--json", "-"]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
}

#[test]
fn a_dry_run_wraps_long_lists_beside_their_problem() {
    let room = simulations();
    let mut main = fs::read_to_string(room.path("class/ann/src/main.cpp")).unwrap();
    let room = (10..18).fold(room, |room, part| {
        main = format!("#include \"part {part}.h\"\n{main}");
        room.file(&format!("class/ann/src/part {part}.h"), "")
    });
    let room = room.file("class/ann/src/main.cpp", main);
    let long = "class/ann/a report of mine about the grid and what it does in every step of the simulation.docx";
    let room = room.file(long, "");
    let only = ["--dry-run", "--student", "ann"];
    let ran = room.run(&[&["grade", "class", "-a", "./sim"][..], &only].concat());
    assert_eq!(
        ran.stdout,
        "\
ann
  sim: src/grid.cpp, src/grid.h, src/main.cpp, src/part 10.h, src/part 11.h, src/part 12.h,
       src/part 13.h, src/part 14.h, src/part 15.h, src/part 16.h, src/part 17.h
  - a report of mine about the grid and what it does in every step of the simulation.docx: a
    document
  - report.pdf: a document
  - tests/test_grid.cpp: not used: a test
"
    );
}

#[test]
fn a_student_who_tests_a_folder_sees_what_is_left_out() {
    if !have(&["g++"]) {
        return;
    }
    let room = simulations();
    let ran = room.run(&["test", "class/ann", "-a", "./sim"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let said: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(
        said,
        [
            "`class/ann/report.pdf`: a document",
            "`class/ann/tests/test_grid.cpp`: not used: a test",
        ]
    );
    let ran = room.run(&["test", "class/bob", "-a", "./sim"]);
    assert_eq!(
        (ran.status, &*ran.stderr),
        (
            2,
            "error: `class/bob/a.cpp` could be the program, and so could `class/bob/b.cpp`: keep one of them, or choose it with `grader correct --file`\n"
        )
    );
}

#[test]
fn the_files_that_it_needs_go_along_with_the_program_that_staff_choose() {
    if !have(&["g++"]) {
        return;
    }
    let part = |name: &str| {
        let parts = repository().join("grader/tests/fixtures/layouts/sim/parts");
        fs::read(parts.join(name)).unwrap()
    };
    let room = simulations()
        .keeping()
        .file("class/bob/grid.cpp", part("grid.cpp"))
        .file("class/bob/grid.h", part("grid.h"));
    let grade = ["grade", "class", "-a", "./sim", "--json", "-"];
    let outcome_of_bob = |room: &Room| {
        let (status, results) = room.json(&grade);
        (status, outcome(&student(&results, "bob")["problems"][0]))
    };
    let open = "not scored yet: `a.cpp` could be the program, and so could `b.cpp`: keep one of them, or choose it with \
                `grader correct --file`\n  of ";
    assert_eq!(outcome_of_bob(&room), (3, open.to_owned()));
    let choose = ["correct", "class", "--student", "bob", "--problem", "sim"];
    let chosen = room.run(&[&choose[..], &["--file", "a.cpp"]].concat());
    assert_eq!(chosen.status, 0, "{}", chosen.stderr);
    let all = "all points\n  of a.cpp, grid.cpp, grid.h";
    assert_eq!(outcome_of_bob(&room), (0, all.to_owned()));
}

#[test]
fn a_file_that_is_tested_takes_along_what_it_needs_and_no_more() {
    if !have(&["g++"]) {
        return;
    }
    let parts = repository().join("grader/tests/fixtures/layouts/sim/parts");
    let part = |name: &str| fs::read(parts.join(name)).unwrap();
    let whole = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * n; }\n";
    let mut room = simulations()
        .file("hw/src/sim.cpp", "#include \"../lib/grid.h\"\n#include <iostream>\nint main() { int n; std::cin >> n; std::cout << area(n); }\n")
        .file("hw/lib/grid.cpp", part("grid.cpp"))
        .file("hw/lib/grid.h", part("grid.h"))
        .file("exercises/a.cpp", whole)
        .file("exercises/b.cpp", part("main"))
        .file("exercises/grid.cpp", part("grid.cpp"))
        .file("home/sim.cpp", part("main"))
        .file("home/whole.cpp", whole);
    for number in 0..1000 {
        room = room.file(&format!("home/{number}.txt"), "");
    }
    let table = [
        (
            "class/ann/src/main.cpp",
            0,
            "`class/ann/src/main.cpp` goes with `class/ann/src/grid.cpp`, `class/ann/src/grid.h`\n",
        ),
        (
            "hw/src/sim.cpp",
            0,
            "`hw/src/sim.cpp` goes with `hw/lib/grid.cpp`, `hw/lib/grid.h`\n",
        ),
        ("exercises/a.cpp", 0, ""),
        // Too much lies around it.
        ("home/whole.cpp", 0, ""),
        ("home/sim.cpp", 1, ""),
    ];
    for (file, status, said) in table {
        let ran = room.run(&["test", file, "-a", "./sim"]);
        assert_eq!((ran.status, &*ran.stderr), (status, said), "{file}");
    }
    let file = ["test", "../src/sim.cpp", "-a", "../../sim"];
    let mut command = room.command(&file);
    let output = command.current_dir(room.path("hw/lib")).output().unwrap();
    let ran = Ran::of(output);
    let said = "`../src/sim.cpp` goes with `../lib/grid.cpp`, `../lib/grid.h`\n";
    assert_eq!((ran.status, &*ran.stderr), (0, said));
}
