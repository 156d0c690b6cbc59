//! A bar on standard error.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use grader_model::{Event, EventKind, ProblemId, Sink, StudentId};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::style::{Style, safe};

/// A sink that draws how far a run is: cases, submissions, who is being judged, time left.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    style: Style,
    jobs: usize,
    jobs_done: usize,
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
    /// A bar on standard error; silent where that is not a terminal.
    pub fn new(style: &Style, stderr_is_terminal: bool) -> Self {
        let target = if stderr_is_terminal {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        Self::on(style, target)
    }

    fn on(style: &Style, target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), target);
        bar.set_style(bar_style(style));
        Self {
            bar,
            style: *style,
            jobs: 0,
            jobs_done: 0,
            running: BTreeMap::new(),
        }
    }

    /// A handle for messages above the bar; it may be used from any thread.
    pub fn above(&self) -> AboveBar {
        AboveBar(self.bar.clone())
    }

    fn show(&self, student: &StudentId, problem: &str) {
        self.bar.set_message(safe(&format!("{student} {problem}")));
    }

    fn show_jobs(&self) {
        let words = self.style.words();
        self.bar.set_prefix(words.jobs(self.jobs_done, self.jobs));
    }
}

fn bar_style(style: &Style) -> ProgressStyle {
    let words = style.words();
    let (bar, message) = if style.color {
        ("{bar:20.green}", "{wide_msg:.dim}")
    } else {
        ("{bar:20}", "{wide_msg}")
    };
    let template = format!(
        "{bar} {{pos}}/{{len}} {}  {{prefix}}  {}  {message}",
        words.say(crate::words::Phrase::Cases),
        words.say(crate::words::Phrase::TimeLeft),
    );
    let chars = if style.unicode { "━╸ " } else { "=> " };
    // The template is ours: a mistake in it shows as the plain bar, and in the test below.
    ProgressStyle::with_template(&template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars(chars)
}

impl Sink for Progress {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::RunStarted { jobs, cases, .. } => {
                self.jobs = *jobs;
                self.jobs_done = 0;
                self.bar.set_length(*cases as u64);
                self.bar.reset();
                self.show_jobs();
                if !self.bar.is_hidden() {
                    self.bar.enable_steady_tick(Duration::from_millis(250));
                }
            }
            EventKind::JobStarted { student, problem } => self.show(student, problem.as_str()),
            EventKind::CaseFinished {
                student, problem, ..
            } => {
                self.bar.inc(1);
                let job = (student.clone(), problem.clone());
                *self.running.entry(job).or_default() += 1;
                self.show(student, problem.as_str());
            }
            EventKind::JobFinished { student, result } => {
                // Cases that were never run (a compile error) need not have been told one by one.
                let told = self.running.remove(&(student.clone(), result.id.clone()));
                let all: usize = result.subtasks.iter().map(|s| s.cases.len()).sum();
                self.bar.inc(all.saturating_sub(told.unwrap_or(0)) as u64);
                self.jobs_done += 1;
                self.show_jobs();
            }
            EventKind::StudentFinished { .. } | EventKind::Calibrated { .. } => {}
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
    fn a_bar_counts_cases_and_submissions_and_clears_itself() {
        let results = sample::results();
        let mut progress = Progress::on(&Style::default(), ProgressDrawTarget::hidden());
        let above = progress.above();
        let mut seen = Vec::new();
        for event in sample::events(&results) {
            // A submission that was not built has no events of its cases.
            if matches!(&event.kind, EventKind::CaseFinished { case, .. } if case.outcome.is_none())
            {
                continue;
            }
            progress.event(&event).unwrap();
            seen.push((progress.bar.position(), progress.bar.prefix()));
        }
        let cases = results.students.iter().flat_map(|s| &s.problems);
        let cases = cases.flat_map(|p| &p.subtasks).map(|s| s.cases.len());
        let last = seen.last().unwrap();
        assert_eq!(last.0, cases.sum::<usize>() as u64);
        assert_eq!(progress.bar.length(), Some(last.0));
        assert_eq!(last.1, format!("{0}/{0} submissions", progress.jobs));
        assert!(progress.bar.is_finished());
        assert_eq!(above.suspend(|| 7), 7);
    }

    #[test]
    fn the_template_is_understood_in_every_style() {
        for (color, lang) in [
            (false, grader_model::Lang::En),
            (true, grader_model::Lang::Zh),
        ] {
            let style = Style {
                color,
                lang,
                ..Style::default()
            };
            let drawn = format!("{:?}", bar_style(&style).get_tick_str(0));
            assert!(!drawn.is_empty());
        }
    }
}
