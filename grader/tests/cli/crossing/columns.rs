//! What is done with a class.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::rows::Row;
use crate::harness::Ran;

/// The points of students by their ids, as text.
type Shown = BTreeMap<String, String>;

/// What a column shows of a row.
pub(crate) struct Seen {
    pub(crate) status: i32,
    /// Whether all is well, if the column shows nobody's points.
    pub(crate) holds: Option<bool>,
    /// Whether its exit status tells that points are open.
    pub(crate) tells_open: bool,
    pub(crate) points: Shown,
    pub(crate) said: String,
}

/// A column, and what shows it.
type Column = (&'static str, fn(&Row) -> Seen);

/// The columns in their order: the first fills the ledger.
pub(crate) const COLUMNS: &[Column] = &[
    ("grade", grade),
    ("grade again", grade),
    ("grade after a change", grade_after_a_change),
    ("verify", verify),
    ("stress", stress),
    ("audit", audit),
    ("bundle, then test", bundle_then_test),
    ("table", table),
    ("json", json),
    ("csv", csv),
    ("markdown", markdown),
    ("junit", junit),
    ("page of the class", class_page),
    ("pages of students", student_pages),
    ("github", github),
    ("gradescope", gradescope),
    ("feedback", feedback),
    ("gradebook", gradebook),
    ("replay", replay),
    ("merge of two shards", merge),
    ("term", term),
];

fn run(row: &Row, line: &str) -> Ran {
    row.room.run(&line.split(' ').collect::<Vec<_>>())
}

fn seen(ran: Ran, points: Shown) -> Seen {
    Seen {
        status: ran.status,
        holds: None,
        tells_open: true,
        points,
        said: ran.stdout + &ran.stderr,
    }
}

/// A command that shows nobody's points.
fn held(ran: Ran, holds: bool) -> Seen {
    Seen {
        holds: Some(holds),
        ..seen(ran, Shown::new())
    }
}

/// Points as the row has them: formats differ in how they say that there are none, and escape signs.
fn plain(text: &str) -> String {
    let text = text.replace("&#46;", ".").replace("&#63;", "?");
    let text = text.replace("&#43;", "+").replace(' ', "");
    match text.as_str() {
        _ if text.ends_with('?') || text.starts_with("notscoredyet") => "?".to_owned(),
        _ if text.starts_with("excused") => "EX".to_owned(),
        _ => text,
    }
}

fn graded(row: &Row, more: &[&str]) -> Ran {
    let begin = ["grade", "class", "-a", "./asg", "--quiet"];
    row.room.run(&[&begin[..], row.arguments, more].concat())
}

/// The points in a JSON report.
fn in_json(results: &str) -> Shown {
    let results: Value = serde_json::from_str(results).unwrap_or_default();
    let students = results["students"].as_array().cloned().unwrap_or_default();
    let pair = |student: &Value| {
        let problem = &student["problems"][0];
        let adjustments = problem["adjustments"].as_array();
        let is_excused =
            adjustments.is_some_and(|all| all.iter().any(|it| it["kind"] == "excused"));
        let points = match (&student["points"], &student["bonus"]) {
            (Value::Null, _) if is_excused => "EX".to_owned(),
            (Value::Null, _) => "?".to_owned(),
            (points, bonus) if bonus == 0 => points.to_string(),
            (points, bonus) => format!("{points}+{bonus}"),
        };
        Some((student["id"].as_str()?.to_owned(), points))
    };
    students.iter().filter_map(pair).collect()
}

fn grade(row: &Row) -> Seen {
    let ran = graded(row, &["--json", "-"]);
    let points = in_json(&ran.stdout);
    seen(
        Ran {
            stdout: String::new(),
            ..ran
        },
        points,
    )
}

/// One submission changes in nothing that matters, so that only it is judged again.
fn grade_after_a_change(row: &Row) -> Seen {
    for path in ["cy", "asg-cs-cy"].map(|it| row.room.path(&format!("class/{it}/{}", row.file))) {
        if let Ok(text) = fs::read_to_string(&path) {
            fs::write(&path, text + "\n").unwrap();
        }
    }
    grade(row)
}

fn verify(row: &Row) -> Seen {
    let ran = run(row, "verify asg");
    let holds = ran.status == 0;
    held(ran, holds)
}

/// A student's own copy of what is handed in.
fn work(row: &Row, id: &str) -> String {
    if row.is_project {
        format!("work/{id}")
    } else {
        format!("work/{id}/{}", row.file)
    }
}

/// The right program has no difference, and that of Cy has one on 7 only.
fn stress(row: &Row) -> Seen {
    let of = |id| format!("stress {} -a ./asg --time 600", work(row, id));
    let right = run(row, &of("ada"));
    if right.status != 0 {
        return held(right, false);
    }
    let lucky = run(row, &of("cy"));
    let holds = lucky.status == 1 && lucky.stdout.starts_with("✗ n = 7 ");
    held(lucky, holds)
}

/// Of all accepted programs, that of Cy is wrong.
fn audit(row: &Row) -> Seen {
    let ran = run(row, "audit class -a ./asg --time 600");
    let file = if row.is_project { "" } else { row.file };
    let found = [
        format!("cy · twice · {file}"),
        "\n✗ n = 7 ".to_owned(),
        "\n1 of ".to_owned(),
    ];
    let holds = ran.status == 1 && found.iter().all(|it| ran.stdout.contains(it));
    held(ran, holds)
}

/// With the kit, students get the same verdicts.
fn bundle_then_test(row: &Row) -> Seen {
    let bundle = run(row, "bundle -a ./asg -o kit");
    if bundle.status != 0 {
        return held(bundle, false);
    }
    let right = run(row, &format!("test {} -a ./kit", work(row, "ada")));
    let half = run(row, &format!("test {} -a ./kit", work(row, "bob")));
    let holds = right.status == 0 && half.status == 1;
    let said = right.stdout + &half.stdout;
    held(
        Ran {
            stdout: said,
            ..bundle
        },
        holds,
    )
}

/// The first word and the last cell of each line of a table.
fn last_cells(text: &str, between: &str) -> Shown {
    let pair = |line: &str| {
        let cells = line.split(between).map(|it| it.trim_matches(['|', ' ']));
        let cells: Vec<&str> = cells.filter(|it| !it.is_empty()).collect();
        let id = cells.first()?.split(' ').next()?;
        Some((id.to_lowercase(), plain(cells.last()?)))
    };
    text.lines().filter_map(pair).collect()
}

fn table(row: &Row) -> Seen {
    let ran = run(row, "report class");
    let points = last_cells(ran.stdout.split("\ngraded ").next().unwrap_or(""), "  ");
    seen(ran, points)
}

fn json(row: &Row) -> Seen {
    let ran = run(row, "report class --json -");
    let points = in_json(&ran.stdout);
    seen(
        Ran {
            stdout: String::new(),
            ..ran
        },
        points,
    )
}

fn csv(row: &Row) -> Seen {
    let ran = run(row, "report class --csv -");
    let mut rows = ran
        .stdout
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let heading = rows.next().unwrap_or_default();
    let column = |name| heading.iter().position(|it| *it == name).unwrap_or(0);
    let (total, bonus) = (column("points"), column("bonus"));
    let pair = |cells: Vec<&str>| {
        let more = cells.get(bonus).filter(|it| !["", "0"].contains(it));
        let more = more.map(|it| format!("+{it}")).unwrap_or_default();
        Some((
            (*cells.first()?).to_owned(),
            plain(&format!("{}{more}", cells.get(total)?)),
        ))
    };
    let points = rows.filter_map(pair).collect();
    seen(ran, points)
}

fn markdown(row: &Row) -> Seen {
    let ran = run(row, "report class --markdown -");
    let table = ran.stdout.split("<details>").next().unwrap_or("");
    let points = last_cells(table, " | ");
    seen(ran, points)
}

fn junit(row: &Row) -> Seen {
    let ran = run(row, "report class --junit -");
    let suite = |text: &str| {
        let id = between(text, "\"asg.twice.", "\"")?;
        let points = between(text, "name=\"points\" value=\"", "\"").unwrap_or("");
        Some((id.to_owned(), plain(points)))
    };
    let suites = ran.stdout.split("<testsuite name=").skip(1);
    let points = suites.filter_map(suite).collect();
    seen(ran, points)
}

/// Who has lost points has an annotation, and who has not has no error.
fn github(row: &Row) -> Seen {
    let ran = run(row, "report class -q --github");
    let full = row.max.to_string();
    let pair = |(id, points): &(&str, &str)| {
        let title = format!(" title={id} ");
        let of_student = |line: &&str| line.contains(&title);
        let has = |level: &str| {
            ran.stdout
                .lines()
                .filter(of_student)
                .any(|it| it.starts_with(level))
        };
        let agrees = match *points {
            "EX" => !has("::"),
            "?" => has("::"),
            _ if *points == full || points.ends_with(&format!("+{full}")) => !has("::"),
            _ => has("::"),
        };
        let shown = if agrees { points } else { "the contrary" };
        ((*id).to_owned(), shown.to_owned())
    };
    let points = row.points.iter().map(pair).collect();
    seen(ran, points)
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(begin)?;
    Some(rest.split_once(end)?.0)
}

fn class_page(row: &Row) -> Seen {
    let ran = run(row, "report class --html pages");
    let page = fs::read_to_string(row.room.path("pages/index.html")).unwrap_or_default();
    let pair = |text: &str| {
        let id = between(text, "<a href=\"staff/", ".html")?;
        let total = between(text, "<td class=\"total\">", "<")?;
        Some((id.to_owned(), plain(total)))
    };
    let points = page
        .split("<tr data-row=")
        .skip(1)
        .filter_map(pair)
        .collect();
    seen(ran, points)
}

/// The points in the first sentence about each student: `5 of 10 points`.
fn of_each(row: &Row, sentence: impl Fn(&str) -> String) -> Shown {
    let pair = |(id, _): &(&str, &str)| {
        let sentence = sentence(id);
        let points = sentence.split(" of ").next().unwrap_or("");
        ((*id).to_owned(), plain(points))
    };
    row.points.iter().map(pair).collect()
}

fn student_pages(row: &Row) -> Seen {
    let ran = run(row, "report class --html pages");
    let points = of_each(row, |id| {
        let path = row.room.path(&format!("pages/students/{id}.html"));
        let page = fs::read_to_string(path).unwrap_or_default();
        between(&page, "<p class=\"score\">", "<")
            .unwrap_or("no page")
            .to_owned()
    });
    seen(ran, points)
}

fn feedback(row: &Row) -> Seen {
    let ran = run(row, "report class --feedback feedback");
    let points = of_each(row, |id| {
        let path = row.room.path(&format!("feedback/{id}.txt"));
        let text = fs::read_to_string(path).unwrap_or_default();
        let first = text.lines().next().unwrap_or("no text");
        first.split_once(": ").map_or(first, |it| it.1).to_owned()
    });
    seen(ran, points)
}

fn gradescope(row: &Row) -> Seen {
    let mut said = String::new();
    let points = of_each(row, |id| {
        let ran = run(row, &format!("report class --gradescope - --student {id}"));
        let result: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let output = result["output"].as_str().unwrap_or("no output");
        let first = output.lines().next().unwrap_or("");
        first.split_once(": ").map_or(first, |it| it.1).to_owned()
    });
    let ran = run(row, "report class --gradescope - --student ada");
    said += &ran.stdout;
    Seen {
        tells_open: false,
        said,
        ..seen(ran, points)
    }
}

const BOOK: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Assignment (7)
    Points Possible,,,,,MAX
\"A, Ada\",1,,ada,X,
\"B, Bob\",2,,bob,X,
\"C, Cy\",3,,cy,X,
\"D, Dan\",4,,dan,X,
";

fn gradebook(row: &Row) -> Seen {
    let book = BOOK.replace("MAX", &row.max.to_string());
    fs::write(row.room.path("book.csv"), book).unwrap();
    let ran = run(row, "gradebook book.csv class -o filled.csv");
    let filled = fs::read_to_string(row.room.path("filled.csv")).unwrap_or_default();
    let pair = |line: &str| {
        let cells: Vec<&str> = line.rsplit(',').collect();
        Some(((*cells.get(2)?).to_owned(), plain(cells.first()?)))
    };
    let points = filled.lines().skip(2).filter_map(pair).collect();
    seen(ran, points)
}

/// Nobody's result has changed.
fn replay(row: &Row) -> Seen {
    let ran = run(row, "replay class -a ./asg");
    let holds = ran.status == 0 && ran.stdout.contains("No result changed");
    held(ran, holds)
}

fn merge(row: &Row) -> Seen {
    for number in ["1", "2"] {
        let (shard, ledger) = (format!("{number}/2"), format!("{number}.db"));
        let ran = graded(row, &["--shard", &shard, "--ledger", &ledger]);
        if ![0, 3].contains(&ran.status) {
            return seen(ran, Shown::new());
        }
    }
    let merged = run(row, "merge 1.db 2.db -o whole.db");
    if merged.status != 0 {
        return seen(merged, Shown::new());
    }
    let ran = run(row, "report --ledger whole.db --json -");
    let points = in_json(&ran.stdout);
    seen(
        Ran {
            stdout: String::new(),
            ..ran
        },
        points,
    )
}

/// The percentages of a course of one class, as points.
fn term(row: &Row) -> Seen {
    let course = "format = 1\n[[part]]\nname = \"All\"\nweight = 100\nclasses = [\"class\"]\n";
    fs::write(row.room.path("course.toml"), course).unwrap();
    let ran = run(row, "report course.toml");
    let points = |percent: String| match percent.parse::<f64>() {
        Ok(percent) => format!("{}", (percent * f64::from(row.max)).round() / 100.0),
        Err(_) => percent,
    };
    let all = last_cells(&ran.stdout, "  ").into_iter();
    let all = all.map(|(id, percent)| (id, points(percent))).collect();
    seen(ran, all)
}
