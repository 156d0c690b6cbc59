//! The page of a class: what needs a human, the matrix of points, messages, and how points and times are spread.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::{io, iter};

use askama::Template;
use askama::filters::Safe;
use grader_model::{
    CpuTime, IsolationLevel, Points, ProblemId, ProblemInfo, StudentId, Text, Verdict,
};
use grader_view::{
    About, ChangedStudent, ClassView, Comparison, GroupView, Need, NeedKind, Presence, ProblemView,
    StudentView,
};

use super::policy::{CLASS_STYLE, SCRIPT, content_policy};
use super::tag::{self, failing_verdicts, slug};
use super::{plot, svg};
use crate::diff::points;
use crate::document::reasons;
use crate::nearest_accepted::{Accepted, Sources};
use crate::style::{painted, safe};
use crate::words::Words;

/// Most kinds of messages of a problem that are listed.
const MAX_MESSAGES: usize = 12;
/// Number of bars of the histogram.
const BARS: usize = 10;

/// The page of a class.
#[derive(Template)]
#[template(path = "class.html")]
pub(super) struct ClassPage<'a> {
    s: Words,
    policy: String,
    css: &'static str,
    js: &'static str,
    class: &'a ClassView<'a>,
    /// Version, run and machine.
    about: Vec<String>,
    /// What needs a human, by its kind.
    needs: Vec<(NeedKind, Vec<&'a Need<'a>>)>,
    /// The students who have a page.
    known: BTreeSet<&'a StudentId>,
    has_bonus: bool,
    /// Whether somebody was late, and whether somebody was corrected.
    legend: Option<String>,
    /// What the codes of verdicts mean: on a phone nothing else says it.
    codes: String,
    /// The run that this one is compared with, and which points are compared.
    against: Option<[String; 2]>,
    rows: Vec<Row<'a>>,
    bars: Option<(String, Vec<(String, usize)>)>,
    problems: Vec<ProblemPart<'a>>,
    /// The students whose objections have an answer, with the link to each.
    answered: Vec<(String, &'a StudentView<'a>)>,
    /// In a single file: the page of each student, compressed, as base64.
    packed: Vec<(String, String)>,
    /// Whether `print.html` is beside it.
    pub(super) has_sheets: bool,
}

struct Row<'a> {
    student: &'a StudentView<'a>,
    slug: String,
    /// For the filter: `count=PC,TLE board=AC flag near changed`.
    tokens: String,
    cells: Vec<Cell>,
    change: String,
}

struct Cell {
    points: String,
    /// `L` if it is late, `*` if a person corrected it.
    marks: Safe<String>,
    badge: Safe<String>,
    /// Our own drawing.
    strip: Safe<String>,
    /// `55 of 60 passed`.
    label: String,
    /// Whether it was other in the run that this one is compared with.
    is_changed: bool,
}

struct ProblemPart<'a> {
    info: &'a ProblemInfo,
    /// Our own drawing.
    shares: String,
    counts: Vec<(Verdict, usize)>,
    messages: Vec<Message<'a>>,
    /// Submissions of several students with the same mistake.
    groups: Vec<Group<'a>>,
    /// Our own drawing.
    times: Option<String>,
}

struct Message<'a> {
    /// Of the cases, if it is about cases.
    verdict: Option<Verdict>,
    text: &'a Text,
    /// The link to each student, the id, and the number of cases.
    students: Vec<(String, &'a StudentId, usize)>,
}

struct Group<'a> {
    view: &'a GroupView<'a>,
    /// The mistake, as the first of them shows it.
    reasons: Vec<String>,
    /// The link to each student, and the id.
    students: Vec<(String, &'a StudentId)>,
    /// The program of the first of them beside an accepted one.
    beside: Vec<String>,
}

