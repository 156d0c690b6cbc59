//! Moodle: "Download all submissions", and the grading worksheet.
//!
//! In the download each file, or each folder of files, is `Full Name_12345_assignsubmission_file`, in older versions with a
//! `_` at the end; in a flat download the name of the file follows. Names are taken apart as Moodle's own import does
//! (`mod/assign/feedback/file/importziplib.php`): full name, number of the participant in this assignment,
//! `assignsubmission`, the way it was submitted, the rest. A `_` in a name is a blank. If names are hidden, all are called
//! "Participant" in the teacher's language.
//!
//! With a second mark, as in `Ada_1_assignsubmission_file_x_2_…`, nobody can tell whether Ada called a file so or somebody
//! else themselves: it is left open.
//!
//! The columns of a worksheet (`mod/assign/feedback/offline`) depend on the site, its headings on the teacher's language. Moodle
//! refuses a row with a date that has changed, and a grade above the maximum.

use grader_model::System;

use crate::download::{Attempt, Name, What};
use crate::identity::is_number;
use crate::submitter::{Listing, Submitter};

/// What stands between the student and what was submitted; not translated.
const MARK: &str = "_assignsubmission_";
/// How what everybody is called begins if names are hidden, in some languages.
const HIDDEN: [&str; 6] = ["partici", "teilneh", "参与者", "參與者", "参加者", "参与人"];

pub(crate) fn parse(name: &str) -> Option<Name<'_>> {
    let (who, what) = name.rsplit_once(MARK)?;
    let numbered = who.rsplit_once('_').filter(|(_, it)| is_number(it));
    let (student, number) = numbered.unwrap_or((who, ""));
    let what = match what.split_once('_') {
        _ if what.starts_with("onlinetext") => What::Typed,
        Some((_, file)) if !file.is_empty() && !file.starts_with('.') => What::File(file),
        _ => What::Whole,
    };
    (!student.is_empty()).then_some(Name {
        student,
        number,
        date: "",
        what,
        // The second mark may share its underscore with the first.
        is_ambiguous: name.find(MARK) != name.rfind(MARK),
    })
}

pub(crate) fn submitter(_: &Listing<'_>, attempt: &mut Attempt<'_>) -> Submitter {
    let (student, number) = (attempt[0].1.student, attempt[0].1.number);
    let full = student.replace('_', " ");
    let hidden = full.to_lowercase();
    let mut submitter = if HIDDEN.iter().any(|it| hidden.starts_with(it)) {
        Submitter::new(&format!("{full} {number}"))
    } else {
        Submitter::named(&full, number)
    };
    if !number.is_empty() {
        submitter.set_id(System::Moodle, number);
    }
    submitter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_as_moodle_does() {
        let name = |student, number, what| {
            Some(Name {
                student,
                number,
                date: "",
                what,
                is_ambiguous: false,
            })
        };
        for (text, expected) in [
            (
                "Ada Lovelace_12345_assignsubmission_file",
                name("Ada Lovelace", "12345", What::Whole),
            ),
            (
                "Ada_Lovelace_12345_assignsubmission_file_my_count.c",
                name("Ada_Lovelace", "12345", What::File("my_count.c")),
            ),
            (
                "Ada_12345_assignsubmission_onlinetext_onlinetext.html",
                name("Ada", "12345", What::Typed),
            ),
            (
                "Team 7_assignsubmission_file_a.c",
                name("Team 7", "", What::File("a.c")),
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
