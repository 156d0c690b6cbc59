//! What `grader test` writes while a student waits.

use std::collections::HashSet;
use std::io::{self, Write};

use grader_model::{
    AssignmentInfo, CaseName, CaseResult, Event, EventKind, ProblemId, ProblemResult, Sink,
    SubtaskName, Text, Verdict,
};
use grader_view::{Explainer, ProblemView, StudentView, problem_judged_here, reduced_case};

use crate::document::{Block, Document, problem_total, submission, subtasks, told_case};
use crate::style::{Style, Tone, painted, safe};
use crate::wrap::{blanks, width};

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
    /// The hints on its cases, as these ended.
    hints: HashSet<Text>,
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
    fn write(&mut self, document: &Document) -> io::Result<()> {
        if std::mem::take(&mut self.live_is_shown) {
            self.out.write_all(b"\r\x1b[2K")?;
        }
        let text = document.text(&self.style);
        self.anything |= !text.is_empty();
        self.out.write_all(text.as_bytes())?;
        if let Some(text) = self.running().filter(|_| self.is_live)
            && INDENT + width(&text) < self.style.columns()
        {
            let text = painted(&Tone::Faint.on(text), self.style.color);
            write!(self.out, "{}{text}", blanks(INDENT))?;
            self.live_is_shown = true;
        }
        self.out.flush()
    }

    /// `… medium/n=10 (12/34)`, or `… large (13/34)` if it is hidden: the case that runs now. `None` between two submissions.
    fn running(&self) -> Option<String> {
        let job = self.job.as_ref()?;
        if job.ended == 0 {
            return Some(self.style.words().building().to_owned());
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
            hints: HashSet::new(),
        });
        let words = self.style.words();
        let mut document = Document::default();
        if self.anything {
            document.exact("");
        }
        let mut heading = Tone::Strong.on(safe(problem.as_str()));
        let mut problems = self.assignment.iter().flat_map(|info| &info.problems);
        if let Some(info) = problems.find(|info| info.id == *problem) {
            let title = words.text(&info.title);
            let worth = words.worth(info.points, info.bonus);
            heading = format!("{heading} · {title} · {worth}");
        }
        document.line(heading);
        self.write(&document)
    }

    fn case(
        &mut self,
        subtask: &SubtaskName,
        hidden: bool,
        early_end: bool,
        case: &CaseResult,
    ) -> io::Result<()> {
        let words = self.style.words();
        let mut document = Document::default();
        let Some(job) = &mut self.job else {
            return Ok(());
        };
        job.ended += 1;
        job.hints.extend(case.hints.iter().cloned());
        if (case.skipped || early_end) && !hidden {
            if !std::mem::replace(&mut job.skipped, true) {
                let case = reduced_case(case, false, 0);
                document.under(INDENT, told_case(&job.explainer.case(&case), words));
            }
            return self.write(&document);
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
            document.under(2, Block::Line(safe(subtask.as_str())));
        }
        document.under(INDENT, told_case(&job.explainer.case(&shown), words));
        self.write(&document)
    }

    fn job_finished(&mut self, result: &ProblemResult) -> io::Result<()> {
        let words = self.style.words();
        let job = self.job.take();
        let result = problem_judged_here(result);
        let mut problem = ProblemView::of(&result, None);
        let cases = result.subtasks.iter().flat_map(|it| &*it.cases);
        let mut hints: Vec<Text> = cases.flat_map(|it| it.hints.clone()).collect();
        if let Some(mut job) = job {
            // All runs together have told more of some cases.
            hints.retain(|it| !job.hints.contains(it));
            hints.extend(result.hints.iter().cloned());
            problem.hints = job.explainer.hints(&hints);
        }
        let problem = &problem;
        // A message about the whole problem is why no case has run.
        let ran = problem.has_run && problem.message.is_none();
        let mut document = Document::default();
        if ran {
            document.exact("");
        }
        let mut summary = submission(problem, words);
        if ran {
            summary.append(subtasks(problem, words, |_| Document::default()));
        }
        summary.line(problem_total(problem, words));
        document.under(2, summary);
        self.write(&document)
    }
}

impl<W: Write> Sink for TestView<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let words = self.style.words();
        let mut document = Document::default();
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
                    let label = Tone::Strong.on(words.total());
                    let totals = words.totals(&StudentView::of(result, &[]));
                    document.exact("");
                    document.line(format!("{label}{}{totals}", words.colon()));
                }
            }
            EventKind::ReferenceMeasured { .. } => return Ok(()),
            EventKind::RunFinished { interrupted } => {
                self.job = None;
                if *interrupted {
                    document.line(Tone::Fail.on(words.interrupted()));
                }
            }
        }
        self.write(&document)
    }
}

#[cfg(test)]
mod tests;
