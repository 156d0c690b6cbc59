//! What `grader test` writes while a student waits.

use std::io::{self, Write};

use grader_model::{
    AssignmentInfo, CaseName, CaseResult, Event, EventKind, Excerpt, Isolation, IsolationLevel,
    ProblemId, ProblemResult, Sink, StudentResult, SubtaskName, Verdict,
};

use crate::audience::{hidden_case, hide_named_case, reduced_problem};
use crate::layout::{Page, blanks, right, width};
use crate::style::{Style, Tone, safe};
use crate::terminal::{
    Explanations, basic, block, has_run, is_notable, problem_total, submission_lines,
    subtask_labels, subtask_lines, subtask_run,
};
use crate::text::Phrase;

/// A sink that writes cases as they end, with the reason of each failure, and the points at last.
///
/// The first failures of a subtask are explained in full, the others in a sentence, and no hint is given twice. Passed
/// cases stand side by side. Of hidden cases only verdicts are shown, as [`crate::Audience::Student`] sees them.
///
/// One submission must be judged at a time.
#[derive(Debug)]
pub struct TestView<W> {
    out: W,
    style: Style,
    cases: Vec<TestCase>,
    is_live: bool,
    /// Whether the live line is on the screen.
    live_is_shown: bool,
    /// The passed cases of the line that is being written.
    line: String,
    anything: bool,
    assignment: Option<AssignmentInfo>,
    job: Option<Job>,
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

/// The submission that is being judged.
#[derive(Debug)]
struct Job {
    problem: ProblemId,
    /// Number of cases that have ended.
    ended: usize,
    /// The subtask that is being written, and how many of its cases have ended.
    subtask: Option<(SubtaskName, usize)>,
    /// Whether the skipped cases of the subtask were mentioned.
    skipped: bool,
    explanations: Explanations,
}

/// Blanks before a case.
const INDENT: usize = 4;
/// Blanks between two cases of one line.
const GAP: usize = 3;
/// Passed cases begin at multiples of so many columns.
const CELL: usize = 6;

impl<W: Write> TestView<W> {
    /// A view that writes to `out`; it flushes after each case.
    pub fn new(style: &Style, out: W) -> Self {
        Self {
            out,
            style: *style,
            cases: Vec::new(),
            is_live: false,
            live_is_shown: false,
            line: String::new(),
            anything: false,
            assignment: None,
            job: None,
        }
    }

    /// Shows how to reproduce these cases when they fail. They are in the order in which they run.
    #[must_use]
    pub fn with_cases(mut self, cases: Vec<TestCase>) -> Self {
        self.cases = cases;
        self
    }

    /// Shows which case runs, on a line that is overwritten. `out` must be a terminal.
    #[must_use]
    pub fn live(mut self, is_live: bool) -> Self {
        self.is_live = is_live;
        self
    }

    #[cfg(test)]
    pub(crate) fn into_inner(self) -> W {
        self.out
    }

    /// Writes whole lines, below what was written before.
    fn write(&mut self, page: Page) -> io::Result<()> {
        let text = page.finish();
        self.erase()?;
        if !self.line.is_empty() {
            self.line.clear();
            self.out.write_all(b"\n")?;
        }
        self.anything |= !text.is_empty();
        self.out.write_all(text.as_bytes())?;
        self.draw()
    }

    /// Takes the live line from the screen.
    fn erase(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.live_is_shown) {
            write!(self.out, "\r\x1b[2K{}", self.style.paint(&self.line))?;
        }
        Ok(())
    }

    /// Shows which case runs, if there is room.
    fn draw(&mut self) -> io::Result<()> {
        if let Some(text) = self.running().filter(|_| self.is_live) {
            let before = if self.line.is_empty() { INDENT } else { GAP };
            if width(&self.line) + before + width(&text) < self.style.columns() {
                let text = self.style.paint(&Tone::Faint.on(text));
                write!(self.out, "{}{text}", blanks(before))?;
                self.live_is_shown = true;
            }
        }
        self.out.flush()
    }

