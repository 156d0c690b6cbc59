//! The command line, as clap reads it. The arguments of a command are in its file below `commands`.

use std::fmt::Write as _;

use clap::builder::{StyledStr, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command as Clap, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::commands::{
    audit, bundle, check, completions, correct, diff, doctor, explore, grade, gradebook, history,
    import, init, man, merge, reference, replay, report, review, schema, stress, test, verify,
};
use crate::terminal::Global;

/// Bitcraft (比特匠心): grades folders of student programs.
#[derive(Debug, Parser)]
#[command(
    name = "grader",
    version,
    max_term_width = 80,
    after_long_help = EXIT_STATUS
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0    done; for `grade`, every student was graded, whatever their scores
  1    a verdict differs from the expected one (`test`, `verify`, `replay`),
       or a program is wrong on an input that was found (`stress`, `audit`)
  2    a mistake in the command line or in a problem file
  3    something is not scored yet, because the grader or this machine
       failed or a person has to look at a submission; or strict
       isolation is not available
  130  stopped by Ctrl-C or by the system (SIGTERM)

Examples:
  grader test count.c              a student: is my program right?
  grader grade submissions/        an instructor: grade the class";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Grade a class: a folder, or an archive from a course system.
    Grade(Box<grade::GradeArgs>),
    /// Show a graded class: table, pages, feedback, CSV, JSON and more.
    #[command(alias = "show")]
    Report(Box<report::ReportArgs>),
    /// Change points by hand, excuse a student, move a deadline.
    Correct(Box<correct::CorrectArgs>),
    /// Show who made the same mistake, and add remarks for them.
    Review(review::ReviewArgs),
    /// Look for accepted programs that are wrong on other inputs.
    Audit(audit::AuditArgs),
    /// Fill in the gradebook of Moodle, Canvas and the like.
    Gradebook(Box<gradebook::GradebookArgs>),
    /// List the runs of a class.
    History(history::HistoryArgs),
    /// Compare the points of two runs.
    Diff(diff::DiffArgs),
    /// Judge a graded class again, and compare the verdicts.
    Replay(replay::ReplayArgs),
    /// Join the ledgers of a class that was graded in shards.
    Merge(merge::MergeArgs),
    /// Write a new assignment, or a bundled one to edit.
    #[command(alias = "new")]
    Init(init::InitArgs),
    /// Look for mistakes in problem files; runs nothing.
    #[command(aliases = ["lint", "validate"])]
    Check(check::CheckArgs),
    /// Check that sample submissions get their expected verdicts.
    Verify(verify::VerifyArgs),
    /// Write a kit for students, Gradescope's zip or an ICPC package.
    Bundle(bundle::BundleArgs),
    /// Import a package of another judge, such as Kattis or DMOJ.
    Import(import::ImportArgs),
    /// Print the JSON Schema of a file format.
    Schema(schema::SchemaArgs),
    /// Test a program as the instructor's grader will.
    #[command(alias = "run")]
    Test(test::TestArgs),
    /// Find the smallest input on which a program is wrong.
    Stress(stress::StressArgs),
    /// Write a page that shows the bundled algorithms step by step.
    Explore(explore::ExploreArgs),
    /// Run a bundled reference solution.
    Reference(reference::ReferenceArgs),
    /// Check isolation and compilers, and say how to fix them.
    Doctor(doctor::DoctorArgs),
    /// Print a completion script for a shell.
    #[command(alias = "completion")]
    Completions(completions::CompletionsArgs),
    /// Print a manual page.
    Man(man::ManArgs),
}

/// The commands by what people do with them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Solve problems", &["test", "stress"]),
    (
        "Grade a class",
        &[
            "grade",
            "report",
            "correct",
            "review",
            "audit",
            "gradebook",
            "history",
            "diff",
            "replay",
            "merge",
        ],
    ),
    (
        "Write problems",
        &["init", "check", "verify", "bundle", "import", "schema"],
    ),
    ("This machine", &["doctor", "completions", "man"]),
    ("The bundled course", &["explore", "reference"]),
];

/// Words that are no commands, and what does what they say.
const INSTEAD: [(&str, &str); 52] = [
    ("adjust", "grader correct --student ID --add N"),
    ("annotate", "grader report --github"),
    ("bonus", "grader correct --student ID --add N --bonus"),
    ("canvas", "grader gradebook FILE"),
    (
        "ci",
        "grader report --github`, or `grader report --gradescope FILE",
    ),
    ("comment", "grader correct --student ID --comment TEXT"),
    ("compare", "grader diff"),
    ("convert", "grader import PACKAGE"),
    ("course", "grader report COURSE.toml"),
    ("create", "grader init NAME"),
    ("csv", "grader report --csv FILE"),
    ("deadline", "grader correct --student ID --deadline TIME"),
    ("dolos", "grader report --dolos FOLDER"),
    ("excuse", "grader correct --student ID --excused"),
    ("explain", "grader report --explain ID"),
    (
        "export",
        "grader report --csv FILE`, `grader gradebook FILE`, or `grader bundle --icpc",
    ),
    ("extend", "grader correct --student ID --deadline TIME"),
    ("extension", "grader correct --student ID --deadline TIME"),
    (
        "feedback",
        "grader report --feedback FOLDER`, or `--moodle-feedback ZIP",
    ),
    ("fuzz", "grader stress"),
    ("gradescope-bundle", "grader bundle --gradescope"),
    ("html", "grader report --html FOLDER"),
    ("join", "grader merge LEDGER... -o FILE"),
    ("jplag", "grader report --jplag FOLDER"),
    ("json", "grader report --json FILE"),
    ("kattis", "grader import PACKAGE`, or `grader bundle --icpc"),
    ("kit", "grader bundle"),
    ("late", "grader correct --student ID --deadline TIME"),
    ("list", "grader report`, or `grader history"),
    ("log", "grader history"),
    ("marks", "grader report"),
    ("moodle", "grader gradebook FILE"),
    (
        "package",
        "grader import PACKAGE`, or `grader bundle --icpc",
    ),
    (
        "plagiarism",
        "grader report --dolos FOLDER`, or `--jplag FOLDER",
    ),
    ("points", "grader correct --student ID --points N"),
    ("polygon", "grader import PACKAGE"),
    (
        "regrade",
        "grader grade`: it judges what has changed; or `grader replay",
    ),
    (
        "rejudge",
        "grader grade`: it judges what has changed; or `grader replay",
    ),
    ("remark", "grader review --save"),
    ("remove", "grader correct --student ID --remove"),
    ("results", "grader report"),
    ("roster", "grader grade --roster FILE"),
    ("score", "grader report"),
    ("scores", "grader report"),
    ("shard", "grader grade --shard 1/4 --ledger FILE"),
    (
        "similar",
        "grader report --dolos FOLDER`, or `--jplag FOLDER",
    ),
    ("status", "grader report`, or `grader history"),
    ("table", "grader report"),
    ("term", "grader report COURSE.toml"),
    ("undo", "grader correct --student ID --remove"),
    ("watch", "grader test --watch"),
    ("why", "grader report --explain ID`, or `grader grade --why"),
];

