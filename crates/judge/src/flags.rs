//! Flags for the instructor: what to look at in sources and in times. They change no verdict and no points.
//!
//! * `forbidden-token` and `required-token-missing`, by the rules of `[source]`.
//! * `answers-in-source`: a program that looks its answers up does not compute them. An answer is looked for as it is,
//!   halved, and divided by eight (the boards of one symmetry class): as a number in any base, as decimal or hexadecimal
//!   digits in a string, and as digits that are split over the parts of a list. Small numbers are in programs by chance
//!   and are not looked for.
//! * `faster-than-known` and `time-does-not-grow`. The start-up of a program is what it takes when there is next to
//!   nothing to do: the median of its runs in much smaller cases. It wanders from run to run, by a third in a JVM or
//!   CPython, so half of it is allowed for wherever it is subtracted.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use grader_language::{
    Language, Token, TokenKind, find_tokens, language as known, position, source_text,
};
use grader_model::{
    CaseName, CaseResult, CpuTime, Excerpt, Flag, FlagEvidence, LanguageId, SourceFile,
    SourcePlace, SubtaskResult, Text, Verdict, escaped,
};
use grader_problem::{AnswerRule, Case, FlatRule, Problem, SourceRule, TokenRule};

/// Most places of a rule that are shown: a source may hold a million of them.
const MAX_PLACES: usize = 10;
/// Most tokens, answers or cases that a sentence lists.
const MAX_LISTED: usize = 6;
/// Length of the part of a line that is shown, in bytes.
const EXCERPT_BYTES: usize = 100;
/// Numbers of fewer digits are looked for only if they stand alone, not inside longer rows of digits.
const DIGITS_IN_A_ROW: usize = 5;
/// The same for rows that are put together from several literals.
const DIGITS_IN_A_LIST: usize = 6;
/// Shorter times cannot be told from the noise of starting a process.
const NOISE: Duration = Duration::from_millis(2);
/// A case is much smaller than another if the reference takes at most one part in so many of the time.
const MUCH_SMALLER: u32 = 100;
/// The shortest time that a ratio is made of; the clock of short runs is no better.
const CLOCK: Duration = Duration::from_micros(100);

/// A source and its tokens.
struct Read<'a> {
    /// Its path in the student's folder.
    shown: String,
    text: &'a str,
    tokens: Vec<Token<'a>>,
}

/// The flags of sources, which a report calls `shown`. `answers` are those of the cases that were run.
pub(crate) fn source_flags(
    rule: &SourceRule,
    language: LanguageId,
    sources: &[SourceFile],
    shown: &[String],
    answers: &[(CaseName, u64)],
) -> Vec<Flag> {
    let language = known(language);
    let texts: Vec<Cow<'_, str>> = sources.iter().map(source_text).collect();
    let named = sources.iter().zip(&texts).enumerate();
    let read: Vec<Read<'_>> = named
        .map(|(index, (source, text))| Read {
            shown: escaped(shown.get(index).unwrap_or(&source.path).as_bytes()),
            text,
            tokens: language.tokens(text),
        })
        .collect();
    let forbid = rule
        .forbid
        .iter()
        .filter_map(|rule| forbidden(rule, language, &read));
    let require = rule
        .require
        .iter()
        .filter_map(|rule| missing(rule, language, &read));
    let answer = rule
        .answers
        .iter()
        .filter_map(|rule| looked_up(rule, answers, language, &read));
    forbid.chain(require).chain(answer).collect()
}

impl Read<'_> {
    /// Something at a byte of the source, with its line.
    fn evidence(&self, at: usize, message: Text) -> FlagEvidence {
        let (line, column) = position(self.text, at);
        let is_end = |c: char| matches!(c, '\n' | '\r');
        let begin = self.text[..at].rfind(is_end).map_or(0, |end| end + 1);
        let end = self.text[at..]
            .find(is_end)
            .map_or(self.text.len(), |end| at + end);
        let blanks = self.text[begin..at].len() - self.text[begin..at].trim_ascii_start().len();
        let shown = self.text[begin + blanks..end].trim_ascii_end();
        FlagEvidence {
            message,
            place: Some(SourcePlace {
                file: self.shown.clone(),
                line,
                column,
            }),
            excerpt: Some(Excerpt::window(
                shown.as_bytes(),
                at - begin - blanks,
                EXCERPT_BYTES,
            )),
        }
    }
}

