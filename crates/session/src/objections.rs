//! What students object to: `objections/STUDENT.md` beside the file of corrections, or `objections/ASSIGNMENT/STUDENT.md`, or
//! `objections/ASSIGNMENT/CLASS/STUDENT.md`.

use std::fs;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use grader_lms::open_regular;
use grader_model::{Excerpt, Objection, Results, StudentId, escaped, text};
use grader_report::file_stem;
use grader_store::{Members, StoredClass};

use crate::console::Console;
use crate::error::Result;
use crate::exit::Failure;
use crate::path::shown;
use crate::section::Sections;
use crate::stored::StoredRuns;

/// The folder beside the file of corrections.
pub(crate) const FOLDER: &str = "objections";
/// The line before the answer.
const ANSWER: &str = "## Answer";
/// Most bytes of an objection, and of its answer, that are shown.
const MAX_BYTES: usize = 4 << 10;
/// Most bytes of a file that are read.
const MAX_FILE: u64 = 64 << 10;

/// Adds the objections to the students who made them: those in the folder of the class's assignment, in that folder's folder
/// of the class, and in `folder` itself if no other class has such a student.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn add(
    results: &mut Results,
    folder: &Path,
    sections: &Sections,
    stored: Option<&StoredRuns>,
    console: &dyn Console,
) -> Result<()> {
    let assignment = sections.own.assignment.clone();
    let of_assignment = folder.join(assignment.as_str());
    let is_other = |it: &&StoredClass| is_beside(it, folder);
    let others: Vec<&StoredClass> = sections.others.iter().filter(is_other).collect();
    let siblings = others.iter().copied();
    let siblings: Vec<_> = siblings.filter(|it| it.assignment == assignment).collect();
    let beside = folder.parent().unwrap_or(folder);
    let name = sections.name(beside);
    let name = name.trim_start_matches('/');
    let own = of_assignment.join(name);
    let mine = format!("{assignment}/{name}");
    for (folder, others, elsewhere) in [
        (
            folder,
            others,
            if siblings.is_empty() {
                assignment.as_str()
            } else {
                &mine
            },
        ),
        (&of_assignment, siblings, &mine),
        (&own, Vec::new(), ""),
    ] {
        let mut members = None;
        for path in files(folder)? {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let own = results.students.iter().position(|it| is_by(&stem, &it.id));
            let members = match &mut members {
                Some(members) => members,
                none => none.insert(members_of(&others, stored)?),
            };
            let is_elsewhere = members
                .iter()
                .flat_map(Members::keys)
                .any(|id| is_by(&stem, id));
            match own {
                Some(at) if !is_elsewhere => {
                    let bytes = read(&path).map_err(|error| cannot_read(&path, &error))?;
                    results.students[at].objection = Some(objection(&bytes));
                }
                Some(_) => {
                    let (place, stem) = (shown(&path), escaped(stem.as_bytes()));
                    let to = shown(&folder_of(folder, elsewhere).join(format!("{stem}.md")));
                    console.warn(&text!(
                        "{place}: several classes have a student `{stem}`: if it is about this one, move it to `{to}`",
                        "{place}：不止一个班级有学生 `{stem}`：如果针对的是这个班级，请移到 `{to}`"
                    ));
                }
                None if is_elsewhere => {}
                None => {
                    let (place, stem) = (shown(&path), escaped(stem.as_bytes()));
                    console.warn(&text!(
                        "{place}: there is no student `{stem}` in these results",
                        "{place}：这些结果中没有学生 `{stem}`"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The folder for the objections of a class, from one of those above it.
fn folder_of(folder: &Path, class: &str) -> PathBuf {
    let mut above = folder.ancestors();
    let root = above.find(|it| it.file_name().is_some_and(|it| it == FOLDER));
    root.unwrap_or(folder).join(class)
}

/// Whether a class lies beside this folder, so that it has the same objections.
fn is_beside(class: &StoredClass, folder: &Path) -> bool {
    let beside = folder.parent().filter(|it| !it.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new(".")).canonicalize();
    beside.is_ok_and(|it| class.path.starts_with(it))
}

/// The students of these classes.
fn members_of(classes: &[&StoredClass], stored: Option<&StoredRuns>) -> Result<Vec<Members>> {
    let members = stored
        .into_iter()
        .flat_map(|stored| classes.iter().map(|class| stored.members(class)));
    members.collect()
}

/// Whether a file of this name is by a student.
fn is_by(name: &str, id: &StudentId) -> bool {
    let id = id.as_str();
    name == id || name == escaped(id.as_bytes()) || name == file_stem(id)
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot read `{}`: {error}", shown(path)))
}

/// The objections in a folder; none if there is no such folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| cannot_read(folder, &error))?,
    };
    let paths = entries.map(|entry| Ok(entry?.path()));
    let paths = paths.collect::<io::Result<Vec<_>>>();
    let mut paths = paths.map_err(|error| cannot_read(folder, &error))?;
    paths.retain(|it| it.extension().is_some_and(|it| it == "md") && it.is_file());
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(MAX_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The objection in the bytes of a file: what follows the line `## Answer`, if anything does, is the answer.
fn objection(bytes: &[u8]) -> Objection {
    let mut at = 0;
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let begin = at;
        at += line.len();
        (begin, at, line)
    });
    let heading = lines.find(|(.., line)| line.trim_ascii_end() == ANSWER.as_bytes());
    let (text, answer) = heading.map_or((bytes, &[][..]), |(begin, end, _)| {
        (&bytes[..begin], &bytes[end..])
    });
    let part = |bytes: &[u8]| Excerpt::block(bytes.trim_ascii(), MAX_BYTES);
    Objection {
        text: part(text),
        answer: Some(part(answer)).filter(|it| !it.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_follows_its_heading() {
        let of = |bytes: &[u8]| {
            let Objection { text, answer } = objection(bytes);
            (text.to_string(), answer.map(|it| it.to_string()))
        };
        for (bytes, text, answer) in [
            (
                &b"\nCase 3 is wrong.\r\nSee page 2.\n"[..],
                "Case 3 is wrong.\nSee page 2.",
                None,
            ),
            (b"Why?\n## Answer\n\n", "Why?", None),
            (
                b"Why?\n\n## Answer\r\n\nBecause.\n## Answer\nOf n.\n",
                "Why?",
                Some("Because.\n## Answer\nOf n."),
            ),
            (
                b"a ## Answer\n### Answer\nb \xff\x1b[31m",
                "a ## Answer\n### Answer\nb \\xff\\x1b[31m",
                None,
            ),
            (b"", "", None),
        ] {
            assert_eq!(of(bytes), (text.to_owned(), answer.map(str::to_owned)));
        }
        let long = objection(&[b'x'; MAX_BYTES + 7]);
        assert_eq!((long.text.text.len(), long.text.after), (MAX_BYTES, 7));
    }
}
