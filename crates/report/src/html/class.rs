//! The page of a class: what needs a human, the matrix of points, messages, and how points and times are spread.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use askama::Template;
use grader_model::{
    Points, ProblemId, ProblemInfo, ProblemResult, Results, Standing, StudentResult, Verdict,
};

use super::filters;
use super::input::PageInput;
use super::policy::{SCRIPT, STYLE, policy};
use super::student::{Badge, anchor, badge, coded_badge};
use super::{plot, svg};
use crate::style::{Style, safe};
use crate::terminal::{self, TITLES, is_failing, reason};

/// Most kinds of messages of a problem that are listed.
const MAX_MESSAGES: usize = 12;
/// Number of bars of the histogram.
const BARS: usize = 10;

/// The page of a class.
#[derive(Template)]
#[template(path = "class.html")]
pub(super) struct ClassPage {
    s: Style,
    policy: String,
    css: &'static str,
    js: &'static str,
    title: String,
    about: Vec<String>,
    interrupted: bool,
    statistics: String,
    needs: Vec<NeedView>,
    heads: Vec<Head>,
    has_bonus: bool,
    total: Points,
    bonus: Points,
    against: Option<String>,
    rows: Vec<Row>,
    means: Vec<String>,
    bars: Option<(String, Vec<(String, usize)>)>,
    problems: Vec<ProblemPart>,
    /// In a single file: the page of each student, compressed, as base64.
    packed: Vec<(String, String)>,
}

struct NeedView {
    title: &'static str,
    entries: Vec<(Option<String>, String, String, String)>,
    count: usize,
}

struct Head {
    id: String,
    title: String,
    points: String,
}

struct Row {
    slug: String,
    who: String,
    /// For the filter: `count=PC,TLE board=AC flag near changed`.
    tokens: String,
    cells: Vec<Cell>,
    total: String,
    bonus: String,
    change: String,
}

struct Cell {
    points: String,
    badge: Option<Badge>,
    /// Our own drawing.
    strip: String,
    /// `55 of 60 passed`.
    label: String,
    /// Whether it was other in the run that this one is compared with.
    is_changed: bool,
}

impl Cell {
    /// Adds what it was before.
    fn was(&mut self, before: Option<&ProblemResult>, s: &Style) {
        self.is_changed = true;
        let before = before.filter(|before| terminal::is_submitted(before));
        let before = before.map_or_else(
            || s.pick("not submitted", "没有提交").to_owned(),
            |before| format!("{} {}", before.standing(), before.verdict.code()),
        );
        let was = s.pick("; was ", "；原为 ");
        self.label = format!("{}{was}{before}", self.label);
    }
}

struct ProblemPart {
    id: String,
    title: String,
    /// Our own drawing.
    shares: String,
    counts: Vec<(Badge, usize)>,
    messages: Vec<Message>,
    /// Our own drawing.
    times: Option<String>,
}

struct Message {
    /// Of the cases, if it is about cases.
    badge: Option<Badge>,
    text: String,
    students: Vec<(String, String)>,
}

