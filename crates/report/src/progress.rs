//! A bar on standard error.

use std::io;
use std::time::Duration;

use grader_model::{Event, EventKind, Origin, ProblemId, Sink, StudentId};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::style::{Style, safe};

/// A sink that draws how far a run is: submissions, cases, the time left, who is being graded.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    style: Style,
    cases: usize,
    reused: usize,
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
            cases: 0,
            reused: 0,
        }
    }

    /// A handle for messages above the bar; it may be used from any thread.
    pub fn above(&self) -> AboveBar {
        AboveBar(self.bar.clone())
    }

    fn show(&self, student: &StudentId, problem: &ProblemId) {
        let (cases, reused) = (self.style.cases(self.cases), self.reused);
        let numbers = match reused {
            0 => cases,
            _ => self.style.pick(
                format!("{cases}, {reused} submissions reused"),
                format!("{cases}，沿用 {reused} 份程序"),
            ),
        };
        self.bar.set_prefix(numbers);
        self.bar.set_message(safe(&format!("{student} {problem}")));
    }
}

fn bar_style(style: &Style) -> ProgressStyle {
    let (bar, message) = if style.color {
        ("{bar:20.green}", "{wide_msg:.dim}")
    } else {
        ("{bar:20}", "{wide_msg}")
    };
    let numbers = style.pick(
        "{pos}/{len} submissions  {prefix}  {eta} left",
        "{pos}/{len} 份程序  {prefix}  还需 {eta}",
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
            EventKind::RunStarted { jobs, .. } => {
                (self.cases, self.reused) = (0, 0);
                self.bar.set_length(*jobs as u64);
                self.bar.reset();
                if !self.bar.is_hidden() {
                    self.bar.enable_steady_tick(Duration::from_millis(250));
                }
            }
            EventKind::JobStarted { student, problem } => self.show(student, problem),
            EventKind::CaseFinished {
                student, problem, ..
            } => {
                self.cases += 1;
                self.show(student, problem);
            }
            EventKind::JobFinished { student, result } => {
                self.reused += usize::from(matches!(result.origin, Some(Origin::Reused { .. })));
                self.bar.inc(1);
                self.show(student, &result.id);
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
    fn a_bar_counts_submissions_and_cases_and_clears_itself() {
        let results = sample::results();
        for (lang, shown) in [
            (Lang::En, "60 cases, 8 submissions reused"),
            (Lang::Zh, "60 个测试点，沿用 8 份程序"),
        ] {
            let mut progress = Progress::new(&Style::of(lang), false);
            for event in sample::events(&results) {
                progress.event(&event).unwrap();
            }
            assert_eq!(progress.bar.position(), 30);
            assert_eq!(progress.bar.prefix(), shown);
            assert!(progress.bar.is_finished());
            assert_eq!(progress.above().suspend(|| 7), 7);
        }
    }
}
