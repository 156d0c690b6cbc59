//! A class of 60 in teams: odd names, late work, points for style, two uploads to Moodle and one to Canvas.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::harness::{Room, problem, student, without_submissions};

/// What the members of each team have in the end, of 15 points: their programs earn 10, 3.33 or 0 of 10, and their style
/// the points of `STYLE`; the third and the last team are 2 h late, which costs 10%.
const POINTS: [[&str; 3]; 6] = [
    ["15", "14", "12.5"],
    ["8.33", "7.33", "5.83"],
    ["13.5", "12.6", "11.25"],
    ["15", "14", "12.5"],
    ["8.33", "7.33", "5.83"],
    ["4.5", "3.6", "2.25"],
];
/// The points for style of every third member.
const STYLE: [&str; 3] = ["5", "4", "2.5"];
/// The second team submits again, and is right now.
const AGAIN: [&str; 3] = ["15", "14", "12.5"];

/// The name of a member of a team.
fn name(team: usize, member: usize) -> String {
    let name = ["王 小明", "Pat O'Brien", "José d'Ávila-Lee"][member % 3];
    let letter = char::from(b'A' + team as u8);
    format!("{name} {letter}{}", member / 3)
}

fn source(team: usize) -> &'static str {
    match team {
        _ if team % 3 == 1 => "import sys\nprint(int(sys.argv[1]) + 2)\n",
        _ if team % 6 == 5 => "print(0)\n",
        _ => "import sys\nprint(int(sys.argv[1]) ** 2)\n",
    }
}

fn members() -> impl Iterator<Item = (usize, usize)> {
    (0..6).flat_map(|team| (0..10).map(move |member| (team, member)))
}

/// Moodle's grading worksheet, with these grades.
fn worksheet(grades: &BTreeMap<String, String>) -> String {
    let mut sheet =
        "Identifier,Full name,Email address,Group,Grade,Maximum grade,Last modified (submission)\n"
            .to_owned();
    for (team, member) in members() {
        let (name, id) = (name(team, member), 100 + team * 10 + member);
        let grade = grades.get(&name).cloned().unwrap_or_default();
        let hour = if team % 3 == 2 { 12 } else { 9 };
        let _ = writeln!(
            sheet,
            "Participant {id},{name},s{id}@example.org,小组 {team},{grade},15.00,2026-11-20 {hour}:00"
        );
    }
    sheet
}

/// The grades of a gradebook by name, as a system shows them.
fn grades(table: &str, name: usize, grade: usize) -> BTreeMap<String, String> {
    let rows = table.lines().skip(1).map(|row| row.split(',').collect());
    let cells = rows.map(|row: Vec<&str>| (row[name].to_owned(), row[grade].to_owned()));
    cells.collect()
}

/// The points that were expected, by name.
fn expected(points: &[[&str; 3]; 6]) -> BTreeMap<String, String> {
    let points =
        members().map(|(team, member)| (name(team, member), points[team][member % 3].to_owned()));
    points.collect()
}

fn two_decimals(grades: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let shown = |grade: &String| format!("{:.2}", grade.parse::<f64>().unwrap());
    grades
        .iter()
        .map(|(name, grade)| (name.clone(), shown(grade)))
        .collect()
}

fn room() -> Room {
    let style = "\n[[subtask]]\nname = \"style\"\npoints = 5\nmanual = true\n";
    let deadline = "[deadline]\ndue = 2026-11-20T10:00:00\nzone = \"UTC\"\npenalty = \"10% per day\"\n\n[[problem]]\npath = \"square\"\npoints = 15\n";
    let mut room = Room::new().fixture("squares", "squares").keeping().replace(
        "squares/assignment.toml",
        "[[problem]]\npath = \"square\"\npoints = 10\n\n[[problem]]\npath = \"one\"\nbonus = 2\n",
        deadline,
    );
    let path = room.path("squares/square/problem.toml");
    let text = std::fs::read_to_string(path).unwrap() + style;
    room = room.file("squares/square/problem.toml", text);
    for (team, member) in members() {
        let (name, id) = (name(team, member), 100 + team * 10 + member);
        let path = format!("class/小组 {team}-{name}_{id}_assignsubmission_file_/square.py");
        room = room.file(&path, source(team));
    }
    room.file("Grades.csv", worksheet(&BTreeMap::new()))
}

