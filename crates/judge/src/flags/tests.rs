use grader_language::recognise;
use grader_model::{Breach, Bytes, End, Outcome, WallTime};
use grader_problem::{DiskLibrary, TimeFlags, load_problem, load_samples};

use super::*;

/// The bundled problems' folder.
fn library() -> DiskLibrary {
    DiskLibrary::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../problems"))
}

fn count() -> Problem {
    load_problem(&library(), "n-queens/count", &["count"]).unwrap()
}

fn answers() -> Vec<(CaseName, u64)> {
    let answers = [
        (8, 92),
        (9, 352),
        (10, 724),
        (11, 2680),
        (12, 14_200),
        (13, 73_712),
        (14, 365_596),
        (15, 2_279_184),
        (16, 14_772_512),
    ];
    answers
        .map(|(n, value)| (CaseName::new(format!("n={n}")), value))
        .to_vec()
}

fn flags_by(rule: &SourceRule, file: &str, text: &str) -> Vec<Flag> {
    let sources = [SourceFile::new(file, text.as_bytes())];
    let language = recognise(&sources).unwrap();
    let shown = [format!("s01/{file}")];
    source_flags(rule, language, &sources, &shown, &answers())
}

fn flags(file: &str, text: &str) -> Vec<Flag> {
    flags_by(&count().source, file, text)
}

/// A flag as an instructor reads it, in English.
fn shown(flags: &[Flag]) -> String {
    let mut lines = Vec::new();
    for flag in flags {
        lines.push(format!("{}: {}\n", flag.code, flag.message.en));
        for evidence in &flag.evidence {
            let place = evidence.place.as_ref().map(ToString::to_string);
            let place = place.map_or(String::new(), |place| format!("{place} "));
            lines.push(format!("  {place}{}\n", evidence.message.en));
            let excerpt = evidence.excerpt.as_ref();
            lines.extend(excerpt.map(|excerpt| format!("    {excerpt}\n")));
        }
    }
    lines.concat()
}

const TABLE: &str = r#"#include <stdio.h>
#include <stdlib.h>

static const long table[] = {
    1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200,
	73712, 365596, 2279184, 14772512 };

int main(int argc, char **argv) {
    printf("%ld\n", table[atoi(argv[1]) - 1]);
}
"#;

#[test]
fn a_table_in_c_is_flagged_with_every_answer_and_its_place() {
    assert_eq!(
        shown(&flags("count.c", TABLE)),
        "\
required-token-missing: the source has none of `|`, `^`, `~`, `|=`, `&=`, `^=` and 9 more: the task asks for bit masks
  s01/count.c: looked through, 86 tokens
answers-in-source: the source has 6 of this problem's answers in it: 2680, 14200, 73712, 365596, 2279184, 14772512
  s01/count.c:5:42 2680, the answer of n=11
    1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200,
  s01/count.c:5:48 14200, the answer of n=12
    1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200,
  s01/count.c:6:2 73712, the answer of n=13
    73712, 365596, 2279184, 14772512 };
  s01/count.c:6:9 365596, the answer of n=14
    73712, 365596, 2279184, 14772512 };
  s01/count.c:6:17 2279184, the answer of n=15
    73712, 365596, 2279184, 14772512 };
  s01/count.c:6:26 14772512, the answer of n=16
    73712, 365596, 2279184, 14772512 };
"
    );
}

#[test]
fn tables_in_hex_halved_in_strings_and_split_are_flagged() {
    let programs = [
        (
            "count.c",
            "long t[] = {0xa78, 0x3778, 0x11FF0UL, 0x5941C, 0x22c710, 0xE16920}; int main(void) { return 1 ^ 2; }",
            6,
        ),
        (
            "count.rs",
            "fn main() { let half = [36_856_u64, 182_798, 1_139_592, 7_386_256]; println!(\"{}\", half[0] << 1); }",
            4,
        ),
        (
            "count.py",
            "t = '000268000142000073712003655960227918414772512'\nprint(int(t[n*8:n*8+8]) ^ 0)\n",
            5,
        ),
        (
            "Count.java",
            "class Count { static String s = \"365\" + \"596\"; int[] a = {2, 279, 184, 14, 772, 512}; int x = 1 << 2; }",
            3,
        ),
        (
            "count.pas",
            "program c; const f: array[1..3] of longint = ($2411, 45752, 285053); begin writeln(f[1] shl 3); end.",
            3,
        ),
        (
            "count.cpp",
            "const char *d = \"11ff0 5941c 22c710 e16920\"; int main() { return 1 ^ 2; }",
            4,
        ),
    ];
    for (file, text, count) in programs {
        let flags = flags(file, text);
        let codes: Vec<&str> = flags.iter().map(|flag| flag.code.as_str()).collect();
        assert_eq!(codes, ["answers-in-source"], "{file}");
        assert_eq!(flags[0].evidence.len(), count, "{}", shown(&flags));
    }
}

