//! Reports on a class in all formats: where they go, what they need, and when points stay here.

use std::fs::{self, File};

use zip::ZipArchive;

use crate::class::{GRADE, SQUARE, WRONG, ann_and_bob, squares};
use crate::harness::{Ran, Room, zip};

fn grade(room: &Room, more: &[&str]) -> Ran {
    room.run(&[&GRADE, more].concat())
}

/// The files that one run of `grade` or `report` writes.
const FILES: [&str; 8] = [
    "--json",
    "all.json",
    "--csv",
    "points.csv",
    "--junit",
    "junit.xml",
    "--markdown",
    "page.md",
];

#[test]
fn reports_from_the_ledger_are_those_of_the_run_to_the_byte() {
    let room = ann_and_bob();
    let read = || {
        let names = FILES.iter().filter(|it| !it.starts_with('-'));
        let texts = names.map(|name| fs::read_to_string(room.path(name)).unwrap());
        texts.collect::<Vec<_>>()
    };
    let graded = grade(&room, &FILES);
    let (first, written) = (
        read(),
        "report written to `all.json`\nreport written to `points.csv`\nreport written to `junit.xml`\nreport written to `page.md`\n",
    );
    assert_eq!((graded.status, graded.stderr.as_str()), (0, written));
    // It replaces its own files, and prints the same table.
    let reported = room.run(&[&["report", "class"], &FILES[..]].concat());
    let note = format!("run 1 of `class`, from `.grader/ledger.db`\n{written}");
    assert_eq!((reported.status, reported.stderr), (0, note));
    assert_eq!((reported.stdout, read()), (graded.stdout, first.clone()));
    for (option, file) in FILES.chunks(2).map(|it| (it[0], it[1])).zip(&first) {
        let ran = room.run(&["report", "class", option.0, "-"]);
        assert_eq!((ran.status, &ran.stdout), (0, file), "{}", option.1);
    }
    let quiet = room.run(&["report", "class", "--quiet", "--csv", "-"]);
    assert_eq!(
        (quiet.stdout.as_str(), quiet.stderr.as_str()),
        (&*first[1], "")
    );
}

#[test]
fn what_was_not_written_by_the_grader_is_not_replaced() {
    let mut room = ann_and_bob().file("pages/index.html", "mine\n");
    for name in [
        "all.json",
        "points.csv",
        "junit.xml",
        "page.md",
        "mine.html",
    ] {
        room = room.file(name, "mine\n");
    }
    assert_eq!(grade(&room, &[]).status, 0);
    for (arguments, path) in [
        ("report --json all.json", "all.json"),
        ("report --csv points.csv", "points.csv"),
        ("report --junit junit.xml", "junit.xml"),
        ("report --markdown page.md", "page.md"),
        ("report --html mine.html", "mine.html"),
        ("report --html pages", "pages/index.html"),
        ("grade class -a ./squares --csv points.csv", "points.csv"),
        ("report --moodle-feedback page.md", "page.md"),
        ("report --student ann --gradescope all.json", "all.json"),
        ("bundle --gradescope -a ./squares -o page.md", "page.md"),
    ] {
        let ran = room.run(&arguments.split(' ').collect::<Vec<_>>());
        let message =
            format!("error: `{path}` exists, and `grader` did not write it: name another file\n");
        assert_eq!(ran.status, 2, "{arguments}");
        assert!(ran.stderr.ends_with(&message), "{}", ran.stderr);
        assert_eq!(fs::read_to_string(room.path(path)).unwrap(), "mine\n");
    }
}

/// Brightspace's grades, with points of Ann.
fn brightspace(points: &str) -> String {
    format!(
        "Username,Squares Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\n#ann,{points},#\n"
    )
}

