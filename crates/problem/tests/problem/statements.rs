//! Statements and READMEs agree with the problem files: sizes, points, limits, languages.
//!
//! `statements.txt` lists the facts that a page must state, with values of the problem file in braces. Each fact must
//! be on the page, every relevant value must be in a fact in each language, and every number on the page must belong to
//! a fact.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::NamedCase;
use grader_problem::{
    Assignment, CaseRef, DiskLibrary, Problem, Subtask, TimeRule, load_assignment,
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const FACTS: &str = include_str!("statements.txt");
const BUILTINS: &[&str] = &[
    "annealing",
    "binomial-parity",
    "board",
    "count",
    "eight-queens",
    "fast-count",
    "first-three",
    "gray-code",
    "gray-grid",
    "hanoi",
    "polynomial",
    "queens-table",
];
/// Sections that teach or demonstrate. Their facts count, but their numbers need no facts.
const TEACHING: &[&str] = &[
    "Example",
    "Examples",
    "Hints",
    "Method",
    "Source",
    "样例",
    "运行示例",
    "提示",
    "方法提示",
    "出处",
];

/// Values from problem files as text, by name.
type Values = BTreeMap<String, String>;

#[test]
fn every_statement_agrees_with_its_problem_file() {
    let mut blocks = blocks();
    let mut mistakes = Vec::new();
    for assignment in ["n-queens", "bit-practice"] {
        for entry in &load(assignment).problems {
            let problem = &*entry.problem;
            let folder = format!("problems/{assignment}/{}", problem.id);
            let facts = blocks.remove(&folder);
            let facts = facts.unwrap_or_else(|| panic!("no facts of {folder}"));
            for zh in [false, true] {
                let page = format!("{folder}/statement.{}.md", if zh { "zh" } else { "en" });
                let (values, required) = values(problem, zh);
                let found = held(&page, &facts, &values, zh, &required);
                mistakes.extend(found.into_iter().map(|it| format!("{page}: {it}")));
            }
        }
    }
    blocks.retain(|page, _| !page.contains("README"));
    assert_eq!(blocks.into_keys().collect::<Vec<_>>(), [""; 0]);
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn the_readmes_agree_with_the_assignments() {
    let mut values = Values::new();
    let mut problems = 0;
    for id in ["n-queens", "bit-practice"] {
        let assignment = load(id);
        let info = assignment.info();
        values.insert(format!("{id}.points"), info.points.to_string());
        values.insert(format!("{id}.bonus"), info.bonus.to_string());
        problems += assignment.problems.len();
        for entry in &assignment.problems {
            let problem = &*entry.problem;
            let own = self::values(problem, false).0.into_iter();
            values.extend(own.map(|(name, value)| (format!("{}.{name}", problem.id), value)));
        }
    }
    for (name, words) in [
        ("problems.en", ["ten", "eleven", "twelve"]),
        ("problems.zh", ["十", "十一", "十二"]),
    ] {
        values.insert(name.to_owned(), words[problems - 10].to_owned());
    }
    let blocks = blocks();
    for page in ["README.md", "README.zh.md", "problems/README.md"] {
        let zh = page.contains(".zh.");
        let mistakes = held(page, &blocks[page], &values, zh, &BTreeSet::new());
        // READMEs have many unrelated numbers.
        let mistakes: Vec<_> = mistakes
            .iter()
            .filter(|it| !it.contains("in no fact"))
            .collect();
        assert!(mistakes.is_empty(), "{page}: {mistakes:#?}");
    }
}

#[test]
fn a_statement_that_differs_is_noticed() {
    let assignment = load("n-queens");
    let (values, required) = values(&assignment.problems[0].problem, false);
    assert_eq!(values["n.max"], "16");
    let facts = |lines: &[&str]| lines.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let checked = |text: &str, lines: &[&str]| compared(text, &facts(lines), &values, false);
    assert_eq!(checked("n ≤ 16", &["= n ≤ {n.max}"]).0, [""; 0]);
    for text in ["n ≤ 160", "n ≤ 16.5", "n ≤ 15"] {
        let found = checked(text, &["= n ≤ {n.max}"]).0;
        assert_eq!(found[0], "must say `n ≤ 16`", "{text}");
    }
    let twice = checked("n ≤ 16 … n ≤ 1 000 000", &["= n ≤ {n.max}"]).0;
    assert_eq!(twice, ["`1000000` is in no fact: … … n ≤ 1000000"]);
    let used = checked("10 points", &["en {small.points} points"]).1;
    assert_eq!(required.difference(&used).count(), required.len() - 1);
}

/// The facts of each page.
fn blocks() -> BTreeMap<String, Vec<String>> {
    let blocks = FACTS.trim_end().split("\n\n").skip(1).map(|block| {
        let (name, facts) = block.split_once('\n').unwrap();
        let name = name.strip_prefix("# ").unwrap().to_owned();
        (name, facts.lines().map(str::to_owned).collect())
    });
    blocks.collect()
}

fn load(assignment: &str) -> Assignment {
    let library = DiskLibrary::new(format!("{ROOT}/problems"));
    load_assignment(&library, assignment, BUILTINS).unwrap()
}

/// The mistakes on a page.
fn held(
    page: &str,
    facts: &[String],
    values: &Values,
    zh: bool,
    required: &BTreeSet<String>,
) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{ROOT}/{page}")).unwrap();
    let (mut mistakes, used) = compared(&text, facts, values, zh);
    let missing = required.difference(&used);
    mistakes.extend(missing.map(|name| format!("no fact has {{{name}}}, {}", values[name])));
    mistakes
}

/// The mistakes in a text, and the values in its facts.
fn compared(
    text: &str,
    facts: &[String],
    values: &Values,
    zh: bool,
) -> (Vec<String>, BTreeSet<String>) {
    let (mut mistakes, mut used) = (Vec::new(), BTreeSet::new());
    let mut taught = false;
    let mut fenced = false;
    // The text that states rules, and the text that teaches.
    let mut parts = [String::new(), String::new()];
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        if let Some(title) = line.strip_prefix("## ") {
            taught = TEACHING.contains(&title);
        }
        let part = &mut parts[usize::from(taught || fenced)];
        part.push_str(line);
        part.push('\n');
    }
    let [rules, teaching] = parts.map(|part| plain(&part, zh));
    let mut rest = rules.clone();
    for fact in facts {
        let (mark, fact) = fact.split_once(' ').unwrap();
        if mark != "=" && (mark == "zh") != zh {
            continue;
        }
        let fact = plain(&filled(fact, values, &mut used), zh);
        let mut texts = [&rules, &teaching].into_iter();
        if !texts.any(|text| find_whole(text, &fact).is_some()) {
            mistakes.push(format!("must say `{fact}`"));
        }
        while let Some(at) = find_whole(&rest, &fact) {
            rest.replace_range(at..at + fact.len(), "…");
        }
    }
    // Code is an example.
    let rest: String = rest.split('`').step_by(2).collect();
    let mut rest = rest.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[at..].find(|c: char| !c.is_ascii_digit() && c != '.');
        let end = end.map_or(rest.len(), |end| at + end);
        let from = rest[..at].char_indices().rev().nth(20).map_or(0, |it| it.0);
        let number = rest[at..end].trim_end_matches('.');
        // 2ⁿ is arithmetic.
        if !rest[end..].starts_with(['ⁿ', 'ᵐ']) {
            let place = rest[from..end].trim();
            mistakes.push(format!("`{number}` is in no fact: {place}"));
        }
        rest = &rest[end..];
    }
    (mistakes, used)
}

