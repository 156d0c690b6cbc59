//! What `grader limits` found, as people read it on a terminal.

use std::time::Duration;

use grader_model::{
    CpuTime, FactorAdvice, Lang, LimitUnit, LimitWindow, LimitsReport, Text, WindowEnd, Witness,
};

use crate::layout::{Page, left, width};
use crate::style::{Style, Tone, safe};

/// Tells between which values a time limit belongs, which samples end that window, and where the present value lies.
pub fn limits(report: &LimitsReport, style: &Style) -> String {
    let mut page = Page::new(style);
    let say = |en: &str, zh: &str| style.lang.pick(en, zh).to_owned();
    page.line(0, &Tone::Strong.on(safe(report.problem.as_str())));
    for mismatch in &report.mismatches {
        let colon = style.lang.pick(": ", "：");
        let label = Tone::Fail.on(format!("{}{colon}", safe(&mismatch.place)));
        page.line(
            2,
            &format!("{label}{}", safe(mismatch.message.get(style.lang))),
        );
    }
    let names = [
        say("must pass", "必须通过"),
        say("must fail", "必须超时"),
        say("window", "区间"),
        say("present", "现值"),
        say("suggested", "建议"),
    ];
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0) + 2;
    let label = |name: &str| left(name, column);
    let details = 2 + column;
    for (name, end) in [
        (&names[0], side(report, true)),
        (&names[1], side(report, false)),
    ] {
        page.hang(2, &label(name), end.line.get(style.lang));
        if let Some(witness) = end.witness {
            let (place, time) = run(witness, style.lang);
            page.line(details, &place);
            page.line(details, &Tone::Faint.on(time));
        }
    }
    let open = report.safe.is_open();
    let tone = |good: bool| if good { Tone::Pass } else { Tone::Fail };
    let shown = span(&report.safe, report.unit).get(style.lang).to_owned();
    page.hang(2, &label(&names[2]), &tone(open).on(shown));
    let now = quantity(report.present, report.unit);
    let inside = report.safe.contains(report.present);
    let standing = standing(report);
    let standing = standing.get(style.lang);
    page.hang(
        2,
        &label(&names[3]),
        &format!("{}{standing}", tone(inside).on(now)),
    );
    if let Some(value) = report.suggestion {
        page.hang(2, &label(&names[4]), &quantity(value, report.unit));
    }
    for advice in &report.advice {
        page.line(
            2,
            &Tone::Partial.on(factor_advice(advice, report.unit, style.lang)),
        );
    }
    page.gap();
    page.line(0, &tone(report.holds()).on(closing(report, style.lang)));
    page.finish()
}

/// One end: what is said of it, and the run that puts it there.
struct Side<'a> {
    line: Text,
    witness: Option<&'a Witness>,
}

