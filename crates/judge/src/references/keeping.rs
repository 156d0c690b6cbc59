//! What references keep on disk, and what of it still holds.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock, TryLockError};

use grader_model::{Judgement, Mark};
use grader_problem::{Answer, Assignment, Case, Problem};

use super::{Answered, References, Times, find, locked};
use crate::calibration::kept::{self, ANSWER, Kept, KeptCase, Key};
use crate::calibration::{Calibration, CaseKey, Reading};
use crate::judge::Judge;

impl References {
    /// What an earlier run has kept of a problem, if the machine is as fast as it was then. The times go to the times.
    pub(super) fn open(
        &self,
        judge: &Judge,
        problem: &Problem,
        times: &Times,
    ) -> BTreeMap<CaseKey, Answered> {
        let found = self.found(judge, problem);
        let Some(Some(found)) = found.get() else {
            return BTreeMap::new();
        };
        let judging = problem.parts().judging;
        let mut calibration = Calibration::default();
        let mut answers = BTreeMap::new();
        for kept in &found.cases {
            let place = (kept.subtask.clone(), kept.case.clone());
            let is_judged = found.judging == judging;
            let case = find(problem, &place);
            let Some(answered) = case.and_then(|case| answered(case, kept, is_judged)) else {
                continue;
            };
            match (problem.needs_reference_time(), kept.time) {
                (true, Some(time)) => calibration.adopt(place.clone(), time.into()),
                (false, None) => {}
                (true, None) | (false, Some(_)) => continue,
            }
            answers.insert(place, answered);
        }
        if let Some(gauge) = calibration.gauge() {
            // A reference that fails now is measured anew, and fails then.
            let reading = self.read(judge, problem, gauge).ok().flatten();
            let Some(reading) = reading.filter(Reading::keeps) else {
                return BTreeMap::new();
            };
            if calibration.narrow(&reading) {
                times.fresh.store(true, Ordering::Relaxed);
            }
        }
        *locked(&times.calibration) = calibration;
        answers
    }

    /// What an earlier run has kept of a problem, looked for once.
    fn found(&self, judge: &Judge, problem: &Problem) -> Arc<OnceLock<Option<Kept>>> {
        let found = locked(&self.found)
            .entry(problem.id.clone())
            .or_default()
            .clone();
        found.get_or_init(|| self.find_kept(judge, problem));
        found
    }

    /// The answer of a case where the reference is asked for it, as far as it is known without running anything: it is
    /// the same on a machine of any speed.
    pub(super) fn known_answer(
        &self,
        judge: &Judge,
        problem: &Problem,
        place: &CaseKey,
    ) -> Option<Arc<[u8]>> {
        let key = (problem.id.clone(), place.clone());
        let cell = locked(&self.cases).get(&key).cloned();
        let asked = cell.and_then(|cell| locked(&cell).clone());
        if let Some(asked) = asked {
            return asked.ok()?.answer;
        }
        let found = self.found(judge, problem);
        let mut kept = found.get()?.as_ref()?.cases.iter();
        let kept = kept.find(|it| (&it.subtask, &it.case) == (&place.0, &place.1))?;
        answered(find(problem, place)?, kept, false)?.answer
    }

    /// Tells the times that earlier runs have kept of problems about which nobody asked, because all their results
    /// were taken: a report names them all the same.
    pub(crate) fn tell_kept(&self, judge: &Judge, assignment: &Assignment) {
        let problems = assignment.problems.iter().map(|entry| &*entry.problem);
        for problem in problems.filter(|problem| problem.needs_reference_time()) {
            let found = self.found(judge, problem);
            let Some(Some(found)) = found.get() else {
                continue;
            };
            let times = locked(&self.problems).get(&problem.id).cloned();
            let mut kept = Calibration::default();
            for case in &found.cases {
                let place = (case.subtask.clone(), case.case.clone());
                let is_known = times
                    .as_ref()
                    .is_some_and(|times| locked(&times.calibration).knows(&place));
                if let (false, Some(time), Some(_)) = (is_known, case.time, find(problem, &place)) {
                    kept.adopt(place.clone(), time.into());
                    locked(&self.news).extend(kept.yardstick(&problem.id, &place));
                }
            }
        }
    }

    fn find_kept(&self, judge: &Judge, problem: &Problem) -> Option<Kept> {
        let calibrations = judge.calibrations().filter(|it| self.steady && !it.fresh)?;
        let key = Key::of(judge, problem, calibrations)?;
        Kept::read(&calibrations.folder, &key).unwrap_or_else(|error| {
            if !self.unreadable.swap(true, Ordering::Relaxed) {
                (calibrations.warn)(&kept::unreadable(&calibrations.folder, &error));
            }
            None
        })
    }

