//! The page of one student: for staff with sources and flags, for the student without.

use askama::Template;
use grader_model::{
    BoardFigure, CaseResult, Evidence, Excerpt, Growth, Ink, Points, ProblemResult, Results,
    SourceFile, StudentResult, SubtaskResult, Verdict,
};

use super::filters;
use super::policy::{STYLE, policy};
use super::{plot, svg};
use crate::style::{Style, safe};
use crate::terminal::{self, is_failing, is_graded, is_notable, is_submitted, reason, reasons};

/// Failing cases of a subtask that are shown in full.
const MAX_DETAILED: usize = 3;
/// Most bytes of a source that are shown.
const MAX_SOURCE: usize = 64 << 10;

/// A page about one student.
#[derive(Template)]
#[template(path = "student.html")]
pub(super) struct StudentPage {
    s: Style,
    policy: String,
    css: &'static str,
    is_staff: bool,
    title: String,
    who: String,
    totals: String,
    interrupted: bool,
    is_graded: bool,
    notes: Vec<String>,
    to_fix: Vec<ToFix>,
    problems: Vec<ProblemView>,
    unused: Vec<(String, String)>,
}

/// A problem without full points.
struct ToFix {
    anchor: String,
    points: String,
    reason: String,
}

/// A verdict as it is shown: the code, its words, the class of its colour.
pub(super) struct Badge {
    pub(super) code: &'static str,
    pub(super) name: String,
    pub(super) class: &'static str,
}

struct ProblemView {
    id: String,
    title: String,
    badge: Badge,
    earned: String,
    /// Instead of everything else, if nothing was submitted.
    absence: Option<String>,
    message: Option<String>,
    adjustments: Vec<String>,
    facts: String,
    build: Vec<Linked>,
    hints: Vec<String>,
    flags: Vec<FlagView>,
    subtasks: Vec<SubtaskView>,
    sources: Vec<SourceView>,
}

/// A line with a link into a source in its midst.
struct Linked {
    before: String,
    anchor: Option<String>,
    link: String,
    rest: String,
}

struct FlagView {
    message: String,
    evidence: Vec<(Linked, Option<String>)>,
}

struct SubtaskView {
    name: String,
    badge: Badge,
    points: String,
    missed: Option<String>,
    run: String,
    sentence: Option<String>,
    /// Our own drawing.
    growth: Option<String>,
    chips: Vec<Chip>,
    cases: Vec<CaseView>,
    more: Vec<MoreView>,
}

/// A failing case that gets only a line.
struct MoreView {
    anchor: String,
    name: String,
    badge: Badge,
    reason: String,
}

struct Chip {
    /// If nothing else on the page tells of the case.
    anchor: Option<String>,
    name: String,
    badge: Badge,
    time: String,
}

struct CaseView {
    anchor: String,
    name: String,
    badge: Badge,
    measured: String,
    lines: Vec<String>,
    evidence: Vec<EvidenceView>,
    hints: Vec<String>,
    stderr: Option<Vec<String>>,
}

struct EvidenceView {
    message: Option<String>,
    expected: Option<String>,
    found: Option<String>,
    /// Our own drawing.
    board: Option<String>,
    /// The board in the explorer.
    link: Option<String>,
    /// A drawing in text: for each line its pieces with the class of each.
    figure: Vec<Vec<(&'static str, String)>>,
}

struct SourceView {
    anchor: String,
    name: String,
    lines: Vec<String>,
    is_cut: bool,
}

/// How a page is written.
struct Look<'a> {
    s: &'a Style,
    /// The page that explains boards.
    explorer: Option<&'a str>,
}

