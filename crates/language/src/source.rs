//! Sources as text and tokens.

use std::borrow::Cow;
use std::sync::OnceLock;

use grader_model::SourceFile;

use crate::constants::MAX_KEPT_BYTES;
use crate::encoding::to_utf8;
use crate::lexer::{Span, Token, tokens};
use crate::syntax::Syntax;

/// A source file as text, whatever its encoding, decoded once.
#[derive(Debug)]
pub struct SourceText<'a> {
    /// The file, under the name with which it is built.
    pub file: &'a SourceFile,
    /// The path that the student knows.
    pub submitted: &'a str,
    /// Its text in UTF-8.
    pub text: Cow<'a, str>,
    /// The positions of its tokens, by syntax; `None` if they are not kept.
    spans: Option<[OnceLock<Vec<Span>>; Syntax::COUNT]>,
}

impl<'a> SourceText<'a> {
    /// A program's sources.
    pub fn all(files: &'a [SourceFile]) -> Vec<Self> {
        let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
        let is_kept = bytes <= MAX_KEPT_BYTES;
        let texts = files.iter().map(|file| Self {
            file,
            submitted: &file.path,
            text: source_text(file),
            spans: is_kept.then(Default::default),
        });
        texts.collect()
    }

    /// Its tokens. A small source is tokenised once per syntax; a large one every time, so that it takes much memory
    /// only while its tokens are in use.
    pub fn tokens(&self, syntax: Syntax) -> Vec<Token<'_>> {
        let Some(spans) = &self.spans else {
            return tokens(&self.text, syntax);
        };
        let find = || tokens(&self.text, syntax).iter().map(Span::of).collect();
        let spans = spans[syntax as usize].get_or_init(find).iter();
        spans.map(|span| span.token(&self.text)).collect()
    }
}

impl AsRef<SourceFile> for SourceText<'_> {
    fn as_ref(&self) -> &SourceFile {
        self.file
    }
}

/// The text of a source, whatever its encoding.
pub fn source_text(source: &SourceFile) -> Cow<'_, str> {
    to_utf8(&source.bytes)
}

/// A program's sources.
#[derive(Clone, Debug, Default)]
pub struct ProgramSources<'a> {
    /// Files of the problem's author that are built with every submission.
    pub included: Vec<&'a SourceText<'a>>,
    /// The program's own files.
    pub own: Vec<&'a SourceText<'a>>,
    /// Files that were submitted and are not built, because an included file takes their place.
    pub left_out: Vec<&'a SourceText<'a>>,
}

impl<'a> ProgramSources<'a> {
    /// A program without included files.
    pub fn own(sources: &'a [SourceText<'a>]) -> Self {
        Self {
            own: sources.iter().collect(),
            ..Self::default()
        }
    }

    /// All its sources, the included ones first.
    pub fn all(&self) -> Vec<&'a SourceText<'a>> {
        [&*self.included, &*self.own].concat()
    }

    /// The first `count` of all its sources.
    pub(crate) fn first(&self, count: usize) -> Self {
        let included = self.included.iter().take(count);
        let own = self.own.iter().take(count - included.len());
        Self {
            included: included.copied().collect(),
            own: own.copied().collect(),
            left_out: self.left_out.clone(),
        }
    }

    /// Whether an index among all its sources is that of an included one.
    pub(crate) fn is_included(&self, index: usize) -> bool {
        index < self.included.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_same_whether_or_not_they_are_kept() {
        let text = "int main() { return 1'000; } // 皇后\n\"皇\" \u{feff}x".repeat(2);
        let large = text.repeat(MAX_KEPT_BYTES / text.len() + 1);
        for text in [text, large] {
            let files = [SourceFile::new("a.c", text.as_bytes())];
            let [source] = &SourceText::all(&files)[..] else {
                unreachable!()
            };
            for syntax in [Syntax::C, Syntax::Python, Syntax::C] {
                assert_eq!(source.tokens(syntax), tokens(&text, syntax));
            }
            assert_eq!(source.spans.is_some(), text.len() <= MAX_KEPT_BYTES);
        }
    }
}
