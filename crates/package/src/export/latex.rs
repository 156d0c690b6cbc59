//! Markdown as LaTeX, for statements: the tools of the format read no other.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Characters that LaTeX does not know by itself, and what it calls them.
const SYMBOLS: [(char, &str); 35] = [
    ('\\', "\\textbackslash{}"),
    ('{', "\\{"),
    ('}', "\\}"),
    // At the start of a line, they would be an option of `\\item` or `\\\\`.
    ('[', "{[}"),
    (']', "{]}"),
    ('$', "\\$"),
    ('&', "\\&"),
    ('#', "\\#"),
    ('%', "\\%"),
    ('_', "\\_"),
    ('~', "\\textasciitilde{}"),
    ('^', "\\textasciicircum{}"),
    ('<', "\\textless{}"),
    ('>', "\\textgreater{}"),
    ('|', "\\textbar{}"),
    ('≤', "$\\le$"),
    ('≥', "$\\ge$"),
    ('≠', "$\\ne$"),
    ('≈', "$\\approx$"),
    ('×', "$\\times$"),
    ('·', "$\\cdot$"),
    ('−', "$-$"),
    ('÷', "$\\div$"),
    ('∞', "$\\infty$"),
    ('→', "$\\to$"),
    ('⇒', "$\\Rightarrow$"),
    ('∈', "$\\in$"),
    ('⌊', "$\\lfloor$"),
    ('⌋', "$\\rfloor$"),
    ('√', "$\\surd$"),
    ('…', "\\dots{}"),
    ('⊕', "$\\oplus$"),
    ('π', "$\\pi$"),
    ('±', "$\\pm$"),
    ('°', "$^\\circ$"),
];
const SUPERSCRIPTS: (&str, &str) = ("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵏ", "0123456789+-nk");
const SUBSCRIPTS: (&str, &str) = ("₀₁₂₃₄₅₆₇₈₉₊₋ₙₖ", "0123456789+-nk");

/// Text, as LaTeX prints it.
pub(super) fn escaped(text: &str) -> String {
    let mut tex = String::new();
    for c in text.chars() {
        let raised = |(from, to): (&str, &str), sign: &str| {
            let at = from.chars().position(|it| it == c)?;
            Some(format!("${sign}{}$", &to[at..=at]))
        };
        let symbol = SYMBOLS.iter().find(|(it, _)| *it == c);
        match symbol {
            Some((_, command)) => tex += command,
            None => match raised(SUPERSCRIPTS, "^").or_else(|| raised(SUBSCRIPTS, "_")) {
                Some(command) => tex += &command,
                None => tex.push(c),
            },
        }
    }
    tex
}

/// A statement in Markdown as one in LaTeX. The title stands in place of the first heading.
pub(super) fn from_markdown(text: &str, title: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_MATH | Options::ENABLE_STRIKETHROUGH;
    let mut tex = format!("\\problemname{{{}}}\n\n", escaped(title));
    // What was written before the heading of level 1, which is left out.
    let mut before_title = None;
    let (mut is_code, mut is_first_cell) = (false, false);
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading {
                level: HeadingLevel::H1,
                ..
            }) => {
                before_title = Some(tex.len());
            }
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => {
                tex.truncate(before_title.take().unwrap_or(tex.len()));
            }
            Event::Start(Tag::CodeBlock(_)) => {
                is_code = true;
                tex += "\\begin{verbatim}\n";
            }
            Event::End(TagEnd::CodeBlock) => {
                is_code = false;
                tex += "\\end{verbatim}\n\n";
            }
            // Only these words end the block.
            Event::Text(text) if is_code => {
                tex += &text.replace("\\end{verbatim}", "\\end {verbatim}");
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                tex += &escaped(&text);
            }
            Event::Code(code) => tex += &["\\texttt{", &escaped(&code), "}"].concat(),
            Event::InlineMath(math) => tex += &["$", &*math, "$"].concat(),
            Event::DisplayMath(math) => tex += &["\\[", &*math, "\\]"].concat(),
            Event::SoftBreak => tex.push('\n'),
            Event::HardBreak => tex += "\\\\\n",
            Event::Rule => tex += "\\medskip\n\n",
            Event::Start(Tag::TableCell) if !std::mem::take(&mut is_first_cell) => tex += " & ",
            Event::Start(tag) => {
                is_first_cell = matches!(tag, Tag::TableHead | Tag::TableRow);
                tex += &begin(&tag);
            }
            Event::End(tag) => tex += end(tag),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }
    tex.trim_end().to_owned() + "\n"
}

fn begin(tag: &Tag<'_>) -> String {
    match tag {
        Tag::Heading {
            level: HeadingLevel::H2,
            ..
        } => "\\section*{".to_owned(),
        Tag::Heading { .. } => "\\subsection*{".to_owned(),
        Tag::List(None) => "\\begin{itemize}\n".to_owned(),
        Tag::List(Some(_)) => "\\begin{enumerate}\n".to_owned(),
        Tag::Item => "\\item ".to_owned(),
        Tag::Emphasis => "\\emph{".to_owned(),
        Tag::Strong => "\\textbf{".to_owned(),
        Tag::Link { dest_url, .. } => format!("\\href{{{}}}{{", escaped(dest_url)),
        Tag::Image { dest_url, .. } => {
            format!("\\includegraphics[width=0.6\\textwidth]{{{dest_url}}} \\emph{{")
        }
        Tag::Table(columns) => format!("\\begin{{tabular}}{{{}}}\n", "l".repeat(columns.len())),
        Tag::BlockQuote(_) => "\\begin{quote}\n".to_owned(),
        _ => String::new(),
    }
}

fn end(tag: TagEnd) -> &'static str {
    match tag {
        TagEnd::Heading(_) => "}\n\n",
        TagEnd::Paragraph => "\n\n",
        TagEnd::List(false) => "\\end{itemize}\n\n",
        TagEnd::List(true) => "\\end{enumerate}\n\n",
        TagEnd::Item => "\n",
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image => "}",
        TagEnd::TableHead | TagEnd::TableRow => " \\\\\n",
        TagEnd::Table => "\\end{tabular}\n\n",
        TagEnd::BlockQuote(_) => "\\end{quote}\n\n",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_latex() {
        let text = "# Old title\n\nPrint `a_b` if *n* ≤ 2ⁿ, **not** $x^2$ & 5 %.\n\n## Input\n\n- [0, 1]\n- two [here](https://a.b/#c)\n\n\
            | a | b |\n|---|---|\n| 1 | `2` |\n\n```c\nint a_b; \\end{verbatim}\n```\n";
        assert_eq!(
            from_markdown(text, "A & B"),
            "\\problemname{A \\& B}\n\nPrint \\texttt{a\\_b} if \\emph{n} $\\le$ 2$^n$, \\textbf{not} $x^2$ \\& 5 \\%.\n\n\
             \\section*{Input}\n\n\\begin{itemize}\n\\item {[}0, 1{]}\n\\item two \\href{https://a.b/\\#c}{here}\n\\end{itemize}\n\n\
             \\begin{tabular}{ll}\na & b \\\\\n1 & \\texttt{2} \\\\\n\\end{tabular}\n\n\
             \\begin{verbatim}\nint a_b; \\end {verbatim}\n\\end{verbatim}\n"
        );
    }
}
