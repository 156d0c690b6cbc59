//! Kinds of mistakes, the likeliest first: how each is recognised, and its sentence.

use crate::constants::MAX_COMPARED_NUMBERS;
use crate::numbers::{self, float};
use crate::rule::WordRule;
use crate::scan;

use Weight::{Enough, Half, Nothing};

/// How much a fact about one case tells of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Nothing: another mistake explains it as well.
    Nothing,
    /// Something: two cases with different answers are needed.
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
pub(super) static KINDS: [Kind; 27] = [
    (none, "`None` is printed: a function that ends without `return` gives it. Is a `return` missing, or is the result of a function printed that prints by itself?",
        "输出了 `None`：函数没有 `return` 就结束时得到的就是它。是不是漏了 `return`，或者又打印了一个自己会打印的函数的结果？"),
    (extra, "The right answer is there, but everything that is printed counts: leave out prompts (also the text in `input(…)`), labels and debug output.",
        "正确答案已经输出，但打印的一切都参加比较：请去掉提示语（包括 `input(…)` 里的文字）、说明文字和调试输出。"),
    (object, "An object is printed as its type and address in memory, not as its values: print its elements or fields one by one.",
        "打印出的是对象的类型和内存地址，而不是它的值：请逐个输出其中的元素或字段。"),
    (newline, "The output would be right if `\\n` or `/n` in it were a new line: a line ends with `\\n` inside the quotes, with one backslash.",
        "如果把输出里的 `\\n` 或 `/n` 当作换行就对了：换行要写成引号内的 `\\n`（一个反斜杠加 n）。"),
    (case, "Everything is right except for upper and lower case: print each letter as the task shows it.",
        "除大小写外全部正确：请按题目中的大小写输出每个字母。"),
    (blanks, "All characters are right and in order; only spaces and line breaks are wrong: some are missing, or stand where none belong.",
        "所有字符和顺序都对，只是值与值之间的空白不对：缺少空格或换行，或者在不该有的地方有空白。"),
    (list, "The values are right, but a list is printed with its brackets, commas or quotes: print the values one by one (in Python `print(*values)`).",
        "值都对，但把列表连同方括号、逗号或引号一起打印了：请逐个输出其中的值（Python 可用 `print(*values)`）。"),
    (punctuation, "Everything is right except for the punctuation: compare each full stop, comma, colon and bracket with the task.",
        "除标点外全部正确：请对照题目检查每个句号、逗号、冒号和括号。"),
    (case_and_punctuation, "Only punctuation and upper and lower case differ: print the text exactly as the task shows it.",
        "只有标点和大小写不同：请严格按题目中的样子输出文字。"),
    (repeated, "The right answer is printed more than once: is it printed inside a loop or by two parts of the program?",
        "正确答案被输出了不止一次：是不是写在循环里，或者程序有两处在输出？"),
    (overflow, "The right number is larger than an `int` of 32 bits holds (2147483647), and what is printed is what is left of it: use `long long` in C and C++, `long` in Java.",
        "正确的数超出了 32 位 `int` 的范围（2147483647），输出的是溢出后的结果：C、C++ 请用 `long long`，Java 请用 `long`。"),
    (joined, "Numbers of the input are printed one directly behind the other: are they text, which `+` joins, because they were never turned into numbers (`int(…)`)?",
        "输出的是输入中的数首尾相连：它们是不是还是字符串（`+` 会把字符串拼接起来），没有先转换成数（如 `int(…)`）？"),
    (whole, "The right whole number is printed with digits after the point. `/` gives these in Python, also for whole numbers; `//` does not.",
        "整数是对的，但输出时带了小数部分。Python 的 `/` 总会得到小数，整除要用 `//`。"),
    (cut, "The output is the right number without its digits after the point: is it made a whole number, by `/` between two whole numbers in C or Java (`7 / 2` is 3), by `//`, or by `int`?",
        "输出的是正确的数去掉小数部分：是不是变成了整数？C 和 Java 中两个整数相除会舍去小数（`7 / 2` 得 3），`//` 和 `int` 也会。"),
    (decimals, "The numbers are right except for how many digits stand after the point: print as many as the task asks for (`%.2f`, `f\"{x:.2f}\"`).",
        "数值是对的，只是小数位数不对：请按题目要求的位数输出（如 `%.2f`、`f\"{x:.2f}\"`）。"),
    (sorted_as_text, "The values are sorted as text, where `10` comes before `9`: turn them into numbers before they are sorted.",
        "这些值是按文本排序的（`10` 排在 `9` 前面）：请先转换成数再排序。"),
    (reversed, "The right values are there, in reverse order.", "值都对，但顺序正好相反。"),
    (reordered, "The right values are there, but in another order.", "值都对，但顺序不对。"),
    (lacks_last, "All but the last of the output is right: does a loop end one step too early, or is one line or value too few read?",
        "除了缺少最后一项，其余都对：是不是循环少了最后一次，或者少读了一行（一个数）？"),
    (lacks_first, "All but the first of the output is right, which is missing: does a loop begin one step too late?",
        "除了缺少第一项，其余都对：是不是循环晚开始了一次？"),
    (ends_right, "The output ends with the right answer, but something else is printed before it: inside a loop, or by one that begins too early, by an `if` without `else`, or for debugging?",
        "输出的最后部分就是正确答案，但前面还有别的内容：是不是在循环里打印了、循环开始得太早、`if` 少了 `else`，或者留下了调试输出？"),
    (begins_right, "The output begins with the right answer, but more is printed after it: does a loop go one step too far, is an `else` missing, or is it debug output?",
        "输出的开头就是正确答案，但后面还有别的内容：是不是循环多走了一步、少了 `else`，或者留下了调试输出？"),
    (without_last_input, "The number is too small by exactly the last number of the input: is that read, and counted?",
        "结果恰好少了输入中的最后一个数：它读入并计入了吗？"),
    (without_first_input, "The number is too small by exactly the first number of the input: is that read, and counted? A list begins at index 0.",
        "结果恰好少了输入中的第一个数：它读入并计入了吗？列表和数组从下标 0 开始。"),
    (with_count, "The number is too large by exactly the first number of the input, which says how many follow: is it counted too?",
        "结果恰好多出输入开头的那个数，而它只表示后面有几个数：是不是把它也算进去了？"),
    (too_small, "Each wrong number is exactly 1 too small: does counting begin at 0 in place of 1, or a loop end one step too early?",
        "每个错误的数都恰好小 1：是不是从 0 而不是从 1 开始计数，或者循环少了一次？"),
    (too_large, "Each wrong number is exactly 1 too large: does counting begin at 1 in place of 0, or a loop go one step too far?",
        "每个错误的数都恰好大 1：是不是从 1 而不是从 0 开始计数，或者循环多了一次？"),
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
        one.len() == two.len()
            && one
                .iter()
                .zip(two)
                .all(|(one, two)| self.rule.same(one, two))
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

    /// The same for numbers.
    fn numbers(&self, weight: impl Fn(f64, f64) -> Option<Weight>) -> Option<Weight> {
        self.pairs(|wanted, found| weight(float(wanted)?, float(found)?))
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
    let is_none = |word: &&&[u8]| **word == *b"None";
    let others: Vec<&[u8]> = seen
        .found
        .iter()
        .filter(|it| !is_none(it))
        .copied()
        .collect();
    let is_in_place = seen
        .pairs(|_, found| when(found == b"None", Enough))
        .is_some();
    let is_new = !seen.wanted.iter().any(|it| is_none(&it)) && others.len() < seen.found.len();
    let is_beside = seen.are_same(&seen.wanted, &others);
    when(
        seen.case.is_python && is_new && (is_in_place || is_beside),
        Enough,
    )
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
    let is_hash = |text: &[u8]| {
        let is_hex = text.iter().all(u8::is_ascii_hexdigit) && text.iter().any(u8::is_ascii_digit);
        is_hex && (5..=8).contains(&text.len())
    };
    let is_java = |word: &&[u8]| {
        let at = word.iter().rposition(|byte| *byte == b'@');
        at.is_some_and(|at| at > 0 && is_hash(&word[at + 1..]))
    };
    let is_python = |it: &[&[u8]]| it[0] == b"at" && it[1].starts_with(b"0x");
    let mut pairs = seen.found.windows(2);
    let is_object = pairs.any(is_python) || seen.found.iter().any(is_java);
    when(is_object && !seen.case.answer.contains(&b'@'), Enough)
}

fn newline(seen: &Seen<'_>) -> Option<Weight> {
    let text = String::from_utf8_lossy(seen.case.output);
    let text = text.replace("\\n", "\n").replace("/n", "\n");
    when(seen.would_be_right(text.as_bytes()), Enough)
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
        ends.collect::<std::collections::HashSet<usize>>()
    };
    let (found, wanted) = (ends(&seen.found), ends(&seen.wanted));
    let is_part = found.is_subset(&wanted) || wanted.is_subset(&found);
    let is_same = seen.found.concat() == seen.wanted.concat();
    when(
        is_same && is_part,
        if seen.found.concat().len() < 4 {
            Half
        } else {
            Enough
        },
    )
}

