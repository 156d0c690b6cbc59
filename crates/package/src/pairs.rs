//! Tests as pairs of files: inputs with their answers, by their names.
//!
//! A word in a path says which of the two a file is: `1.in`, `in/1`, `input1.txt`, `sum.in.1`, `I.1` (USACO), against `1.out`,
//! `1.ans`, `1.a`, `out/1`, `output1.txt`, `O.1`. What is left of the path is the test's key, which both share. A file without
//! such a word is the input of `01.a` if it is called `01`, as in Polygon's `tests`.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{common_folder, file_name, folder_of, natural_order};
use grader_problem::Library;

use crate::constants::MAX_FOLDER_DEPTH;
use crate::error::{PackageError, unsupported};

/// Characters between the parts of a name.
const SEPARATORS: [char; 4] = ['.', '-', '_', ' '];
/// Words in the names of samples, or of their folders.
const SAMPLE: [&str; 5] = ["sample", "samples", "example", "examples", "样例"];

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// What its group is called, by a folder or a prefix; empty if there is none.
    pub(crate) group: String,
    pub(crate) name: String,
    pub(crate) is_sample: bool,
    /// Paths in the package.
    pub(crate) input: String,
    pub(crate) answer: Option<String>,
}

/// Tests in natural order, and the paths that belong to none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs {
    pub(crate) tests: Vec<Pair>,
    pub(crate) others: Vec<String>,
}

/// Files of one test.
#[derive(Default)]
struct Found {
    inputs: Vec<String>,
    answers: Vec<String>,
    plain: Vec<String>,
}

/// All files in a folder of the package and below it.
pub(crate) fn files_in(library: &dyn Library, folder: &str) -> Result<Vec<String>, PackageError> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        if folder.split('/').count() > MAX_FOLDER_DEPTH {
            return unsupported(format!(
                "folders are nested more than {MAX_FOLDER_DEPTH} deep"
            ));
        }
        let entries = library.list(&folder);
        for entry in entries.map_err(|error| PackageError::file(&folder, error))? {
            let path = format!("{folder}/{}", entry.name);
            let path = path.trim_start_matches('/').to_owned();
            let list = if entry.folder {
                &mut folders
            } else {
                &mut files
            };
            if entry.name != "__MACOSX" {
                list.push(path);
            }
        }
    }
    files.sort_by(|a, b| natural_order(a, b));
    Ok(files)
}

/// Pairs files by their names.
///
/// # Errors
/// If several files could be the input, or the answer, of one test.
pub(crate) fn pair(paths: &[String]) -> Result<Pairs, PackageError> {
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for path in paths {
        let (role, key) = key(path);
        let of_test = found.entry(key).or_default();
        let files = match role {
            Some(true) => &mut of_test.answers,
            Some(false) => &mut of_test.inputs,
            None => &mut of_test.plain,
        };
        files.push(path.clone());
    }
    let mut pairs = Pairs::default();
    let mut tests = Vec::new();
    for (key, mut it) in found {
        if it.inputs.is_empty() && it.plain.len() == 1 && !it.answers.is_empty() {
            it.inputs = std::mem::take(&mut it.plain);
        }
        pairs.others.append(&mut it.plain);
        let ([input], [] | [_]) = (&it.inputs[..], &it.answers[..]) else {
            if let ([], answers) = (&it.inputs[..], &mut it.answers) {
                pairs.others.append(answers);
                continue;
            }
            let (what, several) = if it.inputs.len() > 1 {
                ("inputs", it.inputs)
            } else {
                ("answers", it.answers)
            };
            let files = several.join("` and `");
            return unsupported(format!("one test has several {what}: `{files}`"));
        };
        tests.push((key, input.clone(), it.answers.pop()));
    }
    tests.sort_by(|a, b| natural_order(&a.0, &b.0));
    pairs.tests = grouped(&tests);
    pairs.others.sort_by(|a, b| natural_order(a, b));
    Ok(pairs)
}

