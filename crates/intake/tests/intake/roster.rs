//! Classes with a roster.

use grader_lms::Roster;

use crate::harness::{Reading, folder, write};

fn read(table: &str, files: &[&str]) -> Vec<String> {
    let place = folder(&[]);
    let path = place.path().join("roster.csv");
    write(&path, table.as_bytes());
    let reading = Reading {
        roster: Some(Roster::read(&path).unwrap()),
        ..Reading::default()
    };
    reading.text(folder(files).path())
}

#[test]
fn students_get_what_the_roster_calls_them() {
    assert_eq!(
        read(
            "学号,姓名,邮箱,用户名\n1001,张三,zs@example.org,zhang3\n1002,李四,lisi@example.org,\n1003,王五,ww@example.org,\n\
             1004,赵 六,,\n1005,Zoë Doe,,\n1006,absent,,\n",
            &[
                "1001/count.c",
                "LISI/count.c",
                "2026_1003_王五/count.c",
                "赵六/count.c",
                "ｚoe\u{308} doe/count.c",
            ]
        ),
        [
            "layout: folders",
            "[1001]",
            "is: 张三, zs@example.org, Login zhang3",
            "count: count.c=count.c",
            "[1002]",
            "is: 李四, lisi@example.org",
            "note: submitted as `LISI`",
            "count: count.c=count.c",
            "[1003]",
            "is: 王五, ww@example.org",
            "note: submitted as `2026_1003_王五`",
            "count: count.c=count.c",
            "[1004]",
            "is: 赵 六",
            "note: submitted as `赵六`",
            "count: count.c=count.c",
            "[1005]",
            "is: Zoë Doe",
            "note: submitted as `ｚoe\u{308} doe`",
            "count: count.c=count.c",
            "[1006]",
            "is: absent",
            "note: in the roster, submitted nothing",
        ]
    );
}

