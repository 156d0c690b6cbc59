//! Kinds of mistakes, the likeliest first: how each is recognised, and its sentence.

use std::collections::HashSet;

use crate::constants::MAX_COMPARED_NUMBERS;
use crate::numbers::{self, float};
use crate::rule::WordRule;
use crate::scan;

use Weight::{Enough, Half, Nothing, Third};

/// How much a fact about one case tells of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Nothing: another mistake explains it as well.
    Nothing,
    /// Little: three cases with different answers are needed.
    Third,
    /// Something: two are.
    Half,
    /// Enough.
    Enough,
}

/// What was printed in a case that failed.
#[derive(Clone, Copy, Debug)]
pub struct Failed<'a> {
    /// What the program read, or its arguments.
    pub input: &'a [u8],
    /// What it printed.
    pub output: &'a [u8],
    /// What is right.
    pub answer: &'a [u8],
    /// Whether the answer is there, inside other text.
    pub has_extra_text: bool,
    /// Whether it is a Python program, which prints `None` for nothing.
    pub is_python: bool,
    /// Quotients of two whole numbers in its source that lose what is behind the point: 9 and 5 for `9/5`.
    pub quotients: &'a [(u32, u32)],
    /// Numbers with which its source multiplies a quotient: 100 for `a / b * 100`.
    pub factors: &'a [u32],
}

/// A failed case in words.
pub(super) struct Seen<'a> {
    pub(super) case: Failed<'a>,
    pub(super) rule: WordRule,
    pub(super) input: Vec<&'a [u8]>,
    pub(super) found: Vec<&'a [u8]>,
    pub(super) wanted: Vec<&'a [u8]>,
    /// The words that differ, wanted and found; none if their counts differ.
    pub(super) pairs: Vec<(&'a [u8], &'a [u8])>,
}

