//! Whose a submission is, and in what encoding the names of students are: nobody gets a 0 or another name because of a table.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room, have};

/// Clones and folders of a class, each with a right program of its own.
fn class(folders: &[&str]) -> Room {
    folders.iter().fold(squares(), |room, folder| {
        let path = format!("{folder}/square.c");
        room.file(&path, format!("{SQUARE}// {folder}\n"))
    })
}

fn grade(room: &Room, class: &str, more: &[&str]) -> Ran {
    room.run(&[&["grade", class, "-a", "./squares", "--csv", "-"], more].concat())
}

/// Grades, and gives each student's id, name, total, and whether all points are known.
fn graded(room: &Room, class: &str, more: &[&str]) -> Vec<String> {
    let ran = grade(room, class, more);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let rows = ran.stdout.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[0], cells[1], cells[7], cells[8]].join("|")
    });
    rows.collect()
}

/// As [`graded`]; points may be open.
fn open(room: &Room, class: &str, more: &[&str]) -> Vec<String> {
    let ran = room.run(&[&["grade", class, "-a", "./squares", "--json", "-"], more].concat());
    let results: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let rows = results["students"].as_array().unwrap().iter().map(|it| {
        let name = it["person"]["name"].as_str().unwrap_or_default();
        let points = it["points"]
            .as_f64()
            .map_or("?".to_owned(), |it| it.to_string());
        format!("{}|{name}|{points}", it["id"].as_str().unwrap())
    });
    rows.collect()
}

const ROSTER: [&str; 2] = ["--roster", "roster.csv"];

#[test]
fn names_that_a_program_could_not_write_are_read_as_they_were_meant() {
    if !have(&["gcc"]) {
        return;
    }
    let folders = ["class/Jos#U00e9 Roca", "class/%E7%8E%8B%E8%8A%B3"];
    let room = class(&folders)
        .file("class/Jos#U00e9 Roca/lib/b#U00fccher.h", "#define ONE 1\n")
        .replace(
            "class/Jos#U00e9 Roca/square.c",
            "#include <stdio.h>",
            "#include \"bücher.h\"\n#include <stdio.h>",
        )
        .replace("class/Jos#U00e9 Roca/square.c", "n * n", "ONE * n * n")
        .file("roster.csv", "id,name\n1,José Roca\n2,王芳\n");
    let found = ["1|José Roca|10|yes", "2|王芳|10|yes"];
    assert_eq!(graded(&room, "class", &ROSTER), found);
}

#[test]
fn clones_of_users_whose_names_begin_alike_are_theirs() {
    if !have(&["gcc"]) {
        return;
    }
    let folder = "cs1-sum_submissions_2026_10_02_T_09_00_00";
    let clones = ["ada-l", "ada-k"].map(|user| format!("{folder}/cs1-sum-{user}"));
    let room = class(&clones.each_ref().map(String::as_str))
        .file(&format!("{folder}/scores.csv"), "username\nada-l\n")
        .file(
            "roster.csv",
            "username,first_name,last_name,email,section,github_id\nada-l,Ada,Lowe,ada@x.org,1,11\n\
             ada-k,Ada,Kay,kay@x.org,1,12\nzoe,Zoe,May,zoe@x.org,2,13\n",
        );
    assert_eq!(
        graded(&room, folder, &ROSTER),
        [
            "ada-k|Ada Kay|10|yes",
            "ada-l|Ada Lowe|10|yes",
            "zoe|Zoe May|0|yes"
        ]
    );
    // Git repositories in a folder of another name.
    let mut room = class(&["clones/hw1-cs101-ada", "clones/hw1-cs101-bob"]);
    for user in ["ada", "bob"] {
        room = room.file(&format!("clones/hw1-cs101-{user}/.git/HEAD"), "ref: x\n");
    }
    let room = room.file(
        "roster.csv",
        "identifier,github_username,github_id,name\n1001,@CS101-Ada,111,\n1002,https://github.com/cs101-bob/,222,\n1003,cs101-cy,333,\n",
    );
    assert_eq!(
        graded(&room, "clones", &ROSTER),
        ["1001||10|yes", "1002||10|yes", "1003||0|yes"]
    );
}

