//! `[submission]`.

use globset::GlobBuilder;
use grader_model::{Bytes, LanguageId};

use super::limits::size_within;
use crate::diagnostic::{Code, Log};
use crate::problem::SubmissionRule;
use crate::raw::RawSubmission;
use crate::suggest::quoted;

const DEFAULT_SIZE: Bytes = Bytes(1 << 20);
const SIZE: (Bytes, Bytes) = (Bytes(1), Bytes(64 << 20));

pub(crate) fn build(raw: &RawSubmission, log: &mut Log) -> Option<SubmissionRule> {
    let size = size_within(&raw.size, "submission.size", SIZE, log).unwrap_or(DEFAULT_SIZE);
    let languages = languages(raw, log);
    let files = raw.files.at()?;
    if files.value.is_empty() {
        log.report_with(
            &files.span,
            Code::Empty,
            "`submission.files` has no patterns",
            "without one no file is recognised; write `[\"*\"]` for any".to_owned(),
        );
    }
    for pattern in &files.value {
        if pattern.value.is_empty() {
            log.report(
                &pattern.span,
                Code::BadGlob,
                "a pattern of `submission.files` must not be empty",
            );
        } else if let Err(error) = GlobBuilder::new(&pattern.value)
            .case_insensitive(true)
            .build()
        {
            log.report(
                &pattern.span,
                Code::BadGlob,
                format!(
                    "{} is not a file pattern: {}",
                    quoted(&pattern.value),
                    error.kind()
                ),
            );
        }
    }
    Some(SubmissionRule {
        files: files.value.iter().map(|at| at.value.clone()).collect(),
        languages,
        size,
    })
}

fn languages(raw: &RawSubmission, log: &mut Log) -> Vec<LanguageId> {
    let Some(given) = raw.languages.at() else {
        return grader_language::languages().map(|it| it.id()).collect();
    };
    if given.value.is_empty() {
        log.report_with(
            &given.span,
            Code::Empty,
            "`submission.languages` has no languages",
            "leave it out to accept all".to_owned(),
        );
    }
    let mut languages = Vec::new();
    for language in &given.value {
        if languages.contains(&language.value) {
            log.report(
                &language.span,
                Code::Duplicate,
                format!("language `{}` stands twice", language.value),
            );
        }
        languages.push(language.value);
    }
    languages
}