fn forbidden(rule: &TokenRule, language: &Language, sources: &[Read<'_>]) -> Option<Flag> {
    let mut found: Vec<&str> = Vec::new();
    let mut evidence = Vec::new();
    let mut count = 0;
    for source in sources {
        let mut places: Vec<(usize, &str)> = Vec::new();
        for phrase in rule.phrases(language.id()) {
            let mut rest = source.tokens.as_slice();
            while let Some(index) = find_tokens(rest, phrase, language.syntax()) {
                places.push((rest[index].at, phrase));
                rest = &rest[index + 1..];
            }
        }
        places.sort_unstable();
        count += places.len();
        for (at, phrase) in places {
            if !found.contains(&phrase) {
                found.push(phrase);
            }
            if evidence.len() < MAX_PLACES {
                let message = format!("`{phrase}`");
                evidence.push(source.evidence(at, Text::new(message.clone(), message)));
            }
        }
    }
    if count > evidence.len() {
        let more = count - evidence.len();
        evidence.push(plain(Text::new(
            format!("and {more} more"),
            format!("还有 {more} 处"),
        )));
    }
    let (en, zh) = listed(&found, |phrase| format!("`{phrase}`"));
    let message = Text::new(
        format!("the source has {en}, which it should not"),
        format!("源程序中有不该出现的 {zh}"),
    );
    (!found.is_empty()).then(|| flag("forbidden-token", because(&message, rule), evidence))
}

fn missing(rule: &TokenRule, language: &Language, sources: &[Read<'_>]) -> Option<Flag> {
    let phrases: Vec<&str> = rule.phrases(language.id()).collect();
    let is_there = |phrase: &&str| {
        let mut sources = sources.iter();
        sources.any(|it| find_tokens(&it.tokens, phrase, language.syntax()).is_some())
    };
    if phrases.is_empty() || phrases.iter().any(is_there) {
        return None;
    }
    let (en, zh) = listed(&phrases, |phrase| format!("`{phrase}`"));
    let message = match phrases.len() {
        1 => Text::new(
            format!("the source does not have {en}"),
            format!("源程序中没有 {zh}"),
        ),
        _ => Text::new(
            format!("the source has none of {en}"),
            format!("源程序中没有以下任何一个：{zh}"),
        ),
    };
    let looked_through = |source: &Read<'_>| {
        let (file, count) = (&source.shown, source.tokens.len());
        plain(Text::new(
            format!("{file}: looked through, {count} tokens"),
            format!("{file}：已查看全部 {count} 个记号"),
        ))
    };
    let evidence = sources.iter().map(looked_through).collect();
    Some(flag(
        "required-token-missing",
        because(&message, rule),
        evidence,
    ))
}

/// The reason that the problem file gives follows what was seen.
fn because(message: &Text, rule: &TokenRule) -> Text {
    match &rule.because {
        Some(because) => Text::new(
            format!("{}: {}", message.en, because.en),
            format!("{}（{}）", message.zh, because.zh),
        ),
        None => message.clone(),
    }
}

/// The whole number that an answer is, if it is nothing else.
pub(crate) fn whole_number(answer: &[u8]) -> Option<u64> {
    std::str::from_utf8(answer).ok()?.trim().parse().ok()
}

/// How an answer is written.
#[derive(Clone, Copy)]
enum Form {
    Number,
    Decimal,
    Hexadecimal,
    List,
}

/// A number that gives an answer away.
struct Clue {
    number: u64,
    answer: u64,
    /// What the number must be multiplied by to get the answer.
    factor: u64,
    /// The case of the answer; `None` for a number that the problem file adds.
    case: Option<CaseName>,
}

fn looked_up(
    rule: &AnswerRule,
    cases: &[(CaseName, u64)],
    language: &Language,
    sources: &[Read<'_>],
) -> Option<Flag> {
    let clues = clues(rule, cases);
    let mut answers: Vec<u64> = Vec::new();
    let mut evidence = Vec::new();
    for source in sources {
        let mut found: BTreeMap<u64, (usize, Form, &Clue)> = BTreeMap::new();
        search(&clues, &source.tokens, language, &mut |clue, form, at| {
            found.entry(clue.answer).or_insert((at, form, clue));
        });
        let mut found: Vec<_> = found.into_values().collect();
        found.sort_by_key(|&(at, _, clue)| (at, clue.answer));
        for (at, form, clue) in found {
            if !answers.contains(&clue.answer) {
                answers.push(clue.answer);
                evidence.push(source.evidence(at, describe(clue, form)));
            }
        }
    }
    let (en, zh) = listed(&answers, u64::to_string);
    let count = answers.len();
    let message = Text::new(
        format!("the source has {count} of this problem's answers in it: {en}"),
        format!("源程序中写有本题的 {count} 个答案：{zh}"),
    );
    (count >= rule.at_least as usize).then(|| flag("answers-in-source", message, evidence))
}

/// All numbers to look for, by their value.
fn clues(rule: &AnswerRule, cases: &[(CaseName, u64)]) -> BTreeMap<u64, Clue> {
    let cases = cases.iter().map(|(name, answer)| (*answer, Some(name)));
    let all: Vec<_> = cases
        .chain(rule.also.iter().map(|&number| (number, None)))
        .collect();
    let mut clues = BTreeMap::new();
    for factor in [1, 2, 8] {
        for &(answer, case) in &all {
            let number = answer / factor;
            let is_exact = factor == 1 || (case.is_some() && answer % factor == 0);
            if is_exact && number > AnswerRule::ABOVE {
                clues.entry(number).or_insert_with(|| Clue {
                    number,
                    answer,
                    factor,
                    case: case.cloned(),
                });
            }
        }
    }
    clues
}

/// Looks for clues among the tokens of one source, in each form.
fn search<'c>(
    clues: &'c BTreeMap<u64, Clue>,
    tokens: &[Token<'_>],
    language: &Language,
    see: &mut dyn FnMut(&'c Clue, Form, usize),
) {
    let value = |token: &Token<'_>| token.value(language.syntax());
    let inside = |row: &str, digits: usize, is_hex: bool| -> Vec<&'c Clue> {
        let stands = |clue: &&Clue| {
            let number = clue.number;
            let written = if is_hex {
                format!("{number:x}")
            } else {
                number.to_string()
            };
            written.len() >= digits && row.contains(&written)
        };
        let is_long = row.len() >= digits;
        clues.values().filter(|_| is_long).filter(stands).collect()
    };
    for token in tokens {
        if let Some(clue) = value(token).and_then(|it| clues.get(&u64::try_from(it).ok()?)) {
            see(clue, Form::Number, token.at);
        }
        let text = token.quoted().unwrap_or_default().to_ascii_lowercase();
        for row in text.split(|c: char| !c.is_ascii_digit()) {
            let whole = row.parse().ok().and_then(|number: u64| clues.get(&number));
            for clue in whole.into_iter().chain(inside(row, DIGITS_IN_A_ROW, false)) {
                see(clue, Form::Decimal, token.at);
            }
        }
        for row in text.split(|c: char| !c.is_ascii_hexdigit()) {
            for clue in inside(row, DIGITS_IN_A_ROW, true) {
                see(clue, Form::Hexadecimal, token.at);
            }
        }
    }
    for list in lists(tokens) {
        let digits = list
            .iter()
            .map(|token| match (token.quoted(), value(token)) {
                (Some(text), _) => text.to_owned(),
                (None, Some(value)) => value.to_string(),
                (None, None) => " ".to_owned(),
            });
        let digits: String = digits.collect();
        for row in digits.split(|c: char| !c.is_ascii_digit()) {
            for clue in inside(row, DIGITS_IN_A_LIST, false) {
                see(clue, Form::List, list[0].at);
            }
        }
    }
}

/// Literals beside each other, with nothing or one `,` or `+` between them: two or more.
fn lists<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<Vec<&'t Token<'a>>> {
    let is_literal =
        |token: &Token<'_>| matches!(token.kind, TokenKind::Number | TokenKind::Quoted);
    let mut lists: Vec<Vec<&Token<'_>>> = Vec::new();
    let mut goes_on = false;
    for (index, token) in tokens.iter().enumerate() {
        if is_literal(token) {
            match lists.last_mut() {
                Some(list) if goes_on => list.push(token),
                _ => lists.push(vec![token]),
            }
            goes_on = true;
        } else {
            let joins = matches!(token.text, "," | "+");
            goes_on = goes_on && joins && index > 0 && is_literal(&tokens[index - 1]);
        }
    }
    lists.retain(|list| list.len() > 1);
    lists
}

/// What was found, in words: `36856, half of 73712, the answer of n=13; in a string`.
fn describe(clue: &Clue, form: Form) -> Text {
    let Clue { number, answer, .. } = clue;
    let (part_en, part_zh) = match clue.factor {
        2 => (format!(", half of {answer}"), format!("，{answer} 的一半")),
        8 => (
            format!(", an eighth of {answer}"),
            format!("，{answer} 的八分之一"),
        ),
        _ => (String::new(), String::new()),
    };
    let (case_en, case_zh) = match &clue.case {
        Some(case) => (
            format!(", the answer of {case}"),
            format!("，{case} 的答案"),
        ),
        None => (
            ", a number that gives answers away".to_owned(),
            "，由它可得到答案".to_owned(),
        ),
    };
    let (form_en, form_zh) = match form {
        Form::Number => ("", ""),
        Form::Decimal => ("; in a string", "（在字符串中）"),
        Form::Hexadecimal => (
            "; as hexadecimal digits in a string",
            "（以十六进制写在字符串中）",
        ),
        Form::List => ("; split over a list", "（拆散在列表中）"),
    };
    Text::new(
        format!("{number}{part_en}{case_en}{form_en}"),
        format!("{number}{part_zh}{case_zh}{form_zh}"),
    )
}

/// The flags that the times of a submission's runs raise.
pub(crate) fn time_flags(problem: &Problem, results: &[SubtaskResult]) -> Vec<Flag> {
    let subtasks = problem.subtasks.iter().zip(results);
    let cases = subtasks.flat_map(|(subtask, result)| subtask.cases.iter().zip(&result.cases));
    let runs: Vec<Run<'_>> = cases
        .filter_map(|(case, result)| Run::new(case, result))
        .collect();
    let rules = &problem.time_flags;
    let faster = rules.faster_than.and_then(|part| faster(part, &runs));
    let flat = rules.flat.as_ref().and_then(|rule| flat(rule, &runs));
    faster.into_iter().chain(flat).collect()
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

    /// What the run took, and more to say about it.
    fn evidence(&self, startup: Duration, more: &Text) -> FlagEvidence {
        let (name, cpu, startup) = (&self.case.name, CpuTime(self.cpu), CpuTime(startup));
        let (en, zh) = (&more.en, &more.zh);
        plain(Text::new(
            format!("{name}: {cpu} of CPU time, of which start-up takes about {startup}{en}"),
            format!("{name}：CPU 时间 {cpu}，其中启动约 {startup}{zh}"),
        ))
    }
}

/// Accepted runs that take less than this part of the reference's time beyond their start-up.
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
        let believable = startup + startup / 2 + least;
        if least < NOISE || run.cpu >= believable {
            continue;
        }
        names.push(run.case.name.as_str());
        let (en, zh) = multiple(reference, run.cpu.saturating_sub(startup));
        let (reference, believable) = (CpuTime(reference), CpuTime(believable));
        let more = Text::new(
            format!(
                "; the reference takes {reference} here, {en} times what is left; from {believable} on it would be \
                 believable"
            ),
            format!(
                "；参考程序在本机用时 {reference}，是其余部分的{zh} 倍；{believable} 以上才可信"
            ),
        );
        evidence.push(run.evidence(startup, &more));
    }
    let (en, zh) = listed(&names, |name| (*name).to_owned());
    let message = Text::new(
        format!(
            "the time of {en} is so short that it cannot be explained by any enumeration we know; look at the source"
        ),
        format!("{zh} 用时之短，我们所知的任何枚举方法都无法解释；请查看源程序"),
    );
    (!names.is_empty()).then(|| flag("faster-than-known", message, evidence))
}

