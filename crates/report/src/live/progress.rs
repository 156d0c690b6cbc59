//! A bar on standard error.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use grader_model::{Event, EventKind, Origin, ProblemId, ProblemResult, Sink, StudentId};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::pace::Pace;
use crate::style::{Style, safe};

/// A sink that draws how far a run is: cases, submissions, how many a minute, the time left, who is being judged.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    style: Style,
    jobs: usize,
    jobs_done: usize,
    /// Submissions whose results are those of an earlier run.
    jobs_taken: usize,
    pace: Pace,
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
            jobs_taken: 0,
            pace: Pace::default(),
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

    /// Shows the numbers as they are at this time of the run, in milliseconds.
    fn show_numbers(&mut self, now: u64) {
        let words = self.style.words();
        let mut shown = vec![words.jobs(self.jobs_done, self.jobs, self.jobs_taken)];
        shown.extend(self.pace.per_minute(now).map(|rate| words.per_minute(rate)));
        shown.extend(self.pace.left(now).map(|left| words.time_left(left)));
        self.bar.set_prefix(shown.join("  "));
    }
}

/// Whether a result is that of an earlier run.
const fn is_taken(result: &ProblemResult) -> bool {
    match &result.origin {
        Some(Origin::Reused { .. }) => true,
        Some(Origin::Ran { .. }) | None => false,
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
        "{bar} {{pos}}/{{len}} {}  {{prefix}}  {message}",
        words.say(crate::words::Phrase::Cases),
    );
    let chars = if style.unicode { "━╸ " } else { "=> " };
    // The template is ours: a mistake in it shows as the plain bar, and in the test below.
    ProgressStyle::with_template(&template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars(chars)
}

impl Sink for Progress {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let now = event.at_ms;
        match &event.kind {
            EventKind::RunStarted { jobs, cases, .. } => {
                self.jobs = *jobs;
                self.jobs_done = 0;
                self.jobs_taken = 0;
                self.pace = Pace::new(*jobs);
                self.bar.set_length(*cases as u64);
                self.bar.reset();
                self.show_numbers(now);
                if !self.bar.is_hidden() {
                    self.bar.enable_steady_tick(Duration::from_millis(250));
                }
            }
            EventKind::JobStarted { student, problem } => {
                self.pace.started(student, problem, now);
                self.show(student, problem.as_str());
            }
            EventKind::CaseFinished {
                student, problem, ..
            } => {
                self.bar.inc(1);
                let job = (student.clone(), problem.clone());
                *self.running.entry(job).or_default() += 1;
                self.show(student, problem.as_str());
                self.show_numbers(now);
            }
            EventKind::JobFinished { student, result } => {
                // Cases that were never run (a compile error) need not have been told one by one.
                let told = self.running.remove(&(student.clone(), result.id.clone()));
                let all: usize = result.subtasks.iter().map(|s| s.cases.len()).sum();
                self.bar.inc(all.saturating_sub(told.unwrap_or(0)) as u64);
                self.jobs_done += 1;
                let taken = is_taken(result);
                let taken = self.pace.finished(student, &result.id, taken, now);
                self.jobs_taken += usize::from(taken);
                self.show_numbers(now);
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
        let all = format!("{0}/{0} submissions", progress.jobs);
        assert!(last.1.starts_with(&all), "{}", last.1);
        assert!(progress.bar.is_finished());
        assert_eq!(above.suspend(|| 7), 7);
    }

    #[test]
    fn a_bar_tells_what_was_known_already_the_rate_and_the_time_left() {
        let results = sample::results();
        let result = &results.students[0].problems[0];
        for (lang, shown) in [
            (
                grader_model::Lang::En,
                "7/10 submissions, 4 of them known already  60/min  2 s left",
            ),
            (
                grader_model::Lang::Zh,
                "7/10 份程序，其中 4 份已有结果  每分钟 60 份  还需 2 秒",
            ),
        ] {
            let style = Style {
                lang,
                ..Style::default()
            };
            let mut progress = Progress::on(&style, ProgressDrawTarget::hidden());
            let mut send = |at_ms, kind| progress.event(&Event { at_ms, kind }).unwrap();
            let mut started = sample::run_started(&results).kind;
            if let EventKind::RunStarted { jobs, .. } = &mut started {
                *jobs = 10;
            }
            send(0, started);
            for job in 0..7_u64 {
                let student = StudentId::new(format!("s{job}"));
                let taken = job < 4;
                let mut result = result.clone();
                result.origin = Some(if taken {
                    Origin::Reused { run: 1 }
                } else {
                    Origin::Ran { because: vec![] }
                });
                let at = job.saturating_sub(4) * 1000;
                if !taken {
                    let (student, problem) = (student.clone(), result.id.clone());
                    send(at, EventKind::JobStarted { student, problem });
                }
                let result = Box::new(result);
                let at = if taken { at } else { at + 1000 };
                send(at, EventKind::JobFinished { student, result });
            }
            assert_eq!(progress.bar.prefix(), shown);
        }
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
