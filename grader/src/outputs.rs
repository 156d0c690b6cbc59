//! Reports on a class: the table, and everything else that is written from results.
//!
//! Mistakes that can be seen before there are results are found first ([`OutputArgs::check`], [`OutputArgs::prepare`]):
//! grading may take hours.

mod classroom50;
mod feedback;
mod format;
mod github;
mod report;
mod similarity;
mod web;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{ArgGroup, Args};
use grader_model::{ClassId, StudentId};
use grader_publish::{PageScope, SimilarityTool, atomic_write, other_page, probe_write};
use grader_report::{
    Style, document as draw, write_classroom50, write_csv, write_gradescope, write_json,
    write_junit, write_markdown,
};
use grader_session::corrections::now;
use grader_session::owned::{head, is_stdout, refuse_filled, refuse_others, say_written};
use grader_session::{AskedPart, Failure, IfSeveral, People, withhold_open_points};
use grader_view::{Audience, ClassView, Own, Visible};

use self::format::{Format, Needs};
pub(crate) use self::github::{add_step_summary, write as write_github};
pub(crate) use self::report::Report;
use crate::targets::{FEEDBACK_MARK, MadeFolders, Targets};
use crate::terminal::Terminal;

/// Reports, beside the table on standard output. Several can be written in one run.
#[derive(Debug, Args)]
#[command(
    next_help_heading = "Reports",
    group = ArgGroup::new("points").multiple(true)
)]
pub(crate) struct OutputArgs {
    /// Explain every score of this student (repeatable).
    #[arg(long, value_name = "ID")]
    explain: Vec<String>,
    /// All results, for programs; `-` is standard output.
    ///
    /// `grader schema results` describes them. Only one report may go to standard output, in place of the table.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Points, for spreadsheets.
    #[arg(long, value_name = "FILE", group = "points")]
    pub(crate) csv: Option<PathBuf>,
    /// Test report of CI systems (JUnit XML).
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Page for wikis and merge requests.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Web pages: a folder, or one `.html` file.
    ///
    /// A folder has a page for the class, pages about each student for staff, and `students/` and `print.html` to hand out. A
    /// single file has only the pages for staff, and so has a report on a part of the class.
    #[arg(long, value_name = "PATH")]
    html: Option<PathBuf>,
    /// Annotations for GitHub Actions, and its summary.
    ///
    /// About one student's work, they show only what that student may see, unless `--audience staff` is given.
    #[arg(long, hide_short_help = true)]
    github: bool,
    /// Gradescope's `results.json` of one student.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    gradescope: Option<PathBuf>,
    /// Classroom 50's `result.json` of one student, written by its autograder.
    ///
    /// Classroom 50 takes whole numbers only, so scores and maxima are hundredths of points.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    classroom50: Option<PathBuf>,
    /// Folder of feedback: a text for each student.
    ///
    /// Each text has one student's points and the reasons for them, but no hidden cases and no other students.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    feedback: Option<PathBuf>,
    /// With `--feedback`: pages to publish at this address instead of texts, and a table of their links.
    ///
    /// `FOLDER/pages` is the folder to publish. The names of its pages cannot be guessed, and stay the same as long as
    /// `links.key` is beside the ledger. `FOLDER/links.csv` has the link of each student, for mail merge.
    #[arg(long, value_name = "URL", requires = "feedback", value_parser = web::address, hide_short_help = true)]
    web: Option<String>,
    /// Zip of feedback, to upload to Moodle.
    ///
    /// It is for Moodle's "Upload multiple feedback files in a zip".
    #[arg(long, value_name = "ZIP", group = "points", hide_short_help = true)]
    moodle_feedback: Option<PathBuf>,
    /// Sources for Dolos, to find copied programs.
    ///
    /// The folder must be new or empty. How to start the tool is printed.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    dolos: Option<PathBuf>,
    /// Sources for JPlag, to find copied programs.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    jplag: Option<PathBuf>,
    /// For whom the reports are written [default: staff].
    ///
    /// A student sees no hidden cases, no flags and nobody else. Name the student with `--explain`, unless there is only one.
    #[arg(long, value_name = "WHO", value_parser = audiences(), hide_short_help = true)]
    audience: Option<Audience>,
    /// Write points (`--csv`, `--moodle-feedback`) even if some are not scored yet: their cells stay empty.
    #[arg(long, requires = "points", hide_short_help = true)]
    pub(crate) allow_unscored: bool,
}

