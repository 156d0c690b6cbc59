//! Results as web pages: one of the class and one of each student for staff, and one that each student reads.
//!
//! Every page is a file of its own that loads nothing. Templates escape what they show; a content security policy with the
//! hashes of our own style and script is the second layer. What students read has no script.

mod class;
mod plot;
mod policy;
mod source;
mod statement;
mod student;
mod svg;
mod tag;

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use grader_model::{AssignmentInfo, Lang, ProblemId, SourceFile};
use grader_view::{ClassView, Comparison, Own};

use self::policy::STYLE;
pub use self::policy::content_policy;
pub use self::statement::{Statement, picture_data, statement, statement_page};
use self::student::StudentPage;
use self::tag::slug;
use crate::nearest_accepted::Sources;
use crate::words::Words;

/// What every page of ours has in its head.
const MARK: &str = "<meta name=\"generator\" content=\"Bitcraft grader\">";

/// Whether a text is a page of ours.
pub fn is_page(text: &str) -> bool {
    text.contains(MARK)
}

/// The page of a class, compared with an earlier run. Pages of students are `staff/` and
/// [`file_stem`](crate::file_stem). `sources` gives those of a problem. With `has_sheets`, it links to `print.html`.
///
/// # Errors
/// If the sources cannot be read.
pub fn class_page(
    class: &ClassView<'_>,
    against: Option<&Comparison>,
    sources: &Sources<'_>,
    has_sheets: bool,
    lang: Lang,
) -> io::Result<String> {
    let (packed, words) = (Vec::new(), Words::of(lang));
    let mut page = class::page(class, against, packed, sources, words)?;
    page.has_sheets = has_sheets;
    rendered(&page)
}

/// The same as one file, in which the page of each student for staff is packed.
///
/// # Errors
/// If the sources cannot be read.
pub fn single_page(
    class: &ClassView<'_>,
    against: Option<&Comparison>,
    sources: &Sources<'_>,
    lang: Lang,
) -> io::Result<String> {
    let mut packed = Vec::new();
    for (index, student) in class.students.iter().enumerate() {
        let problems = student.problems.iter();
        let own = problems.map(|it| sources(student.id, it.id));
        let own: Vec<_> = own.collect::<io::Result<_>>()?;
        let page = of_staff(class, index, &own, None, lang);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(rendered(&page.as_main())?.as_bytes())?;
        packed.push((slug(student.id), STANDARD.encode(encoder.finish()?)));
    }
    rendered(&class::page(
        class,
        against,
        packed,
        sources,
        Words::of(lang),
    )?)
}

/// The page of a student for staff, with the sources of each problem. Boards link to the page `explorer`.
///
/// # Errors
/// If the template fails.
pub fn staff_page(
    class: &ClassView<'_>,
    index: usize,
    sources: &[Vec<SourceFile>],
    explorer: Option<&str>,
    lang: Lang,
) -> io::Result<String> {
    rendered(&of_staff(class, index, sources, explorer, lang))
}

fn of_staff<'a>(
    class: &'a ClassView<'a>,
    index: usize,
    sources: &[Vec<SourceFile>],
    explorer: Option<&'a str>,
    lang: Lang,
) -> StudentPage<'a> {
    let link = |index: usize| {
        let student = class.students.get(index)?;
        Some((Words::who_on_page(student), slug(student.id)))
    };
    let around = [index.checked_sub(1).and_then(link), link(index + 1)];
    let (student, words) = (&class.students[index], Words::of(lang));
    student::page(class, student, sources, Some(around), explorer, words)
}

/// The page that a student reads, with the [`statement`]s of problems, and with the lines of the sources that remarks are
/// about. Boards link to the page `explorer`.
///
/// # Errors
/// If the template fails.
pub fn own_page(
    own: &Own,
    sources: &[Vec<SourceFile>],
    explorer: Option<&str>,
    statements: &BTreeMap<ProblemId, String>,
    lang: Lang,
) -> io::Result<String> {
    let class = own.view();
    let student = &class.students[0];
    let mut page = student::page(&class, student, sources, None, explorer, Words::of(lang));
    page.statements = Some(statements);
    rendered(&page)
}

/// The same as a part of a page to print, without what cannot be used on paper.
///
/// # Errors
/// If the template fails.
pub fn own_sheet(own: &Own, sources: &[Vec<SourceFile>], lang: Lang) -> io::Result<String> {
    let class = own.view();
    let student = &class.students[0];
    let mut page = student::page(&class, student, sources, None, None, Words::of(lang));
    page.is_sheet = true;
    let main = rendered(&page.as_main())?;
    Ok(format!("<article class=\"sheet\">\n{main}</article>\n"))
}

/// What stands before and after the [`own_sheet`]s of all students on the page to print.
///
/// # Errors
/// If the template fails.
pub fn print_frame(info: &AssignmentInfo, lang: Lang) -> io::Result<(String, String)> {
    let page = rendered(&PrintPage::of(info, true, lang))?;
    let (before, after) = page.split_once(SHEETS).unwrap_or((&page, ""));
    Ok((before.to_owned(), after.to_owned()))
}

/// The page in the place of sheets that are too many to be opened.
///
/// # Errors
/// If the template fails.
pub fn print_refusal(info: &AssignmentInfo, lang: Lang) -> io::Result<String> {
    rendered(&PrintPage::of(info, false, lang))
}

/// The place of the sheets in the template: a class has more of them than should be in memory at once.
const SHEETS: &str = "<!-- sheets -->";

#[derive(Template)]
#[template(path = "print.html")]
struct PrintPage<'a> {
    s: Words,
    policy: String,
    css: &'static str,
    info: &'a AssignmentInfo,
    has_sheets: bool,
}

impl<'a> PrintPage<'a> {
    fn of(info: &'a AssignmentInfo, has_sheets: bool, lang: Lang) -> Self {
        Self {
            s: Words::of(lang),
            policy: content_policy(STYLE, None, ""),
            css: STYLE,
            info,
            has_sheets,
        }
    }
}

fn rendered(page: &impl Template) -> io::Result<String> {
    page.render().map_err(io::Error::other)
}

#[cfg(test)]
mod tests;
