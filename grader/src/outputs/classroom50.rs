//! What the runner of Classroom 50 says of a submission.

use std::env;

use grader_report::CLASSROOM50_FIELDS;
use grader_session::Failure;

/// The values of the fields that identify a submission.
///
/// # Errors
/// If one is missing.
pub(super) fn values() -> Result<Vec<String>, Failure> {
    let value = |(_, variable): (&str, &str)| {
        env::var(variable).map_err(|_| {
            Failure::usage(format!(
                "`--classroom50` is for an autograder of Classroom 50, and the environment variable `{variable}` of its runner is missing"
            ))
        })
    };
    CLASSROOM50_FIELDS.into_iter().map(value).collect()
}