#[test]
fn as_long_as_work_has_no_owner_nobody_of_the_roster_gets_a_0_for_it() {
    if !have(&["gcc"]) {
        return;
    }
    let renamed = class(&["hw1-submissions/hw1-oldname", "hw1-submissions/hw1-ponyboy"])
        .file("hw1-submissions/hw1-oldname/.git/HEAD", "ref: x\n")
        .file("hw1-submissions/hw1-ponyboy/.git/HEAD", "ref: x\n")
        .file(
            "roster.csv",
            "identifier,github_username,name\n1001,newname,Octavia\n1002,ponyboy,Pony\n1003,zoe,Zoe\n",
        );
    assert_eq!(
        open(&renamed, "hw1-submissions", &ROSTER),
        [
            "1001|Octavia|?",
            "1002|Pony|10",
            "1003|Zoe|?",
            "oldname||10"
        ]
    );
    let worksheet = class(&[
        "class/Anna Maria Russo_8001_assignsubmission_file",
        "class/Bob Kay_8002_assignsubmission_file",
    ])
    .file(
        "roster.csv",
        "Identifier,Full name,Email address\nParticipant 5001,Anna Rossi,a@x.org\nParticipant 5002,Bob Kay,b@x.org\n",
    );
    assert_eq!(
        open(&worksheet, "class", &ROSTER),
        [
            "a|Anna Rossi|?",
            "Anna Maria Russo|Anna Maria Russo|10",
            "b|Bob Kay|10"
        ]
    );
    let (_, results) = worksheet.json(
        &[
            &["grade", "class", "-a", "./squares", "--json", "-"],
            &ROSTER[..],
        ]
        .concat(),
    );
    assert_eq!(
        results["students"][0]["problems"][0]["message"],
        "perhaps submitted under another name: `Anna Maria Russo_8001_assignsubmission_file`; correct the roster or the name, or \
         remove what is nobody's"
    );
}

#[test]
fn a_table_keeps_the_names_of_its_encoding_or_is_refused() {
    if !have(&["gcc"]) {
        return;
    }
    let room = class(&["class/1001", "class/1002"]);
    for (name, bytes, rows) in [
        (
            "Windows-1252",
            &b"id;name\r\n1001;Andr\xe9a L\xf3pez\r\n1002;J\xfcrgen M\xfcller\r\n"[..],
            ["1001|Andréa López|10|yes", "1002|Jürgen Müller|10|yes"],
        ),
        (
            "GBK",
            b"\xd1\xa7\xba\xc5,\xd0\xd5\xc3\xfb\n1001,\xd6\xec\xe9F\xbb\xf9\n1002,\xcd\xf5\xd0\xa1\xc3\xf7\n",
            ["1001|朱镕基|10|yes", "1002|王小明|10|yes"],
        ),
    ] {
        let room = class(&["class/1001", "class/1002"]).file("roster.csv", bytes);
        assert_eq!(graded(&room, "class", &ROSTER), rows);
        let said = format!("`roster.csv` is not in UTF-8 and was read as {name}: check the names\n");
        let ran = grade(&room, "class", &ROSTER);
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    }
    // Windows-1250, and an old Mac.
    for bytes in [
        &b"id,name\n1001,B\xb3a\xbfej\n"[..],
        b"id,name\n1001,J\x9arg\n",
    ] {
        let room = class(&["class/1001"]).file("roster.csv", bytes);
        let ran = grade(&room, "class", &ROSTER);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (
                2,
                "error: roster `roster.csv`: the table is not in UTF-8, and its encoding is not certain: open it in a spreadsheet program, \
                 check the names, and save it as CSV UTF-8\n"
            )
        );
    }
    drop(room);
}