/// The words without punctuation, which is removed, or is white space if `splits`. What is part of a number stays.
fn bare_words(text: &[u8], splits: bool) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let chars: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| {
        at.and_then(|it| chars.get(it))
            .is_some_and(char::is_ascii_digit)
    };
    let bare = (0..).zip(&chars).filter_map(|(at, c): (usize, &char)| {
        let is_point = *c == '.' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        let is_mark = ".,;:!?'\"()[]{}，。、；：！？“”‘’（）【】".contains(*c) && !is_point;
        if is_mark {
            splits.then_some(' ')
        } else {
            Some(*c)
        }
    });
    let bare: String = bare.collect();
    scan::words(bare.as_bytes()).map(<[u8]>::to_vec).collect()
}

/// Whether the output is right without punctuation.
fn is_right_bare(seen: &Seen<'_>, same: fn(&[u8], &[u8]) -> bool) -> bool {
    [false, true].into_iter().any(|splits| {
        let [one, two] = [seen.case.output, seen.case.answer].map(|it| bare_words(it, splits));
        !one.is_empty()
            && one.len() == two.len()
            && one.iter().zip(&two).all(|(one, two)| same(one, two))
    })
}

fn punctuation(seen: &Seen<'_>) -> Option<Weight> {
    when(is_right_bare(seen, |one, two| one == two), Enough)
}

