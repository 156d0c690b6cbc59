//! A bar on standard error.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use grader_model::{Event, EventKind, Origin, ProblemId, Sink, StudentId};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::style::{Style, safe};

/// A sink that draws how far a run is: cases, submissions, the time left, who is being graded.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    style: Style,
    jobs: usize,
    finished: usize,
    reused: usize,
    /// Cases that have ended, of the jobs that have not.
    running: BTreeMap<(StudentId, ProblemId), usize>,
}

/// Lets others write lines above the bar of a [`Progress`].
#[derive(Clone, Debug)]
pub struct AboveBar(ProgressBar);

impl AboveBar {
    /// Takes the bar away, calls `write`, and draws the bar again. Without a bar it only calls `write`.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.0.suspend(write)
    }
}

impl Progress {
    /// A bar on standard error; silent unless that is a terminal.
    pub fn new(style: &Style, stderr_is_terminal: bool) -> Self {
        let target = if stderr_is_terminal {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        bar.set_style(bar_style(style));
        Self {
            bar,
            style: *style,
            jobs: 0,
            finished: 0,
            reused: 0,
            running: BTreeMap::new(),
        }
    }

    /// A handle for messages above the bar; it may be used from any thread.
    pub fn above(&self) -> AboveBar {
        AboveBar(self.bar.clone())
    }

    fn show(&self, student: &StudentId, problem: &ProblemId) {
        self.bar.set_message(safe(&format!("{student} {problem}")));
    }

    fn show_numbers(&self) {
        let (finished, jobs, reused) = (self.finished, self.jobs, self.reused);
        let mut shown = self.style.pick(
            format!("{finished}/{jobs} submissions"),
            format!("{finished}/{jobs} 份程序"),
        );
        if reused > 0 {
            shown += &self
                .style
                .pick(format!(", {reused} reused"), format!("，沿用 {reused} 份"));
        }
        self.bar.set_prefix(shown);
    }
}

fn bar_style(style: &Style) -> ProgressStyle {
    let (bar, message) = if style.color {
        ("{bar:20.green}", "{wide_msg:.dim}")
    } else {
        ("{bar:20}", "{wide_msg}")
    };
    let numbers = style.pick(
        "{pos}/{len} cases  {prefix}  {eta} left",
        "{pos}/{len} 个测试点  {prefix}  还需 {eta}",
    );
    let chars = if style.unicode { "━╸ " } else { "=> " };
    // The template is ours: a mistake in it would show as the plain bar.
    ProgressStyle::with_template(&format!("{bar} {numbers}  {message}"))
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars(chars)
}

impl Sink for Progress {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::RunStarted { jobs, cases, .. } => {
                (self.jobs, self.finished, self.reused) = (*jobs, 0, 0);
                self.bar.set_length(*cases as u64);
                self.bar.reset();
                self.show_numbers();
                if !self.bar.is_hidden() {
                    self.bar.enable_steady_tick(Duration::from_millis(250));
                }
            }
            EventKind::JobStarted { student, problem } => self.show(student, problem),
            EventKind::CaseFinished {
                student, problem, ..
            } => {
                self.bar.inc(1);
                let job = (student.clone(), problem.clone());
                *self.running.entry(job).or_default() += 1;
                self.show(student, problem);
            }
            EventKind::JobFinished { student, result } => {
                // Cases that never ran, as after a compile error, have no events.
                let job = (student.clone(), result.id.clone());
                let ended = self.running.remove(&job).unwrap_or(0);
                let all: usize = result.subtasks.iter().map(|it| it.cases.len()).sum();
                self.bar.inc(all.saturating_sub(ended) as u64);
                self.finished += 1;
                if let Some(Origin::Reused { .. }) = result.origin {
                    self.reused += 1;
                }
                self.show_numbers();
            }
            EventKind::StudentFinished { .. } | EventKind::ReferenceMeasured { .. } => {}
            EventKind::RunFinished { .. } => self.bar.finish_and_clear(),
        }
        Ok(())
    }
}

impl Drop for Progress {
    /// A run that breaks off leaves no bar behind.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use grader_model::Lang;

    use super::*;
    use crate::sample;

    #[test]
    fn a_bar_counts_cases_and_submissions_and_clears_itself() {
        let results = sample::results();
        for (lang, shown) in [
            (Lang::En, "30/30 submissions, 8 reused"),
            (Lang::Zh, "30/30 份程序，沿用 8 份"),
        ] {
            let style = Style {
                lang,
                ..Style::default()
            };
            let mut progress = Progress::new(&style, false);
            for event in sample::events(&results) {
                if let EventKind::CaseFinished { case, .. } = &event.kind
                    && case.outcome.is_none()
                {
                    continue;
                }
                progress.event(&event).unwrap();
            }
            let problems = results.students.iter().flat_map(|it| &it.problems);
            let subtasks = problems.flat_map(|it| &it.subtasks);
            let cases: usize = subtasks.map(|it| it.cases.len()).sum();
            assert_eq!(progress.bar.position(), cases as u64);
            assert_eq!(progress.bar.prefix(), shown);
            assert!(progress.bar.is_finished());
            assert_eq!(progress.above().suspend(|| 7), 7);
        }
    }
}
