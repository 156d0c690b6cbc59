//! A class: what an instructor sees when grading ends.

use std::collections::BTreeMap;

use grader_model::IsolationLevel;
use grader_view::{ClassView, Reuse};

use super::{attention, points};
use crate::layout::Page;
use crate::style::{Style, Tone, safe};

/// The class on one page: where it was graded and how safely, a table of points, and what needs a human.
pub fn class(class: &ClassView<'_>, style: &Style) -> String {
    let mut page = Page::new(style);
    heading(&mut page, class);
    if !class.students.is_empty() {
        page.gap();
        points::points(&mut page, class);
    }
    page.gap();
    let all = class.students.len();
    page.line(0, &style.statistics(&class.statistics, all));
    if let Some(reuse) = &class.reuse {
        page.line(0, &reuse_line(reuse, style));
    }
    page.gap();
    attention::attention(&mut page, class);
    page.finish()
}

/// The title of the assignment.
pub(super) fn title(page: &mut Page, class: &ClassView<'_>) {
    let info = class.assignment;
    let title = Tone::Strong.on(page.style().text(&info.title));
    page.line(0, &format!("{title} ({})", safe(info.id.as_str())));
}

fn heading(page: &mut Page, class: &ClassView<'_>) {
    let style = &page.style();
    title(page, class);
    let students = style.students(class.students.len());
    let worth = style.assignment_worth(class.assignment);
    page.line(0, &format!("{students} · {worth}"));
    page.line(0, &style.host(class.host).join(" · "));
    if let Some(run) = class.run {
        page.line(0, &style.run(run));
    }
    isolation(page, class);
    if class.interrupted {
        page.line(0, &Tone::Fail.on(style.interrupted()));
    }
}

/// How safely it was graded.
pub(super) fn isolation(page: &mut Page, class: &ClassView<'_>) {
    let style = &page.style();
    let mut text = match class.isolation.level {
        IsolationLevel::Strict => style.pick("strict", "严格").to_owned(),
        IsolationLevel::Basic => {
            let warning = Tone::Fail.on(style.pick("not a sandbox", "不是沙箱"));
            style.pick(format!("basic, {warning}"), format!("基本，{warning}"))
        }
    };
    let missing = class.isolation.missing.iter().map(|layer| safe(layer));
    let missing = style.list(missing);
    if !missing.is_empty() {
        let label = style.pick("missing: ", "缺少：");
        text = format!("{text} · {}", Tone::Fail.on(format!("{label}{missing}")));
    }
    page.hang(0, style.pick("isolation: ", "隔离级别："), &text);
}

/// How much was reused, and why the rest was judged.
fn reuse_line(reuse: &Reuse<'_>, style: &Style) -> String {
    let mut judged: BTreeMap<String, usize> = BTreeMap::new();
    for (because, count) in &reuse.judged {
        let new = style.pick("new", "新提交").to_owned();
        let why = if because.is_empty() {
            new
        } else {
            style.changes(because)
        };
        *judged.entry(why).or_default() += count;
    }
    let (reused, graded) = (reuse.reused, judged.values().sum::<usize>());
    let all = reused + graded;
    let mut line = style.pick(
        format!("results of {reused} of {all} submissions reused from earlier runs"),
        format!("{all} 份提交中有 {reused} 份沿用以前的结果"),
    );
    if graded > 0 {
        let reasons = judged.iter().rev().map(|(why, count)| {
            style.pick(format!("{why} ({count})"), format!("{why}（{count}）"))
        });
        let reasons = reasons.collect::<Vec<_>>().join(style.comma());
        line += &style.pick(
            format!("; {graded} judged: {reasons}"),
            format!("；评测 {graded} 份：{reasons}"),
        );
    }
    line
}
