//! How fast a run goes, and how long the rest of it takes.

use std::collections::{BTreeMap, VecDeque};

use grader_model::{ProblemId, StudentId};

/// Of so many submissions that ended last it is looked at how many had to be judged: one short and one long span, of
/// which the one that promises less counts. Submissions that earlier runs know often come in a row.
const LAST: [usize; 2] = [10, 50];
/// So many must have been judged before anything is said about the rest.
const ENOUGH: usize = 3;
/// The rate is that of the last so many milliseconds.
const MINUTE: u64 = 60_000;

/// What was measured of the submissions so far.
#[derive(Debug, Default)]
pub(super) struct Pace {
    jobs: usize,
    done: usize,
    /// When the submissions that are being judged were begun.
    running: BTreeMap<(StudentId, ProblemId), u64>,
    /// Whether those that ended last had to be judged.
    last: VecDeque<bool>,
    /// Milliseconds that submissions of each problem took, and how many they are.
    took: BTreeMap<ProblemId, (u64, usize)>,
    /// When the first was begun.
    began: Option<u64>,
    /// When those that were judged in the last minute ended.
    ended: VecDeque<u64>,
}

impl Pace {
    pub(super) fn new(jobs: usize) -> Self {
        Self {
            jobs,
            ..Self::default()
        }
    }

    pub(super) fn started(&mut self, student: &StudentId, problem: &ProblemId, at: u64) {
        self.began.get_or_insert(at);
        self.running.insert((student.clone(), problem.clone()), at);
    }

    /// A submission has ended; `taken` where its result is an earlier run's. One that was never begun was judged before
    /// this run was stopped, and is taken too. Whether it was.
    pub(super) fn finished(
        &mut self,
        student: &StudentId,
        problem: &ProblemId,
        taken: bool,
        at: u64,
    ) -> bool {
        self.done += 1;
        let began = self.running.remove(&(student.clone(), problem.clone()));
        let judged = began.filter(|_| !taken);
        self.last.push_back(judged.is_some());
        if self.last.len() > LAST[1] {
            self.last.pop_front();
        }
        let Some(began) = judged else {
            return true;
        };
        let (ms, count) = self.took.entry(problem.clone()).or_default();
        *ms += at.saturating_sub(began);
        *count += 1;
        self.ended.push_back(at);
        false
    }

    /// Submissions that are judged in a minute; nothing before there is something to tell.
    pub(super) fn per_minute(&mut self, now: u64) -> Option<u64> {
        let since = now.saturating_sub(MINUTE).max(self.began?);
        while self.ended.front().is_some_and(|ended| *ended < since) {
            self.ended.pop_front();
        }
        let span = now.saturating_sub(since);
        (self.judged() >= ENOUGH && span > 0).then(|| self.ended.len() as u64 * MINUTE / span)
    }

    /// Milliseconds until the end; nothing before there is something to tell.
    ///
    /// Work is counted in milliseconds of one submission each. What is left is that of the submissions that are being
    /// judged, and that of the others, as far as they will have to be judged; it is done as fast as it was so far.
    pub(super) fn left(&self, now: u64) -> Option<u64> {
        let span = now.saturating_sub(self.began?);
        let judged = self.judged();
        if judged < ENOUGH || span == 0 {
            return None;
        }
        let took: u64 = self.took.values().map(|(ms, _)| ms).sum();
        let mean = took as f64 / judged as f64;
        let (mut spent, mut left) = (took as f64, 0.0);
        for ((_, problem), began) in &self.running {
            let so_far = now.saturating_sub(*began) as f64;
            let usual = self.took.get(problem).filter(|(_, count)| *count > 0);
            let whole = usual.map_or(mean, |(ms, count)| *ms as f64 / *count as f64);
            spent += so_far;
            left += (whole - so_far).max(0.0);
        }
        let waiting = self.jobs.saturating_sub(self.done + self.running.len());
        left += waiting as f64 * self.share() * mean;
        let at_a_time = spent / span as f64;
        (at_a_time > 0.0).then(|| (left / at_a_time) as u64)
    }

    fn judged(&self) -> usize {
        self.took.values().map(|(_, count)| count).sum()
    }

