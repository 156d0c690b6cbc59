//! The diagnosis as people read it, and the refusal to start.

use grader_model::Lang;

use super::words::Say;
use super::{Diagnosis, Escapes, LayerFinding, LayerHold, Mend, TimingFinding, ToolchainFinding};
use crate::layout::{Page, left, width};
use crate::style::{Style, Tone, safe};
use crate::words::Words;

/// Tells what was found, with what would mend it below what is not as it should be, and the verdict at the end.
pub fn doctor(diagnosis: &Diagnosis, style: &Style) -> String {
    let mut page = Page::new(style);
    let words = style.words();
    head(&mut page, words, Say::LayersHead);
    layers(&mut page, &diagnosis.layers, style);
    page.gap();
    head(&mut page, words, Say::EscapesHead);
    escapes(&mut page, &diagnosis.escapes, words);
    page.gap();
    head(&mut page, words, Say::ToolchainsHead);
    toolchains(&mut page, &diagnosis.toolchains, words.0);
    page.gap();
    head(&mut page, words, Say::TimingHead);
    timing(&mut page, &diagnosis.timing, words);
    page.gap();
    let (tone, verdict) = if diagnosis.holds() {
        (Tone::Pass, Say::Can)
    } else {
        (Tone::Fail, Say::Cannot)
    };
    page.line(0, &tone.on(words.doctor(verdict)));
    page.finish()
}

/// Tells which required layers are missing, what would mend each, and how to go on without them. `waived` are the
/// names of those that the user would do without; `label` stands before the first line.
///
/// Where other layers could not be tried for want of these, waiving is no way to go on, and not offered.
///
/// `auto` is another way where strict isolation was insisted on.
pub fn refusal(
    layers: &[LayerFinding],
    waived: &[&str],
    auto: bool,
    label: &str,
    style: &Style,
) -> String {
    let mut page = Page::new(style);
    let words = style.words();
    let required = |hold| {
        let lacks = move |layer: &&LayerFinding| layer.required && layer.hold == hold;
        layers.iter().filter(lacks)
    };
    let untried: Vec<String> = required(LayerHold::Untried)
        .map(|layer| safe(&layer.name))
        .collect();
    let is_waived = |layer: &LayerFinding| waived.contains(&layer.name.as_str());
    let missing: Vec<&LayerFinding> = required(LayerHold::Missing)
        .filter(|layer| !untried.is_empty() || !is_waived(layer))
        .collect();
    let colour = |text: &str| {
        if label.is_empty() {
            text.to_owned()
        } else {
            format!("{}{text}", Tone::Fail.on(label))
        }
    };
    page.line(0, &colour(&words.refused(missing.len())));
    let mut shown = Shown::default();
    for layer in &missing {
        page.gap();
        let name = Tone::Strong.on(safe(&layer.name));
        let purpose = safe(layer.purpose.get(words.0));
        page.line(2, &format!("{name}{}{purpose}", words.doctor(Say::Colon)));
        detail(&mut page, 4, layer, words);
        shown.mends(&mut page, 4, layer, words);
    }
    page.gap();
    let mut ways = vec![("--isolation basic".to_owned(), Say::BasicInstead)];
    if auto {
        ways.insert(0, ("--isolation auto".to_owned(), Say::AutoInstead));
    }
    if untried.is_empty() {
        let waive: Vec<String> = missing
            .iter()
            .map(|layer| format!("--allow-missing {}", safe(&layer.name)))
            .collect();
        ways.insert(0, (waive.join(" "), Say::WaivedInstead));
    } else {
        let label = words.doctor(Say::UntriedLayers);
        let names = untried.join(words.0.pick(", ", "、"));
        page.line(2, &format!("{label}{}{names}", words.doctor(Say::Colon)));
        page.gap();
        if missing.iter().any(|layer| is_waived(layer)) {
            page.line(0, words.doctor(Say::WaivingIsNoHelp));
        }
    }
    page.line(0, words.doctor(Say::ToGoOn));
    for (option, says) in ways {
        page.raw(2, &Tone::Strong.on(option));
        page.line(6, words.doctor(says));
    }
    page.line(0, words.doctor(Say::DoctorKnowsMore));
    page.finish()
}

fn head(page: &mut Page, words: Words, head: Say) {
    page.line(0, &Tone::Strong.on(words.doctor(head)));
}

fn layers(page: &mut Page, layers: &[LayerFinding], style: &Style) {
    let words = style.words();
    let names = layers.iter().map(|layer| width(&safe(&layer.name)));
    let names = names.max().unwrap_or(0);
    let states = [Say::Held, Say::Weaker, Say::Missing, Say::Untried];
    let states = states.map(|state| width(words.doctor(state)));
    let states = states.into_iter().max().unwrap_or(0);
    let mut shown = Shown::default();
    for layer in layers {
        let (tone, mark, state) = match layer.hold {
            LayerHold::Held => (Tone::Pass, "✓", Say::Held),
            LayerHold::Weaker => (Tone::Partial, "~", Say::Weaker),
            LayerHold::Missing if !layer.required => (Tone::Partial, "-", Say::Missing),
            LayerHold::Missing => (Tone::Fail, "✗", Say::Missing),
            LayerHold::Untried => (Tone::Faint, "?", Say::Untried),
        };
        let name = left(&safe(&layer.name), names);
        let state = left(&tone.on(words.doctor(state)), states);
        let label = format!("{} {name}  {state}  ", tone.on(mark));
        page.hang(2, &label, &safe(layer.purpose.get(style.lang)));
        let beside = if width(&label) * 2 > style.columns().saturating_sub(2) {
            4
        } else {
            width(&label)
        };
        detail(page, 2 + beside, layer, words);
        let told = match layer.hold {
            LayerHold::Held | LayerHold::Untried => false,
            LayerHold::Weaker => !layer.mends.is_empty(),
            LayerHold::Missing => true,
        };
        if told {
            shown.mends(page, 6, layer, words);
        }
    }
}