#[test]
fn a_program_that_mentions_one_answer_or_many_in_comments_is_not_flagged() {
    let text = "// 2680 14200 73712 365596 2279184 14772512\n/* 0xE16920 */\n\
        int main(void) { if (count(12) != 14200) return 1; return 1 ^ 2; }\n";
    assert_eq!(flags("count.c", text), []);
}

#[test]
fn a_program_without_a_bit_operation_is_flagged_in_every_language() {
    let programs = [
        (
            "count.c",
            "int main(void) { int n; scanf(\"%d ^\", &n); /* 1 << n */ if (n && n || n) { int *p = &n; } }",
        ),
        (
            "count.cpp",
            "int main() { int n; std::cin >> n; std::vector<std::vector<int>> v; int &m = n; std::cout << n << '|'; }",
        ),
        (
            "count.rs",
            "fn main() { let v: Vec<Vec<u8>> = vec![]; f(&v, &mut 1 == &2 || false); println!(\"a | b\"); }",
        ),
        (
            "Count.java",
            "class Count { boolean b = 1 < 2 && 2 < 3 || false; char c = '^'; }",
        ),
        (
            "count.pas",
            "program c; begin if not a then writeln('a and b shl c') { xor } end.",
        ),
        (
            "count.py",
            "# a & b\nprint('a | b', f'{{a ^ b}}', a and b, a ** b)\n",
        ),
    ];
    for (file, text) in programs {
        let flags = flags(file, text);
        let codes: Vec<&str> = flags.iter().map(|flag| flag.code.as_str()).collect();
        assert_eq!(codes, ["required-token-missing"], "{file}");
    }
}

#[test]
fn a_single_bit_operation_is_enough_in_every_language() {
    let programs = [
        ("count.c", "int main(void) { return 1 << 2; }"),
        ("count.cpp", "int main() { std::cout << (n & 1); }"),
        ("count.cpp", "int main() { place((left + bit) << 1u); }"),
        ("count.rs", "fn main() { place(1u32 << n); }"),
        ("Count.java", "class Count { int x = a & b; }"),
        ("count.pas", "program c; begin x := a SHR 1; end."),
        ("count.py", "print(f'{a & b}')\n"),
    ];
    for (file, text) in programs {
        assert_eq!(flags(file, text), [], "{file}");
    }
}

#[test]
fn forbidden_tokens_are_flagged_where_they_stand_and_only_the_first_are_shown() {
    let rule = SourceRule {
        forbid: vec![
            TokenRule {
                any: vec!["goto".to_owned(), "system (".to_owned()],
                languages: [(LanguageId::Python, vec!["os . system".to_owned()])].into(),
                because: Some(Text::new("nothing is started", "不得启动其他程序")),
            },
            TokenRule {
                any: vec!["asm".to_owned()],
                languages: [].into(),
                because: None,
            },
        ],
        ..SourceRule::default()
    };
    let text =
        "int main(void) {\n    system\n        (\"\x1b[2J goto\"); // goto\n皇: goto 皇;\n}\n";
    let flags = flags_by(&rule, "a.c", text);
    assert_eq!(
        shown(&flags),
        "\
forbidden-token: the source has `system (`, `goto`, which it should not: nothing is started
  s01/a.c:2:5 `system (`
    system
  s01/a.c:4:4 `goto`
    皇: goto 皇;
"
    );
    assert_eq!(
        flags[0].message.zh,
        "源程序中有不该出现的 `system (`、`goto`（不得启动其他程序）"
    );
    let many = "goto a; ".repeat(1000);
    let flags = flags_by(&rule, "a.c", &many);
    assert_eq!(flags[0].evidence.len(), MAX_PLACES + 1);
    assert_eq!(flags[0].evidence[MAX_PLACES].message.en, "and 990 more");
    let flags = flags_by(&rule, "a.py", "import os\nos.system('goto'); system('x')\n");
    assert_eq!(flags[0].evidence.len(), 3);
}

