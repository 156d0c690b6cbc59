//! Writing the report in each format.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use grader_judge::typed;
use grader_language::Languages;
use grader_lms::write_moodle_feedback;
use grader_model::{
    AssignmentId, AssignmentInfo, ProblemId, Results, SourceFile, StudentId, StudentResult, System,
    Text, escaped,
};
use grader_report::{
    Audience, PageInput, SimilarityInput, SimilarityTool, Style, WriteError, atomic_write,
    probe_write, step_summary, student_report, terminal as draw, write_annotations,
    write_classroom, write_csv, write_for_similarity, write_gradescope, write_json, write_junit,
    write_markdown, write_page, write_pages, write_student_files,
};

use super::args::ClassReportArgs;
use super::format::Format;
use super::{gradebook, withhold_open_points};
use crate::exit::Failure;
use crate::part::PartArgs;
use crate::stored::StoredRuns;
use crate::terminal::Terminal;

/// The file to which a step of GitHub Actions adds what its page shows.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// A report that can be written, with the gradebook that is filled in.
pub(crate) struct Prepared<'a> {
    pub(super) args: &'a ClassReportArgs,
    pub(super) gradebook: Option<gradebook::File>,
    /// Whether it is of some cases, without points.
    is_of_cases: bool,
}

impl ClassReportArgs {
    /// Checks that the report can be written, and reads the gradebook that is filled in.
    pub(crate) fn prepare(
        &self,
        assignment: &AssignmentInfo,
        part: &PartArgs,
    ) -> Result<Prepared<'_>, Failure> {
        self.gradebook.refuse_as_output(self.output.as_deref())?;
        if let Some(path) = self.target() {
            let tool = self.format.similarity_tool();
            let file = if self.format == Format::Students
                || (self.format == Format::Html && !is_page(path))
                || tool.is_some()
            {
                fs::create_dir_all(path).map_err(|error| {
                    let shown = path.display();
                    Failure::usage(if path.exists() {
                        format!("expected a folder, but `{shown}` is a file")
                    } else {
                        format!("cannot create the folder `{shown}`: {error}")
                    })
                })?;
                // A submission of an earlier export would be compared too.
                if tool.is_some() && fs::read_dir(path).is_ok_and(|mut it| it.next().is_some()) {
                    let path = path.display();
                    let message = format!("`{path}` is not empty: expected a new or empty folder");
                    return Err(Failure::usage(message));
                }
                &path.join("report.txt")
            } else {
                path
            };
            probe_write(file).map_err(|error| Failure::mistake(error.text()))?;
        }
        Ok(Prepared {
            args: self,
            gradebook: self.gradebook.read(self.format, assignment)?,
            is_of_cases: part.is_of_cases(),
        })
    }
}

impl Prepared<'_> {
    /// Writes the report to its file or folder, or to standard output.
    ///
    /// # Errors
    /// A fault if the format carries points elsewhere and some are not known: nothing is written then.
    pub(crate) fn give(
        &self,
        results: &Results,
        stored: Option<&StoredRuns>,
        against: Option<&Results>,
        terminal: &Terminal,
    ) -> anyhow::Result<()> {
        let args = self.args;
        if args.format.carries_points() && !args.allow_faults {
            withhold_open_points(results, args.format)?;
        }
        if args.format == Format::MoodleFeedback && !results.students.iter().any(has_moodle_id) {
            let message = "no student has a Moodle participant ID: grade the zip of `Download all submissions` as it \
                           is, or use a roster with these IDs";
            return Err(Failure::usage(message).into());
        }
        let mut remarks = Vec::new();
        match (args.target(), args.format) {
            (None, Format::Text | Format::Markdown) => {
                remarks = self.write(results, &terminal.style(), &mut terminal.stdout())?;
            }
            (None, _) => {
                remarks = self.write(results, &terminal.paper(), &mut Terminal::pipe())?;
            }
            (Some(path), Format::Students) => {
                write_student_files(path, results, &terminal.paper())?;
            }
            (Some(path), Format::Html) => write_html(path, results, stored, against, terminal)?,
            (Some(path), Format::Dolos) => {
                for_similarity(path, SimilarityTool::Dolos, results, stored, terminal)?;
            }
            (Some(path), Format::Jplag) => {
                for_similarity(path, SimilarityTool::Jplag, results, stored, terminal)?;
            }
            (Some(path), _) => {
                // If it fails, nothing goes to standard output instead: that may be a log which others read.
                atomic_write(path, |out| {
                    remarks = self.write(results, &terminal.paper(), out)?;
                    Ok(())
                })?;
            }
        }
        for remark in remarks {
            terminal.note(remark.en, remark.zh);
        }
        self.add_step_summary(results, terminal);
        if let Some(path) = args.target() {
            let path = path.display();
            terminal.note(
                format!("report written to `{path}`"),
                format!("报告已写入 `{path}`"),
            );
        }
        Ok(())
    }

    /// Writes the report as one stream. Returns remarks for standard error.
    fn write(
        &self,
        results: &Results,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<Vec<Text>> {
        let (audience, lang) = (self.args.audience, style.lang);
        let report = &mut |student: &StudentResult| student_report(results, student, style);
        match self.args.format {
            Format::Text => self.text(results, style, out)?,
            Format::Json => write_json(results, audience, out)?,
            Format::Csv => write_csv(results, audience, lang, out)?,
            Format::Junit => write_junit(results, audience, out)?,
            Format::Markdown => write_markdown(results, audience, lang, out)?,
            Format::Github => write_annotations(results, audience, lang, out)?,
            Format::Classroom => write_classroom(results, out)?,
            Format::Gradescope => write_gradescope(results, lang, out)?,
            Format::MoodleFeedback => {
                return write_moodle_feedback(&results.students, lang, report, out);
            }
            Format::Moodle | Format::Canvas | Format::Blackboard | Format::Brightspace => {
                // `prepare` has read it.
                let file = self.gradebook.as_ref().ok_or(io::ErrorKind::InvalidInput)?;
                let filled = self.args.gradebook.fill(file, results, style);
                let filled = filled.map_err(io::Error::other)?;
                out.write_all(&filled.bytes)?;
                let remarks = filled.remarks.into_iter();
                let (written, all) = (filled.written, results.students.len());
                let summary = Text::new(
                    format!("points of {written} of {all} students were filled in"),
                    format!("已填入 {all} 名学生中 {written} 名的分数"),
                );
                return Ok(remarks.chain([summary]).collect());
            }
            // A folder is no stream: `check` has asked for its place.
            Format::Students | Format::Html | Format::Dolos | Format::Jplag => {
                return Err(io::ErrorKind::InvalidInput.into());
            }
        }
        Ok(Vec::new())
    }

    fn text(&self, results: &Results, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let audience = self.args.audience;
        let view = audience.view(results);
        if self.is_of_cases {
            return out.write_all(draw::cases(&view, style).as_bytes());
        }
        if audience == Audience::Student {
            return out.write_all(draw::personal(&view, style).as_bytes());
        }
        out.write_all(draw::class(&view, style).as_bytes())?;
        let students = view.students.iter();
        for student in students.filter(|student| self.args.explains(&student.id)) {
            writeln!(out)?;
            out.write_all(draw::student(student, style).as_bytes())?;
        }
        Ok(())
    }

    /// Adds the page of a step in GitHub Actions. The annotations are worth more: a failure is only a remark.
    fn add_step_summary(&self, results: &Results, terminal: &Terminal) {
        let path = std::env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty());
        let Some(path) = path.filter(|_| self.args.format == Format::Github) else {
            return;
        };
        let add = || {
            let page = step_summary(results, self.args.audience, terminal.lang)?;
            let mut file = File::options().append(true).create(true).open(path)?;
            file.write_all(page.as_bytes())
        };
        if let Err::<_, io::Error>(error) = add() {
            terminal.note(
                format!("cannot write the step summary (`${STEP_SUMMARY}`): {error}"),
                format!("无法写入步骤摘要（`${STEP_SUMMARY}`）：{error}"),
            );
        }
    }
}

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

