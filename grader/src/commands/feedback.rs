//! `grader feedback`.

mod web;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use grader_lms::{open_regular, write_moodle_feedback};
use grader_model::{ClassId, StudentResult, System};
use grader_publish::{atomic_write, probe_write, write_student_files};
use grader_report::own_page;
use grader_view::Own;
use zip::ZipArchive;

use crate::exit::{Exit, Failure};
use crate::graded::{Graded, RunArgs};
use crate::outputs::{create_folder, say_written};
use crate::owned::{Owner, head, refuse_foreign, refuse_others};
use crate::pages::sources;
use crate::stored::{refuse_several_classes, withhold_open_points};
use crate::terminal::{Terminal, shown};

/// The file that tells a folder of feedback from others.
const MARK: &str = ".grader-feedback";

#[derive(Debug, Args)]
#[command(after_long_help = "\
Each text or page has one student's points and the reasons for them, but no hidden cases and no other students. \
`grader report --html FOLDER` writes the same pages, named after the students, into `students/`.

Examples:
  grader feedback -o feedback/
  grader feedback --moodle -o feedback.zip
  grader feedback --web https://example.org/week-1/ -o week-1-pages/")]
pub(crate) struct FeedbackArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Folder for the text files, one for each student; with `--moodle`, a zip.
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Write a zip for Moodle's "Upload multiple feedback files in a zip".
    #[arg(long)]
    moodle: bool,
    /// With `--moodle`: write the zip even if some submissions could not be judged.
    #[arg(long, requires = "moodle")]
    allow_unscored: bool,
    /// Write pages to publish at this address, and a table of their links.
    ///
    /// `OUT/pages` is the folder to publish. The names of its pages cannot be guessed, and stay the same as long as `links.key` is
    /// beside the ledger. `OUT/links.csv` has the link of each student, for mail merge.
    #[arg(long, value_name = "URL", conflicts_with = "moodle", value_parser = web::address)]
    web: Option<String>,
}

pub(crate) fn run(args: &FeedbackArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let graded = Graded::read(&args.source, terminal)?;
    refuse_several_classes(&graded.stored)?;
    graded.say_source(terminal);
    if args.moodle {
        write_zip(args, &graded, terminal)?;
        say_written(&args.output, terminal);
    } else {
        claim(&args.output, &graded.class_id()?)?;
        if let Some(url) = &args.web {
            web::write(&args.output, url, &graded, terminal)?;
        } else {
            write_student_files(&args.output, &graded.results, &terminal.paper())?;
            say_written(&args.output, terminal);
        }
    }
    Ok(graded.exit())
}

/// Marks a folder as one of feedback to a class, unless it has other files.
fn claim(folder: &Path, class: &ClassId) -> anyhow::Result<()> {
    create_folder(folder)?;
    let mark = folder.join(MARK);
    let class = class.to_string();
    if mark.exists() {
        refuse_others(folder, owner(&head(&mark), &class), "folder")?;
    }
    if !mark.exists() && fs::read_dir(folder)?.next().is_some() {
        let path = shown(folder);
        let message = format!("`{path}` has other files: expected a new or empty folder");
        return Err(Failure::usage(message).into());
    }
    Ok(atomic_write(&mark, |out| out.write_all(class.as_bytes()))?)
}

/// Whose feedback is marked so.
fn owner(mark: &[u8], class: &str) -> Owner {
    if mark == class.as_bytes() {
        Owner::Class
    } else if mark.is_empty() {
        Owner::Unknown
    } else {
        Owner::Another
    }
}

fn write_zip(args: &FeedbackArgs, graded: &Graded, terminal: &Terminal) -> anyhow::Result<()> {
    let path = &args.output;
    let class = graded.class_id()?;
    refuse_foreign(path, |_| is_feedback(path))?;
    if let Some(mark) = open_regular(path)
        .ok()
        .and_then(|it| ZipArchive::new(it).ok())
    {
        refuse_others(path, owner(mark.comment(), &class.to_string()), "file")?;
    }
    probe_write(path).map_err(|error| Failure::mistake(error.text()))?;
    if !args.allow_unscored {
        withhold_open_points(&graded.results, terminal)?;
    }
    let (results, lang) = (&graded.results, terminal.lang);
    let students = &results.students;
    if !students.iter().any(has_moodle_id) {
        let message = "no student has a Moodle participant ID: grade the zip of `Download all submissions` as it is, or use a \
                       roster with these IDs";
        return Err(Failure::usage(message).into());
    }
    let statements = graded.stored.statements(results, lang)?;
    let sources = sources(results, Some(&graded.stored));
    let page = |student: &StudentResult| {
        let own = student.problems.iter();
        let own = own.map(|it| sources(&student.id, &it.id));
        let own: Vec<_> = own.collect::<io::Result<_>>()?;
        own_page(&Own::of(results, student), &own, None, &statements, lang)
    };
    let mut remarks = Vec::new();
    atomic_write(path, |out| {
        remarks = write_moodle_feedback(&class, students, &page, out)?;
        Ok(())
    })?;
    for remark in remarks {
        terminal.warn(remark.en, remark.zh);
    }
    Ok(())
}

/// Whether a file is a zip of feedback and of nothing else.
fn is_feedback(path: &Path) -> bool {
    let zip = open_regular(path)
        .ok()
        .and_then(|file| ZipArchive::new(file).ok());
    zip.is_some_and(|zip| {
        let mut names = zip.file_names();
        names.all(|name| name.is_ok_and(|name| name.ends_with("/feedback.html")))
    })
}

fn has_moodle_id(student: &StudentResult) -> bool {
    let person = student.person.as_ref();
    person.is_some_and(|person| person.ids.contains_key(&System::Moodle))
}
