//! What references keep on disk, and what of it still holds.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

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
        let Some(found) = self.find_kept(judge, problem) else {
            return BTreeMap::new();
        };
        let mut calibration = Calibration::default();
        let mut answers = BTreeMap::new();
        for kept in found.cases {
            let place = (kept.subtask.clone(), kept.case.clone());
            let Some(answered) = find(problem, &place).and_then(|case| answered(case, &kept))
            else {
                continue;
            };
            match (problem.needs_yardstick(), kept.time) {
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
            let Some(key) = Key::of(judge, problem, calibrations) else {
                continue;
            };
            if !times.fresh.swap(false, Ordering::Relaxed) {
                continue;
            }
            let kept = Kept::new(key, self.kept_cases(problem, &times));
            if let Err(error) = kept.write(&calibrations.folder)
                && !self.unwritable.swap(true, Ordering::Relaxed)
            {
                (calibrations.warn)(&kept::unwritable(&calibrations.folder, &error));
            }
        }
    }

    fn kept_cases(&self, problem: &Problem, times: &Times) -> Vec<KeptCase> {
        let mut cases = Vec::new();
        for subtask in &problem.subtasks {
            for case in &subtask.cases {
                let place = (subtask.name.clone(), case.name.clone());
                let measured = locked(&times.calibration).of(&place);
                let Some(answered) = self.answered(problem, times, &place) else {
                    continue;
                };
                if measured.is_some() == problem.needs_yardstick() {
                    let time = measured.map(|measured| measured.samples.into());
                    cases.extend(kept_case(place, case, time, &answered));
                }
            }
        }
        cases
    }

    /// What the reference answered in a case, in this run or in an earlier one.
    pub(super) fn answered(
        &self,
        problem: &Problem,
        times: &Times,
        place: &CaseKey,
    ) -> Option<Answered> {
        let key = (problem.id.clone(), place.clone());
        let cell = locked(&self.cases).get(&key).cloned();
        let asked = cell.and_then(|cell| locked(&cell).clone());
        match asked {
            Some(asked) => asked.ok(),
            None => locked(&times.kept).as_ref()?.get(place).cloned(),
        }
    }
}

/// What a file says of a case. Nothing where it lacks what is needed.
fn answered(case: &Case, kept: &KeptCase) -> Option<Answered> {
    let answer = kept.answer.as_ref().map(|text| text.as_bytes().into());
    ((case.answer == Answer::Reference) == kept.answer.is_some()).then(|| Answered {
        answer,
        judgement: kept.right.then(Judgement::right),
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
