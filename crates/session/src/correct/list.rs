//! `--list`: the corrections of a class, and what is still to grade by hand.

use std::fmt::Write as _;

use grader_model::{Lang, Results, Teams, called, counted, escaped};
use toml_edit::{DocumentMut, Item, Table};

use super::edit::IsOurs;

/// The keys that say whose correction it is.
const OF: [&str; 6] = [
    "assignment",
    "class",
    "student",
    "problem",
    "subtask",
    "submission",
];

/// A line for each correction, one for each that does not apply, then one for each subtask that is still to grade. What all members of
/// a team have is on one line.
pub(super) fn list(
    files: &[DocumentMut],
    results: &Results,
    is_ours: &IsOurs<'_>,
    lang: Lang,
) -> String {
    let mut lines = String::new();
    let text = |table: &Table, key| {
        let text = table.get(key).and_then(Item::as_str);
        text.map(|text| escaped(text.as_bytes()))
    };
    let mut corrections = Vec::new();
    let tables = files.iter().filter_map(|file| file.get("correction"));
    for table in tables.filter_map(Item::as_array_of_tables).flatten() {
        let own = text(table, "assignment").is_none_or(|id| id == results.assignment.id.as_str());
        let named = |key| table.get(key).and_then(Item::as_str);
        let is_of_class = || match named("student") {
            Some(student) => is_ours(named("class"), student),
            None => named("class").is_none_or(|class| is_ours(Some(class), "")),
        };
        if !own || !is_of_class() {
            continue;
        }
        let of = OF[3..5].iter().filter_map(|key| text(table, key));
        let of: Vec<_> = of.collect();
        let keys = table.iter().filter(|(key, _)| !OF.contains(key));
        let keys = keys.map(|(key, item)| {
            let value = item
                .as_value()
                .map(|it| it.clone().decorated("", "").to_string());
            format!("{key} = {}", escaped(value.unwrap_or_default().as_bytes()))
        });
        let keys: Vec<_> = keys.collect();
        corrections.push((named("student"), of, keys.join(", ")));
    }
    let students = || results.students.iter();
    let find = |id: &str| students().find(|it| it.id.as_str() == id);
    let teams: Teams<'_> = students().map(|it| (&it.id, it.team.as_deref())).collect();
    let whose = |of: &(Option<&str>, Vec<String>, String)| find(of.0?).map(|it| &it.id);
    let is_same = |one: &(_, _, _), two: &(_, _, _)| (&one.1, &one.2) == (&two.1, &two.2);
    for (team, (student, of, keys)) in teams.merge(corrections, whose, is_same) {
        let known = student.and_then(find);
        let own = known.map(|it| called(&it.id, it.person.as_ref()));
        let who = team.map(|it| escaped(it.as_bytes())).or(own);
        let who = who.or_else(|| student.map(|it| escaped(it.as_bytes())));
        let target: Vec<_> = who.into_iter().chain(of).collect();
        let _ = writeln!(lines, "{}: {keys}", target.join(" "));
    }
    let mut open = Vec::new();
    for student in &results.students {
        for remark in &student.remarks {
            let id = escaped(student.id.as_str().as_bytes());
            let remark = escaped(remark.get(lang).as_bytes());
            let _ = writeln!(lines, "{id}: {remark}");
        }
        let problems = student.problems.iter();
        for problem in problems.filter(|it| it.standing().is_by_hand()) {
            for subtask in &problem.subtasks {
                if subtask.standing().is_by_hand() {
                    open.push((student, &problem.id, &subtask.name));
                }
            }
        }
    }
    let is_same = |one: &(_, _, _), two: &(_, _, _)| (one.1, one.2) == (two.1, two.2);
    let open = teams.merge(open, |(student, ..)| Some(&student.id), is_same);
    for (team, (student, problem, subtask)) in &open {
        let to_grade = lang.pick("still to grade", "等待评分");
        let own = || called(&student.id, student.person.as_ref());
        let who = team.map_or_else(own, |it| escaped(it.as_bytes()));
        let _ = writeln!(lines, "{who} {problem} {subtask}: {to_grade}");
    }
    let open = open.len();
    let are = counted(open, "subtask is", "subtasks are");
    let _ = match open {
        0 => writeln!(
            lines,
            "{}",
            lang.pick(
                "Nothing is left to grade by hand.",
                "没有等待人工评分的内容。"
            )
        ),
        _ => writeln!(
            lines,
            "{}",
            lang.pick(
                format!("{are} still to grade."),
                format!("{open} 项等待评分。")
            )
        ),
    };
    lines
}
