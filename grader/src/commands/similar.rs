//! `grader similar`.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use grader_language::Languages;
use grader_model::{ProblemId, escaped, typed};
use grader_publish::{SimilarityInput, SimilarityTool, write_for_similarity};

use crate::exit::{Exit, Failure};
use crate::graded::{Graded, RunArgs};
use crate::outputs::{create_folder, say_written};
use crate::pages::sources;
use crate::terminal::{Terminal, shown};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Programs that are the same except for names, comments and layout come first in every report. Dolos and JPlag measure how \
similar the others are. The command prints how to start the tool.

Examples:
  grader similar -o similar/
  grader similar submissions/ --tool jplag -o similar-jplag/")]
pub(crate) struct SimilarArgs {
    #[command(flatten)]
    source: RunArgs,
    /// Tool that measures similarity.
    #[arg(long, value_enum, default_value = "dolos")]
    tool: Tool,
    /// New or empty folder for the sources.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

/// A tool that measures similarity.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Tool {
    /// Dolos, of Ghent University.
    Dolos,
    /// JPlag, of the Karlsruhe Institute of Technology.
    Jplag,
}

pub(crate) fn run(args: &SimilarArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    create_folder(&args.output)?;
    // A submission of an earlier export would be compared too.
    if fs::read_dir(&args.output).is_ok_and(|mut it| it.next().is_some()) {
        let path = shown(&args.output);
        let message = format!("`{path}` is not empty: expected a new or empty folder");
        return Err(Failure::usage(message).into());
    }
    let Graded {
        stored, results, ..
    } = Graded::read(&args.source, terminal)?;
    let input = SimilarityInput {
        results: &results,
        sources: &sources(&results, Some(&stored)),
        included: &|problem: &ProblemId| stored.included(&results, problem),
    };
    let tool = match args.tool {
        Tool::Dolos => SimilarityTool::Dolos,
        Tool::Jplag => SimilarityTool::Jplag,
    };
    let comparisons = write_for_similarity(&args.output, tool, &input)?;
    if comparisons.is_empty() {
        let message = "there is nothing to compare: the ledger has no two submissions for one problem in the same language";
        return Err(Failure::usage(message).into());
    }
    say_written(&args.output, terminal);
    let languages = Languages::built_in();
    let mut out = terminal.stdout();
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
    Ok(Exit::Done)
}