/// Writes the pages of a class beside its ledger, and prints where. They can be made again: a failure is only a remark.
pub(crate) fn write_pages_beside(
    folder: &Path,
    results: &Results,
    stored: Option<&StoredRuns>,
    terminal: &Terminal,
) {
    // The class's points are for its instructor: the folder that was named for the ledger may be open to everybody.
    let created = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    let written = created.map_err(WriteError::of(folder));
    let written = written.and_then(|()| write_html(folder, results, stored, None, terminal));
    match written {
        Ok(()) => {
            let page = escaped(folder.join("index.html").as_os_str().as_encoded_bytes());
            terminal.note(format!("report: {page}"), format!("报告：{page}"));
        }
        Err(error) => {
            let Text { en, zh } = error.text();
            terminal.note(format!("no pages: {en}"), format!("没有生成网页：{zh}"));
        }
    }
}

/// Writes web pages into a folder, or into one file if the path ends in `.html`.
fn write_html(
    path: &Path,
    results: &Results,
    stored: Option<&StoredRuns>,
    against: Option<&Results>,
    terminal: &Terminal,
) -> Result<(), WriteError> {
    let input = PageInput {
        results,
        against,
        sources: &sources(results, stored),
        explorer: Some(&grader_explorer::page()),
        lang: terminal.lang,
    };
    if is_page(path) {
        write_page(path, &input)
    } else {
        write_pages(path, &input)
    }
}

/// The sources that were judged; none if nothing is stored.
fn sources(
    results: &Results,
    stored: Option<&StoredRuns>,
) -> impl Fn(&StudentId, &ProblemId) -> io::Result<Vec<SourceFile>> {
    move |student, problem| match stored {
        Some(stored) => stored.sources(results, student, problem),
        None => Ok(Vec::new()),
    }
}

/// Writes the sources for a tool that measures similarity, and prints the commands to run.
fn for_similarity(
    path: &Path,
    tool: SimilarityTool,
    results: &Results,
    stored: Option<&StoredRuns>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let included = |problem: &ProblemId| match stored {
        Some(stored) => stored.included(results, problem),
        None => Ok(Vec::new()),
    };
    let input = SimilarityInput {
        results,
        sources: &sources(results, stored),
        included: &included,
    };
    let comparisons = write_for_similarity(path, tool, &input)?;
    if comparisons.is_empty() {
        let message = "there is nothing to compare: the ledger has no two submissions for one problem in the same language";
        return Err(Failure::usage(message).into());
    }
    let languages = Languages::built_in();
    for comparison in comparisons {
        let (problem, count) = (&comparison.problem, comparison.submissions);
        let language = languages.name(comparison.language);
        let command = typed(&comparison.command);
        terminal.note(
            format!("{problem}, {count} submissions in {language}: {command}"),
            format!("{problem}，{count} 份 {language} 提交：{command}"),
        );
    }
    Ok(())
}

/// Whether pages are to be one file.
fn is_page(path: &Path) -> bool {
    path.extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("html"))
}

fn has_moodle_id(student: &StudentResult) -> bool {
    let person = student.person.as_ref();
    person.is_some_and(|person| person.ids.contains_key(&System::Moodle))
}