fn audiences() -> impl clap::builder::TypedValueParser<Value = Audience> {
    PossibleValuesParser::new(["student", "staff"]).map(|word| match word.as_str() {
        "student" => Audience::Student,
        _ => Audience::Staff,
    })
}

const NOT_ONE: &str = "a report for a student is about one: name the student with `--explain ID`";

impl OutputArgs {
    /// The reports that were asked for, and where they go.
    fn files(&self) -> impl Iterator<Item = (Format, &Path)> {
        let files = [
            (Format::Json, &self.json),
            (Format::Csv, &self.csv),
            (Format::Junit, &self.junit),
            (Format::Markdown, &self.markdown),
            (Format::Html, &self.html),
            (Format::Gradescope, &self.gradescope),
            (Format::Classroom50, &self.classroom50),
            (Format::Feedback, &self.feedback),
            (Format::Moodle, &self.moodle_feedback),
            (Format::Dolos, &self.dolos),
            (Format::Jplag, &self.jplag),
        ];
        files
            .into_iter()
            .filter_map(|(format, path)| Some((format, path.as_deref()?)))
    }

    /// Those that go to paths.
    fn on_disk(&self) -> impl Iterator<Item = (Format, &Path)> {
        self.files().filter(|(_, path)| !is_stdout(path))
    }

    /// Whether a report goes to standard output in place of the table.
    fn has_stdout(&self) -> bool {
        self.files().any(|(_, path)| is_stdout(path))
    }

    fn is_for_student(&self) -> bool {
        self.audience == Some(Audience::Student)
    }

