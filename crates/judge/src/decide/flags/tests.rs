use std::fmt::Write as _;

use grader_language::Languages;
use grader_model::{Breach, LanguageId, SourceFile};
use grader_problem::{DiskLibrary, TimeFlags, load_problem};

use super::*;
use crate::tests::ended_well;

/// The bundled problem.
fn count() -> Problem {
    let library = DiskLibrary::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../problems"));
    load_problem(
        &library,
        "n-queens/count",
        &["fast-count"],
        &Languages::built_in(),
    )
    .unwrap()
}

fn flags_by(rule: &SourceRule, file: &str, text: &str) -> Vec<Flag> {
    let answers = [
        92, 352, 724, 2680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512,
    ];
    let answers: Vec<KnownAnswer> = (8..)
        .zip(answers)
        .map(|(n, answer)| KnownAnswer {
            case: CaseName::new(format!("n={n}")),
            answer,
        })
        .collect();
    let sources = [SourceFile::new(file, text.as_bytes())];
    let languages = Languages::built_in();
    let sources = SourceText::all(&sources);
    let language = languages.recognise(&sources).unwrap();
    source_flags(
        rule,
        language,
        &sources,
        &[format!("s01/{file}")],
        Some(&answers),
    )
}

/// A flag as an instructor reads it, in English.
fn shown(flags: &[Flag]) -> String {
    let mut text = String::new();
    for flag in flags {
        writeln!(text, "{}: {}", flag.code, flag.message.en).unwrap();
        for evidence in &flag.evidence {
            let place = evidence.place.as_ref().map(|place| format!("{place} "));
            let place = place.unwrap_or_default();
            writeln!(text, "  {place}{}", evidence.message.en).unwrap();
            if let Some(excerpt) = &evidence.excerpt {
                writeln!(text, "    {excerpt}").unwrap();
            }
        }
    }
    text
}