/// The page of a class. In a single file, `packed` are the pages of the students.
pub(super) fn page<'a>(
    class: &'a ClassView<'a>,
    against: Option<&Comparison>,
    packed: Vec<(String, String)>,
    sources: &'a Sources<'a>,
    s: Words,
) -> io::Result<ClassPage<'a>> {
    let info = class.assignment;
    let changed: Option<BTreeMap<_, _>> = against.map(|it| {
        let students = it.students.iter();
        students.map(|student| (&student.id, student)).collect()
    });
    let students = class.students.iter();
    let rows = students.map(|student| row(class, student, changed.as_ref(), s));
    let needs = NeedKind::ALL.into_iter().map(|kind| {
        let needs = class.needs.iter().filter(|need| need.kind == kind);
        (kind, needs.collect())
    });
    let problems = info.problems.iter();
    let problems = problems.map(|info| part(class, info, sources, s));
    Ok(ClassPage {
        s,
        policy: content_policy(CLASS_STYLE, Some(SCRIPT), ""),
        css: CLASS_STYLE,
        js: SCRIPT,
        class,
        about: about(class, s),
        needs: needs
            .filter(|(_, needs): &(_, Vec<_>)| !needs.is_empty())
            .collect(),
        known: class.students.iter().map(|student| student.id).collect(),
        has_bonus: info.bonus > Points::ZERO,
        legend: s.legend(class),
        codes: s.codes(failing_verdicts(
            class.students.iter().flat_map(|it| &it.problems),
        )),
        against: against.map(|it| {
            let run = it.before.run.unwrap_or_default();
            [s.change_since(run), s.compared(it.compared).to_owned()]
        }),
        rows: rows.collect(),
        bars: histogram(class, s),
        problems: problems.collect::<io::Result<_>>()?,
        answered: class
            .students
            .iter()
            .filter(|it| it.objection.is_some_and(|it| it.answer.is_some()))
            .map(|it| (slug(it.id), it))
            .collect(),
        packed,
        has_sheets: false,
    })
}

impl ClassPage<'_> {
    /// The place on a student's page that a need is about.
    fn link(&self, need: &Need<'_>) -> Option<String> {
        let student = need.student.filter(|id| self.known.contains(id))?;
        let problem = match &need.about {
            About::Problems(problems) => problems.first(),
            About::File(_) | About::Everything => None,
        };
        let place = match (problem, need.place) {
            (Some(problem), Some((subtask, case))) => {
                format!("#{}", tag::anchor(problem, subtask, case))
            }
            (Some(problem), None) => format!("#{}", safe(problem.as_str())),
            (None, _) => String::new(),
        };
        Some(format!("staff/{}.html{place}", slug(student)))
    }
}

fn about(class: &ClassView<'_>, s: Words) -> Vec<String> {
    let mut parts = vec![concat!("Bitcraft ", env!("CARGO_PKG_VERSION")).to_owned()];
    parts.extend(class.run.map(|run| s.run(run)));
    parts.extend(s.host(class.host));
    let isolation = match class.isolation.level {
        IsolationLevel::Strict => s.strict().to_owned(),
        IsolationLevel::Basic => s.basic(s.not_a_sandbox()),
    };
    parts.push(s.isolation().to_owned() + &isolation);
    parts
}

/// The row of a student; `changed` are those who changed since the run that this one is compared with.
fn row<'a>(
    class: &ClassView<'_>,
    student: &'a StudentView<'a>,
    changed: Option<&BTreeMap<&StudentId, &ChangedStudent>>,
    s: Words,
) -> Row<'a> {
    let own = changed.and_then(|changed| changed.get(student.id));
    let is_new = own.is_some_and(|it| it.presence == Presence::New);
    let mut tokens = Vec::new();
    let mut cells = Vec::new();
    for info in &class.assignment.problems {
        let problem = student.problem(&info.id);
        let mut cell = cell(problem, s);
        let change = own.and_then(|own| own.problem(&info.id));
        if is_new || change.is_some() {
            tokens.push("changed".to_owned());
            cell.is_changed = true;
        }
        for line in change.map(|it| s.changed_problem(it)).iter().flatten() {
            if !line.is_empty() {
                cell.label += s.semicolon();
                cell.label += &painted(line, false);
            }
        }
        cells.push(cell);
        let Some(problem) = problem else { continue };
        let codes = problem.cases().map(|(_, case)| case.verdict().code());
        let codes: BTreeSet<&str> = codes.chain([problem.verdict.code()]).collect();
        let codes: Vec<&str> = codes.into_iter().collect();
        let id = safe(info.id.as_str());
        tokens.push(format!("{id}={}", codes.join(",")));
        let words = [
            ("flag", !problem.flags.is_empty()),
            (
                "near",
                problem.cases().any(|(_, case)| case.is_near_limit()),
            ),
            ("late", problem.is_late()),
            ("corrected", problem.is_corrected()),
        ];
        let words = words.into_iter().filter(|(_, is_so)| *is_so);
        tokens.extend(words.map(|(word, _)| word.to_owned()));
    }
    Row {
        student,
        slug: slug(student.id),
        tokens: tokens.join(" "),
        cells,
        change: match own {
            Some(_) if is_new => s.new_here().to_owned(),
            Some(own) if own.points.differ() => painted(&points(own.points), false),
            Some(_) | None => "—".to_owned(),
        },
    }
}