#[test]
fn what_is_shown_of_a_source_is_escaped() {
    let rule = SourceRule {
        forbid: vec![TokenRule {
            any: vec!["goto".to_owned()],
            languages: [].into(),
            because: None,
        }],
        ..SourceRule::default()
    };
    let flags = flags_by(&rule, "a\x1b.c", "goto /* \x1b[2J \u{202e} */ a;");
    assert_eq!(
        shown(&flags),
        "\
forbidden-token: the source has `goto`, which it should not
  s01/a\\x1b.c:1:1 `goto`
    goto /* \\x1b[2J \\u{202e} */ a;
"
    );
}

#[test]
fn of_the_samples_of_count_only_tables_and_those_without_a_bit_operation_are_flagged() {
    let problem = count();
    let samples = load_samples(&library(), &problem).unwrap();
    let mut flagged = Vec::new();
    let mut honest = 0;
    for sample in samples {
        let Some(language) = recognise(&sample.sources) else {
            continue;
        };
        let flags = source_flags(&problem.source, language, &sample.sources, &[], &answers());
        honest += usize::from(flags.is_empty());
        for flag in flags {
            flagged.push(format!("{} {}", flag.code, sample.path));
        }
    }
    assert_eq!(
        flagged,
        [
            "answers-in-source accepted/eighths.pas",
            "required-token-missing accepted/hex-table.cpp",
            "answers-in-source accepted/hex-table.cpp",
            "required-token-missing accepted/joined_halves.py",
            "answers-in-source accepted/joined_halves.py",
            "required-token-missing accepted/table.c",
            "answers-in-source accepted/table.c",
            "required-token-missing runtime-error/TwelveAtMost.java",
            "required-token-missing time-limit/array-method.c",
            "required-token-missing wrong-answer/always-eight.c",
        ]
    );
    assert!(honest > 10, "{honest}");
}

#[test]
fn answers_are_found_however_they_are_written_and_not_by_chance() {
    let table = [
        (
            LanguageId::C,
            "x = 070264440;",
            "14772512, the answer of n=16",
        ),
        (
            LanguageId::Cpp,
            "x = 14'772'512;",
            "14772512, the answer of n=16",
        ),
        (
            LanguageId::C,
            "36856",
            "36856, half of 73712, the answer of n=13",
        ),
        (
            LanguageId::C,
            "284898",
            "284898, an eighth of 2279184, the answer of n=15",
        ),
        (
            LanguageId::C,
            "\"92,352,73712\"",
            "73712, the answer of n=13; in a string",
        ),
        (
            LanguageId::C,
            "\"9200035214772512\"",
            "14772512, the answer of n=16; in a string",
        ),
        (
            LanguageId::C,
            "\"5e16920\"",
            "14772512, the answer of n=16; as hexadecimal digits in a string",
        ),
        (
            LanguageId::C,
            "\"147\" \"72512\"",
            "14772512, the answer of n=16; split over a list",
        ),
        (
            LanguageId::C,
            "{'3','6','5','5','9','6'}",
            "365596, the answer of n=14; split over a list",
        ),
        (LanguageId::C, "92 x14772512 14772512.5 // 14772512", ""),
        (
            LanguageId::C,
            "\"147725\" f(\"12\") \"12680\" {73, 712} 3 6 5 - 5 9 6",
            "",
        ),
    ];
    let rule = SourceRule {
        answers: Some(AnswerRule {
            at_least: 1,
            also: Vec::new(),
        }),
        ..SourceRule::default()
    };
    for (language, text, expected) in table {
        let sources = [SourceFile::new("a", text.as_bytes())];
        let flags = source_flags(&rule, language, &sources, &[], &answers());
        let found: Vec<&str> = flags
            .iter()
            .flat_map(|flag| &flag.evidence)
            .map(|evidence| evidence.message.en.as_str())
            .collect();
        let expected: Vec<&str> = Some(expected)
            .filter(|it| !it.is_empty())
            .into_iter()
            .collect();
        assert_eq!(found, expected, "{text}");
    }
    for answer in ["", "1 2", "x", "-1", "1.5", "99999999999999999999"] {
        assert_eq!(whole_number(answer.as_bytes()), None);
    }
}