/// The page of a class; `slugs` name the pages of the students, in order. In a single file these are `packed`.
pub(super) fn page(
    input: &PageInput<'_>,
    slugs: &[String],
    packed: Vec<(String, String)>,
    s: &Style,
) -> ClassPage {
    let results = input.results;
    let info = &results.assignment;
    let problems = || info.problems.iter();
    let rows = results.students.iter().zip(slugs);
    let rows = rows
        .map(|(student, slug)| row(input, student, slug, s))
        .collect();
    let mean = |points: Vec<Option<Points>>| {
        let known: Vec<Points> = points.into_iter().flatten().collect();
        terminal::mean(&known).map_or_else(|| "—".to_owned(), |mean| mean.to_string())
    };
    let students = || results.students.iter();
    let mut means: Vec<String> = problems()
        .map(|info| {
            let of = |it: &StudentResult| {
                let problem = it.problem(&info.id);
                problem.map_or(Some(Points::ZERO), |it| it.standing().points())
            };
            mean(students().map(of).collect())
        })
        .collect();
    let mut sum = |of: fn(&StudentResult) -> Standing| {
        means.push(mean(students().map(|it| of(it).points()).collect()));
    };
    sum(StudentResult::standing_without_bonus);
    if info.bonus > Points::ZERO {
        sum(StudentResult::standing_of_bonus);
    }
    ClassPage {
        s: *s,
        policy: policy(Some(SCRIPT)),
        css: STYLE,
        js: SCRIPT,
        title: s.text(&info.title),
        about: about(results, s),
        interrupted: results.interrupted,
        statistics: terminal::statistics(results, s),
        needs: needs(results, slugs, s),
        heads: problems().map(|info| head(info, s)).collect(),
        has_bonus: info.bonus > Points::ZERO,
        total: info.points,
        bonus: info.bonus,
        against: input.against.map(|before| {
            let run = before.run.as_ref().map_or(0, |run| run.id);
            s.pick(
                format!("change since run {run}"),
                format!("与第 {run} 次评测相比"),
            )
        }),
        rows,
        means,
        bars: histogram(results, s),
        problems: problems()
            .map(|info| part(results, info, slugs, s))
            .collect(),
        packed,
    }
}

fn head(info: &ProblemInfo, s: &Style) -> Head {
    let most = info.points;
    Head {
        id: safe(info.id.as_str()),
        title: s.text(&info.title),
        points: if info.bonus {
            format!("+{most}")
        } else {
            s.pick(format!("of {most}"), format!("{most} 分"))
        },
    }
}

/// Where and how it was graded.
fn about(results: &Results, s: &Style) -> Vec<String> {
    let host = &results.host;
    let mut parts = vec![
        s.students(results.students.len()),
        s.assignment_worth(&results.assignment),
    ];
    if let Some(run) = &results.run {
        parts.push(terminal::run(run, s));
    }
    let cores = s.counted(host.cores, ["core", "cores"], "核");
    parts.extend([safe(&host.cpu), cores, safe(&host.kernel)]);
    parts.push(match results.isolation.level {
        grader_model::IsolationLevel::Strict => {
            s.pick("isolation: strict", "隔离级别：严格").to_owned()
        }
        grader_model::IsolationLevel::Basic => s
            .pick(
                "isolation: basic, not a sandbox",
                "隔离级别：基本，不是沙箱",
            )
            .to_owned(),
    });
    parts.retain(|part| !part.is_empty());
    parts
}

fn needs(results: &Results, slugs: &[String], s: &Style) -> Vec<NeedView> {
    let ids = results
        .students
        .iter()
        .map(|student| safe(student.id.as_str()));
    let pages: BTreeMap<String, &String> = ids.zip(slugs).collect();
    let all = terminal::entries(results, s);
    let titles = TITLES.into_iter().enumerate();
    let views = titles.map(|(need, (en, zh))| {
        let entries = all.iter().filter(|entry| entry.need as usize == need);
        let entries: Vec<_> = entries
            .map(|entry| {
                let slug = pages.get(&entry.student);
                let link = slug.map(|slug| {
                    let mut problems = results.assignment.problems.iter();
                    let is_problem = problems.any(|it| safe(it.id.as_str()) == entry.about);
                    let part = match &entry.place {
                        Some((subtask, case)) => {
                            format!("#{}", anchor(&entry.about, subtask, case))
                        }
                        None if is_problem => format!("#{}", entry.about),
                        None => String::new(),
                    };
                    format!("staff/{slug}.html{part}")
                });
                (
                    link,
                    entry.student.clone(),
                    entry.about.clone(),
                    entry.reason.clone(),
                )
            })
            .collect();
        NeedView {
            title: s.pick(en, zh),
            count: entries.len(),
            entries,
        }
    });
    views.filter(|view| view.count > 0).collect()
}

