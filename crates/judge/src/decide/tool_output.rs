//! Reads what a tool says about sources: lines as GCC writes them, `file:line:column: message`, or SARIF 2.1.0
//! (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use grader_model::{Excerpt, Points, Remark, Text, counted, escaped, text};
use serde::Deserialize;

use crate::constants::{MAX_TOOL_MESSAGE_BYTES, MAX_TOOL_REMARKS};

/// Where a tool found the sources.
pub(crate) struct Places<'a> {
    /// The folder in which it was started.
    pub(crate) started: &'a Path,
    /// The folder of the sources.
    pub(crate) sources: &'a Path,
    /// The student's files as the student named them, by their paths in that folder.
    pub(crate) files: &'a BTreeMap<String, &'a str>,
}

/// The remarks of a tool on the student's files, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remarks {
    /// The first of them.
    pub(crate) told: Vec<Remark>,
    /// How many there are.
    pub(crate) count: usize,
}

/// What a tool has written.
pub(crate) struct Written {
    /// Its exit status.
    pub(crate) status: i32,
    /// Standard output, and standard error.
    pub(crate) outputs: [Vec<u8>; 2],
}

/// What a tool says of a submission, or why that is not known.
pub(crate) type Checked = Result<Remarks, Text>;

impl Places<'_> {
    /// The name of the student's file at a path, or at a URI; `None` if it is not the student's.
    fn name(&self, path: &str) -> Option<&str> {
        let of = |folder: &Path| {
            let path = plain(&folder.join(path));
            let below = path.strip_prefix(self.sources).ok()?.to_str()?;
            self.files.get(below).copied()
        };
        of(self.started).or_else(|| of(self.sources))
    }
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// The remarks in what a tool has written, or why they cannot be known.
///
/// Linters end with a status other than 0 if they have something to say. Without a remark, such a status is a failure; so is one
/// with which shells say that a command was not found or killed, unless the output is complete.
pub(crate) fn remarks(check: &str, written: &Written, places: &Places<'_>) -> Checked {
    let Written { status, outputs } = written;
    let (mut remarks, mut is_complete) = (BTreeSet::new(), false);
    // Without a sandbox of namespaces, the folder has another name each time.
    let folder = format!("{}/", places.sources.display());
    let shown = |text: &str| {
        let text = text.replace(&folder, "");
        Excerpt::first(text.as_bytes(), MAX_TOOL_MESSAGE_BYTES).to_string()
    };
    for output in outputs {
        let output = output.strip_prefix(b"\xef\xbb\xbf").unwrap_or(output);
        let output = output.trim_ascii_start();
        if output.starts_with(b"\xff\xfe") || output.contains(&0) {
            return Err(Text::new("its output is not UTF-8", "它的输出不是 UTF-8"));
        }
        if output.starts_with(b"{") {
            remarks.extend(sarif(check, output, places)?);
            is_complete = true;
        } else if is_foreign(output) {
            return Err(Text::new(
                "its output is JSON or XML, but not SARIF",
                "它的输出是 JSON 或 XML，但不是 SARIF",
            ));
        } else {
            let text = without_colours(&String::from_utf8_lossy(output));
            if text.lines().any(|it| it.trim_start().starts_with("{\"")) {
                return Err(Text::new(
                    "its output is JSON with other text: leave out the other text",
                    "它的输出在 JSON 之外还有其他文字：请去掉其他文字",
                ));
            }
            remarks.extend(in_lines(check, &text, places));
        }
    }
    if *status != 0 && remarks.is_empty() || *status > 125 && !is_complete {
        let lines = outputs
            .iter()
            .rev()
            .flat_map(|it| it.split(|byte| *byte == b'\n'));
        let first = lines.map(<[u8]>::trim_ascii).find(|it| !it.is_empty());
        let first = shown(&String::from_utf8_lossy(first.unwrap_or_default()));
        return Err(text!(
            "it failed with exit status {status}: {first}",
            "它运行失败，退出码为 {status}：{first}"
        ));
    }
    let count = remarks.len();
    let told = remarks.into_iter().take(MAX_TOOL_REMARKS);
    let told = told.map(|it| Remark {
        message: shown(&it.message),
        ..it
    });
    let told = told.collect();
    Ok(Remarks { told, count })
}

