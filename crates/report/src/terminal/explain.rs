//! Why a case has its verdict, and what a subtask and a build gave: shared by all views.

use std::collections::HashSet;

use grader_model::{
    Breach, CaseResult, Evidence, Excerpt, Figure, Flag, Ink, Outcome, ProblemResult,
    StudentResult, SubtaskResult, Text, Verdict,
};

use crate::layout::{Page, left, right, width};
use crate::plot::growth_lines;
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// Number of lines of a standard error or a compiler that are shown.
const BLOCK_LINES: usize = 20;

/// Number of failing cases of a subtask that are explained; the others have their heads and reasons.
const EXPLAINED: usize = 3;

/// `✗ n=16  TLE  26.1 s of 26.1 s CPU (reference 6.5 s)`, on one line.
pub(crate) fn case_head(case: &CaseResult, style: &Style) -> String {
    let tone = Tone::of(case.verdict);
    let mark = match case.verdict {
        Verdict::Accepted => "✓",
        Verdict::Skipped => "–",
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError
        | Verdict::JudgeError => "✗",
    };
    let mut head = format!("{} {}", tone.on(mark), safe(case.name.as_str()));
    if case.verdict != Verdict::Accepted {
        head.push_str("  ");
        head.push_str(&tone.on(case.verdict.code()));
    }
    if let Some(outcome) = &case.outcome {
        head.push_str("  ");
        head.push_str(&measured(case, outcome, style));
    }
    head
}

/// What a run used, of what it might where that matters.
fn measured(case: &CaseResult, outcome: &Outcome, style: &Style) -> String {
    let words = style.words();
    let plain = || match outcome.memory {
        Some(memory) => format!("{}{}{memory}", outcome.cpu, words.say(Phrase::Comma)),
        None => outcome.cpu.to_string(),
    };
    let Some(limits) = case.limits else {
        return plain();
    };
    let mut text = match (case.verdict, outcome.breach) {
        (Verdict::TimeLimit, Some(Breach::Wall)) => words.used_of(
            &outcome.wall.to_string(),
            &limits.wall.to_string(),
            Phrase::Wall,
        ),
        (Verdict::TimeLimit, _) => words.used_of(
            &outcome.cpu.to_string(),
            &limits.cpu.to_string(),
            Phrase::Cpu,
        ),
        (Verdict::MemoryLimit, _) => match outcome.memory {
            Some(memory) => words.used_of(
                &memory.to_string(),
                &limits.memory.to_string(),
                Phrase::Memory,
            ),
            None => plain(),
        },
        (Verdict::OutputLimit, _) => words.used_of(
            &outcome.stdout.max(outcome.stderr).to_string(),
            &limits.output.to_string(),
            Phrase::Output,
        ),
        (_, _) if case.near_limit => words.used_of(
            &outcome.cpu.to_string(),
            &limits.cpu.to_string(),
            Phrase::Cpu,
        ),
        (_, _) => plain(),
    };
    if case.verdict == Verdict::TimeLimit
        && let Some(yardstick) = case.yardstick
    {
        text.push_str(words.say(Phrase::Comma));
        text.push_str(&words.reference(&yardstick.to_string()));
    }
    if case.near_limit {
        text.push_str(words.say(Phrase::Comma));
        text.push_str(&Tone::Partial.on(words.say(Phrase::NearLimit)));
    }
    text
}

/// The explanations of one problem's failing cases: the first few of each subtask in full, each hint once.
#[derive(Debug, Default)]
pub(crate) struct Explanations {
    /// Number of cases of this subtask that were explained.
    explained: usize,
    hinted: HashSet<String>,
}

impl Explanations {
    /// Begins another subtask of the same problem.
    pub(crate) fn begin_subtask(&mut self) {
        self.explained = 0;
    }

