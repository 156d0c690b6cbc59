//! Saying it once for everybody who made the same mistake.

use std::fs;

use crate::class::{GRADE, SQUARE, WRONG, squares};
use crate::harness::{Room, problem, student};

/// Adds 2 as [`WRONG`] does, in another way.
const ADDS_TWO: &str = "#include <stdio.h>\n#include <stdlib.h>\n/* n plus two */\nint main(int argc, char **argv) {\n    int n = atoi(argv[argc - 1]);\n    n += 2;\n    printf(\"%d\\n\", n);\n    return 0;\n}\n";

fn graded(room: Room) -> Room {
    let ran = room.run(&GRADE);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    room
}

/// The points of a student for the square, and what changed them.
fn points(room: &Room, id: &str) -> String {
    let (_, results) = room.json(&["report", "class", "--json", "-"]);
    let square = problem(student(&results, id), "square").clone();
    let adjustments = square["adjustments"].as_array().unwrap().iter();
    let texts: Vec<_> = adjustments
        .map(|it| it["message"].as_str().unwrap())
        .collect();
    format!("{} {}", square["points"], texts.join("; "))
}

/// The name of what a student submitted for the square.
fn submission(room: &Room, id: &str) -> String {
    let (_, results) = room.json(&["report", "class", "--json", "-"]);
    let square = problem(student(&results, id), "square").clone();
    square["submission"].as_str().unwrap().to_owned()
}

/// Whether each of these students has a remark.
fn have_remark(room: &Room, ids: [&str; 4]) -> [bool; 4] {
    ids.map(|id| points(room, id).contains("why?"))
}