    /// Keeps what was measured for the next run. That it cannot be kept is said, and no failure.
    pub(crate) fn keep(&self, judge: &Judge, assignment: &Assignment) {
        let Some(calibrations) = judge.calibrations().filter(|_| self.steady) else {
            return;
        };
        for problem in assignment.problems.iter().map(|entry| &*entry.problem) {
            let Some(times) = locked(&self.problems).get(&problem.id).cloned() else {
                continue;
            };
            if !times.fresh.swap(false, Ordering::Relaxed) {
                continue;
            }
            let Some(key) = Key::of(judge, problem, calibrations) else {
                continue;
            };
            let judging = problem.parts().judging;
            let kept = Kept::new(key, judging, self.kept_cases(problem, &times));
            if let Err(error) = kept.write(&calibrations.folder)
                && !self.unwritable.swap(true, Ordering::Relaxed)
            {
                (calibrations.warn)(&kept::unwritable(&calibrations.folder, &error));
            }
        }
    }

    /// A case that is being measured just now is left for the next time: nobody waits here.
    fn kept_cases(&self, problem: &Problem, times: &Times) -> Vec<KeptCase> {
        let mut cases = Vec::new();
        for subtask in &problem.subtasks {
            for case in &subtask.cases {
                let place = (subtask.name.clone(), case.name.clone());
                let measured = locked(&times.calibration).of(&place);
                let Some(answered) = self.answered(problem, times, &place) else {
                    continue;
                };
                if measured.is_some() == problem.needs_reference_time() {
                    let time = measured.map(|measured| measured.samples.into());
                    cases.extend(kept_case(place, case, time, &answered));
                }
            }
        }
        cases
    }

    /// What the reference answered in a case, in this run or in an earlier one.
    fn answered(&self, problem: &Problem, times: &Times, place: &CaseKey) -> Option<Answered> {
        let key = (problem.id.clone(), place.clone());
        let cell = locked(&self.cases).get(&key).cloned();
        let asked = match cell.as_ref().map(|cell| cell.try_lock()) {
            Some(Ok(asked)) => asked.clone(),
            Some(Err(TryLockError::Poisoned(asked))) => asked.into_inner().clone(),
            Some(Err(TryLockError::WouldBlock)) => {
                times.fresh.store(true, Ordering::Relaxed);
                return None;
            }
            None => None,
        };
        if let Some(asked) = asked {
            return asked.ok();
        }
        // While it is looked whether they still hold, which takes a run of the reference, nobody waits either.
        match times.kept.try_lock() {
            Ok(kept) => kept.as_ref()?.get(place).cloned(),
            Err(TryLockError::Poisoned(kept)) => kept.into_inner().as_ref()?.get(place).cloned(),
            Err(TryLockError::WouldBlock) => {
                times.fresh.store(true, Ordering::Relaxed);
                None
            }
        }
    }
}

/// What a file says of a case. Nothing where it lacks what is needed. What the checker said counts only where it is the
/// checker of now (`is_judged`).
fn answered(case: &Case, kept: &KeptCase, is_judged: bool) -> Option<Answered> {
    let answer = kept.answer.as_ref().map(|text| text.as_bytes().into());
    ((case.answer == Answer::Reference) == kept.answer.is_some()).then(|| Answered {
        answer,
        judgement: (kept.right && is_judged).then(Judgement::right),
    })
}

/// What a file is to say of a case. Nothing where the answer is long or no text, or where the checker is not content
/// with the reference: that is to be seen again.
fn kept_case(
    (subtask, case_name): CaseKey,
    case: &Case,
    time: Option<kept::KeptTime>,
    answered: &Answered,
) -> Option<KeptCase> {
    let right = match &answered.judgement {
        Some(judgement) if judgement.mark != Mark::Right => return None,
        judgement => judgement.is_some(),
    };
    let answer = match (&case.answer, &answered.answer) {
        (Answer::Reference, Some(bytes)) if bytes.len() as u64 <= ANSWER.0 => {
            Some(std::str::from_utf8(bytes).ok()?.to_owned())
        }
        (Answer::Reference, _) => return None,
        (Answer::Given(_) | Answer::None, _) => None,
    };
    Some(KeptCase {
        subtask,
        case: case_name,
        time,
        answer,
        right,
    })
}
