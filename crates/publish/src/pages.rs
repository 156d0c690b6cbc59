//! Web pages in a folder or in one file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use grader_model::{ClassId, Lang, ProblemId, Results, SourceFile, StudentResult};
use grader_report::{
    Sources, class_page, file_stem, is_page, own_page, own_sheet, print_frame, print_refusal,
    single_page, staff_page,
};
use grader_view::{ClassView, Comparison, Own};

use crate::atomic::{WriteError, atomic_write, create_folders, replace, replace_in_pieces, sweep};

/// What pages are made of.
pub struct PageInput<'a> {
    /// The results.
    pub results: &'a Results,
    /// What changed since an earlier run.
    pub against: Option<&'a Comparison>,
    /// The sources that were judged.
    pub sources: &'a Sources<'a>,
    /// The statements of problems as HTML, on the pages that students read.
    pub statements: &'a BTreeMap<ProblemId, String>,
    /// The page that explains boards, to which boards link; only a folder can have it.
    pub explorer: Option<&'a str>,
    /// Of whom they are.
    pub scope: PageScope,
    /// The language of the pages.
    pub lang: Lang,
}

/// Of whom the pages in a folder are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageScope {
    /// A whole class: pages of students who are not in it are removed.
    #[default]
    Class,
    /// One student, with everything that the student submitted: nobody else's pages change.
    Student,
    /// A part, which must not be handed out as if it were the whole: there are pages for staff only.
    Part,
}

impl PageInput<'_> {
    /// The sources of each problem of a student.
    fn sources_of(&self, student: &StudentResult) -> io::Result<Vec<Vec<SourceFile>>> {
        let problems = student.problems.iter();
        problems
            .map(|it| (self.sources)(&student.id, &it.id))
            .collect()
    }
}

/// What says of which class a page is.
fn mark(class: &ClassId) -> String {
    format!("<meta name=\"bitcraft-class\" content=\"{class}\">")
}

/// The element by which all of our pages are known.
const GENERATOR: &str = "<meta name=\"generator\" content=\"Bitcraft grader\">";
/// By this place, every page has shown whose it is.
const MAX_HEAD_BYTES: u64 = 4096;

/// The owner of a page, or of another file that the grader writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// It is of this class.
    Class,
    /// It is of another class, or of this one by another assignment.
    Another,
    /// It does not say: an earlier version wrote it, or a command that is about no class, such as `test`.
    Unknown,
    /// The grader did not write it.
    Foreign,
}

impl Owner {
    /// The owner of a page that begins so.
    pub fn of(head: &[u8], class: &ClassId) -> Self {
        let head = String::from_utf8_lossy(head);
        if !head.contains(GENERATOR) {
            Self::Foreign
        } else if head.contains(&mark(class)) {
            Self::Class
        } else if head.contains("<meta name=\"bitcraft-class\"") {
            Self::Another
        } else {
            Self::Unknown
        }
    }
}

/// The first page in a folder for pages that is not of this class.
///
/// # Errors
/// If the folder cannot be read.
pub fn other_page(folder: &Path, class: &ClassId) -> io::Result<Option<(PathBuf, Owner)>> {
    for inner in ["", "staff", "students"] {
        let entries = match fs::read_dir(folder.join(inner)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        let paths = entries.map(|entry| Ok(entry?.path()));
        let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let is_html = path.extension().is_some_and(|it| it == "html");
            if !is_html || !path.is_file() {
                continue;
            }
            let mut head = Vec::new();
            fs::File::open(&path)?
                .take(MAX_HEAD_BYTES)
                .read_to_end(&mut head)?;
            let owner = Owner::of(&head, class);
            if matches!(owner, Owner::Another | Owner::Unknown) {
                return Ok(Some((path, owner)));
            }
        }
    }
    Ok(None)
}

/// The explorer's place beside the pages that students read.
const EXPLORER: &str = "explore/index.html";