/// Prints `n + 2` in another program, for whoever comes into a group later.
const LATER: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { (void)c; printf(\"%d\\n\", 2 + atoi(v[1])); return 0; }\n";

#[test]
fn whoever_comes_into_a_group_later_is_shown_first_and_groups_can_be_joined() {
    let all = ["bob", "cy", "dan", "fay"];
    let room = graded(
        squares()
            .keeping()
            .file("class/ann/square.c", SQUARE)
            .file("class/bob/square.c", WRONG)
            .file("class/eve/square.c", ADDS_TWO)
            .file("class/dan/square.c", WRONG.replace("%d", "%d!")),
    );
    assert_eq!(room.run(&["review", "--save"]).status, 0);
    let path = room.path("corrections/review.toml");
    let written = fs::read_to_string(&path).unwrap();
    let said = written.replacen("comment = \"\"", "comment = \"why?\"", 1);
    fs::write(&path, said).unwrap();

    let room = graded(
        room.file("class/cy/square.c", LATER)
            .file("class/fay/square.c", WRONG),
    );
    // What somebody else submitted word for word is no news.
    assert_eq!(have_remark(&room, all), [true, false, false, true]);
    let ran = room.run(&["review"]);
    let warning = "corrections/review.toml:6: 1 submission is new in the group `e4e8d791` and did not get its remark: `grader review` shows them";
    assert_eq!(ran.stderr.lines().next(), Some(warning));
    let shown: Vec<_> = ran.stdout.lines().take(3).collect();
    assert_eq!(
        shown,
        [
            "square e4e8d791: 4 students: bob, cy, eve, fay",
            "  small/n=1: expected `1`, found `3`; `./square 1`",
            "  new in this group since the remark: cy",
        ]
    );
    let dan = ran.stdout.lines().find(|line| line.ends_with(": dan"));
    let dan = dan.unwrap().split([' ', ':']).nth(1).unwrap().to_owned();

    let before = fs::read_to_string(&path).unwrap();
    for wrong in [
        vec!["review", "--confirm", "e4e8d792"],
        vec!["review", "--confirm", "e4e8d791", "--confirm", "x"],
        vec!["review", "--join", "e4e8d791", "x"],
        vec!["review", "--join", "e4e8d791", "e4e8d791"],
        vec!["review", "--split", "e4e8d791"],
    ] {
        let ran = room.run(&wrong);
        assert_eq!(ran.status, 2, "{wrong:?}");
    }
    let ran = room.run(&["review", "--confirm", "e4e8d792"]);
    let error = "error: there is no group `e4e8d792`; did you mean `e4e8d791`?\n`grader review` and the class page list the groups\n";
    assert!(ran.stderr.ends_with(error), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    assert_eq!(room.run(&["review", "--confirm", "e4e8d791"]).status, 0);
    assert_eq!(have_remark(&room, all), [true, true, false, true]);

    // The joined group has one remark, also after it was graded again.
    assert_eq!(room.run(&["review", "--join", &dan, "e4e8d791"]).status, 0);
    let joined = fs::read_to_string(&path).unwrap();
    assert!(
        joined.contains(&format!("joined = [\"{dan}\"]")),
        "{joined}"
    );
    assert!(!joined.contains("\ncondition"), "{joined}");
    let room = graded(room.file("class/ann/square.c", SQUARE.replace("n * n", "(n * n)")));
    assert_eq!(have_remark(&room, all), [true; 4]);
    assert_eq!(room.run(&["review"]).stdout, "");
    assert_eq!(room.run(&["review", "--split", &dan]).status, 0);
    let split = fs::read_to_string(&path).unwrap();
    assert!(
        !split.contains("alone") && !split.contains("joined"),
        "{split}"
    );
    let condition = "\ncondition = \"small/n=1: expected `1`, found `3`\"\n";
    assert!(split.contains(condition), "{split}");
    assert_eq!(have_remark(&room, all), [true, true, false, true]);
    let of_student = room.run(&[
        "report",
        "class",
        "--audience",
        "student",
        "--json",
        "-",
        "--student",
        "cy",
    ]);
    assert!(
        !of_student.stdout.contains("e4e8d791"),
        "{}",
        of_student.stdout
    );
}

#[test]
fn a_remark_reaches_everybody_who_makes_the_mistake_also_later() {
    let room = graded(
        squares()
            .keeping()
            .file("class/ann/square.c", SQUARE)
            .file("class/bob/square.c", WRONG)
            .file("class/cy/square.c", ADDS_TWO)
            .file("class/dan/square.c", "int main( { }")
            .file("class/eve/square.c", SQUARE.replace("%d", "%d ")),
    );
    let ran = room.run(&["review"]);
    assert_eq!(
        ran.stdout,
        "square e4e8d791: 2 students: bob, cy\n  small/n=1: expected `1`, found `3`; `./square 1`\n  --- bob\n  +++ ann, accepted\n  @@ -2,2 +2,2 @@\n   \
         #include <stdlib.h>\n  \
         -int main(int c, char **v) { (void)c; printf(\"%d\\n\", atoi(v[1]) + 2); return 0; }\n  \
         +int main(int c, char **v) { int n = atoi(v[1]); (void)c; printf(\"%d\\n\", n * n); return 0; }\n\n\
         square 99a55ba4: 1 student: dan\n  does not compile\n  expected declaration specifiers or ‘...’ before ‘{’ token\n  --- dan\n  +++ ann, accepted\n  @@ -1 +1,3 @@\n  \
         -int main( { }\n  +#include <stdio.h>\n  +#include <stdlib.h>\n  \
         +int main(int c, char **v) { int n = atoi(v[1]); (void)c; printf(\"%d\\n\", n * n); return 0; }\n"
    );
    let of_square = room.run(&["review", "-p", "square"]);
    assert_eq!(of_square.stdout, ran.stdout);
    let of_one = room.run(&["review", "-p", "one"]);
    assert_eq!(
        (of_one.stdout.as_str(), of_one.stderr.as_str()),
        (
            "",
            "0 groups without a remark, 0 with one; `--save` adds the missing entries\n"
        )
    );
    let path = room.path("corrections/review.toml");
    assert_eq!(room.run(&["review", "--save"]).status, 0);
    let written = fs::read_to_string(&path).unwrap();
    let named = ["bob", "cy", "dan"].map(|id| submission(&room, id));
    let mut cited = [&named[0], &named[1]];
    cited.sort();
    let [first, second] = cited;
    let dan = &named[2];
    assert_eq!(
        written,
        format!(
            "# Remarks for everybody who made the same mistake: see `grader review --help`.\nformat = 1\n\n\
         # square e4e8d791: 2 students: bob, cy\n# small/n=1: expected `1`, found `3`; `./square 1`\n[[correction]]\n\
         assignment = \"squares\"\nclass = \"class\"\nproblem = \"square\"\ngroup = \"e4e8d791\"\n\
         submissions = [\"{first}\", \"{second}\"]\ncondition = \"small/n=1: expected `1`, found `3`\"\ncomment = \"\"\n\n\
         # square 99a55ba4: 1 student: dan\n# does not compile\n\
         # expected declaration specifiers or ‘...’ before ‘{{’ token\n[[correction]]\n\
         assignment = \"squares\"\nclass = \"class\"\nproblem = \"square\"\ngroup = \"99a55ba4\"\n\
         submissions = [\"{dan}\"]\ncomment = \"\"\n"
        )
    );

    // Nothing is said yet, and nothing is added twice.
    assert_eq!(room.run(&["review", "--save"]).status, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
    assert_eq!(points(&room, "bob"), "3.33 ");
    let said = written.replacen(
        "comment = \"\"",
        "comment = \"n * n, not n + 2\"\nadd = -1",
        1,
    );
    fs::write(&path, said).unwrap();
    let corrected = "2.33 corrected by hand from 3.33 to 2.33 points: small/n=1: expected `1`, found `3`: n * n, not n + 2";
    assert_eq!(["bob", "cy"].map(|id| points(&room, id)), [corrected; 2]);

    let room = remarked(room);

    // Bob is right now, and Dan hands in what he had.
    let room = graded(
        room.file("class/bob/square.c", SQUARE)
            .file("class/dan/square.c", WRONG),
    );
    let remark = "comment: square.c:6: why?";
    assert_eq!(points(&room, "dan"), corrected);
    assert_eq!(points(&room, "cy"), format!("{corrected}; {remark}"));
    assert_eq!(points(&room, "bob"), "10 ");

    let room = graded(
        room.file("class/cy/square.c", SQUARE)
            .file("class/dan/square.c", SQUARE),
    );
    let ran = room.run(&["report", "class"]);
    assert_eq!(
        ran.stderr.lines().next().unwrap_or_default(),
        "corrections/review.toml:6: no submission is in the group `e4e8d791` any more"
    );
    let listed = room.run(&["correct", "--list"]);
    let stale = "cy: square: the correction at corrections.toml:4 does not apply: it was made for another submission";
    assert!(
        listed.stdout.lines().any(|line| line == stale),
        "{}",
        listed.stdout
    );
}

/// Remarks on a line of Cy's program; Bob and Cy object, and Cy gets an answer.
fn remarked(room: Room) -> Room {
    let remark = "correct --student cy --problem square --at square.c:6 --comment why?";
    let ran = room.run(&remark.split(' ').collect::<Vec<_>>());
    assert_eq!(
        ran.stdout,
        "cy square: 2.33 of 10 points  PC partially correct\n  \
         corrected by hand from 3.33 to 2.33 points: small/n=1: expected `1`, found `3`: n * n, not n + 2\n  comment: square.c:6: why?\n"
    );
    let room = room
        .file("objections/bob.md", "It is right.\n")
        .file("objections/cy.md", "So what?\n\n## Answer\n\nSee page 3.\n")
        .file("objections/zoe.md", "");
    let ran = room.run(&["report", "class", "--html", "pages"]);
    let unknown = "objections/zoe.md: there is no student `zoe` in these results";
    assert_eq!(ran.stderr.lines().next(), Some(unknown));
    let needs = "\n  Objections without an answer (1)\n    bob  It is right.\n\n  \
                 Points lost: late, or corrected by hand (2)\n    \
                 bob  square  corrected by hand: −1\n    cy   square  corrected by hand: −1\n";
    assert!(ran.stdout.contains(needs), "{}", ran.stdout);
    let page = |id| fs::read_to_string(room.path(&format!("pages/students/{id}.html"))).unwrap();
    let (bob, cy) = (page("bob"), page("cy"));
    let own = [
        "<strong>    n += 2;</strong>",
        "square.c:6: why?",
        "So what?",
        "See page 3.",
    ];
    for part in own {
        assert!(cy.contains(part) && !bob.contains(part), "{part}");
    }
    assert!(!bob.contains("It is right."));
    fs::remove_file(room.path("objections/zoe.md")).unwrap();
    room
}

#[test]
fn a_file_of_remarks_is_read_as_it_is_and_reaches_nobody_else() {
    let room = graded(
        squares()
            .keeping()
            .file("class/ann/square.c", SQUARE)
            .file("class/bob/square.c", WRONG),
    );
    let ann = submission(&room, "ann");
    assert_eq!(room.run(&["review", "--save"]).status, 0);
    let path = room.path("corrections/review.toml");
    let blank = fs::read_to_string(&path).unwrap();
    let said = blank.replace("comment = \"\"", "comment = \"why?\"");
    let submissions = blank
        .lines()
        .find(|it| it.starts_with("submissions"))
        .unwrap();
    let with = |keys: &str| {
        let rest = said.replace(&format!("{submissions}\n"), "");
        fs::write(&path, format!("{rest}{keys}")).unwrap();
        room.run(&["report", "class", "--student", "bob"])
    };
    for (keys, message) in [
        (
            "joined = \"x\"",
            "invalid type: string \"x\", expected an array",
        ),
        (
            "joined = [1]",
            "invalid type: integer `1`, expected a string",
        ),
        (
            "submissions = 3",
            "invalid type: integer `3`, expected an array",
        ),
        ("alone = [\"x\"]", "invalid type: array, expected a string"),
        ("joined = [\"x\"]\njoined = [\"y\"]", "duplicate key"),
        (
            "[[correction]]\nstudent = \"bob\"\nproblem = \"square\"\ncomment = \"x\"\nsubmissions = []",
            "`submissions` needs a `group`",
        ),
        (
            "[[correction]]\nstudent = \"bob\"\nproblem = \"square\"\ncomment = \"x\"\njoined = []",
            "`joined` needs a `group`",
        ),
        (
            "[[correction]]\nstudent = \"bob\"\nproblem = \"square\"\ncomment = \"x\"\ncondition = \"c\"",
            "`condition` needs a `group`",
        ),
    ] {
        let ran = with(keys);
        let first = ran.stderr.lines().next().unwrap_or_default();
        assert_eq!(
            (ran.status, first),
            (2, &*format!("error: {message}")),
            "{keys}"
        );
    }

    // Those of others, of nobody, and very many.
    let many: Vec<String> = (0..50_000).map(|it| format!("\"{it:08x}\"")).collect();
    let many = many.join(", ");
    for (keys, has_remark) in [
        (
            format!("submissions = [\"{ann}\", \"nobody\", \"\\u001b[31m\"]"),
            false,
        ),
        (format!("joined = [{many}]\nsubmissions = [{many}]"), false),
        (format!("joined = [{many}]"), true),
        ("joined = [\"e4e8d791\"]".to_owned(), true),
    ] {
        assert_eq!(with(&keys).status, 0);
        let found = ["ann", "bob"].map(|id| points(&room, id).contains("why?"));
        assert_eq!(found, [false, has_remark]);
    }

    // Control characters are shown, not printed.
    let ran = with("joined = [\"\\u001b[31m\\n\", \"x\\u0007\"]");
    assert_eq!(ran.status, 0);
    let text = fs::read_to_string(&path).unwrap();
    let condition = text.lines().find(|it| it.starts_with("condition")).unwrap();
    let hostile = "condition = \"\\u001b[2J\\n\\u202e\"";
    fs::write(&path, text.replace(condition, hostile)).unwrap();
    for arguments in [
        &["report", "class", "--student", "bob"][..],
        &["review"],
        &["review", "--split", "e4e8d791"],
    ] {
        let ran = room.run(arguments);
        let all = ran.stdout + &ran.stderr;
        let is_raw = |it: char| it != '\n' && it.is_control() || it == '\u{202e}';
        assert!(
            ran.status == 0 && !all.contains(is_raw),
            "{arguments:?} {all:?}"
        );
    }
}
