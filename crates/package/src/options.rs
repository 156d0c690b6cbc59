//! What the user of an import decides.

/// What the user decides about an import.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportOptions {
    /// Whether tests that are not samples are public, too.
    pub public: bool,
    /// Whether a package that would be worth 0 points is imported.
    pub allow_empty: bool,
}
