//! Statements of an exported package.

use std::collections::BTreeMap;

use grader_model::SourceFile;

use super::latex;
use super::writer::{PackageWriter, is_plain};
use crate::kattis::latex_title;

/// A statement in a language.
#[derive(Default)]
struct Texts<'a> {
    tex: Option<&'a SourceFile>,
    markdown: Option<&'a SourceFile>,
}

/// The language and the type of a statement: `en` and `tex` of `problem.en.tex` or `problem.tex`.
fn language<'n>(name: &'n str, stem: &str) -> Option<(&'n str, &'n str)> {
    match name
        .strip_prefix(stem)?
        .strip_prefix('.')?
        .split('.')
        .collect::<Vec<_>>()[..]
    {
        [extension] => Some(("en", extension)),
        [language, extension] if (2..=5).contains(&language.len()) => Some((language, extension)),
        _ => None,
    }
    .filter(|(_, extension)| ["tex", "md"].contains(extension))
}

impl PackageWriter<'_> {
    /// Writes the statements, and returns the problem's names in their languages.
    pub(super) fn statements(&mut self, files: &[SourceFile]) -> BTreeMap<String, String> {
        let folder = if self.is_legacy {
            "problem_statement"
        } else {
            "statement"
        };
        let mut all: BTreeMap<&str, Texts<'_>> = BTreeMap::new();
        // Those of the package that was imported stand before what was made of them.
        let (originals, own): (Vec<_>, Vec<_>) = files
            .iter()
            .partition(|file| file.path.starts_with("statement/"));
        for (stem, files) in [("statement/problem", &originals), ("statement", &own)] {
            let known: Vec<&str> = all.keys().copied().collect();
            for file in files {
                match language(&file.path, stem) {
                    Some((language, _)) if known.contains(&language) => {}
                    Some((language, "tex")) => all.entry(language).or_default().tex = Some(file),
                    Some((language, _)) => all.entry(language).or_default().markdown = Some(file),
                    None => {
                        let path = file.path.strip_prefix("statement/").unwrap_or(&file.path);
                        if is_plain(path) {
                            self.file(format!("{folder}/{path}"), &*file.bytes);
                        } else {
                            self.note(format!(
                                "not exported, as the format does not allow these characters in names: `{path}`"
                            ));
                        }
                    }
                }
            }
        }
        let title = &self.problem.title;
        let mut names = BTreeMap::new();
        for (language, texts) in all {
            let place = format!("{folder}/problem.{language}");
            let own = if language == "zh" {
                &title.zh
            } else {
                &title.en
            };
            let text = |file: &SourceFile| String::from_utf8_lossy(&file.bytes).into_owned();
            if let Some(file) = texts.markdown {
                // The samples of a package stand in their own place.
                let text = with_title(&text(file).replace("{{samples}}\n", ""), own);
                let tex = latex::from_markdown(&text, own);
                // The LaTeX of problemtools has no Chinese.
                let is_chinese = text.chars().any(|c| c >= '\u{2e80}');
                if texts.tex.is_none() && !(self.is_legacy && is_chinese) {
                    self.file(format!("{place}.tex"), self.about_arguments(language, &tex));
                    names.insert(language.to_owned(), own.clone());
                }
                self.file(format!("{place}.md"), self.about_arguments(language, &text));
            }
            if let Some(file) = texts.tex {
                let is_ours = ["en", "zh"].contains(&language);
                let name = (!is_ours).then(|| latex_title(&text(file))).flatten();
                names.insert(language.to_owned(), name.unwrap_or_else(|| own.clone()));
                if self.reads_arguments {
                    let text = self.about_arguments(language, &text(file));
                    self.file(format!("{place}.tex"), text);
                } else {
                    self.file(format!("{place}.tex"), &*file.bytes);
                }
            }
        }
        if names.is_empty() {
            let kinds = if self.is_legacy {
                "LaTeX"
            } else {
                "LaTeX or Markdown"
            };
            self.note(format!(
                "there is no statement in {kinds}, and the format needs one"
            ));
            names.insert("en".to_owned(), title.en.clone());
            if title.zh != title.en {
                names.insert("zh".to_owned(), title.zh.clone());
            }
        }
        names
    }

    /// A statement that says, in front of its text, where programs find their arguments.
    fn about_arguments(&self, language: &str, text: &str) -> String {
        let about = match (self.reads_arguments, language) {
            (false, _) => return text.to_owned(),
            (true, "zh") => "命令行参数写在标准输入的第一行。",
            (true, _) => "The arguments are on the first line of standard input.",
        };
        let (title, rest) = text.split_at(end_of_title(text));
        let gap = if title.is_empty() { "" } else { "\n\n" };
        format!("{}{gap}{about}\n\n{}", title.trim_end(), rest.trim_start())
    }
}

/// Where the line of the title ends: a command of LaTeX anywhere, or a heading of Markdown in front of all text.
fn end_of_title(text: &str) -> usize {
    let start = match text.find("\\problemname") {
        Some(at) => at + text[at..].find('}').unwrap_or(0),
        None if text.starts_with("# ") => 0,
        None => return 0,
    };
    let rest = text[start..].find('\n');
    rest.map_or(text.len(), |length| start + length)
}

/// Markdown whose title, a heading of level 1 in front of all text, is the problem's.
fn with_title(text: &str, title: &str) -> String {
    let body = text.trim_start_matches(['\r', '\n']);
    if !body.starts_with("# ") {
        return text.to_owned();
    }
    let (_, rest) = body.split_once('\n').unwrap_or_default();
    format!("# {title}\n{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_ends_with_its_line() {
        for (text, title) in [
            ("# A\n\nB\nC\n", "# A"),
            ("# A", "# A"),
            ("A\n# B\nC\n", ""),
            (
                "% \\input{a}\n\\problemname{A\n$x^{2}$} % B\nC\nD\n",
                "% \\input{a}\n\\problemname{A\n$x^{2}$} % B",
            ),
            ("\\problemname{A", "\\problemname{A"),
            ("A\nB\n", ""),
        ] {
            assert_eq!(&text[..end_of_title(text)], title);
        }
    }

    #[test]
    fn only_a_heading_in_front_is_the_title() {
        assert_eq!(with_title("\n# A\n\n## A\n", "B"), "# B\n\n## A\n");
        assert_eq!(with_title("# A", "B"), "# B\n");
        for text in ["```sh\n# A\n```\n", "## A\n# A\n", ""] {
            assert_eq!(with_title(text, "B"), text);
        }
    }
}
