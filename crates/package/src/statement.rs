//! Statements of FPS and QDUOJ, which are HTML, or Markdown in HTML.

use crate::draft::Draft;

/// Writes the statement as it is, and as Markdown. Its sections are the input, the output, the hint and the source; `samples` is
/// Markdown, and stands before the hint.
pub(crate) fn write(
    draft: &mut Draft<'_>,
    [title, description]: [&str; 2],
    sections: [&str; 4],
    samples: &str,
) {
    let is_chinese = |c: char| ('\u{4e00}'..'\u{a000}').contains(&c);
    let (language, headings) = if title.contains(is_chinese) || description.contains(is_chinese) {
        ("zh", ["输入", "输出", "提示", "来源"])
    } else {
        ("en", ["Input", "Output", "Hint", "Source"])
    };
    let sections = headings.into_iter().zip(sections);
    let (mut html, mut markdown) = (description.to_owned(), plain(description));
    for (heading, text) in sections {
        if heading == headings[2] && !samples.is_empty() {
            markdown = format!("{markdown}\n{samples}\n");
        }
        if !text.trim().is_empty() {
            html = format!("{html}\n<h2>{heading}</h2>\n{text}");
            markdown = format!("{markdown}\n## {heading}\n\n{}", plain(text));
        }
    }
    if html.to_lowercase().contains("<img") {
        draft.note("pictures are only in `statement/statement.html`");
    }
    draft.bytes("statement/statement.html", html.into_bytes());
    draft.bytes(&format!("statement.{language}.md"), markdown.into_bytes());
}

/// HTML as Markdown: paragraphs, lists and listings. What is no tag that judges write stays.
fn plain(html: &str) -> String {
    let (mut text, mut rest) = (String::new(), html);
    let mut is_short = false;
    while let Some((before, inner)) = rest.split_once('<') {
        text += before;
        let end = inner.find(['<', '>']);
        let end = end.filter(|at| inner[*at..].starts_with('>'));
        let name = inner.trim_start_matches('/');
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next();
        let name = name.unwrap_or_default().to_lowercase();
        let is_raised = ["sup", "sub"].contains(&&*name);
        if is_raised && !inner.starts_with('/') {
            let raised = inner.split_once('>').map_or("", |it| it.1);
            let raised = raised.split('<').next().unwrap_or_default();
            is_short = raised.chars().all(char::is_alphanumeric);
        }
        let replacement = match &*name {
            "p" | "div" | "ul" | "ol" | "table" | "blockquote" | "h1" | "h2" | "h3" | "h4" => {
                "\n\n"
            }
            "br" | "tr" | "tbody" => "\n",
            "li" if !inner.starts_with('/') => "\n- ",
            "td" | "th" if !inner.starts_with('/') => " | ",
            "pre" => "\n```\n",
            _ if is_raised && inner.starts_with('/') => [")", ""][usize::from(is_short)],
            "sup" => ["^(", "^"][usize::from(is_short)],
            "sub" => ["_(", "_"][usize::from(is_short)],
            "li" | "td" | "th" | "span" | "strong" | "b" | "em" | "i" | "u" | "font" | "a"
            | "code" | "img" | "center" => "",
            _ => "<",
        };
        text += replacement;
        rest = match end {
            Some(end) if replacement != "<" => &inner[end + 1..],
            _ => inner,
        };
    }
    text += rest;
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&le;", "≤"),
        ("&ge;", "≥"),
        ("&times;", "×"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, sign);
    }
    let (mut markdown, mut is_listing) = (String::new(), false);
    for line in text.lines() {
        is_listing ^= line.starts_with("```");
        let line = if is_listing { line } else { line.trim() };
        if is_listing || !line.is_empty() || !markdown.ends_with("\n\n") {
            markdown += line.trim_end();
            markdown.push('\n');
        }
    }
    format!("{}\n", markdown.trim())
}