#[test]
fn a_western_gradebook_comes_back_with_its_names() {
    if !have(&["gcc"]) {
        return;
    }
    let book =
        b"Student,ID,SIS User ID,SIS Login ID,Section,Squares (7)\n    Points Possible,,,,,10\n\
        \"M\xfcller, Ann\",77,,1001,S\xfcd,\n\"J\xf6rg, Bob\",78,,1002,S\xfcd,\n";
    let room = class(&["class/1001", "class/1002"])
        .keeping()
        .file("book.csv", book);
    assert_eq!(room.run(&["grade", "class", "-a", "./squares"]).status, 0);
    let ran = room.run(&["gradebook", "book.csv", "class", "--no-bonus", "-o", "-"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            0,
            "Student,ID,SIS User ID,SIS Login ID,Section,Squares (7)\n    Points Possible,,,,,10\n\
             \"Müller, Ann\",77,,1001,Süd,10\n\"Jörg, Bob\",78,,1002,Süd,10\n"
        ),
        "{}",
        ran.stderr
    );
    let said = "the gradebook is not in UTF-8 and was read as Windows-1252: check the names\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn sources_of_western_editors_print_what_they_say() {
    if !have(&["python3", "gcc"]) {
        return;
    }
    let room = Room::new()
        .file("week/assignment.toml", "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"say\"\npoints = 10\n")
        .file(
            "week/say/problem.toml",
            "format = 1\nid = \"say\"\ntitle = \"Say\"\n[submission]\nfiles = [\"say.*\"]\n[checker.tokens]\n[[subtask]]\nname = \"all\"\n\
             points = 10\ncase = [{ name = \"a\", stdin = \"1\", answer = \"für Añadir\\n\" }]\n",
        )
        .file("class/c/say.c", b"#include <stdio.h>\nint main(void) { puts(\"f\xfcr A\xf1adir\"); }\n")
        .file("class/py/say.py", b"print(\"f\xfcr A\xf1adir\")\n")
        .file("class/u8/say.py", "print(\"für Añadir\")\n");
    let (_, results) = room.json(&["grade", "class", "-a", "./week", "--json", "-"]);
    let points: Vec<_> = results["students"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["points"].as_i64())
        .collect();
    assert_eq!(points, [Some(0), Some(10), Some(10)]);
    let hint = &results["students"][0]["problems"][0]["subtasks"][0]["cases"][0]["hints"][1];
    assert_eq!(
        hint,
        "`say.c` is not saved in UTF-8 but in Windows-1252, so the program prints letters that are not UTF-8: save it in UTF-8."
    );
}

#[test]
fn a_link_in_a_students_folder_is_left_open() {
    if !have(&["gcc"]) {
        return;
    }
    let room = class(&["class/ada", "class/own/real"])
        .folder("class/bob")
        .folder("class/dan")
        .folder("class/eve");
    let link = |to: &str, from: &str| symlink(to, room.path(from)).unwrap();
    fs::rename(
        room.path("class/own/real/square.c"),
        room.path("class/own/real/program.c"),
    )
    .unwrap();
    link("real/program.c", "class/own/square.c");
    link("../ada/square.c", "class/bob/square.c");
    link("../ada", "class/dan/work");
    // A program beside a link is judged.
    fs::copy(
        room.path("class/ada/square.c"),
        room.path("class/eve/square.c"),
    )
    .unwrap();
    link("/usr/include", "class/eve/include");
    assert_eq!(
        open(&room, "class", &[]),
        ["ada||10", "bob||?", "dan||?", "eve||10", "own||?"]
    );
}

#[test]
fn names_keep_the_joiners_that_their_letters_need() {
    if !have(&["gcc"]) {
        return;
    }
    let (name, emoji) = ("علی\u{200c}رضا", "👩\u{200d}💻");
    let room = class(&["class/1001", "class/ක්\u{200d}රි"]).file(
        "roster.csv",
        format!("id,name\n1001,{name} {emoji}\nක්\u{200d}රි,A\u{200d}da\n"),
    );
    assert_eq!(
        graded(&room, "class", &ROSTER),
        [
            format!("1001|{name} {emoji}|10|yes"),
            "ක්\u{200d}රි|A\\u{200d}da|10|yes".to_owned()
        ]
    );
    let ran = room.run(
        &[
            &["grade", "class", "-a", "./squares", "--html", "pages"],
            &ROSTER[..],
        ]
        .concat(),
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // A terminal shows them.
    assert!(ran.stdout.contains("علی\\u{200c}رضا"), "{}", ran.stdout);
    let page = fs::read_to_string(room.path("pages/staff/1001.html")).unwrap();
    assert!(page.contains(&format!("<h1>1001 ({name} {emoji})</h1>")));
}

#[test]
fn tables_of_spreadsheets_and_of_systems_are_read_or_say_what_to_do() {
    if !have(&["gcc"]) {
        return;
    }
    let room = class(&["class/Team 1"]).file(
        "roster.csv",
        "id,name,github\n123,John Doe,ghjohn\n124,Jane Roe,ghjane\n144,Ford Fox,ghford\n",
    );
    for groups in [
        "Group Name,Member Identifier,Member Github Username,Member Github ID,Member Name\nTeam 1,123,ghjohn,1,John Doe\n\
         Team 1,124,ghjane,2,Jane Roe\n",
        "sep=;\r\n\"First name\";\"Last name\";Groups\r\nJohn;Doe;\"Team 1\"\r\nJane;Roe;\"Team 1\"\r\nFord;Fox;\"No groups\"\r\n",
    ] {
        let path = room.path("groups.csv");
        fs::write(path, groups).unwrap();
        assert_eq!(
            graded(&room, "class", &ROSTER),
            [
                "123|John Doe|10|yes",
                "124|Jane Roe|10|yes",
                "144|Ford Fox|0|yes"
            ]
        );
    }
    for (roster, message) in [
        (
            &b"PK\x03\x04\x14\0"[..],
            "this is an Excel workbook: save it as CSV UTF-8",
        ),
        (
            b"Course: CS1\nExported 2026-10-01\n\nid,name\n123,John Doe\n",
            "line 4: these are the headings of the columns: delete the lines above them",
        ),
    ] {
        fs::write(room.path("roster.csv"), roster).unwrap();
        let ran = grade(&room, "class", &ROSTER);
        assert_eq!(
            (ran.status, ran.stderr),
            (2, format!("error: roster `roster.csv`: {message}\n"))
        );
    }
    // A name is nobody's id, if two have it.
    let room = class(&["class/Team 7"])
        .file("roster.csv", "id,name\nann,Ann\nann2,Ann\n")
        .file("groups.csv", "team,name\nTeam 7,Ann\n");
    let ran = grade(&room, "class", &ROSTER);
    let path = fs::canonicalize(room.path("groups.csv")).unwrap();
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .ends_with("groups.csv`: line 2: `Ann` fits several lines of the roster\n"),
        "{} {}",
        path.display(),
        ran.stderr
    );
}

