//! Syntax highlighting of sources.

use crate::lexer::{TokenKind, tokens};
use crate::syntax::Syntax;

/// The kind of a piece of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A name, an operator or a blank.
    Plain,
    /// A keyword.
    Keyword,
    /// A number.
    Number,
    /// A string or a character.
    Quoted,
    /// A comment, or several separated by blanks.
    Comment,
}

/// The pieces of a text, in order and without gaps. Adjacent pieces have different kinds.
pub fn highlight(text: &str, syntax: Syntax) -> Vec<(Piece, &str)> {
    let mut pieces: Vec<(Piece, usize)> = Vec::new();
    let mut push = |piece, end| match pieces.last_mut() {
        Some((last, at)) if *last == piece => *at = end,
        _ => pieces.push((piece, end)),
    };
    let mut at = 0;
    for token in tokens(text, syntax) {
        gap(text, at, token.at, &mut push);
        at = token.at + token.text.len();
        let piece = match token.kind {
            TokenKind::Name if syntax.is_keyword(token.text) => Piece::Keyword,
            TokenKind::Name | TokenKind::Operator => Piece::Plain,
            TokenKind::Number => Piece::Number,
            TokenKind::Quoted => Piece::Quoted,
        };
        push(piece, at);
    }
    gap(text, at, text.len(), &mut push);
    let mut from = 0;
    let pieces = pieces.into_iter();
    pieces
        .map(|(piece, end)| (piece, &text[std::mem::replace(&mut from, end)..end]))
        .collect()
}

/// The gap between two tokens: blanks, perhaps comments.
fn gap(text: &str, from: usize, to: usize, push: &mut impl FnMut(Piece, usize)) {
    let between = &text[from..to];
    let begin = to - between.trim_start().len();
    let end = from + between.trim_end().len();
    if begin < end {
        if from < begin {
            push(Piece::Plain, begin);
        }
        push(Piece::Comment, end);
    }
    if end.max(from) < to {
        push(Piece::Plain, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_keywords_comments_and_literals() {
        #[rustfmt::skip]
        let table = [
            (Syntax::C, "int x = 5; /* if */ // 6\n\"if\"", "k:int| x = |n:5|; |c:/* if */ // 6|\n|q:\"if\""),
            (Syntax::Cpp, "using std::cin;", "k:using| std::cin;"),
            (Syntax::Rust, "fn f<'a>() {}\n//!", "k:fn| f<'a>() {}\n|c://!"),
            (Syntax::Java, "class A{'a'}", "k:class| A{|q:'a'|}"),
            (Syntax::Pascal, "BEGIN {end} End.", "k:BEGIN| |c:{end}| |k:End|."),
            (Syntax::Python, "def f(): # not\n", "k:def| f(): |c:# not|\n"),
            (Syntax::C, "", ""),
            (Syntax::C, " \n", " \n"),
        ];
        for (syntax, text, expected) in table {
            let pieces = highlight(text, syntax);
            let shown = pieces.iter().map(|(piece, text)| match piece {
                Piece::Plain => (*text).to_owned(),
                Piece::Keyword => format!("k:{text}"),
                Piece::Number => format!("n:{text}"),
                Piece::Quoted => format!("q:{text}"),
                Piece::Comment => format!("c:{text}"),
            });
            let shown = shown.collect::<Vec<_>>().join("|");
            assert_eq!(shown, expected, "{text}");
            let whole: String = pieces.iter().map(|(_, text)| *text).collect();
            assert_eq!(whole, text);
        }
    }
}