    /// A case that did not pass: its head, reason, evidence, hints and standard error; only its head and reason
    /// where enough cases of the subtask were explained.
    pub(crate) fn case(
        &mut self,
        page: &mut Page,
        indent: usize,
        case: &CaseResult,
        style: &Style,
    ) {
        if says_nothing(case) {
            page.line(indent, &case_head(case, style));
            return;
        }
        if self.explained == EXPLAINED {
            let head = format!("{}  ", case_head(case, style));
            page.hang(indent, &head, &reason(case, style));
            return;
        }
        self.explained += 1;
        page.line(indent, &case_head(case, style));
        let inner = indent + 4;
        let reason = reason(case, style);
        page.line(inner, &reason);
        for evidence in &case.evidence {
            evidence_lines(page, inner, evidence, &reason, style);
        }
        self.hints(page, inner, &case.hints, style);
        if let Some(stderr) = &case.stderr
            && !stderr.is_empty()
        {
            page.line(inner, &Tone::Faint.on(style.words().say(Phrase::Stderr)));
            block(page, inner, stderr, style);
        }
    }

    /// The hints that were not given before.
    fn hints(&mut self, page: &mut Page, indent: usize, hints: &[Text], style: &Style) {
        let words = style.words();
        let label = format!("{}{}", words.say(Phrase::Hint), words.say(Phrase::Colon));
        for hint in hints {
            let hint = safe(hint.get(style.lang));
            if self.hinted.insert(hint.clone()) {
                page.hang(indent, &Tone::Partial.on(&label), &hint);
            }
        }
    }
}

/// Whether there is nothing to a case but its verdict: a hidden one that a student reads about.
fn says_nothing(case: &CaseResult) -> bool {
    case.message.is_none()
        && case.evidence.is_empty()
        && case.hints.is_empty()
        && case.stderr.is_none()
        && case.outcome.is_none()
}

/// Why a case has its verdict, in one sentence.
fn reason(case: &CaseResult, style: &Style) -> String {
    match &case.message {
        Some(message) => safe(message.get(style.lang)),
        None => style.words().verdict(case.verdict),
    }
}

fn evidence_lines(page: &mut Page, indent: usize, evidence: &Evidence, said: &str, style: &Style) {
    let words = style.words();
    let message = safe(evidence.message.get(style.lang));
    // A checker's first reason is often the case's message too.
    if message != said {
        page.line(indent, &message);
    }
    if !quotes_pair(&message, evidence) {
        let labels = [Phrase::Expected, Phrase::Found].map(|phrase| words.say(phrase));
        let label_width = labels.map(width).into_iter().max().unwrap_or(0) + 2;
        let pair = [
            (labels[0], &evidence.expected, Tone::Pass),
            (labels[1], &evidence.found, Tone::Fail),
        ];
        for (label, excerpt, tone) in pair {
            if let Some(excerpt) = excerpt {
                let label = Tone::Faint.on(left(label, label_width));
                page.hang(indent, &label, &tone.on(safe(&excerpt.to_string())));
            }
        }
    }
    if let Some(figure) = &evidence.figure {
        figure_lines(page, indent, figure);
    }
}

/// Whether the sentence quotes, whole, both what was expected and what was found.
fn quotes_pair(message: &str, evidence: &Evidence) -> bool {
    let quotes = |excerpt: &Option<Excerpt>| {
        excerpt
            .as_ref()
            .is_some_and(|excerpt| message.contains(&format!("`{}`", safe(&excerpt.to_string()))))
    };
    quotes(&evidence.expected) && quotes(&evidence.found)
}

fn figure_lines(page: &mut Page, indent: usize, figure: &Figure) {
    for line in &figure.lines {
        let painted: String = line
            .spans
            .iter()
            .map(|span| {
                let text = safe(&span.text);
                match span.ink {
                    Ink::Plain => text,
                    Ink::Faint => Tone::Faint.on(text),
                    Ink::Good => Tone::Pass.on(text),
                    Ink::Bad => Tone::Fail.on(text),
                }
            })
            .collect();
        page.raw(indent, &painted);
    }
}

