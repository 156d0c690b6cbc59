//! What the second run of a program gets from the first.

use std::sync::Arc;

use grader_model::{Evidence, Judgement, Mark, Text, text};
use grader_problem::SecondRun;

use super::pass_feedback::Feedback;
use crate::Fault;
use crate::constants::MAX_NEXT_INPUT_BYTES;
use crate::lab::Lab;

/// Judges what a first run printed.
pub(crate) fn judge_first(
    lab: Lab<'_>,
    second: &SecondRun,
    printed: &[u8],
    feedback: Option<&Feedback>,
) -> Result<Judgement, Fault> {
    Ok(match hand_over_input(lab, second, printed, feedback)? {
        Ok(_) => Judgement::right(),
        Err(why) => Judgement::because(Mark::Wrong, Evidence::new("first-run", why)),
    })
}

/// Makes the input of a second run, and hands it over to the feedback; why there is none if the first one printed too much.
pub(crate) fn hand_over_input(
    lab: Lab<'_>,
    second: &SecondRun,
    printed: &[u8],
    feedback: Option<&Feedback>,
) -> Result<Result<Arc<[u8]>, Text>, Fault> {
    let size = printed.len() as u64;
    let most = second.at_most.map_or(MAX_NEXT_INPUT_BYTES, |it| it.0);
    if size > most {
        return Ok(Err(text!(
            "{size} bytes were printed; the limit is {most}",
            "输出了 {size} 字节；限制为 {most} 字节"
        )));
    }
    let input = match &second.change {
        Some(change) => lab.printed(change, printed)?,
        None => printed.into(),
    };
    if let Some(feedback) = feedback {
        feedback.hand_over(printed, &input)?;
    }
    Ok(Ok(input))
}

/// Fails if what changes a first run's output fails on this one, or does not print the same again.
pub(crate) fn probe(lab: Lab<'_>, second: &SecondRun, printed: &[u8]) -> Result<(), Fault> {
    let most = second.at_most.map_or(printed.len(), |it| it.0 as usize);
    let printed = &printed[..most.min(printed.len())];
    let input = || hand_over_input(lab, second, printed, None);
    if input()? == input()? {
        return Ok(());
    }
    Err(Fault::Other(
        "it printed different output when it ran again".to_owned(),
    ))
}