fn absent(s: Words) -> String {
    s.not_submitted().to_owned()
}

fn cell(problem: Option<&ProblemView<'_>>, s: Words) -> Cell {
    let Some((problem, shown)) = problem.and_then(|it| Some((it, it.cell()?))) else {
        return Cell {
            points: "—".to_owned(),
            marks: Safe(String::new()),
            badge: Safe(String::new()),
            strip: Safe(String::new()),
            label: absent(s),
            is_changed: false,
        };
    };
    let all: Vec<Verdict> = problem.cases().map(|(_, case)| case.verdict()).collect();
    let passed = problem.cases().filter(|(_, case)| case.has_passed());
    let (passed, cases) = (passed.count(), all.len());
    let label = if problem.is_submitted {
        s.cases_passed(passed, cases)
    } else {
        absent(s)
    };
    let label = iter::once(label).chain(s.so_far(problem));
    let label = label.chain(s.adjustments(problem));
    Cell {
        points: shown.points.map_or_else(String::new, |it| it.to_string()),
        marks: Safe(match Words::marks(shown.marks) {
            marks if marks.is_empty() => marks,
            marks => format!("<sup>{marks}</sup>"),
        }),
        badge: match shown.code {
            Some(_) => tag::problem_badge(problem),
            None => Safe(String::new()),
        },
        strip: Safe(if passed < cases {
            svg::strip(&all)
        } else {
            String::new()
        }),
        label: label.collect::<Vec<_>>().join(s.semicolon()),
        is_changed: false,
    }
}

/// The totals in ten groups.
fn histogram(class: &ClassView<'_>, s: Words) -> Option<(String, Vec<(String, usize)>)> {
    let most = class.assignment.points.thousandths();
    let points = &class.statistics.points;
    if points.is_empty() || most == 0 {
        return None;
    }
    let bars = BARS as u64;
    let mut counts = vec![0; BARS];
    for points in points {
        // Full marks are in the last group.
        counts[((points.thousandths() * bars / most).min(bars - 1)) as usize] += 1;
    }
    let label = |index: usize| {
        let from = Points::from_thousandths(most * index as u64 / bars);
        let to = Points::from_thousandths(most * (index as u64 + 1) / bars);
        format!("{from}–{to}")
    };
    let counts: Vec<(String, usize)> = counts
        .into_iter()
        .enumerate()
        .map(|(index, count)| (label(index), count))
        .collect();
    let title = s.students_by_points();
    Some((plot::bars(&counts, title), counts))
}

fn part<'a>(
    class: &'a ClassView<'a>,
    info: &'a ProblemInfo,
    sources: &'a Sources<'a>,
    s: Words,
) -> io::Result<ProblemPart<'a>> {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut messages: Vec<Message<'a>> = Vec::new();
    let mut places: HashMap<(Option<Verdict>, &Text), usize> = HashMap::new();
    for student in &class.students {
        let problem = student.problem(&info.id);
        let Some(problem) = problem.filter(|problem| problem.is_submitted) else {
            continue;
        };
        *counts.entry(problem.verdict).or_default() += 1;
        for ((verdict, text), anchor, cases) in first_reasons(problem) {
            let place = *places.entry((verdict, text)).or_insert(messages.len());
            if place == messages.len() {
                messages.push(Message {
                    verdict,
                    text,
                    students: Vec::new(),
                });
            }
            let link = format!("staff/{}.html#{anchor}", slug(student.id));
            messages[place].students.push((link, student.id, cases));
        }
    }
    let groups = groups(class, info, sources, s)?;
    // What a whole group, and nobody else, was told stands there.
    messages.retain(|message| {
        let told = message.students.iter().map(|(_, id, _)| id);
        !groups
            .iter()
            .any(|it| it.students.iter().map(|(_, id)| id).eq(told.clone()))
    });
    let order = |it: &Message<'_>| (Reverse(it.students.len()), it.verdict, s.text(it.text));
    messages.sort_by_cached_key(order);
    messages.truncate(MAX_MESSAGES);
    let counts: Vec<(Verdict, usize)> = counts.into_iter().collect();
    let title = s.submissions_by_verdict();
    Ok(ProblemPart {
        info,
        shares: plot::shares(&counts, title),
        counts,
        messages,
        groups,
        times: times(class, &info.id, s),
    })
}

