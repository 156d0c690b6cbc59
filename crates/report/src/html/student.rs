//! The page of one student: for staff with sources and flags, for the student without.

use std::collections::BTreeMap;

use askama::Template;
use askama::filters::Safe;
use grader_model::{Adjustment, BoardFigure, ProblemId, SourceFile};
use grader_view::{ClassView, ProblemView, StudentView};

use super::policy::{KEYS, STYLE, content_policy};
use super::source::{RemarkLine, SourceView, remark_lines, remark_place, source_views};
use super::svg::escaped;
use super::{svg, tag};
use crate::style::safe;
use crate::words::Words;

/// A page about one student.
#[derive(Template)]
#[template(path = "student.html", blocks = ["main"])]
pub(super) struct StudentPage<'a> {
    s: Words,
    policy: String,
    css: &'static str,
    /// For staff.
    js: Option<&'static str>,
    class: &'a ClassView<'a>,
    student: &'a StudentView<'a>,
    problems: Vec<Part<'a>>,
    /// For staff: the name and the link of the pages before and after this one.
    around: Option<[Option<(String, String)>; 2]>,
    /// The page that explains boards.
    explorer: Option<&'a str>,
    /// For the student: whether it is a sheet of paper, on which nothing can be opened or followed.
    pub(super) is_sheet: bool,
    /// For the student: the statements as HTML.
    pub(super) statements: Option<&'a BTreeMap<ProblemId, String>>,
}

/// A problem.
struct Part<'a> {
    problem: &'a ProblemView<'a>,
    sources: Vec<SourceView>,
    /// Whether something may lead to a line of the sources.
    has_links: bool,
    /// What changed the points, and the lines of the source that it is about, if they are to be had.
    adjustments: Vec<(&'a Adjustment, Option<Vec<RemarkLine>>)>,
}

/// The page of a student, with the sources of each problem. For staff, `around` are the pages before and after this one: name
/// and link. Boards link to the page `explorer`.
pub(super) fn page<'a>(
    class: &'a ClassView<'a>,
    student: &'a StudentView<'a>,
    sources: &[Vec<SourceFile>],
    around: Option<[Option<(String, String)>; 2]>,
    explorer: Option<&'a str>,
    s: Words,
) -> StudentPage<'a> {
    let js = around.is_some().then_some(KEYS);
    let problems = student.problems.iter().enumerate();
    let problems = problems.map(|(index, problem)| {
        let sources = sources.get(index).map_or(&[][..], Vec::as_slice);
        let lines = |it: &Adjustment| remark_lines(it.at.as_deref()?, sources);
        let adjustments = problem.adjustments.iter();
        let is_staff = around.is_some();
        let mut views = source_views(&safe(problem.id.as_str()), sources, is_staff);
        let by_hand = problem.adjustments.iter();
        let by_hand = by_hand.filter_map(|it| Some((it.at.clone()?, s.text(&it.message))));
        let of_tools = problem.remarks.iter().map(|it| {
            let at = format!("{}:{}", it.file, it.line);
            (at, safe(&it.message))
        });
        for (at, text) in by_hand.chain(of_tools) {
            let place = remark_place(&at, sources);
            let line =
                place.and_then(|(file, line)| views[file].lines.get_mut(line.checked_sub(1)?));
            if let Some(line) = line {
                line.remarks.push(text);
            }
        }
        Part {
            problem,
            sources: views,
            has_links: !problem.flags.is_empty()
                || !problem.remarks.is_empty()
                || problem.compiler_messages().is_some(),
            adjustments: adjustments.map(|it| (it, lines(it))).collect(),
        }
    });
    StudentPage {
        s,
        policy: content_policy(STYLE, js, ""),
        css: STYLE,
        js,
        class,
        student,
        problems: problems.collect(),
        around,
        explorer,
        is_sheet: false,
        statements: None,
    }
}

impl StudentPage<'_> {
    /// The attribute for a place to which links lead; a sheet stands beside others that have the same places.
    fn id(&self, place: &str) -> Safe<String> {
        Safe(if self.is_sheet {
            String::new()
        } else {
            format!(" id=\"{}\"", escaped(place))
        })
    }

    fn statement(&self, problem: &ProblemId) -> Option<&String> {
        self.statements?.get(problem)
    }

    /// Where the explorer shows a board: if it has the size for it, and a queen in each of the first rows.
    fn explored(&self, board: &BoardFigure) -> Option<String> {
        let page = self.explorer?;
        if !(4..=12).contains(&board.size) {
            return None;
        }
        let rows = board.queens.iter().enumerate();
        let first = rows.take_while(|(row, queen)| queen[0] as usize == *row);
        let columns: Vec<String> = first.map(|(_, queen)| (queen[1] + 1).to_string()).collect();
        let (size, columns) = (board.size, columns.join(","));
        (!columns.is_empty()).then(|| format!("{page}#backtracking&n={size}&queens={columns}"))
    }
}