/// Options that name an output in other tools.
const OUTPUTS_ELSEWHERE: [&str; 4] = ["--format", "--output", "--report", "-o"];

/// Reads the command line; if it has a mistake, says so and ends.
pub(crate) fn parse() -> Cli {
    let matches = command().try_get_matches();
    let cli = matches.and_then(|it| Cli::from_arg_matches(&it));
    cli.unwrap_or_else(|error| with_advice(error).exit())
}

/// What to type instead of a word that is no command; of those that are like it, the likeliest first.
fn with_advice(mut error: clap::Error) -> clap::Error {
    if let Some(outputs) = outputs_instead(&error) {
        let advice = ContextValue::StyledStrs(vec![format!("type {outputs}").into()]);
        error.insert(ContextKind::Suggested, advice);
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let instead = INSTEAD.iter().find(|(known, _)| known == word);
    if let Some((_, instead)) = instead {
        let advice = ContextValue::StyledStrs(vec![format!("type `{instead}`").into()]);
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, advice);
    } else if let Some(ContextValue::Strings(like)) = error.get(ContextKind::SuggestedSubcommand) {
        let like = like.iter().rev().cloned().collect();
        error.insert(
            ContextKind::SuggestedSubcommand,
            ContextValue::Strings(like),
        );
    }
    error
}

/// The outputs of a command that was given an option by which other tools name theirs.
fn outputs_instead(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if error.kind() != ErrorKind::UnknownArgument || !OUTPUTS_ELSEWHERE.contains(&option.as_str()) {
        return None;
    }
    let word = std::env::args().find(|it| Cli::command().find_subcommand(it).is_some())?;
    let command = Cli::command();
    let command = command.find_subcommand(word)?;
    let outputs = ["json", "csv", "junit", "github", "html"].into_iter();
    let outputs = outputs.filter(|id| command.get_arguments().any(|it| it.get_id() == id));
    let outputs: Vec<String> = outputs.map(|it| format!("`--{it}`")).collect();
    (!outputs.is_empty()).then(|| outputs.join(" or "))
}

/// Options that a command shares with others, and whose short help it shows nevertheless.
const SHOWN: [(&str, &[&str]); 2] = [
    (
        "report",
        &[
            "gradescope",
            "feedback",
            "moodle_feedback",
            "dolos",
            "jplag",
        ],
    ),
    ("test", &["why"]),
];

/// The command line, with a help that lists its commands in groups: clap has one list only.
pub(crate) fn command() -> Clap {
    let mut command = Cli::command();
    for (name, ids) in SHOWN {
        command = command.mut_subcommand(name, |it| {
            ids.iter().fold(it, |it, id| {
                it.mut_arg(id, |argument| argument.hide_short_help(false))
            })
        });
    }
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Clap) -> StyledStr {
    let styles = Styles::styled();
    let (head, name_style) = (styles.get_header(), styles.get_literal());
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{head}{title}:{head:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Clap::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name_style}{name:<11}{name_style:#}  {about}");
        }
    }
    let _ = write!(text, "\n{head}Options:{head:#}\n{{options}}{{after-help}}");
    text.into()
}

#[cfg(test)]
mod commands_page;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_every_command_is_in_one_group() {
        let command = command();
        command.clone().debug_assert();
        let all: Vec<&str> = command.get_subcommands().map(Clap::get_name).collect();
        let groups = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let grouped: Vec<&str> = groups.collect();
        let [known, listed] = [&all, &grouped].map(|it| it.iter().collect::<BTreeSet<_>>());
        assert_eq!((known, all.len()), (listed, grouped.len()));
    }

    #[test]
    fn tips_name_commands_and_options_that_are_there() {
        let cli = Cli::command();
        for (word, tip) in INSTEAD {
            assert!(cli.find_subcommand(word).is_none(), "{word} is a command");
            let mut command = None;
            let words: Vec<&str> = tip.split([' ', '`', ',', ':']).collect();
            for (at, part) in words.iter().enumerate() {
                if *part == "grader" {
                    command = Some(cli.find_subcommand(words[at + 1]).expect(word));
                }
                let Some(option) = part.strip_prefix("--") else {
                    continue;
                };
                let mut options = command.expect(word).get_arguments();
                assert!(
                    options.any(|it| it.get_long() == Some(option)),
                    "{word}: --{option}"
                );
            }
        }
    }
}
