//! Flags for the instructor, raised by sources and times. They change neither verdicts nor points.
//!
//! * `forbidden-token` and `required-token-missing`, by the rules of `[source]`.
//! * `answers-in-source`: detects programs that look up their answers instead of computing them. Answers, and their
//!   quotients by `divided-by`, are searched for as numbers in any base, as digits in a string, and as digits split
//!   over a list. Small numbers, which occur by chance, are not searched for.
//! * `report-incomplete`, `second-report` and `test-missing`: how a submission may have manipulated the harness of unit
//!   tests with which it shares a process.
//! * `faster-than-known` and `time-does-not-grow`. A program's start-up time is its median time in much smaller cases.
//!   It varies from run to run, by a third in a JVM or CPython, so each subtraction of it has a tolerance of half.

use std::collections::BTreeMap;
use std::time::Duration;

use grader_language::{Language, SourceText, Token, TokenKind, find_tokens, position};
use grader_model::{
    CaseName, CaseResult, CpuTime, Excerpt, Flag, FlagEvidence, SourcePlace, SubtaskResult, Text,
    Verdict, escaped, text,
};
use grader_problem::{AnswerRule, Case, FlatRule, Problem, SourceRule, TokenRule};

use crate::constants::{MAX_FLAG_EXCERPT_BYTES, MAX_FLAG_LISTED, MAX_FLAG_PLACES};

/// Numbers of fewer digits count only on their own, not inside a longer sequence of digits.
const DIGITS_IN_A_ROW: usize = 6;
/// Shorter times are lost in the noise of starting a process.
const NOISE: Duration = Duration::from_millis(2);
/// Shortest time of the fastest honest program in a case that can show that a program is too fast.
const TOO_SHORT: Duration = Duration::from_micros(500);
/// A case is much smaller than another if the reference takes at most 1/100 of the time.
const MUCH_SMALLER: u32 = 100;
/// Precision of the CPU clock: shorter times count as this much in a ratio.
const CLOCK: Duration = Duration::from_micros(100);

/// A source and its tokens.
struct Read<'a> {
    /// Its path in the student's folder.
    shown: String,
    text: &'a str,
    tokens: Vec<Token<'a>>,
}

/// The answer of a case that was run.
pub(crate) struct KnownAnswer {
    pub(crate) case: CaseName,
    pub(crate) answer: u64,
}

/// Flags of sources, which reports call `shown`. `answers` has the answers of the cases that were run; if `None`, only
/// rules that reject a source count.
pub(crate) fn source_flags(
    rule: &SourceRule,
    language: &Language,
    sources: &[SourceText<'_>],
    shown: &[String],
    answers: Option<&[KnownAnswer]>,
) -> Vec<Flag> {
    let named = sources.iter().enumerate();
    let read: Vec<Read<'_>> = named
        .map(|(index, source)| Read {
            shown: escaped(shown.get(index).unwrap_or(&source.file.path).as_bytes()),
            text: &source.text,
            tokens: source.tokens(language.definition.syntax),
        })
        .collect();
    let counts = |rule: &&TokenRule| rule.refuses || answers.is_some();
    let forbid = rule.forbid.iter().filter(counts);
    let require = rule.require.iter().filter(counts);
    let looked_up = |(rule, answers): (&AnswerRule, _)| looked_up(rule, answers, language, &read);
    forbid
        .filter_map(|rule| forbidden(rule, language, &read))
        .chain(require.filter_map(|rule| missing(rule, language, &read)))
        .chain(rule.answers.as_ref().zip(answers).and_then(looked_up))
        .collect()
}

impl Read<'_> {
    /// Evidence at a byte offset of the source, with its line.
    fn evidence(&self, at: usize, message: Text) -> FlagEvidence {
        let (line, column) = position(self.text, at);
        let ends = ['\n', '\r'];
        let begin = self.text[..at].rfind(ends).map_or(0, |end| end + 1);
        let whole = self.text[begin..].split(ends).next().unwrap_or_default();
        let shown = whole.trim_ascii_start();
        let before = (at - begin).saturating_sub(whole.len() - shown.len());
        let shown = shown.trim_ascii_end().as_bytes();
        FlagEvidence {
            message,
            place: Some(SourcePlace {
                file: self.shown.clone(),
                line,
                column,
            }),
            excerpt: Some(Excerpt::around(shown, before, MAX_FLAG_EXCERPT_BYTES)),
        }
    }
}