/// An excerpt of several lines, capped, saying how much is left out.
fn block(page: &mut Page, indent: usize, excerpt: &Excerpt, style: &Style) {
    let words = style.words();
    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let shown = &lines[..lines.len().min(BLOCK_LINES)];
    page.block(indent, &shown.join("\n"));
    if lines.len() > shown.len() {
        let more = words.more_lines(lines.len() - shown.len());
        page.line(indent, &Tone::Faint.on(more));
    } else if excerpt.after > 0 {
        page.line(indent, &Tone::Faint.on(words.left_out(excerpt.after)));
    }
}

/// How a submission was built, and what the compiler said.
fn build_lines(page: &mut Page, indent: usize, problem: &ProblemResult, style: &Style) {
    let ProblemResult {
        language,
        files,
        build,
        ..
    } = problem;
    let words = style.words();
    let mut parts = Vec::new();
    if let Some(language) = language {
        parts.push(language.name().to_owned());
    }
    if !files.is_empty() {
        let files: Vec<String> = files.iter().map(|file| safe(file)).collect();
        parts.push(files.join(words.say(Phrase::ListComma)));
    }
    if let Some(build) = build {
        parts.push(safe(&build.toolchain));
        parts.push(words.built_in(&build.cpu.to_string()));
    }
    if !parts.is_empty() {
        page.line(indent, &Tone::Faint.on(parts.join(" · ")));
    }
    if let Some(messages) = build.as_ref().and_then(|build| build.messages.as_ref())
        && !messages.is_empty()
    {
        block(page, indent, messages, style);
    }
}

/// What an instructor should look at, and where: each line of a source that it is about is shown once.
pub(crate) fn flag_lines(page: &mut Page, indent: usize, flag: &Flag, style: &Style) {
    let words = style.words();
    let label = format!("{}{}", words.say(Phrase::Flag), words.say(Phrase::Colon));
    let message = safe(flag.message.get(style.lang));
    page.hang(indent, &Tone::Partial.on(label), &message);
    let mut shown = None;
    for evidence in &flag.evidence {
        let message = safe(evidence.message.get(style.lang));
        let Some(place) = &evidence.place else {
            page.line(indent + 2, &message);
            continue;
        };
        let line = Some((&place.file, place.line));
        if let Some(excerpt) = &evidence.excerpt
            && shown != line
        {
            page.block(indent + 2, &excerpt.to_string());
        }
        shown = line;
        let label = format!("{}  ", safe(&place.to_string()));
        page.hang(indent + 2, &Tone::Faint.on(label), &message);
    }
}

/// Columns of the subtasks of one problem, so that their lines stand under each other.
pub(crate) struct SubtaskColumns {
    name: usize,
    points: usize,
    most: usize,
}

impl SubtaskColumns {
    pub(crate) fn of(subtasks: &[SubtaskResult], style: &Style) -> Self {
        let widest = |measure: &dyn Fn(&SubtaskResult) -> usize| {
            subtasks.iter().map(measure).max().unwrap_or(0)
        };
        let share =
            |subtask: &SubtaskResult| style.words().share(subtask.points, subtask.max_points);
        Self {
            name: widest(&|subtask| width(&safe(subtask.name.as_str()))),
            points: widest(&|subtask| width(&share(subtask).0)),
            most: widest(&|subtask| width(&share(subtask).1)),
        }
    }
}

/// `small  10 of 10  AC   5 cases, slowest n=8 1.1 ms, 1.2 MiB`.
pub(crate) fn subtask_summary(
    page: &mut Page,
    indent: usize,
    subtask: &SubtaskResult,
    columns: &SubtaskColumns,
    style: &Style,
) {
    let words = style.words();
    let (points, most) = words.share(subtask.points, subtask.max_points);
    let tone = Tone::of(subtask.verdict);
    let label = format!(
        "{}  {} {}  {}  ",
        left(&safe(subtask.name.as_str()), columns.name),
        tone.on(right(&points, columns.points)),
        left(&most, columns.most),
        tone.on(left(subtask.verdict.code(), 3)),
    );
    page.hang(indent, &label, &Tone::Faint.on(run_summary(subtask, style)));
    match (&subtask.growth, &subtask.message) {
        // The growth says itself what the message says.
        (Some(growth), _) => growth_lines(page, indent + 2, growth, style),
        (None, Some(message)) => page.line(indent + 2, &safe(message.get(style.lang))),
        (None, None) => {}
    }
}