fn row(input: &PageInput<'_>, student: &StudentResult, slug: &str, s: &Style) -> Row {
    let before = input
        .against
        .map(|before| before.students.iter().find(|it| it.id == student.id));
    let mut tokens = Vec::new();
    let mut cells = Vec::new();
    for info in &input.results.assignment.problems {
        let problem = student.problem(&info.id);
        let mut cell = cell(problem, s);
        let old = before.flatten().and_then(|before| before.problem(&info.id));
        let now = problem.map(|it| (it.standing(), it.verdict));
        if before.is_some() && now != old.map(|it| (it.standing(), it.verdict)) {
            tokens.push("changed".to_owned());
            cell.was(old, s);
        }
        cells.push(cell);
        let Some(problem) = problem else { continue };
        let mut codes: BTreeSet<&str> = verdicts(problem).map(Verdict::code).collect();
        codes.insert(problem.verdict.code());
        let codes: Vec<&str> = codes.into_iter().collect();
        let id = safe(info.id.as_str());
        tokens.push(format!("{id}={}", codes.join(",")));
        if !problem.flags.is_empty() {
            tokens.push("flag".to_owned());
        }
        let mut cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
        if cases.any(|case| case.near_limit) {
            tokens.push("near".to_owned());
        }
    }
    Row {
        slug: slug.to_owned(),
        who: terminal::who(student),
        tokens: tokens.join(" "),
        cells,
        total: student.standing_without_bonus().to_string(),
        bonus: student.standing_of_bonus().to_string(),
        change: before.map_or_else(String::new, |before| {
            let nothing = Standing::Scored(Points::ZERO);
            let old = before.map_or(nothing, StudentResult::standing_without_bonus);
            change(old, student.standing_without_bonus())
        }),
    }
}

/// `71.25 → 73.75`, or a dash if nothing changed.
fn change(before: Standing, after: Standing) -> String {
    if before == after {
        return "—".to_owned();
    }
    format!("{before} → {after}")
}

fn verdicts(problem: &ProblemResult) -> impl Iterator<Item = Verdict> {
    let cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    cases.map(|case| case.verdict)
}

fn cell(problem: Option<&ProblemResult>, s: &Style) -> Cell {
    let coded = problem.and_then(|problem| Some((problem, coded_badge(problem, s)?)));
    let Some((problem, badge)) = coded else {
        return Cell {
            points: "—".to_owned(),
            badge: None,
            strip: String::new(),
            label: s.pick("not submitted", "没有提交").to_owned(),
            is_changed: false,
        };
    };
    let all: Vec<Verdict> = verdicts(problem).collect();
    let passed = all.iter().filter(|it| **it == Verdict::Accepted).count();
    let cases = all.len();
    let label = if terminal::is_submitted(problem) {
        s.pick(
            format!("{passed} of {cases} passed"),
            format!("{cases} 个测试点中 {passed} 个通过"),
        )
    } else {
        s.pick("not submitted", "没有提交").to_owned()
    };
    let label = iter::once(label).chain(terminal::adjustments(problem, s));
    Cell {
        // The badge shows an excuse.
        points: match problem.standing() {
            Standing::Excused => String::new(),
            standing => standing.to_string(),
        },
        badge: Some(badge),
        strip: svg::strip(&all),
        label: label.collect::<Vec<_>>().join(s.pick("; ", "；")),
        is_changed: false,
    }
}