/// Whether an output is JSON or XML: its lines are no remarks, but it may have some.
fn is_foreign(output: &[u8]) -> bool {
    match output.split_first() {
        Some((b'<', _)) => true,
        Some((b'[', rest)) => matches!(rest.trim_ascii_start(), [b'{' | b'[' | b']', ..]),
        _ => false,
    }
}

/// A text without the control sequences with which tools colour it.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_inside = |c: char| c.is_ascii_digit() || matches!(c, ';' | ':');
        let rest = part.trim_start_matches(is_inside);
        match rest.strip_prefix(['m', 'K']) {
            Some(rest) => plain.push_str(rest),
            None => plain.extend(["\x1b[", part]),
        }
    }
    plain
}

impl Remarks {
    /// How many there are, and what each takes: 2 remarks of `ruff`, 0.5 points each.
    pub(crate) fn sentence(&self, check: &str, each: Option<Points>) -> Text {
        let Self { told, count } = self;
        let remarks = counted(*count as u64, "remark", "remarks");
        let mut sentence = text!("{remarks} of `{check}`", "`{check}` 指出 {count} 处问题");
        if let Some(each) = each.filter(|_| *count > 0) {
            let points = if each == Points::whole(1) {
                "point"
            } else {
                "points"
            };
            sentence = text!(
                "{sentence}, {each} {points} each",
                "{sentence}，每处扣 {each} 分",
                sentence
            );
        }
        match told.len() {
            all if all == *count => sentence,
            first => text!(
                "{sentence}; the first {first} are told",
                "{sentence}；列出前 {first} 处",
                sentence
            ),
        }
    }
}

/// The remarks in lines as GCC writes them: `file:line: message` or `file:line:column: message`, after `[ERROR]` or the like.
/// Other lines are none.
fn in_lines(check: &str, text: &str, places: &Places<'_>) -> BTreeSet<Remark> {
    let remark = |line: &str| {
        let line = line.trim_end();
        let line = match line.strip_prefix('[').and_then(|it| it.split_once("] ")) {
            Some((_, rest)) => rest,
            None => line,
        };
        let (path, rest) = line.split_once(':')?;
        let (number, mut rest) = rest.split_once(':')?;
        let line = number.parse().ok()?;
        let mut column = None;
        if let Some((number, message)) = rest.split_once(':')
            && let Ok(number) = number.parse()
        {
            (column, rest) = (Some(number), message);
        }
        let message = rest.strip_prefix([' ', '\t'])?.trim();
        // GCC explains a warning in notes; a note with the name of a rule is a remark of its own, as those of ShellCheck.
        let is_note = message.starts_with("note:") && !message.ends_with(']');
        let file = places
            .name(path)
            .filter(|_| !message.is_empty() && !is_note)?;
        Some(Remark {
            check: check.to_owned(),
            file: escaped(file.as_bytes()),
            line,
            column,
            message: message.to_owned(),
        })
    };
    text.lines().filter_map(remark).collect()
}

