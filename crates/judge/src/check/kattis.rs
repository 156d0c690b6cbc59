//! Kattis's protocol of output validators (problem package format, "Output Validators").

use std::fs;
use std::path::Path;

use grader_model::{Evidence, Judgement, Mark, Share};
use grader_problem::ScoreRule;

use super::CheckerCall;
use super::pass_feedback::Feedback;
use crate::Fault;
use crate::constants::MAX_MESSAGE_READ_BYTES;
use crate::decide::message::message;
use crate::workspace::read_start;

impl CheckerCall<'_> {
    /// Exit status 42 accepts and 43 rejects; files in the feedback folder have details.
    pub(super) fn kattis(
        &self,
        status: i32,
        stderr: &[u8],
        folder: &Path,
    ) -> Result<Judgement, Fault> {
        let failed = |reason: &str| Err(self.fault(reason, stderr));
        let file = |name: &str| feedback_file(&folder.join(name), MAX_MESSAGE_READ_BYTES);
        let score = match (file("score_multiplier.txt")?, file("score.txt")?) {
            (None, None) => None,
            (Some(text), None) => Some(("score_multiplier.txt", text, 1.0)),
            (None, Some(text)) => Some(("score.txt", text, self.worth())),
            (Some(_), Some(_)) => {
                return failed("wrote both `score.txt` and `score_multiplier.txt`");
            }
        };
        let mark = match (status, score) {
            (42, None) => Mark::Right,
            // Accepted, whatever its score.
            (42, Some((place, text, whole))) => match self.share(place, &text, whole)? {
                Mark::Wrong => Mark::Partial(Share::NOTHING),
                mark => mark,
            },
            // Its score does not count.
            (43, _) => Mark::Wrong,
            (status, _) => {
                return failed(&format!(
                    "ended with exit status {status} instead of 42 or 43"
                ));
            }
        };
        let mut evidence = Vec::new();
        evidence.extend(file("teammessage.txt")?.and_then(|text| message("checker", &text)));
        let for_staff = file("judgemessage.txt")?.and_then(|text| message("checker-staff", &text));
        evidence.extend(for_staff.map(Evidence::for_staff));
        if Feedback::is_asked_for(folder) {
            match self.case.feedback {
                Some(feedback) if mark == Mark::Right => feedback.keep(folder)?,
                Some(_) => {
                    return failed("requested another pass for an output that it rejected");
                }
                None => return failed("requested another pass, but `passes` of `[run]` is 1"),
            }
        }
        Ok(self.judgement(mark, evidence))
    }

    /// The points that the case is worth.
    fn worth(&self) -> f64 {
        let subtask = self.case.at.subtask;
        let parts = match subtask.score {
            ScoreRule::Sum => subtask.cases.len(),
            ScoreRule::All | ScoreRule::Worst => 1,
        };
        subtask.points.to_f64() / parts as f64
    }
}

/// The beginning of a feedback file; `None` if it does not exist. Only a regular file counts.
pub(super) fn feedback_file(path: &Path, max_bytes: u64) -> Result<Option<Vec<u8>>, Fault> {
    if fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        read_start(path, max_bytes).map(Some)
    } else {
        Ok(None)
    }
}
