//! Files that a program opens by names that stand in its source.

use std::collections::BTreeMap;

use grader_model::SourceFile;

use crate::code::tokens;
use crate::encoding::to_utf8;
use crate::strip::{Family, Kind, Strings, is_name_byte, item, strip};

/// The files that a source names where it opens them. What a condition may leave out is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenedFiles {
    /// To be read.
    pub read: Vec<String>,
    /// To be written.
    pub written: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write,
}

impl OpenedFiles {
    /// Looks through the sources of one language.
    pub(crate) fn find(sources: &[SourceFile], family: Family) -> Self {
        let mut opened = Self::default();
        for source in sources {
            let text = strip(&to_utf8(&source.bytes), family, Strings::Keep);
            let text = match family {
                Family::C => without_conditions(&text),
                // Conditions are comments there.
                Family::Pascal if to_utf8(&source.bytes).to_lowercase().contains("{$if") => {
                    continue;
                }
                Family::Pascal | Family::Rust | Family::Java | Family::Python => text,
            };
            let code = strip(&text, family, Strings::Blank).to_lowercase();
            let variables = variables(&tokens(&code), family);
            for literal in literals(&text, family) {
                let list = match literal.opens(family, &variables) {
                    Some(Use::Read) => &mut opened.read,
                    Some(Use::Write) => &mut opened.written,
                    None => continue,
                };
                if list.len() < MOST && !list.iter().any(|name| name == literal.value) {
                    list.push(literal.value.to_owned());
                }
            }
        }
        opened
    }
}

/// So many files are named at most.
const MOST: usize = 8;

/// Variables for files, in small letters, by what is done with them: the streams of C++, and what Pascal resets or
/// rewrites. Nothing of one that is used in both ways.
fn variables<'a>(tokens: &[&'a str], family: Family) -> BTreeMap<&'a str, Option<Use>> {
    let mut variables = BTreeMap::new();
    for window in tokens.windows(3) {
        let (name, used) = match (family, window) {
            (Family::C, ["ifstream", name, _]) | (Family::Pascal, ["reset", "(", name]) => {
                (*name, Use::Read)
            }
            (Family::C, ["ofstream", name, _]) | (Family::Pascal, ["rewrite", "(", name]) => {
                (*name, Use::Write)
            }
            _ => continue,
        };
        let known = variables.entry(name).or_insert(Some(used));
        known.take_if(|known| *known != used);
    }
    variables
}

/// A string in a source, with what stands before and after it.
struct Literal<'a> {
    value: &'a str,
    before: &'a str,
    after: &'a str,
}

/// The strings of a source that may name a file: nothing is escaped in them.
fn literals(text: &str, family: Family) -> Vec<Literal<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (end, kind) = item(text.as_bytes(), at, family);
        let end = end.clamp(at + 1, text.len());
        let value = text
            .get(at..end)
            .and_then(|literal| literal.strip_prefix(['"', '\''])?.strip_suffix(['"', '\'']));
        let is_device = |value: &str| value.starts_with("/dev/") || value.starts_with("/proc/");
        if let (Kind::String, Some(value)) = (kind, value)
            && !value.is_empty()
            && !value.contains(['\\', '\n', '"', '\''])
            && !is_device(value)
        {
            found.push(Literal {
                value,
                before: &text[..at],
                after: &text[end..],
            });
        }
        at = end;
    }
    found
}

