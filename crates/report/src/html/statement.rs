//! Statements in Markdown as HTML.
//!
//! They are authors', but pages that show them are for everybody: of HTML in Markdown only [`TAGS`] are kept, all else is text.
//! Nothing is loaded: pictures are data, and formulas are markup that browsers draw.

use std::mem;
use std::panic::catch_unwind;

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grader_model::Lang;
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};
use pulldown_latex::config::DisplayMode;
use pulldown_latex::event::{Content, Event as MathEvent};
use pulldown_latex::{RenderConfig, Storage, push_mathml};

use super::policy::{STYLE, content_policy};
use crate::words::Words;

/// Tags that Markdown has no signs for.
const TAGS: [&str; 8] = [
    "<br>", "<br/>", "<kbd>", "</kbd>", "<sub>", "</sub>", "<sup>", "</sup>",
];

/// The longest formula that is drawn, in bytes, and the deepest nesting in one.
const MAX_FORMULA: usize = 8 << 10;
const MAX_NESTED: usize = 64;
/// Characters of a formula that a message shows.
const MAX_SHOWN: usize = 200;
/// Commands that define others.
const DEFINING: [&str; 10] = [
    "def",
    "edef",
    "gdef",
    "xdef",
    "let",
    "futurelet",
    "newcommand",
    "renewcommand",
    "providecommand",
    "DeclareMathOperator",
];

/// A picture as an address that contains it; `None` if its name is not that of a picture.
pub fn picture_data(name: &str, bytes: &[u8]) -> Option<String> {
    let extension = name.rsplit_once('.')?.1.to_lowercase();
    let kind = match extension.as_str() {
        "jpg" => "jpeg",
        "svg" => "svg+xml",
        "gif" | "jpeg" | "png" | "webp" => &extension,
        _ => return None,
    };
    let data = STANDARD.encode(bytes);
    Some(format!("data:image/{kind};base64,{data}"))
}

/// A statement as a part of a page.
#[derive(Debug)]
pub struct Statement {
    /// Its HTML.
    pub html: String,
    /// Formulas that cannot be drawn: their lines, from 1, and the reasons.
    pub mistakes: Vec<(usize, String)>,
}

/// Renders a statement in Markdown. Its headings begin `below` levels deeper.
///
/// `address` gives the address under which a page has a local file, if any. Links to others become text, and so do pictures: the
/// text that describes them.
pub fn statement(
    markdown: &str,
    below: usize,
    address: &dyn Fn(&str) -> Option<String>,
) -> Statement {
    let options = Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH;
    let events = Parser::new_ext(markdown, options).into_offset_iter();
    let (mut mistakes, mut kept, mut is_comment) = (Vec::new(), Vec::new(), false);
    let events = events.filter_map(|(mut event, place)| {
        let mut math = |tex: &str, mode| match formula(tex, mode) {
            Ok(math) => Event::InlineHtml(math.into()),
            Err(reason) => {
                let line = markdown[..place.start].matches('\n').count() + 1;
                let shown: String = tex.chars().take(MAX_SHOWN).collect();
                let cut = if shown.len() < tex.len() { "…" } else { "" };
                mistakes.push((line, format!("`{shown}{cut}`: {reason}")));
                Event::Code(tex.to_owned().into())
            }
        };
        match &mut event {
            Event::InlineMath(tex) => return Some(math(tex, DisplayMode::Inline)),
            Event::DisplayMath(tex) => return Some(math(tex, DisplayMode::Block)),
            Event::Html(tag) | Event::InlineHtml(tag) => {
                is_comment |= tag.trim_start().starts_with("<!--");
                if is_comment {
                    is_comment = !tag.contains("-->");
                    return None;
                }
                if !TAGS.contains(&tag.trim()) {
                    return Some(Event::Text(mem::replace(tag, CowStr::Borrowed(""))));
                }
            }
            // Browsers show a blank for a line break, and Chinese has no blanks.
            Event::SoftBreak => {
                let before = markdown[..place.start].chars().next_back();
                let after = markdown[place.end..].trim_start().chars().next();
                if [before, after]
                    .iter()
                    .all(|it| it.is_some_and(|c| c >= '\u{2e80}'))
                {
                    return None;
                }
            }
            Event::Start(Tag::Heading { level, .. }) | Event::End(TagEnd::Heading(level)) => {
                let deeper = HeadingLevel::try_from(*level as usize + below);
                *level = deeper.unwrap_or(HeadingLevel::H6);
            }
            Event::Start(tag @ (Tag::Link { .. } | Tag::Image { .. })) => {
                kept.push(direct(tag, address));
                kept.last().filter(|it| **it)?;
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                kept.pop().filter(|it| *it)?;
            }
            _ => {}
        }
        Some(event)
    });
    let mut html = String::new();
    html::push_html(&mut html, events);
    // Pages allow no styles in attributes. In texts, `<` is escaped.
    for cell in ["<td", "<th"] {
        for (style, class) in [("right", " class=\"number\""), ("left", ""), ("center", "")] {
            let styled = format!("{cell} style=\"text-align: {style}\"");
            html = html.replace(&styled, &format!("{cell}{class}"));
        }
    }
    Statement { html, mistakes }
}

