//! Sources, line by line, and the links into them.

use grader_language::{Languages, Piece, Syntax, highlight, source_text};
use grader_model::{Excerpt, SourceFile};

use super::svg::escaped;
use crate::style::safe;

/// Most bytes of a source that are shown.
const MAX_SOURCE: usize = 64 << 10;
/// Lines that are shown before and after the line of a remark.
const AROUND: usize = 2;

/// A source as a page shows it.
pub(super) struct SourceView {
    pub(super) anchor: String,
    pub(super) name: String,
    pub(super) lines: Vec<SourceLine>,
    pub(super) is_cut: bool,
}

/// A line of a source.
#[derive(Default)]
pub(super) struct SourceLine {
    /// Its pieces with the class of each.
    pub(super) pieces: Vec<(&'static str, String)>,
    /// What a person says about it.
    pub(super) remarks: Vec<String>,
}

impl SourceView {
    /// Whether a person says something about one of its lines.
    pub(super) fn has_remark(&self) -> bool {
        self.lines.iter().any(|line| !line.remarks.is_empty())
    }
}

/// The sources that were submitted for a problem. For the student, who knows them, they need no colours.
pub(super) fn source_views(
    problem: &str,
    sources: &[SourceFile],
    is_coloured: bool,
) -> Vec<SourceView> {
    // Else it is a header of C or C++, or a file that nobody knows.
    let languages = Languages::built_in();
    let syntax = |name: &str| {
        let language = languages.of_file_name(name);
        language.map_or(Syntax::Cpp, |it| it.definition.syntax)
    };
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
            lines: lines(shown, is_coloured.then(|| syntax(source.name()))),
            is_cut: shown.len() < text.len(),
        }
    };
    sources.iter().enumerate().map(view).collect()
}

/// A line of a source around a remark.
pub(super) struct RemarkLine {
    pub(super) number: String,
    pub(super) text: String,
    /// Whether it is the one that the remark is about.
    pub(super) is_meant: bool,
}

/// The place of the file in `count.c:12`, and the number of the line.
pub(super) fn remark_place(at: &str, sources: &[SourceFile]) -> Option<(usize, usize)> {
    let (file, meant) = at.rsplit_once(':')?;
    let has_path = |it: &SourceFile| it.path == file || safe(&it.path) == file;
    let by_path = sources.iter().position(has_path);
    let place = by_path.or_else(|| sources.iter().position(|it| it.name() == file))?;
    Some((place, meant.parse().ok()?))
}

/// The line at `count.c:12` with those around it; `None` if there is no such line.
pub(super) fn remark_lines(at: &str, sources: &[SourceFile]) -> Option<Vec<RemarkLine>> {
    let (place, meant) = remark_place(at, sources)?;
    let text = source_text(&sources[place]);
    let lines: Vec<&str> = text.lines().collect();
    lines.get(meant.checked_sub(1)?)?;
    let (first, last) = (
        meant.saturating_sub(AROUND).max(1),
        (meant + AROUND).min(lines.len()),
    );
    let width = last.to_string().len();
    let lines = (first..=last).map(|number| {
        let line = lines[number - 1].trim_end().replace('\t', "    ");
        RemarkLine {
            number: format!("{number:width$}"),
            text: Excerpt::new(line.as_bytes()).to_string(),
            is_meant: number == meant,
        }
    });
    Some(lines.collect())
}

/// The lines of a source in pieces: in one each without a syntax.
fn lines(text: &str, syntax: Option<Syntax>) -> Vec<SourceLine> {
    let text = text.replace("\r\n", "\n").replace('\t', "    ");
    let text = text.trim_end_matches('\n');
    let pieces = match syntax {
        Some(syntax) => highlight(text, syntax),
        None => vec![(Piece::Plain, text)],
    };
    let mut lines = vec![SourceLine::default()];
    for (piece, text) in pieces {
        let class = match piece {
            Piece::Plain => "",
            Piece::Keyword => "k",
            Piece::Number => "n",
            Piece::Quoted => "q",
            Piece::Comment => "c",
        };
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                lines.push(SourceLine::default());
            }
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                line.pieces.push((class, safe(part)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_stands_at_its_line_if_the_source_still_has_it() {
        let wide = "x".repeat(1000);
        let source = format!("1\n2\n3\t<\n4\r\n{wide}\n6\n7\n8\n9\n10");
        let sources = [
            SourceFile::new("lib/b.c", *b"other"),
            SourceFile::new("old/a.c", source.into_bytes()),
        ];
        let around = |at: &str| {
            let lines = remark_lines(at, &sources)?;
            let line = |it: &RemarkLine| {
                let mark = if it.is_meant { '>' } else { ' ' };
                format!("{mark}{} {}", it.number, it.text)
            };
            Some(lines.iter().map(line).collect::<Vec<_>>())
        };
        let cut = format!(" 5 {}…", &wide[..160]);
        let third = [" 1 1", " 2 2", ">3 3    <", " 4 4", &cut];
        assert_eq!(around("old/a.c:3").unwrap(), third);
        assert_eq!(around("a.c:3").unwrap(), third);
        assert_eq!(around("a.c:1").unwrap(), [">1 1", " 2 2", " 3 3    <"]);
        assert_eq!(around("a.c:10").unwrap(), ["  8 8", "  9 9", ">10 10"]);
        for gone in [
            "a.c:0",
            "a.c:11",
            "c.c:1",
            "a.c",
            "a.c:x",
            "a.c:99999999999999999999",
        ] {
            assert_eq!(around(gone), None, "{gone}");
        }
    }
}