    /// `… medium/n=10 (12/34)`: the case that runs now. `None` between two submissions.
    fn running(&self) -> Option<String> {
        let job = self.job.as_ref()?;
        let cases = self.cases.iter().filter(|it| it.problem == job.problem);
        let all = cases.clone().count();
        let case = cases.clone().nth(job.ended)?;
        let name = if case.hidden {
            let before = cases.take(job.ended);
            let number = before.filter(|it| it.subtask == case.subtask).count() + 1;
            format!("#{number}")
        } else {
            safe(case.name.as_str())
        };
        let name = format!("{}/{name}", safe(case.subtask.as_str()));
        Some(match job.ended {
            0 => self.style.pick(
                format!("… building, then {name}"),
                format!("… 编译，然后运行 {name}"),
            ),
            ended => format!("… {name} ({}/{all})", ended + 1),
        })
    }

    fn run_started(&mut self, isolation: &Isolation) -> io::Result<()> {
        let mut page = Page::new(&self.style);
        if isolation.level == IsolationLevel::Basic {
            let label = self.style.pick("isolation: ", "隔离：");
            page.line(0, &format!("{label}{}", basic(&self.style)));
        }
        self.write(page)
    }

    fn job_started(&mut self, problem: &ProblemId) -> io::Result<()> {
        self.job = Some(Job {
            problem: problem.clone(),
            ended: 0,
            subtask: None,
            skipped: false,
            explanations: Explanations::default(),
        });
        let mut page = Page::new(&self.style);
        if self.anything {
            page.raw(0, "");
        }
        let mut heading = Tone::Strong.on(safe(problem.as_str()));
        let mut problems = self.assignment.iter().flat_map(|info| &info.problems);
        if let Some(info) = problems.find(|info| info.id == *problem) {
            let title = safe(info.title.get(self.style.lang));
            let worth = self.style.words().worth(info.points, info.bonus);
            heading = format!("{heading} · {title} · {worth}");
        }
        page.line(0, &heading);
        self.write(page)
    }

    fn case(
        &mut self,
        subtask: &SubtaskName,
        hidden: bool,
        sweep: bool,
        case: &CaseResult,
    ) -> io::Result<()> {
        let style = self.style;
        let mut page = Page::new(&style);
        let Some(job) = &mut self.job else {
            return Ok(());
        };
        job.ended += 1;
        if case.skipped && !hidden {
            if !std::mem::replace(&mut job.skipped, true) {
                let why = case.message.as_ref().map(|text| text.get(style.lang));
                let label = Tone::Faint.on(format!("– {} …  ", safe(case.name.as_str())));
                page.hang(
                    INDENT,
                    &label,
                    &Tone::Faint.on(safe(why.unwrap_or_default())),
                );
            }
            return self.write(page);
        }
        // Cases that never ran have one common reason: the summary gives it once.
        if matches!(case.verdict, Verdict::Skipped | Verdict::CompileError) {
            return Ok(());
        }
        let ended = match &mut job.subtask {
            Some((name, ended)) if *name == *subtask => {
                *ended += 1;
                *ended - 1
            }
            _ => 0,
        };
        let shown = if hidden {
            hidden_case(case, ended)
        } else {
            let mut shown = case.clone();
            hide_named_case(&mut shown);
            shown
        };
        if ended == 0 {
            job.subtask = Some((subtask.clone(), 1));
            job.skipped = false;
            job.explanations.begin_subtask();
            let name = safe(subtask.as_str());
            match job.explanations.rule(&shown, &style) {
                Some(rule) => page.hang(2, &format!("{name}  "), &rule),
                None => page.line(2, &name),
            }
        }
        if shown.verdict != Verdict::Accepted {
            let is_explained = !job.explanations.is_brief();
            job.explanations.case(&mut page, INDENT, &shown, &style);
            let is_it = |it: &&TestCase| {
                it.problem == job.problem && it.subtask == *subtask && it.name == case.name
            };
            let test = self.cases.iter().find(is_it);
            if let Some(test) = test.filter(|_| is_explained && !hidden) {
                reproduction(&mut page, test, &style);
            }
        } else if is_notable(&shown) {
            Explanations::passed(&mut page, INDENT, &shown, &style);
        } else {
            if ended == 0 {
                self.write(page)?;
            }
            return self.passed(&shown, sweep);
        }
        self.write(page)
    }

