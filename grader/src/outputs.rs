//! Reports on a class: the table, and files in several formats.
//!
//! Mistakes that can be seen before there are results are found first ([`OutputArgs::check`], [`OutputArgs::prepare`]):
//! grading may take hours.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use grader_model::{ClassId, Results, StudentId};
use grader_publish::{PageOwner, atomic_write, create_folders, other_page, probe_write};
use grader_report::{
    Style, markdown_text, terminal as draw, write_csv, write_json, write_junit, write_markdown,
};
use grader_view::{Audience, ClassView, Visible};

use crate::exit::Failure;
use crate::owned::{Owner, contains, head, real_file, refuse_others, tail};
use crate::pages::{is_one_page, write_html};
use crate::part::{PartArgs, People};
use crate::stored::{StoredRuns, withhold_open_points};
use crate::terminal::{Terminal, shown};

/// Reports, beside the table on standard output. Several can be written in one run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
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
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Test report of CI systems (JUnit XML).
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Page for wikis and merge requests.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Web pages: a folder, or one `.html` file.
    ///
    /// A folder has a page for the class, pages about each student for staff, and `students/` to hand out. A single file has
    /// only the pages for staff.
    #[arg(long, value_name = "PATH")]
    html: Option<PathBuf>,
    /// Who reads the reports.
    ///
    /// A student sees no hidden cases, no flags and nobody else. Name the student with `--explain`, unless there is only one.
    #[arg(long, default_value = "staff", value_name = "WHO", value_parser = audiences(), hide_short_help = true)]
    audience: Audience,
    /// Write points as CSV even if some could not be judged: their cells stay empty.
    #[arg(long, requires = "csv", hide_short_help = true)]
    pub(crate) allow_unscored: bool,
}

fn audiences() -> impl clap::builder::TypedValueParser<Value = Audience> {
    PossibleValuesParser::new(["student", "staff"]).map(|word| match word.as_str() {
        "student" => Audience::Student,
        _ => Audience::Staff,
    })
}

/// The format of a report in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Csv,
    Junit,
    Markdown,
    Html,
}

impl Format {
    /// The option that names its file.
    const fn option(self) -> &'static str {
        match self {
            Self::Json => "--json",
            Self::Csv => "--csv",
            Self::Junit => "--junit",
            Self::Markdown => "--markdown",
            Self::Html => "--html",
        }
    }

    /// Whose the report is that lies there.
    fn owner(self, path: &Path, head: &[u8], class: &ClassId) -> Owner {
        let section = &class.section;
        let comment = format!("<!-- class {section} -->");
        match self {
            Self::Json if contains(head, "\"format\": \"bitcraft-results/") => {
                let own = format!(
                    "\"assignment\": \"{}\",\n    \"section\": \"{section}\"",
                    class.assignment
                );
                Owner::named(head, "\"section\": ", &own)
            }
            Self::Csv if head.starts_with("\u{feff}id,name,email,".as_bytes()) => {
                let heads = head.split(|byte| *byte == b'\n').next().unwrap_or(head);
                let is_empty = heads.len() + 1 >= head.len();
                match contains(heads, ",class\r") {
                    true if is_empty => Owner::Class,
                    true => Owner::named(&tail(path), "\r\n", &format!(",{class}\r\n")),
                    false if contains(heads, ",notes\r") => Owner::Unknown,
                    false => Owner::Another,
                }
            }
            Self::Junit if contains(head, "<testsuites name=\"") => {
                let name = format!("<testsuites name=\"{}\"", class.assignment);
                match Owner::named(head, "<!-- class ", &comment) {
                    Owner::Class if !contains(head, &name) => Owner::Another,
                    owner => owner,
                }
            }
            Self::Markdown if head.starts_with(b"## ") && contains(head, "\n| :-- |") => {
                let title = head.split(|byte| *byte == b'\n').next().unwrap_or(head);
                let id = markdown_text(class.assignment.as_str());
                match Owner::named(head, "<!-- class ", &comment) {
                    Owner::Class if !title.ends_with(format!("({id})").as_bytes()) => {
                        Owner::Another
                    }
                    owner => owner,
                }
            }
            Self::Html => PageOwner::of(head, class).into(),
            Self::Json | Self::Csv | Self::Junit | Self::Markdown => Owner::Foreign,
        }
    }
}

