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

use grader_model::{Person, System, Text, escaped};
use serde::Deserialize;
use serde_json::Value;

use crate::reason;
use crate::submitter::{Entry, Listing, Sorted, Submitter, is_number};

/// The file that says who made each submission.
pub(crate) const METADATA: &str = "submission_metadata.yml";
/// Bytes of a line that are looked at. Names are short; results of earlier gradings need not be.
const MAX_LINE_BYTES: u64 = 1000;
/// The earlier results in the autograder's metadata can be long.
const MAX_JSON_BYTES: u64 = 64 << 20;

/// The number of a submission's folder or archive.
pub(crate) fn number(entry: &Entry) -> Option<&str> {
    let number = entry.stem().strip_prefix("submission_")?;
    (is_number(number) && !entry.is_file()).then_some(number)
}

pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut people = BTreeMap::new();
    for (index, entry) in listing.entries.iter().enumerate() {
        if entry.name == METADATA {
            match (listing.read)(index).and_then(|file| submitters(BufReader::new(file))) {
                Ok(read) => people = read,
                Err(error) => {
                    let reason = Text::new(
                        format!("cannot be read: {error}"),
                        format!("无法读取：{error}"),
                    );
                    sorted.unused.push((index, reason));
                }
            }
        }
    }
    for (index, entry) in listing.entries.iter().enumerate() {
        if entry.name == METADATA {
            continue;
        }
        let Some(number) = number(entry) else {
            sorted.unused.push((index, reason::not_of_layout()));
            continue;
        };
        let unknown = format!("submission_{number}");
        let team = people.get(number).map(Vec::as_slice).unwrap_or_default();
        if team.is_empty() {
            let mut submitter = Submitter::new(unknown.as_str());
            submitter.notes.push(Text::new(
                format!("`{METADATA}` does not name the student"),
                format!("`{METADATA}` 未说明提交者"),
            ));
            submitter.set_id(System::Gradescope, number);
            submitter.take(index, entry);
            sorted.submitters.push(submitter);
        }
        for member in 0..team.len() {
            let mut submitter = of_team(team, member, &unknown);
            submitter.number = Some(number.to_owned());
            submitter.set_id(System::Gradescope, number);
            submitter.take(index, entry);
            sorted.submitters.push(submitter);
        }
    }
    sorted
}

/// A member of a team, with a note that names the others.
fn of_team(team: &[Person], member: usize, unknown: &str) -> Submitter {
    let called = |person: &Person| person.name.clone().or_else(|| person.email.clone());
    let person = &team[member];
    let name = called(person).or_else(|| person.ids.get(&System::Sis).cloned());
    let mut submitter = Submitter::new(name.unwrap_or_else(|| unknown.to_owned()));
    submitter.person = Some(person.clone());
    let others = team
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != member);
    let others: Vec<String> = others.filter_map(|(_, person)| called(person)).collect();
    if !others.is_empty() {
        submitter.notes.push(Text::new(
            format!("submitted together with {}", others.join(", ")),
            format!("与 {} 共同提交", others.join("、")),
        ));
    }
    submitter
}

/// The submitters of each submission, by its number.
fn submitters(mut from: impl BufRead) -> io::Result<BTreeMap<String, Vec<Person>>> {
    let mut found: BTreeMap<String, Vec<Person>> = BTreeMap::new();
    let mut submission: Option<String> = None;
    let mut is_inside = false;
    let mut line = Vec::new();
    while next_line(&mut from, &mut line)? {
        let Ok(line) = str::from_utf8(&line) else {
            continue;
        };
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        let text = text.trim_end();
        if indent == 0 {
            if !text.starts_with('-') || text == "---" {
                let key = text
                    .strip_suffix(':')
                    .map(|it| it.trim_matches(['"', '\'']));
                let number = key.and_then(|key| key.strip_prefix("submission_"));
                submission = number.map(str::to_owned);
                is_inside = false;
            }
            continue;
        }
        let Some(submission) = &submission else {
            continue;
        };
        if indent <= 2 && !text.starts_with('-') {
            is_inside = pair(text).is_some_and(|(key, _)| key == "submitters");
            continue;
        }
        if !is_inside || indent > 6 {
            continue;
        }
        let people = found.entry(submission.clone()).or_default();
        let text = match text.strip_prefix('-') {
            Some(first) => {
                people.push(Person::default());
                first.trim_start()
            }
            None => text,
        };
        if let (Some(person), Some((key, value))) = (people.last_mut(), pair(text))
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
    Ok(found)
}

/// Reads the beginning of the next line, without its end; whether there was one.
fn next_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let count = from.take(MAX_LINE_BYTES).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else {
        from.skip_until(b'\n')?;
    }
    Ok(count > 0)
}

/// Key and value of `:key: value`, with or without the first colon.
fn pair(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(':').unwrap_or(text).split_once(':')
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
    (!is_nothing).then(|| escaped(value.as_bytes()))
}

/// What we read of the autograder's metadata.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    id: Value,
    users: Vec<Value>,
}

/// The one student whose folder `submission/` the autograder was given; without readable metadata nobody known.
pub fn harness_submitter(metadata: Option<Box<dyn Read>>) -> Submitter {
    const FOLDER: &str = "submission";
    let read = |file| serde_json::from_reader(BufReader::new(file).take(MAX_JSON_BYTES)).ok();
    let Some(metadata) = metadata.and_then(read) else {
        return Submitter::new(FOLDER);
    };
    let Metadata { id, users } = metadata;
    let text = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(escaped(text.as_bytes())),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let team: Vec<Person> = users
        .iter()
        .map(|user| Person {
            name: text(&user["name"]),
            email: text(&user["email"]),
            ids: BTreeMap::new(),
        })
        .collect();
    let mut submitter = if team.is_empty() {
        Submitter::new(FOLDER)
    } else {
        of_team(&team, 0, FOLDER)
    };
    if let Some(id) = text(&id) {
        submitter.set_id(System::Gradescope, id);
    }
    submitter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_long_line_is_kept() {
        let long = io::repeat(b'x').take(1 << 24);
        let text = b"\nsubmission_2:\n  :submitters:\n  - :name: Ada\n".as_slice();
        let mut from = BufReader::new(long.chain(text));
        let mut line = Vec::new();
        assert!(next_line(&mut from, &mut line).unwrap());
        assert_eq!(line, vec![b'x'; MAX_LINE_BYTES as usize]);
        assert!(line.capacity() < 1 << 16);
        let people = submitters(from).unwrap();
        assert_eq!(people["2"][0].name.as_deref(), Some("Ada"));
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
        for (number, people) in &people {
            for Person { name, email, ids } in people {
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
    }
}