    /// The part of the submissions to come that will have to be judged.
    fn share(&self) -> f64 {
        let of_last = |span: usize| {
            let judged = self.last.iter().rev().take(span);
            let (all, judged) = judged.fold((0, 0), |(all, judged), is| {
                (all + 1, judged + usize::from(*is))
            });
            if all == 0 {
                1.0
            } else {
                f64::from(judged as u32) / f64::from(all)
            }
        };
        LAST.map(of_last).into_iter().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run on which so many submissions are judged at a time, one after the other, each taking so long; then the
    /// bar's numbers.
    struct Run {
        pace: Pace,
        now: u64,
        next: usize,
    }

    impl Run {
        fn of(jobs: usize) -> Self {
            Self {
                pace: Pace::new(jobs),
                now: 500,
                next: 0,
            }
        }

        fn judge(&mut self, count: usize, at_a_time: usize, ms: u64) -> &mut Self {
            for _ in 0..count / at_a_time {
                let names: Vec<_> = (0..at_a_time).map(|_| self.name()).collect();
                for (student, problem) in &names {
                    self.pace.started(student, problem, self.now);
                }
                self.now += ms;
                for (student, problem) in &names {
                    self.pace.finished(student, problem, false, self.now);
                }
            }
            self
        }

        fn take(&mut self, count: usize) -> &mut Self {
            for _ in 0..count {
                let (student, problem) = self.name();
                self.pace.finished(&student, &problem, true, self.now);
            }
            self
        }

        fn name(&mut self) -> (StudentId, ProblemId) {
            self.next += 1;
            (
                StudentId::new(format!("s{}", self.next)),
                ProblemId::new("count"),
            )
        }

        fn told(&mut self) -> (Option<u64>, Option<u64>) {
            (self.pace.per_minute(self.now), self.pace.left(self.now))
        }
    }

    #[test]
    fn nothing_is_promised_before_three_submissions_were_judged() {
        let mut run = Run::of(100);
        assert_eq!(run.told(), (None, None));
        assert_eq!(run.judge(2, 2, 1000).told(), (None, None));
        assert_eq!(run.judge(2, 2, 1000).told(), (Some(120), Some(48_000)));
    }

    #[test]
    fn what_was_taken_from_earlier_runs_at_once_promises_nothing_about_the_rest() {
        let mut run = Run::of(2500);
        assert_eq!(run.take(2000).told(), (None, None));
        // Of the last ten all were judged: so will be the 490 that are left, two at a time.
        assert_eq!(run.judge(10, 2, 1000).told(), (Some(120), Some(245_000)));
    }

    #[test]
    fn what_was_judged_before_the_run_was_stopped_is_no_work_of_now() {
        let mut run = Run::of(1000);
        for _ in 0..500 {
            let (student, problem) = run.name();
            assert!(run.pace.finished(&student, &problem, false, run.now));
        }
        assert_eq!(run.told(), (None, None));
        assert_eq!(
            run.judge(10, 2, 1000).told(),
            (Some(120), Some(245_000)),
            "490 are left, two at a time"
        );
    }

    #[test]
    fn where_one_of_five_is_judged_the_rest_is_expected_to_be_so_too() {
        let mut run = Run::of(500);
        for _ in 0..10 {
            run.take(4).judge(1, 1, 2000);
        }
        // 450 are left, 90 of them to be judged for 2 s each.
        assert_eq!(run.told(), (Some(30), Some(180_000)));
    }

    #[test]
    fn a_submission_that_runs_counts_by_what_its_problem_takes() {
        let mut run = Run::of(5);
        run.judge(4, 1, 1000);
        let (student, problem) = run.name();
        run.pace.started(&student, &problem, run.now);
        run.now += 400;
        assert_eq!(run.pace.left(run.now), Some(600));
        run.now += 4000;
        assert_eq!(run.pace.left(run.now), Some(0));
    }

    #[test]
    fn the_rate_is_that_of_the_last_minute() {
        let mut run = Run::of(1000);
        run.judge(100, 1, 100).judge(6, 1, 30_000);
        assert_eq!(run.told().0, Some(3));
    }
}