#[test]
fn a_grade_that_a_person_entered_stays_unless_it_is_to_be_replaced() {
    let room = ann_and_bob().file("grades.csv", brightspace("9"));
    assert_eq!(grade(&room, &[]).status, 0);
    let fill = ["gradebook", "grades.csv", "-o", "-"];
    let kept = room.run(&fill);
    assert_eq!(
        (kept.status, kept.stdout, kept.stderr.as_str()),
        (
            0,
            brightspace("9"),
            "run 1 of `class`, from `.grader/ledger.db`\n\
             ann: line 2 has 9, which stays; ours is 10 (`--overwrite` replaces it)\n\
             bob: has no row\n\
             points of 0 of 2 students were filled in\n"
        )
    );
    let replaced = room.run(&[&fill[..], &["--overwrite"]].concat());
    assert_eq!(replaced.stdout, brightspace("10"));
    // A file that is there stays as it is.
    let room = room.file("filled.csv", "mine\n");
    let ran = room.run(&["gradebook", "grades.csv", "-o", "filled.csv"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (2, "error: `filled.csv` already exists\n")
    );
}

#[test]
fn a_download_of_moodle_is_graded_as_it_comes_and_points_and_feedback_go_back() {
    let download = zip(&[
        ("Ann Lee_4711_assignsubmission_file_/square.c", SQUARE),
        ("王五_4712_assignsubmission_file_/square.c", WRONG),
    ]);
    let room = squares()
        .keeping()
        .file("CS101-Squares-1234.zip", download)
        .file("sheet.csv", "Identifier,Full name,Grade,Maximum Grade\nParticipant 4711,Ann Lee,,10.00\nParticipant 4712,王五,,10.00\n");
    let ran = room.run(&["grade", "CS101-Squares-1234.zip", "-a", "./squares"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            0,
            "the class is a download from Moodle (`--layout moodle`)\n"
        )
    );
    for source in [&[][..], &["CS101-Squares-1234.zip"]] {
        let ran = room.run(&[&["gradebook", "sheet.csv"], source, &["-o", "-"]].concat());
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (
                0,
                "Identifier,Full name,Grade,Maximum Grade\nParticipant 4711,Ann Lee,10,10.00\n\
                 Participant 4712,王五,3.33,10.00\n"
            )
        );
        assert!(
            ran.stderr
                .ends_with("points of 2 of 2 students were filled in\n"),
            "{}",
            ran.stderr
        );
    }
    let feedback = ["report", "--moodle-feedback", "feedback.zip"];
    for _ in 0..2 {
        assert_eq!(room.run(&feedback).status, 0);
    }
    let mut zip = ZipArchive::new(File::open(room.path("feedback.zip")).unwrap()).unwrap();
    assert_eq!(
        zip.file_names().map(Result::unwrap).collect::<Vec<_>>(),
        [
            "Ann Lee_4711_assignsubmission_file_/feedback.html",
            "王五_4712_assignsubmission_file_/feedback.html",
        ]
    );
    let mut page = String::new();
    let mut file = zip.by_index(0).unwrap();
    std::io::Read::read_to_string(&mut file, &mut page).unwrap();
    assert!(page.contains("<h1>Ann Lee"), "{page}");
    pages_to_publish_keep_names_that_nobody_can_guess(&room);
}

fn pages_to_publish_keep_names_that_nobody_can_guess(room: &Room) {
    let write = |folder: &str| {
        let ran = room.run(&[
            "report",
            "--feedback",
            folder,
            "--web",
            "https://example.org/w1",
        ]);
        let expected = format!(
            "run 1 of `CS101-Squares-1234.zip`, from `.grader/ledger.db`\n\
             pages written to `{folder}/pages`: publish this folder at https://example.org/w1/, without a listing of its files\n\
             links written to `{folder}/links.csv`: do not publish it\n"
        );
        assert_eq!((ran.status, ran.stderr), (0, expected));
        fs::read_to_string(room.path(folder).join("links.csv")).unwrap()
    };
    let links = write("web");
    let names: Vec<&str> = links.split("https://example.org/w1/").skip(1).collect();
    let names: Vec<&str> = names
        .iter()
        .map(|it| it.split("\r\n").next().unwrap())
        .collect();
    let expected = format!(
        "\u{feff}id,name,email,link\r\nAnn Lee,Ann Lee,,https://example.org/w1/{}\r\n王五,王五,,https://example.org/w1/{}\r\n",
        names[0], names[1]
    );
    assert_eq!(links, expected);
    for (name, [own, other]) in names.iter().zip([["Ann Lee", "王五"], ["王五", "Ann Lee"]]) {
        assert_eq!(name.len(), 32 + ".html".len(), "{name}");
        let page = fs::read_to_string(room.path("web/pages").join(name)).unwrap();
        assert!(
            page.contains(&format!("<h1>{own}")) && !page.contains(other),
            "{page}"
        );
        assert!(
            !page.contains("<a href=\"http") && !page.contains(".html"),
            "{page}"
        );
    }
    assert_eq!(fs::read_dir(room.path("web/pages")).unwrap().count(), 2);
    assert_eq!(write("elsewhere"), links);
    fs::remove_file(room.path(".grader/links.key")).unwrap();
    assert!(write("web") != links);
    assert_eq!(fs::read_dir(room.path("web/pages")).unwrap().count(), 2);
}