/// `n-queens/count`, with rules of its own.
fn timed(faster_than: Option<f64>, flat: Option<(f64, f64)>) -> Problem {
    Problem {
        time_flags: TimeFlags {
            faster_than,
            flat: flat.map(|(from, to)| FlatRule {
                over: "n".to_owned(),
                from,
                to,
                at_least: 3.0,
            }),
        },
        ..count()
    }
}

const BOTH: (Option<f64>, Option<(f64, f64)>) = (Some(0.002), Some((13.0, 16.0)));

/// What the reference takes for n = 4 to 16, in milliseconds.
const REFERENCE: [f64; 13] = [
    1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.3, 2.0, 6.0, 30.0, 170.0, 1000.0, 6500.0,
];

fn milliseconds(millis: f64) -> CpuTime {
    CpuTime(Duration::from_secs_f64(millis / 1000.0))
}

/// The results of accepted runs that took so many milliseconds for n = 4 to 16.
fn accepted(problem: &Problem, times: [f64; 13]) -> Vec<SubtaskResult> {
    let mut times = times.into_iter().zip(REFERENCE);
    problem
        .subtasks
        .iter()
        .map(|subtask| {
            let cases = subtask.cases.iter().zip(times.by_ref());
            let cases = cases.map(|(case, (cpu, reference_time))| CaseResult {
                message: None,
                outcome: Some(Outcome {
                    end: End::Exited(0),
                    breach: None,
                    cpu: milliseconds(cpu),
                    wall: WallTime(milliseconds(cpu).0),
                    memory: None,
                    stdout: Bytes(2),
                    stderr: Bytes(0),
                }),
                reference_time: Some(milliseconds(reference_time)),
                ..CaseResult::unrun(case.name.clone(), Verdict::Accepted, Text::default())
            });
            SubtaskResult {
                name: subtask.name.clone(),
                points: Some(subtask.points),
                max_points: subtask.points,
                verdict: Verdict::Accepted,
                hidden: false,
                message: None,
                growth: None,
                cases: cases.collect(),
            }
        })
        .collect()
}

/// The codes of the flags of a program that took so many milliseconds for n = 4 to 16.
fn codes(times: [f64; 13]) -> Vec<String> {
    let problem = timed(BOTH.0, BOTH.1);
    let flags = time_flags(&problem, &accepted(&problem, times));
    flags.into_iter().map(|flag| flag.code).collect()
}

/// Times of a program that starts in so many milliseconds and works so many for n = 13 to 16.
fn times(startup: f64, work: [f64; 4]) -> [f64; 13] {
    let mut times = [startup; 13];
    for (time, work) in times[9..].iter_mut().zip(work) {
        *time += work;
    }
    times
}

const FASTER: &str = "faster-than-known";
const FLAT: &str = "time-does-not-grow";

#[test]
fn a_table_raises_both_flags_with_the_times_behind_them() {
    let problem = timed(BOTH.0, BOTH.1);
    let table = times(1.2, [0.1, 0.0, 0.2, 0.4]);
    let flags = time_flags(&problem, &accepted(&problem, table));
    let written = |get: &dyn Fn(&Text) -> String| {
        let lines = flags.iter().flat_map(|flag| {
            let evidence = flag.evidence.iter().map(|it| get(&it.message));
            [format!("{}: {}", flag.code, get(&flag.message))]
                .into_iter()
                .chain(evidence)
        });
        lines.collect::<Vec<String>>().join("\n")
    };
    assert_eq!(
        written(&|text| text.en.clone()),
        "\
faster-than-known: the time of n=15, n=16 is so short that it cannot be explained by any enumeration we know; look at the source
n=15: 1.4 ms of CPU time, of which start-up takes about 1.2 ms; the reference takes 1 s here, 5000 times what is left; from 3.8 ms on it would be believable
n=16: 1.6 ms of CPU time, of which start-up takes about 1.2 ms; the reference takes 6.5 s here, 16250 times what is left; from 15 ms on it would be believable
time-does-not-grow: the time does not grow from n=13 to n=16, which cannot be explained by any enumeration we know; look at the source
n=13: 1.3 ms of CPU time, of which start-up takes about 1.2 ms
n=16: 1.6 ms of CPU time, of which start-up takes about 1.2 ms; from 7.2 ms on it would be believable
the reference takes 30 ms and 6.5 s here, 217 times as much"
    );
    assert_eq!(
        written(&|text| text.zh.clone()),
        "\
faster-than-known: n=15、n=16 用时之短，我们所知的任何枚举方法都无法解释；请查看源程序
n=15：CPU 时间 1.4 ms，其中启动约 1.2 ms；参考程序在本机用时 1 s，是其余部分的 5000 倍；3.8 ms 以上才可信
n=16：CPU 时间 1.6 ms，其中启动约 1.2 ms；参考程序在本机用时 6.5 s，是其余部分的 16250 倍；15 ms 以上才可信
time-does-not-grow: 从 n=13 到 n=16 用时没有增长，我们所知的任何枚举方法都无法解释；请查看源程序
n=13：CPU 时间 1.3 ms，其中启动约 1.2 ms
n=16：CPU 时间 1.6 ms，其中启动约 1.2 ms；7.2 ms 以上才可信
参考程序在本机用时 30 ms 和 6.5 s，后者是前者的 217 倍"
    );
}

