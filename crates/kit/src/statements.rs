//! Statements of problems, and the pictures that they show.

use std::borrow::Cow;
use std::collections::BTreeMap;

use grader_model::{Lang, ProblemId, SourceFile};
use grader_problem::{Answer, Assignment, CaseRef, Library, Problem, SubmissionKind};
use grader_report::{picture_data, statement};

/// A larger picture is not on pages: each student's page contains all pictures.
pub const MAX_PICTURE_BYTES: usize = 256 << 10;

/// Headings on students' pages begin below the title of the problem.
const BELOW: usize = 2;

/// Extensions of pictures and documents.
const SHOWN: [&str; 7] = ["gif", "jpeg", "jpg", "pdf", "png", "svg", "webp"];

/// Whether a file is the statement of a problem: `statement.md`, or `statement.en.pdf` in a language.
pub fn is_statement(name: &str) -> bool {
    match name.split('.').collect::<Vec<_>>()[..] {
        ["statement", _] => true,
        ["statement", language, _] => language.len() == 2,
        _ => false,
    }
}

/// The local pictures and PDFs that a statement in Markdown or HTML shows or links to, with the numbers of their lines.
/// Their paths are relative to the statement, without `..`.
pub fn pictures(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for (begin, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
            for rest in line.split(begin).skip(1) {
                let target = rest.split(end).next().unwrap_or_default().trim();
                // A title may follow: `![sum](sum.png "the sum")`.
                let target = match target.strip_prefix('<') {
                    Some(target) => target.split('>').next(),
                    None => target.split([' ', '#', '?']).next(),
                };
                let path = target.unwrap_or_default().replace("%20", " ");
                let path = path.strip_prefix("./").unwrap_or(&path);
                let extension = path.rsplit_once('.').map_or("", |(_, it)| it);
                let is_shown = SHOWN.contains(&extension.to_lowercase().as_str());
                let is_below = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
                if is_shown && is_below && !path.contains([':', '\\']) {
                    found.push((number, path.to_owned()));
                }
            }
        }
    }
    found
}

/// A line of a statement in place of which its samples stand.
pub const SAMPLES: &str = "{{samples}}";

/// Public cases that a statement shows.
const MAX_SAMPLES: usize = 5;

/// The public cases of a problem with an answer of the author's, as Markdown in the language of the statement with this name;
/// empty if there are none.
pub fn samples(problem: &Problem, name: &str) -> String {
    let lang = if name.ends_with(".zh.md") {
        Lang::Zh
    } else {
        Lang::En
    };
    // The answers of outputs are what students submit.
    let has_samples = problem.submission.kind == SubmissionKind::Program;
    let public = CaseRef::all(problem)
        .filter(|at| has_samples && !at.subtask.hidden && at.case.generator.is_none())
        // For nobody in particular, they are other ones.
        .filter(|at| at.case.unfilled.is_none() || !problem.needs_student());
    let answered = public.filter_map(|at| match &at.case.answer {
        Answer::Given(answer) => Some((at.case, answer)),
        Answer::Reference | Answer::Input | Answer::None => None,
    });
    let mut text = String::new();
    for (number, (case, answer)) in (1..).zip(answered.take(MAX_SAMPLES)) {
        let (title, [input, output, arguments]) = match (lang, &case.second_run) {
            (Lang::En, None) => ("Example", ["Input:", "Output:", "Arguments:"]),
            (Lang::Zh, None) => ("样例", ["输入：", "输出：", "参数："]),
            (Lang::En, Some(_)) => (
                "Example",
                [
                    "Input of the first run:",
                    "Output of the second run:",
                    "Arguments of the first run:",
                ],
            ),
            (Lang::Zh, Some(_)) => (
                "样例",
                [
                    "第一次运行的输入：",
                    "第二次运行的输出：",
                    "第一次运行的参数：",
                ],
            ),
        };
        text += &["**", title, " ", &number.to_string(), "**\n\n"].concat();
        let arguments = (arguments, case.arguments.join(" ").into_bytes());
        let parts = [arguments, (input, case.input.to_vec())];
        for (label, bytes) in parts.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
            text += &block(label, &bytes);
        }
        text += &block(output, answer);
    }
    text
}

/// Text in a block of Markdown, which a longer row of backticks ends than any in it.
fn block(label: &str, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!(
        "{label}\n\n{fence}text\n{}\n{fence}\n\n",
        text.trim_end_matches('\n')
    )
}

/// A statement in Markdown, with its samples and the student's values filled in; for nobody in particular, with the names of these.
pub fn filled(text: &str, problem: &Problem, name: &str) -> String {
    let own = problem.own.as_ref();
    let text = own.map_or_else(|| text.to_owned(), |it| it.in_statement(text));
    let lines = text.split_inclusive('\n');
    let filled = lines.map(|line| match line.trim() {
        SAMPLES => samples(problem, name).into(),
        _ => Cow::Borrowed(line),
    });
    filled.collect()
}

