//! Samples that fail for a reason that says nothing about the cases.

use grader_language::Languages;
use grader_model::{SampleResult, Verdict};

/// What Python, linkers and `javac` say if a name is not there.
const NOT_FOUND: [&str; 4] = [
    "ModuleNotFoundError: No module named '",
    "ImportError: cannot import name ",
    "undefined reference to ",
    "error: cannot find symbol",
];

/// A warning about a sample that is as expected, but only because a file of the author's does not find its code.
pub(crate) fn not_found(sample: &SampleResult, languages: &Languages) -> Option<String> {
    let found = &sample.found;
    let cases = || found.subtasks.iter().flat_map(|subtask| &*subtask.cases);
    let passes = cases().any(|case| case.verdict == Verdict::Accepted);
    if passes || sample.expected == Verdict::Accepted || !sample.holds() {
        return None;
    }
    let build = found.build.as_ref().and_then(|it| it.messages.as_ref());
    let build = build.filter(|_| found.verdict == Verdict::CompileError);
    let output = build.or_else(|| cases().find_map(|case| case.stderr.as_deref()));
    let text = &output?.text;
    let at = NOT_FOUND.iter().find_map(|it| text.find(it))?;
    // The file stands before the message: `main.c:3:`, `File "main.py", line 1`.
    let parts = text[..at].rsplit(|c: char| c.is_whitespace() || "\"/(:".contains(c));
    let mut files = parts.filter(|it| languages.of_file_name(it).is_some());
    let file = files.next()?;
    let mut own = found.files.iter().map(|it| it.rsplit('/').next());
    if own.any(|name| name == Some(file)) {
        return None;
    }
    let message = text[at..].lines().next().unwrap_or_default();
    let module = message.strip_prefix(NOT_FOUND[0]);
    let advice = module.and_then(|it| it.strip_suffix('\''));
    let advice = advice.map_or_else(String::new, |it| format!("; name it `{it}.py`"));
    Some(format!(
        "fails only because `{file}` does not find its code: {message}{advice}"
    ))
}