fn case_and_punctuation(seen: &Seen<'_>) -> Option<Weight> {
    when(is_right_bare(seen, <[u8]>::eq_ignore_ascii_case), Enough)
}

fn list(seen: &Seen<'_>) -> Option<Weight> {
    let has =
        |text: &[u8]| text.contains(&b'[') || text.starts_with(b"(") || text.starts_with(b"{");
    let is_list = has(seen.case.output) && !has(seen.case.answer);
    punctuation(seen).filter(|_| is_list)
}

fn repeated(seen: &Seen<'_>) -> Option<Weight> {
    let count = seen.wanted.len();
    let are_right = seen
        .found
        .chunks(count)
        .all(|it| seen.are_same(&seen.wanted, it));
    let weight = if seen.wanted.concat().len() > 1 {
        Enough
    } else {
        Half
    };
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
            float(word)
                .filter(|_| is_copied)
                .map(|it| weight(it * count as f64))
        });
        runs.chain(copies).max()
    })
}

/// Digits after the point.
fn places(word: &[u8]) -> usize {
    let point = word.iter().position(|byte| *byte == b'.');
    point.map_or(0, |at| word.len() - at - 1)
}

fn whole(seen: &Seen<'_>) -> Option<Weight> {
    seen.pairs(|wanted, found| {
        let (right, value) = (float(wanted)?, float(found)?);
        let is_near =
            right.fract() == 0.0 && (is(value.trunc(), right) || is(value.round(), right));
        let weight = if is(value, right) {
            Enough
        } else {
            seen.weight_of(right, wanted)
        };
        when(is_near && places(wanted) == 0 && places(found) > 0, weight)
    })
}

fn cut(seen: &Seen<'_>) -> Option<Weight> {
    seen.pairs(|wanted, found| {
        let (right, value) = (float(wanted)?, float(found)?);
        // `17` for `17.00` tells nothing.
        let weight = if is(right, value) {
            Nothing
        } else {
            seen.weight_of(value, found)
        };
        when(is(value, right.trunc()) && places(wanted) > 0, weight)
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
        when(
            one != two && (is_rounded || is(cut(right), cut(value))),
            weight,
        )
    })
}

fn sorted<'a>(words: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let mut words = words.to_vec();
    words.sort_unstable();
    words
}

fn sorted_as_text(seen: &Seen<'_>) -> Option<Weight> {
    let numbers: Vec<f64> = seen
        .wanted
        .iter()
        .map(|it| float(it))
        .collect::<Option<_>>()?;
    let mut text = sorted(&seen.wanted);
    if !numbers.is_sorted() {
        text.reverse();
    }
    let is_sorted = numbers.is_sorted() || numbers.is_sorted_by(|one, two| one >= two);
    when(is_sorted && text == seen.found && text.len() > 2, Enough)
}