/// A fact with its values.
fn filled(fact: &str, values: &Values, used: &mut BTreeSet<String>) -> String {
    let mut text = String::new();
    let mut rest = fact;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap();
        let value = values.get(name);
        let value = value.unwrap_or_else(|| panic!("{fact}: no value {name} in {values:#?}"));
        let names = [name, name.trim_end_matches(".times")];
        used.extend(names.map(str::to_owned));
        text.push_str(before);
        text.push_str(value);
        rest = after;
    }
    text + rest
}

/// A text without differences of layout: line ends, the width of punctuation, blanks in numbers and, in Chinese, all
/// blanks.
fn plain(text: &str, zh: bool) -> String {
    let text: String = text
        .chars()
        .map(|c| match c {
            '，' => ',',
            '：' => ':',
            '；' => ';',
            '（' => '(',
            '）' => ')',
            _ => c,
        })
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut plain = String::new();
    for word in words {
        let digits = word
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(word.len());
        let continues = digits == 3 && plain.ends_with(|c: char| c.is_ascii_digit());
        if !(plain.is_empty() || zh || continues) {
            plain.push(' ');
        }
        plain.push_str(word);
    }
    plain
}

/// The position of one text in another, but not inside a longer number.
fn find_whole(text: &str, part: &str) -> Option<usize> {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let starts = is_digit(part.chars().next());
    let ends = is_digit(part.chars().next_back());
    text.match_indices(part).map(|it| it.0).find(|&at| {
        let mut after = text[at + part.len()..].chars();
        let next = after.next();
        let goes_on = is_digit(next) || (next == Some('.') && is_digit(after.next()));
        !(starts && is_digit(text[..at].chars().next_back()) || ends && goes_on)
    })
}

