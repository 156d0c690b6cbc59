//! Moodle: "Download all submissions", and the grading worksheet.
//!
//! In the download each file, or each folder of files, is `Full Name_12345_assignsubmission_file`, in older versions with a
//! `_` at the end; in a flat download the name of the file follows. Names are taken apart as Moodle's own import does
//! (`mod/assign/feedback/file/importziplib.php`): full name, number of the participant in this assignment,
//! `assignsubmission`, the way it was submitted, the rest. A `_` in a name is a blank. If names are hidden, all are called
//! "Participant" in the teacher's language.
//!
//! Students choose the names of their files, and at some places their own full names. With a second mark, as in
//! `Ada_1_assignsubmission_file_x_2_…`, nobody can tell whether Ada called a file so or somebody else themselves: it is left
//! open.
//!
//! The columns of a worksheet (`mod/assign/feedback/offline`) depend on the site, its headings on the teacher's language. Moodle
//! refuses a row whose date it does not find as it was, and a grade above the maximum.

use std::collections::BTreeMap;

use grader_model::System;

use crate::headings::{self, Column};
use crate::people::Identity;
use crate::plan::{FillError, Maximum, Plan};
use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter, is_number};
use crate::table::Table;

/// What stands between the student and what was submitted; not translated.
const MARK: &str = "_assignsubmission_";
/// The word for text that was typed into the page.
const TYPED: &str = "onlinetext";
/// What everybody is called if names are hidden, in some languages.
const ANONYMOUS: [&str; 8] = [
    "participant",
    "参与者",
    "參與者",
    "参加者",
    "参与人",
    "teilnehmer/in",
    "teilnehmer",
    "participante",
];

fn is_anonymous(full: &str) -> bool {
    ANONYMOUS.contains(&full.to_lowercase().as_str())
}

/// A name taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    full: &'a str,
    number: Option<&'a str>,
    plugin: &'a str,
    /// The file, in a flat download; else empty.
    file: &'a str,
    is_ambiguous: bool,
}

pub(crate) fn parse(name: &str) -> Option<Name<'_>> {
    let at = name.rfind(MARK)?;
    let (who, what) = (&name[..at], &name[at + MARK.len()..]);
    let numbered = |separator| who.rsplit_once(separator).filter(|(_, n)| is_number(n));
    // `Participant 12345` if somebody took the `_` for a blank.
    let hidden = || numbered(' ').filter(|(full, _)| is_anonymous(full));
    let (full, number) = match numbered('_').or_else(hidden) {
        Some((full, number)) => (full, Some(number)),
        None => (who, None),
    };
    if full.is_empty() {
        return None;
    }
    let end = what.find(|c: char| !c.is_ascii_alphanumeric());
    let (plugin, rest) = what.split_at(end.unwrap_or(what.len()));
    Some(Name {
        full,
        number,
        plugin,
        file: rest.strip_prefix('_').unwrap_or(rest),
        // The second mark may share its underscore with the first.
        is_ambiguous: name.find(MARK) != Some(at),
    })
}

/// Someone, and by plugin where the submission lies: whole entries, and the first of several files.
#[derive(Default)]
struct Found<'a> {
    submitter: Submitter,
    wholes: BTreeMap<&'a str, Vec<String>>,
    files: BTreeMap<&'a str, String>,
}

pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut found: BTreeMap<&[u8], Found<'_>> = BTreeMap::new();
    for (index, entry) in listing.entries.iter().enumerate() {
        let Some(name) = parse(&entry.name) else {
            sorted.unused.push((index, reason::not_of_layout()));
            continue;
        };
        // By the real names: different names can look alike once they are escaped.
        let mark = MARK.as_bytes();
        let at = entry.raw.windows(mark.len()).rposition(|part| part == mark);
        let who = &entry.raw[..at.unwrap_or(entry.raw.len())];
        let found = found.entry(who).or_insert_with(|| Found {
            submitter: Submitter {
                is_verbatim: entry.is_verbatim(),
                ..submitter(&name)
            },
            ..Found::default()
        });
        let submitter = &mut found.submitter;
        if name.is_ambiguous {
            submitter.entries.push(entry.name.clone());
            submitter.contest(reason::several_owners(&entry.name));
        } else if name.plugin == TYPED {
            submitter.pass_typed(&entry.name);
        } else if entry.is_folder() || name.file.is_empty() || name.file.starts_with('.') {
            let wholes = found.wholes.entry(name.plugin).or_default();
            wholes.push(entry.name.clone());
            submitter.take(index, entry);
        } else {
            let first = found.files.entry(name.plugin);
            first.or_insert_with(|| entry.name.clone());
            submitter.take_file(index, name.file, name.file);
        }
    }
    for mut found in found.into_values() {
        // What a plugin gives lies in one place: a second one is another download's, or somebody else's.
        for (plugin, mut sources) in found.wholes {
            sources.extend(found.files.remove(plugin));
            found.submitter.contest_several(&sources);
        }
        sorted.submitters.push(found.submitter);
    }
    sorted
}

