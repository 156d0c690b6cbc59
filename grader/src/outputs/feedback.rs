//! Feedback for students: texts, pages to publish, and Moodle's zip.

use std::fs::File;
use std::io;
use std::path::Path;

use grader_lms::{open_regular, write_moodle_feedback};
use grader_model::{ClassId, StudentResult, System, Text};
use grader_publish::{atomic_write, write_student_files};
use grader_report::own_page;
use grader_session::owned::{Owner, head, refuse_filled, refuse_others, say_written};
use grader_session::{Exit, Failure};
use grader_view::Own;
use zip::ZipArchive;

use super::report::Report;
use super::web;
use crate::pages::sources;
use crate::targets::FEEDBACK_MARK;
use crate::terminal::Terminal;

/// Refuses a folder with other files than feedback to this class.
pub(super) fn refuse_others_in(folder: &Path, class: &ClassId) -> Result<(), Failure> {
    let mark = folder.join(FEEDBACK_MARK);
    if mark.exists() {
        refuse_others(folder, owner(&head(&mark), &class.to_string()), "folder")
    } else {
        refuse_filled(folder, "has other files")
    }
}

/// Whose feedback is marked so.
pub(super) fn owner(mark: &[u8], class: &str) -> Owner {
    if mark == class.as_bytes() {
        Owner::Class
    } else if mark.is_empty() {
        Owner::Unknown
    } else {
        Owner::Another
    }
}

/// Writes a text for each student; or pages to publish, if their address is given.
pub(super) fn write(
    folder: &Path,
    url: Option<&str>,
    report: &Report<'_>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    if report.results.interrupted {
        let text = Text::new(
            "no feedback is written: the run was stopped, so not everybody is graded",
            "没有写入反馈：评测被中断，并非所有学生都已评分",
        );
        return Err(Failure::new(Exit::Fault, text).into());
    }
    let class = report.sections.id().to_string();
    atomic_write(&folder.join(FEEDBACK_MARK), |out| {
        out.write_all(class.as_bytes())
    })?;
    if let Some(url) = url {
        return web::write(folder, url, report, terminal);
    }
    write_student_files(folder, report.results, &terminal.paper())?;
    say_written(folder, terminal);
    Ok(())
}

/// Writes Moodle's zip.
pub(super) fn write_zip(
    path: &Path,
    report: &Report<'_>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let (results, lang) = (report.results, terminal.lang);
    let students = &results.students;
    if !students.iter().any(has_moodle_id) {
        let message = "no student has a Moodle participant ID: grade the zip of `Download all submissions` as it is, or use a \
                       roster with these IDs";
        return Err(Failure::usage(message).into());
    }
    let statements = report.statements(lang)?;
    let sources = sources(results, report.stored);
    let page = |student: &StudentResult| {
        let own = student.problems.iter();
        let own = own.map(|it| sources(&student.id, &it.id));
        let own: Vec<_> = own.collect::<io::Result<_>>()?;
        own_page(&Own::of(results, student), &own, None, &statements, lang)
    };
    let mut remarks = Vec::new();
    atomic_write(path, |out| {
        remarks = write_moodle_feedback(&report.sections.id(), students, &page, out)?;
        Ok(())
    })?;
    for remark in remarks {
        terminal.warn(remark.en, remark.zh);
    }
    Ok(())
}

/// Whose zip is at a path.
pub(super) fn zip_owner(path: &Path, class: &str) -> Owner {
    let zip = open_regular(path)
        .ok()
        .and_then(|file| ZipArchive::new(file).ok());
    match zip {
        Some(zip) if is_feedback(&zip) => owner(zip.comment(), class),
        _ => Owner::Foreign,
    }
}

/// Whether a zip is one of feedback and of nothing else.
fn is_feedback(zip: &ZipArchive<File>) -> bool {
    let mut names = zip.file_names();
    names.all(|name| name.is_ok_and(|name| name.ends_with("/feedback.html")))
}

fn has_moodle_id(student: &StudentResult) -> bool {
    let person = student.person.as_ref();
    person.is_some_and(|person| person.ids.contains_key(&System::Moodle))
}