/// By what means it is held, or what was tried.
fn detail(page: &mut Page, indent: usize, layer: &LayerFinding, words: Words) {
    let Some(detail) = &layer.detail else { return };
    let label = match layer.hold {
        LayerHold::Held | LayerHold::Weaker => Say::Detail,
        LayerHold::Missing | LayerHold::Untried => Say::Tried,
    };
    let (label, colon) = (words.doctor(label), words.doctor(Say::Colon));
    page.line(
        indent,
        &Tone::Faint.on(format!("{label}{colon}{}", safe(detail))),
    );
}

/// Mends that were told already: layers often fail together, and from one cause.
#[derive(Default)]
struct Shown<'a>(Vec<&'a LayerFinding>);

impl<'a> Shown<'a> {
    fn mends(&mut self, page: &mut Page, indent: usize, layer: &'a LayerFinding, words: Words) {
        let label = format!("{}{}", words.doctor(Say::Mend), words.doctor(Say::Colon));
        if layer.mends.is_empty() {
            let unknown = words.doctor(Say::MendUnknown);
            page.hang(indent, &label, unknown);
            return;
        }
        if let Some(before) = self.0.iter().find(|before| before.mends == layer.mends) {
            page.hang(indent, &label, &words.as_for(&safe(&before.name)));
            return;
        }
        self.0.push(layer);
        for (index, mend) in layer.mends.iter().enumerate() {
            let label = if index == 0 {
                label.clone()
            } else {
                format!("{}{}", words.doctor(Say::Or), words.doctor(Say::Colon))
            };
            way(page, indent, &label, mend, words);
        }
    }
}

fn way(page: &mut Page, indent: usize, label: &str, mend: &Mend, words: Words) {
    page.hang(indent, label, &safe(mend.why.get(words.0)));
    commands(page, indent + 4, &mend.commands);
}

/// Commands as they are typed: never wrapped.
fn commands(page: &mut Page, indent: usize, commands: &[String]) {
    for line in commands.iter().flat_map(|command| command.lines()) {
        page.raw(indent, &Tone::Strong.on(safe(line)));
    }
}

fn escapes(page: &mut Page, escapes: &Escapes, words: Words) {
    match escapes {
        Escapes::NotTried => page.line(2, &Tone::Faint.on(words.doctor(Say::NotTried))),
        Escapes::Failed(why) => page.line(2, &format!("{} {}", Tone::Fail.on("✗"), safe(why))),
        Escapes::Tried(tried) if tried.is_empty() => {
            let nothing = words.doctor(Say::NothingTried);
            page.line(2, &format!("{} {nothing}", Tone::Fail.on("✗")));
        }
        Escapes::Tried(tried) => {
            let denied = tried.iter().filter(|escape| escape.denied).count();
            let (tone, mark) = if denied == tried.len() {
                (Tone::Pass, "✓")
            } else {
                (Tone::Fail, "✗")
            };
            let summary = words.denied(denied, tried.len());
            page.line(2, &format!("{} {summary}", tone.on(mark)));
            for escape in tried.iter().filter(|escape| !escape.denied) {
                let what = Tone::Fail.on(safe(&escape.what));
                let label = format!("{what}{}", words.doctor(Say::Colon));
                page.hang(6, &label, &safe(&escape.found));
            }
        }
    }
}

fn toolchains(page: &mut Page, toolchains: &[ToolchainFinding], lang: Lang) {
    let names = toolchains.iter().map(|it| width(&safe(&it.name)));
    let names = names.max().unwrap_or(0);
    for toolchain in toolchains {
        let name = left(&safe(&toolchain.name), names);
        let (tone, mark, text) = match &toolchain.found {
            Ok(version) => (Tone::Pass, "✓", safe(version)),
            Err(lacking) => (Tone::Partial, "-", safe(lacking.problem.get(lang))),
        };
        page.hang(2, &format!("{} {name}  ", tone.on(mark)), &text);
    }
}

fn timing(page: &mut Page, timing: &[TimingFinding], words: Words) {
    let labels = timing
        .iter()
        .map(|it| width(&safe(it.label.get(words.0))))
        .max();
    let labels = labels.unwrap_or(0);
    for finding in timing {
        let label = left(&safe(finding.label.get(words.0)), labels);
        let (tone, mark) = match (&finding.value, finding.disturbs) {
            (None, _) => (Tone::Faint, "?"),
            (Some(_), true) => (Tone::Partial, "~"),
            (Some(_), false) => (Tone::Pass, "✓"),
        };
        let value = finding
            .value
            .as_deref()
            .map_or_else(|| Tone::Faint.on(words.doctor(Say::Unknown)), safe);
        page.hang(2, &format!("{} {label}  ", tone.on(mark)), &value);
        let effect = safe(finding.effect.get(words.0));
        if finding.disturbs {
            page.line(6, &effect);
            commands(page, 10, &finding.commands);
        } else {
            page.line(6, &Tone::Faint.on(effect));
        }
    }
}