/// A test, and the sentence in English and in Chinese.
pub(super) type Kind = (fn(&Seen<'_>) -> Option<Weight>, &'static str, &'static str);

#[rustfmt::skip]
pub(super) static KINDS: [Kind; 24] = [
    (none, "`None` is printed: a function that ends without `return` gives it. Is a `return` missing, or is the result of a function printed that prints by itself?",
        "输出了 `None`：函数没有 `return` 就结束时得到的就是它。是不是漏了 `return`，或者又打印了一个自己会打印的函数的结果？"),
    (extra, "The right answer is there, but everything that is printed counts: leave out prompts (also the text in `input(…)`), labels and debug output.",
        "正确答案已经输出，但打印的一切都参加比较：请去掉提示语（包括 `input(…)` 里的文字）、说明文字和调试输出。"),
    (object, "An object is printed as its type and address in memory, not as its values: print its elements or fields one by one.",
        "打印出的是对象的类型和内存地址，而不是它的值：请逐个输出其中的元素或字段。"),
    (case, "Everything is right except for upper and lower case: print each letter as the task shows it.",
        "除大小写外全部正确：请按题目中的大小写输出每个字母。"),
    (list, "The values are right, but a list is printed with its brackets, commas or quotes: print the values one by one (in Python `print(*values)`).",
        "值都对，但把列表连同方括号、逗号或引号一起打印了：请逐个输出其中的值（Python 可用 `print(*values)`）。"),
    (blanks, "All characters are right and in order; only spaces and line breaks are wrong: some are missing, or are where none belong.",
        "所有字符和顺序都对，只是空格和换行不对：可能少了，也可能出现在不该有的地方。"),
    (punctuation, "Only punctuation, or upper and lower case, is wrong: print the text exactly as the task shows it, with each full stop, comma and colon.",
        "只有标点（或大小写）不对：请严格按题目中的样子输出文字，包括每个句号、逗号和冒号。"),
    (repeated, "The right answer is printed more than once: is it printed inside a loop or by two parts of the program?",
        "正确答案被输出了不止一次：是不是写在循环里，或者程序有两处在输出？"),
    (overflow, "The right number is larger than an `int` of 32 bits holds (2147483647), and what is printed is what is left of it: use `long long` in C and C++, `long` in Java.",
        "正确的数超出了 32 位 `int` 的范围（2147483647），输出的是溢出后的结果：C、C++ 请用 `long long`，Java 请用 `long`。"),
    (joined, "Numbers of the input are printed one directly behind the other: `+` joins text. Turn text into numbers first (`int(…)` in Python); a sum after a text needs brackets (`\"…\" + (a + b)` in Java).",
        "输出的是输入中的数首尾相连：`+` 会把字符串拼接起来。请先把文字转换成数（Python 用 `int(…)`）；字符串后面的求和要加括号（Java 写 `\"…\" + (a + b)`）。"),
    (whole, "The right whole number is printed with digits after the point. `/` gives these in Python, also for whole numbers; `//` does not.",
        "整数是对的，但输出时带了小数部分。Python 的 `/` 总会得到小数，整除要用 `//`。"),
    (cut, "The output is the right number without its digits after the point. In C and Java, `/` between two whole numbers drops them (`7 / 2` is 3; `7 / 2.0` is 3.5); `//` in Python and `int` do, too.",
        "输出的是正确的数去掉小数部分。C 和 Java 中两个整数相除会舍去小数（`7 / 2` 得 3，`7 / 2.0` 得 3.5）；Python 的 `//` 和 `int` 也会。"),
    (divided, "A division of two whole numbers loses its digits after the point before its result is used: in C and Java `9 / 5` is 1, and `1 / 2 * 100` is 0. Write `9.0 / 5`, or `(double) a / b`.",
        "两个整数相除时，小数部分在参与后面的计算之前就丢掉了：C 和 Java 中 `9 / 5` 得 1，`1 / 2 * 100` 得 0。请写 `9.0 / 5` 或 `(double) a / b`。"),
    (decimals, "The numbers are right except for how many digits stand after the point: print as many as the task asks for (`%.2f`, `f\"{x:.2f}\"`).",
        "数值是对的，只是小数位数不对：请按题目要求的位数输出（如 `%.2f`、`f\"{x:.2f}\"`）。"),
    (sorted_as_text, "The values are sorted as text, where `10` comes before `9`: turn them into numbers before they are sorted.",
        "这些值是按文本排序的（`10` 排在 `9` 前面）：请先转换成数再排序。"),
    (reordered, "The right values are there, but in another order.", "值都对，但顺序不对。"),
    (|seen| lacks(seen, |all| &all[..all.len() - 1]), "All but the last of the output is right: does a loop end one step too early, or is one line or value too few read?",
        "除了缺少最后一项，其余都对：是不是循环少了最后一次，或者少读了一行（一个数）？"),
    (|seen| lacks(seen, |all| &all[1..]), "All but the first of the output is right, which is missing: does a loop begin one step too late?",
        "除了缺少第一项，其余都对：是不是循环晚开始了一次？"),
    (ends_right, "The output ends with the right answer, but something else is printed before it: inside a loop, or by one that begins too early, by an `if` without `else`, or for debugging?",
        "输出的最后部分就是正确答案，但前面还有别的内容：是不是在循环里打印了、循环开始得太早、`if` 少了 `else`，或者留下了调试输出？"),
    (begins_right, "The output begins with the right answer, but more is printed after it: does a loop go too far, is an `else` missing, or is it debug output?",
        "输出的开头就是正确答案，但后面还有别的内容：是不是循环次数太多、少了 `else`，或者留下了调试输出？"),
    (|seen| lacks_value(seen, |all| &all[..all.len() - 1]), "The result is that of the input without its last value: is one line or value too few read, or does a loop end one step too early?",
        "输出的是输入去掉最后一个数时的结果：是不是少读了一行（一个数），或者循环少了最后一次？"),
    (|seen| lacks_value(seen, |all| &all[1..]), "The result is that of the input without its first value: does a loop begin one step too late? Lists and arrays begin at index 0.",
        "输出的是输入去掉第一个数时的结果：是不是循环晚开始了一次？列表和数组的下标从 0 开始。"),
    (|seen| shifted(seen, -1.0), "Each wrong number is exactly 1 too small: check where loops begin and end, where counts begin, and each comparison (`<` or `<=`).",
        "每个错误的数都恰好小 1：请检查循环的起止、计数的初值，以及每个比较（`<` 还是 `<=`）。"),
    (|seen| shifted(seen, 1.0), "Each wrong number is exactly 1 too large: check where loops begin and end, where sums and counts begin, and each comparison (`<` or `<=`).",
        "每个错误的数都恰好大 1：请检查循环的起止、求和或计数的初值，以及每个比较（`<` 还是 `<=`）。"),
];

fn when(it: bool, weight: Weight) -> Option<Weight> {
    it.then_some(weight)
}

/// Whether two numbers are the same but for rounding.
fn is(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

impl Seen<'_> {
    fn are_same(&self, one: &[&[u8]], two: &[&[u8]]) -> bool {
        let mut pairs = one.iter().zip(two);
        one.len() == two.len() && pairs.all(|(one, two)| self.rule.same(one, two))
    }

    /// Whether the output would be right if it were this text.
    fn would_be_right(&self, text: &[u8]) -> bool {
        self.are_same(&self.wanted, &scan::words(text).collect::<Vec<_>>())
    }

    /// The best weight of the pairs that differ, if all have one.
    fn pairs(&self, weight: impl Fn(&[u8], &[u8]) -> Option<Weight>) -> Option<Weight> {
        let all = self.pairs.iter().map(|(one, two)| weight(one, two));
        all.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// How much it tells that a number is near the right one: a small one may be that by chance, or a word of the input.
    fn weight_of(&self, number: f64, word: &[u8]) -> Weight {
        if number == 0.0 || self.input.contains(&word) {
            Nothing
        } else if number.abs() < 10.0 {
            Half
        } else {
            Enough
        }
    }

    /// How much it tells that these many words of an answer are right.
    fn weight_of_words(count: usize) -> Weight {
        if count < 3 { Half } else { Enough }
    }
}

fn none(seen: &Seen<'_>) -> Option<Weight> {
    let is_none = |word: &&[u8]| **word == *b"None";
    let others = seen.found.iter().filter(|it| !is_none(it)).copied();
    let others: Vec<&[u8]> = others.collect();
    let is_new = !seen.wanted.iter().any(&is_none) && others.len() < seen.found.len();
    let in_place = seen.pairs(|_, found| when(is_none(&found), Enough));
    let is_meant = in_place.is_some() || seen.are_same(&seen.wanted, &others);
    when(seen.case.is_python && is_new && is_meant, Enough)
}

fn extra(seen: &Seen<'_>) -> Option<Weight> {
    let is_sign = |byte: &u8| b">?: \t".contains(byte);
    let lines = scan::lines(seen.case.output).map(|line| {
        let end = line.iter().position(|byte| !is_sign(byte));
        [&line[end.unwrap_or(line.len())..], b"\n"].concat()
    });
    let rest: Vec<u8> = lines.flatten().collect();
    let numbers: Vec<&[u8]> = numbers::all(seen.case.output).collect();
    let has_letters = seen.case.output.iter().any(u8::is_ascii_alphabetic);
    let are_numbers = seen.wanted.iter().all(|it| float(it).is_some());
    let is_labelled = has_letters && are_numbers && seen.are_same(&seen.wanted, &numbers);
    let is_there = seen.case.has_extra_text || is_labelled || seen.would_be_right(&rest);
    when(is_there, Enough)
}

fn object(seen: &Seen<'_>) -> Option<Weight> {
    let has = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let mut marks = [" object at 0x", "[I@", "[D@", "[C@", "[Ljava."].iter();
        marks.any(|it| text.contains(it))
    };
    when(has(seen.case.output) && !has(seen.case.answer), Enough)
}

fn case(seen: &Seen<'_>) -> Option<Weight> {
    seen.pairs(|wanted, found| when(wanted.eq_ignore_ascii_case(found), Enough))
}

fn blanks(seen: &Seen<'_>) -> Option<Weight> {
    let ends = |words: &[&[u8]]| {
        let ends = words.iter().scan(0, |end, word| {
            *end += word.len();
            Some(*end)
        });
        ends.collect::<HashSet<usize>>()
    };
    let (found, wanted) = (ends(&seen.found), ends(&seen.wanted));
    let is_part = found.is_subset(&wanted) || wanted.is_subset(&found);
    let text = seen.found.concat();
    let weight = if text.len() < 4 { Half } else { Enough };
    when(is_part && text == seen.wanted.concat(), weight)
}

/// The words without punctuation, which is removed, or is white space if `splits`. What is part of a number stays.
fn bare_words(text: &[u8], splits: bool) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let chars: Vec<char> = text.chars().collect();
    let char_at = |at: Option<usize>| chars.get(at?);
    let is_digit = |at| char_at(at).is_some_and(char::is_ascii_digit);
    let bare = (0..).zip(&chars).filter_map(|(at, c): (usize, &char)| {
        let is_point = *c == '.' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        let is_mark = ".,;:!?'\"()[]{}，。、；：！？“”‘’（）【】".contains(*c) && !is_point;
        let space = splits.then_some(' ');
        if is_mark { space } else { Some(*c) }
    });
    let bare: String = bare.collect();
    scan::words(bare.as_bytes()).map(<[u8]>::to_vec).collect()
}

/// Whether the output is right without punctuation.
fn is_right_bare(seen: &Seen<'_>, same: fn(&[u8], &[u8]) -> bool) -> bool {
    [false, true].into_iter().any(|splits| {
        let [one, two] = [seen.case.output, seen.case.answer].map(|it| bare_words(it, splits));
        let mut pairs = one.iter().zip(&two);
        !one.is_empty() && one.len() == two.len() && pairs.all(|(one, two)| same(one, two))
    })
}

fn punctuation(seen: &Seen<'_>) -> Option<Weight> {
    when(is_right_bare(seen, <[u8]>::eq_ignore_ascii_case), Enough)
}

fn list(seen: &Seen<'_>) -> Option<Weight> {
    let has = |text: &[u8]| text.contains(&b'[') || matches!(text, [b'(' | b'{', ..]);
    let is_list = has(seen.case.output) && !has(seen.case.answer);
    let is_right = is_right_bare(seen, |one, two| one == two);
    when(is_list && is_right, Enough)
}

fn repeated(seen: &Seen<'_>) -> Option<Weight> {
    let count = seen.wanted.len();
    let mut copies = seen.found.chunks(count);
    let are_right = copies.all(|it| seen.are_same(&seen.wanted, it));
    let is_long = seen.wanted.concat().len() > 1;
    let weight = if is_long { Enough } else { Half };
    when(are_right && seen.found.len() > count, weight)
}

fn overflow(seen: &Seen<'_>) -> Option<Weight> {
    let whole = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<i128>().ok();
    seen.pairs(|wanted, found| {
        let (wanted, found) = (whole(wanted)?, whole(found)?);
        let holds = |it| i32::try_from(it).is_ok();
        let left = wanted.checked_sub(found)?.checked_rem(1 << 32);
        when(holds(found) && !holds(wanted) && left == Some(0), Enough)
    })
}

fn joined(seen: &Seen<'_>) -> Option<Weight> {
    if seen.pairs.len() > MAX_COMPARED_NUMBERS {
        return None;
    }
    seen.pairs(|wanted, found| {
        let wanted = float(wanted)?;
        let weight = |result: f64| {
            if is(result, wanted) { Enough } else { Half }
        };
        // Joined to a sum that was 0.
        let after_zero = found.strip_prefix(b"0");
        let texts = [Some(found), after_zero].into_iter().flatten();
        let starts = texts.flat_map(|text| (0..seen.input.len()).map(move |start| (text, start)));
        let runs = starts.filter_map(|(text, start)| {
            let (mut rest, mut sum, mut count) = (text, 0.0, 0);
            for word in &seen.input[start..] {
                rest = rest.strip_prefix(*word)?;
                sum += float(word)?;
                count += 1;
                if rest.is_empty() {
                    return (count > 1).then(|| weight(sum));
                }
            }
            None
        });
        let copies = seen.input.iter().filter_map(|word| {
            let count = found.len() / word.len();
            let is_copied = count > 1 && word.repeat(count) == found;
            let value = float(word).filter(|_| is_copied)?;
            Some(weight(value * count as f64))
        });
        runs.chain(copies).max()
    })
}

/// Digits after the point.
fn places(word: &[u8]) -> usize {
    let point = word.iter().position(|byte| *byte == b'.');
    point.map_or(0, |at| word.len() - at - 1)
}

/// Whether a word is this number, rounded to the places of the word.
fn is_shown(value: f64, word: &[u8]) -> bool {
    let half = match i32::try_from(places(word)) {
        Ok(count @ 1..) => 0.1f64.powi(count) / 2.0,
        _ => 0.0,
    };
    float(word).is_some_and(|it| (it - value).abs() <= half + 1e-9)
}

fn whole(seen: &Seen<'_>) -> Option<Weight> {
    seen.pairs(|wanted, found| {
        let (right, value) = (float(wanted)?, float(found)?);
        let is_near =
            right.fract() == 0.0 && (is(value.trunc(), right) || is(value.round(), right));
        let has_more = places(wanted) == 0 && places(found) > 0;
        let is_same = is(value, right);
        let weight = seen.weight_of(right, wanted);
        when(is_near && has_more, if is_same { Enough } else { weight })
    })
}

/// The first number that is wrong lost its digits; others may be made of it.
fn cut(seen: &Seen<'_>) -> Option<Weight> {
    let are_numbers = seen.pairs(|_, found| float(found).map(|_| Nothing));
    let (wanted, found) = seen.pairs.first().filter(|_| are_numbers.is_some())?;
    let (right, value) = (float(wanted)?, float(found)?);
    let is_cut = is(value, right.trunc()) && places(wanted) > 0;
    let weight = seen.weight_of(value, found);
    // `17` for `17.00` tells nothing.
    let is_whole = is(right, value);
    when(is_cut, if is_whole { Nothing } else { weight })
}

fn divided(seen: &Seen<'_>) -> Option<Weight> {
    seen.pairs(|wanted, found| {
        let (right, value) = (float(wanted)?, float(found)?);
        let digits = places(wanted).min(places(found));
        let step = 0.1f64.powi(i32::try_from(digits).ok()?) / 1.9 + right.abs() * 1e-6;
        let quotient = |&(a, b): &(u32, u32)| {
            let (exact, cut) = (f64::from(a) / f64::from(b), f64::from(a / b));
            let is_part = (value * exact - right * cut).abs() <= step * (exact + cut);
            let is_lost = |it: f64| (right - value - it * (exact - cut)).abs() <= 2.0 * step;
            is_part || seen.input.iter().filter_map(|it| float(it)).any(is_lost)
        };
        let factor = |&it: &u32| {
            let factor = f64::from(it);
            it > 1 && (value - (right / factor).trunc() * factor).abs() <= step
        };
        let has_quotient = seen.case.quotients.iter().any(quotient);
        let is_divided = has_quotient || seen.case.factors.iter().any(factor);
        // A 0 has many reasons.
        let weight = if has_quotient || value != 0.0 {
            Enough
        } else {
            Nothing
        };
        when(is_divided, weight)
    })
}

fn decimals(seen: &Seen<'_>) -> Option<Weight> {
    seen.pairs(|wanted, found| {
        let (right, value) = (float(wanted)?, float(found)?);
        let (one, two) = (places(wanted), places(found));
        let (count, power) = (one.min(two), 10f64.powi(i32::try_from(one.min(two)).ok()?));
        let cut = |it: f64| (it * power).trunc();
        let is_rounded = (right - value).abs() * power <= 0.5 + 1e-9;
        let weight = match count {
            _ if value == 0.0 => Nothing,
            0 if is(right, value) => Half,
            0 => seen.weight_of(value.round(), found),
            1 => Half,
            _ => Enough,
        };
        let is_near = is_rounded || is(cut(right), cut(value));
        when(one != two && is_near, weight)
    })
}

fn sorted<'a>(words: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

fn sorted_as_text(seen: &Seen<'_>) -> Option<Weight> {
    let numbers = seen.wanted.iter().map(|it| float(it));
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    let mut text = sorted(&seen.wanted);
    if !numbers.is_sorted() {
        text.reverse();
    }
    let is_sorted = numbers.is_sorted() || numbers.is_sorted_by(|one, two| one >= two);
    when(is_sorted && text == seen.found && text.len() > 2, Enough)
}

fn reordered(seen: &Seen<'_>) -> Option<Weight> {
    let mut words = sorted(&seen.wanted);
    let is_same = words == sorted(&seen.found);
    words.dedup();
    let count = words.len();
    when(is_same && count > 1, Seen::weight_of_words(count))
}

/// The weight if the output lacks one word, line or letter of its answer, which `rest` takes away.
fn lacks(
    seen: &Seen<'_>,
    rest: for<'a, 'b> fn(&'a [&'b [u8]]) -> &'a [&'b [u8]],
) -> Option<Weight> {
    let lines = |text| {
        let lines = scan::bare_lines(text);
        lines.filter(|it| !scan::is_blank(it)).collect()
    };
    let words = [&seen.found, &seen.wanted];
    let letters = words.map(|words| match words[..] {
        [it] if float(it).is_none() => it.chunks(1).collect(),
        _ => Vec::new(),
    });
    let lines = [seen.case.output, seen.case.answer].map(lines);
    let all = [words.map(Vec::clone), lines, letters];
    let weights = all.iter().filter_map(|[found, wanted]| {
        let is_rest = !wanted.is_empty() && seen.are_same(rest(wanted), found);
        // What is left of a short answer tells nothing, but it agrees.
        let is_short = found.len() < 2;
        let weight = Seen::weight_of_words(found.len());
        when(is_rest, if is_short { Nothing } else { weight })
    });
    weights.max()
}

