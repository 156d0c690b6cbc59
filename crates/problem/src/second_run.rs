//! `[second-run]`: every program runs again, on what it printed.

use grader_model::Bytes;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::author_program::{Role, SecondRun};
use crate::context::{Context, Variables};
use crate::value::{At, NextInputSize, Scalar};

/// A second run of every program, on what its first run printed. Only the output of the second run is checked. The answer to a case without
/// one is what the reference prints in its second run; without a reference, the case's input.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SecondRunFile {
    /// Command-line arguments, templates. Default: those of the first run.
    arguments: Option<Vec<At<Scalar>>>,
    /// The most that the first run may print, a template: `"1 KiB"`, not above `output` of `limits` and 64 MiB. More is a wrong
    /// answer. Default: the smaller of these two.
    at_most: Option<At<Scalar>>,
    /// A program in the problem's folder and its arguments, a template: `"noise.py {seed}"`. It reads what the first run printed and
    /// prints the input of the second. It must be deterministic. Default: the input is what the first run printed.
    change: Option<At<Scalar>>,
}

/// The second run of a case whose first one has these arguments and this limit on its output.
pub(crate) fn second_run(
    file: &SecondRunFile,
    first: &[String],
    output: Bytes,
    variables: &Variables,
    context: &mut Context<'_>,
) -> SecondRun {
    let arguments = file.arguments.as_ref();
    let at_most = file.at_most.as_ref().and_then(|at| {
        let size = context.fill(at, variables)?;
        let size = NextInputSize::try_from(context.known(&at.span, size)?.as_str());
        let size = size.and_then(|it| match it.0 {
            size if size <= output => Ok(size),
            size => Err(format!(
                "`at-most` must not be above `output` of `[limits]`, which is {output}, found {size}"
            )),
        });
        size.map_err(|message| context.report(&at.span, &message))
            .ok()
    });
    let change = file.change.as_ref();
    SecondRun {
        arguments: arguments.map_or(first.to_vec(), |it| context.fill_all(it, variables)),
        at_most,
        change: change.and_then(|it| context.command(it, Role::Change, variables)),
    }
}
