//! What `grader test` writes while a student waits.

use std::collections::VecDeque;
use std::io::{self, Write};

use grader_model::{
    AssignmentInfo, CaseName, CaseResult, Event, EventKind, Excerpt, Isolation, IsolationLevel,
    ProblemId, ProblemResult, Sink, StudentId, StudentResult, SubtaskName, Verdict,
};

use crate::audience::{hidden_case, hide_named_case, reduced_problem};
use crate::layout::{Page, blanks, left, right, width};
use crate::style::{Style, Tone, safe};
use crate::terminal::{
    Explanations, SubtaskColumns, has_run, is_notable, problem_total, submission_lines,
    subtask_lines, subtask_summary,
};
use crate::words::Phrase;

/// A sink that writes cases as they end, with the reason of each failure, and the points at last.
///
/// The first failures of a subtask are explained in full, the others in a sentence, and no hint is given twice.
/// Passed cases stand side by side. Where several submissions are judged at the same time, one is written as it
/// goes and the others wait for their turn, so that the output reads as if they had been judged one by one.
///
/// Of hidden cases only verdicts are shown, as [`crate::Audience::Student`] sees them: whoever may see more
/// reads the report of `grade`.
#[derive(Debug)]
pub struct TestView<W> {
    out: W,
    style: Style,
    assignment: Option<AssignmentInfo>,
    /// The submission that is being written.
    current: Option<Job>,
    /// Events of the others, in the order in which they came.
    waiting: VecDeque<(JobId, EventKind)>,
    anything: bool,
}

/// How to reproduce a case of a problem by hand.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// Its problem.
    pub problem: ProblemId,
    /// Its subtask.
    pub subtask: SubtaskName,
    /// Its name.
    pub name: CaseName,
    /// Whether students see only its verdict.
    pub hidden: bool,
    /// The input that the program gets. `None` if it gets none.
    pub input: Option<Excerpt>,
    /// A command line for a shell. `None` if there is no short one.
    pub command: Option<String>,
}

type JobId = (StudentId, ProblemId);

/// How a case stands in its subtask.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// Whether only its verdict is shown.
    hidden: bool,
    /// Whether it is one size of a sweep, of which there are many: their times are in the drawing.
    sweep: bool,
}

/// Where the writing of one submission is.
#[derive(Debug)]
struct Job {
    id: JobId,
    subtask: Option<SubtaskName>,
    /// Number of cases of the subtask that have ended.
    cases: usize,
    /// Whether it was said that no more of its cases are needed.
    skipped: bool,
    /// Number of columns already used of the line of passed cases; zero where the line has not begun.
    column: usize,
    /// Blanks before the next case of the line.
    gap: usize,
    explanations: Explanations,
}

/// Blanks before a case.
const INDENT: usize = 4;
/// Blanks between two cases of one line.
const GAP: usize = 3;
/// Columns of passed cases are multiples of so many, with the gap after them: three for a short name and its time.
const CELL: usize = 6;

impl<W: Write> TestView<W> {
    /// A view that writes to `out`; it flushes after each case.
    pub fn new(style: &Style, out: W) -> Self {
        Self {
            out,
            style: *style,
            assignment: None,
            current: None,
            waiting: VecDeque::new(),
            anything: false,
        }
    }

    /// Shows how to reproduce these cases when they fail. They are in the order in which they run.
    #[must_use]
    pub fn with_cases(self, _cases: Vec<TestCase>) -> Self {
        self
    }

    /// Shows which case runs, on a line that is overwritten. `out` must be a terminal.
    #[must_use]
    pub fn live(self, _is_live: bool) -> Self {
        self
    }

    #[cfg(test)]
    pub(crate) fn into_inner(self) -> W {
        self.out
    }

