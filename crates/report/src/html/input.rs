//! What pages are made of.

use std::io;

use grader_model::{Lang, ProblemId, Results, SourceFile, StudentId};

/// The sources that were judged for a problem.
pub type Sources<'a> = dyn Fn(&StudentId, &ProblemId) -> io::Result<Vec<SourceFile>> + 'a;

/// What the pages show besides the results.
pub struct PageInput<'a> {
    /// The results.
    pub results: &'a Results,
    /// An earlier run, whose points the class is compared with.
    pub against: Option<&'a Results>,
    /// The sources that were judged.
    pub sources: &'a Sources<'a>,
    /// The page that explains boards, to which boards link; only a folder can have it.
    pub explorer: Option<&'a str>,
    /// The language of the pages.
    pub lang: Lang,
}