impl Literal<'_> {
    /// Whether the string is the name of a file that is opened, and for what.
    fn opens(&self, family: Family, variables: &BTreeMap<&str, Option<Use>>) -> Option<Use> {
        let variable = |name: &str| {
            variables
                .get(name.to_lowercase().as_str())
                .copied()
                .flatten()
        };
        let before = self.before.trim_end();
        match family {
            Family::C => {
                let (rest, name) = last_name(before.strip_suffix(['(', '{'])?);
                match name {
                    "fopen" | "freopen" => self.mode(),
                    "ifstream" => Some(Use::Read),
                    "ofstream" => Some(Use::Write),
                    "open" => variable(last_name(rest.strip_suffix('.')?).1),
                    _ => match last_name(rest).1 {
                        "ifstream" => Some(Use::Read),
                        "ofstream" => Some(Use::Write),
                        _ => None,
                    },
                }
            }
            Family::Pascal => {
                let (rest, file) = last_name(before.strip_suffix(',')?);
                let (_, call) = last_name(rest.trim_end().strip_suffix('(')?);
                let is_assigned = ["assign", "assignfile"]
                    .iter()
                    .any(|known| call.eq_ignore_ascii_case(known));
                variable(file).filter(|_| is_assigned)
            }
            Family::Rust => {
                let (rest, name) = last_name(before.strip_suffix('(')?);
                let (_, of) = last_name(rest.strip_suffix("::").unwrap_or_default());
                match (of, name) {
                    ("File", "open") | (_, "read_to_string") => Some(Use::Read),
                    ("File", "create") | ("fs", "write") => Some(Use::Write),
                    _ => None,
                }
            }
            // Their exceptions name the file.
            Family::Java | Family::Python => None,
        }
    }

    /// What the mode of `fopen` says, which follows the name.
    fn mode(&self) -> Option<Use> {
        let mode = self.after.trim_start().strip_prefix(',')?.trim_start();
        match mode.strip_prefix('"')?.chars().next()? {
            'r' => Some(Use::Read),
            'w' | 'a' => Some(Use::Write),
            _ => None,
        }
    }
}

/// What stands before the name at the end of a text, and the name.
fn last_name(text: &str) -> (&str, &str) {
    let text = text.trim_end();
    let bytes = text.as_bytes();
    let start = bytes.iter().rposition(|byte| !is_name_byte(*byte));
    text.split_at(start.map_or(0, |start| start + 1))
}

/// A source of C without what stands between `#if` and `#endif`: nobody knows what of it is compiled.
fn without_conditions(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            let directive = directive.trim_start();
            if directive.starts_with("if") {
                depth += 1;
            } else if directive.starts_with("endif") {
                depth = depth.saturating_sub(1);
            }
        } else if depth == 0 {
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(family: Family, text: &str) -> (String, String) {
        let found = OpenedFiles::find(&[SourceFile::new("a", text.as_bytes())], family);
        (found.read.join(" "), found.written.join(" "))
    }

    #[test]
    fn files_are_found_where_they_are_opened() {
        let table = [
            (
                Family::C,
                "freopen(\"a.in\", \"r\", stdin); freopen ( \"a.out\" ,\"w\", stdout);",
                "a.in",
                "a.out",
            ),
            (
                Family::C,
                "FILE *f = fopen(\"a.in\", \"rb\"); puts(\"b.in\");",
                "a.in",
                "",
            ),
            (
                Family::C,
                "ifstream fin(\"a.in\"); std::ofstream out{\"a.out\"};",
                "a.in",
                "a.out",
            ),
            (
                Family::C,
                "std::ofstream fOut; fOut.open(\"a.out\"); door.open(\"b\");",
                "",
                "a.out",
            ),
            (
                Family::C,
                "freopen(name, \"r\", stdin); fopen(\"a\", mode); fopen(\"b\\n\", \"r\");",
                "",
                "",
            ),
            (
                Family::C,
                "// fopen(\"a.in\", \"r\")\nfopen(\"/dev/stdin\", \"r\");",
                "",
                "",
            ),
            (
                Family::C,
                "#ifndef ONLINE_JUDGE\nfreopen(\"a.in\", \"r\", stdin);\n#endif\nfreopen(\"a.out\", \"w\", stdout);",
                "",
                "a.out",
            ),
            (
                Family::Pascal,
                "Assign(Input, 'a.in'); Reset(input); assign ( f , 'a.out' ); rewrite(f);",
                "a.in",
                "a.out",
            ),
            (
                Family::Pascal,
                "{$IFNDEF X}assign(input, 'a.in'); reset(input);{$ENDIF}",
                "",
                "",
            ),
            (
                Family::Rust,
                "File::open(\"a.in\")?; std::fs::read_to_string(\"b.in\"); fs::File::create(\"a.out\");",
                "a.in b.in",
                "a.out",
            ),
        ];
        for (family, text, read, written) in table {
            assert_eq!(
                opened(family, text),
                (read.to_owned(), written.to_owned()),
                "{text}"
            );
        }
    }
}