fn reversed(seen: &Seen<'_>) -> Option<Weight> {
    let found: Vec<&[u8]> = seen.found.iter().rev().copied().collect();
    let is_reversed = seen.are_same(&seen.wanted, &found) && found.len() > 1;
    when(is_reversed, Seen::weight_of_words(found.len()))
}

fn reordered(seen: &Seen<'_>) -> Option<Weight> {
    let mut words = sorted(&seen.wanted);
    let is_same = words == sorted(&seen.found);
    words.dedup();
    when(
        is_same && words.len() > 1,
        Seen::weight_of_words(words.len()),
    )
}

/// The weight if the output lacks one word or line of its answer, which `rest` takes away.
fn lacks(
    seen: &Seen<'_>,
    rest: for<'a, 'b> fn(&'a [&'b [u8]]) -> &'a [&'b [u8]],
) -> Option<Weight> {
    let lines = |text| {
        scan::bare_lines(text)
            .filter(|it| !scan::is_blank(it))
            .collect()
    };
    let lines: [Vec<&[u8]>; 2] = [seen.case.output, seen.case.answer].map(lines);
    let letters = [&seen.found, &seen.wanted].map(|words| {
        let word = words
            .first()
            .filter(|it| words.len() == 1 && float(it).is_none());
        word.map_or_else(Vec::new, |it| it.chunks(1).collect())
    });
    let all = [
        [&seen.found, &seen.wanted],
        [&lines[0], &lines[1]],
        [&letters[0], &letters[1]],
    ];
    let weights = all.iter().filter_map(|[found, wanted]| {
        let is_rest = !wanted.is_empty() && seen.are_same(rest(wanted), found);
        // What is left of a short answer tells nothing, but it agrees.
        let weight = if found.len() < 2 {
            Nothing
        } else {
            Seen::weight_of_words(found.len())
        };
        when(is_rest, weight)
    });
    weights.max()
}

fn lacks_last(seen: &Seen<'_>) -> Option<Weight> {
    lacks(seen, |all| &all[..all.len() - 1])
}

fn lacks_first(seen: &Seen<'_>) -> Option<Weight> {
    lacks(seen, |all| &all[1..])
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

/// The weight if the only number that is wrong lacks this one; it has it too often if `sign` is -1.
fn lacks_number(seen: &Seen<'_>, number: Option<&&[u8]>, sign: f64) -> Option<Weight> {
    let number = float(number?).filter(|it| it.abs() > 1.0)?;
    let is_single = seen.pairs.len() == 1 && seen.input.len() > 2;
    seen.numbers(|wanted, found| when(is_single && is(found + sign * number, wanted), Half))
}

/// Whether an input begins with the count of its other words.
fn has_count(seen: &Seen<'_>) -> bool {
    let first = seen.input.first().and_then(|it| float(it));
    first.is_some_and(|it| is(it + 1.0, seen.input.len() as f64))
}

fn without_last_input(seen: &Seen<'_>) -> Option<Weight> {
    lacks_number(seen, seen.input.last(), 1.0)
}

fn without_first_input(seen: &Seen<'_>) -> Option<Weight> {
    lacks_number(seen, seen.input.get(usize::from(has_count(seen))), 1.0)
}

fn with_count(seen: &Seen<'_>) -> Option<Weight> {
    lacks_number(seen, seen.input.first().filter(|_| has_count(seen)), -1.0)
}

/// The weight if all whole numbers that differ do so by this.
fn shifted(seen: &Seen<'_>, by: f64) -> Option<Weight> {
    let weight = seen.pairs(|wanted, found| {
        let (right, value) = (float(wanted)?, float(found)?);
        let is_shifted = right.fract() == 0.0 && is(value - right, by);
        when(is_shifted, seen.weight_of(value, found).min(Half))
    })?;
    let values: std::collections::HashSet<_> = seen.pairs.iter().map(|it| it.0).collect();
    Some(if values.len() > 2 { Enough } else { weight })
}

fn too_small(seen: &Seen<'_>) -> Option<Weight> {
    shifted(seen, -1.0)
}

fn too_large(seen: &Seen<'_>) -> Option<Weight> {
    shifted(seen, 1.0)
}