/// Accepted runs whose time does not grow between two values of a variable. Of several cases with the smaller value the
/// fastest counts, and of those with the larger one the slowest.
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
    let believable = startup + base.mul_f64(rule.at_least);
    if to.cpu >= believable {
        return None;
    }
    let believable = CpuTime(believable);
    let more = Text::new(
        format!("; from {believable} on it would be believable"),
        format!("；{believable} 以上才可信"),
    );
    let mut evidence = vec![
        from.evidence(startup, &Text::default()),
        to.evidence(startup, &more),
    ];
    if let (Some(first), Some(last)) = (from.reference, to.reference) {
        let (en, zh) = multiple(last, first);
        let (first, last) = (CpuTime(first), CpuTime(last));
        evidence.push(plain(Text::new(
            format!("the reference takes {first} and {last} here, {en} times as much"),
            format!("参考程序在本机用时 {first} 和 {last}，后者是前者的{zh} 倍"),
        )));
    }
    let (first, last) = (from.case.name.as_str(), to.case.name.as_str());
    let message = Text::new(
        format!(
            "the time does not grow from {first} to {last}, which cannot be explained by any enumeration we know; \
             look at the source"
        ),
        format!(
            "从 {first} 到 {last} 用时没有增长，我们所知的任何枚举方法都无法解释；请查看源程序"
        ),
    );
    Some(flag("time-does-not-grow", message, evidence))
}