/// The page of a student, with the sources of each problem for staff. Boards link to the page `explorer`.
pub(super) fn page(
    results: &Results,
    student: &StudentResult,
    sources: Option<&[Vec<SourceFile>]>,
    explorer: Option<&str>,
    s: &Style,
) -> StudentPage {
    let look = &Look { s, explorer };
    let is_short = |it: &&ProblemResult| it.points.is_some_and(|points| points < it.max_points);
    let short = student.problems.iter().filter(is_short);
    let to_fix = short.map(|problem| ToFix {
        anchor: safe(problem.id.as_str()),
        points: s.earned(problem),
        reason: reasons(problem, s).swap_remove(0),
    });
    let notes = student.notes.iter().chain(&student.remarks);
    let problems = student.problems.iter().enumerate().map(|(index, problem)| {
        let info = results
            .assignment
            .problems
            .iter()
            .find(|it| it.id == problem.id);
        let title = info.map_or_else(String::new, |info| s.text(&info.title));
        let sources = sources.and_then(|all| all.get(index));
        problem_view(problem, title, sources.map_or(&[][..], Vec::as_slice), look)
    });
    StudentPage {
        s: *s,
        policy: policy(None),
        css: STYLE,
        is_staff: sources.is_some(),
        title: s.text(&results.assignment.title),
        who: terminal::who(student),
        totals: s.totals(student),
        interrupted: results.interrupted,
        is_graded: is_graded(student),
        notes: notes.map(|note| s.text(note)).collect(),
        to_fix: if student.nothing_submitted {
            Vec::new()
        } else {
            to_fix.collect()
        },
        problems: problems.collect(),
        unused: student
            .unused
            .iter()
            .map(|file| (safe(&file.path), s.text(&file.reason)))
            .collect(),
    }
}

pub(super) fn badge(verdict: Verdict, s: &Style) -> Badge {
    Badge {
        code: verdict.code(),
        name: s.verdict(verdict),
        class: svg::class(verdict),
    }
}

fn problem_view(
    problem: &ProblemResult,
    title: String,
    sources: &[SourceFile],
    look: &Look<'_>,
) -> ProblemView {
    let s = look.s;
    let id = safe(problem.id.as_str());
    let message = problem.message.as_ref().map(|message| s.text(message));
    let (absence, message) = if is_submitted(problem) {
        (None, message)
    } else {
        (
            Some(message.unwrap_or_else(|| s.verdict(problem.verdict))),
            None,
        )
    };
    let mut hinted = Vec::new();
    let hints = new_hints(&problem.hints, &mut hinted, s);
    let views = source_views(&id, sources);
    let messages = problem
        .build
        .as_ref()
        .and_then(|build| build.messages.as_ref());
    let build = messages.map_or_else(Vec::new, |messages| {
        messages
            .text
            .lines()
            .map(|line| linked(line, &views))
            .collect()
    });
    let has_run = terminal::has_run(problem) || problem.message.is_none();
    let subtasks = problem
        .subtasks
        .iter()
        .filter(|_| has_run && absence.is_none());
    let subtasks = subtasks
        .map(|subtask| subtask_view(&id, subtask, &mut hinted, look))
        .collect();
    let flags = problem.flags.iter().map(|flag| FlagView {
        message: s.text(&flag.message),
        evidence: flag
            .evidence
            .iter()
            .map(|evidence| {
                let place = evidence
                    .place
                    .as_ref()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                let colon = if place.is_empty() { "" } else { ": " };
                let text = format!("{}{colon}{}", safe(&place), s.text(&evidence.message));
                let excerpt = evidence.excerpt.as_ref().map(|it| safe(&it.to_string()));
                (linked(&text, &views), excerpt)
            })
            .collect(),
    });
    let flags = flags.collect();
    ProblemView {
        title: if title == id { String::new() } else { title },
        badge: badge(problem.verdict, s),
        earned: s.earned(problem),
        absence,
        message,
        adjustments: terminal::adjustments(problem, s).collect(),
        facts: terminal::facts(problem, s),
        build,
        hints,
        flags,
        subtasks,
        sources: views,
        id,
    }
}

/// The hints that were not given before.
fn new_hints(hints: &[grader_model::Text], given: &mut Vec<String>, s: &Style) -> Vec<String> {
    let mut new = Vec::new();
    for hint in hints.iter().map(|hint| s.text(hint)) {
        if !given.contains(&hint) {
            given.push(hint.clone());
            new.push(hint);
        }
    }
    new
}

