//! What many tests share: an assignment `lab` of one problem, a class of folders, and what each student earned.

use serde_json::Value;

use crate::harness::{Room, problem};

/// Paths with their texts.
pub(crate) type Files<'a> = &'a [(&'a str, &'a str)];

/// What a student earned for a problem.
pub(crate) struct Earned {
    pub(crate) student: String,
    pub(crate) verdict: String,
    /// `?` if they are open.
    pub(crate) points: String,
    pub(crate) message: String,
    pub(crate) files: Vec<String>,
    pub(crate) hints: Vec<String>,
    /// Those on cases.
    pub(crate) on_cases: Vec<String>,
}

impl Room {
    /// Adds the assignment with this problem.
    pub(crate) fn lab(self, id: &str, points: u32, problem: impl AsRef<[u8]>) -> Self {
        let assignment = format!(
            "format = 1\nid = \"lab\"\ntitle = \"Lab\"\n[[problem]]\npath = \"{id}\"\npoints = {points}\n"
        );
        self.file("lab/assignment.toml", assignment)
            .file(&format!("lab/{id}/problem.toml"), problem)
    }

    /// Adds each student's files to the class, in a folder of this name if it has one.
    pub(crate) fn students(self, folder: &str, students: &[(&str, Files<'_>)]) -> Self {
        students.iter().fold(self, |room, (student, files)| {
            files.iter().fold(room, |room, (path, text)| {
                room.file(&format!("class/{student}/{folder}/{path}"), text)
            })
        })
    }
}

/// Grades the class.
pub(crate) fn graded(room: &Room, assignment: &str) -> Value {
    let line = ["grade", "class", "-a", assignment, "--json", "-", "--quiet"];
    room.json(&line).1
}

/// What every student earned for a problem.
pub(crate) fn earned(room: &Room, assignment: &str, id: &str) -> Vec<Earned> {
    let results = graded(room, assignment);
    let all = |it: &Value| it.as_array().unwrap().clone().into_iter();
    let of_student = |student: &Value| {
        let found = problem(student, id);
        let text = |it: Value| it.as_str().unwrap_or_default().to_owned();
        let texts = |it: &Value| -> Vec<String> { all(it).map(text).collect() };
        let cases = all(&found["subtasks"]).flat_map(|it| all(&it["cases"]));
        Earned {
            student: text(student["id"].clone()),
            verdict: text(found["verdict"].clone()),
            points: match &found["points"] {
                Value::Null => "?".to_owned(),
                points => points.to_string(),
            },
            message: text(found["message"].clone()),
            files: texts(&found["files"]),
            hints: texts(&found["hints"]),
            on_cases: cases.flat_map(|it| texts(&it["hints"])).collect(),
        }
    };
    let students = results["students"].as_array().unwrap();
    students.iter().map(of_student).collect()
}

/// These words as one line.
pub(crate) fn line(words: &[&str]) -> String {
    let words: Vec<&str> = words.iter().copied().filter(|it| !it.is_empty()).collect();
    words.join(" ").replace("  ", " ")
}