fn ends_right(seen: &Seen<'_>) -> Option<Weight> {
    let surplus = seen.found.len().checked_sub(seen.wanted.len())?;
    let is_end = surplus > 0 && seen.are_same(&seen.wanted, &seen.found[surplus..]);
    when(is_end, Seen::weight_of_words(seen.wanted.len()))
}

fn begins_right(seen: &Seen<'_>) -> Option<Weight> {
    let count = seen.wanted.len();
    let is_start = seen.found.len() > count && seen.are_same(&seen.wanted, &seen.found[..count]);
    when(is_start, Seen::weight_of_words(count))
}

/// What beginners compute of some values; the second argument is the count of all.
const RESULTS: [fn(&[f64], f64) -> f64; 9] = [
    |values, _| values.iter().sum(),
    |values, _| values.iter().product(),
    |values, count| values.iter().sum::<f64>() / count,
    |values, _| values.iter().sum::<f64>() / values.len() as f64,
    |values, _| values.iter().copied().fold(f64::MIN, f64::max),
    |values, _| values.iter().copied().fold(f64::MAX, f64::min),
    |values, _| values.iter().filter(|it| *it % 2.0 == 0.0).count() as f64,
    |values, _| values.iter().filter(|it| *it % 2.0 != 0.0).count() as f64,
    |values, _| values.iter().filter(|it| **it > 0.0).count() as f64,
];

