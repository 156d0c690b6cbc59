//! `assignment.toml`.

use std::collections::BTreeMap;

use grader_language::Definition;
use grader_model::LanguageId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Format, Id, RawTitle, Worth};
use crate::diagnostic::{Code, Log};
use crate::reader::{At, Node, Read, table};

table! {
    /// An assignment: an ordered set of problems with their points.
    RawAssignment: UnknownKey {
        /// Version of this format: 1.
        required format: Format,
        /// Name of the assignment, made of `a-z`, `0-9` and `-`.
        required id: Id,
        /// Its title in both languages.
        required title: RawTitle,
        /// Languages of this site, and changes of built-in ones: see `Definition` of the crate `grader-language`.
        optional languages: SiteLanguages,
        /// Its problems, in order.
        required problem: Vec<At<RawEntry>>,
    }
}

table! {
    /// A problem of the assignment. Exactly one of `points` and `bonus` must be given, equal to the sum of
    /// its subtasks' points.
    RawEntry: UnknownKey {
        /// The problem's folder, relative to the folder of this file. It holds `problem.toml`.
        required path: String,
        /// What the problem is worth; at most three decimals.
        optional points: Worth,
        /// What the problem is worth on top of the assignment's total; at most three decimals.
        optional bonus: Worth,
    }
}

/// The table `languages`.
#[derive(Clone, Debug)]
pub(crate) struct SiteLanguages(pub(crate) BTreeMap<LanguageId, Definition>);

impl Read for SiteLanguages {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        #[derive(Deserialize)]
        struct Site {
            languages: BTreeMap<LanguageId, Definition>,
        }
        match toml::from_str::<Site>(&log.file.text) {
            Ok(site) => Some(Self(site.languages)),
            Err(error) => {
                let span = error.span().unwrap_or_else(|| node.span.clone());
                log.report(&span, Code::BadValue, error.message());
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "type": "object" })
    }
}