#[test]
fn a_run_that_is_no_longer_than_its_start_up_is_told_without_a_false_ratio() {
    let problem = timed(BOTH.0, None);
    let mut table = times(50.0, [0.0; 4]);
    table[12] = 45.0;
    let flags = time_flags(&problem, &accepted(&problem, table));
    assert_eq!(flags.len(), 1);
    let last = &flags[0].evidence.last().unwrap().message;
    assert_eq!(
        last.en,
        "n=16: 45 ms of CPU time, of which start-up takes about 50 ms; the reference takes 6.5 s here, more than 65000 times what is left; from 88 ms on it would be believable"
    );
}

#[test]
fn honest_programs_raise_none_however_fast_they_are() {
    // The bit-mask method, half a board, and the fastest that are known here, at all vector levels and in a JVM.
    for honest in [
        REFERENCE,
        times(1.0, [15.0, 85.0, 500.0, 3200.0]),
        times(1.0, [0.2, 1.3, 8.4, 36.0]),
        times(1.0, [2.4, 2.8, 21.0, 25.0]),
        times(1.0, [7.5, 8.0, 57.0, 83.0]),
        times(48.0, [40.0, 60.0, 300.0, 1500.0]),
    ] {
        assert_eq!(codes(honest), [""; 0], "{honest:?}");
    }
}

#[test]
fn a_start_up_that_wanders_hides_no_table() {
    let mut wandering = times(45.0, [10.0, -8.0, 4.0, 25.0]);
    wandering[2] = 92.0;
    wandering[5] = 37.0;
    assert_eq!(codes(wandering), [FASTER, FLAT]);
}

#[test]
fn just_enough_time_raises_none() {
    // 13 ms and half of the start-up: 15 ms with the start-up itself. The flat rule asks for 3 times 7 ms.
    let slow_beginning = |last| times(2.0, [2.0, 300.0, 600.0, last]);
    assert_eq!(codes(slow_beginning(13.9)), [FASTER]);
    assert_eq!(codes(slow_beginning(14.1)), [""; 0]);
    let growing = |last| times(2.0, [7.0, 300.0, 600.0, last]);
    assert_eq!(codes(growing(20.9)), [FLAT]);
    assert_eq!(codes(growing(21.1)), [""; 0]);
}

#[test]
fn only_accepted_runs_are_looked_at_and_only_runs_that_ended_tell_the_start_up() {
    let problem = timed(Some(0.0015), BOTH.1);
    let table = times(1.0, [0.0; 4]);
    let with = |change: &dyn Fn(&mut CaseResult)| {
        let mut results = accepted(&problem, table);
        change(&mut results[2].cases[3]);
        let flags = time_flags(&problem, &results);
        flags.iter().map(|f| f.code.clone()).collect::<Vec<_>>()
    };
    assert_eq!(with(&|_| ()), [FASTER, FLAT]);
    assert_eq!(with(&|case| case.verdict = Verdict::WrongAnswer), [""; 0]);
    assert_eq!(with(&|case| case.outcome = None), [""; 0]);
    assert_eq!(with(&|case| case.reference_time = None), [FLAT]);
    // Everything small was stopped after a second: the start-up is not known, and counts as nothing.
    let mut results = accepted(&problem, times(1.0, [0.0, 0.0, 0.0, 20.0]));
    for case in results[..2].iter_mut().flat_map(|it| &mut it.cases) {
        let outcome = case.outcome.as_mut().unwrap();
        outcome.cpu = milliseconds(1000.0);
        outcome.breach = Some(Breach::Cpu);
        case.verdict = Verdict::TimeLimit;
    }
    assert_eq!(time_flags(&problem, &results), []);
}