/// The totals in ten groups.
fn histogram(results: &Results, s: &Style) -> Option<(String, Vec<(String, usize)>)> {
    let most = results.assignment.points.thousandths();
    let points = results.graded().map(StudentResult::standing_without_bonus);
    let points = points.filter_map(Standing::points);
    let points: Vec<u64> = points.map(Points::thousandths).collect();
    if points.is_empty() || most == 0 {
        return None;
    }
    let bars = BARS as u64;
    let mut counts = vec![0; BARS];
    for points in points {
        // Full marks are in the last group.
        counts[((points * bars / most).min(bars - 1)) as usize] += 1;
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
    let title = s.pick("Students by their points", "各分数段的学生数");
    Some((plot::bars(&counts, title), counts))
}

fn part(results: &Results, info: &ProblemInfo, slugs: &[String], s: &Style) -> ProblemPart {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut messages: BTreeMap<Reason, Vec<(String, String)>> = BTreeMap::new();
    for (student, slug) in results.students.iter().zip(slugs) {
        let Some(problem) = student.problem(&info.id) else {
            continue;
        };
        if !terminal::is_submitted(problem) {
            continue;
        }
        *counts.entry(problem.verdict).or_default() += 1;
        let who = safe(student.id.as_str());
        for (reason, anchor) in first_reasons(problem, s) {
            let link = format!("staff/{slug}.html#{anchor}");
            let students = messages.entry(reason).or_default();
            students.push((link, who.clone()));
        }
    }
    let mut messages: Vec<Message> = messages
        .into_iter()
        .map(|((verdict, text), students)| Message {
            badge: verdict.map(|verdict| badge(verdict, s)),
            text,
            students,
        })
        .collect();
    messages.sort_by_key(|message| std::cmp::Reverse(message.students.len()));
    messages.truncate(MAX_MESSAGES);
    let counts: Vec<(Verdict, usize)> = counts.into_iter().collect();
    let title = s.pick("Submissions by their verdict", "各判定的提交数");
    ProblemPart {
        id: safe(info.id.as_str()),
        title: s.text(&info.title),
        shares: plot::shares(&counts, title),
        counts: counts
            .iter()
            .map(|(verdict, count)| (badge(*verdict, s), *count))
            .collect(),
        messages,
        times: times(results, &info.id, s),
    }
}

/// What went wrong, with the verdict if it is about cases.
type Reason = (Option<Verdict>, String);

/// Each reason of a submission once, with the place of its first case.
fn first_reasons(problem: &ProblemResult, s: &Style) -> Vec<(Reason, String)> {
    let id = &safe(problem.id.as_str());
    if let Some(message) = &problem.message {
        return vec![((None, s.text(message)), id.clone())];
    }
    let mut reasons = Vec::new();
    for subtask in &problem.subtasks {
        for case in subtask.cases.iter().filter(|case| is_failing(case.verdict)) {
            let reason = (Some(case.verdict), reason(case, s));
            if reasons.iter().all(|(known, _)| *known != reason) {
                let [subtask, case] = [subtask.name.as_str(), case.name.as_str()].map(safe);
                reasons.push((reason, anchor(id, &subtask, &case)));
            }
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
fn times(results: &Results, id: &ProblemId, s: &Style) -> Option<String> {
    let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
    let (mut limits, mut references) = (BTreeMap::new(), BTreeMap::new());
    let mut over = String::new();
    let key = |size: f64| (size * 1000.0) as u64;
    for student in &results.students {
        let mut line = Vec::new();
        let subtasks = student.problem(id).into_iter().flat_map(|it| &it.subtasks);
        for case in subtasks.flat_map(|subtask| &subtask.cases) {
            let Some((size, outcome)) = size(case.name.as_str()).zip(case.outcome.as_ref()) else {
                continue;
            };
            case.name
                .as_str()
                .split('=')
                .next()
                .unwrap_or_default()
                .clone_into(&mut over);
            let seconds = |time: grader_model::CpuTime| (size, time.0.as_secs_f64().max(1e-4));
            if case.verdict == Verdict::Accepted {
                line.push(seconds(outcome.cpu));
            }
            if let Some(limits_of_run) = case.limits {
                limits.insert(key(size), seconds(limits_of_run.cpu));
            }
            if let Some(time) = case.reference_time {
                references.insert(key(size), seconds(time));
            }
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
    let title = s.pick("CPU time of accepted runs", "通过的运行所用 CPU 时间");
    let mut svg = plane.open(title, &safe(&over), &labels);
    let mut path = |attributes: &str, points: &mut dyn Iterator<Item = (f64, f64)>| {
        let line = plane.line(points);
        svg = format!("{svg}<path {attributes} d=\"{line}\"/>");
    };
    for (row, line) in lines.iter().enumerate().filter(|(_, line)| line.len() > 1) {
        path(
            &format!("class=\"run\" data-row=\"{row}\""),
            &mut line.iter().copied(),
        );
    }
    path("class=\"limit-line\"", &mut limits.values().copied());
    path(
        "class=\"reference-line\"",
        &mut references.values().copied(),
    );
    Some(svg + "</svg>")
}
