//! Statements: files `problem.…`, at the top or in a folder of their own.

use crate::draft::Draft;

/// The folders of statements: `2025-09` and legacy.
const FOLDERS: [&str; 2] = ["statement", "problem_statement"];

fn is_statement(name: &str) -> bool {
    FOLDERS.contains(&name) || name.starts_with("problem.") && name != "problem.yaml"
}

/// Copies statements unchanged. Notes one that is not shown, and unknown entries.
pub(super) fn copy(draft: &mut Draft<'_>) {
    for entry in draft.library.list("").unwrap_or_default() {
        let name = &*entry.name;
        if is_statement(name) {
            let inside = format!("statement/{name}");
            draft.statement(name, if entry.folder { "statement" } else { &inside });
        }
    }
    let mut folders = ["", FOLDERS[0], FOLDERS[1]].into_iter();
    let latex = folders.find_map(|folder| {
        let mut entries = draft.library.list(folder).unwrap_or_default().into_iter();
        let entry = entries.find(|it| {
            it.name.starts_with("problem.") && it.name.rsplit('.').next() == Some("tex")
        })?;
        Some(format!("{folder}/{}", entry.name))
    });
    if let Some(path) = latex {
        let path = path.trim_start_matches('/');
        draft.note(format!(
            "`{path}` is copied but not shown to students: LaTeX is not converted, so write `statement.en.md`"
        ));
    }
    // The contents of these folders are noted individually.
    draft.note_unused(|name| {
        matches!(
            name,
            "data"
                | "submissions"
                | "include"
                | "output_validator"
                | "output_validators"
                | "input_validators"
                | "input_format_validators"
                | "problem.yaml"
                | "domjudge-problem.ini"
        )
    });
}

/// The titles of the statements, with their languages: `\problemname{…}` in LaTeX, the first heading in Markdown.
pub(super) fn titles(draft: &Draft<'_>) -> Vec<(String, String)> {
    let mut titles = Vec::new();
    for folder in ["", FOLDERS[0], FOLDERS[1]] {
        for entry in draft.library.list(folder).unwrap_or_default() {
            let parts: Vec<&str> = entry.name.split('.').collect();
            let (language, extension) = match parts[..] {
                ["problem", extension] => ("", extension),
                ["problem", language, extension] => (language, extension),
                _ => continue,
            };
            let path = format!("{folder}/{}", entry.name);
            let text = draft.library.read(path.trim_start_matches('/'));
            let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
            let title = match extension {
                "tex" => latex(&text),
                "md" => text
                    .lines()
                    .find_map(|line| line.strip_prefix("# "))
                    .map(str::to_owned),
                _ => None,
            };
            titles.extend(title.map(|title| (language.to_owned(), title)));
        }
    }
    titles
}

/// The title in `\problemname{…}`; `None` if it is not plain text.
pub(crate) fn latex(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("\\problemname{")?;
    let (title, _) = rest.split_once('}')?;
    (!title.contains(['\\', '{', '$', '~', '\n'])).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_latex_statement_is_plain_text() {
        for (text, title) in [
            ("\\problemname{Salt and Pepper}\n", Some("Salt and Pepper")),
            ("\\problemname{Salt \\& Pepper}", None),
            ("\\problemname{Open", None),
            ("Text", None),
        ] {
            assert_eq!(latex(text).as_deref(), title, "{text}");
        }
    }
}
