//! The `result.json` of Classroom 50, by the contract of its autograders (`Advanced-Autograding` in the wiki of
//! `foundation50/classroom50`, 2026-08-16).
//!
//! Scores are whole numbers, so they are hundredths of points, for all students alike. No score is above its maximum, so bonus points only fill up what is missing. The student reads the file, so it is made of the student's own view.
//! Every subtask is a test; other fields of a test than the four of the contract are kept as they are.

use std::io::{self, Write};

use grader_model::{Lang, Points};
use grader_view::{Own, ProblemView};
use serde_json::{Map, Value, json};

use crate::gradescope::rows;
use crate::json::write_value;
use crate::words::Words;

/// What identifies a submission: fields of `result.json`, and the environment variables in which the runner has them.
pub const CLASSROOM50_FIELDS: [(&str, &str); 6] = [
    ("classroom", "CLASSROOM"),
    ("assignment", "ASSIGNMENT"),
    ("submission", "SUBMISSION_TAG"),
    ("commit", "COMMIT_URL"),
    ("release", "RELEASE_URL"),
    ("review", "REVIEW_URL"),
];

/// The schema that a file names.
pub const CLASSROOM50_SCHEMA: &str = "classroom50/result/v1";

/// Writes the result of a student as Classroom 50 reads it, its texts in this language. `values` are those of
/// [`CLASSROOM50_FIELDS`]. `datetime` is a time in UTC (`2026-06-01T14:32:01Z`), which the runner replaces by that of the
/// submission.
///
/// # Errors
/// If points are not known, which must not look like a grade, or `out` cannot be written.
pub fn write_classroom50(
    own: &Own,
    values: &[String],
    datetime: &str,
    lang: Lang,
    out: &mut dyn Write,
) -> io::Result<()> {
    let class = own.view();
    let (student, words) = (&class.students[0], Words::of(lang));
    let points = student.points.points().zip(student.bonus.points());
    let Some((points, bonus)) = points else {
        return Err(io::Error::other("some points are not known yet"));
    };
    let max = class.assignment.points;
    let score = (points + bonus).min(max);
    let tests: Vec<Test> = student
        .problems
        .iter()
        .flat_map(|it| tests(it, words))
        .collect();
    let number = |points: Points| (points.thousandths() + 5) / 10;
    let mut document = Map::new();
    document.insert("schema".to_owned(), CLASSROOM50_SCHEMA.into());
    for ((field, _), value) in CLASSROOM50_FIELDS.iter().zip(values) {
        document.insert((*field).to_owned(), value.as_str().into());
    }
    let tests = tests.into_iter().map(|test| {
        json!({
            "test-name": test.row["name"],
            "passed": test.row["status"] != "failed",
            "score": number(test.score.min(test.max)),
            "max-score": number(test.max),
            "output": test.row["output"],
        })
    });
    let mut document = Value::from(document);
    document["datetime"] = json!(datetime);
    document["score"] = json!(number(score));
    document["max-score"] = json!(number(max));
    document["tests"] = tests.collect();
    write_value(&document, out)
}

/// A row of Gradescope, which is about the same, and its points.
struct Test {
    row: Value,
    score: Points,
    max: Points,
}

fn tests(problem: &ProblemView<'_>, words: Words) -> Vec<Test> {
    let rows = rows(problem, true, words).into_iter();
    let test = |row: Value| {
        let points = |key: &str| {
            let points = row[key].as_f64().filter(|_| !problem.bonus);
            let thousandths = points.map_or(0, |it| (it * 1000.0).round() as u64);
            Points::from_thousandths(thousandths)
        };
        Test {
            score: points("score"),
            max: points("max_score"),
            row,
        }
    };
    rows.map(test).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use crate::snapshots::assert_kept;

    /// The values that the contract of Classroom 50 names.
    const VALUES: [&str; 6] = [
        "cs-principles",
        "hello",
        "submit/2026-06-01T14-32-05Z-a1b2c3d",
        "https://github.com/o/r/commit/a1b2c3d",
        "https://github.com/o/r/releases/tag/submit%2F2026-06-01T14-32-05Z-a1b2c3d",
        "https://github.com/o/r/compare/0...a1b2c3d",
    ];

    /// Students of all kinds; the points of the fourth are not known.
    #[test]
    fn the_files_keep_to_the_contract() {
        let results = sample::with_hostile();
        let values = VALUES.map(str::to_owned);
        for (at, student) in results.students.iter().enumerate() {
            let own = Own::of(&results, student);
            let mut file = Vec::new();
            let time = "2026-06-01T14:33:11Z";
            let written = write_classroom50(&own, &values, time, Lang::En, &mut file);
            if at == 3 {
                let error = written.unwrap_err().to_string();
                assert_eq!(error, "some points are not known yet");
                continue;
            }
            written.unwrap();
            if at == 1 {
                assert_kept("classroom50.mixed.json", &file);
            }
            let result: Value = serde_json::from_slice(&file).unwrap();
            let is_fine = |it: &Value| {
                let [score, max] = ["score", "max-score"].map(|key| it[key].as_u64().unwrap());
                score <= max
            };
            let tests = result["tests"].as_array().unwrap();
            assert!(is_fine(&result) && tests.iter().all(is_fine), "{result}");
            let has_names = |it: &Value| it["test-name"].is_string() && it["passed"].is_boolean();
            assert!(tests.iter().all(has_names), "{result}");
            // A bonus is in the score only.
            let sum: u64 = tests.iter().filter_map(|it| it["score"].as_u64()).sum();
            assert!(result["score"].as_u64() >= Some(sum), "{result}");
        }
    }
}
