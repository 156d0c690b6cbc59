//! Web pages of a class.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use grader_model::{AssignmentId, ProblemId, Results, SourceFile, StudentId, Text};
use grader_publish::{PageInput, PageScope, WriteError, write_page, write_pages};
use grader_session::{AskedPart, StoredRuns, shown};
use grader_store::{Sharing, create_private_folder};
use grader_view::{ClassView, Compared, Comparison, Visible};

use crate::terminal::Terminal;

/// The folder beside a ledger for the pages of one class and one assignment; no others share it. `class` is a canonical
/// path.
pub(crate) fn pages_beside(ledger: &Path, class: &Path, assignment: &AssignmentId) -> PathBuf {
    let mut name = class.file_name().unwrap_or_default().to_owned();
    let folder = fs::canonicalize(ledger).unwrap_or_else(|_| ledger.to_owned());
    // A ledger that was named may have classes of several folders, with the same name.
    if folder.parent().and_then(Path::parent) != class.parent() {
        let hash = blake3::hash(class.as_os_str().as_encoded_bytes()).to_hex();
        name.push(format!("-{}", &hash[..8]));
    }
    name.push("-report");
    ledger.with_file_name(name).join(assignment.as_str())
}

/// Writes the pages of a class beside its ledger, into a folder for its user alone, or for the group that shares the class:
/// the points of a class are for its instructors, and the folder that was named for the ledger may be open to everybody.
pub(crate) fn write_pages_beside(
    folder: &Path,
    results: &Results,
    stored: Option<&StoredRuns>,
    terminal: &Terminal,
) -> Result<(), WriteError> {
    refuse_links(folder)?;
    create_private_folder(folder).map_err(WriteError::of(folder))?;
    let pages = Pages {
        results,
        stored,
        against: None,
        scope: PageScope::Class,
    };
    pages.write(folder, &Visible::Staff(results).view(), terminal)
}

/// Refuses links in a folder that a group shares: anybody of it can make one, to pages of the user who follows it.
fn refuse_links(folder: &Path) -> Result<(), WriteError> {
    let class = folder.parent().unwrap_or(folder);
    if class.parent().and_then(Sharing::of).is_none() {
        return Ok(());
    }
    let inner = ["staff", "students", "students/explore"].map(|it| folder.join(it));
    for path in [class, folder]
        .into_iter()
        .chain(inner.iter().map(|it| &**it))
    {
        if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            let reason = "it is a link, which anybody in the group can have made: remove it";
            return Err(WriteError::of(path)(io::Error::other(reason)));
        }
    }
    Ok(())
}

/// Prints where the pages are. They can be made again: a failure is only a warning.
pub(crate) fn say_pages(folder: &Path, written: Result<(), WriteError>, terminal: &Terminal) {
    match written {
        Ok(()) => {
            let page = shown(&folder.join("index.html"));
            terminal.note(format!("report: {page}"), format!("报告：{page}"));
        }
        Err(error) => {
            let Text { en, zh } = error.text();
            terminal.warn(format!("no pages: {en}"), format!("没有生成网页：{zh}"));
        }
    }
}

/// What web pages are made of.
pub(crate) struct Pages<'a> {
    pub(crate) results: &'a Results,
    /// `None` if nothing is stored.
    pub(crate) stored: Option<&'a StoredRuns>,
    /// The results of the run to compare with.
    pub(crate) against: Option<&'a Results>,
    pub(crate) scope: PageScope,
}

impl Pages<'_> {
    /// Writes them from results and their view for staff into a folder, or into one file if the path ends in `.html`.
    pub(crate) fn write(
        &self,
        path: &Path,
        class: &ClassView<'_>,
        terminal: &Terminal,
    ) -> Result<(), WriteError> {
        let (results, lang) = (self.results, terminal.lang);
        let against = self.against;
        let against = against.map(|it| Comparison::of(it, results, Compared::Corrected));
        let statements = self.stored.map(|it| it.statements(results, lang));
        let statements = statements.transpose().map_err(WriteError::of(path))?;
        let explorer = explorer(results);
        let input = PageInput {
            results,
            against: against.as_ref(),
            sources: &sources(results, self.stored),
            statements: &statements.unwrap_or_default(),
            explorer: explorer.as_deref(),
            scope: self.scope,
            lang,
        };
        if is_one_page(path) {
            write_page(path, class, &input)
        } else {
            write_pages(path, class, &input)
        }
    }
}

/// Of whom pages of this part are. Only a whole class is written for all of its students. Some are missing from a shard, and
/// from a run that was stopped.
pub(crate) fn page_scope(part: &AskedPart, lacks_some: bool, students: usize) -> PageScope {
    if lacks_some || !part.has_totals() || part.is_of_cases() {
        PageScope::Part
    } else if part.is_all() {
        PageScope::Class
    } else if part.only_student().is_some() && students == 1 {
        PageScope::Student
    } else {
        PageScope::Part
    }
}

/// The explorer, if there are boards that link to it.
pub(crate) fn explorer(results: &Results) -> Option<String> {
    let problems = results.students.iter().flat_map(|it| &it.problems);
    let cases = problems
        .flat_map(|it| &it.subtasks)
        .flat_map(|it| &*it.cases);
    let has_boards = cases
        .flat_map(|it| &it.evidence)
        .any(|it| it.board.is_some());
    has_boards.then(grader_explorer::page)
}

/// The sources that were judged; none if nothing is stored.
pub(crate) fn sources(
    results: &Results,
    stored: Option<&StoredRuns>,
) -> impl Fn(&StudentId, &ProblemId) -> io::Result<Vec<SourceFile>> {
    let students = results.students.iter().map(|it| (&it.id, it));
    let students: BTreeMap<_, _> = students.collect();
    move |student, problem| match (stored, students.get(student)) {
        (Some(stored), Some(student)) => stored.sources(results, student, problem),
        _ => Ok(Vec::new()),
    }
}

/// Whether pages are to be one file: with `/` at its end, a path is that of a folder.
pub(crate) fn is_one_page(path: &Path) -> bool {
    let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let is_html = |it: &OsStr| it.eq_ignore_ascii_case("html");
    !is_folder && path.extension().is_some_and(is_html)
}