/// The values of a problem, and the names of those that a statement must mention.
fn values(problem: &Problem, zh: bool) -> (Values, BTreeSet<String>) {
    let mut values = Values::new();
    let mut required = BTreeSet::new();
    let mut must = |values: &mut Values, name: String, value: String| {
        required.insert(name.clone());
        values.insert(name, value);
    };
    values.insert("points".to_owned(), problem.points().to_string());
    for subtask in &problem.subtasks {
        let name = &subtask.name;
        must(
            &mut values,
            format!("{name}.points"),
            subtask.points.to_string(),
        );
        let each = subtask.points.to_f64() / subtask.cases.len() as f64;
        values.insert(format!("{name}.each"), each.to_string());
        values.insert(format!("{name}.cases"), subtask.cases.len().to_string());
        sizes(&mut values, &format!("{name}."), &[subtask], zh);
        if let Some(rule) = subtask.attempts {
            let needed = rule.at_least.unwrap_or_default();
            let runs = rule.runs.to_string();
            let other = values.get("runs").is_some_and(|it| *it != runs);
            assert!(
                !other,
                "the facts know one rule of attempts for each problem"
            );
            must(&mut values, "runs".to_owned(), runs);
            must(&mut values, "needed".to_owned(), needed.to_string());
            values.insert("failures".to_owned(), (rule.runs - needed + 1).to_string());
        }
        if let Some(rule) = &subtask.growth {
            must(
                &mut values,
                format!("{name}.exponent"),
                rule.at_most.to_string(),
            );
        }
    }
    let all: Vec<&Subtask> = problem.subtasks.iter().collect();
    sizes(&mut values, "", &all, zh);
    let cases = || all.iter().flat_map(|it| &it.cases);
    // Variables that some cases lack are arguments in the others.
    let is_everywhere = |variable: &&String| cases().all(|it| it.variables.contains_key(*variable));
    let variables: BTreeSet<&String> = cases().flat_map(|it| it.variables.keys()).collect();
    for variable in variables.into_iter().filter(is_everywhere) {
        if cases().count() == all.len() {
            required.extend(all.iter().map(|it| format!("{}.{variable}", it.name)));
        } else {
            required.extend(["min", "max"].map(|end| format!("{variable}.{end}")));
        }
    }
    limits(&mut values, &mut required, problem, zh);
    (values, required)
}

/// Adds the values of variables, arguments and numbers in inputs: all of them, the smallest and the largest.
fn sizes(values: &mut Values, prefix: &str, subtasks: &[&Subtask], zh: bool) {
    let mut found: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let mut count = 0;
    for case in subtasks.iter().flat_map(|it| &it.cases) {
        let variables = case
            .variables
            .iter()
            .map(|(name, it)| (name.clone(), it.as_str()));
        let arguments = (1..).zip(&case.arguments);
        let arguments = arguments.map(|(index, it)| (format!("{index}"), it.as_str()));
        let input = String::from_utf8_lossy(&case.input);
        let input: Vec<&str> = input.split_whitespace().collect();
        // The last one ends the input.
        count = count.max(input.len().saturating_sub(1));
        let input = input.iter().map(|it| ("input".to_owned(), *it));
        for (name, value) in variables.chain(arguments).chain(input) {
            if let Ok(value) = value.parse() {
                found.entry(name).or_default().insert(value);
            }
        }
    }
    values.insert(format!("{prefix}input.count"), count.to_string());
    for (name, all) in found {
        let (first, last) = (all.first().unwrap(), all.last().unwrap());
        values.insert(format!("{prefix}{name}.min"), first.to_string());
        values.insert(format!("{prefix}{name}.max"), last.to_string());
        values.insert(format!("{prefix}{name}"), listed(&all, zh));
    }
}