    /// Whether a student enters the report: one for a student is about the one of `--explain`.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        !self.is_for_student() || self.explain.is_empty() || self.explains(student)
    }

    /// The student whom the report is about; empty if it is about all.
    pub(crate) fn only(&self) -> BTreeSet<StudentId> {
        let named = self.explain.iter().filter(|_| self.is_for_student());
        named.map(StudentId::new).collect()
    }

    fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Whether nothing but the table and `--csv` is asked for.
    pub(crate) fn is_only_csv(&self) -> bool {
        let mut files = self.files();
        files.all(|(format, _)| format == Format::Csv)
            && self.explain.is_empty()
            && !self.github
            && !self.is_for_student()
    }

    /// Finds mistakes that can be seen before a class is read.
    pub(crate) fn check(&self, part: &AskedPart) -> Result<(), Failure> {
        let is_for_student = self.is_for_student();
        for (format, path) in self.files() {
            let option = format.option();
            let message = match (
                format.needs(),
                format.refusal_for_student(),
                format.expected_path(),
            ) {
                (Needs::Points | Needs::Totals, ..) if part.is_of_cases() => format!(
                    "`{option}` needs points, and `--case` gives none: use `--json` or `--junit`"
                ),
                (Needs::Totals, ..) if !part.has_totals() => {
                    format!("`{option}` needs whole totals: leave out `--problem`")
                }
                (_, Some(why), _) if is_for_student => format!("`{option}` {why}"),
                (.., Some(expected)) if is_stdout(path) => {
                    format!("`{option}` writes files: expected {expected}")
                }
                _ => continue,
            };
            return Err(Failure::usage(message));
        }
        self.targets()?;
        if self.classroom50.is_some() {
            classroom50::values()?;
        }
        if self.web.is_some() && !part.is_all() {
            let message = "`--web` publishes the pages of a whole class, and removes all others: leave out `--student`";
            return Err(Failure::usage(message));
        }
        if is_for_student && part.is_of_cases() {
            let message =
                "`--case` shows staff the verdicts of cases: leave out `--audience student`";
            return Err(Failure::usage(message));
        }
        if is_for_student && self.explain.len() > 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        Ok(())
    }

    /// Where the reports go, if no two of them share a file.
    fn targets(&self) -> Result<Targets, Failure> {
        let mut targets = Targets::default();
        if self.github {
            targets.add_stdout();
        }
        for (format, path) in self.files() {
            targets.add(path, format.is_folder(path))?;
        }
        Ok(targets)
    }

    /// An option that needs what a ledger keeps: sources, or the key of links.
    pub(crate) fn needs_ledger(&self) -> Option<&'static str> {
        if self.publishes() {
            return Some("--web");
        }
        let mut files = self.files();
        let of_sources = |(format, _): &(Format, &Path)| format.needs_sources();
        files.find(of_sources).map(|(format, _)| format.option())
    }

    /// Whether pages are to be published.
    pub(crate) const fn publishes(&self) -> bool {
        self.web.is_some()
    }

    /// Replaces the names in `--explain` by ids, and checks that a report about one student names the one.
    pub(crate) fn resolve(&mut self, people: &People<'_>, part: &AskedPart) -> Result<(), Failure> {
        if self.is_for_student() && self.explain.is_empty() {
            self.explain.extend(part.only_student().map(str::to_owned));
        }
        let ids = self.explain.iter().map(|name| people.find_all(name));
        self.explain = ids.collect::<Result<Vec<_>, _>>()?.concat();
        if self.is_for_student() && self.explain.len() != 1 && people.students.len() != 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        Ok(())
    }

    /// Checks that a report about one student has one.
    pub(crate) fn check_students(&self, count: usize) -> Result<(), Failure> {
        let of_one = |it: &Format| matches!(it, Format::Gradescope | Format::Classroom50);
        let mut formats = self.files().map(|(format, _)| format);
        if let Some(format) = formats.find(of_one).filter(|_| count != 1) {
            let option = format.option();
            let message =
                format!("`{option}` is about one student: name the student with `--student ID`");
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    /// Whether the class must be named if there are several: points go to students, or into another system.
    pub(crate) fn if_several(&self) -> IfSeveral {
        let mut formats = self.files().map(|(format, _)| format);
        if self.is_for_student() || formats.any(|it| it.carries_points() || it.is_for_students()) {
            IfSeveral::Ask
        } else {
            IfSeveral::TakeLast
        }
    }

    /// The same, when it is known how many students the report is about: the log of a job about one is that of the student's
    /// repository.
    pub(crate) fn if_several_for(&self, count: usize) -> IfSeveral {
        if self.log_reader(count) == Audience::Student {
            IfSeveral::Ask
        } else {
            self.if_several()
        }
    }

    /// Who reads standard output of a report about so many students.
    fn log_reader(&self, count: usize) -> Audience {
        match self.audience {
            None if self.github && count == 1 => Audience::Student,
            named => named.unwrap_or(Audience::Staff),
        }
    }

    /// Checks that the reports can be written, that they replace only earlier ones on the same class, and that none of them
    /// goes among the work of its students. `folder` is where that is, unless it is the work of one student.
    pub(crate) fn prepare(&self, class: &ClassId, folder: Option<&Path>) -> Result<(), Failure> {
        let targets = self.targets()?;
        folder.map_or(Ok(()), |it| targets.refuse_in_class(it))?;
        // They are made again when there is something to write.
        let mut made = MadeFolders::default();
        for (format, path) in self.on_disk() {
            let is_folder = format.is_folder(path);
            let what = if is_folder { "folder" } else { "file" };
            if is_folder {
                made.make(path)?;
            }
            match format {
                Format::Dolos | Format::Jplag => refuse_filled(path, "is not empty")?,
                Format::Feedback => feedback::refuse_others_in(path, class)?,
                _ => {}
            }
            let file = main_file(format, path);
            let head = head(&file);
            if !head.is_empty() {
                refuse_others(&file, format.owner(&file, &head, class), what)?;
            }
            // Pages of students may be there without the page of the class.
            if format == Format::Html
                && is_folder
                && let Ok(Some((page, owner))) = other_page(path, class)
            {
                refuse_others(&page, owner, what)?;
            }
        }
        // Nothing is written, and no folder made, if one of them cannot be.
        for (format, path) in self.on_disk() {
            probe_write(&main_file(format, path))
                .map_err(|error| Failure::mistake(error.text()))?;
        }
        Ok(())
    }

    /// Writes all reports. If one fails, the others are written nevertheless.
    ///
    /// # Errors
    /// The last failure; those before it are printed.
    pub(crate) fn write(&self, report: &Report<'_>, terminal: &Terminal) -> anyhow::Result<()> {
        let audience = self.audience.unwrap_or(Audience::Staff);
        let seen_by = |audience| Visible::of(report.results, audience).map_err(io::Error::from);
        let visible = seen_by(audience)?;
        let class = visible.view();
        let mut result = Ok(());
        let log_reader = self.log_reader(report.results.students.len());
        if !terminal.is_quiet && !self.has_stdout() {
            let shown = seen_by(log_reader)?;
            let (out, style) = (&mut terminal.stdout(), terminal.style());
            let table = self.table(report, &shown.view(), log_reader, &style, out);
            result = table.map_err(Into::into);
        }
        let mut keep = |written: anyhow::Result<()>| {
            if written.is_err()
                && let Err(earlier) = mem::replace(&mut result, written)
            {
                terminal.error(&earlier);
            }
        };
        if self.github {
            let written = seen_by(log_reader).and_then(|it| github::write(&it.view(), terminal));
            keep(written.map_err(Into::into));
        }
        for (format, path) in self.files() {
            keep(self.write_one(format, path, report, (&visible, &class), terminal));
        }
        result
    }

    fn write_one(
        &self,
        format: Format,
        path: &Path,
        report: &Report<'_>,
        (visible, class): (&Visible<'_>, &ClassView<'_>),
        terminal: &Terminal,
    ) -> anyhow::Result<()> {
        let results = report.results;
        let has_cells = format != Format::Classroom50;
        if format.carries_points() && !(self.allow_unscored && has_cells) {
            withhold_open_points(results, has_cells, terminal)?;
        }
        let mut made = MadeFolders::default();
        if format.is_folder(path) {
            made.make(path)?;
        }
        match format {
            Format::Html => {
                report.pages().write(path, class, terminal)?;
                if report.scope == PageScope::Part && format.is_folder(path) {
                    say_part(results.interrupted, terminal);
                }
            }
            Format::Feedback => {
                return feedback::write(path, self.web.as_deref(), report, terminal);
            }
            Format::Moodle => feedback::write_zip(path, report, terminal)?,
            Format::Dolos => {
                let out = self.commands_to(terminal);
                return similarity::write(path, SimilarityTool::Dolos, report, terminal, out);
            }
            Format::Jplag => {
                let out = self.commands_to(terminal);
                return similarity::write(path, SimilarityTool::Jplag, report, terminal, out);
            }
            _ => {
                let lang = terminal.lang;
                let values = match format {
                    Format::Classroom50 => classroom50::values()?,
                    _ => Vec::new(),
                };
                let time = now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
                let write = |out: &mut dyn Write| match format {
                    Format::Json => write_json(visible, out),
                    Format::Csv => write_csv(class, lang, out),
                    Format::Junit => write_junit(class, out),
                    Format::Markdown => write_markdown(class, lang, out),
                    Format::Classroom50 => {
                        write_classroom50(&Own::only(results)?, &values, &time, lang, out)
                    }
                    _ => write_gradescope(&Own::only(results)?, lang, out),
                };
                if is_stdout(path) {
                    // A log of GitHub may be what reads it.
                    let written = match format {
                        Format::Markdown => write(&mut terminal.stdout()),
                        _ => write(&mut Terminal::pipe()),
                    };
                    return Ok(written?);
                }
                // If it fails, nothing goes to standard output instead: that may be a log which others read.
                atomic_write(path, write)?;
            }
        }
        say_written(path, terminal);
        Ok(())
    }

    /// Where commands to type go: beside a report on standard output, to standard error.
    fn commands_to(&self, terminal: &Terminal) -> Box<dyn Write> {
        if self.has_stdout() {
            Box::new(io::stderr())
        } else {
            Box::new(terminal.stdout())
        }
    }

    fn table(
        &self,
        report: &Report<'_>,
        class: &ClassView<'_>,
        reader: Audience,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if report.is_of_cases {
            return out.write_all(draw::cases(class, style).as_bytes());
        }
        if reader == Audience::Student {
            return out.write_all(draw::personal(class, style).as_bytes());
        }
        out.write_all(draw::class(class, style).as_bytes())?;
        let students = class.students.iter();
        for student in students.filter(|student| self.explains(student.id)) {
            writeln!(out)?;
            out.write_all(draw::student(student, style).as_bytes())?;
        }
        Ok(())
    }
}

/// The file by which a report shows whose it is, and whether it can be written.
fn main_file(format: Format, path: &Path) -> PathBuf {
    match format {
        Format::Html if format.is_folder(path) => path.join("index.html"),
        Format::Feedback => path.join(FEEDBACK_MARK),
        Format::Dolos | Format::Jplag => path.join("info.csv"),
        _ => path.to_owned(),
    }
}

/// Says that nothing is written that could be handed out as if it were of the whole class.
fn say_part(was_stopped: bool, terminal: &Terminal) {
    let (en, zh) = if was_stopped {
        ("the run was stopped", "评测被中断")
    } else {
        ("this is a part of the class", "这只是班级的一部分")
    };
    terminal.note(
        format!(
            "{en}: the pages for students (`students/` and `print.html`) are not written; a report on the whole class writes them"
        ),
        format!(
            "{zh}：没有写入发给学生的网页（`students/` 和 `print.html`）；对全班的报告会写入它们"
        ),
    );
}
