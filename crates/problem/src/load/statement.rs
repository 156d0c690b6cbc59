//! Statements of problems.

use grader_model::Lang;

use crate::library::Library;

/// The statement of the problem in `folder` in one language, Markdown: `statement.zh.md` or `statement.en.md`.
///
/// Nothing when there is no such file. Bytes that are not UTF-8 become `U+FFFD`.
pub fn statement(library: &dyn Library, folder: &str, lang: Lang) -> Option<String> {
    let name = lang.pick("statement.en.md", "statement.zh.md");
    let path = if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    };
    let bytes = library.read(&path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.trim_start_matches('\u{feff}').to_owned())
}