fn side(report: &LimitsReport, lower: bool) -> Side<'_> {
    let of = |window: &'_ LimitWindow| -> Option<WindowEnd> {
        if lower { &window.lower } else { &window.upper }.clone()
    };
    let end = if lower {
        &report.safe.lower
    } else {
        &report.safe.upper
    };
    let Some(end) = end else {
        let line = match (lower, report.unit) {
            (true, LimitUnit::Factor) => Text::new(
                "any value: with its margin it ends within `at-least`",
                "任意值均可：加上余量后仍在 `at-least` 之内",
            ),
            (false, LimitUnit::Factor) => Text::new(
                "any value: there is none, or `at-most` stops it",
                "任意值均可：没有这样的样例，或 `at-most` 会使其超时",
            ),
            (_, LimitUnit::Seconds) => {
                Text::new("any value: there is none", "任意值均可：没有这样的样例")
            }
        };
        return Side {
            line,
            witness: None,
        };
    };
    let witness = Some(&end.witness);
    if lower && !end.value.is_finite() {
        let line = if end.witness.cut {
            Text::new(
                "no value will do: a sample did not end",
                "任何值都不行：有样例没有结束",
            )
        } else {
            Text::new(
                "no value will do: with its margin a sample is over `at-most`",
                "任何值都不行：加上余量后有样例超过 `at-most`",
            )
        };
        return Side { line, witness };
    }
    if !lower && end.value <= 0.0 {
        let line = Text::new(
            "no value will do: with its margin a sample is below `at-least`",
            "任何值都不行：加上余量后有样例低于 `at-least`",
        );
        return Side { line, witness };
    }
    let safe = quantity(end.value, report.unit);
    let margin = number(if lower {
        report.pass_margin
    } else {
        report.fail_margin
    });
    let (en, zh) = if lower {
        ("from", "不低于")
    } else {
        ("up to", "不高于")
    };
    let whole = match of(&report.whole) {
        Some(end) if end.value.is_finite() && end.value > 0.0 => {
            let value = quantity(end.value, report.unit);
            Text::new(format!("{en} {value}"), format!("{zh} {value}"))
        }
        // Without the margin nothing is asked at this end.
        _ => Text::new("any value", "任意值均可"),
    };
    let line = Text::new(
        format!(
            "{en} {safe} with a margin of {margin}; {} without",
            whole.en
        ),
        format!("余量 {margin} 倍时{zh} {safe}；不计余量时{}", whole.zh),
    );
    Side { line, witness }
}

/// Where a run was made, and how long it took.
fn run(witness: &Witness, lang: Lang) -> (String, String) {
    let language = witness.language.name();
    let place = format!(
        "{} ({language}), {}",
        safe(&witness.sample),
        safe(&witness.case)
    );
    let cpu = witness.cpu;
    let mut time = if witness.cut {
        lang.pick(
            format!("stopped after {cpu}"),
            format!("运行 {cpu} 后被停止"),
        )
    } else {
        cpu.to_string()
    };
    let factor = number(witness.time_factor);
    let known = witness.yardstick.filter(|yardstick| !yardstick.0.is_zero());
    if let Some(yardstick) = known {
        let times = cpu.0.as_secs_f64() / yardstick.0.as_secs_f64();
        let times = number(times);
        time.push_str(&lang.pick(
            format!(", {times} times the reference's {yardstick}"),
            format!("，是参考程序 {yardstick} 的 {times} 倍"),
        ));
    }
    if (witness.time_factor - 1.0).abs() > f64::EPSILON {
        time.push_str(&lang.pick(
            format!("; {language} has {factor} times as long"),
            format!("；{language} 的时限是 {factor} 倍"),
        ));
    }
    (place, time)
}

fn span(window: &LimitWindow, unit: LimitUnit) -> Text {
    if !window.is_open() {
        return Text::new(
            "none: no value does what the samples say",
            "无：没有值能满足所有样例",
        );
    }
    let stopped = window.upper.as_ref().is_some_and(|end| end.witness.cut);
    match (&window.lower, &window.upper) {
        (None, None) => Text::new("any value", "任意值"),
        (Some(lower), None) => {
            let from = quantity(lower.value, unit);
            Text::new(format!("from {from}"), format!("{from} 以上"))
        }
        (lower, Some(upper)) => {
            let to = quantity(upper.value, unit);
            let (more, more_zh) = if stopped {
                (" or more", "或更高")
            } else {
                ("", "")
            };
            match lower {
                None => Text::new(format!("up to {to}{more}"), format!("{to}{more_zh}以下")),
                Some(lower) => {
                    let from = quantity(lower.value, unit);
                    Text::new(
                        format!("{from} to {to}{more}"),
                        format!("{from} 到 {to}{more_zh}"),
                    )
                }
            }
        }
    }
}

