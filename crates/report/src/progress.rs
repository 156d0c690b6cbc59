//! A bar on standard error.

use std::io;
use std::time::Duration;

use grader_model::{Event, EventKind, ProblemId, Sink, StudentId};
pub use indicatif::ProgressBar as AboveBar;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::style::{Style, safe};

/// A sink that draws how far a run is: submissions, the time left, who is being graded.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
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
        Self { bar }
    }

    /// The bar; `suspend` takes it away while others write lines above it; it may be used from any thread.
    pub fn above(&self) -> AboveBar {
        self.bar.clone()
    }

    fn show(&self, student: &StudentId, problem: &ProblemId) {
        self.bar.set_message(safe(&format!("{student} {problem}")));
    }
}

fn bar_style(style: &Style) -> ProgressStyle {
    let template = style.words().progress();
    // The template is ours: a mistake in it would show as the plain bar.
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸ ")
}

impl Sink for Progress {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::RunStarted { jobs, .. } => {
                self.bar.set_length(*jobs as u64);
                self.bar.reset();
                if !self.bar.is_hidden() {
                    self.bar.enable_steady_tick(Duration::from_millis(250));
                }
            }
            EventKind::JobStarted { student, problem }
            | EventKind::CaseFinished {
                student, problem, ..
            } => self.show(student, problem),
            EventKind::JobFinished { .. } => self.bar.inc(1),
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
    use super::*;
    use crate::sample;

    #[test]
    fn a_bar_counts_submissions_and_clears_itself() {
        let mut progress = Progress::new(&Style::default(), false);
        for event in sample::events(&sample::results()) {
            progress.event(&event).unwrap();
        }
        assert_eq!(progress.bar.position(), 30);
        assert!(progress.bar.is_finished());
        assert_eq!(progress.above().suspend(|| 7), 7);
    }
}
