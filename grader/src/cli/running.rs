//! How programs are run: by how many at a time, how isolated, by which measurements.

use std::num::NonZeroUsize;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use grader_sandbox::Layer;

/// How much at a time.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Number of programs that run at a time, each on a core of its own as long as there are as many [default: one
    /// for each physical core, but no more than a quota of CPU time allows].
    #[arg(long, short, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// How programs are kept from doing harm.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(crate) struct IsolationArgs {
    /// How strictly programs are isolated.
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL")]
    pub(crate) isolation: IsolationLevel,
    /// Go on without this layer of strict isolation where this machine lacks it (may be given more than once).
    #[arg(long, value_name = "LAYER", value_parser = layers(), hide_possible_values = true)]
    pub(crate) allow_missing: Vec<Layer>,
}

/// A level of isolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IsolationLevel {
    /// As strict as this machine can: `strict`, else without the layers that are missing, else with what is left of
    /// them without namespaces; says what is missing and what that means. Refuses only outside containers, where neither files nor network can be isolated.
    #[default]
    #[value(alias = "best")]
    Auto,
    /// A sandbox; refuses where a layer is missing. `grader doctor` names the layers.
    Strict,
    /// Limits, but not a sandbox: programs read what you may. Only for programs that you trust.
    Basic,
}

fn layers() -> impl TypedValueParser<Value = Layer> {
    PossibleValuesParser::new(Layer::ALL.map(|layer| PossibleValue::new(layer.name())))
        .try_map(|name| name.parse::<Layer>())
}
