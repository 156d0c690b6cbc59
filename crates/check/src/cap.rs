//! The promise that evidence stays small.

use grader_model::{Evidence, Figure, Judgement};

/// Largest size of a judgement's evidence as JSON, in bytes, up to a small constant.
pub const EVIDENCE_CAP: usize = 8 * 1024;

/// Names and punctuation of one piece of a figure as JSON.
const SPAN: usize = 30;

/// Drops figures, the last first, until the evidence is small. Every piece is capped where it is made; this
/// guards the sum.
pub(crate) fn cap(judgement: &mut Judgement) {
    let mut size: usize = judgement.evidence.iter().map(weight).sum();
    for evidence in judgement.evidence.iter_mut().rev() {
        if size <= EVIDENCE_CAP {
            break;
        }
        if let Some(figure) = evidence.figure.take() {
            size -= figure_weight(&figure);
        }
    }
}

fn weight(evidence: &Evidence) -> usize {
    let excerpts = [&evidence.expected, &evidence.found];
    let excerpts: usize = excerpts
        .into_iter()
        .flatten()
        .map(|excerpt| text_weight(&excerpt.text) + 60)
        .sum();
    let figure = evidence.figure.as_ref().map_or(0, figure_weight);
    text_weight(&evidence.message.en) + text_weight(&evidence.message.zh) + excerpts + figure + 80
}

fn figure_weight(figure: &Figure) -> usize {
    let spans = figure.lines.iter().flat_map(|line| &line.spans);
    spans
        .map(|span| text_weight(&span.text) + SPAN)
        .sum::<usize>()
        + 2 * figure.lines.len()
}

/// The size of a text as a JSON string.
fn text_weight(text: &str) -> usize {
    let doubled = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\'));
    text.len() + doubled.count()
}