/// How many cases passed, the slowest, the most memory; or why nothing ran.
fn run_summary(subtask: &SubtaskResult, style: &Style) -> String {
    let words = style.words();
    let ran: Vec<_> = subtask
        .cases
        .iter()
        .filter_map(|case| Some((case, case.outcome.as_ref()?)))
        .collect();
    let said = subtask.cases.iter().find_map(|case| case.message.as_ref());
    if let (true, Some(message)) = (ran.is_empty(), said) {
        return safe(message.get(style.lang));
    }
    let passed = subtask
        .cases
        .iter()
        .filter(|case| case.verdict == Verdict::Accepted)
        .count();
    let needless = subtask.cases.iter().filter(|case| case.needless).count();
    let mut parts = vec![words.passed(passed, subtask.cases.len() - needless)];
    if needless > 0 {
        parts.push(words.not_needed(needless));
    }
    match ran.as_slice() {
        [] => {}
        [(_, outcome)] => parts.push(outcome.cpu.to_string()),
        [first, ..] => {
            // The first of the slowest.
            let slowest = ran.iter().skip(1).fold(first, |slowest, other| {
                if other.1.cpu > slowest.1.cpu {
                    other
                } else {
                    slowest
                }
            });
            let name = safe(slowest.0.name.as_str());
            parts.push(words.slowest(&name, &slowest.1.cpu.to_string()));
        }
    }
    if let Some(memory) = ran.iter().filter_map(|(_, outcome)| outcome.memory).max() {
        parts.push(memory.to_string());
    }
    parts.join(words.say(Phrase::Comma))
}

/// Whether there is a submission for this problem.
pub(crate) fn handed_in(problem: &ProblemResult) -> bool {
    // Where nothing was handed in the points are known: none.
    problem.points.is_none() || !(problem.verdict == Verdict::Skipped && problem.files.is_empty())
}

/// Whether an interrupted run did not come to this submission.
pub(crate) fn not_judged(problem: &ProblemResult) -> bool {
    problem.points.is_none() && problem.verdict == Verdict::Skipped
}

/// Whether all points of a student are known.
pub(crate) fn graded(student: &StudentResult) -> bool {
    student
        .problems
        .iter()
        .all(|problem| problem.points.is_some())
}

/// Whether the subtasks tell more than the message of the whole problem does.
pub(crate) fn has_run(problem: &ProblemResult) -> bool {
    let mut cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    cases.any(|case| case.outcome.is_some() || case.verdict == Verdict::JudgeError)
}

/// The line of a whole problem: `count: 26.25 of 35 points  PC partially correct`.
pub(crate) fn problem_total(problem: &ProblemResult, style: &Style) -> String {
    let words = style.words();
    let tone = Tone::of(problem.verdict);
    let why = match &problem.message {
        Some(message) if !handed_in(problem) => safe(message.get(style.lang)),
        Some(_) | None => words.verdict(problem.verdict),
    };
    let points = words.earned(problem.points, problem.max_points, problem.bonus);
    format!(
        "{}{}{}  {}",
        Tone::Strong.on(safe(problem.id.as_str())),
        words.say(Phrase::Colon),
        tone.on(points),
        tone.on(format!("{} {why}", problem.verdict.code())),
    )
}

/// What there is to say about a submission as a whole: the reason of its verdict, how it was built, hints.
pub(crate) fn submission_lines(
    page: &mut Page,
    indent: usize,
    problem: &ProblemResult,
    explanations: &mut Explanations,
    style: &Style,
) {
    if let Some(message) = &problem.message
        && handed_in(problem)
    {
        page.line(indent, &safe(message.get(style.lang)));
    }
    build_lines(page, indent, problem, style);
    explanations.hints(page, indent, &problem.hints, style);
}