/// Runs of letters, runs of digits, and the characters between them.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        '0'..='9' => 0,
        _ if c.is_alphanumeric() => 1,
        _ => 2,
    };
    let (mut words, mut start, mut last) = (Vec::new(), 0, None);
    for (at, c) in text.char_indices() {
        if at > 0 && (kind(c) == 2 || last != Some(kind(c))) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    words.push(&text[start..]);
    words
}

/// Whether a path is that of an answer, or of an input, or nobody can tell; and the key of its test.
fn key(path: &str) -> (Option<bool>, String) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_digit = |c: char| c.is_ascii_digit();
    let is_number = |text: &str| text.chars().all(is_digit);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let name = match (stem, &*extension.to_lowercase()) {
        ("I", number) if is_number(number) => format!("in.{number}"),
        ("O", number) if is_number(number) => format!("out.{number}"),
        (_, "txt" | "dat") => stem.to_owned(),
        (_, "a" | "ok" | "sol") => format!("{stem}.out"),
        (_, other) if is_answer(other.trim_end_matches(is_digit)).is_some() || is_number(other) => {
            name.to_owned()
        }
        _ => return (None, path.to_owned()),
    };
    let (mut found, mut left) = (None, String::new());
    for word in words(&format!("{folder}/{name}")) {
        match is_answer(&word.to_lowercase()) {
            None => left += word,
            role => found = role,
        }
    }
    if found.is_none() {
        return (None, path.to_owned());
    }
    let left = left.replace("..", ".");
    let parts = left.split('/').map(|it| it.trim_matches(SEPARATORS));
    let parts: Vec<&str> = parts.filter(|it| !it.is_empty()).collect();
    (found, parts.join("/"))
}

/// Whether a word marks an answer, or an input.
fn is_answer(word: &str) -> Option<bool> {
    match word {
        "in" | "inp" | "input" | "inputs" => Some(false),
        "out" | "ou" | "output" | "outputs" | "ans" | "answer" | "answers" => Some(true),
        _ => None,
    }
}

/// Tests with their groups: folders, or else prefixes if these tell at least two groups of tests apart.
fn grouped(found: &[(String, String, Option<String>)]) -> Vec<Pair> {
    let is_sample = |key: &str| {
        words(key)
            .iter()
            .any(|it| SAMPLE.contains(&&*it.to_lowercase()))
    };
    let secret: Vec<&str> = found
        .iter()
        .map(|it| &*it.0)
        .filter(|it| !is_sample(it))
        .collect();
    let common = secret.iter().skip(1).fold(
        secret.first().copied().map_or("", folder_of),
        |common, key| common_folder(common, folder_of(key)),
    );
    let folder = |key: &str| {
        folder_of(key)
            .strip_prefix(common)
            .unwrap_or_default()
            .trim_matches('/')
            .replace('/', "-")
    };
    let prefixes: Option<BTreeSet<&str>> =
        secret.iter().map(|key| prefix(file_name(key))).collect();
    let has_folders = secret.iter().any(|key| !folder(key).is_empty());
    let has_prefixes =
        !has_folders && prefixes.is_some_and(|it| it.len() > 1 && it.len() < secret.len());
    let pairs = found.iter().map(|(key, input, answer)| {
        let is_sample = is_sample(key);
        let name = if is_sample {
            key.replace('/', "-")
        } else {
            file_name(key).to_owned()
        };
        Pair {
            group: if is_sample {
                "sample".to_owned()
            } else if has_prefixes {
                prefix(&name).unwrap_or_default().to_owned()
            } else {
                folder(key)
            },
            name: if name.is_empty() {
                "1".to_owned()
            } else {
                name
            },
            is_sample,
            input: input.clone(),
            answer: answer.clone(),
        }
    });
    pairs.collect()
}

