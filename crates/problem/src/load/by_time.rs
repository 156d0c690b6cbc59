//! `by-time` of a subtask.

use crate::diagnostic::{Code, Log};
use crate::problem::TimeStep;
use crate::raw::RawTimeStep;
use crate::reader::At;

pub(crate) fn build(raw: &At<Vec<At<RawTimeStep>>>, log: &mut Log) -> Vec<TimeStep> {
    if raw.value.is_empty() {
        log.report_with(
            &raw.span,
            Code::Empty,
            "`subtask.by-time` has no steps",
            "write `[[1.5, 100], [4, 60]]`: up to 1.5 times the reference's time all points, up to 4 times 60 %"
                .to_owned(),
        );
    }
    let mut steps: Vec<TimeStep> = Vec::new();
    for RawTimeStep { ratio, percent } in raw.value.iter().map(|at| &at.value) {
        let step = TimeStep {
            ratio: ratio.value.0,
            share: percent.value.0,
        };
        if let Some(before) = steps.last() {
            if step.ratio <= before.ratio {
                let (now, before) = (step.ratio, before.ratio);
                log.report(
                    &ratio.span,
                    Code::BadValue,
                    format!(
                        "the ratios of `subtask.by-time` must grow, found {now} after {before}"
                    ),
                );
            }
            if step.share >= before.share {
                let [now, before] =
                    [step, *before].map(|step| f64::from(step.share.thousandths()) / 10.0);
                log.report(
                    &percent.span,
                    Code::BadValue,
                    format!(
                        "the percentages of `subtask.by-time` must fall, found {now} after {before}"
                    ),
                );
            }
        }
        steps.push(step);
    }
    steps
}
