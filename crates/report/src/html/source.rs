//! Sources, line by line, and the links into them.

use grader_language::{Languages, Piece, Syntax, highlight, source_text};
use grader_model::SourceFile;

use super::svg::escaped;
use crate::style::safe;

/// Most bytes of a source that are shown.
const MAX_SOURCE: usize = 64 << 10;

/// A source as a page shows it.
pub(super) struct SourceView {
    pub(super) anchor: String,
    pub(super) name: String,
    /// For each line its pieces with the class of each.
    pub(super) lines: Vec<Vec<(&'static str, String)>>,
    pub(super) is_cut: bool,
}

/// The sources that were submitted for a problem.
pub(super) fn source_views(problem: &str, sources: &[SourceFile]) -> Vec<SourceView> {
    let languages = Languages::built_in();
    let view = |(index, source): (usize, &SourceFile)| {
        let text = source_text(source);
        let mut end = text.len().min(MAX_SOURCE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let shown = &text[..end];
        SourceView {
            anchor: format!("{problem}.f{index}"),
            name: safe(&source.path),
            // Else it is a header of C or C++, or a file that nobody knows.
            lines: coloured(
                shown,
                languages
                    .of_file_name(source.name())
                    .map_or(Syntax::Cpp, |language| language.definition.syntax),
            ),
            is_cut: shown.len() < text.len(),
        }
    };
    sources.iter().enumerate().map(view).collect()
}

/// The lines of a source in pieces, each with its class.
fn coloured(text: &str, syntax: Syntax) -> Vec<Vec<(&'static str, String)>> {
    let text = text.replace("\r\n", "\n").replace('\t', "    ");
    let mut lines = vec![Vec::new()];
    for (piece, text) in highlight(text.trim_end_matches('\n'), syntax) {
        let class = match piece {
            Piece::Plain => "",
            Piece::Keyword => "k",
            Piece::Number => "n",
            Piece::Quoted => "q",
            Piece::Comment => "c",
        };
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                line.push((class, safe(part)));
            }
        }
    }
    lines
}

/// The line, escaped, with a link from the place in it to that line of the source: `name.c:12`, or `"name.py", line 12`.
pub(super) fn linked(line: &str, sources: &[SourceView]) -> String {
    let line = safe(line);
    for source in sources {
        let base = source.name.rsplit('/').next().unwrap_or_default();
        for between in [":", "\", line "] {
            let begin = format!("{base}{between}");
            let Some(at) = line.find(&begin) else {
                continue;
            };
            let rest = &line[at + begin.len()..];
            let digits = rest.chars().take_while(char::is_ascii_digit).count();
            let number: usize = rest[..digits].parse().unwrap_or(0);
            if (1..=source.lines.len()).contains(&number) {
                let [before, begin, rest] = [&line[..at], &begin, &rest[digits..]].map(escaped);
                let anchor = escaped(&source.anchor);
                return format!("{before}<a href=\"#{anchor}.{number}\">{begin}{number}</a>{rest}");
            }
        }
    }
    escaped(&line)
}