/// Where the present value lies, after the value itself.
fn standing(report: &LimitsReport) -> Text {
    let (safe, present) = (&report.safe, report.present);
    if !safe.is_open() {
        return Text::default();
    }
    let times = |value: f64| number(value);
    if present < safe.from() {
        let by = times(safe.from() / present);
        return Text::new(
            format!(", too small: the lower end is {by} times that"),
            format!("，太小：下端是它的 {by} 倍"),
        );
    }
    if present > safe.to() {
        let by = times(present / safe.to());
        return Text::new(
            format!(", too large: {by} times the upper end"),
            format!("，太大：是上端的 {by} 倍"),
        );
    }
    let ends = [
        (
            &safe.lower,
            Text::new("lower end", "下端"),
            '×',
            present / safe.from(),
        ),
        (
            &safe.upper,
            Text::new("upper end", "上端"),
            '÷',
            safe.to() / present,
        ),
    ];
    let ends: Vec<Text> = ends
        .into_iter()
        .filter(|(end, ..)| end.is_some())
        .map(|(_, name, sign, by)| {
            let by = format!(" {sign} {}", number(by));
            Text::new(name.en + &by, name.zh + &by)
        })
        .collect();
    let joined = |pick: fn(&Text) -> &str, between: &str| {
        let ends: Vec<&str> = ends.iter().map(pick).collect();
        ends.join(between)
    };
    if ends.is_empty() {
        Text::new(", inside", "，在区间内")
    } else {
        Text::new(
            format!(", inside: {}", joined(|text| &text.en, ", ")),
            format!("，在区间内：{}", joined(|text| &text.zh, "，")),
        )
    }
}

fn factor_advice(advice: &FactorAdvice, unit: LimitUnit, lang: Lang) -> String {
    let language = advice.language.name();
    let (limit, present) = (quantity(advice.limit, unit), number(advice.present));
    let Some((from, to)) = advice.factors else {
        return lang.pick(
            format!("without the samples in {language} there is a window, but no `time-factor` of it makes one with them"),
            format!("去掉 {language} 样例就有区间，但没有合适的 `time-factor`"),
        );
    };
    let factors = match to {
        Some(to) => lang.pick(
            format!("{} to {}", number(from), number(to)),
            format!("{} 到 {}", number(from), number(to)),
        ),
        None => lang.pick(
            format!("{} or more", number(from)),
            format!("不低于 {}", number(from)),
        ),
    };
    lang.pick(
        format!(
            "without the samples in {language} there is a window: with the limit {limit}, which suits the others, its `time-factor` belongs at {factors}, not at {present}"
        ),
        format!(
            "去掉 {language} 样例就有区间：时限取适合其他语言的 {limit} 时，它的 `time-factor` 应为 {factors}，而不是 {present}"
        ),
    )
}

fn closing(report: &LimitsReport, lang: Lang) -> String {
    let id = safe(report.problem.as_str());
    let text = if !report.mismatches.is_empty() {
        Text::new(
            "some samples do not do what they must; `grader verify` says more",
            "有样例不符合要求；详见 `grader verify`",
        )
    } else if !report.safe.is_open() {
        Text::new(
            "no time limit does what the samples say",
            "没有时限能满足所有样例",
        )
    } else if report.safe.contains(report.present) {
        Text::new("the present limit is inside the window", "现有时限在区间内")
    } else {
        Text::new(
            "the present limit is outside the window",
            "现有时限在区间外",
        )
    };
    format!("{id}{}{}", lang.pick(": ", "："), text.get(lang))
}

/// A value of the limit.
fn quantity(value: f64, unit: LimitUnit) -> String {
    match unit {
        LimitUnit::Factor => number(value),
        LimitUnit::Seconds => Duration::try_from_secs_f64(value)
            .map_or_else(|_| format!("{value} s"), |time| CpuTime(time).to_string()),
    }
}

/// Three significant digits, as far as they are decimals.
fn number(value: f64) -> String {
    let decimals = match value {
        value if value >= 100.0 => 0,
        value if value >= 10.0 => 1,
        value if value >= 1.0 => 2,
        _ => 3,
    };
    let shown = format!("{value:.decimals$}");
    if shown.contains('.') {
        shown.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        shown
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