fn subtask_view(
    problem: &str,
    subtask: &SubtaskResult,
    hinted: &mut Vec<String>,
    look: &Look<'_>,
) -> SubtaskView {
    let s = look.s;
    let name = safe(subtask.name.as_str());
    let (points, most) = s.share(subtask.points, subtask.max_points);
    let missed = subtask.points.and_then(|points| {
        let missed = subtask
            .max_points
            .thousandths()
            .checked_sub(points.thousandths());
        missed
            .filter(|missed| *missed > 0)
            .map(Points::from_thousandths)
    });
    let sentence = subtask.growth.as_ref().map(Growth::sentence);
    let sentence = sentence
        .as_ref()
        .or(subtask.message.as_ref())
        .map(|it| s.text(it));
    let growth = subtask.growth.as_ref().zip(sentence.as_ref());
    let failing = subtask.cases.iter().filter(|case| is_failing(case.verdict));
    let passed = subtask.cases.iter();
    let notable = passed.filter(|case| case.verdict == Verdict::Accepted && is_notable(case));
    // Of a hidden case a student knows only the verdict, which the chip shows.
    let known = failing
        .chain(notable)
        .filter(|it| it.message.is_some() || it.outcome.is_some());
    let told: Vec<&CaseResult> = known.collect();
    let (cases, more) = told.split_at(told.len().min(MAX_DETAILED));
    let anchor = |case: &CaseResult| anchor(problem, &name, &safe(case.name.as_str()));
    let chips = subtask.cases.iter().map(|case| {
        let is_told = told.iter().any(|told| told.name == case.name);
        let anchor = (!is_told).then(|| anchor(case));
        chip(case, anchor, s)
    });
    SubtaskView {
        badge: badge(subtask.verdict, s),
        points: format!("{points} {most}"),
        missed: missed.map(|missed| {
            s.pick(
                format!("{missed} points missed here"),
                format!("这里丢了 {missed} 分"),
            )
        }),
        run: terminal::subtask_run(subtask, s),
        growth: growth.and_then(|(growth, sentence)| plot::growth(growth, sentence)),
        sentence,
        chips: chips.collect(),
        cases: cases
            .iter()
            .map(|case| case_view(anchor(case), case, hinted, look))
            .collect(),
        more: more
            .iter()
            .map(|case| MoreView {
                anchor: anchor(case),
                name: safe(case.name.as_str()),
                badge: badge(case.verdict, s),
                reason: reason(case, s),
            })
            .collect(),
        name,
    }
}

fn chip(case: &CaseResult, anchor: Option<String>, s: &Style) -> Chip {
    let time = case.outcome.as_ref().map(|outcome| outcome.cpu.to_string());
    Chip {
        anchor,
        name: safe(case.name.as_str()),
        badge: badge(case.verdict, s),
        time: time.unwrap_or_default(),
    }
}

/// The anchor of a case on its student's page.
pub(super) fn anchor(problem: &str, subtask: &str, case: &str) -> String {
    let plain = |text: &str| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        text.chars().map(plain).collect::<String>()
    };
    format!("{problem}.{}.{}", plain(subtask), plain(case))
}

fn case_view(
    anchor: String,
    case: &CaseResult,
    hinted: &mut Vec<String>,
    look: &Look<'_>,
) -> CaseView {
    let s = look.s;
    let name = safe(case.name.as_str());
    let why = reason(case, s);
    let mut lines = Vec::new();
    lines.extend(case.attempts.as_ref().map(|attempts| s.attempts(attempts)));
    if case.verdict != Verdict::Accepted || case.message.is_some() {
        lines.push(why.clone());
    }
    lines.extend(terminal::timing(case, s));
    let evidence = case
        .evidence
        .iter()
        .map(|evidence| evidence_view(evidence, &why, look));
    let stderr = case.stderr.as_ref().filter(|stderr| !stderr.is_empty());
    CaseView {
        anchor,
        badge: badge(case.verdict, s),
        measured: case
            .outcome
            .as_ref()
            .map(|outcome| s.paint(&terminal::measured(case, outcome, s)))
            .unwrap_or_default(),
        lines,
        evidence: evidence.collect(),
        hints: new_hints(&case.hints, hinted, s),
        stderr: stderr.map(block),
        name,
    }
}

