//! The keys of `[submission]` about projects: names of the student's files, and patterns over paths.

use std::ops::Range;

use grader_language::Language;
use grader_model::{LanguageId, SourceFile};

use crate::context::Context;
use crate::diagnostic::Log;
use crate::file::SubmissionFile;
use crate::junk::{is_archive, junk};
use crate::suggest::quoted;
use crate::value::{At, FileName};
use crate::wildcard::{RESERVED, fits};

/// Reports names that no submission can have, and patterns that fit no path. `accepted` are the problem's languages.
pub(crate) fn check(file: &SubmissionFile, accepted: &[LanguageId], context: &mut Context<'_>) {
    let log = &mut context.log;
    for pattern in &file.extra {
        no_reserved(pattern, log);
        let message = if pattern.trim().is_empty() {
            "the pattern must not be blank"
        } else if pattern.starts_with('/') {
            "the path must be relative"
        } else if pattern.split('/').any(|part| part == "..") {
            "the path must not contain `..`"
        } else if pattern.ends_with('/') {
            "the pattern is a folder, and only files fit\nwrite `/*` at its end"
        } else {
            continue;
        };
        log.report(&pattern.span, message);
    }
    let languages = accepted.iter().filter_map(|id| context.languages.get(*id));
    let languages: Vec<&Language> = languages.map(AsRef::as_ref).collect();
    let is_source = |name: &str| {
        let file = SourceFile::new(name, &b""[..]);
        languages.iter().any(|it| it.is_source(&file))
    };
    if let Some(entry) = &file.entry
        && is_plain(entry, &mut context.log)
        && !is_source(&entry.0)
    {
        let message = format!(
            "{} is not a source of an accepted language",
            quoted(&entry.0)
        );
        context.log.report(&entry.span, &message);
    }
    for name in &file.required {
        no_junk(&name.0, &name.span, &mut context.log);
        let goes_along = is_source(&name.0)
            || context.languages.is_header_name(&name.0)
            || file.extra.iter().any(|pattern| fits(pattern, &name.0));
        if is_plain(name, &mut context.log) && !goes_along {
            let message = format!(
                "{} is neither a source nor a header of an accepted language\nadd it to `extra`, so that it goes along",
                quoted(&name.0)
            );
            context.log.report(&name.span, &message);
        }
    }
}

/// Reports a pattern where the name of one file is expected.
fn is_plain(name: &At<FileName>, log: &mut Log) -> bool {
    let is_pattern = name.0.contains(['*', '?']);
    if is_pattern {
        let message = format!(
            "{} is a pattern\nwrite the name of one file",
            quoted(&name.0)
        );
        log.report(&name.span, &message);
    }
    !is_pattern
}

/// Reports the name of a file that is never taken from students.
pub(crate) fn no_junk(name: &str, place: &Range<usize>, log: &mut Log) {
    let junk = junk(name, false).map(|why| why.en);
    let why = junk.or_else(|| is_archive(name).then(|| "an archive".to_owned()));
    if let Some(why) = why {
        let message = format!("{} is never taken from students: {why}", quoted(name));
        log.report(place, &message);
    }
}

/// Reports characters that are special in other tools' patterns.
pub(crate) fn no_reserved(pattern: &At<String>, log: &mut Log) {
    if let Some(found) = pattern.chars().find(|c| RESERVED.contains(*c)) {
        let message = format!("`{found}` is not special in file patterns; only `*` and `?` are");
        log.report(&pattern.span, &message);
    }
}
