//! Errors of packages.

/// A package cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// Its format is unknown.
    #[error(
        "expected a problem package (`problem.yaml`: Kattis, ICPC, DOMjudge, Hydro; `task.yaml`: CMS; `init.yml`: DMOJ; `problem.xml`: Polygon; `info.toml`: Library Checker; `problem.conf`: UOJ; `problem.json`: QDUOJ; an XML file: FPS) or tests (`1.in` with `1.out`)"
    )]
    Unknown,
    /// One of its files has a mistake.
    #[error("`{path}`: {message}")]
    File {
        /// Its path in the package.
        path: String,
        /// The mistake.
        message: String,
    },
    /// One of the two formats does not support a feature.
    #[error("{0}")]
    Unsupported(String),
}

impl PackageError {
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::Unsupported(message.into())
    }

    pub(crate) fn file(path: &str, message: impl std::fmt::Display) -> Self {
        Self::File {
            path: path.to_owned(),
            message: format!("{message}"),
        }
    }
}

/// Fails because a format does not support a feature.
pub(crate) fn unsupported<T>(message: impl Into<String>) -> Result<T, PackageError> {
    Err(PackageError::unsupported(message))
}

/// Fails because of a mistake in a file.
pub(crate) fn mistake<T>(path: &str, message: impl std::fmt::Display) -> Result<T, PackageError> {
    Err(PackageError::file(path, message))
}
