//! Web pages of a class.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use grader_model::{AssignmentId, ProblemId, Results, SourceFile, StudentId, Text};
use grader_publish::{PageInput, WriteError, write_page, write_pages};
use grader_view::{ClassView, Visible};

use crate::stored::StoredRuns;
use crate::terminal::{Terminal, shown};

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

/// Writes the pages of a class beside its ledger, into a folder for its user alone: the points of a class are for its
/// instructor, and the folder that was named for the ledger may be open to everybody.
pub(crate) fn write_pages_beside(
    folder: &Path,
    results: &Results,
    stored: Option<&StoredRuns>,
    terminal: &Terminal,
) -> Result<(), WriteError> {
    let created = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    created.map_err(WriteError::of(folder))?;
    let visible = Visible::Staff(results);
    write_html(folder, (results, &visible.view()), stored, None, terminal)
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

/// Writes web pages into a folder, or into one file if the path ends in `.html`, from results and their view for staff.
pub(crate) fn write_html(
    path: &Path,
    (results, class): (&Results, &ClassView<'_>),
    stored: Option<&StoredRuns>,
    against: Option<&Results>,
    terminal: &Terminal,
) -> Result<(), WriteError> {
    let lang = terminal.lang;
    let statements = stored.map_or_else(|| Ok(BTreeMap::new()), |it| it.statements(results, lang));
    let explorer = explorer(results);
    let input = PageInput {
        results,
        against,
        sources: &sources(results, stored),
        statements: &statements.map_err(WriteError::of(path))?,
        explorer: explorer.as_deref(),
        lang,
    };
    if is_one_page(path) {
        write_page(path, class, &input)
    } else {
        write_pages(path, class, &input)
    }
}

/// The explorer, if there are boards that link to it.
pub(crate) fn explorer(results: &Results) -> Option<String> {
    let problems = results.students.iter().flat_map(|it| &it.problems);
    let cases = problems
        .flat_map(|it| &it.subtasks)
        .flat_map(|it| &it.cases);
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
    move |student, problem| match stored {
        Some(stored) => stored.sources(results, student, problem),
        None => Ok(Vec::new()),
    }
}

/// Whether pages are to be one file.
pub(crate) fn is_one_page(path: &Path) -> bool {
    path.extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("html"))
}
