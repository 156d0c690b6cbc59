//! What the user of an import decides.

use grader_model::Points;

/// What the user decides about an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Whether tests that are not samples are public, too.
    pub public: bool,
    /// Whether a package that would be worth 0 points is imported.
    pub allow_empty: bool,
    /// Time limit in seconds, for tests in no format.
    pub seconds: Option<f64>,
    /// Memory limit in MiB, for tests in no format.
    pub mebibytes: Option<f64>,
    /// Points of each subtask, or of all together, for tests in no format.
    pub points: Vec<Points>,
}

impl ImportOptions {
    /// Whether any of them is for tests in no format.
    pub(crate) fn is_for_tests(&self) -> bool {
        self.seconds.is_some() || self.mebibytes.is_some() || !self.points.is_empty()
    }
}
