//! Gradescope's "export submissions".
//!
//! A folder `submission_123456` for each submission, and `submission_metadata.yml`, which tells whose each is:
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
//! indentation; a value in a form of YAML that they do not have (blocks, anchors) is left out.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};

use grader_model::{Person, System, Text, escaped};

use crate::entrant::Entrant;
use crate::listing::{Entry, Listing};
use crate::name::without_ending;
use crate::reason;

/// The file that tells whose each submission is.
pub(super) const METADATA: &str = "submission_metadata.yml";
/// Bytes of a line that are looked at. Names are not long; results of earlier gradings, of which a class of hundreds has
/// tens of MiB, can be.
const LONGEST: u64 = 1000;

/// The number of a submission's folder or archive.
pub(super) fn number(entry: &Entry) -> Option<&str> {
    let name = if entry.is_archive() {
        without_ending(&entry.name)
    } else {
        entry.name.as_str()
    };
    let number = name.strip_prefix("submission_")?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (is_number && !entry.is_file()).then_some(number)
}

pub(super) fn sort(entries: &[Entry], listing: &mut Listing) -> Vec<Entrant> {
    let mut people = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.name == METADATA) {
        let read = File::open(&entry.location).and_then(|file| submitters(BufReader::new(file)));
        match read {
            Ok(read) => people = read,
            Err(error) => listing.pass_entry(entry, reason::unreadable(&error)),
        }
    }
    let mut entrants = Vec::new();
    for entry in entries.iter().filter(|entry| entry.name != METADATA) {
        let Some(number) = number(entry) else {
            listing.pass_entry(entry, reason::not_of_layout());
            continue;
        };
        let group = people.get(number).map(Vec::as_slice).unwrap_or_default();
        if group.is_empty() {
            let mut entrant = Entrant::new(format!("submission_{number}"));
            entrant.id_at(System::Gradescope, number);
            entrant.notes.push(Text::new(
                format!("`{METADATA}` does not tell whose it is"),
                format!("`{METADATA}` 未说明提交者"),
            ));
            entrant.take(entry);
            entrants.push(entrant);
        }
        for (index, person) in group.iter().enumerate() {
            let name = person.name.as_ref().or(person.email.as_ref());
            let name = name.or(person.ids.get(&System::Sis)).cloned();
            let mut entrant = Entrant::new(name.unwrap_or_else(|| format!("submission_{number}")));
            entrant.number = Some(number.to_owned());
            entrant.person = Some(person.clone());
            entrant.id_at(System::Gradescope, number);
            entrant.notes.extend(together(group, index));
            entrant.take(entry);
            entrants.push(entrant);
        }
    }
    entrants
}

/// Says who else handed in the same.
pub(super) fn together(group: &[Person], index: usize) -> Option<Text> {
    let others: Vec<&str> = (group.iter().enumerate())
        .filter(|&(other, _)| other != index)
        .filter_map(|(_, person)| person.name.as_deref().or(person.email.as_deref()))
        .collect();
    (!others.is_empty()).then(|| {
        Text::new(
            format!("handed in together with {}", others.join(", ")),
            format!("与 {} 共同提交", others.join("、")),
        )
    })
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
                submission = text
                    .strip_suffix(':')
                    .map(|key| key.trim_matches(['"', '\'']))
                    .and_then(|key| key.strip_prefix("submission_"))
                    .map(str::to_owned);
                is_inside = false;
            }
            continue;
        }
        let Some(submission) = &submission else {
            continue;
        };
        if indent <= 2 && !text.starts_with('-') {
            is_inside = key_of(text) == Some("submitters");
            continue;
        }
        if !is_inside || indent > 6 {
            continue;
        }
        let people = found.entry(submission.clone()).or_default();
        let pair = match text.strip_prefix('-') {
            Some(pair) => {
                people.push(Person::default());
                pair.trim_start()
            }
            None => text,
        };
        if let (Some(person), Some(key), Some(value)) =
            (people.last_mut(), key_of(pair), value_of(pair))
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
    let count = from.take(LONGEST).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else {
        from.skip_until(b'\n')?;
    }
    Ok(count > 0)
}

/// The key of `:key: value`, with or without the first colon.
fn key_of(text: &str) -> Option<&str> {
    let text = text.strip_prefix(':').unwrap_or(text);
    Some(text.split_once(':')?.0)
}

/// The value of `:key: value`, escaped: plain or in quotes. Nothing where it is empty or of another form.
fn value_of(text: &str) -> Option<String> {
    let (_, value) = text.strip_prefix(':').unwrap_or(text).split_once(':')?;
    let value = value.trim();
    let value = if let Some(quoted) = value.strip_prefix('\'') {
        quoted.strip_suffix('\'')?.replace("''", "'")
    } else if value.starts_with('"') {
        // What Ruby writes in double quotes JSON reads too, but for `\x` and `\e`.
        serde_json::from_str(value).ok()?
    } else if value.starts_with(['&', '*', '|', '>', '!', '{', '[', '#', '%', '@', '`']) {
        return None;
    } else {
        value.to_owned()
    };
    let is_nothing = value.is_empty() || value == "~" || value == "null";
    (!is_nothing).then(|| escaped(value.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_only_the_beginning_is_held() {
        struct Endless(u64);
        impl io::Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = buffer.len().min(self.0 as usize);
                self.0 -= count as u64;
                buffer[..count].fill(b'x');
                Ok(count)
            }
        }
        let text = b"\nsubmission_2:\n  :submitters:\n  - :name: Ada\n".as_slice();
        let mut from = BufReader::new(Endless(1 << 26).chain(text));
        let mut line = Vec::new();
        assert!(next_line(&mut from, &mut line).unwrap());
        assert_eq!(line, vec![b'x'; LONGEST as usize]);
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
        let shown: Vec<String> = people
            .iter()
            .flat_map(|(number, people)| people.iter().map(move |person| (number, person)))
            .map(|(number, person)| {
                format!(
                    "{number} {:?} {:?} {:?}",
                    person.name,
                    person.email,
                    person.ids.get(&System::Sis)
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "1 Some(\"张三\") Some(\"z@example.org\") Some(\"007\")",
                "2 Some(\"O'Brien\") None None",
                "2 Some(\"Zoë \\\"Z\\\"\") None None",
            ]
        );
    }
}
