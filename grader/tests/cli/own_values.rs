//! Values that each student has of their own.

use std::fs;

use serde_json::Value;

use crate::harness::{Room, have};

const PROBLEM: &str = "format = 1
id = \"p\"
title = \"P\"
[submission]
files = [\"p.*\"]
[student]
key = \"SECRET\"
variables = { n = \"0..=1000000\" }
[run]
generate = \"gen.py {student.n} {size}\"
[limits]
time = { reference = 1000, slowest = true }
[reference]
path = \"right.py\"
[checker.tokens]
[search]
cases = { size = \"1..=2\" }
kit = true
[[subtask]]
name = \"all\"
points = 10
cases = { size = 1 }
";
const RIGHT: &str = "print(sum(map(int, input().split())))\n";

/// The value of Ada, of Bob and of the team.
const VALUES: [&str; 3] = ["474072", "458427", "945115"];

fn room() -> Room {
    Room::new()
        .keeping()
        .file(
            "asg/assignment.toml",
            "format = 1\nid = \"asg\"\ntitle = \"A\"\n[[problem]]\npath = \"p\"\npoints = 10\n",
        )
        .file("asg/p/problem.toml", PROBLEM)
        .file(
            "asg/p/gen.py",
            "import sys\nprint(sys.argv[1], sys.argv[2])\n",
        )
        .file("asg/p/right.py", RIGHT)
        .file("asg/p/submissions/accepted/p.py", RIGHT)
        .file("asg/p/statement.md", "Add {{student.n}} and {{student}}.\n")
}

/// A program that knows one value, and is wrong for any other.
fn only(value: &str) -> String {
    format!("n, k = map(int, input().split())\nprint(n + k if n == {value} else -1)\n")
}

/// The points of all students by `--json -`, and why they are open.
fn points(room: &Room, line: &str) -> Vec<String> {
    let ran = room.run(&line.split(' ').collect::<Vec<_>>());
    let results: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let students = results["students"].as_array().unwrap().iter();
    let shown = students.map(|it| {
        let message = it["problems"][0]["message"].as_str().unwrap_or_default();
        format!("{} {} {message}", it["id"].as_str().unwrap(), it["points"])
    });
    shown.map(|it| it.trim().to_owned()).collect()
}

#[test]
fn everybody_is_judged_with_their_own_values_or_not_at_all() {
    if !have(&["python3"]) {
        return;
    }
    let [ada, bob, team] = VALUES;
    let room = room()
        .file("class/ada/p.py", only(ada))
        .file("class/Bob/p.py", only(bob))
        .file("class/cy/p.py", only(ada))
        .file("teams/Team 7/p.py", only(team))
        .file("teams.csv", "id,team\nada,Team 7\nbob,Team 7\n");
    let grade = "grade class -a ./asg --json - --quiet";
    let all = ["ada 10", "Bob 10", "cy 0"];
    let shown = room.run(&["grade", "class", "-a", "./asg", "--dry-run"]);
    let values = format!("\n  p: student = 1dbf542d9eeb02c1, student.n = {ada}\n");
    assert!(shown.stdout.contains(&values), "{}", shown.stdout);
    assert_eq!(points(&room, grade), all);
    // The same on a machine that has no ledger.
    assert_eq!(points(&room, &format!("{grade} --no-ledger")), all);
    // A team has one task.
    let teams = "grade teams -a ./asg --groups teams.csv --json - --quiet";
    assert_eq!(points(&room, teams), ["ada 10", "bob 10"]);
    let replayed = room.run(&["replay", "class", "-a", "./asg"]);
    assert!(
        replayed.stdout.contains("No result changed"),
        "{}",
        replayed.stdout
    );
    // A search tries inputs with the student's own value.
    let audited = room.run(&["audit", "class", "-a", "./asg", "--time", "600"]);
    assert!(
        audited
            .stdout
            .contains("0 of 2 accepted programs found wrong"),
        "{}",
        audited.stdout
    );
    let written = room.run(&["report", "class", "--html", "pages"]);
    assert_eq!(written.status, 0, "{}", written.stderr);
    let page = fs::read_to_string(room.path("pages/students/ada.html")).unwrap();
    assert!(page.contains("Add n and student."), "{page}");
    // So does one for an input on which a program fails.
    let why = "grade class -a ./asg --json - --quiet --student cy --why --time 600";
    let explained = room.run(&why.split(' ').collect::<Vec<_>>());
    let results: Value = serde_json::from_str(&explained.stdout).unwrap();
    let found = &results["students"][0]["problems"][0]["counterexample"];
    assert_eq!(found["input"]["text"], "859265 2", "{results}");
    // One student's work.
    let one = "grade class/ada -a ./asg --layout one --json - --quiet";
    assert_eq!(points(&room, &format!("{one} --student ADA")), ["ADA 10"]);
    assert_eq!(points(&room, &format!("{one} --student bob")), ["bob 0"]);
    assert_eq!(
        points(&room, one),
        [
            "submission null each student has other values here, and it is not known who submitted this: name the student with `--student`"
        ]
    );
    // With another key, everybody has other values.
    let room = room.replace("asg/p/problem.toml", "SECRET", "OTHER");
    assert_eq!(points(&room, grade), ["ada 0", "Bob 0", "cy 0"]);
}

#[test]
fn whose_values_count_must_be_certain() {
    let metadata = |users: &str| {
        let room = room().file("gs/submission/p.py", RIGHT);
        room.file(
            "gs/submission_metadata.json",
            format!("{{\"id\": 7, \"users\": [{users}]}}"),
        )
    };
    let line = "grade gs/submission -a ./asg --layout one --json - --quiet";
    let one = "{\"name\": \"Ada L\"}";
    assert_eq!(points(&metadata(one), line), ["Ada L 10"]);
    let two = "{\"name\": \"Ada L\"}, {\"name\": \"Bob\"}";
    // With tables, ids are the roster's, and who is only in a table is not in the report.
    for (users, options, values) in [
        (
            one,
            "--roster roster.csv",
            "student = ad9009f4ccf1caec, student.n = 939892",
        ),
        (
            two,
            "--roster roster.csv --groups groups.csv",
            "student = 8daa2c1db30966ce, student.n = 945115",
        ),
    ] {
        let room = metadata(users)
            .file("roster.csv", "id,name\n7,Ada L\n8,Bob\n")
            .file("groups.csv", "id,team\n7,Team 7\n8,Team 7\n");
        let shown = format!("grade gs/submission -a ./asg --layout one --dry-run {options}");
        let shown = room.run(&shown.split(' ').collect::<Vec<_>>()).stdout;
        let expected = format!("7\n  p: p.py\n  p: {values}\n");
        assert_eq!(shown, expected);
    }
    let why = "each team has other values here, and it is not certain which team this is: a table of teams (`--groups`) has to have all members in one";
    assert_eq!(points(&metadata(two), line), [format!("Ada L null {why}")]);
    let room = room()
        .file("class/Ada L_101_assignsubmission_file_/p.py", RIGHT)
        .file("class/Ada L_102_assignsubmission_file_/p.py", RIGHT)
        .file("class/Bob_103_assignsubmission_file_/p.py", RIGHT);
    let why = "each student has other values here, and several are called `Ada L`: tell them apart with a roster (`--roster`)";
    assert_eq!(
        points(&room, "grade class -a ./asg --json - --quiet"),
        [
            format!("Ada L (101) null {why}"),
            format!("Ada L (102) null {why}"),
            "Bob 10".to_owned()
        ]
    );
}

#[test]
fn members_of_a_team_have_its_values_wherever_they_submit() {
    if !have(&["python3"]) {
        return;
    }
    let right = only(VALUES[2]);
    let room = room()
        .file("groups.csv", "id,name,team\nada,Ada L,Team 7\nbob,Bob,Team 7\ncy,Cy,Team 8\ndi,Di,\n")
        .file("one/ada/p.py", &right)
        .file("one/Bob/p.py", &right)
        .file("one/cy/p.py", RIGHT)
        .file("one/Cy/p.py", RIGHT)
        .file("one/di/p.py", RIGHT)
        .file("one/eve/p.py", RIGHT)
        .file("gs/submission_1/p.py", &right)
        .file("gs/submission_2/p.py", RIGHT)
        .file(
            "gs/submission_metadata.yml",
            "submission_1:\n  :submitters:\n  - :name: Ada L\n  - :name: Bob\nsubmission_2:\n  :submitters:\n  - :name: Cy\n  - :name: Di\n",
        );
    let unknown = |name: &str| {
        format!(
            "{name} null each student has other values here, and it is not certain who `{name}` is: correct the name, or add it to the roster or the table of teams"
        )
    };
    assert_eq!(
        points(&room, "grade one -a ./asg --json - --quiet"),
        [
            "ada 10",
            "Bob 10",
            &unknown("Cy"),
            &unknown("cy"),
            "di 10",
            &unknown("eve")
        ]
    );
    let why = "each team has other values here, and it is not certain which team this is: a table of teams (`--groups`) has to have all members in one";
    assert_eq!(
        points(&room, "grade gs -a ./asg --json - --quiet"),
        [
            "Ada L 10",
            "Bob 10",
            &format!("Cy null {why}"),
            &format!("Di null {why}")
        ]
    );
}

#[test]
fn a_kit_is_for_one_student_and_tells_nothing_of_others() {
    if !have(&["python3"]) {
        return;
    }
    let [ada, bob, _] = VALUES;
    let room = room().file("p.py", only(ada));
    let run = |line: &str| room.run(&line.split(' ').collect::<Vec<_>>());
    for line in [
        "bundle -a ./asg -o kit",
        "bundle -a ./asg -o kit --student=",
        "test p.py -a ./asg",
        "stress p.py -a ./asg",
    ] {
        let ran = run(line);
        let message =
            "error: each student has other values in `p`: name the student with `--student`\n";
        assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
        let ran = run(&format!("{line} --lang zh"));
        let message = "错误：`p` 中每名学生的数值不同：请用 `--student` 指定学生\n";
        assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
    }
    assert!(!room.path("kit").exists());
    let saved = run("stress p.py -a ./asg --student bob --save");
    let message =
        "error: each student has other values in `p`: an input of one student is no case for all\n";
    assert_eq!((saved.status, saved.stderr.as_str()), (2, message));
    for (id, value, status) in [("ada", ada, 0), ("bob", bob, 1)] {
        let made = run(&format!("bundle -a ./asg -o {id} --student {id}"));
        assert_eq!(made.status, 0, "{}", made.stderr);
        let read = |path: &str| fs::read_to_string(room.path(path)).unwrap();
        let problem = read(&format!("{id}/p/problem.toml"));
        assert!(!problem.contains("SECRET"), "{problem}");
        assert_eq!(
            read(&format!("{id}/p/cases/1-1.in")),
            format!("{value} 1\n")
        );
        let statement = read(&format!("{id}/p/statement.md"));
        assert!(
            statement.starts_with(&format!("Add {value} and ")),
            "{statement}"
        );
        assert_eq!(run(&format!("test p.py -a ./{id}")).status, status);
        assert_eq!(run(&format!("stress p.py -a ./{id}")).status, status);
        assert_eq!(
            run(&format!("test p.py -a ./asg --student {id}")).status,
            status
        );
    }
    let room = room
        .file("class/ada/p.py", RIGHT)
        .file("class/bob/p.py", RIGHT);
    let ran = room.run(&["grade", "class", "-a", "./ada"]);
    let message = "error: `p` is from the kit of one student (`seed`), and others have other values: grade a class with your assignment\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
}

#[test]
fn what_fails_for_some_students_only_is_found_before_any_of_them_sees_it() {
    if !have(&["python3"]) {
        return;
    }
    let room = room()
        .file(
            "asg/p/gen.py",
            "import sys\nn = int(sys.argv[1])\nassert n % 3 != 1\nprint(n, sys.argv[2])\n",
        )
        .replace("asg/p/statement.md", "student.n", "student.m");
    let ran = room.run(&["verify", "asg"]);
    let found = "  input, case all/size=1, student a4ab4e919d8ff1c5, student.n 977701: the problem's generator\n";
    assert!(
        ran.status == 3 && ran.stdout.contains(found),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("✓ accepted/p.py"), "{}", ran.stdout);
    let ran = room.run(&["check", "asg"]);
    assert!(
        ran.stdout
            .contains("asg/p/statement.md: `{{student.m}}` is no value of `[student]`"),
        "{}",
        ran.stdout
    );
    let room = room.replace("asg/p/problem.toml", "key = \"SECRET\"", "");
    let ran = room.run(&["check", "asg"]);
    let remark = "asg/p/problem.toml: `[student]` has no `key`, so students can find out each other's values\n";
    assert!(ran.stdout.contains(remark), "{}", ran.stdout);
    let ran = room.run(&["bundle", "-a", "./asg", "--icpc", "-o", "pkg"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: cannot export `p`: problems with `[student]` are not supported\n"
        )
    );
}