/// A log in SARIF, as far as it is read.
#[derive(Deserialize)]
struct Sarif {
    runs: Vec<SarifRun>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun {
    results: Option<Vec<SarifResult>>,
    #[serde(default)]
    artifacts: Vec<Artifact>,
    #[serde(default)]
    invocations: Vec<Invocation>,
    tool: Option<SarifTool>,
}

#[derive(Deserialize)]
struct SarifTool {
    driver: Option<Driver>,
}

#[derive(Deserialize)]
struct Driver {
    #[serde(default)]
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: Option<String>,
    #[serde(default)]
    message_strings: BTreeMap<String, Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: Option<bool>,
}

#[derive(Deserialize)]
struct Artifact {
    location: Option<ArtifactLocation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: Option<String>,
    /// -1 if there is none.
    rule_index: Option<i64>,
    kind: Option<String>,
    message: Message,
    #[serde(default)]
    locations: Vec<Location>,
    #[serde(default)]
    suppressions: Vec<Suppression>,
}

#[derive(Deserialize)]
struct Message {
    text: Option<String>,
    /// The name of one of the rule's texts, in which the arguments take the place of `{0}`, `{1}` and so on.
    id: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
}

#[derive(Deserialize)]
struct Suppression {
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Option<PhysicalLocation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Option<ArtifactLocation>,
    region: Option<Region>,
}

#[derive(Deserialize)]
struct ArtifactLocation {
    uri: Option<String>,
    index: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: Option<usize>,
    start_column: Option<usize>,
}

/// The results of a log in SARIF, or why it cannot be read.
fn sarif(check: &str, json: &[u8], places: &Places<'_>) -> Result<BTreeSet<Remark>, Text> {
    let read: Result<Sarif, _> = serde_json::from_slice(json);
    let log = read.map_err(|error| {
        let error = Excerpt::first(error.to_string().as_bytes(), MAX_TOOL_MESSAGE_BYTES);
        text!(
            "its output is not SARIF: {error}",
            "它的输出不是 SARIF：{error}"
        )
    })?;
    let mut invocations = log.runs.iter().flat_map(|run| &run.invocations);
    if invocations.any(|it| it.execution_successful == Some(false)) {
        return Err(Text::new("it says that it failed", "它报告自己运行失败"));
    }
    let mut remarks = BTreeSet::new();
    for run in &log.runs {
        let results = run.results.iter().flatten();
        remarks.extend(results.filter_map(|it| remark(check, it, run, places)));
    }
    Ok(remarks)
}

/// The remark that is a result of a log in SARIF; `None` if it is no problem, or not in a file of the student's.
fn remark(
    check: &str,
    result: &SarifResult,
    run: &SarifRun,
    places: &Places<'_>,
) -> Option<Remark> {
    let is_problem = result.kind.as_deref().is_none_or(|it| it == "fail");
    // What a comment in the source suppresses counts: a student could suppress everything.
    let mut suppressions = result.suppressions.iter();
    let is_suppressed = suppressions.any(|it| it.kind == "external");
    if !is_problem || is_suppressed {
        return None;
    }
    let place = result.locations.first()?.physical_location.as_ref()?;
    let location = place.artifact_location.as_ref()?;
    let of_run = || {
        run.artifacts
            .get(location.index?)?
            .location
            .as_ref()?
            .uri
            .as_ref()
    };
    let file = places.name(&path_of(location.uri.as_ref().or_else(of_run)?))?;
    let region = place.region.as_ref();
    let rule = rule_of(result, run);
    let words = words_of(&result.message, rule);
    let words = words.trim();
    let named = rule.and_then(|it| it.id.as_ref());
    Some(Remark {
        check: check.to_owned(),
        file: escaped(file.as_bytes()),
        line: region.and_then(|it| it.start_line).unwrap_or(1),
        column: region.and_then(|it| it.start_column),
        message: match result.rule_id.as_ref().or(named) {
            Some(rule) => format!("{words} [{rule}]"),
            None => words.to_owned(),
        },
    })
}

/// The rule that a result is about.
fn rule_of<'a>(result: &SarifResult, run: &'a SarifRun) -> Option<&'a Rule> {
    let rules = &run.tool.as_ref()?.driver.as_ref()?.rules;
    let index = result.rule_index.and_then(|it| usize::try_from(it).ok());
    let by_index = index.and_then(|it| rules.get(it));
    by_index.or_else(|| rules.iter().find(|it| it.id == result.rule_id))
}

/// A message, or the text of the rule that it names.
fn words_of(message: &Message, rule: Option<&Rule>) -> String {
    let of_rule = || {
        let texts = &rule?.message_strings;
        let template = texts.get(message.id.as_ref()?)?.text.as_ref()?;
        let numbered = message.arguments.iter().enumerate();
        Some(numbered.fold(template.clone(), |text, (number, argument)| {
            text.replace(&format!("{{{number}}}"), argument)
        }))
    };
    let own = message.text.clone();
    own.or_else(of_rule).unwrap_or_default()
}

/// The path in a URI of a file, its `%20` decoded.
fn path_of(uri: &str) -> String {
    let path = match uri.strip_prefix("file://") {
        // After the name of a machine.
        Some(rest) => rest.find('/').map_or(rest, |at| &rest[at..]),
        None => uri.strip_prefix("file:").unwrap_or(uri),
    };
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let [first, others @ ..] = rest {
        let digits = others.get(..2).and_then(|it| std::str::from_utf8(it).ok());
        let decoded = digits
            .filter(|_| *first == b'%')
            .and_then(|it| u8::from_str_radix(it, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() {
            &others[2..]
        } else {
            others
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests;