#[test]
fn corrections_find_students_by_the_headings_of_a_roster() {
    if !have(&["gcc"]) {
        return;
    }
    let room = class(&["class/u01", "class/u02"])
        .keeping()
        // A name is elsewhere, so the student is the id.
        .file(
            "roster.csv",
            "student,name,email\nu01,Ada,a@x.org\nu02,王小明,b@x.org\n",
        );
    assert_eq!(
        graded(&room, "class", &ROSTER),
        ["u01|Ada|10|yes", "u02|王小明|10|yes"]
    );
    for (points, table) in [
        (1, &b"student,name,points\nu01,Ada,1\n"[..]),
        (2, b"name,id,points\nL. Ada,u01,2\n"),
        (3, b"E-mail;points\na@x.org;3\n"),
        // In GBK.
        (
            4,
            b"\xd0\xd5\xc3\xfb,\xd1\xa7\xba\xc5,points,comment\nAda,u01,4,\xba\xdc\xba\xc3\n",
        ),
    ] {
        fs::write(room.path("points.csv"), table).unwrap();
        let ran = room.run(&[
            "correct",
            "--from",
            "points.csv",
            "--problem",
            "square",
            "--replace",
        ]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let ran = room.run(&["report", "class", "--csv", "-"]);
        let row = ran.stdout.lines().nth(1).unwrap();
        assert!(
            row.starts_with(&format!("u01,Ada,a@x.org,{points},")),
            "{row}"
        );
    }
    // A row that says two people is nobody's.
    let table =
        "id,name,email,points\nu01,王小明,,5\nu01,Eve,,5\nu01,,B@x.org,5\nu01,Ada,new@x.org,5\n";
    fs::write(room.path("points.csv"), table).unwrap();
    let ran = room.run(&["correct", "--from", "points.csv", "--problem", "square"]);
    let mistake = |line: u64, other: &str| {
        format!(
            "points.csv:{line}: `u01` (Ada) and `{other}` are not the same student: correct one of them, or leave the second \
             empty\n"
        )
    };
    let mistakes =
        [(2, "王小明"), (3, "Eve"), (4, "B@x.org")].map(|(line, other)| mistake(line, other));
    assert_eq!(
        (ran.status, ran.stderr),
        (2, format!("error: {}", mistakes.concat()))
    );
}

/// The ledger once made a compressor of 268 kB for each name, and two thousand took 324 MB.
#[test]
fn a_long_roster_beside_one_submission_takes_little_memory() {
    if !have(&["gcc"]) {
        return;
    }
    let names = (0..2000).map(|number| format!("s{number:05},Name {number}\n"));
    let roster = "id,name\n".to_owned() + &names.collect::<String>();
    let room = squares()
        .keeping()
        .file("class/s00001/square.c", SQUARE)
        .file("roster.csv", roster);
    let line = "grade class -a ./squares --roster roster.csv -q";
    let mut grader = room.command(&line.split(' ').collect::<Vec<_>>());
    let mut grader = grader.stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", grader.id());
    let mut peak = 0;
    while grader.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        // It only grows. A process that has ended has none.
        peak = number.map_or(peak, |number| number.parse::<u64>().unwrap());
        std::thread::yield_now();
    }
    assert!(grader.wait().unwrap().success());
    assert!((1..150_000).contains(&peak), "{peak} KiB");
}
