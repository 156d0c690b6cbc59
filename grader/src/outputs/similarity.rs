//! The sources of a class for tools that measure similarity.

use std::io::Write;
use std::path::Path;

use grader_language::Languages;
use grader_model::{ProblemId, escaped, typed};
use grader_publish::{SimilarityInput, SimilarityTool, write_for_similarity};
use grader_session::Failure;
use grader_session::owned::say_written;

use super::report::Report;
use crate::pages::sources;
use crate::terminal::Terminal;

/// Writes the sources, and prints how to start the tool.
pub(super) fn write(
    folder: &Path,
    tool: SimilarityTool,
    report: &Report<'_>,
    terminal: &Terminal,
    mut out: Box<dyn Write>,
) -> anyhow::Result<()> {
    let results = report.results;
    let included = |problem: &ProblemId| match report.stored {
        Some(stored) => stored.included(results, problem),
        None => Ok(Vec::new()),
    };
    let input = SimilarityInput {
        results,
        sources: &sources(results, report.stored),
        included: &included,
    };
    let comparisons = write_for_similarity(folder, tool, &input)?;
    if comparisons.is_empty() {
        let message = "there is nothing to compare: the ledger has no two submissions for one problem in the same language";
        return Err(Failure::usage(message).into());
    }
    say_written(folder, terminal);
    let languages = Languages::built_in();
    for comparison in comparisons {
        let (problem, count) = (&comparison.problem, comparison.submissions);
        let language = languages.name(comparison.language);
        let command = escaped(typed(&comparison.command).as_bytes());
        let line = terminal.lang.pick(
            format!("{problem}, {count} submissions in {language}: {command}"),
            format!("{problem}，{count} 份 {language} 提交：{command}"),
        );
        writeln!(out, "{line}")?;
    }
    Ok(())
}
