//! Jupyter notebooks as Python programs. Format: <https://nbformat.readthedocs.io/en/latest/format_description.html>

use grader_model::{Bytes, LanguageId, SourceFile, Text, escaped, extension_of};
use grader_problem::Problem;
use serde::Deserialize;

use crate::reason;

/// Most bytes of a notebook, which may hold pictures beside the code.
pub(crate) const MAX_NOTEBOOK: u64 = 2 << 20;

/// Lines for the notebook that change nothing of what a program does.
const HARMLESS: [&str; 11] = [
    "%autoreload",
    "%conda",
    "%config",
    "%load_ext",
    "%matplotlib",
    "%pip",
    "%reload_ext",
    "!conda",
    "!ls",
    "!pip",
    "!pip3",
];

/// Commands that a notebook takes without `%`.
const COMMANDS: [&str; 9] = [
    "cd",
    "conda",
    "ls",
    "matplotlib",
    "pip",
    "pip3",
    "run",
    "time",
    "timeit",
];

/// What opens and closes brackets and long texts.
const MARKS: [&str; 8] = ["(", ")", "[", "]", "{", "}", "\"\"\"", "'''"];

#[derive(Deserialize)]
struct Notebook {
    metadata: Option<Metadata>,
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Metadata {
    kernelspec: Option<Named>,
    language_info: Option<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
    language: Option<String>,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    source: Option<CellSource>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum CellSource {
    Text(String),
    Lines(Vec<String>),
}

/// The name of the program in a notebook of this name.
pub(crate) fn program_name(name: &str) -> String {
    name[..name.len() - extension_of(name).len()].to_owned() + "py"
}

/// The program of a notebook for a problem, or the end of a sentence why it is not judged. What a student meant must be certain:
/// `is_named` says whether it is for this problem, and `is_alone` that it needs no other file.
pub(crate) fn source(
    (name, size): (&str, u64),
    bytes: &[u8],
    problem: &Problem,
    [is_named, is_alone]: [bool; 2],
) -> Result<SourceFile, Text> {
    let rule = &problem.submission;
    let takes_it = rule.languages.contains(&LanguageId::Python);
    if !takes_it || !extension_of(name).eq_ignore_ascii_case("ipynb") {
        return Err(reason::notebook());
    }
    if !is_named {
        return Err(reason::notebook_name(&problem.file_name("py")));
    }
    if !is_alone {
        return Err(reason::notebook_beside());
    }
    let most = rule.size.0.min(MAX_NOTEBOOK);
    if size > MAX_NOTEBOOK {
        return Err(reason::notebook_too_large(Bytes(MAX_NOTEBOOK)));
    }
    let program = program(bytes)?;
    if program.len() as u64 > most {
        return Err(reason::notebook_too_large(Bytes(most)));
    }
    Ok(SourceFile::new(program_name(name), program))
}

/// The Python program of a notebook: its code cells in order. Lines for the notebook that change nothing are comments.
///
/// # Errors
/// If it is no notebook, is in another language, has no code, or a line that only a notebook understands.
pub(crate) fn program(bytes: &[u8]) -> Result<Vec<u8>, Text> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // It refuses what is nested more than 128 deep.
    let notebook: Notebook = serde_json::from_slice(bytes).map_err(|_| reason::no_notebook())?;
    if notebook.metadata.is_some_and(|it| !it.is_python()) {
        return Err(reason::no_notebook());
    }
    let mut program = String::new();
    let cells = notebook.cells.into_iter();
    for cell in cells.filter(|it| it.cell_type == "code") {
        let text = match cell.source {
            Some(CellSource::Text(text)) => text,
            Some(CellSource::Lines(lines)) => lines.concat(),
            None => continue,
        };
        add_cell(&text, &mut program).map_err(|line| {
            let line: String = line.trim().chars().take(40).collect();
            reason::notebook_line(&escaped(line.as_bytes()))
        })?;
    }
    if program.trim().is_empty() {
        return Err(reason::no_notebook());
    }
    let mut lines = program.lines().map(str::trim_start);
    let is_own = ["def display", "import display"].map(|it| program.contains(it));
    if is_own == [false; 2] && lines.any(|it| it.starts_with("display(")) {
        return Err(reason::notebook_line("display"));
    }
    Ok(program.into_bytes())
}

impl Metadata {
    fn is_python(&self) -> bool {
        let is_it = |name: &&String| name.to_lowercase().contains("python");
        let kernel = self.kernelspec.as_ref();
        let of_kernel = kernel.and_then(|it| it.language.as_ref());
        let name = self.language_info.as_ref().and_then(|it| it.name.as_ref());
        let own = kernel.and_then(|it| it.name.as_ref());
        // A kernel may have any name.
        let own = own.filter(|it| name.or(of_kernel).is_none() || *it == "python2");
        [name, of_kernel].iter().flatten().all(is_it)
            && own.is_none_or(|it| is_it(&it) && it != "python2")
    }
}

/// Adds the program of a cell, or gives the line that only a notebook understands.
fn add_cell<'t>(text: &'t str, program: &mut String) -> Result<(), &'t str> {
    let mut counts = [0; MARKS.len()];
    let mut goes_on = false;
    for (at, line) in text.lines().enumerate() {
        let code = line.trim();
        let are_closed = counts[..6].chunks(2).all(|it| it[0] == it[1]);
        let is_start = are_closed && counts[6..].iter().all(|it| it % 2 == 0) && !goes_on;
        if code.starts_with(['%', '!', '?']) {
            let is_timed = at == 0 && line.trim_end() == "%%time";
            if !is_start || !(is_timed || is_harmless(code)) {
                return Err(line);
            }
            // In a block something must stand; before an import from `__future__` nothing may.
            let indent = &line[..line.len() - line.trim_start().len()];
            *program += indent;
            *program += if indent.is_empty() { "# " } else { "pass  # " };
            *program += code;
        } else if is_start && is_for_notebook(code) {
            return Err(line);
        } else {
            *program += line;
            for (count, mark) in counts.iter_mut().zip(MARKS) {
                *count += line.matches(mark).count();
            }
            goes_on = line.ends_with('\\');
        }
        *program += "\n";
    }
    // It would go on in the next cell.
    let last = text.lines().next_back().unwrap_or_default();
    if goes_on { Err(last) } else { Ok(()) }
}

