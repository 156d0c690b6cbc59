//! What is done with programs.

use std::fs;

use serde_json::{Value, json};

use super::{Seen, held, run};
use crate::crossing::rows::Row;
use crate::harness::Ran;

pub(super) fn check(row: &Row) -> Seen {
    let ran = run(row, "check asg");
    let holds = ran.status == 0 && ran.stdout.contains("no mistakes");
    held(ran, holds)
}

pub(super) fn verify(row: &Row) -> Seen {
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

/// The option that names the student.
fn student(row: &Row, id: &str) -> String {
    if row.has_own_values {
        format!(" --student {id}")
    } else {
        String::new()
    }
}

/// The right program has no difference, and that of Cy has one on 7 only.
pub(super) fn stress(row: &Row) -> Seen {
    let of = |id| {
        let (work, student) = (work(row, id), student(row, id));
        format!("stress {work} -a ./asg --time 600 --json stress-{id}.json{student}")
    };
    let right = run(row, &of("ada"));
    if right.status != 0 {
        return held(right, false);
    }
    let lucky = run(row, &of("cy"));
    let holds = lucky.status == 1 && lucky.stdout.starts_with("✗ n = 7 ");
    held(lucky, holds)
}

/// What `stress` wrote beside its text.
pub(super) fn stress_json(row: &Row) -> Seen {
    let [right, lucky] = ["ada", "cy"].map(|id| document(row, &format!("stress-{id}.json")));
    let is_done = right["tried"] == right["inputs"] && right["problem-fault"].is_null();
    let holds = is_done && !right.is_null() && right["found"].is_null() && is_of_seven(&lucky);
    written(&[right, lucky], holds)
}

/// Of all accepted programs, that of Cy is wrong.
pub(super) fn audit(row: &Row) -> Seen {
    let ran = run(row, "audit class -a ./asg --time 600 --json audit.json");
    let file = if row.is_project { "" } else { row.file };
    let found = [
        format!("cy · twice · {file}"),
        "\n✗ n = 7 ".to_owned(),
        "\n1 of ".to_owned(),
    ];
    let holds = ran.status == 1 && found.iter().all(|it| ran.stdout.contains(it));
    held(ran, holds)
}

/// What `audit` wrote beside its text.
pub(super) fn audit_json(row: &Row) -> Seen {
    let found = document(row, "audit.json");
    let programs = found["programs"].as_array().cloned().unwrap_or_default();
    let (wrong, right): (Vec<_>, Vec<_>) = programs.iter().partition(|it| it["outcome"] == "wrong");
    let is_of_cy = |it: &&Value| it["students"] == json!(["cy"]) && is_of_seven(it);
    let holds = wrong.len() == 1
        && wrong.iter().all(is_of_cy)
        && right
            .iter()
            .all(|it| it["outcome"] == "right" && it["found"].is_null());
    written(&[found], holds)
}

/// Whether a document has the input on which the program of Cy fails.
fn is_of_seven(document: &Value) -> bool {
    let found = &document["found"];
    found["variables"]["n"] == "7" && found["case"]["verdict"] == "WA"
}

/// A document that a column before this one wrote; null if it did not.
fn document(row: &Row, path: &str) -> Value {
    let text = fs::read_to_string(row.room.path(path)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn written(documents: &[Value], holds: bool) -> Seen {
    let status = i32::from(documents.iter().any(Value::is_null));
    let texts = documents.iter().map(|it| match it {
        Value::Null => "no document".to_owned(),
        found => found.to_string(),
    });
    let ran = Ran {
        status,
        stdout: texts.collect::<Vec<_>>().join("\n"),
        stderr: String::new(),
    };
    held(ran, holds)
}

/// With the kit, students get the same verdicts.
pub(super) fn bundle_then_test(row: &Row) -> Seen {
    let kit = |id| if row.has_own_values { id } else { "kit" };
    let mut bundle = run(
        row,
        &format!("bundle -a ./asg -o {}{}", kit("ada"), student(row, "ada")),
    );
    if row.has_own_values {
        bundle = run(row, "bundle -a ./asg -o bob --student bob");
    }
    if bundle.status != 0 {
        return held(bundle, false);
    }
    let of = |id| {
        let (work, kit) = (work(row, id), kit(id));
        format!("test {work} -a ./{kit} --json test-{id}.json")
    };
    let (right, half) = (run(row, &of("ada")), run(row, &of("bob")));
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

/// What `test` wrote beside its text has the cases of the class's results, with the same points.
pub(super) fn test_json(row: &Row) -> Seen {
    let tested = ["ada", "bob"].map(|id| document(row, &format!("test-{id}.json")));
    let graded = run(row, "report class --json -").stdout;
    let graded: Value = serde_json::from_str(&graded).unwrap_or_default();
    let students = graded["students"].as_array().cloned().unwrap_or_default();
    let holds = ["ada", "bob"].iter().zip(&tested).all(|(id, tested)| {
        let own = students.iter().find(|it| it["id"] == *id);
        let own = own.map_or(&Value::Null, |it| &it["problems"][0]);
        let tested = &tested["students"][0]["problems"][0];
        // What counts may be what was handed in before.
        let is_attempt = own["adjustments"].to_string().contains("\"attempt\"");
        let is_last = is_handed_in(row, id) && !is_attempt;
        let is_comparable = own["status"] == "judged" && is_last;
        tested["status"] == "judged" && (!is_comparable || public(tested) == public(own))
    });
    written(&tested, holds)
}

/// Whether what a student has in `work` is what the student submitted.
fn is_handed_in(row: &Row, id: &str) -> bool {
    let own = fs::read(row.room.path(&format!("work/{id}/{}", row.file)));
    let folders = [format!("class/{id}"), format!("class/asg-cs-{id}")];
    let mut submitted = folders
        .map(|it| fs::read(row.room.path(&format!("{it}/{}", row.file))))
        .into_iter();
    let is_gone = !row.room.path("class").exists();
    is_gone || submitted.any(|it| it.is_ok() && it.ok() == own.as_ref().ok().cloned())
}

/// Subtasks that are judged in the open, with their points and the verdicts of their cases.
fn public(problem: &Value) -> Vec<Value> {
    let subtasks = problem["subtasks"].as_array().cloned().unwrap_or_default();
    let is_public = |it: &&Value| it["hidden"] == false && it["manual"].is_null();
    let shown = |subtask: &Value| {
        let cases = subtask["cases"].as_array().cloned().unwrap_or_default();
        let cases = cases.iter().map(|it| json!([it["name"], it["verdict"]]));
        let cases: Vec<_> = cases.collect();
        json!([
            subtask["name"],
            subtask["points"],
            subtask["max-points"],
            cases
        ])
    };
    subtasks.iter().filter(is_public).map(shown).collect()
}
