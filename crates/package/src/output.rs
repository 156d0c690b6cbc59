//! What an import gives.

/// A problem as it is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its files, by their paths in the problem's folder.
    pub files: Vec<(String, Content)>,
    /// What of the package it does not have, or has in another way; a sentence each.
    pub notes: Vec<String>,
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// This text.
    Text(String),
    /// What is at this path of the package.
    Copy(String),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// A text as a string of TOML.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Texts as an array of TOML.
pub(crate) fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("[{}]", texts.join(", "))
}
