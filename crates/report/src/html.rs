//! Results as web pages: one of the class and one of each student for staff, and one that each student reads.
//!
//! Every page is a file of its own that loads nothing. Templates escape what they show; a content security policy with the
//! hashes of our own style and script is the second layer. Only the page of the class has a script.

mod class;
mod filters;
mod input;
mod plot;
mod policy;
mod source;
mod student;
mod svg;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::slice;

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use grader_model::{Results, StudentResult};

pub use self::input::{PageInput, Sources};

use crate::atomic::{WriteError, atomic_write, replace, sweep};
use crate::audience::student_view;
use crate::students::file_stem;
use crate::style::Style;
use crate::terminal;

/// Writes `index.html`, `staff/` and `students/` into a folder, which is made if it is not there.
///
/// Each page appears whole or not at all. A page that is there with the same bytes is left alone; a page of ours
/// of a student who is no longer in the class is removed.
///
/// # Errors
/// If a page cannot be written, or the sources cannot be read.
pub fn write_pages(folder: &Path, input: &PageInput<'_>) -> Result<(), WriteError> {
    let results = input.results;
    let style = Style::of(input.lang);
    let slugs = slugs(results);
    let mut written = BTreeSet::new();
    let mut write = |path: PathBuf, page: String| {
        let same = fs::read(&path).is_ok_and(|bytes| bytes == page.as_bytes());
        written.insert(path.clone());
        if same {
            return Ok(());
        }
        replace(&path, page.as_bytes())
    };
    for inner in ["staff", "students"] {
        let inner = folder.join(inner);
        fs::create_dir_all(&inner).map_err(WriteError::of(&inner))?;
    }
    let explorer = input.explorer.map(|_| EXPLORER);
    if let Some(page) = input.explorer {
        let path = folder.join("students").join(EXPLORER);
        let inner = path.parent().unwrap_or(folder);
        fs::create_dir_all(inner).map_err(WriteError::of(inner))?;
        write(path, page.to_owned())?;
    }
    for (index, student) in results.students.iter().enumerate() {
        let name = file_stem(student.id.as_str()) + ".html";
        let path = folder.join("staff").join(&name);
        let link = explorer.map(|page| format!("../students/{page}"));
        let page = staff_page(input, &slugs, index, link.as_deref(), &path)?;
        write(path, page)?;
        let path = folder.join("students").join(&name);
        let page = own_page(results, student, explorer, &style).map_err(rendering(&path))?;
        write(path, page)?;
    }
    let path = folder.join("index.html");
    let page = class::page(input, &slugs, Vec::new(), &style);
    let page = page.render().map_err(rendering(&path))?;
    write(path, page)?;
    for inner in ["staff", "students"] {
        let inner = folder.join(inner);
        sweep(&inner);
        let entries = fs::read_dir(&inner).map_err(WriteError::of(&inner))?;
        for entry in entries.flatten() {
            let path = entry.path();
            if !written.contains(&path) && is_ours(&path) {
                fs::remove_file(&path).map_err(WriteError::of(&path))?;
            }
        }
    }
    Ok(())
}

/// Limit for a single file: browsers take long to open a larger one.
const MAX_SINGLE_BYTES: usize = 25 << 20;

/// Writes one file: the page of the class, in which the page of each student for staff is packed.
///
/// # Errors
/// If the file cannot be written or would be larger than 25 MiB, or if the sources cannot be read.
pub fn write_page(path: &Path, input: &PageInput<'_>) -> Result<(), WriteError> {
    let style = Style::of(input.lang);
    let slugs = slugs(input.results);
    let mut packed = Vec::new();
    for (index, slug) in slugs.iter().enumerate() {
        let page = staff_page(input, &slugs, index, None, path)?;
        let (_, rest) = page.split_once("<main>").unwrap_or_default();
        let (main, _) = rest.split_once("</main>").unwrap_or_default();
        let bytes = gzip(main.as_bytes()).map_err(WriteError::of(path))?;
        packed.push((slug.clone(), STANDARD.encode(bytes)));
    }
    let page = class::page(input, &slugs, packed, &style);
    let page = page.render().map_err(rendering(path))?;
    if page.len() > MAX_SINGLE_BYTES {
        let mib = page.len() >> 20;
        let reason = format!("one file of {mib} MiB is too large; name a folder instead");
        return Err(WriteError::of(path)(io::Error::other(reason)));
    }
    atomic_write(path, |out| out.write_all(page.as_bytes()))
}

/// The name of the page of each student, as it stands in a link. It depends on nobody else, so that a link never leads to
/// another student.
fn slugs(results: &Results) -> Vec<String> {
    let students = results.students.iter();
    // Of the signs in it, only this one means something in an address.
    let slug = |student: &StudentResult| file_stem(student.id.as_str()).replace('%', "%25");
    students.map(slug).collect()
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// The page of a student for staff.
fn staff_page(
    input: &PageInput<'_>,
    slugs: &[String],
    index: usize,
    explorer: Option<&str>,
    path: &Path,
) -> Result<String, WriteError> {
    let students = &input.results.students;
    let student = &students[index];
    let sources = student.problems.iter();
    let sources = sources.map(|problem| (input.sources)(&student.id, &problem.id));
    let link = |index: usize| {
        Some((
            terminal::who(students.get(index)?),
            slugs.get(index)?.clone(),
        ))
    };
    let staff = student::Staff {
        sources: sources
            .collect::<io::Result<_>>()
            .map_err(WriteError::of(path))?,
        around: [index.checked_sub(1).and_then(link), link(index + 1)],
    };
    let style = Style::of(input.lang);
    let page = student::page(input.results, student, Some(staff), explorer, &style);
    page.render().map_err(rendering(path))
}

/// The explorer's place below `students/`.
const EXPLORER: &str = "explore/index.html";

/// What every page of ours has in its head.
const MARK: &str = "<meta name=\"generator\" content=\"Bitcraft grader\">";

/// Whether a file is a page that we wrote: others are left alone.
fn is_ours(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|page| page.contains(MARK))
}

/// The page that a student reads, made only of what that student may see.
pub(crate) fn own_page(
    results: &Results,
    student: &StudentResult,
    explorer: Option<&str>,
    style: &Style,
) -> askama::Result<String> {
    let view = student_view(results, slice::from_ref(student));
    let pages = view.students.iter();
    let pages = pages.map(|student| student::page(&view, student, None, explorer, style).render());
    pages.collect()
}

fn rendering(path: &Path) -> impl FnOnce(askama::Error) -> WriteError + '_ {
    move |error| WriteError::of(path)(io::Error::other(error))
}

#[cfg(test)]
mod tests;