/// Writes `index.html`, `print.html`, `staff/` and `students/` into a folder, which is made if it is not there. What students
/// get is left out if it would not be whole: see [`PageScope`].
///
/// Each page appears whole or not at all. A page that is there with the same bytes is left alone; a page of ours
/// of a student who is no longer in the class is removed.
///
/// # Errors
/// If a page cannot be written, or the sources cannot be read. Then no new page is left.
pub fn write_pages(
    folder: &Path,
    class: &ClassView<'_>,
    input: &PageInput<'_>,
) -> Result<(), WriteError> {
    let mut made = Made::default();
    let written = write_all(&mut made, folder, class, input);
    written.inspect_err(|_| made.remove())
}

fn write_all(
    made: &mut Made,
    folder: &Path,
    class: &ClassView<'_>,
    input: &PageInput<'_>,
) -> Result<(), WriteError> {
    let (results, lang) = (input.results, input.lang);
    let of = results.class.as_ref();
    let (staff, students) = (folder.join("staff"), folder.join("students"));
    made.folder(&staff)?;
    let name = |student: &StudentResult| file_stem(student.id.as_str()) + ".html";
    let (is_class, explorer) = (input.scope == PageScope::Class, input.explorer);
    if input.scope == PageScope::Part {
        write_explorer(made, &students, explorer)?;
    } else {
        write_own(made, &students, input, &name)?;
    }
    let explorer = explorer.map(|_| format!("../students/{EXPLORER}"));
    let mut written = BTreeSet::new();
    for (index, student) in results.students.iter().enumerate() {
        let sources = input.sources_of(student);
        let page = sources.and_then(|it| staff_page(class, index, &it, explorer.as_deref(), lang));
        let path = staff.join(name(student));
        made.put(&path, of, page)?;
        written.insert(path);
    }
    if is_class {
        remove_others(&staff, of, &written).map_err(WriteError::of(&staff))?;
        write_sheets(made, &folder.join("print.html"), of, input)?;
    }
    let page = class_page(class, input.against, input.sources, is_class, lang);
    made.put(&folder.join("index.html"), of, page)
}

/// Writes the page to print, with a sheet for each student, or what says that they are too many.
fn write_sheets(
    made: &mut Made,
    path: &Path,
    of: Option<&ClassId>,
    input: &PageInput<'_>,
) -> Result<(), WriteError> {
    let info = &input.results.assignment;
    let frame = print_frame(info, input.lang);
    let (before, after) = frame.map_err(WriteError::of(path))?;
    made.register(path);
    let is_written = replace_in_pieces(path, |out| {
        out.write_all(marked(before, of).as_bytes())?;
        let mut bytes = 0;
        for student in &input.results.students {
            let own = Own::of(input.results, student);
            let sheet = own_sheet(&own, &input.sources_of(student)?, input.lang)?;
            bytes += sheet.len();
            if bytes > MAX_SINGLE_BYTES {
                return Ok(false);
            }
            out.write_all(sheet.as_bytes())?;
        }
        out.write_all(after.as_bytes())?;
        Ok(true)
    })?;
    if is_written {
        return Ok(());
    }
    made.put(path, of, print_refusal(info, input.lang))
}

/// Writes the page that each student reads into a folder, which is made if it is not there, under the name that `name` gives.
///
/// Pages are written as by [`write_pages`].
///
/// # Errors
/// If a page cannot be written. Then no new page is left.
pub fn write_own_pages(
    folder: &Path,
    input: &PageInput<'_>,
    name: &dyn Fn(&StudentResult) -> String,
) -> Result<(), WriteError> {
    let mut made = Made::default();
    let written = write_own(&mut made, folder, input, name);
    written.inspect_err(|_| made.remove())
}

