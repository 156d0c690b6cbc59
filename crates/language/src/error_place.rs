//! The first error of a build and the code around it, as rules of `advice.toml` look at them.

use grader_model::file_name;

use crate::constants::MAX_LINE_TOKENS;
use crate::first_error::{CompilerError, about, find, undefined_function};
use crate::language::Language;
use crate::lexer::{Token, TokenKind};
use crate::source::{ProgramSources, SourceText};
use crate::syntax::Syntax;

/// Lines before that of the error.
const LINES_BEFORE: usize = 3;
/// GCC counts a tab as far as the next multiple of this.
const TAB: usize = 8;

/// The first error of a build.
#[derive(Debug, Default)]
pub(crate) struct FirstError {
    /// Its line, from 1.
    pub(crate) line: usize,
    /// What the compiler prints about it: see [`about`].
    pub(crate) about: String,
    /// Its place, if that is known.
    pub(crate) place: Option<ErrorPlace>,
    /// Whether it is not in a file of the student.
    pub(crate) is_foreign: bool,
}

impl FirstError {
    pub(crate) fn new(
        messages: &str,
        sources: &ProgramSources<'_>,
        language: &Language,
    ) -> Option<Self> {
        let (at, error) = find(messages, |_| true).or_else(|| undefined_function(messages))?;
        let is_named = |it: &&&SourceText<'_>| it.file.path == error.file;
        let is_authors = sources.included.iter().any(|it| is_named(&it));
        let mut units = sources.own.iter().filter(|it| !language.is_header(it.file));
        // One file alone may be built as `main.c`.
        let only = units
            .next()
            .filter(|_| units.next().is_none() && file_name(&error.file).starts_with("main."));
        let source = sources.own.iter().find(is_named).or(only);
        let source = source.filter(|_| !is_authors);
        let place = source.map(|it| ErrorPlace::new(&error, it, language.definition.syntax));
        // Java names a file by its class.
        let is_system = place.is_none() && !language.definition.headers.is_empty();
        Some(Self {
            line: error.line,
            about: about(messages, at, &error),
            place,
            is_foreign: is_authors || is_system,
        })
    }
}

/// The place of an error in a source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorPlace {
    /// The tokens of the error's line, and below it those of the lines with code before it, the last one first. They are
    /// separated by blanks, literals are empty, and `@` stands before the token of the error.
    pub(crate) code: String,
    /// The last line with code before that of the error.
    pub(crate) above: Option<usize>,
    /// The line of a `{` that has no `}`.
    pub(crate) open: Option<usize>,
}

/// A token's line and column, from 1, and the column where its line's code begins.
struct Placed<'a> {
    token: Token<'a>,
    line: usize,
    column: usize,
    indent: usize,
}

impl ErrorPlace {
    pub(crate) fn new(error: &CompilerError, source: &SourceText<'_>, syntax: Syntax) -> Self {
        let tokens = placed(source, syntax);
        let line = error.line;
        let begin = tokens.partition_point(|it| it.line < line);
        let end = tokens.partition_point(|it| it.line <= line);
        let is_before = |it: &&Placed<'_>| error.column.is_some_and(|at| it.column < at);
        let at = begin + tokens[begin..end].iter().take_while(is_before).count();
        let (before, after) = (written(&tokens[begin..at]), written(&tokens[at..end]));
        let lines = tokens[..begin].chunk_by(|a, b| a.line == b.line).rev();
        // Directives stand between statements.
        let above: Vec<_> = lines
            .filter(|line| !line[0].token.is("#"))
            .take(LINES_BEFORE)
            .collect();
        let mut code = vec![format!(" {before}@ {after}\n")];
        code.extend(above.iter().map(|line| format!(" {}\n", written(line))));
        Self {
            code: code.concat(),
            above: above.first().map(|line| line[0].line),
            open: open_brace(&tokens),
        }
    }
}