/// The lines of an excerpt.
fn block(excerpt: &Excerpt) -> Vec<String> {
    let mut lines: Vec<String> = excerpt.text.split('\n').map(safe).collect();
    if excerpt.after > 0 {
        lines.push("…".to_owned());
    }
    lines
}

fn evidence_view(evidence: &Evidence, why: &str, look: &Look<'_>) -> EvidenceView {
    let s = look.s;
    let message = s.text(&evidence.message);
    let quoted = |excerpt: &Excerpt| {
        let text = safe(&excerpt.to_string());
        // The sentence may quote it already.
        (!message.contains(&format!("`{text}`"))).then_some(text)
    };
    let lines = evidence.figure.iter().flat_map(|figure| &figure.lines);
    let figure = lines.map(|line| {
        let class = |ink| match ink {
            Ink::Plain => "",
            Ink::Faint => "faint",
            Ink::Good => "good",
            Ink::Bad => "wrong",
        };
        let spans = line.spans.iter();
        spans
            .map(|span| (class(span.ink), safe(&span.text)))
            .collect()
    });
    EvidenceView {
        expected: evidence.expected.as_ref().and_then(quoted),
        found: evidence.found.as_ref().and_then(quoted),
        board: evidence
            .board
            .as_ref()
            .map(|board| svg::board(board, &message)),
        link: evidence
            .board
            .as_ref()
            .zip(look.explorer)
            .and_then(|(board, page)| Some(format!("{page}#{}", explored(board)?))),
        figure: if evidence.board.is_some() {
            Vec::new()
        } else {
            figure.collect()
        },
        message: (message != why).then_some(message),
    }
}

/// Where the explorer shows a board: if it has the size for it, and a queen in each of the first rows.
fn explored(board: &BoardFigure) -> Option<String> {
    if !(4..=12).contains(&board.size) {
        return None;
    }
    let rows = board.queens.iter().enumerate();
    let first = rows.take_while(|(row, queen)| queen[0] as usize == *row);
    let columns: Vec<String> = first.map(|(_, queen)| (queen[1] + 1).to_string()).collect();
    let (size, columns) = (board.size, columns.join(","));
    (!columns.is_empty()).then(|| format!("backtracking&n={size}&queens={columns}"))
}

fn source_views(problem: &str, sources: &[SourceFile]) -> Vec<SourceView> {
    let view = |(index, source): (usize, &SourceFile)| {
        let shown = &source.bytes[..source.bytes.len().min(MAX_SOURCE)];
        let text = String::from_utf8_lossy(shown);
        SourceView {
            anchor: format!("{problem}.f{index}"),
            name: safe(&source.path),
            lines: text
                .lines()
                .map(|line| safe(&line.replace('\t', "    ")))
                .collect(),
            is_cut: shown.len() < source.bytes.len(),
        }
    };
    sources.iter().enumerate().map(view).collect()
}

/// Links the place in a line to that line of the source: `name.c:12`, or `"name.py", line 12`.
fn linked(line: &str, sources: &[SourceView]) -> Linked {
    let line = safe(line);
    for source in sources {
        let base = source.name.rsplit('/').next().unwrap_or_default();
        for between in [":", "\", line "] {
            let begin = format!("{base}{between}");
            let Some(at) = line.find(&begin) else {
                continue;
            };
            let rest = &line[at + begin.len()..];
            let digits = rest.chars().take_while(char::is_ascii_digit).count();
            let number: usize = rest[..digits].parse().unwrap_or(0);
            if (1..=source.lines.len()).contains(&number) {
                return Linked {
                    before: line[..at].to_owned(),
                    anchor: Some(format!("{}.{number}", source.anchor)),
                    link: format!("{begin}{number}"),
                    rest: rest[digits..].to_owned(),
                };
            }
        }
    }
    Linked {
        before: String::new(),
        anchor: None,
        link: String::new(),
        rest: line,
    }
}
