//! What `grader test` writes while a student waits.

use std::io::{self, Write};

use grader_model::{
    AssignmentInfo, CaseName, CaseResult, Event, EventKind, ProblemId, ProblemResult, Sink,
    SubtaskName, Verdict,
};
use grader_view::{Explainer, ProblemView, StudentView, reduced_case, reduced_problem};

use crate::layout::{Page, blanks, width};
use crate::style::{Style, Tone, safe};
use crate::terminal::{case_lines, problem_total, submission_lines, subtasks};

/// A sink that writes cases as they end, with the reason of each failure, and the points at last.
///
/// The first failures of a subtask are explained in full, the others in a sentence, and no hint is given twice. Of hidden
/// cases only verdicts are shown, as a student sees them.
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
    anything: bool,
    assignment: Option<AssignmentInfo>,
    job: Option<Job>,
}

/// A case that will run.
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
    explainer: Explainer,
}

/// Blanks before a case.
const INDENT: usize = 4;

impl<W: Write> TestView<W> {
    /// A view that writes to `out`; it flushes after each case.
    ///
    /// `cases` are in the order in which they run. If `is_live`, a line that is overwritten shows which of them runs: `out`
    /// must be a terminal.
    pub fn new(style: &Style, cases: Vec<TestCase>, is_live: bool, out: W) -> Self {
        Self {
            out,
            style: *style,
            cases,
            is_live,
            live_is_shown: false,
            anything: false,
            assignment: None,
            job: None,
        }
    }

    #[cfg(test)]
    pub(crate) fn into_inner(self) -> W {
        self.out
    }

    /// Writes whole lines, and which case runs now.
    fn write(&mut self, page: Page) -> io::Result<()> {
        if std::mem::take(&mut self.live_is_shown) {
            self.out.write_all(b"\r\x1b[2K")?;
        }
        let text = page.finish();
        self.anything |= !text.is_empty();
        self.out.write_all(text.as_bytes())?;
        if let Some(text) = self.running().filter(|_| self.is_live)
            && INDENT + width(&text) < self.style.columns()
        {
            let text = self.style.paint(&Tone::Faint.on(text));
            write!(self.out, "{}{text}", blanks(INDENT))?;
            self.live_is_shown = true;
        }
        self.out.flush()
    }

    /// `… medium/n=10 (12/34)`, or `… large (13/34)` if it is hidden: the case that runs now. `None` between two submissions.
    fn running(&self) -> Option<String> {
        let job = self.job.as_ref()?;
        if job.ended == 0 {
            return Some(self.style.pick("… building", "… 编译").to_owned());
        }
        let cases = self.cases.iter().filter(|it| it.problem == job.problem);
        let cases: Vec<&TestCase> = cases.collect();
        let case = cases.get(job.ended)?;
        let (next, all) = (job.ended + 1, cases.len());
        let name = if case.hidden { "" } else { case.name.as_str() };
        let place = safe(&format!("{}/{name}", case.subtask));
        Some(format!("… {} ({next}/{all})", place.trim_end_matches('/')))
    }

    fn job_started(&mut self, problem: &ProblemId) -> io::Result<()> {
        self.job = Some(Job {
            problem: problem.clone(),
            ended: 0,
            subtask: None,
            skipped: false,
            explainer: Explainer::default(),
        });
        let mut page = Page::new(&self.style);
        if self.anything {
            page.raw(0, "");
        }
        let mut heading = Tone::Strong.on(safe(problem.as_str()));
        let mut problems = self.assignment.iter().flat_map(|info| &info.problems);
        if let Some(info) = problems.find(|info| info.id == *problem) {
            let title = self.style.text(&info.title);
            let worth = self.style.worth(info.points, info.bonus);
            heading = format!("{heading} · {title} · {worth}");
        }
        page.line(0, &heading);
        self.write(page)
    }

    fn case(
        &mut self,
        subtask: &SubtaskName,
        hidden: bool,
        early_end: bool,
        case: &CaseResult,
    ) -> io::Result<()> {
        let style = self.style;
        let mut page = Page::new(&style);
        let Some(job) = &mut self.job else {
            return Ok(());
        };
        job.ended += 1;
        if (case.skipped || early_end) && !hidden {
            if !std::mem::replace(&mut job.skipped, true) {
                let case = reduced_case(case, false, 0);
                case_lines(&mut page, INDENT, &job.explainer.case(&case));
            }
            return self.write(page);
        }
        // Cases that never ran have one common reason: the summary gives it once.
        if matches!(case.verdict, Verdict::Skipped | Verdict::CompileError) {
            return Ok(());
        }
        let ended = match &job.subtask {
            Some((name, ended)) if *name == *subtask => *ended,
            _ => 0,
        };
        job.subtask = Some((subtask.clone(), ended + 1));
        let shown = reduced_case(case, hidden, ended);
        if ended == 0 {
            job.skipped = false;
            job.explainer.begin_subtask();
            page.line(2, &safe(subtask.as_str()));
        }
        case_lines(&mut page, INDENT, &job.explainer.case(&shown));
        self.write(page)
    }

    fn job_finished(&mut self, result: &ProblemResult) -> io::Result<()> {
        let style = self.style;
        let job = self.job.take();
        let mut page = Page::new(&style);
        let result = ProblemResult {
            // Unlike in a class, the reader can fix this machine, for example by installing a compiler.
            message: result.message.clone(),
            ..reduced_problem(result)
        };
        let mut problem = ProblemView::of(&result, None);
        if let Some(mut job) = job {
            problem.hints = job.explainer.hints(&result.hints);
        }
        let problem = &problem;
        // A message about the whole problem is why no case has run.
        let ran = problem.has_run && problem.message.is_none();
        if ran {
            page.raw(0, "");
        }
        submission_lines(&mut page, 2, problem);
        if ran {
            subtasks(&mut page, problem, |_, _| {});
        }
        page.line(2, &problem_total(problem, &style));
        self.write(page)
    }
}

impl<W: Write> Sink for TestView<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let style = self.style;
        let mut page = Page::new(&style);
        match &event.kind {
            EventKind::RunStarted { assignment, .. } => {
                self.assignment = Some(assignment.as_ref().clone());
            }
            EventKind::JobStarted { problem, .. } => return self.job_started(problem),
            EventKind::CaseFinished {
                subtask,
                hidden,
                early_end,
                case,
                ..
            } => return self.case(subtask, *hidden, *early_end, case),
            EventKind::JobFinished { result, .. } => return self.job_finished(result),
            EventKind::StudentFinished { result } => {
                if result.problems.len() > 1 {
                    let label = Tone::Strong.on(style.pick("total", "总分"));
                    page.raw(0, "");
                    let student = StudentView::of(result, &[]);
                    let (colon, totals) = (style.colon(), style.totals(&student));
                    page.line(0, &format!("{label}{colon}{totals}"));
                }
            }
            EventKind::ReferenceMeasured { .. } => return Ok(()),
            EventKind::RunFinished { interrupted } => {
                self.job = None;
                if *interrupted {
                    page.line(0, &Tone::Fail.on(style.interrupted()));
                }
            }
        }
        self.write(page)
    }
}

#[cfg(test)]
mod tests;
