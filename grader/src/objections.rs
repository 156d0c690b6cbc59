//! What students object to: `objections/STUDENT.md` beside the file of corrections.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use grader_model::{Excerpt, Objection, Results, escaped};
use grader_report::file_stem;

use crate::exit::Failure;
use crate::terminal::{Terminal, shown};

/// The folder beside the file of corrections.
pub(crate) const FOLDER: &str = "objections";
/// The line before the answer.
const ANSWER: &str = "## Answer";
/// Most bytes of an objection, and of its answer, that are shown.
const MAX_BYTES: usize = 4 << 10;
/// Most bytes of a file that are read.
const MAX_FILE: u64 = 64 << 10;

/// Adds the objections in this folder, if there is one, to the students who made them.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn add(
    results: &mut Results,
    folder: &Path,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let failed = |path: &Path, error: &io::Error| {
        Failure::usage(format!("cannot read `{}`: {error}", shown(path)))
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| failed(folder, &error))?,
    };
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<_> = paths
        .collect::<io::Result<_>>()
        .map_err(|error| failed(folder, &error))?;
    paths.sort();
    for path in paths {
        if path.extension().is_none_or(|it| it != "md") || !path.is_file() {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_by =
            |id: &str| *name == *id || *name == escaped(id.as_bytes()) || *name == file_stem(id);
        let mut students = results.students.iter_mut();
        let Some(student) = students.find(|it| is_by(it.id.as_str())) else {
            let (place, name) = (shown(&path), escaped(name.as_bytes()));
            terminal.warn(
                format!("{place}: there is no student `{name}` in these results"),
                format!("{place}：这些结果中没有学生 `{name}`"),
            );
            continue;
        };
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(MAX_FILE).read_to_end(&mut bytes));
        read.map_err(|error| failed(&path, &error))?;
        student.objection = Some(objection(&bytes));
    }
    Ok(())
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