/// The median time, the smaller of two; `None` of no runs.
fn median<'a, 'b: 'a>(runs: impl Iterator<Item = &'a Run<'b>>) -> Option<Duration> {
    let mut times: Vec<Duration> = runs.map(|run| run.cpu).collect();
    times.sort_unstable();
    times.get(times.len().checked_sub(1)? / 2).copied()
}

/// How many times as long one time is as another, in both languages.
fn multiple(long: Duration, short: Duration) -> (String, String) {
    let times = long.as_secs_f64() / short.max(CLOCK).as_secs_f64();
    if short < CLOCK {
        (format!("more than {times:.0}"), format!("至少 {times:.0}"))
    } else {
        (format!("{times:.0}"), format!(" {times:.0}"))
    }
}

fn flag(code: &str, message: Text, evidence: Vec<FlagEvidence>) -> Flag {
    Flag {
        code: code.to_owned(),
        message,
        evidence,
    }
}

/// Evidence that is in no source.
const fn plain(message: Text) -> FlagEvidence {
    FlagEvidence {
        message,
        place: None,
        excerpt: None,
    }
}

/// The first few things of a list, and how many more there are, in both languages.
fn listed<T>(things: &[T], written: impl Fn(&T) -> String) -> (String, String) {
    let first: Vec<String> = things.iter().take(MAX_LISTED).map(written).collect();
    let (en, zh) = (first.join(", "), first.join("、"));
    match things.len() - first.len() {
        0 => (en, zh),
        more => (
            format!("{en} and {more} more"),
            format!("{zh} 等 {} 个", things.len()),
        ),
    }
}

#[cfg(test)]
mod tests;