/// Whether such a line only looks at, or installs, something.
fn is_harmless(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    HARMLESS.contains(&word) && !line.contains(['>', '|', ';', '&', '$', '`', '\\'])
}

/// Whether a line that begins with none of the marks of a notebook is for it nevertheless: `x = !ls`, `f?`, `pip install x`.
fn is_for_notebook(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_command = words.next().is_some_and(|it| COMMANDS.contains(&it))
        && words
            .next()
            .is_none_or(|it| it.starts_with(char::is_alphabetic));
    let code = line.split(['"', '\'', '#']).next().unwrap_or_default();
    let gives = code.replace("!=", "").contains('!')
        || code
            .split('=')
            .skip(1)
            .any(|it| it.trim_start().starts_with('%'));
    let asks = line.ends_with('?') && !line.contains(['#', '"', '\'']);
    let names = ["IPython", "get_ipython"];
    is_command || gives || asks || names.iter().any(|it| line.contains(it))
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
        let table: [(&[&str], &str); 6] = [
            (&["x = 1\ny = 2", "print(x)\n"], "x = 1\ny = 2\nprint(x)\n"),
            (
                &["%matplotlib inline\n!pip install x\nif a:\n    !ls\nb = a % 2"],
                "# %matplotlib inline\n# !pip install x\nif a:\n    pass  # !ls\nb = a % 2\n",
            ),
            (&["%%time\nf()"], "# %%time\nf()\n"),
            (
                &["s = '''\nwhy? a'''\nprint(\"x =%d\" % x)\na != b  # why?"],
                "s = '''\nwhy? a'''\nprint(\"x =%d\" % x)\na != b  # why?\n",
            ),
            (
                &["# a\\\nx = 'a\\\nb'\ntime = 3\n!ls"],
                "# a\\\nx = 'a\\\nb'\ntime = 3\n# !ls\n",
            ),
            (
                &["%load_ext a\nfrom __future__ import annotations"],
                "# %load_ext a\nfrom __future__ import annotations\n",
            ),
        ];
        for (cells, expected) in table {
            let program = program(notebook(cells).as_bytes()).unwrap();
            assert_eq!(String::from_utf8(program).unwrap(), expected);
        }
        let lines = br#"{"cells": [{"cell_type": "markdown"}, {"cell_type": "raw", "source": null},
            {"cell_type": "code", "outputs": [1], "source": ["a = 1\n", "b = 2"]}], "metadata": METADATA}"#;
        for (metadata, is_python) in [
            ("null", true),
            ("{}", true),
            (r#"{"language_info": {}}"#, true),
            (r#"{"language_info": {"name": "python"}}"#, true),
            (
                r#"{"kernelspec": {"name": "env", "language": "python"}}"#,
                true,
            ),
            (r#"{"kernelspec": {"name": "python3"}}"#, true),
            (
                r#"{"kernelspec": {"name": "python2", "language": "python"}}"#,
                false,
            ),
            (
                r#"{"kernelspec": {"name": "ir", "display_name": "R"}}"#,
                false,
            ),
            (
                r#"{"kernelspec": {"name": "julia-1.9", "language": "julia"}}"#,
                false,
            ),
            (r#"{"language_info": {"name": "R"}}"#, false),
        ] {
            let text = String::from_utf8_lossy(lines).replace("METADATA", metadata);
            let program = program(text.as_bytes()).ok();
            let expected = is_python.then(|| b"a = 1\nb = 2\n".to_vec());
            assert_eq!(program, expected, "{metadata}");
        }
    }

    #[test]
    fn what_only_a_notebook_understands_leaves_it_open() {
        for cell in [
            "%time f()",
            "%timeit f()",
            "%run a.py",
            "%cd data",
            "%pylab",
            "%%writefile a.py\nx",
            "%%bash\nls",
            "%%capture\nprint(1)",
            "%%time f()\nprint(1)",
            "x = 1\n%%time",
            "x = !ls",
            "x= %time f()",
            "for x in !ls:\n    y",
            "!python a.py",
            "!ls > a.txt",
            "!pip install a \\\n b",
            "len?",
            "?len",
            "pip install numpy",
            "ls",
            "s = '''\n%pip\n'''",
            "t = (1\n%config)",
            "u = 3 \\\n%config",
            "# a\\\n!ls",
            "x = 1 \\",
            "get_ipython().system('ls')",
            "from IPython.display import display",
            "if y:\n    display(y)",
        ] {
            let why = program(notebook(&["y = 1", cell]).as_bytes()).unwrap_err();
            assert!(why.en.contains("works only in a notebook"), "{cell}");
        }
    }

    #[test]
    fn many_lines_for_the_notebook_are_read_at_once() {
        let cell = "!ls\n".repeat(1 << 18);
        let program = program(notebook(&[&cell]).as_bytes()).unwrap();
        assert_eq!(program, "# !ls\n".repeat(1 << 18).into_bytes());
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
            &format!(
                r#"{{"cells": [{{"cell_type": "code", "source": [0{}]}}]}}"#,
                ",0".repeat(1 << 20)
            ),
            &deep,
            &nested,
            &r,
            &notebook(&["  \n"]),
        ] {
            assert_eq!(
                program(text.as_bytes()),
                Err(reason::no_notebook()),
                "{}",
                &text[..text.len().min(80)]
            );
        }
    }

    #[test]
    fn the_program_has_the_name_of_the_notebook() {
        let names = ["b.ipynb", "b.IPYNB"].map(program_name);
        assert_eq!(names, ["b.py", "b.py"]);
    }
}