/// `4 to 10, 20, 50`.
fn listed(all: &BTreeSet<u64>, zh: bool) -> String {
    let (to, comma) = if zh { ("至", "、") } else { (" to ", ", ") };
    let all: Vec<u64> = all.iter().copied().collect();
    let runs = all.chunk_by(|a, b| a + 1 == *b).flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first}{to}{last}")],
        few => few.iter().map(ToString::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(comma)
}

fn limits(values: &mut Values, required: &mut BTreeSet<String>, problem: &Problem, zh: bool) {
    let mut must = |name: String, value: String| {
        required.insert(name.clone());
        values.insert(name, value);
    };
    let limits = &problem.limits;
    must("memory".to_owned(), limits.memory.to_string());
    must("output".to_owned(), limits.output.to_string());
    let accepted = &problem.submission.languages;
    let names = accepted.iter().map(|&id| problem.languages.name(id));
    let names = names.collect::<Vec<_>>().join(if zh { "、" } else { ", " });
    if accepted.len() < problem.languages.iter().count() {
        must("languages".to_owned(), names);
    }
    for &id in accepted {
        let special = limits.for_language(id);
        let factor = special.time_factor;
        match &limits.time {
            TimeRule::Absolute(time) if (factor - 1.0).abs() > f64::EPSILON => {
                let seconds = time.0.as_secs_f64() * factor;
                must(format!("{id}.time"), seconds.to_string());
            }
            TimeRule::Reference(_) if (factor - 1.0).abs() > f64::EPSILON => {
                must(format!("{id}.times"), times(factor, zh));
            }
            TimeRule::Absolute(_) | TimeRule::Reference(_) => {}
        }
        if let Some(memory) = special.memory {
            must(format!("{id}.memory"), memory.to_string());
        }
    }
    let cases = problem.subtasks.iter().flat_map(|it| &it.cases);
    let mut words = Values::new();
    let mut bound = |name: &str, factor: f64, case: &NamedCase| {
        must(name.to_owned(), factor.to_string());
        words.insert(format!("{name}.times"), times(factor, zh));
        let case = CaseRef::find(problem, case).unwrap().case;
        for (variable, value) in &case.variables {
            must(format!("{name}.{variable}"), value.clone());
        }
    };
    for case in cases {
        if let Some(time) = &case.time {
            let other = time.case.as_ref().unwrap();
            bound(&format!("{}.time", case.name), time.factor, other);
            if let Some(at_most) = &time.at_most {
                let name = format!("{}.at-most", case.name);
                bound(&name, at_most.factor, &at_most.case);
            }
        }
    }
    match &limits.time {
        TimeRule::Absolute(time) => must("time".to_owned(), time.0.as_secs_f64().to_string()),
        TimeRule::Reference(rule) => {
            for (name, it) in [("at-least", &rule.at_least), ("at-most", &rule.at_most)] {
                if let Some(it) = it {
                    bound(name, it.factor, &it.case);
                }
            }
            must("reference".to_owned(), rule.factor.to_string());
        }
    }
    values.extend(words);
}

/// `twice`, `ten times`; in Chinese a number.
fn times(factor: f64, zh: bool) -> String {
    let words = [
        (2.0, "twice"),
        (10.0, "ten times"),
        (20.0, "twenty times"),
        (60.0, "sixty times"),
    ];
    let word = words.iter().find(|it| (it.0 - factor).abs() < f64::EPSILON);
    match word {
        _ if zh => factor.to_string(),
        Some((_, word)) => (*word).to_owned(),
        None => format!("{factor} times"),
    }
}