    fn write(&mut self, page: Page) -> io::Result<()> {
        let text = page.finish();
        self.anything |= !text.is_empty();
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Handles an event of a job now, or keeps it until the job's turn.
    fn job_event(&mut self, id: JobId, kind: &EventKind) -> io::Result<()> {
        if self.current.as_ref().is_some_and(|job| job.id != id) {
            self.waiting.push_back((id, kind.clone()));
            return Ok(());
        }
        self.write_job_event(id, kind)?;
        // A job that has finished gives way to the next, which may have finished while it waited.
        while self.current.is_none() {
            let Some((next, _)) = self.waiting.front() else {
                break;
            };
            let next = next.clone();
            let (ready, rest) = std::mem::take(&mut self.waiting)
                .into_iter()
                .partition(|(id, _)| *id == next);
            self.waiting = rest;
            let ready: VecDeque<(JobId, EventKind)> = ready;
            for (id, kind) in ready {
                self.write_job_event(id, &kind)?;
            }
        }
        Ok(())
    }

    fn write_job_event(&mut self, id: JobId, kind: &EventKind) -> io::Result<()> {
        if self.current.is_none() {
            self.heading(&id.1)?;
            let explanations = Explanations::default();
            self.current = Some(Job {
                id,
                subtask: None,
                cases: 0,
                skipped: false,
                column: 0,
                gap: 0,
                explanations,
            });
        }
        match kind {
            EventKind::CaseFinished {
                subtask,
                hidden,
                sweep,
                case,
                ..
            } => {
                let standing = Standing {
                    hidden: *hidden,
                    sweep: *sweep,
                };
                self.case(subtask, standing, case)
            }
            EventKind::JobFinished { result, .. } => {
                self.end_line()?;
                let job = self.current.take();
                let explanations = job.map(|job| job.explanations).unwrap_or_default();
                self.summary(result, explanations)
            }
            EventKind::RunStarted { .. }
            | EventKind::JobStarted { .. }
            | EventKind::StudentFinished { .. }
            | EventKind::ReferenceMeasured { .. }
            | EventKind::RunFinished { .. } => Ok(()),
        }
    }

    fn run_started(&mut self, isolation: &Isolation) -> io::Result<()> {
        let mut page = Page::new(&self.style);
        if isolation.level == IsolationLevel::Basic {
            let words = self.style.words();
            page.line(
                0,
                &Tone::Faint.on(format!(
                    "{}{}{}{}{}",
                    words.say(Phrase::Isolation),
                    words.say(Phrase::Colon),
                    words.say(Phrase::LayersBasic),
                    words.say(Phrase::Comma),
                    words.say(Phrase::NotASandbox)
                )),
            );
        }
        self.write(page)
    }

    fn heading(&mut self, problem: &ProblemId) -> io::Result<()> {
        let mut page = Page::new(&self.style);
        if self.anything {
            page.raw(0, "");
        }
        let words = self.style.words();
        let problems = self.assignment.iter().flat_map(|info| &info.problems);
        let id = Tone::Strong.on(safe(problem.as_str()));
        let heading = match problems.into_iter().find(|info| info.id == *problem) {
            Some(info) => {
                let title = safe(info.title.get(self.style.lang));
                format!("{id} · {title} · {}", words.worth(info.points, info.bonus))
            }
            None => id,
        };
        page.line(0, &heading);
        self.write(page)
    }

    fn case(
        &mut self,
        subtask: &SubtaskName,
        standing: Standing,
        case: &CaseResult,
    ) -> io::Result<()> {
        if case.skipped && !standing.hidden {
            return self.skipped(case);
        }
        // Cases that never ran have one common reason: the summary says it once.
        if matches!(case.verdict, Verdict::Skipped | Verdict::CompileError) {
            return Ok(());
        }
        let Some(job) = &mut self.current else {
            return Ok(());
        };
        let begins = job.subtask.as_ref() != Some(subtask);
        if begins {
            job.subtask = Some(subtask.clone());
            job.cases = 0;
            job.skipped = false;
            job.explanations.begin_subtask();
        }
        let case = &if standing.hidden {
            hidden_case(case, job.cases)
        } else {
            let mut shown = case.clone();
            hide_named_case(&mut shown);
            shown
        };
        job.cases += 1;
        let rule = begins.then(|| job.explanations.rule(case, &self.style));
        if begins {
            self.end_line()?;
            let mut page = Page::new(&self.style);
            let name = safe(subtask.as_str());
            match rule.flatten() {
                Some(rule) => page.hang(2, &format!("{name}  "), &rule),
                None => page.line(2, &name),
            }
            self.write(page)?;
        }
        if case.verdict == Verdict::Accepted && !is_notable(case) {
            return self.passed(case, standing.sweep);
        }
        self.end_line()?;
        let mut page = Page::new(&self.style);
        if let Some(job) = &mut self.current {
            if case.verdict == Verdict::Accepted {
                job.explanations
                    .passed(&mut page, INDENT, case, &self.style);
            } else {
                job.explanations.case(&mut page, INDENT, case, &self.style);
            }
        }
        self.write(page)
    }

    /// Says once that a case and those after it are not needed, and why.
    fn skipped(&mut self, case: &CaseResult) -> io::Result<()> {
        let Some(job) = self.current.as_mut().filter(|job| !job.skipped) else {
            return Ok(());
        };
        job.skipped = true;
        self.end_line()?;
        let mut page = Page::new(&self.style);
        let why = case.message.as_ref().map(|text| text.get(self.style.lang));
        let label = format!("– {} …  ", safe(case.name.as_str()));
        let why = Tone::Faint.on(safe(why.unwrap_or_default()));
        page.hang(INDENT, &Tone::Faint.on(label), &why);
        self.write(page)
    }

    /// Adds a passed case to the line, or begins a new one where the line is full, with its time and how many attempts
    /// were made, all accepted. The many of a sweep stand close, without their times.
    fn passed(&mut self, case: &CaseResult, sweep: bool) -> io::Result<()> {
        let name = safe(case.name.as_str());
        let time = case
            .outcome
            .as_ref()
            .filter(|_| !sweep)
            .map(|outcome| format!(" {}", right(&outcome.cpu.to_string(), 7)))
            .map(|time| match &case.attempts {
                Some(attempts) => format!("{time} ×{}", attempts.made),
                None => time,
            });
        // A long name takes the room of several cells, so that times stay under each other.
        let beside = width("✓ ") + time.as_deref().map_or(0, width) + GAP;
        let unit = if sweep { 1 } else { CELL };
        let cell = (width(&name) + beside).div_ceil(unit) * unit;
        let (text, gap) = match time {
            Some(time) => {
                let name = left(&name, cell - beside);
                (format!("{name}{}", Tone::Faint.on(time)), GAP)
            }
            // No blanks at the end of a line.
            None => (name.clone(), cell - width("✓ ") - width(&name)),
        };
        let text = format!("{} {text}", Tone::Pass.on("✓"));
        let room = self.style.columns() - INDENT + GAP;
        let Some(job) = &mut self.current else {
            return Ok(());
        };
        let before = if job.column == 0 {
            blanks(INDENT)
        } else if job.column + cell > room {
            job.column = 0;
            format!("\n{}", blanks(INDENT))
        } else {
            blanks(job.gap)
        };
        job.column += cell;
        job.gap = gap;
        let text = format!("{before}{text}");
        self.anything = true;
        self.out.write_all(self.style.paint(&text).as_bytes())?;
        self.out.flush()
    }

    fn end_line(&mut self) -> io::Result<()> {
        match &mut self.current {
            Some(job) if job.column > 0 => {
                job.column = 0;
                self.out.write_all(b"\n")
            }
            Some(_) | None => Ok(()),
        }
    }

    fn summary(
        &mut self,
        result: &ProblemResult,
        mut explanations: Explanations,
    ) -> io::Result<()> {
        let style = self.style;
        let mut page = Page::new(&style);
        // A message about the whole problem says why no case has run.
        let ran = has_run(result) && result.message.is_none();
        // Whoever tests a program can fix this machine, by installing a compiler for example.
        let result = &ProblemResult {
            message: result.message.clone(),
            ..reduced_problem(result)
        };
        if ran {
            page.raw(0, "");
        }
        submission_lines(&mut page, 2, result, &mut explanations, &style);
        if ran {
            let columns = SubtaskColumns::of(&result.subtasks, &style);
            for subtask in &result.subtasks {
                subtask_summary(&mut page, 2, subtask, &columns, &style);
                subtask_lines(&mut page, 4, subtask, &style);
            }
        }
        page.line(2, &problem_total(result, &style));
        self.write(page)
    }

    /// The sum of several problems. Of one problem it has been said already.
    fn total(&mut self, result: &StudentResult) -> io::Result<()> {
        if result.problems.len() < 2 {
            return Ok(());
        }
        let sum = |bonus: bool| {
            let problems = result.problems.iter().filter(|p| p.bonus == bonus);
            problems.map(|problem| problem.max_points).sum()
        };
        let words = self.style.words();
        let mut page = Page::new(&self.style);
        page.raw(0, "");
        let total = words.totals(result.points(), sum(false), result.bonus(), sum(true));
        let label = words.say(Phrase::Total);
        let colon = words.say(Phrase::Colon);
        page.line(0, &format!("{}{colon}{total}", Tone::Strong.on(label)));
        self.write(page)
    }
}

impl<W: Write> Sink for TestView<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::RunStarted {
                assignment,
                isolation,
                ..
            } => {
                self.assignment = Some(assignment.clone());
                self.run_started(isolation)
            }
            EventKind::JobStarted { student, problem } => {
                self.job_event((student.clone(), problem.clone()), &event.kind)
            }
            EventKind::CaseFinished {
                student, problem, ..
            } => self.job_event((student.clone(), problem.clone()), &event.kind),
            EventKind::JobFinished { student, result } => {
                self.job_event((student.clone(), result.id.clone()), &event.kind)
            }
            EventKind::StudentFinished { result } => {
                self.end_line()?;
                self.total(result)
            }
            EventKind::ReferenceMeasured { .. } => Ok(()),
            EventKind::RunFinished { interrupted } => {
                self.end_line()?;
                if !interrupted {
                    return Ok(());
                }
                let mut page = Page::new(&self.style);
                let words = self.style.words();
                page.line(0, &Tone::Fail.on(words.say(Phrase::Interrupted)));
                self.write(page)
            }
        }
    }
}

#[cfg(test)]
mod tests;