/// What reports are made of.
pub(crate) struct Report<'a> {
    pub(crate) results: &'a Results,
    /// `None` if nothing is stored.
    pub(crate) stored: Option<&'a StoredRuns>,
    /// The results of the run to compare with.
    pub(crate) against: Option<&'a Results>,
    /// Whether it is of some cases, without points.
    pub(crate) is_of_cases: bool,
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
        ];
        files
            .into_iter()
            .filter_map(|(format, path)| Some((format, path.as_deref()?)))
    }

    fn is_for_student(&self) -> bool {
        self.audience == Audience::Student
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
            && !self.is_for_student()
    }

    /// Finds mistakes that can be seen before a class is read.
    pub(crate) fn check(&self, part: &PartArgs) -> Result<(), Failure> {
        let is_for_student = self.is_for_student();
        for (format, path) in self.files() {
            let option = format.option();
            let shows_cases = matches!(format, Format::Json | Format::Junit);
            let message = if part.is_of_cases() && !shows_cases {
                format!(
                    "`{option}` needs points, and `--case` gives none: use `--json` or `--junit`"
                )
            } else if format == Format::Csv && !part.has_totals() {
                format!("`{option}` needs whole totals: leave out `--problem`")
            } else if format == Format::Html && is_for_student {
                format!("`{option}` is for staff; its folder `students` has the pages for students")
            } else if format == Format::Html && is_stdout(path) {
                format!("`{option}` writes files: expected a folder, or a file `*.html`")
            } else {
                continue;
            };
            return Err(Failure::usage(message));
        }
        self.check_paths()?;
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

    /// Refuses two reports that would go to one file, however it is spelled.
    fn check_paths(&self) -> Result<(), Failure> {
        let mut files: Vec<PathBuf> = Vec::new();
        let mut folders: Vec<PathBuf> = Vec::new();
        for (format, path) in self.files() {
            let file = if is_stdout(path) {
                path.to_owned()
            } else {
                real_file(path)
            };
            let is_inside = |file: &PathBuf, folder: &PathBuf| file.starts_with(folder);
            let is_folder = format == Format::Html && !is_one_page(path);
            let is_taken = if is_folder {
                files.iter().any(|it| is_inside(it, &file))
            } else {
                files.contains(&file) || folders.iter().any(|it| is_inside(&file, it))
            };
            if is_taken {
                let message = format!("two reports would go to `{}`", shown(path));
                return Err(Failure::usage(message));
            }
            if is_folder {
                folders.push(file);
            } else {
                files.push(file);
            }
        }
        Ok(())
    }

    /// Replaces the names in `--explain` by ids, and checks that a report for a student names the one.
    pub(crate) fn resolve(&mut self, people: &People<'_>) -> Result<(), Failure> {
        let ids = self.explain.iter().map(|name| people.find(name));
        self.explain = ids.collect::<Result<_, _>>()?;
        if self.is_for_student() && self.explain.len() != 1 && people.students.len() != 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        Ok(())
    }

    /// Checks that the reports can be written, and that they replace only earlier ones on the same class.
    pub(crate) fn prepare(&self, class: &ClassId) -> Result<(), Failure> {
        for (format, path) in self.files().filter(|(_, path)| !is_stdout(path)) {
            let is_folder = format == Format::Html && !is_one_page(path);
            let what = if is_folder { "folder" } else { "file" };
            let mut file = path.to_owned();
            if is_folder {
                create_folder(path)?;
                file = path.join("index.html");
            }
            let head = head(&file);
            if !head.is_empty() {
                refuse_others(&file, format.owner(&file, &head, class), what)?;
            }
            // Pages of students may be there without the page of the class.
            if is_folder && let Ok(Some((page, owner))) = other_page(path, class) {
                refuse_others(&page, owner.into(), what)?;
            }
        }
        // Nothing is written, and no folder made, if one of them cannot be.
        for (format, path) in self.files().filter(|(_, path)| !is_stdout(path)) {
            let is_folder = format == Format::Html && !is_one_page(path);
            let file = if is_folder {
                path.join("index.html")
            } else {
                path.to_owned()
            };
            probe_write(&file).map_err(|error| Failure::mistake(error.text()))?;
        }
        Ok(())
    }

    /// Writes all reports. If one fails, the others are written nevertheless.
    ///
    /// # Errors
    /// The last failure; those before it are printed.
    pub(crate) fn write(&self, report: &Report<'_>, terminal: &Terminal) -> anyhow::Result<()> {
        let visible = Visible::of(report.results, self.audience).map_err(io::Error::from)?;
        let class = visible.view();
        let mut result = Ok(());
        if !terminal.is_quiet && !self.files().any(|(_, path)| is_stdout(path)) {
            let table = self.table(report, &class, &terminal.style(), &mut terminal.stdout());
            result = table.map_err(Into::into);
        }
        for (format, path) in self.files() {
            let written = self.write_one(format, path, report, (&visible, &class), terminal);
            if written.is_err()
                && let Err(earlier) = mem::replace(&mut result, written)
            {
                terminal.error(&Failure::of(earlier));
            }
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
        if format == Format::Csv && !self.allow_unscored {
            withhold_open_points(results, terminal)?;
        }
        let lang = terminal.lang;
        let write = |out: &mut dyn Write| match format {
            Format::Json => write_json(visible, out),
            Format::Csv => write_csv(class, lang, out),
            Format::Junit => write_junit(class, out),
            Format::Markdown => write_markdown(class, lang, out),
            // Pages are several files.
            Format::Html => Ok(()),
        };
        if is_stdout(path) {
            // A log of GitHub may be what reads it.
            match format {
                Format::Markdown => write(&mut terminal.stdout())?,
                _ => write(&mut Terminal::pipe())?,
            }
            return Ok(());
        }
        match format {
            Format::Html => write_html(
                path,
                (results, class),
                report.stored,
                report.against,
                terminal,
            )?,
            // If it fails, nothing goes to standard output instead: that may be a log which others read.
            _ => atomic_write(path, write)?,
        }
        say_written(path, terminal);
        Ok(())
    }

    fn table(
        &self,
        report: &Report<'_>,
        class: &ClassView<'_>,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if report.is_of_cases {
            return out.write_all(draw::cases(class, style).as_bytes());
        }
        if self.is_for_student() {
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

/// Whether a path stands for standard output.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Prints where a report is.
pub(crate) fn say_written(path: &Path, terminal: &Terminal) {
    let path = shown(path);
    terminal.note(
        format!("report written to `{path}`"),
        format!("报告已写入 `{path}`"),
    );
}

/// Makes a folder for a report, unless it is there.
pub(crate) fn create_folder(path: &Path) -> Result<(), Failure> {
    create_folders(path).map(drop).map_err(|error| {
        let shown = shown(path);
        Failure::usage(if path.exists() {
            format!("expected a folder, but `{shown}` is a file")
        } else {
            format!("cannot create the folder `{shown}`: {error}")
        })
    })
}