fn forbidden(rule: &TokenRule, language: &Language, sources: &[Read<'_>]) -> Option<Flag> {
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        for phrase in rule.phrases(language.id) {
            let mut rest = source.tokens.as_slice();
            while let Some(found) = find_tokens(rest, phrase, language.definition.syntax) {
                places.push((index, rest[found].at, phrase));
                rest = &rest[found + 1..];
            }
        }
    }
    places.sort_unstable();
    let mut found: Vec<&str> = Vec::new();
    for &(_, _, phrase) in &places {
        if !found.contains(&phrase) {
            found.push(phrase);
        }
    }
    let evidence = places
        .iter()
        .take(MAX_FLAG_PLACES)
        .map(|&(index, at, phrase)| {
            let message = format!("`{phrase}`");
            sources[index].evidence(at, Text::new(message.clone(), message))
        });
    let phrases = listed(&found, |phrase| format!("`{phrase}`"));
    let message = text!(
        "the source contains {phrases}, which is not allowed",
        "源程序中用了不允许使用的 {phrases}",
        phrases
    );
    (!found.is_empty()).then(|| {
        let message = because(message, rule.because.as_ref());
        flag("forbidden-token", message, evidence.collect())
    })
}

fn missing(rule: &TokenRule, language: &Language, sources: &[Read<'_>]) -> Option<Flag> {
    let phrases: Vec<&str> = rule.phrases(language.id).collect();
    let is_there = |phrase: &&str| {
        let mut sources = sources.iter();
        sources.any(|it| find_tokens(&it.tokens, phrase, language.definition.syntax).is_some())
    };
    if phrases.is_empty() || phrases.iter().any(is_there) {
        return None;
    }
    let names = listed(&phrases, |phrase| format!("`{phrase}`"));
    let message = match phrases.len() {
        1 => text!(
            "the source does not have {names}",
            "源程序中没有 {names}",
            names
        ),
        _ => text!(
            "the source has none of {names}",
            "源程序中没有用到以下任何一种写法：{names}",
            names
        ),
    };
    let searched = |source: &Read<'_>| {
        let (file, count) = (&source.shown, source.tokens.len());
        plain(text!(
            "{file}: searched {count} tokens",
            "{file}：已查看全部 {count} 个词法单元"
        ))
    };
    let evidence = sources.iter().map(searched).collect();
    let message = because(message, rule.because.as_ref());
    Some(flag("required-token-missing", message, evidence))
}

/// Appends the reason from the problem file.
fn because(message: Text, reason: Option<&Text>) -> Text {
    match reason {
        Some(because) => text!(
            "{message}: {because}",
            "{message}（{because}）",
            message,
            because
        ),
        None => message,
    }
}

/// The value of an answer that consists of one whole number.
pub(crate) fn whole_number(answer: &[u8]) -> Option<u64> {
    std::str::from_utf8(answer).ok()?.trim().parse().ok()
}

/// A number that gives an answer away.
struct Clue {
    number: u64,
    answer: u64,
    /// The answer divided by the number.
    divisor: u64,
    /// The case with this answer; `None` for a number from the problem file.
    case: Option<CaseName>,
}