#[test]
fn what_a_command_needs_is_checked_before_anything_runs() {
    let room = ann_and_bob().file("file", "").file(
        "sheet.csv",
        "Identifier,Grade,Maximum Grade\nParticipant 1,,20\n",
    );
    for (line, message) in [
        (
            "grade class -a ./squares --json - --csv -",
            "two reports would go to `-`",
        ),
        (
            "grade class -a ./squares --html file",
            "expected a folder, but `file` is a file",
        ),
        (
            "grade class -a ./squares --csv class",
            "cannot write `class`: is a directory",
        ),
        (
            "gradebook none.csv -o out.csv",
            "cannot read `none.csv`: No such file or directory (os error 2)",
        ),
        (
            "gradebook sheet.csv",
            "the following required arguments were not provided:\n  --output <OUT>",
        ),
        (
            "report --web https://example.org",
            "the following required arguments were not provided:\n  --feedback <FOLDER>",
        ),
    ] {
        let ran = room.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        let begins = format!("error: {message}\n");
        assert!(ran.stderr.starts_with(&begins), "{}", ran.stderr);
        assert!(!room.path(".grader").exists());
    }
    assert_eq!(grade(&room, &[]).status, 0);
    for (line, message) in [
        (
            "report --gradescope -",
            "`--gradescope` is about one student: name the student with `--student ID`",
        ),
        (
            "gradebook sheet.csv -o out.csv",
            "`sheet.csv`: the maximum grade is 20, but the assignment has 10 points and 2 bonus points; \
             set the maximum to 10, or scale the points to 20 with `--scale`",
        ),
        (
            "report --feedback file",
            "expected a folder, but `file` is a file",
        ),
    ] {
        let ran = room.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{line}");
        let ends = format!("error: {message}\n");
        assert!(ran.stderr.ends_with(&ends), "{}", ran.stderr);
    }
    assert!(!room.path("out.csv").exists());
}

#[test]
fn every_student_gets_a_file_of_their_own() {
    let room = ann_and_bob();
    assert_eq!(grade(&room, &[]).status, 0);
    let others = room.run(&["report", "class", "--feedback", "squares"]);
    assert_eq!(
        (others.status, others.stderr.lines().last()),
        (
            2,
            Some("error: `squares` has other files: expected a new or empty folder")
        )
    );
    room.run(&["report", "class", "-q", "--feedback", "texts/of/all"]);
    let ran = room.run(&["report", "class", "-q", "--feedback", "texts/of/all"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "")
    );
    let text = fs::read_to_string(room.path("texts/of/all/bob.txt")).unwrap();
    assert!(text.contains("bob: 3.33 of 10 points"), "{text}");
    assert!(!text.contains("ann"), "{text}");
}