fn placed<'a>(source: &'a SourceText<'_>, syntax: Syntax) -> Vec<Placed<'a>> {
    let (mut line, mut column, mut last) = (1, 1, 0);
    let mut all: Vec<Placed<'_>> = Vec::new();
    for token in source.tokens(syntax) {
        for c in source.text[last..token.at].chars() {
            (line, column) = match c {
                '\n' => (line + 1, 1),
                '\t' => (line, (column - 1) / TAB * TAB + TAB + 1),
                // As wide as two others.
                '\u{1100}'.. => (line, column + 2),
                _ => (line, column + 1),
            };
        }
        last = token.at;
        let first = all.last().filter(|it| it.line == line);
        let indent = first.map_or(column, |it| it.indent);
        all.push(Placed {
            token,
            line,
            column,
            indent,
        });
    }
    all
}

/// The tokens, each with a blank behind it.
fn written(tokens: &[Placed<'_>]) -> String {
    let texts = tokens.iter().take(MAX_LINE_TOKENS).map(|it| {
        let text = it.token.text;
        match text
            .chars()
            .next()
            .filter(|_| it.token.kind == TokenKind::Quoted)
        {
            Some(quote) if text.len() > 1 && text.ends_with(quote) => format!("{quote}{quote} "),
            Some(quote) => format!("{quote} "),
            None => format!("{text} "),
        }
    });
    texts.collect()
}

/// The line of the first `{` that a `}` further left seems to close in its stead, or else of one that is never closed.
fn open_brace(tokens: &[Placed<'_>]) -> Option<usize> {
    let mut open: Vec<&Placed<'_>> = Vec::new();
    let mut passed = None;
    for it in tokens {
        if it.token.is("{") {
            open.push(it);
        } else if it.token.is("}")
            && let Some(opened) = open.pop()
            && it.indent == it.column
            && it.indent < opened.indent
        {
            passed = passed.or(Some(opened.line));
        }
    }
    let last = open.last()?;
    passed.or(Some(last.line))
}

#[cfg(test)]
mod tests {
    use grader_model::SourceFile;

    use super::*;

    #[track_caller]
    fn place(text: &str, line: usize, column: usize) -> ErrorPlace {
        let file = [SourceFile::new("a.c", text.as_bytes())];
        let error = CompilerError {
            file: "a.c".to_owned(),
            line,
            column: Some(column),
            message: String::new(),
        };
        ErrorPlace::new(&error, &SourceText::all(&file)[0], Syntax::C)
    }

    #[test]
    fn the_code_around_an_error_has_no_comments_blanks_and_texts() {
        let text = "int a;\nint b;\n\n// no\nint  c = 'x' ;\n{ /* */ puts(\"a b\")\n\n\ty = \"皇\" + 1; return \"x\n";
        let code = " y = \"\" @ + 1 ; return \" \n { puts ( \"\" ) \n int c = '' ; \n int b ; \n";
        let found = place(text, 8, 18);
        assert_eq!(
            (&*found.code, found.above, found.open),
            (code, Some(6), Some(6))
        );
        assert_eq!(place(text, 3, 1).code, " @ \n int b ; \n int a ; \n");
        let none = ErrorPlace {
            code: " @ \n".to_owned(),
            ..ErrorPlace::default()
        };
        assert_eq!(place("", 7, 7), none);
    }

    #[test]
    fn a_brace_that_is_not_closed_is_found_by_the_indentation() {
        let table = [
            ("int main() {\n  if (a) {\n    b;\n  c;\n}\n", Some(2)),
            ("int f() {\n  a;\n\nint main()\n{\n\tb;\n}\n", Some(1)),
            (
                "int main() {\n  for (;;)\n  {\n    if (a) { b; }\n}\n",
                Some(3),
            ),
            ("int main() { a; }\n}\n", None),
        ];
        for (text, expected) in table {
            assert_eq!(place(text, 1, 1).open, expected, "{text}");
        }
    }
}