/// Gives a link or a picture the address that it has on a page. Returns whether it has one.
fn direct(tag: &mut Tag<'_>, address: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_picture = matches!(tag, Tag::Image { .. });
    let url = match tag {
        Tag::Link { link_type, .. } if *link_type == LinkType::Email => return true,
        Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => dest_url,
        _ => return true,
    };
    if url.contains(':') {
        let mut schemes = ["http://", "https://", "mailto:"].into_iter();
        return !is_picture && schemes.any(|it| url.starts_with(it));
    }
    let path = url.split(['#', '?']).next().unwrap_or_default();
    let path = path.replace("%20", " ");
    let found = address(path.strip_prefix("./").unwrap_or(&path));
    // A page shows only pictures that it contains.
    let found = found.filter(|it| !is_picture || it.starts_with("data:"));
    found.map(|it| *url = it.into()).is_some()
}

/// A formula as markup, without styles in attributes, which pages do not allow.
fn formula(tex: &str, display_mode: DisplayMode) -> Result<String, String> {
    if let Some(reason) = refusal(tex) {
        return Err(reason);
    }
    // A formula that the library does not expect must not end us.
    catch_unwind(|| markup(tex, display_mode))
        .unwrap_or_else(|_| Err("it cannot be drawn".to_owned()))
}

/// Why a formula is not drawn, if it would take too long: the time grows with the square of the nesting, and commands that
/// it defines may write more than itself.
fn refusal(tex: &str) -> Option<String> {
    if tex.len() > MAX_FORMULA {
        return Some(format!("longer than {MAX_FORMULA} bytes"));
    }
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut rest = tex;
    while let Some(at) = rest.find(['{', '}', '\\']) {
        let (sign, after) = rest[at..].split_at(1);
        let end = after.find(|sign: char| !sign.is_ascii_alphabetic());
        let (word, beyond) = after.split_at(end.unwrap_or(after.len()));
        rest = match (sign, word) {
            // An escaped sign.
            ("\\", "") => after.get(after.chars().next().map_or(0, char::len_utf8)..)?,
            ("\\", _) => beyond,
            _ => after,
        };
        if sign == "\\" && DEFINING.contains(&word) {
            return Some(format!("a formula cannot define commands (`\\{word}`)"));
        }
        match (sign, word) {
            ("{", _) | ("\\", "left" | "begin") => depth += 1,
            ("}", _) | ("\\", "right" | "end") => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    (deepest > MAX_NESTED).then(|| format!("nested more than {MAX_NESTED} deep"))
}

fn markup(tex: &str, display_mode: DisplayMode) -> Result<String, String> {
    let storage = Storage::new();
    let events: Result<Vec<_>, _> = pulldown_latex::Parser::new(tex, &storage).collect();
    let events = events.map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.trim_start_matches("parsing error: ").to_owned()
    })?;
    let config = RenderConfig {
        display_mode,
        ..RenderConfig::default()
    };
    let mut math = String::new();
    // The writer escapes texts, but neither names of functions nor the sign `<`.
    let events = events.into_iter().map(|event| match event {
        MathEvent::Content(Content::Function(name)) if name.contains(['<', '&']) => {
            MathEvent::Content(Content::Text(name))
        }
        event => event,
    });
    let events = events.map(Ok::<_, std::fmt::Error>);
    push_mathml(&mut math, events, config).map_err(|error| error.to_string())?;
    let math = math
        .replace("<<", "&lt;<")
        .replace("<\u{338}", "&lt;\u{338}");
    let mut parts = math.split(" style=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    let math = parts.fold(first, |math, part| {
        math + part.split_once('"').map_or(part, |it| it.1)
    });
    Ok(match display_mode {
        DisplayMode::Inline => math,
        // It scrolls if it is too wide, also with keys.
        DisplayMode::Block => format!("<span class=\"formula\" tabindex=\"0\">{math}</span>"),
    })
}