#[test]
fn no_points_are_exported_while_some_are_not_known() {
    let room = ann_and_bob()
        .file("class/eve/square.zip", "PK\x03\x04 cut off")
        .file("grades.csv", brightspace(""));
    let withheld = "error: no points are written: 2 submissions are not scored yet: eve square, eve one\n\
                    `grader report` says what to do; `--allow-unscored` leaves their cells empty\n";
    let ran = grade(&room, &["--csv", "points.csv"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (3, withheld));
    assert!(ran.stdout.contains("eve"), "{}", ran.stdout);
    assert!(!room.path("points.csv").exists());
    let run = "run 1 of `class`, from `.grader/ledger.db`\n";
    let book = ["gradebook", "grades.csv", "-o", "-"];
    let ran = room.run(&book);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr),
        (3, "", format!("{run}{withheld}"))
    );
    let ran = room.run(&[&book[..], &["--allow-unscored"]].concat());
    assert_eq!((ran.status, ran.stdout), (3, brightspace("10")));
    let ran = room.run(&["report", "class", "--csv", "-", "--allow-unscored"]);
    assert_eq!(ran.status, 3);
    let eve = ran.stdout.lines().find(|line| line.starts_with("eve"));
    let eve = eve.and_then(|line| line.rsplit_once(",squares/class-"));
    let eve = eve.map(|(line, _)| line);
    assert_eq!(eve, Some("eve,,,,,,,,no,0,"), "{}", ran.stdout);
    // What lists them is always written.
    for arguments in [
        &["report", "class"][..],
        &["report", "class", "--json", "-"],
        &["report", "class", "--junit", "-"],
        &["report", "class", "--markdown", "-"],
        &["report", "class", "--github"],
    ] {
        let ran = room.run(arguments);
        assert_eq!((ran.status, ran.stderr.as_str()), (3, run), "{arguments:?}");
        assert!(ran.stdout.contains("eve"), "{}", ran.stdout);
    }
}

#[test]
fn a_step_of_github_gets_a_summary_beside_its_annotations() {
    let room = ann_and_bob().file("summary.md", "before\n").folder("taken");
    assert_eq!(grade(&room, &[]).status, 0);
    let summary = room.path("summary.md");
    let room = room.env("GITHUB_STEP_SUMMARY", summary.to_str().unwrap());
    let ran = room.run(&["report", "-q", "--github"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error "), "{}", ran.stdout);
    let page = fs::read_to_string(summary).unwrap();
    assert!(
        page.starts_with("before\n") && page.contains("ann"),
        "{page}"
    );
    // They are not lost with it.
    let room = room.env("GITHUB_STEP_SUMMARY", "taken");
    let ran = room.run(&["report", "-q", "--github"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error "), "{}", ran.stdout);
    let message = "cannot write the step summary (`$GITHUB_STEP_SUMMARY`): ";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn in_a_log_of_github_no_text_of_a_student_is_a_command() {
    let room = squares()
        .keeping()
        .file("class/::error::x/square.c", WRONG)
        .file("class/a/square.c", SQUARE)
        .env("GITHUB_ACTIONS", "true");
    for (arguments, count) in [
        (&GRADE[..], 0),
        (&["report", "--markdown", "-"], 0),
        (&["report", "-q", "--github"], 3),
    ] {
        let ran = room.run(arguments);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let lines = || ran.stdout.lines().chain(ran.stderr.lines());
        assert!(lines().any(|line| line.contains("error")), "{arguments:?}");
        let commands: Vec<&str> = lines()
            .filter(|line| line.trim_start().starts_with("::"))
            .collect();
        assert_eq!(commands.len(), count, "{commands:?}");
        // In our own commands the student's name is only a property.
        assert!(
            commands.iter().all(|it| !it.contains("::error::")),
            "{commands:?}"
        );
    }
}

#[test]
fn the_work_of_one_student_is_a_class_of_one_and_needs_no_name() {
    let room = squares().keeping().file("alone/square.c", SQUARE);
    let grade = "grade alone --layout one -a ./squares --ledger one.db";
    let ran = room.run(&grade.split(' ').collect::<Vec<_>>());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let ran = room.run(&["report", "--gradescope", "-", "--ledger", "one.db"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("\"score\": 10"), "{}", ran.stdout);
}