/// The group in the name of a test: `1` of `1a` and `1-01`, `sub2` of `sub2_3`.
fn prefix(name: &str) -> Option<&str> {
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let head = if head.len() < name.len() {
        head.strip_suffix(SEPARATORS)?
    } else {
        name.strip_suffix(|c: char| c.is_ascii_lowercase())?
    };
    head.ends_with(|c: char| c.is_ascii_digit()).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each test as `group/name: input answer`, in order, then the other files.
    fn paired(paths: &str) -> String {
        let paths: Vec<String> = paths.split_whitespace().map(str::to_owned).collect();
        let pairs = match pair(&paths) {
            Ok(pairs) => pairs,
            Err(error) => return error.to_string(),
        };
        let test = |it: &Pair| {
            let answer = it.answer.as_deref().unwrap_or("?");
            let dot = if it.is_sample { "*" } else { "" };
            format!("{}{dot}/{}: {} {answer}", it.group, it.name, it.input)
        };
        let tests = pairs.tests.iter().map(test);
        let lines: Vec<String> = tests.chain(pairs.others).collect();
        lines.join(", ")
    }

    /// Files, and how they are paired.
    const PAIRED: &str = "
10.in 10.out 2.in 2.ans => /2: 2.in 2.ans, /10: 10.in 10.out
01 01.a 02 02.a => /01: 01 01.a, /02: 02 02.a
in/a.txt out/a.txt in/b out/b => /a: in/a.txt out/a.txt, /b: in/b out/b
I.1 O.1 I.2 O.2 => /1: I.1 O.1, /2: I.2 O.2
input00.txt output00.txt => /00: input00.txt output00.txt
input/input00.txt output/output00.txt => /00: input/input00.txt output/output00.txt
input.1 output.1 in.2 out.2 => /1: input.1 output.1, /2: in.2 out.2
sum1.in sum1.ans => /sum1: sum1.in sum1.ans
sum.in.1 sum.out.1 => /sum.1: sum.in.1 sum.out.1
sum.in1 sum.ou1 => /sum.1: sum.in1 sum.ou1
min-in-tree.in min-in-tree.out => /min--tree: min-in-tree.in min-in-tree.out
A1.IN A1.OUT => /A1: A1.IN A1.OUT
input.txt output.txt => /1: input.txt output.txt
tests/1.in tests/1.out => /1: tests/1.in tests/1.out
数据1.in 数据1.out => /数据1: 数据1.in 数据1.out
1a.in 1a.out 1b.in 1b.out 2a.in 2a.out => 1/1a: 1a.in 1a.out, 1/1b: 1b.in 1b.out, 2/2a: 2a.in 2a.out
1-1.in 1-1.out 1-2.in 1-2.out 2-1.in 2-1.out => 1/1-1: 1-1.in 1-1.out, 1/1-2: 1-2.in 1-2.out, 2/2-1: 2-1.in 2-1.out
s1_1.in s1_1.out s2_1.in s2_1.out s2_2.in s2_2.out => s1/s1_1: s1_1.in s1_1.out, s2/s2_1: s2_1.in s2_1.out, s2/s2_2: s2_2.in s2_2.out
data/s1/1.in data/s1/1.out data/s2/1.in data/s2/1.out => s1/1: data/s1/1.in data/s1/1.out, s2/1: data/s2/1.in data/s2/1.out
1-01.in 1-01.out 1-02.in 1-02.out => /1-01: 1-01.in 1-01.out, /1-02: 1-02.in 1-02.out
1-1.in 1-1.out 2-1.in 2-1.out => /1-1: 1-1.in 1-1.out, /2-1: 2-1.in 2-1.out
sample1.in sample1.out 1.in 1.out => /1: 1.in 1.out, sample*/sample1: sample1.in sample1.out
in/sample/1 out/sample/1 in/x out/x => sample*/sample-1: in/sample/1 out/sample/1, /x: in/x out/x
1.in 1.out 2.out 01 input.md a.h => /1: 1.in 1.out, 01, 2.out, a.h, input.md
1.in 2.in 2.out => /1: 1.in ?, /2: 2.in 2.out
1.in 1.ans 1.out => one test has several answers: `1.ans` and `1.out`
1.in in/1.txt 1.out => one test has several inputs: `1.in` and `in/1.txt`";

    #[test]
    fn files_are_paired_as_the_judges_name_them() {
        for row in PAIRED.lines().skip(1) {
            let (paths, expected) = row.split_once(" => ").unwrap();
            assert_eq!(paired(paths), expected);
        }
    }
}