#[test]
fn who_is_not_in_the_roster_stays() {
    assert_eq!(
        read(
            "id,name\n20241001,Ada Lovelace\n20241002,Wang Fang\n20241003,Wang Fang\n",
            &["20241010/count.c", "Wang Fang/count.c", "nobody/board.c"]
        ),
        [
            "layout: folders",
            "[20241001]",
            "is: Ada Lovelace",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `20241010`, `nobody`",
            "fault: count: perhaps submitted under another name: `20241010`, `nobody`",
            "[20241002]",
            "is: Wang Fang",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `20241010`, `nobody`, `Wang Fang`",
            "fault: count: perhaps submitted under another name: `20241010`, `nobody`, `Wang Fang`",
            "[20241003]",
            "is: Wang Fang",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `20241010`, `nobody`, `Wang Fang`",
            "fault: count: perhaps submitted under another name: `20241010`, `nobody`, `Wang Fang`",
            "[20241010]",
            "note: not in the roster",
            "count: count.c=count.c",
            "[nobody]",
            "note: not in the roster",
            "board: board.c=board.c",
            "[Wang Fang]",
            "remark: several lines of the roster fit: 3, 4",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn two_for_one_line_are_told() {
    assert_eq!(
        read("id,name\n1001,Ada\n", &["1001/count.c", "Ada/board.c"]),
        [
            "layout: folders",
            "[1001]",
            "is: Ada",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `1001`, `Ada`",
            "fault: count: perhaps submitted under another name: `1001`, `Ada`",
            "[1001 (2)]",
            "remark: line 2 of the roster fits `Ada` too: decide which of them counts",
            "count: count.c=count.c",
            "[Ada]",
            "remark: line 2 of the roster fits `1001` too: decide which of them counts",
            "board: board.c=board.c",
        ]
    );
    // What is empty takes nothing from anybody.
    assert_eq!(
        read(
            "id,name\n1001,Ada\n1002,Bob\n",
            &["1001/notes.txt", "Ada/board.c", "nobody/notes.txt"]
        ),
        [
            "layout: folders",
            "[1001]",
            "is: Ada",
            "note: submitted as `Ada`",
            "board: board.c=board.c",
            "[1001 (2)]",
            "remark: line 2 of the roster fits `Ada` too: decide which of them counts",
            "notes.txt: not a source file",
            "[1002]",
            "is: Bob",
            "note: in the roster, submitted nothing",
            "[nobody]",
            "note: not in the roster",
            "notes.txt: not a source file",
        ]
    );
}

#[test]
fn systems_numbers_tell_more_than_names() {
    assert_eq!(
        read(
            "Identifier,Full name,Email address\nParticipant 11,Li Na,a@example.org\nParticipant 12,Li Na,b@example.org\n",
            &[
                "Li Na_12_assignsubmission_file/count.c",
                "Li Na_11_assignsubmission_file/board.c",
            ]
        ),
        [
            "layout: moodle",
            "[a]",
            "is: Li Na, a@example.org, Moodle 11",
            "note: submitted as `Li Na_11_assignsubmission_file`",
            "board: board.c=board.c",
            "[b]",
            "is: Li Na, b@example.org, Moodle 12",
            "note: submitted as `Li Na_12_assignsubmission_file`",
            "count: count.c=count.c",
        ]
    );
    assert_eq!(
        read(
            "id,name\ns1,Jane Doe\ns2,\"O'Brien, Pat\"\n",
            &["doejane_1001_50_count.c", "obrienpat_1002_51_board.c"]
        ),
        [
            "layout: canvas",
            "[s1]",
            "is: Jane Doe, Canvas 1001",
            "note: submitted as `doejane_1001_50_count.c`",
            "count: count.c=count.c",
            "[s2]",
            "is: O'Brien, Pat, Canvas 1002",
            "note: submitted as `obrienpat_1002_51_board.c`",
            "board: board.c=board.c",
        ]
    );
}

#[test]
fn a_surname_is_not_somebody_elses_login() {
    assert_eq!(
        read(
            "name,login,email\nGrace M. Hopper,gmh,\nJames Hopper,hopper,james@uni.example\nAda Lovelace,al,al@uni.example\n\
             Ada Byron,ab,ada@uni.example\n",
            &[
                "Grace Hopper_21_assignsubmission_file/count.c",
                "Hopper_22_assignsubmission_file/count.c",
            ]
        ),
        [
            "layout: moodle",
            "[ab]",
            "is: Ada Byron, ada@uni.example, Login ab",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `Grace Hopper_21_assignsubmission_file`",
            "fault: count: perhaps submitted under another name: `Grace Hopper_21_assignsubmission_file`",
            "[al]",
            "is: Ada Lovelace, al@uni.example, Login al",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `Grace Hopper_21_assignsubmission_file`",
            "fault: count: perhaps submitted under another name: `Grace Hopper_21_assignsubmission_file`",
            "[gmh]",
            "is: Grace M. Hopper, Login gmh",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `Grace Hopper_21_assignsubmission_file`",
            "fault: count: perhaps submitted under another name: `Grace Hopper_21_assignsubmission_file`",
            "[Grace Hopper]",
            "is: Grace Hopper, Moodle 21",
            "note: not in the roster",
            "count: count.c=count.c",
            "[hopper]",
            "is: James Hopper, james@uni.example, Moodle 22, Login hopper",
            "note: submitted as `Hopper_22_assignsubmission_file`",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn an_address_elsewhere_tells_less_than_a_name() {
    let place = folder(&["export/submission_1/count.c"]);
    write(
        place.path().join("export/submission_metadata.yml"),
        b"---\nsubmission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :email: ada@mail.example\n",
    );
    let path = place.path().join("roster.csv");
    write(
        &path,
        b"id,name,email\n1,Ada Lovelace,al@uni.example\n2,Ada Byron,ada@uni.example\n",
    );
    let reading = Reading {
        roster: Some(Roster::read(&path).unwrap()),
        ..Reading::default()
    };
    assert_eq!(
        reading.text(&place.path().join("export")),
        [
            "layout: gradescope",
            "[1]",
            "is: Ada Lovelace, al@uni.example, Gradescope 1",
            "note: submitted as `submission_1`",
            "count: count.c=count.c",
            "[2]",
            "is: Ada Byron, ada@uni.example",
            "note: in the roster, submitted nothing",
        ]
    );
}

#[test]
fn the_number_of_a_team_is_nobodys() {
    assert_eq!(
        read(
            "Identifier,Full name,Email address\nParticipant 77,张三,z@example.org\nParticipant 7,Ada Lovelace,a@example.org\n",
            &[
                "Group_77_assignsubmission_file/count.c",
                "Team 7_assignsubmission_file/count.c",
            ]
        )[1..7],
        [
            "[a]",
            "is: Ada Lovelace, a@example.org, Moodle 7",
            "note: in the roster, submitted nothing under this name",
            "fault: board: perhaps submitted under another name: `Team 7_assignsubmission_file`",
            "fault: count: perhaps submitted under another name: `Team 7_assignsubmission_file`",
            "[Group]",
        ]
    );
}

#[test]
fn names_are_found_among_what_stands_beside_them() {
    assert_eq!(
        read(
            "Student,ID,SIS Login ID\n\"Doe, Jane\",77,jdoe\n\"Lovelace, Ada\",78,ada\n",
            &[
                "Team A-Jane Doe_11_assignsubmission_file/count.c",
                "Ada Lovelace （1班）_12_assignsubmission_file/count.c",
            ]
        ),
        [
            "layout: moodle",
            "[ada]",
            "is: Lovelace, Ada, Moodle 12, Canvas 78, Login ada",
            "note: submitted as `Ada Lovelace （1班）_12_assignsubmission_file`",
            "count: count.c=count.c",
            "[jdoe]",
            "is: Doe, Jane, Moodle 11, Canvas 77, Login jdoe",
            "note: submitted as `Team A-Jane Doe_11_assignsubmission_file`",
            "count: count.c=count.c",
        ]
    );
}

#[test]
fn a_roster_that_cannot_be_read_names_file_and_line() {
    let place = folder(&[]);
    let path = place.path().join("roster.csv");
    write(&path, b"id,name\n1,Ada\n1,Bob\n");
    let error = Roster::read(&path).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "roster `{}`, line 3: `1` is on line 2 already",
            path.display()
        )
    );
    let missing = place.path().join("missing.csv");
    let error = Roster::read(&missing).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "roster `{}`: cannot be read: No such file or directory (os error 2)",
            missing.display()
        )
    );
}