#[test]
#[rustfmt::skip]
fn tables_of_answers_and_programs_without_a_bit_operation_are_flagged_in_every_language() {
    const TABLE: &str = "answers-in-source";
    const NO_BITS: &str = "required-token-missing";
    let rule = count().source;
    for (file, text, expected) in [
        ("a.c", "long t[] = {0xa78, 0x3778, 0x11FF0UL, 0x5941C, 0x22c710, 0xE16920}; int main(void) { return 1 ^ 2; }", &[(TABLE, 6)][..]),
        ("a.rs", "fn main() { let half = [36_856_u64, 182_798, 1_139_592, 7_386_256]; println!(\"{}\", half[0] << 1); }", &[(TABLE, 4)]),
        ("a.py", "t = '000268000142000073712003655960227918414772512'\nprint(int(t[n*8:n*8+8]) ^ 0)\n", &[(TABLE, 3)]),
        ("A.java", "class A { static String s = \"365\" + \"596\"; int[] a = {2, 279, 184, 14, 772, 512}; int x = 1 << 2; }", &[(TABLE, 3)]),
        ("a.pas", "program c; const f: array[1..3] of longint = ($2411, 45752, 285053); begin writeln(f[1] shl 3); end.", &[(TABLE, 3)]),
        ("a.c", "// 2680 14200 73712 365596 2279184 14772512\n/* 0xE16920 */\nint main(void) { if (count(12) != 14200) return 1; return 1 ^ 2; }", &[]),
        ("a.c", "int main(void) { int n; scanf(\"%d ^\", &n); /* 1 << n */ if (n && n || n) { int *p = &n; } }", &[(NO_BITS, 1)]),
        ("a.cpp", "int main() { int n; std::cin >> n; std::vector<std::vector<int>> v; int &m = n; std::cout << n << '|'; }", &[(NO_BITS, 1)]),
        ("a.rs", "fn main() { let v: Vec<Vec<u8>> = vec![]; f(&v, &mut 1 == &2 || false); println!(\"a | b\"); }", &[(NO_BITS, 1)]),
        ("A.java", "class A { boolean b = 1 < 2 && 2 < 3 || false; char c = '^'; }", &[(NO_BITS, 1)]),
        ("a.pas", "program c; begin if not a then writeln('a and b shl c') { xor } end.", &[(NO_BITS, 1)]),
        ("a.py", "# a & b\nprint('a | b', f'{{a ^ b}}', a and b, a ** b)\n", &[(NO_BITS, 1)]),
        ("a.c", "int main(void) { return 1 << 2; }", &[]),
        ("a.cpp", "int main() { std::cout << (n & 1); }", &[]),
        ("a.cpp", "int main() { place((left + bit) << 1u); }", &[]),
        ("a.rs", "fn main() { place(1u32 << n); }", &[]),
        ("A.java", "class A { int x = a & b; }", &[]),
        ("a.pas", "program c; begin x := a SHR 1; end.", &[]),
        ("a.py", "print(a & b)\n", &[]),
    ] {
        let flags = flags_by(&rule, file, text);
        let found: Vec<_> = flags.iter().map(|it| (it.code.as_str(), it.evidence.len())).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn forbidden_tokens_are_flagged_where_they_stand_and_only_the_first_are_shown() {
    let rule = SourceRule {
        forbid: vec![TokenRule {
            any: vec!["goto".to_owned(), "system (".to_owned()],
            languages: [(LanguageId::Python, vec!["os . system".to_owned()])].into(),
            because: Some(Text::new("nothing is started", "不得启动其他程序")),
            refuses: false,
        }],
        ..SourceRule::default()
    };
    // Excerpts of a source are escaped.
    let text = "int main(void) {\n    system\n        (\"\x1b[2J goto\"); // goto\n皇: goto /* \x1b[2J \u{202e} */ 皇;\n}\n";
    let flags = flags_by(&rule, "a\x1b.c", text);
    assert_eq!(
        shown(&flags),
        "\
forbidden-token: the source contains `system (`, `goto`, which is not allowed: nothing is started
  s01/a\\x1b.c:2:5 `system (`
    system
  s01/a\\x1b.c:4:4 `goto`
    皇: goto /* \\x1b[2J \\u{202e} */ 皇;
"
    );
    assert_eq!(
        flags[0].message.zh,
        "源程序中用了不允许使用的 `system (`、`goto`（不得启动其他程序）"
    );
    let flags = flags_by(&rule, "a.c", &"goto a; ".repeat(1000));
    assert_eq!(flags[0].evidence.len(), MAX_FLAG_PLACES);
    let flags = flags_by(&rule, "a.py", "import os\nos.system('goto'); system('x')\n");
    assert_eq!(flags[0].evidence.len(), 3);
}

#[test]
#[rustfmt::skip]
fn answers_are_found_however_they_are_written_and_not_by_chance() {
    let rule = SourceRule {
        answers: Some(AnswerRule {
            at_least: 1,
            divided_by: vec![2, 8],
            also: Vec::new(),
        }),
        ..SourceRule::default()
    };
    for (file, text, expected) in [
        ("a.c", "x = 070264440;", "14772512, the answer of n=16"),
        ("a.cpp", "x = 14'772'512;", "14772512, the answer of n=16"),
        ("a.c", "36856", "36856, 1/2 of 73712, the answer of n=13"),
        ("a.c", "284898", "284898, 1/8 of 2279184, the answer of n=15"),
        ("a.c", "\"92,352,073712\"", "73712, the answer of n=13; in a string"),
        ("a.c", "\"9200035214772512\"", "14772512, the answer of n=16; in a string"),
        ("a.c", "\"147\" \"72512\"", "14772512, the answer of n=16; split over a list"),
        ("a.c", "{'3','6','5','5','9','6'}", "365596, the answer of n=14; split over a list"),
        ("a.c", "92 x14772512 14772512.5 // 14772512", ""),
        ("a.c", "\"147725\" f(\"12\") \"12680\" {73, 712} 3 6 5 - 5 9 6", ""),
    ] {
        let flags = flags_by(&rule, file, text);
        let found: Vec<&str> = flags
            .iter()
            .flat_map(|flag| &flag.evidence)
            .map(|evidence| evidence.message.en.as_str())
            .collect();
        assert_eq!(found.join("\n"), expected, "{text}");
    }
    for answer in ["", "1 2", "x", "-1", "1.5", "99999999999999999999"] {
        assert_eq!(whole_number(answer.as_bytes()), None);
    }
}

/// `n-queens/count`, with rules of its own.
fn timed(faster_than: Option<f64>, flat: Option<(f64, f64)>) -> Problem {
    let mut problem = count();
    problem.time_flags = TimeFlags {
        faster_than,
        flat: flat.map(|(from, to)| FlatRule {
            over: "n".to_owned(),
            from,
            to,
            at_least: 3.0,
        }),
        because: Some(Text::plain("no method is that fast")),
    };
    problem
}

const BOTH: (Option<f64>, Option<(f64, f64)>) = (Some(0.002), Some((13.0, 16.0)));

/// The reference's times for n = 4 to 16, in milliseconds.
const REFERENCE: [f64; 13] = [
    1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.3, 2.0, 6.0, 30.0, 170.0, 1000.0, 6500.0,
];

fn milliseconds(millis: f64) -> CpuTime {
    CpuTime(Duration::from_secs_f64(millis / 1000.0))
}

/// Results of accepted runs with these times in milliseconds for n = 4 to 16.
fn accepted(problem: &Problem, times: [f64; 13]) -> Vec<SubtaskResult> {
    let mut times = times.into_iter().zip(REFERENCE);
    problem
        .subtasks
        .iter()
        .map(|subtask| {
            let cases = subtask.cases.iter().zip(times.by_ref());
            let cases = cases.map(|(case, (cpu, reference_time))| CaseResult {
                message: None,
                outcome: Some(ended_well(milliseconds(cpu))),
                reference_time: Some(milliseconds(reference_time)),
                ..CaseResult::unrun(case.name.clone(), Verdict::Accepted, Text::default())
            });
            SubtaskResult {
                verdict: Verdict::Accepted,
                cases: cases.collect(),
                ..SubtaskResult::default()
            }
        })
        .collect()
}

/// Codes of the flags raised by these times in milliseconds for n = 4 to 16.
fn codes(times: [f64; 13]) -> Vec<String> {
    let problem = timed(BOTH.0, BOTH.1);
    let flags = time_flags(&problem, &accepted(&problem, times));
    flags.into_iter().map(|flag| flag.code).collect()
}

/// Times of a program with this start-up, and this work for n = 13 to 16, in milliseconds.
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
    assert_eq!(
        shown(&flags),
        "\
faster-than-known: n=15, n=16 took too little time: no method is that fast
  n=15: 1.4 ms of CPU time, of which start-up takes about 1.2 ms; the reference takes 1 s here, 5000 times the rest; 3.8 ms or more would be plausible
  n=16: 1.6 ms of CPU time, of which start-up takes about 1.2 ms; the reference takes 6.5 s here, 16250 times the rest; 15 ms or more would be plausible
time-does-not-grow: from n=13 to n=16 the time grew too little: no method is that fast
  n=13: 1.3 ms of CPU time, of which start-up takes about 1.2 ms
  n=16: 1.6 ms of CPU time, of which start-up takes about 1.2 ms; 7.2 ms or more would be plausible
"
    );
}

#[test]
#[rustfmt::skip]
fn no_honest_program_raises_a_flag_however_fast_and_no_wandering_start_up_hides_a_table() {
    let mut wandering = times(45.0, [10.0, -8.0, 4.0, 25.0]);
    (wandering[2], wandering[5]) = (92.0, 37.0);
    for (times, expected) in [
        // The bit-mask method, half a board, and the fastest programs we know, at all vector levels and in a JVM.
        (REFERENCE, &[][..]),
        (times(1.0, [15.0, 85.0, 500.0, 3200.0]), &[]),
        (times(1.0, [0.2, 1.3, 8.4, 36.0]), &[]),
        (times(1.0, [2.4, 2.8, 21.0, 25.0]), &[]),
        (times(1.0, [7.5, 8.0, 57.0, 83.0]), &[]),
        (times(48.0, [40.0, 60.0, 300.0, 1500.0]), &[]),
        (wandering, &[FASTER, FLAT]),
        // 13 ms and half of the start-up: 15 ms with the start-up itself. The flat rule requires 3 times 7 ms.
        (times(2.0, [2.0, 300.0, 600.0, 13.9]), &[FASTER]),
        (times(2.0, [2.0, 300.0, 600.0, 14.1]), &[]),
        (times(2.0, [7.0, 300.0, 600.0, 20.9]), &[FLAT]),
        (times(2.0, [7.0, 300.0, 600.0, 21.1]), &[]),
    ] {
        assert_eq!(codes(times), expected, "{times:?}");
    }
}

#[test]
fn only_accepted_runs_are_looked_at_and_only_runs_that_ended_tell_the_start_up() {
    let problem = timed(Some(0.000_45), BOTH.1);
    let table = times(1.0, [0.0; 4]);
    let with = |change: &dyn Fn(&mut CaseResult)| {
        let mut results = accepted(&problem, table);
        change(&mut results[2].cases_mut()[3]);
        let flags = time_flags(&problem, &results);
        flags.iter().map(|f| f.code.clone()).collect::<Vec<_>>()
    };
    assert_eq!(with(&|_| ()), [FASTER, FLAT]);
    assert_eq!(with(&|case| case.verdict = Verdict::WrongAnswer), [""; 0]);
    assert_eq!(with(&|case| case.outcome = None), [""; 0]);
    assert_eq!(with(&|case| case.reference_time = None), [FLAT]);
    // Every small case was stopped after a second: the start-up is unknown and counts as 0.
    let mut results = accepted(&problem, times(1.0, [0.0, 0.0, 0.0, 20.0]));
    for case in results[..2].iter_mut().flat_map(SubtaskResult::cases_mut) {
        let outcome = case.outcome.as_mut().unwrap();
        outcome.cpu = milliseconds(1000.0);
        outcome.breach = Some(Breach::Cpu);
        case.verdict = Verdict::TimeLimit;
    }
    assert_eq!(time_flags(&problem, &results), []);
}
