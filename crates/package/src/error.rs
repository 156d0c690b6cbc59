//! Why a package cannot be read.

/// A package that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// It is of no known format.
    #[error(
        "there is no `problem.yaml` (Kattis, ICPC, DOMjudge), `init.yml` (DMOJ) or `problem.xml` (Polygon): expected the folder of a problem package"
    )]
    Unknown,
    /// A file of it has a mistake.
    #[error("`{path}`: {message}")]
    File {
        /// Its path in the package.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// It needs what the grader cannot do.
    #[error("{0}")]
    Unsupported(String),
}

impl PackageError {
    pub(crate) fn file(path: &str, message: impl std::fmt::Display) -> Self {
        Self::File {
            path: path.to_owned(),
            message: format!("{message}"),
        }
    }
}
