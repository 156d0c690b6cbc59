//! The page of one student: for staff with sources and flags, for the student without.

use askama::Template;
use grader_model::{
    BoardFigure, CaseResult, Evidence, Excerpt, Growth, Ink, Points, ProblemResult, Results,
    SourceFile, StudentResult, SubtaskResult, Verdict,
};

use super::filters;
use super::policy::{STYLE, policy};
use super::source::{Linked, SourceView, linked, source_views};
use super::{plot, svg};
use crate::style::{Style, safe};
use crate::terminal::{self, is_failing, is_notable, is_submitted, reason, reasons};

/// Failing cases of a subtask that are shown in full, each with a different reason.
const MAX_DETAILED: usize = 3;

/// A page about one student.
#[derive(Template)]
#[template(path = "student.html")]
pub(super) struct StudentPage {
    s: Style,
    policy: String,
    css: &'static str,
    is_staff: bool,
    /// The pages before and after it: name and link.
    around: [Option<(String, String)>; 2],
    title: String,
    who: String,
    totals: String,
    interrupted: bool,
    is_graded: bool,
    notes: Vec<String>,
    overview: Vec<Overview>,
    problems: Vec<ProblemView>,
    unused: Vec<(String, String)>,
}

/// A problem in the table at the beginning.
struct Overview {
    id: String,
    title: String,
    points: String,
    /// If something was submitted or corrected.
    badge: Option<Badge>,
    /// If points are missing.
    reason: String,
}

/// What only staff see.
#[derive(Default)]
pub(super) struct Staff {
    /// The sources of each problem.
    pub(super) sources: Vec<Vec<SourceFile>>,
    /// The pages before and after this one: name and link.
    pub(super) around: [Option<(String, String)>; 2],
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

struct FlagView {
    message: String,
    /// Each line of a source is shown once, below what is said of it.
    evidence: Vec<(Vec<Linked>, Option<String>)>,
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

/// Failing cases, one after the other, that share a line.
struct MoreView {
    /// The anchor and name of each.
    cases: Vec<(String, String)>,
    badge: Badge,
    reason: String,
}

struct Chip {
    /// `None` if the case has its anchor elsewhere on the page.
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
    input: Option<Vec<String>>,
    command: Option<String>,
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

/// How a page is written.
struct Look<'a> {
    s: &'a Style,
    /// The page that explains boards.
    explorer: Option<&'a str>,
}

/// The page of a student. Boards link to the page `explorer`.
pub(super) fn page(
    results: &Results,
    student: &StudentResult,
    staff: Option<Staff>,
    explorer: Option<&str>,
    s: &Style,
) -> StudentPage {
    let look = &Look { s, explorer };
    let is_staff = staff.is_some();
    let Staff { sources, around } = staff.unwrap_or_default();
    let problems = student.problems.iter().enumerate().map(|(index, problem)| {
        let mut all = results.assignment.problems.iter();
        let info = all.find(|it| it.id == problem.id);
        let title = info.map_or_else(String::new, |info| s.text(&info.title));
        let sources = sources.get(index).map_or(&[][..], Vec::as_slice);
        problem_view(problem, title, sources, look)
    });
    let problems: Vec<ProblemView> = problems.collect();
    let overview = student.problems.iter().zip(&problems);
    let overview = overview.map(|(problem, view)| Overview {
        id: view.id.clone(),
        title: view.title.clone(),
        points: {
            let (points, most) = s.share(problem.standing(), problem.max_points);
            let bonus = if problem.bonus { "+" } else { "" };
            format!("{bonus}{points} {most}")
        },
        badge: coded_badge(problem, s),
        reason: if problem.points == Some(problem.max_points) {
            String::new()
        } else {
            reasons(problem, s).swap_remove(0)
        },
    });
    StudentPage {
        s: *s,
        policy: policy(None),
        css: STYLE,
        is_staff,
        around,
        title: s.text(&results.assignment.title),
        who: terminal::who(student),
        totals: s.totals(student),
        interrupted: results.interrupted,
        is_graded: !student.standing().is_open(),
        notes: student
            .notes
            .iter()
            .chain(&student.remarks)
            .map(|note| s.text(note))
            .collect(),
        overview: if student.nothing_submitted {
            Vec::new()
        } else {
            overview.collect()
        },
        problems,
        unused: student
            .unused
            .iter()
            .map(|file| (safe(&file.path), s.text(&file.reason)))
            .collect(),
    }
}

/// The badge of a problem in a table: `EX` if the student is excused; `None` if nothing was submitted or corrected.
pub(super) fn coded_badge(problem: &ProblemResult, s: &Style) -> Option<Badge> {
    let code = terminal::code(problem)?;
    Some(Badge {
        code,
        ..badge(problem.verdict, s)
    })
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
            .chunk_by(|one, two| one.excerpt.is_some() && one.excerpt == two.excerpt)
            .map(|same| {
                let lines = same.iter().map(|evidence| {
                    let place = evidence.place.as_ref();
                    let place = place.map_or_else(String::new, |place| format!("{place}: "));
                    linked(&format!("{place}{}", s.text(&evidence.message)), &views)
                });
                let excerpt = same[0].excerpt.as_ref();
                (lines.collect(), excerpt.map(|it| safe(&it.to_string())))
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
    let (points, most) = s.share(subtask.standing(), subtask.max_points);
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
    let is_same = |one: &CaseResult, two: &CaseResult| {
        (one.verdict, reason(one, s)) == (two.verdict, reason(two, s))
    };
    let (mut cases, mut more): (Vec<&CaseResult>, Vec<&CaseResult>) = (Vec::new(), Vec::new());
    for case in &told {
        let is_new = case.verdict == Verdict::Accepted || !cases.iter().any(|it| is_same(it, case));
        let has_room = is_new && cases.len() < MAX_DETAILED;
        if has_room { &mut cases } else { &mut more }.push(case);
    }
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
            let missed = s.worth(missed, false);
            s.pick(format!("{missed} lost"), format!("失 {missed}"))
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
            .chunk_by(|one, two| is_same(one, two))
            .map(|same| MoreView {
                cases: same
                    .iter()
                    .map(|case| (anchor(case), safe(case.name.as_str())))
                    .collect(),
                badge: badge(same[0].verdict, s),
                reason: reason(same[0], s),
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
        input: case.input.as_ref().map(block),
        command: case.command.as_deref().map(safe),
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
            Ink::Removed => "removed",
            Ink::Added => "added",
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