/// The weight if each wrong number would be right for what `rest` leaves of the input.
fn lacks_value(seen: &Seen<'_>, rest: fn(&[f64]) -> &[f64]) -> Option<Weight> {
    let first = seen.input.first().and_then(|it| float(it));
    let has_count = first.is_some_and(|it| is(it + 1.0, seen.input.len() as f64));
    let values = seen.input.iter().skip(usize::from(has_count));
    let values: Vec<f64> = values.filter_map(|it| float(it)).collect();
    // Of a few values, one may be left out for another reason.
    if values.len() < if has_count { 2 } else { 4 } {
        return None;
    }
    let rest = rest(&values);
    seen.pairs(|wanted, found| {
        let results = RESULTS.iter().any(|result| {
            let [right, value] = [&*values, rest].map(|it| result(it, values.len() as f64));
            is_shown(right, wanted) && is_shown(value, found)
        });
        when(results, Half)
    })
}

/// The weight if all whole numbers that differ do so by this.
fn shifted(seen: &Seen<'_>, by: f64) -> Option<Weight> {
    seen.pairs(|wanted, found| {
        let (right, value) = (float(wanted)?, float(found)?);
        let is_shifted = right.fract() == 0.0 && is(value - right, by);
        when(is_shifted, seen.weight_of(value, found).min(Third))
    })
}
