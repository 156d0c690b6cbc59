//! Gradescope: "Export Submissions", and the folder in which its autograder runs.
//!
//! The export has a folder `submission_123456` for each submission, and `submission_metadata.yml`, which says who made it:
//!
//! ```yaml
//! submission_123456:
//!   :submitters:
//!   - :name: Ada Lovelace
//!     :sid: '1001'
//!     :email: ada@example.org
//!   :created_at: …
//! ```
//!
//! The results of earlier gradings follow, of any size and shape. Only the lines of submitters are read, by their
//! indentation; a value in another form of YAML (blocks, anchors) is left out. No YAML library: the file can have tens of
//! MiB, of which we need a few lines for each student.
//!
//! The autograder finds `submission_metadata.json` beside the folder `submission/`
//! (<https://gradescope-autograders.readthedocs.io/en/latest/submission_metadata/>).

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use grader_model::{Person, System, Text, escaped_name};
use serde_json::Value;

use crate::identity::is_number;
use crate::reason;
use crate::submitter::{Entry, Listing, Sorted, Submitter};

/// The file that says who made each submission.
const METADATA: &str = "submission_metadata.yml";
/// Bytes of a line that are looked at. Names are short; results of earlier gradings need not be.
const MAX_LINE_BYTES: u64 = 1000;
/// The earlier results in the autograder's metadata can be long.
const MAX_JSON_BYTES: u64 = 64 << 20;

/// Whether an entry can only be from Gradescope.
pub(crate) fn is_part(entry: &Entry) -> bool {
    entry.name == METADATA || number(entry).is_some()
}

/// The number of a submission's folder or archive.
fn number(entry: &Entry) -> Option<&str> {
    let number = entry.stem().strip_prefix("submission_")?;
    (is_number(number) && !entry.is_file()).then_some(number)
}

pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    let mut sorted = Sorted::default();
    let entries = || listing.entries.iter().enumerate();
    let metadata = entries().find(|(_, entry)| entry.name == METADATA);
    let people = metadata.and_then(|(place, _)| submitters((listing.read)(place).ok()?).ok());
    let people = people.unwrap_or_default();
    for (place, entry) in entries().filter(|(_, entry)| entry.name != METADATA) {
        let Some(number) = number(entry) else {
            sorted.unused.push((place, reason::not_of_layout()));
            continue;
        };
        let made = people.get(number);
        let team = made.map_or(&[][..], |made| &made.team);
        for mut submitter in of_team(team, entry.stem()) {
            submitter.submitted = made.and_then(|made| made.created_at.clone());
            if team.is_empty() {
                submitter.notes.push(Text::new(
                    format!("`{METADATA}` does not name the student"),
                    format!("`{METADATA}` 未说明提交者"),
                ));
            }
            submitter.team = (team.len() > 1).then(|| format!("{OF_SUBMISSION}{number}"));
            submitter.number = Some(number.to_owned());
            submitter.set_id(System::Gradescope, number);
            submitter.take(place, entry);
            sorted.submitters.push(submitter);
        }
    }
    sorted
}

/// The members of a team, each with a note that names the others; without members somebody who is `unknown`.
fn of_team(team: &[Person], unknown: &str) -> Vec<Submitter> {
    let called = |person: &Person| person.name.clone().or_else(|| person.email.clone());
    let member = |person: &Person| {
        let name = called(person).or_else(|| person.ids.get(&System::Sis).cloned());
        let mut submitter = Submitter::new(name.as_deref().unwrap_or(unknown));
        submitter.person = Some(person.clone());
        if team.len() > 1 {
            let members: Vec<String> = team.iter().filter_map(called).collect();
            submitter.notes.push(reason::together(&members));
        }
        submitter
    };
    if team.is_empty() {
        return vec![Submitter::new(unknown)];
    }
    team.iter().map(member).collect()
}

/// Who made a submission, and when.
#[derive(Default)]
struct Made {
    team: Vec<Person>,
    created_at: Option<String>,
}

