//! What reports are made of.

use std::collections::BTreeMap;
use std::io;

use grader_model::{Lang, ProblemId, Results};
use grader_publish::PageScope;
use grader_session::{Sections, StoredRuns};

use crate::pages::Pages;

/// What reports are made of.
pub(crate) struct Report<'a> {
    pub(crate) results: &'a Results,
    /// `None` if nothing is stored.
    pub(crate) stored: Option<&'a StoredRuns>,
    /// The class among those of its ledger.
    pub(crate) sections: &'a Sections,
    /// The results of the run to compare with.
    pub(crate) against: Option<&'a Results>,
    /// Of whom it is.
    pub(crate) scope: PageScope,
    /// Whether it is of some cases, without points.
    pub(crate) is_of_cases: bool,
}

impl Report<'_> {
    /// Its web pages.
    pub(super) const fn pages(&self) -> Pages<'_> {
        Pages {
            results: self.results,
            stored: self.stored,
            against: self.against,
            scope: self.scope,
        }
    }

    /// The statements of problems as HTML, in this language if there is one.
    pub(super) fn statements(&self, lang: Lang) -> io::Result<BTreeMap<ProblemId, String>> {
        self.stored.map_or_else(
            || Ok(BTreeMap::new()),
            |it| it.statements(self.results, lang),
        )
    }
}