/// The largest groups of several students with the same mistake in a problem.
fn groups<'a>(
    class: &'a ClassView<'a>,
    info: &ProblemInfo,
    sources: &'a Sources<'a>,
    s: Words,
) -> io::Result<Vec<Group<'a>>> {
    let groups = class.groups.iter();
    let groups = groups.filter(|it| *it.problem == info.id && it.students.len() > 1);
    let groups: Vec<_> = groups.take(MAX_MESSAGES).collect();
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let accepted = Accepted::read(class, &info.id, sources)?;
    let anchor = safe(info.id.as_str());
    let link = |id| format!("staff/{}.html#{anchor}", slug(id));
    let groups = groups.into_iter().map(|group| {
        Ok(Group {
            view: group,
            reasons: reasons(group, s),
            students: group.students.iter().map(|id| (link(id), *id)).collect(),
            beside: accepted.beside(group)?,
        })
    });
    groups.collect()
}

/// A reason for failing: the verdict if it is about cases, and the message.
type Reason<'a> = (Option<Verdict>, &'a Text);

/// The first reason of a submission for each verdict, with the place of its case and the number of cases.
fn first_reasons<'a>(problem: &'a ProblemView<'a>) -> Vec<(Reason<'a>, String, usize)> {
    if let Some(message) = problem.message {
        return vec![((None, message), safe(problem.id.as_str()), 1)];
    }
    let mut reasons: Vec<(Reason<'_>, String, usize)> = Vec::new();
    for (subtask, case) in problem.cases().filter(|(_, case)| case.is_failing()) {
        let verdict = Some(case.verdict());
        if let Some((.., cases)) = reasons.iter_mut().find(|(known, ..)| known.0 == verdict) {
            *cases += 1;
        } else {
            let anchor = tag::anchor(problem.id, subtask.name, case.name());
            reasons.push(((verdict, case.reason()), anchor, 1));
        }
    }
    reasons
}

/// The size that a case's name gives: `n=14`.
fn size(name: &str) -> Option<f64> {
    let (_, value) = name.split_once('=')?;
    value.parse().ok().filter(|size| *size > 0.0)
}

/// CPU time over size of all accepted runs, a line for each student, with limit and reference.
fn times(class: &ClassView<'_>, id: &ProblemId, s: Words) -> Option<String> {
    let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
    let (mut limits, mut references) = (BTreeMap::new(), BTreeMap::new());
    let mut over = "";
    let key = |size: f64| (size * 1000.0) as u64;
    for student in &class.students {
        let mut line = Vec::new();
        let cases = student.problem(id).into_iter().flat_map(ProblemView::cases);
        for (_, case) in cases {
            let name = case.name().as_str();
            let Some((size, outcome)) = size(name).zip(case.outcome()) else {
                continue;
            };
            over = name.split('=').next().unwrap_or_default();
            let seconds = |time: CpuTime| (size, time.0.as_secs_f64().max(1e-4));
            if case.has_passed() {
                line.push(seconds(outcome.cpu));
            }
            limits.extend(case.limit().map(|limit| (key(size), seconds(limit))));
            references.extend(case.reference_time().map(|time| (key(size), seconds(time))));
        }
        line.sort_by(|one, two| one.0.total_cmp(&two.0));
        lines.push(line);
    }
    let sizes: BTreeSet<u64> = lines.iter().flatten().map(|(size, _)| key(*size)).collect();
    if sizes.len() < 3 {
        return None;
    }
    let bounds = limits.values().chain(references.values()).copied();
    let plane = plot::Plane::of(lines.iter().flatten().copied().chain(bounds))?;
    let labels: Vec<f64> = sizes.iter().map(|size| *size as f64 / 1000.0).collect();
    let title = s.time_of_accepted();
    let mut svg = plane.open(title, &safe(over), &labels);
    let mut names = String::new();
    let mut path = |attributes: &str, points: &mut dyn Iterator<Item = (f64, f64)>| {
        let line = plane.line(points);
        svg.extend(["<path ", attributes, " d=\"", &line, "\"/>"]);
    };
    for (row, line) in lines.iter().enumerate().filter(|(_, line)| line.len() > 1) {
        path(
            &format!("class=\"run\" data-row=\"{row}\""),
            &mut line.iter().copied(),
        );
    }
    let bounds = [
        ("limit-line", "bad", s.limit(), &limits),
        ("reference-line", "ok", s.reference(), &references),
    ];
    for (line, class, name, points) in bounds {
        path(&format!("class=\"{line}\""), &mut points.values().copied());
        names += &plane.label(points.values().last().copied(), class, name);
    }
    Some(svg + &names + "</svg>")
}