    /// Adds a passed case to the line, with its time and how many attempts were made, all accepted. The many cases of a
    /// sweep have no times.
    fn passed(&mut self, case: &CaseResult, sweep: bool) -> io::Result<()> {
        let mut text = format!("{} {}", Tone::Pass.on("✓"), safe(case.name.as_str()));
        if let Some(outcome) = case.outcome.as_ref().filter(|_| !sweep) {
            let mut time = format!(" {}", right(&outcome.cpu.to_string(), 7));
            if let Some(attempts) = &case.attempts {
                time = format!("{time} ×{}", attempts.made);
            }
            text.push_str(&Tone::Faint.on(time));
        }
        self.erase()?;
        let unit = if sweep { 1 } else { CELL };
        let used = width(&self.line).saturating_sub(INDENT);
        let start = INDENT + (used + GAP).div_ceil(unit) * unit;
        let before = if self.line.is_empty() {
            blanks(INDENT)
        } else if start + width(&text) > self.style.columns() {
            self.out.write_all(b"\n")?;
            self.line.clear();
            blanks(INDENT)
        } else {
            blanks(start - width(&self.line))
        };
        let text = format!("{before}{text}");
        self.out.write_all(self.style.paint(&text).as_bytes())?;
        self.line.push_str(&text);
        self.anything = true;
        self.draw()
    }

    fn job_finished(&mut self, result: &ProblemResult) -> io::Result<()> {
        let style = self.style;
        let job = self.job.take();
        let mut explanations = job.map(|job| job.explanations).unwrap_or_default();
        let mut page = Page::new(&style);
        // A message about the whole problem is why no case has run.
        let ran = has_run(result) && result.message.is_none();
        let result = &ProblemResult {
            // Unlike in a class, the reader can fix this machine, for example by installing a compiler.
            message: result.message.clone(),
            ..reduced_problem(result)
        };
        if ran {
            page.raw(0, "");
        }
        submission_lines(&mut page, 2, result, &mut explanations, &style);
        if ran {
            let labels = subtask_labels(&result.subtasks, &style);
            for (subtask, label) in result.subtasks.iter().zip(labels) {
                page.hang(2, &label, &Tone::Faint.on(subtask_run(subtask, &style)));
                subtask_lines(&mut page, 4, subtask, &style);
            }
        }
        page.line(2, &problem_total(result, &style));
        self.write(page)
    }

    /// The sum of several problems.
    fn total(&mut self, result: &StudentResult) -> io::Result<()> {
        let mut page = Page::new(&self.style);
        if result.problems.len() > 1 {
            let sum = |bonus: bool| {
                let problems = result.problems.iter().filter(|it| it.bonus == bonus);
                problems.map(|problem| problem.max_points).sum()
            };
            let words = self.style.words();
            let total = words.totals(result.points(), sum(false), result.bonus(), sum(true));
            let label = Tone::Strong.on(words.say(Phrase::Total));
            page.raw(0, "");
            page.line(0, &format!("{label}{}{total}", words.say(Phrase::Colon)));
        }
        self.write(page)
    }
}

/// The input of a case, and a command line that runs it.
fn reproduction(page: &mut Page, test: &TestCase, style: &Style) {
    if let Some(input) = &test.input {
        page.line(INDENT + 4, &Tone::Faint.on(style.pick("input", "输入")));
        block(page, INDENT + 4, input, style);
    }
    if let Some(command) = &test.command {
        let label = Tone::Faint.on(style.pick("try it: ", "重现："));
        // A line break would change the command.
        page.raw(INDENT + 4, &format!("{label}{}", safe(command)));
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
            EventKind::JobStarted { problem, .. } => self.job_started(problem),
            EventKind::CaseFinished {
                subtask,
                hidden,
                sweep,
                case,
                ..
            } => self.case(subtask, *hidden, *sweep, case),
            EventKind::JobFinished { result, .. } => self.job_finished(result),
            EventKind::StudentFinished { result } => self.total(result),
            EventKind::ReferenceMeasured { .. } => Ok(()),
            EventKind::RunFinished { interrupted } => {
                self.job = None;
                let mut page = Page::new(&self.style);
                if *interrupted {
                    let line = self.style.words().say(Phrase::Interrupted);
                    page.line(0, &Tone::Fail.on(line));
                }
                self.write(page)
            }
        }
    }
}

#[cfg(test)]
mod tests;