/// The statements in Markdown as parts of students' pages, by the names of their files.
pub fn for_pages(
    library: &dyn Library,
    assignment: &Assignment,
) -> BTreeMap<ProblemId, Vec<SourceFile>> {
    let problems = assignment.problems.iter().map(|entry| {
        let problem = &*entry.problem;
        let entries = library
            .list(&problem.folder)
            .unwrap_or_default()
            .into_iter();
        let names = entries.map(|it| it.name);
        let names = names.filter(|name| is_statement(name) && name.strip_suffix(".md").is_some());
        let statements = names.filter_map(|name| {
            let text = library.read(&below(&problem.folder, &name)).ok()?;
            let picture = |path: &str| picture(library, &problem.folder, path);
            let text = filled(&String::from_utf8_lossy(&text), problem, &name);
            let html = statement(&text, BELOW, &picture).html;
            Some(SourceFile::new(name, html.into_bytes()))
        });
        (problem.id.clone(), statements.collect())
    });
    problems.collect()
}

/// A picture in a problem's folder as an address that contains it, unless it is too large.
pub fn picture(library: &dyn Library, folder: &str, path: &str) -> Option<String> {
    let bytes = library.read(&below(folder, path)).ok()?;
    let is_small = bytes.len() <= MAX_PICTURE_BYTES;
    is_small.then(|| picture_data(path, &bytes)).flatten()
}

/// A path in a folder, which may be the root of its library.
pub fn below(folder: &str, path: &str) -> String {
    format!("{folder}/{path}")
        .trim_start_matches('/')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use grader_language::Languages;
    use grader_problem::{MemoryLibrary, load_problem};

    use super::{filled, is_statement, pictures};

    #[test]
    fn samples_are_the_public_cases_with_an_answer() {
        let mut library = MemoryLibrary::default();
        let text = "format = 1\nid = \"sum\"\ntitle = \"Sum\"\n[submission]\nfiles = [\"sum.*\"]\n[limits]\n\
                    time = \"1 s\"\n[checker.tokens]\n\
                    [[subtask]]\nname = \"public\"\npoints = 1\n\
                    [[subtask.case]]\nname = \"a\"\nstdin = \"1 2\\n\"\nanswer = \"3\\n\"\n\
                    [[subtask.case]]\nname = \"b\"\narguments = [\"x\"]\nanswer = \"```\\n\"\n\
                    [[subtask]]\nname = \"hidden\"\npoints = 1\nhidden = true\n\
                    [[subtask.case]]\nname = \"c\"\nstdin = \"secret\"\nanswer = \"3\"\n";
        library.insert("sum/problem.toml", text);
        let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
        assert_eq!(
            filled("# Sum\n\n{{samples}}\nEnd\n", &problem, "statement.md"),
            "# Sum\n\n\
             **Example 1**\n\nInput:\n\n```text\n1 2\n```\n\nOutput:\n\n```text\n3\n```\n\n\
             **Example 2**\n\nArguments:\n\n```text\nx\n```\n\nOutput:\n\n````text\n```\n````\n\n\
             End\n"
        );
        let chinese = filled("{{samples}}", &problem, "statement.zh.md");
        assert!(chinese.starts_with("**样例 1**\n\n输入：\n\n```text\n1 2\n```\n\n输出："));
        library.insert(
            "sum/problem.toml",
            text.replace("[limits]", "[second-run]\n[limits]"),
        );
        let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
        let second = "Output of the second run:\n\n";
        assert_eq!(
            filled("{{samples}}", &problem, "statement.md"),
            format!(
                "**Example 1**\n\nInput of the first run:\n\n```text\n1 2\n```\n\n{second}```text\n3\n```\n\n\
                 **Example 2**\n\nArguments of the first run:\n\n```text\nx\n```\n\n{second}````text\n```\n````\n\n"
            )
        );
    }

    #[test]
    fn local_pictures_are_found_in_markdown_and_html() {
        let text = "![](a.png) and ![b](./img/b%20c.SVG \"title\")\n\
                    <img src=\"d.jpg\" alt=\"\"> [PDF](<e f.pdf>) [page](g.pdf#page=2)\n\
                    ![](https://example.org/a.png) ![](../a.png) ![](/a.png) [code](solution.py) a[i](png)\n";
        let found: Vec<_> = pictures(text);
        let found: Vec<(usize, &str)> = found.iter().map(|(line, path)| (*line, &**path)).collect();
        assert_eq!(
            found,
            [
                (1, "a.png"),
                (1, "img/b c.SVG"),
                (2, "e f.pdf"),
                (2, "g.pdf"),
                (2, "d.jpg")
            ]
        );
    }

    #[test]
    fn a_statement_may_be_in_a_language() {
        for (name, expected) in [
            ("statement.md", true),
            ("statement.zh.pdf", true),
            ("statement-solution.md", false),
            ("statement.old.md", false),
        ] {
            assert_eq!(is_statement(name), expected, "{name}");
        }
    }
}
