//! Jupyter notebooks as Python programs. Format: <https://nbformat.readthedocs.io/en/latest/format_description.html>

use grader_model::extension_of;
use serde::Deserialize;

/// Most bytes of a notebook: it holds pictures beside the code.
pub(crate) const MAX_NOTEBOOK: u64 = 16 << 20;

/// Magics of a cell whose other lines are Python still.
const OF_PYTHON: [&str; 6] = [
    "%%time",
    "%%timeit",
    "%%capture",
    "%%prun",
    "%%python",
    "%%python3",
];

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    metadata: Metadata,
    cells: Vec<Cell>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    language_info: Option<LanguageInfo>,
}

#[derive(Deserialize)]
struct LanguageInfo {
    name: String,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    source: CellSource,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum CellSource {
    Text(String),
    Lines(Vec<String>),
}

/// The name of the program in a notebook of this name.
pub(crate) fn program_name(name: &str) -> String {
    let extension = extension_of(name);
    if extension.eq_ignore_ascii_case("ipynb") {
        name[..name.len() - extension.len()].to_owned() + "py"
    } else if extension.eq_ignore_ascii_case("py") {
        name.to_owned()
    } else {
        format!("{name}.py")
    }
}

/// The Python program of a notebook: its code cells in order. In the place of a magic or a shell line stands `pass`, so that
/// lines keep their numbers within a cell. `None` if it is no notebook, is in another language, or has no code.
pub(crate) fn program(bytes: &[u8]) -> Option<Vec<u8>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // It refuses what is nested more than 128 deep.
    let notebook: Notebook = serde_json::from_slice(bytes).ok()?;
    let language = notebook.metadata.language_info;
    if language.is_some_and(|it| !it.name.to_lowercase().contains("python")) {
        return None;
    }
    let mut program = String::new();
    for cell in notebook
        .cells
        .into_iter()
        .filter(|it| it.cell_type == "code")
    {
        let text = match cell.source {
            CellSource::Text(text) => text,
            CellSource::Lines(lines) => lines.concat(),
        };
        add_cell(&text, &mut program);
    }
    (!program.trim().is_empty()).then(|| program.into_bytes())
}

fn add_cell(text: &str, program: &mut String) {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_foreign = first.starts_with("%%") && !OF_PYTHON.contains(&first);
    let mut place = Place::default();
    for line in text.lines() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if is_foreign {
            *program += "#";
        } else if place.is_start() && is_magic(line.trim()) {
            *program += indent;
            *program += "pass  # ";
        } else {
            place.read(line);
        }
        *program += line;
        *program += "\n";
    }
}

/// Whether a line at the beginning of a statement is for the notebook, not for Python.
fn is_magic(line: &str) -> bool {
    line.starts_with(['%', '!', '?']) || line.ends_with('?') && !line.contains(['#', '"', '\''])
}

/// Where a line begins in a program: inside a text, inside brackets, or in a statement that goes on.
#[derive(Default)]
struct Place {
    /// The quotation mark that ends the text with three of them.
    quote: Option<char>,
    depth: usize,
    goes_on: bool,
}

impl Place {
    fn is_start(&self) -> bool {
        self.quote.is_none() && self.depth == 0 && !self.goes_on
    }

    fn read(&mut self, line: &str) {
        // Of a text with one mark on each side.
        let mut short = None;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let tripled = rest.chars().take_while(|&it| it == c).take(3).count() == 3;
            let mut taken = c.len_utf8();
            match (short.or(self.quote), c) {
                (Some(_), '\\') => taken += rest[taken..].chars().next().map_or(0, char::len_utf8),
                (Some(mark), _) if mark != c => {}
                (Some(_), _) if short.is_some() => short = None,
                (Some(_), _) if tripled => (self.quote, taken) = (None, 3),
                (None, '"' | '\'') if tripled => (self.quote, taken) = (Some(c), 3),
                (None, '"' | '\'') => short = Some(c),
                (None, '#') => break,
                (None, '(' | '[' | '{') => self.depth += 1,
                (None, ')' | ']' | '}') => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            rest = &rest[taken..];
        }
        self.goes_on = line.ends_with('\\');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook(cells: &[&str]) -> String {
        let cells = cells
            .iter()
            .map(|source| serde_json::json!({ "cell_type": "code", "source": source }));
        serde_json::json!({ "nbformat": 4, "cells": cells.collect::<Vec<_>>() }).to_string()
    }

    #[test]
    fn the_code_cells_are_the_program_without_what_is_for_the_notebook() {
        let table: [(&[&str], &str); 5] = [
            (&["x = 1\ny = 2", "print(x)\n"], "x = 1\ny = 2\nprint(x)\n"),
            (
                &["%matplotlib inline\n!pip install x\nif a:\n    !ls\nlen?\nb = a % 2"],
                "pass  # %matplotlib inline\npass  # !pip install x\nif a:\n    pass  #     !ls\npass  # len?\nb = a % 2\n",
            ),
            (
                &["%%bash\nls 'x", "print(1)"],
                "#%%bash\n#ls 'x\nprint(1)\n",
            ),
            (&["%%time\nf()"], "pass  # %%time\nf()\n"),
            // Inside texts and brackets, and in a statement that goes on, such lines are Python.
            (
                &["s = '''\n%d 'a\n!b'''\nt = (1\n% 2)\nu = 3 \\\n% 2\n!c"],
                "s = '''\n%d 'a\n!b'''\nt = (1\n% 2)\nu = 3 \\\n% 2\npass  # !c\n",
            ),
        ];
        for (cells, expected) in table {
            let program = program(notebook(cells).as_bytes()).unwrap();
            assert_eq!(String::from_utf8(program).unwrap(), expected);
        }
        let lines = br##"{"cells": [{"cell_type": "markdown", "source": ["# x"]},
            {"cell_type": "code", "outputs": [1], "source": ["a = 1\n", "b = 2"]}], "metadata": {"language_info": {"name": "python"}}}"##;
        assert_eq!(program(lines).unwrap(), b"a = 1\nb = 2\n");
    }

    #[test]
    fn what_is_no_notebook_in_python_has_no_program() {
        let deep = "[".repeat(1 << 20);
        let r = notebook(&["x <- 1"]).replacen(
            '{',
            r#"{"metadata": {"language_info": {"name": "R"}}, "#,
            1,
        );
        let nested =
            format!(r#"{{"cells": [{{"cell_type": "code", "source": "x", "outputs": {deep}"#);
        for text in [
            "",
            "{",
            "no JSON",
            "[]",
            "{}",
            r#"{"cells": {}}"#,
            r#"{"cells": []}"#,
            r#"{"cells": [3]}"#,
            r#"{"cells": [[]]}"#,
            r#"{"cells": [{"cell_type": "code", "source": 3}]}"#,
            &deep,
            &nested,
            &r,
            &notebook(&["  \n"]),
        ] {
            assert_eq!(
                program(text.as_bytes()),
                None,
                "{}",
                &text[..text.len().min(80)]
            );
        }
    }

    #[test]
    fn the_program_has_the_name_of_the_notebook() {
        let names = ["a/b.ipynb", "b.IPYNB", "b.py", "b.json", "b"].map(program_name);
        assert_eq!(names, ["a/b.py", "b.py", "b.py", "b.json.py", "b.py"]);
    }
}