/// Grades with the worksheet as the roster and the groups, and gives points for style.
fn grade(room: Room) -> (Room, Value) {
    let grade = "grade class -a ./squares --roster Grades.csv --groups Grades.csv --json -";
    let (status, results) = room.json(&grade.split(' ').collect::<Vec<_>>());
    assert_eq!(status, 0, "{results:#}");
    let row = |(team, member)| format!("{},{}\n", name(team, member), STYLE[member % 3]);
    let table: String = members().map(row).collect();
    let room = room.file("style.csv", "student,points\n".to_owned() + &table);
    let style = "correct --from style.csv --problem square --subtask style";
    let ran = room.run(&style.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    (room, results)
}

/// A gradebook, filled, and what was said of students.
fn fill(room: &Room, book: &str) -> (String, Vec<String>) {
    let ran = room.run(&["gradebook", book, "class", "-o", "-"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let said = ran
        .stderr
        .lines()
        .filter(|line| line.contains("which stays"));
    let said = said.map(str::to_owned).collect();
    (ran.stdout, said)
}

#[test]
fn a_class_of_teams_gets_its_points_in_two_systems() {
    let (room, results) = grade(room());
    // Judged once: even the times are the same.
    let same = |id| problem(student(&results, id), "square").clone();
    assert_eq!(same("s100"), same("s109"));
    assert_eq!(
        results["similar"].as_array().unwrap().len(),
        2,
        "{:#}",
        results["similar"]
    );
    let (filled, said) = fill(&room, "Grades.csv");
    let points = expected(&POINTS);
    assert_eq!((grades(&filled, 1, 4), said), (points.clone(), Vec::new()));

    // Uploaded. A teacher enters one grade; the second team submits again.
    let mut online = two_decimals(&points);
    online.insert(name(4, 1), "9.00".to_owned());
    let mut room = room.file("Grades.csv", worksheet(&online));
    for member in 0..10 {
        let (name, id) = (name(1, member), 110 + member);
        let path = format!("class/小组 1-{name}_{id}_assignsubmission_file_/square.py");
        room = room.file(&path, source(0));
    }
    let (room, _) = grade(room);
    let lower = "correct --student s110 --problem square --add -1 --comment lower";
    assert_eq!(room.run(&lower.split(' ').collect::<Vec<_>>()).status, 0);
    let (filled, said) = fill(&room, "Grades.csv");
    online.extend((0..10).map(|member| (name(1, member), AGAIN[member % 3].to_owned())));
    online.insert(name(1, 0), "14".to_owned());
    assert_eq!(grades(&filled, 1, 4), online);
    let kept = "s141 (Pat O'Brien E0): line 43 has 9.00, which stays; ours is 7.33 (`--overwrite` replaces it)";
    assert_eq!(said, [kept]);

    // Canvas, which writes names in another way.
    let row = |(team, member): (usize, usize)| {
        let id = 100 + team * 10 + member;
        format!("{},{},s{id},A,\n", name(team, member), 900 + id)
    };
    let rows: String = members().map(row).collect();
    let book =
        format!("Student,ID,SIS Login ID,Section,Squares (77)\n    Points Possible,,,,15\n{rows}");
    let room = room.file("export.csv", book);
    let (filled, said) = fill(&room, "export.csv");
    let mut points = points;
    points.extend((0..10).map(|member| (name(1, member), AGAIN[member % 3].to_owned())));
    points.insert(name(1, 0), "14".to_owned());
    let mut found = grades(&filled, 0, 4);
    found.remove("    Points Possible");
    assert_eq!((found, said), (points, Vec::new()));
}

#[test]
fn a_team_is_one_row_for_people() {
    let style = "\n[[subtask]]\nname = \"style\"\npoints = 5\nmanual = true\n";
    let groups = "team,id,name\nTeam 1,007,Ann Lee\nTeam 1,bob,=Bob\nTeam 2,cy,Cy\nTeam 2,dan,王小明\nTeam 3,eve,Eve\nTeam 3,fay,Fay\n";
    let room = Room::new()
        .fixture("squares", "squares")
        .keeping()
        .replace("squares/assignment.toml", "points = 10", "points = 15")
        .file("groups.csv", groups)
        .file("class/Team 1/square.py", source(0))
        .file("class/team2/square.py", source(1));
    let path = room.path("squares/square/problem.toml");
    let text = std::fs::read_to_string(path).unwrap() + style;
    let room = room.file("squares/square/problem.toml", text);
    let graded = room.run(&["grade", "class", "-a", "./squares"]);
    assert_eq!(graded.status, 0, "{}", graded.stderr);
    let (_, needs) = graded.stdout.split_once("\n  Still to grade").unwrap();
    assert_eq!(
        needs,
        ": points by hand (2)\n    Team 1  square  style: up to 5 points\n    Team 2  square  style: up to 5 points\n\n  \
         Notes on submissions (3)\n    Team 1  submitted together: Ann Lee, =Bob\n    Team 2  submitted together: Cy, 王小明\n    \
         Team 3  the team `Team 3` (line 6 of `groups.csv`) submitted nothing\n\n  \
         Nothing submitted (1)\n    Team 3\n"
    );

    let review = room.run(&["review"]).stdout;
    let group = review.lines().next().unwrap().split_once(": ").unwrap();
    assert_eq!(group.1, "2 students: Team 2", "{review}");

    // Both spreadsheet programs and people write the id of a student, or the team.
    let heads = "\u{feff}student,name,problem,style/points (5),comment\r\n";
    let sheet = ["correct", "--sheet", "-"];
    assert_eq!(
        without_submissions(&room.run(&sheet).stdout),
        format!("{heads}Team 1,\"Ann Lee, '=Bob\",square,,\r\nTeam 2,\"Cy, 王小明\",square,,\r\n")
    );
    let room = room.file(
        "points.csv",
        "student,name,style/points\nTEAM 1,,4\ndan,,3\n",
    );
    let from = ["correct", "--from", "points.csv", "--problem", "square"];
    assert_eq!(
        room.run(&from).stderr.lines().next(),
        Some("3 new corrections in the table")
    );
    let one = [
        "correct",
        "--student",
        "team1",
        "--problem",
        "square",
        "--comment",
        "well done",
    ];
    assert_eq!(
        room.run(&one).stdout,
        "007 square: 14 of 15 points  points lost by hand\n  comment: well done\n\
         bob square: 14 of 15 points  points lost by hand\n  comment: well done\n"
    );
    assert_eq!(
        room.run(&["correct", "--list"]).stdout,
        "Team 1 square style: points = 4\ndan (王小明) square style: points = 3\nTeam 1 square: comment = \"well done\"\n\
         cy (Cy) square style: still to grade\n1 subtask is still to grade.\n"
    );
    assert_eq!(
        without_submissions(&room.run(&sheet).stdout),
        format!(
            "{heads}Team 1,\"Ann Lee, '=Bob\",square,4,well done\r\ncy,Cy,square,,\r\ndan,王小明,square,3,\r\n"
        )
    );
    let both = room.file("points.csv", "student,style/points\nTeam 2,2\ncy,1\n");
    let ran = both.run(&from);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: points.csv:3: `cy square style` is on line 2 too: which row counts?\n"
        )
    );
    // A number whose zeros a spreadsheet program cut.
    let room = both.file("points.csv", "student,name,style/points\n7,Ann Lee,5\n");
    let ran = room.run(&[&from[..], &["--replace"]].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let of_team = room.run(&["report", "class", "--student", "Team 1"]).stdout;
    let means = of_team.lines().find(|line| line.starts_with("mean"));
    let means = means.unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(means, ["mean", "14.5", "0", "14.5", "0"]);
}

#[test]
fn a_remark_and_a_sheet_are_for_what_a_team_submitted() {
    let style = "\n[[subtask]]\nname = \"style\"\npoints = 5\nmanual = true\n";
    let groups = "team,id\nTeam 1,ann\nTeam 1,bob\nTeam 2,cy\nTeam 2,dan\n";
    let room = Room::new()
        .fixture("squares", "squares")
        .keeping()
        .replace("squares/assignment.toml", "points = 10", "points = 15")
        .file("groups.csv", groups)
        .file("class/Team 1/square.py", source(1))
        .file("class/Team 2/square.py", source(0));
    let path = room.path("squares/square/problem.toml");
    let text = std::fs::read_to_string(path).unwrap() + style;
    let room = room.file("squares/square/problem.toml", text);
    let ran = |room: &Room, line: &str| {
        let ran = room.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
        ran.stdout
    };
    let grade = "grade class -a ./squares";
    ran(&room, grade);
    ran(&room, "review --save");
    let path = room.path("corrections/review.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("comment = \"\"", "comment = \"why?\"")).unwrap();
    let heads = "\u{feff}student,name,problem,style/points (5),comment\r\n";
    let filled = format!("{heads}Team 1,,square,4,short\r\nTeam 2,,square,5,fine\r\n");
    let room = room.file("points.csv", &filled);
    ran(&room, "correct --from points.csv");
    assert_eq!(
        without_submissions(&ran(&room, "correct --sheet -")),
        filled
    );

    // The second team submits again, and makes the mistake of the first.
    let again = source(1).replace("+ 2", "+ 1 + 1");
    let room = room.file("class/Team 2/square.py", again);
    ran(&room, grade);
    let open = format!("{heads}Team 1,,square,4,short\r\nTeam 2,,square,,\r\n");
    assert_eq!(without_submissions(&ran(&room, "correct --sheet -")), open);
    let review = ran(&room, "review");
    assert!(
        review.contains(": 4 students: Team 1, Team 2\n"),
        "{review}"
    );
    assert!(
        review.contains("  new in this group since the remark: Team 2\n"),
        "{review}"
    );
    let group = review.split([' ', ':']).nth(1).unwrap().to_owned();
    ran(&room, &format!("review --confirm {group}"));
    let (_, results) = room.json(&["report", "class", "--json", "-"]);
    for id in ["ann", "bob", "cy", "dan"] {
        let square = problem(student(&results, id), "square").to_string();
        assert!(square.contains("why?"), "{id}: {square}");
    }
    // The first attempt of the team counts again: so do its points and its comment.
    ran(
        &room,
        "correct --student Team_2 --problem square --attempt 1"
            .replace("Team_2", "team2")
            .as_str(),
    );
    assert_eq!(
        without_submissions(&ran(&room, "correct --sheet -")),
        filled
    );
}
