//! What is made of results.

use std::fs;

use serde_json::Value;

use super::{Seen, Shown, in_document, plain, run, seen};
use crate::crossing::rows::Row;

/// The first word and the last cell of each line of a table.
pub(super) fn last_cells(text: &str, between: &str) -> Shown {
    let pair = |line: &str| {
        let cells = line.split(between).map(|it| it.trim_matches(['|', ' ']));
        let cells: Vec<&str> = cells.filter(|it| !it.is_empty()).collect();
        let id = cells.first()?.split(' ').next()?;
        Some((id.to_lowercase(), plain(cells.last()?)))
    };
    text.lines().filter_map(pair).collect()
}

pub(super) fn table(row: &Row) -> Seen {
    let ran = run(row, "report class");
    let points = last_cells(ran.stdout.split("\ngraded ").next().unwrap_or(""), "  ");
    seen(ran, points)
}

pub(super) fn json(row: &Row) -> Seen {
    let ran = run(row, "report class --json -");
    in_document(ran)
}

pub(super) fn csv(row: &Row) -> Seen {
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

pub(super) fn markdown(row: &Row) -> Seen {
    let ran = run(row, "report class --markdown -");
    let table = ran.stdout.split("<details>").next().unwrap_or("");
    let points = last_cells(table, " | ");
    seen(ran, points)
}

pub(super) fn junit(row: &Row) -> Seen {
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
pub(super) fn github(row: &Row) -> Seen {
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

pub(super) fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(begin)?;
    Some(rest.split_once(end)?.0)
}

pub(super) fn class_page(row: &Row) -> Seen {
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

/// The points in the first sentence about each student, `5 of 10 points`, in a text that has what is remarked to the student.
fn of_each(row: &Row, text: impl Fn(&str) -> String, sentence: fn(&str) -> &str) -> Shown {
    let pair = |(id, _): &(&str, &str)| {
        let text = text(id);
        let own = row.remark.filter(|(student, _)| student == id);
        let points = match own {
            Some((_, remark)) if !text.contains(remark) => "no remark",
            _ => sentence(&text).split(" of ").next().unwrap_or(""),
        };
        ((*id).to_owned(), plain(points))
    };
    row.points.iter().map(pair).collect()
}

/// What follows the title in the first line.
fn after_title(text: &str) -> &str {
    let first = text.lines().next().unwrap_or("no text");
    first.split_once(": ").map_or(first, |it| it.1)
}

pub(super) fn student_pages(row: &Row) -> Seen {
    let ran = run(row, "report class --html pages");
    let page = |id: &str| {
        let path = row.room.path(&format!("pages/students/{id}.html"));
        fs::read_to_string(path).unwrap_or_default()
    };
    let points = of_each(row, page, |page| {
        between(page, "<p class=\"score\">", "<").unwrap_or("no page")
    });
    seen(ran, points)
}

pub(super) fn feedback(row: &Row) -> Seen {
    let ran = run(row, "report class --feedback feedback");
    let text = |id: &str| {
        let path = row.room.path(&format!("feedback/{id}.txt"));
        fs::read_to_string(path).unwrap_or_default()
    };
    let points = of_each(row, text, after_title);
    seen(ran, points)
}

pub(super) fn gradescope(row: &Row) -> Seen {
    let output = |id: &str| {
        let ran = run(row, &format!("report class --gradescope - --student {id}"));
        let result: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let tests = result["tests"].as_array().cloned().unwrap_or_default();
        let outputs = [&result].into_iter().chain(&tests);
        let outputs = outputs.map(|it| it["output"].as_str().unwrap_or("no output"));
        outputs.collect::<Vec<_>>().join("\n")
    };
    let points = of_each(row, output, after_title);
    let ran = run(row, "report class --gradescope - --student ada");
    Seen {
        tells_open: false,
        ..seen(ran, points)
    }
}

/// Scores are hundredths of points; those that are not known are not written.
pub(super) fn classroom50(row: &Row) -> Seen {
    let points = |id: &str| {
        let ran = run(row, &format!("report class --classroom50 - --student {id}"));
        let result: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let points = result["score"].as_f64().map(|it| it / 100.0);
        points.map_or("?".to_owned(), |it| it.to_string())
    };
    let all = row.points.iter();
    let points = all.map(|(id, _)| ((*id).to_owned(), points(id)));
    let ran = run(row, "report class --classroom50 - --student ada");
    Seen {
        tells_open: false,
        ..seen(ran, points.collect())
    }
}

const BOOK: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Assignment (7)
    Points Possible,,,,,MAX
\"A, Ada\",1,,ada,X,
\"B, Bob\",2,,bob,X,
\"C, Cy\",3,,cy,X,
\"D, Dan\",4,,dan,X,
";

pub(super) fn gradebook(row: &Row) -> Seen {
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
