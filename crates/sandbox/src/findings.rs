//! A launcher's findings, one for each layer.

use grader_model::{Isolation, IsolationLevel};

use crate::error::StepError;
use crate::{Layer, LayerFinding, LayerState};

/// Names of the active and the missing layers.
pub(crate) fn isolation(level: IsolationLevel, findings: &[LayerFinding]) -> Isolation {
    let names = |is_missing: bool| {
        findings
            .iter()
            .filter(|finding| (finding.state == LayerState::Missing) == is_missing)
            .map(|finding| finding.layer.name().to_owned())
            .collect()
    };
    Isolation {
        level,
        layers: names(false),
        missing: names(true),
    }
}

/// Findings so far. The first one on a layer counts.
#[derive(Default)]
pub(crate) struct Findings(Vec<LayerFinding>);

impl Findings {
    pub(crate) fn say(&mut self, layer: Layer, state: LayerState, detail: Option<String>) {
        if !self.0.iter().any(|finding| finding.layer == layer) {
            self.0.push(LayerFinding {
                layer,
                state,
                detail,
            });
        }
    }

    pub(crate) fn active(&mut self, layer: Layer, detail: impl Into<String>) {
        let detail = detail.into();
        self.say(
            layer,
            LayerState::Active,
            (!detail.is_empty()).then_some(detail),
        );
    }

    pub(crate) fn lacks(&mut self, layer: Layer, detail: impl Into<String>) {
        self.say(layer, LayerState::Missing, Some(detail.into()));
    }

    /// Reports that a layer is active, or why it is missing.
    pub(crate) fn check(&mut self, layer: Layer, is_active: bool, why_missing: &str) {
        if is_active {
            self.active(layer, "");
        } else {
            self.lacks(layer, why_missing);
        }
    }

    pub(crate) fn missing(&mut self, failure: &StepError) {
        let detail = format!("cannot {}: {}", failure.step, failure.source());
        self.say(failure.layer, LayerState::Missing, Some(detail));
    }

    /// Findings on all layers. Those without a finding could not be tried, because an earlier one failed.
    pub(crate) fn complete(mut self) -> Vec<LayerFinding> {
        for &layer in Layer::ALL {
            self.say(layer, LayerState::Missing, None);
        }
        self.0.sort_by_key(|finding| finding.layer);
        self.0
    }
}