fn submitter(name: &Name<'_>) -> Submitter {
    if name.is_ambiguous {
        let number = name.number.map(|number| format!("_{number}"));
        return Submitter {
            is_ambiguous: true,
            ..Submitter::new(format!("{}{}", name.full, number.unwrap_or_default()))
        };
    }
    let full = name.full.replace('_', " ");
    let is_anonymous = is_anonymous(&full);
    let mut submitter = match name.number {
        Some(number) if is_anonymous => Submitter::new(format!("{full} {number}")),
        number => Submitter {
            number: number.map(str::to_owned),
            ..Submitter::new(full.as_str())
        },
    };
    if let Some(number) = name.number {
        submitter.set_id(System::Moodle, number);
    }
    if !is_anonymous {
        submitter.person().name = Some(full);
    }
    submitter
}

/// The columns that a teacher can name, because their headings are in a language that we do not know.
const NAMED: &str = "`identifier`, `name`, `email`, `id-number`, `username`, `grade`, `maximum`, \
                     `changeable`, `feedback`";

/// The columns of a worksheet; `asked` are such as `grade=Mark`.
pub(crate) fn plan(bytes: &[u8], asked: &[String]) -> Result<Plan, FillError> {
    let mut named = Vec::new();
    for asked in asked {
        let column = asked.split_once('=').and_then(|(word, head)| {
            let is_known = NAMED.contains(&format!("`{word}`"));
            let column = Column::from_word(word).filter(|_| is_known)?;
            Some((column, head.trim()))
        });
        named.push(column.ok_or_else(|| FillError::NotAColumn {
            asked: asked.clone(),
            words: NAMED,
        })?);
    }
    let asked: Vec<&str> = named.iter().map(|(_, head)| *head).collect();
    let table = Table::read(bytes, &asked)?;
    let heads = table.heads();
    let mut columns: Vec<Option<Column>> = heads.iter().map(|it| headings::column(it)).collect();
    for (column, asked) in named {
        for (known, head) in columns.iter_mut().zip(&heads) {
            if head == asked {
                *known = Some(column);
            } else if *known == Some(column) {
                *known = None;
            }
        }
        if !columns.contains(&Some(column)) {
            let asked = asked.to_owned();
            return Err(FillError::NoSuchColumn { asked, heads });
        }
    }
    let find = |word: &'static str, wanted: Column| {
        let found = (0..columns.len()).filter(|at| columns[*at] == Some(wanted));
        match found.collect::<Vec<usize>>().as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            several => Err(FillError::SeveralColumns {
                column: word.to_owned(),
                heads: several.iter().map(|at| heads[*at].clone()).collect(),
            }),
        }
    };
    let grade = find("grade", Column::Grade)?.ok_or_else(|| FillError::NoColumn {
        column: "grade",
        heads: heads.clone(),
    })?;
    let maximum = find("maximum", Column::Maximum)?.map_or(Maximum::Unknown, Maximum::Column);
    let changeable = find("changeable", Column::Changeable)?;
    let feedback = find("feedback", Column::Feedback)?;
    let identity = Identity::new(columns, Some(System::Moodle));
    Ok(Plan {
        own: Some(System::Moodle),
        is_capped: true,
        changeable,
        feedback,
        ..Plan::new(table, 1, identity, grade, maximum)?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_as_moodle_does() {
        let name = |full, number, plugin, file| {
            Some(Name {
                full,
                number,
                plugin,
                file,
                is_ambiguous: false,
            })
        };
        let number = Some("12345");
        for (text, expected) in [
            (
                "Ada Lovelace_12345_assignsubmission_file",
                name("Ada Lovelace", number, "file", ""),
            ),
            (
                "张 三_12345_assignsubmission_file_my_count.c",
                name("张 三", number, "file", "my_count.c"),
            ),
            (
                "Ada_Lovelace_12345_assignsubmission_file_a.c",
                name("Ada_Lovelace", number, "file", "a.c"),
            ),
            (
                "Ada_12345_assignsubmission_onlinetext_onlinetext.html",
                name("Ada", number, "onlinetext", "onlinetext.html"),
            ),
            (
                "参与者 12345_assignsubmission_file_",
                name("参与者", number, "file", ""),
            ),
            (
                "Team 7_assignsubmission_file_a.c",
                name("Team 7", None, "file", "a.c"),
            ),
            ("_12345_assignsubmission_file_a.c", None),
            ("Ada_12345_file_a.c", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn a_second_mark_makes_a_name_ambiguous() {
        for text in [
            "Alice_1_assignsubmission_file_x_2_assignsubmission_file_",
            "Mallory_2_assignsubmission_file_x_1_assignsubmission_file_count.c",
            "Alice_assignsubmission_file_2_assignsubmission_file_",
            "Team_assignsubmission_assignsubmission_file_",
        ] {
            assert!(parse(text).unwrap().is_ambiguous, "{text}");
        }
    }
}
