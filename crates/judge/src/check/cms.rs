//! CMS's protocol of checkers (its documentation, "Task types", "Checker").

use grader_model::Judgement;

use super::CheckerCall;
use crate::Fault;
use crate::decide::message::message;

impl CheckerCall<'_> {
    /// The first line of standard output is a score from 0 to 1, that of standard error a message, unless it names one of CMS's own.
    pub(super) fn cms(
        &self,
        status: i32,
        stdout: &[u8],
        stderr: &[u8],
    ) -> Result<Judgement, Fault> {
        if status != 0 {
            let reason = format!("ended with exit status {status} instead of 0");
            return Err(self.fault(&reason, stderr));
        }
        let first = |text: &'_ [u8]| text.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec);
        let score = first(stdout).unwrap_or_default();
        let mark = self.share("the first line of its output", &score, 1.0)?;
        let text = first(stderr).filter(|text| !text.starts_with(b"translate:"));
        let evidence = text.and_then(|text| message("checker", &text));
        Ok(self.judgement(mark, evidence.into_iter().collect()))
    }
}
