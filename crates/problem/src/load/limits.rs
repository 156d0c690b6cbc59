//! `[limits]`.

use std::collections::BTreeMap;

use grader_model::{Bytes, CpuTime, LanguageId, WallTime};

use crate::diagnostic::{Code, Log};
use crate::limit_rule::{CaseMultiple, LanguageLimits, LimitRule, TimeRule};
use crate::problem::{Case, Subtask};
use crate::raw::{RawCaseMultiple, RawLimits, RawReferenceTime, RawTime, Size, Time};
use crate::reader::Slot;
use crate::suggest::{closest, quoted};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const DEFAULT_MEMORY: Bytes = Bytes(256 * MIB);
const DEFAULT_OUTPUT: Bytes = Bytes(64 * KIB);
const DEFAULT_COMPILE_TIME: CpuTime = CpuTime::from_millis(60_000);
const MEMORY: (Bytes, Bytes) = (Bytes(MIB), Bytes(64 << 30));
const OUTPUT: (Bytes, Bytes) = (Bytes(1), Bytes(128 * MIB));

/// The size, when it is in its range; reports one that is not.
pub(crate) fn size_within(
    slot: &Slot<Size>,
    name: &str,
    (least, most): (Bytes, Bytes),
    log: &mut Log,
) -> Option<Bytes> {
    let at = slot.at()?;
    let Size(size) = at.value;
    if (least..=most).contains(&size) {
        return Some(size);
    }
    log.report(
        &at.span,
        Code::BadValue,
        format!("`{name}` must be between {least} and {most}, found {size}"),
    );
    None
}

/// The limits; `subtasks` are those of the problem, `None` if they have mistakes of their own.
pub(crate) fn build(
    raw: &RawLimits,
    subtasks: Option<&[Subtask]>,
    log: &mut Log,
) -> Option<LimitRule> {
    let memory = size_within(&raw.memory, "limits.memory", MEMORY, log);
    let output = size_within(&raw.output, "limits.output", OUTPUT, log);
    let languages = languages(raw, log);
    let time = time(&raw.time, subtasks, log);
    let wall = raw.wall.get().map(|&Time(wall)| WallTime(wall));
    if let (Some(TimeRule::Absolute(CpuTime(time))), Some(at)) = (&time, raw.wall.at())
        && at.value.0 < *time
    {
        log.report_with(
            &at.span,
            Code::BadValue,
            format!(
                "`limits.wall` must not be shorter than `limits.time`, {}, found {}",
                CpuTime(*time),
                WallTime(at.value.0)
            ),
            "a program that sleeps or waits needs wall time, but no CPU time".to_owned(),
        );
    }
    Some(LimitRule {
        time: time?,
        wall,
        memory: memory.unwrap_or(DEFAULT_MEMORY),
        output: output.unwrap_or(DEFAULT_OUTPUT),
        processes: raw.processes.get().map_or(1, |count| count.0),
        compile_time: raw
            .compile_time
            .get()
            .map_or(DEFAULT_COMPILE_TIME, |&Time(time)| CpuTime(time)),
        slack: LimitRule::SLACK,
        confirm: raw
            .confirm
            .get()
            .map_or(LimitRule::CONFIRM, |count| count.0),
        languages,
    })
}

fn languages(raw: &RawLimits, log: &mut Log) -> BTreeMap<LanguageId, LanguageLimits> {
    let mut languages = BTreeMap::new();
    for (language, limits) in raw.languages.get().iter().flat_map(|entries| &entries.list) {
        let place = format!("limits.languages.{}.memory", language.value);
        let usual = LanguageLimits::usual(language.value);
        let limits = LanguageLimits {
            time_factor: limits
                .value
                .time_factor
                .get()
                .map_or(usual.time_factor, |factor| factor.0),
            memory: size_within(&limits.value.memory, &place, MEMORY, log),
        };
        languages.insert(language.value, limits);
    }
    languages
}

fn time(slot: &Slot<RawTime>, subtasks: Option<&[Subtask]>, log: &mut Log) -> Option<TimeRule> {
    match slot.get()? {
        RawTime::Absolute(Time(time)) => Some(TimeRule::Absolute(CpuTime(*time))),
        RawTime::Reference(RawReferenceTime {
            reference,
            at_least,
            at_most,
        }) => {
            let at_least = bound("at-least", at_least, subtasks, log);
            let at_most = bound("at-most", at_most, subtasks, log);
            Some(TimeRule::Reference {
                factor: reference.get()?.0,
                at_least: at_least?,
                at_most: at_most?,
            })
        }
    }
}

/// `at-least` or `at-most`, if it is there; the outer `None` if it has a mistake.
#[expect(clippy::option_option, reason = "absent and wrong are different")]
fn bound(
    key: &str,
    slot: &Slot<RawCaseMultiple>,
    subtasks: Option<&[Subtask]>,
    log: &mut Log,
) -> Option<Option<CaseMultiple>> {
    if slot.is_absent() {
        return Some(None);
    }
    let raw = slot.get()?;
    let (factor, at) = (raw.reference.get()?.0, raw.case.at()?);
    // Subtasks with mistakes of their own: nothing is known of their cases.
    let subtasks = subtasks?;
    let cases = || {
        let subtasks = subtasks.iter();
        subtasks.flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)))
    };
    let name = |(subtask, case): &(&Subtask, &Case)| format!("{}/{}", subtask.name, case.name);
    let Some((subtask, case)) = cases().find(|it| name(it) == at.value) else {
        let names: Vec<String> = cases().map(|it| name(&it)).collect();
        let help = match closest(&at.value, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write `subtask/case`, such as `large/n=14`".to_owned(),
        };
        log.report_with(
            &at.span,
            Code::UnknownCase,
            format!(
                "`limits.time.{key}`: there is no case {}",
                quoted(&at.value)
            ),
            help,
        );
        return None;
    };
    Some(Some(CaseMultiple {
        factor,
        subtask: subtask.name.clone(),
        case: case.name.clone(),
        hidden: subtask.hidden,
    }))
}