/// A page with one statement.
#[derive(Template)]
#[template(path = "statement.html")]
struct StatementPage<'a> {
    s: Words,
    policy: String,
    css: &'static str,
    title: &'a str,
    html: &'a str,
}

/// A page with one statement.
///
/// # Errors
/// If the template fails.
pub fn statement_page(title: &str, statement: &Statement, lang: Lang) -> std::io::Result<String> {
    let page = StatementPage {
        s: Words::of(lang),
        policy: content_policy(STYLE, None, ""),
        css: STYLE,
        title,
        html: &statement.html,
    };
    page.render().map_err(std::io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(markdown: &str) -> Statement {
        let address = |path: &str| picture_data(path, b"GIF89a").filter(|_| path != "none.gif");
        statement(markdown, 2, &address)
    }

    #[test]
    fn a_statement_has_headings_tables_formulas_and_pictures_and_loads_nothing() {
        let markdown = "# Sum\n\n<!-- for\nauthors -->\nAdd $a$ and b<sub>1</sub>: `a < b`.\n\n\
            | n | $2^n$ |\n|:--|--:|\n| 1 | 2 |\n\n\
            ![the sum](./a%20b.gif) ![gone](none.gif) ![far](https://example.org/a.gif)\n\n\
            [site](https://example.org/) [file](sum.pdf) [run](javascript:alert(1)) <a@example.org>\n\n\
            <img src=x onerror=alert(1)>\n\n```console\n$ ./sum < $in\n```\n\n求\n和 a\nb\n";
        let expected = "<h3>Sum</h3>\n\
            <p>Add <math display=\"inline\"><mi>a</mi></math> and b<sub>1</sub>: <code>a &lt; b</code>.</p>\n\
            <table><thead><tr><th>n</th><th class=\"number\"><math display=\"inline\"><msup><mn>2</mn><mi>n</mi></msup></math></th></tr></thead><tbody>\n\
            <tr><td>1</td><td class=\"number\">2</td></tr>\n</tbody></table>\n\
            <p><img src=\"data:image/gif;base64,R0lGODlh\" alt=\"the sum\" /> gone far</p>\n\
            <p><a href=\"https://example.org/\">site</a> file run <a href=\"mailto:a@example.org\">a@example.org</a></p>\n\
            &lt;img src=x onerror=alert(1)&gt;\n\
            <pre><code class=\"language-console\">$ ./sum &lt; $in\n</code></pre>\n<p>求和 a\nb</p>\n";
        let found = rendered(markdown);
        assert_eq!(found.html, expected);
        assert_eq!(found.mistakes, []);
    }

    #[test]
    fn formulas_are_markup_of_formulas_only_and_a_mistake_has_its_line() {
        for tex in [
            "a < b > c \\& \"d\"",
            "\\text{<script>alert(1)</script>}",
            "\\operatorname{<img src=x>} \\color{red}{x} \\! y \\not<",
            "\\begin{matrix} 1 & <b> \\\\[2em] 3 & 4 \\end{matrix}",
        ] {
            let math = formula(tex, DisplayMode::Block).unwrap();
            for part in ["<script", "<img", "<b>", "<<", "<\u{338}", "style="] {
                assert!(!math.contains(part), "{math}");
            }
        }
        let found = rendered("One.\n\nTwo $\\fraction{1}$ <b>.\n");
        assert_eq!(
            found.html,
            "<p>One.</p>\n<p>Two <code>\\fraction{1}</code> &lt;b&gt;.</p>\n"
        );
        assert_eq!(
            found.mistakes,
            [(
                3,
                "`\\fraction{1}`: unknown primitive command found".to_owned()
            )]
        );
    }
}