/// Who made each submission, by its number.
fn submitters(file: impl Read) -> io::Result<BTreeMap<String, Made>> {
    let mut found: BTreeMap<String, Made> = BTreeMap::new();
    let mut submission = None;
    let mut is_inside = false;
    let mut from = BufReader::new(file);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let mut begin = from.by_ref().take(MAX_LINE_BYTES);
        if begin.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(found);
        }
        if !bytes.ends_with(b"\n") {
            from.skip_until(b'\n')?;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end();
        if !line.starts_with([' ', '-']) {
            let key = line.strip_suffix(':').unwrap_or_default();
            submission = key.strip_prefix("submission_").map(str::to_owned);
            is_inside = false;
        } else if let Some(key) = line.strip_prefix("  :") {
            is_inside = key == "submitters:";
            if let (Some(number), Some(time)) = (&submission, key.strip_prefix("created_at:")) {
                found.entry(number.clone()).or_default().created_at = scalar(time);
            }
        } else if let Some(submission) = submission.as_ref().filter(|_| is_inside) {
            let people = &mut found.entry(submission.clone()).or_default().team;
            let first = line.strip_prefix("  - :");
            if first.is_some() {
                people.push(Person::default());
            }
            let pair = first.or(line.strip_prefix("    :"));
            if let (Some(person), Some(pair)) = (people.last_mut(), pair)
                && let Some((key, value)) = pair.split_once(':')
                && let Some(value) = scalar(value)
            {
                match key {
                    "name" => person.name = Some(value),
                    "email" => person.email = Some(value),
                    "sid" => drop(person.ids.insert(System::Sis, value)),
                    _ => {}
                }
            }
        }
    }
}

/// A plain or quoted value, escaped; `None` if it is empty or of another form.
fn scalar(value: &str) -> Option<String> {
    let value = value.trim();
    let value = if let Some(quoted) = value.strip_prefix('\'') {
        quoted.strip_suffix('\'')?.replace("''", "'")
    } else if value.starts_with('"') {
        // JSON reads what Ruby writes in double quotes, except `\x` and `\e`.
        serde_json::from_str(value).ok()?
    } else if value.starts_with(['&', '*', '|', '>', '!', '{', '[', '#', '%', '@', '`']) {
        return None;
    } else {
        value.to_owned()
    };
    let is_nothing = value.is_empty() || value == "~" || value == "null";
    (!is_nothing).then(|| escaped_name(value.as_bytes()))
}

/// Teams without a name are called by this and the number of their submission.
pub const OF_SUBMISSION: &str = "submission ";
/// The name of a student of whom nothing is known.
pub const UNNAMED: &str = "submission";

/// The one student of the folder `submission/` that the autograder was given; without readable metadata the one who is named.
pub fn harness_submitter(metadata: Option<Box<dyn Read>>, named: Option<&str>) -> Submitter {
    let read = |file: Box<dyn Read>| {
        serde_json::from_reader(BufReader::new(file.take(MAX_JSON_BYTES))).ok()
    };
    let metadata: Value = metadata.and_then(read).unwrap_or_default();
    let text = |value: &Value| value.as_str().map(|text| escaped_name(text.as_bytes()));
    let person = |user: &Value| Person {
        name: text(&user["name"]),
        email: text(&user["email"]),
        ids: BTreeMap::new(),
    };
    let users = metadata["users"].as_array().into_iter().flatten();
    let team: Vec<Person> = users.map(person).collect();
    let named = named.filter(|it| !it.trim().is_empty());
    let mut submitter = of_team(&team, named.unwrap_or(UNNAMED)).swap_remove(0);
    submitter.team = (team.len() > 1).then(|| format!("{OF_SUBMISSION}{}", metadata["id"]));
    if let Some(id) = metadata["id"].as_u64() {
        submitter.set_id(System::Gradescope, id.to_string());
    }
    submitter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_long_line_is_no_line() {
        let long = "x".repeat(MAX_LINE_BYTES as usize);
        let text = format!("{long}submission_1:\n  :submitters:\n  - :name: Eve\n");
        assert!(submitters(text.as_bytes()).unwrap().is_empty());
    }

    #[test]
    fn submitters_are_read_and_the_rest_is_not() {
        let people = submitters(
            "---\nsubmission_1:\n  :submitters:\n  - :name: 张三\n    :sid: '007'\n    :email: z@example.org\n  \
             :created_at: 2026-04-26 17:34:00 Z\n  :results:\n    tests:\n    - :name: not me\n    output: |-\n      \
             submission_9:\nsubmission_2:\n  :submitters:\n  - :name: 'O''Brien'\n    :sid: \n  - :name: \"Zo\\u00eb \\\"Z\\\"\"\n    \
             :email: &anchor x\n  :score: 1.0\nsubmission_3:\n  :submitters: []\n"
                .as_bytes(),
        )
        .unwrap();
        let mut shown = Vec::new();
        for (number, made) in &people {
            for Person { name, email, ids } in &made.team {
                let cells = [name.as_ref(), email.as_ref(), ids.get(&System::Sis)];
                shown.push((number.as_str(), cells.map(|it| it.map(String::as_str))));
            }
        }
        assert_eq!(
            shown,
            [
                ("1", [Some("张三"), Some("z@example.org"), Some("007")]),
                ("2", [Some("O'Brien"), None, None]),
                ("2", [Some("Zoë \"Z\""), None, None]),
            ]
        );
        let created_at = people["1"].created_at.as_deref();
        assert_eq!(created_at, Some("2026-04-26 17:34:00 Z"));
    }
}
