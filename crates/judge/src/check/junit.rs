//! Interactors that report unit tests.

use std::path::Path;

use grader_problem::ReportFormat;

use super::CheckerCall;
use super::kattis::feedback_file;
use crate::Fault;
use crate::constants::MAX_REPORT_BYTES;
use crate::decide::junit::Report;

impl CheckerCall<'_> {
    /// Exit status 0 or 1, and a report in the feedback folder.
    pub(super) fn junit(&self, status: i32, stderr: &[u8], folder: &Path) -> Result<Report, Fault> {
        let failed = |reason: &str| self.fault(reason, stderr);
        if !matches!(status, 0 | 1) {
            let reason = format!("ended with exit status {status} instead of 0 or 1");
            return Err(failed(&reason));
        }
        let name = ReportFormat::FILE;
        let report = feedback_file(&folder.join(name), MAX_REPORT_BYTES)?;
        report.and_then(|it| Report::parse(&it)).ok_or_else(|| {
            failed(&format!(
                "wrote no complete report to `{name}` in its feedback folder"
            ))
        })
    }
}