fn looked_up(
    rule: &AnswerRule,
    cases: &[KnownAnswer],
    language: &Language,
    sources: &[Read<'_>],
) -> Option<Flag> {
    let clues = clues(rule, cases);
    // The first place in a source, by answer.
    let mut found = BTreeMap::new();
    for (index, source) in sources.iter().enumerate() {
        for (clue, form, at) in search(&clues, &source.tokens, language) {
            found.entry(clue.answer).or_insert((index, at, form, clue));
        }
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(|&(index, at, _, clue)| (index, at, clue.answer));
    let answers = listed(&found, |(_, _, _, clue)| clue.answer.to_string());
    let count = found.len();
    let message = text!(
        "the source has {count} of this problem's answers in it: {answers}",
        "源程序中写有本题的 {count} 个答案：{answers}",
        answers
    );
    let evidence = found
        .into_iter()
        .map(|(index, at, form, clue)| sources[index].evidence(at, describe(clue, form)));
    (count >= rule.at_least as usize)
        .then(|| flag("answers-in-source", message, evidence.collect()))
}

/// All numbers to search for, by their value.
fn clues(rule: &AnswerRule, cases: &[KnownAnswer]) -> BTreeMap<u64, Clue> {
    let cases = cases.iter().map(|it| (it.answer, Some(&it.case)));
    let also = rule.also.iter().map(|&number| (number, None));
    let all: Vec<_> = cases.chain(also).collect();
    let mut clues = BTreeMap::new();
    for divisor in std::iter::once(1).chain(rule.divided_by.iter().copied()) {
        for &(answer, case) in &all {
            let number = answer / divisor;
            let is_exact = divisor == 1 || (case.is_some() && answer % divisor == 0);
            if is_exact && number > AnswerRule::ABOVE {
                clues.entry(number).or_insert_with(|| Clue {
                    number,
                    answer,
                    divisor,
                    case: case.cloned(),
                });
            }
        }
    }
    clues
}

/// The form of a number that is not a number literal.
#[derive(Clone, Copy, Default, PartialEq)]
struct Form {
    en: &'static str,
    zh: &'static str,
}

/// Finds clues among the tokens of one source: numbers first, then digits.
fn search<'c>(
    clues: &'c BTreeMap<u64, Clue>,
    tokens: &[Token<'_>],
    language: &Language,
) -> Vec<(&'c Clue, Form, usize)> {
    const IN_A_STRING: Form = Form {
        en: "; in a string",
        zh: "（在字符串中）",
    };
    const SPLIT: Form = Form {
        en: "; split over a list",
        zh: "（拆散在列表中）",
    };
    let value = |token: &Token<'_>| token.value(language.definition.syntax);
    let mut found = Vec::new();
    for token in tokens {
        let clue = value(token).and_then(|it| clues.get(&u64::try_from(it).ok()?));
        found.extend(clue.map(|clue| (clue, Form::default(), token.at)));
    }
    let strings = tokens
        .iter()
        .filter_map(|token| Some((token.at, IN_A_STRING, token.quoted()?.to_owned())));
    let is_literal = |it: &Token<'_>| matches!(it.kind, TokenKind::Number | TokenKind::Quoted);
    let is_joint = |it: &Token<'_>| matches!(it.text, "," | "+");
    // Two or more adjacent literals, separated by nothing, `,` or `+`.
    let lists = tokens.chunk_by(|a, b| {
        is_literal(a) && (is_literal(b) || is_joint(b)) || is_joint(a) && is_literal(b)
    });
    let lists = lists.filter_map(|list| {
        let list: Vec<_> = list.iter().filter(|token| is_literal(token)).collect();
        let digits = list
            .iter()
            .map(|token| match (token.quoted(), value(token)) {
                (Some(text), _) => text.to_owned(),
                (None, Some(value)) => value.to_string(),
                (None, None) => " ".to_owned(),
            });
        (list.len() > 1).then(|| (list[0].at, SPLIT, digits.collect()))
    });
    for (at, form, text) in strings.chain(lists) {
        for row in text.split(|c: char| !c.is_ascii_digit()) {
            let holds = |clue: &&Clue| {
                let written = clue.number.to_string();
                let is_long = written.len() >= DIGITS_IN_A_ROW;
                let is_whole = form == IN_A_STRING && row.trim_start_matches('0') == written;
                is_whole || is_long && row.contains(&written)
            };
            found.extend(clues.values().filter(holds).map(|clue| (clue, form, at)));
        }
    }
    found
}

/// A clue in words: `36856, 1/2 of 73712, the answer of n=13; in a string`.
fn describe(clue: &Clue, form: Form) -> Text {
    let Clue {
        number,
        answer,
        divisor,
        ..
    } = clue;
    let part = match divisor {
        1 => Text::default(),
        _ => text!(", 1/{divisor} of {answer}", "，{answer} 的 1/{divisor}"),
    };
    let case = match &clue.case {
        Some(case) => text!(", the answer of {case}", "，{case} 的答案"),
        None => Text::new(", a number that gives answers away", "，由它可得到答案"),
    };
    text!(
        "{number}{part}{case}{form}",
        "{number}{part}{case}{form}",
        part,
        case,
        form
    )
}

/// Flags raised by the times of a submission's runs.
pub(crate) fn time_flags(problem: &Problem, results: &[SubtaskResult]) -> Vec<Flag> {
    let subtasks = problem.subtasks.iter().zip(results);
    let cases = subtasks.flat_map(|(subtask, result)| subtask.cases.iter().zip(&*result.cases));
    let runs: Vec<Run<'_>> = cases
        .filter_map(|(case, result)| Run::new(case, result))
        .collect();
    let rules = &problem.time_flags;
    let faster = rules.faster_than.and_then(|part| faster(part, &runs));
    let flat = rules.flat.as_ref().and_then(|rule| flat(rule, &runs));
    let flags = faster.into_iter().chain(flat);
    flags
        .map(|flag| Flag {
            message: because(flag.message, rules.because.as_ref()),
            ..flag
        })
        .collect()
}

/// Flags by the evidence of harnesses' reports, which share a process with the submission.
pub(crate) fn report_flags(results: &[SubtaskResult]) -> Vec<Flag> {
    let kinds = [
        (
            "report-incomplete",
            "the tests ended before the report was complete",
            "测试在报告写完之前就结束了",
        ),
        (
            "second-report",
            "a second report was written",
            "写出了第二份报告",
        ),
        (
            "test-missing",
            "tests are missing from the report",
            "报告中缺少测试",
        ),
    ];
    let flags = kinds.into_iter().filter_map(|(code, en, zh)| {
        let cases = results.iter().flat_map(|subtask| &*subtask.cases);
        let has_code = |case: &&CaseResult| case.evidence.iter().any(|it| it.code == code);
        let names: Vec<_> = cases.filter(has_code).map(|case| &case.name).collect();
        let evidence = vec![plain(listed(&names, ToString::to_string))];
        (!names.is_empty()).then(|| flag(code, Text::new(en, zh), evidence))
    });
    flags.collect()
}

/// A run that ended by itself.
struct Run<'a> {
    case: &'a Case,
    is_accepted: bool,
    cpu: Duration,
    reference: Option<Duration>,
}

impl<'a> Run<'a> {
    fn new(case: &'a Case, result: &CaseResult) -> Option<Self> {
        let outcome = result.outcome.as_ref()?;
        outcome.breach.is_none().then_some(Self {
            case,
            is_accepted: result.verdict == Verdict::Accepted,
            cpu: outcome.cpu.0,
            reference: result.reference_time.map(|time| time.0),
        })
    }

    /// The run's time, followed by `more`.
    fn evidence(&self, startup: Duration, more: &Text) -> FlagEvidence {
        let (name, cpu, startup) = (&self.case.name, CpuTime(self.cpu), CpuTime(startup));
        plain(text!(
            "{name}: {cpu} of CPU time, of which start-up takes about {startup}{more}",
            "{name}：CPU 时间 {cpu}，其中启动约 {startup}{more}",
            more
        ))
    }
}

/// Flags accepted runs whose time, without start-up, is less than this fraction of the reference's.
fn faster(part: f64, runs: &[Run<'_>]) -> Option<Flag> {
    let mut names = Vec::new();
    let mut evidence = Vec::new();
    for run in runs.iter().filter(|run| run.is_accepted) {
        let Some(reference) = run.reference else {
            continue;
        };
        let least = reference.mul_f64(part);
        let is_smaller = |it: &&Run<'_>| {
            it.reference
                .is_some_and(|it| it <= reference / MUCH_SMALLER)
        };
        let startup = median(runs.iter().filter(is_smaller)).unwrap_or_default();
        let plausible = startup + startup / 2 + least;
        if least < TOO_SHORT || run.cpu >= plausible {
            continue;
        }
        names.push(run.case.name.as_str());
        let left = run.cpu.saturating_sub(startup).max(CLOCK);
        let times = reference.as_secs_f64() / left.as_secs_f64();
        let (reference, plausible) = (CpuTime(reference), CpuTime(plausible));
        let more = text!(
            "; the reference takes {reference} here, {times:.0} times the rest; {plausible} or more would be plausible",
            "；参考程序在本机用时 {reference}，是该程序除去启动后用时的 {times:.0} 倍；{plausible} 以上才可信"
        );
        evidence.push(run.evidence(startup, &more));
    }
    let listed = listed(&names, |name| (*name).to_owned());
    let message = text!("{listed} took too little time", "{listed} 用时过短", listed);
    (!names.is_empty()).then(|| flag("faster-than-known", message, evidence))
}

/// Flags accepted runs whose time grows too little between two values of a variable. Of several cases with the smaller
/// value, the fastest counts; of those with the larger value, the slowest.
fn flat(rule: &FlatRule, runs: &[Run<'_>]) -> Option<Flag> {
    let over = |run: &Run<'_>| run.case.variables.get(&rule.over)?.parse::<f64>().ok();
    let accepted_at = |value: f64| {
        let is_at = move |run: &&Run<'_>| over(run).is_some_and(|it| it.total_cmp(&value).is_eq());
        runs.iter().filter(|run| run.is_accepted).filter(is_at)
    };
    let from = accepted_at(rule.from).min_by_key(|run| run.cpu)?;
    let to = accepted_at(rule.to).max_by_key(|run| run.cpu)?;
    let is_smaller = |run: &&Run<'_>| over(run).is_some_and(|it| it < rule.from);
    let startup = median(runs.iter().filter(is_smaller)).unwrap_or(from.cpu);
    let base = from.cpu.saturating_sub(startup).max(startup / 2).max(NOISE);
    let plausible = startup + base.mul_f64(rule.at_least);
    if to.cpu >= plausible {
        return None;
    }
    let plausible = CpuTime(plausible);
    let more = text!(
        "; {plausible} or more would be plausible",
        "；{plausible} 以上才可信"
    );
    let evidence = vec![
        from.evidence(startup, &Text::default()),
        to.evidence(startup, &more),
    ];
    let (first, last) = (from.case.name.as_str(), to.case.name.as_str());
    let message = text!(
        "from {first} to {last} the time grew too little",
        "从 {first} 到 {last} 用时增幅过小"
    );
    Some(flag("time-does-not-grow", message, evidence))
}

/// Median time; for an even number of runs, the lower middle one. `None` if there are no runs.
fn median<'a, 'b: 'a>(runs: impl Iterator<Item = &'a Run<'b>>) -> Option<Duration> {
    let mut times: Vec<Duration> = runs.map(|run| run.cpu).collect();
    times.sort_unstable();
    times.get(times.len().checked_sub(1)? / 2).copied()
}

pub(crate) fn flag(code: &str, message: Text, evidence: Vec<FlagEvidence>) -> Flag {
    Flag {
        code: code.to_owned(),
        message,
        evidence,
    }
}

/// Evidence without a place in a source.
pub(crate) const fn plain(message: Text) -> FlagEvidence {
    FlagEvidence {
        message,
        place: None,
        excerpt: None,
    }
}

/// The first [`MAX_FLAG_LISTED`] items and the number of the rest, in both languages.
fn listed<T>(things: &[T], written: impl Fn(&T) -> String) -> Text {
    let first: Vec<String> = things.iter().take(MAX_FLAG_LISTED).map(written).collect();
    let (list, all) = (Text::new(first.join(", "), first.join("、")), things.len());
    match all - first.len() {
        0 => list,
        more => text!("{list} and {more} more", "{list} 等 {all} 个", list),
    }
}

#[cfg(test)]
mod tests;
