//! `[second-run]`: every program runs again, on what it printed.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::author_program::{Role, SecondRun};
use crate::context::{Context, Variables};
use crate::value::{At, OutputSize, Scalar};

/// A second run of every program, on what its first run printed: only this one's output is checked. The answer to a case without
/// one is what the reference prints in its second run; without a reference, the case's input.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SecondRunFile {
    /// Command-line arguments, templates. Default: those of the first run.
    arguments: Option<Vec<At<Scalar>>>,
    /// The most that the first run may print, a template: `"1 KiB"`. More is a wrong answer. Default: `output` of `limits`, or 64
    /// MiB if that is less.
    at_most: Option<At<Scalar>>,
    /// `"noise.py {seed}"`: a program in the problem's folder that reads what the first run printed and prints the input of the
    /// second, followed by its arguments; a template. It must be deterministic. Default: the input is what the first run printed.
    change: Option<At<Scalar>>,
}

/// The second run of a case whose first one has these arguments.
pub(crate) fn second_run(
    file: &SecondRunFile,
    first: &[String],
    variables: &Variables,
    context: &mut Context<'_>,
) -> SecondRun {
    let arguments = file.arguments.as_ref();
    let at_most = file.at_most.as_ref().and_then(|at| {
        let size = OutputSize::try_from(context.fill(at, variables)?.as_str());
        size.map_err(|message| context.report(&at.span, &message))
            .ok()
    });
    let change = file.change.as_ref();
    SecondRun {
        arguments: arguments.map_or(first.to_vec(), |it| context.fill_all(it, variables)),
        at_most: at_most.map(|size| size.0),
        change: change.and_then(|it| context.command(it, Role::Change, variables)),
    }
}