fn write_own(
    made: &mut Made,
    folder: &Path,
    input: &PageInput<'_>,
    name: &dyn Fn(&StudentResult) -> String,
) -> Result<(), WriteError> {
    let of = input.results.class.as_ref();
    made.folder(folder)?;
    write_explorer(made, folder, input.explorer)?;
    let explorer = input.explorer.map(|_| EXPLORER);
    let mut written = BTreeSet::new();
    for student in &input.results.students {
        let path = folder.join(name(student));
        let sources = input.sources_of(student).map_err(WriteError::of(&path))?;
        let own = Own::of(input.results, student);
        made.put(
            &path,
            of,
            own_page(&own, &sources, explorer, input.statements, input.lang),
        )?;
        written.insert(path);
    }
    if input.scope == PageScope::Class {
        remove_others(folder, of, &written).map_err(WriteError::of(folder))?;
    }
    Ok(())
}

fn write_explorer(made: &mut Made, folder: &Path, page: Option<&str>) -> Result<(), WriteError> {
    let Some(page) = page else {
        return Ok(());
    };
    let path = folder.join(EXPLORER);
    made.folder(path.parent().unwrap_or(folder))?;
    made.put(&path, None, Ok(page.to_owned()))
}

/// The files and folders that were not there before, the outer ones first.
#[derive(Default)]
struct Made(Vec<PathBuf>);

impl Made {
    /// Makes a folder, and those above it.
    fn folder(&mut self, folder: &Path) -> Result<(), WriteError> {
        self.0
            .extend(create_folders(folder).map_err(WriteError::of(folder))?);
        Ok(())
    }

    /// Writes a page of a class, unless it is there with the same bytes.
    fn put(
        &mut self,
        path: &Path,
        class: Option<&ClassId>,
        page: io::Result<String>,
    ) -> Result<(), WriteError> {
        let page = marked(page.map_err(WriteError::of(path))?, class);
        if is_file(path) && fs::read(path).is_ok_and(|bytes| bytes == page.as_bytes()) {
            return Ok(());
        }
        self.register(path);
        replace(path, page.as_bytes())
    }

    /// Notes a file that is about to be written.
    fn register(&mut self, path: &Path) {
        if path.symlink_metadata().is_err() {
            self.0.push(path.to_owned());
        }
    }

    /// Removes them. What cannot be removed stays, and so do folders with something else in them.
    fn remove(&self) {
        for path in self.0.iter().rev() {
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
    }
}

/// Whether there is a file; opening a pipe would wait for a writer.
fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// A page that says of which class it is.
fn marked(page: String, class: Option<&ClassId>) -> String {
    match class {
        Some(class) => page.replacen(GENERATOR, &format!("{GENERATOR}\n{}", mark(class)), 1),
        None => page,
    }
}

/// Removes pages of the class that were not written now, and those that do not say of which class they are.
fn remove_others(
    folder: &Path,
    class: Option<&ClassId>,
    written: &BTreeSet<PathBuf>,
) -> io::Result<()> {
    sweep(folder);
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        let is_class = |page: &str| {
            class.is_none_or(|class| Owner::of(page.as_bytes(), class) != Owner::Another)
        };
        let is_ours = || {
            let page = is_file(&path).then(|| fs::read_to_string(&path));
            page.is_some_and(|it| it.is_ok_and(|page| is_page(&page) && is_class(&page)))
        };
        if !written.contains(&path) && is_ours() {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Limit for a page: browsers take long to open a larger one.
const MAX_SINGLE_BYTES: usize = 25 << 20;

/// Writes one file: the page of the class, in which the page of each student for staff is packed.
///
/// # Errors
/// If the file cannot be written or would be larger than 25 MiB, or if the sources cannot be read.
pub fn write_page(
    path: &Path,
    class: &ClassView<'_>,
    input: &PageInput<'_>,
) -> Result<(), WriteError> {
    let page = single_page(class, input.against, input.sources, input.lang);
    let of = input.results.class.as_ref();
    let page = marked(page.map_err(WriteError::of(path))?, of);
    if page.len() > MAX_SINGLE_BYTES {
        let mib = page.len() >> 20;
        let reason = format!("one file of {mib} MiB is too large; name a folder instead");
        return Err(WriteError::of(path)(io::Error::other(reason)));
    }
    atomic_write(path, |out| out.write_all(page.as_bytes()))
}

#[cfg(test)]
pub(crate) mod tests;
