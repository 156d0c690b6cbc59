use grader_intake::{ClassSource, read_class};
use grader_language::recognise;
use grader_problem::{DiskLibrary, Problem, load_assignment, load_problem, load_samples};

use super::*;

/// The bundled problems' folder.
fn library() -> DiskLibrary {
    DiskLibrary::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../problems"))
}

fn count() -> Problem {
    let loaded = load_problem(&library(), "n-queens/count", &["count"]);
    loaded.value.unwrap()
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
    source_flags(rule, language, &read_sources(&sources, &shown), &answers())
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
    assert_eq!(flags[0].evidence.len(), SHOWN_PLACES + 1);
    assert_eq!(flags[0].evidence[SHOWN_PLACES].message.en, "and 990 more");
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
    let samples = load_samples(&library(), &problem).value.unwrap();
    let mut flagged = Vec::new();
    let mut honest = 0;
    for sample in samples {
        let Some(language) = recognise(&sample.sources) else {
            continue;
        };
        let sources = read_sources(&sample.sources, &[]);
        let flags = source_flags(&problem.source, language, &sources, &answers());
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
fn the_reference_of_count_is_not_flagged() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/count/src");
    let problem = count();
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(path).unwrap();
            // Its tests hold the known table.
            let code = text.split("#[cfg(test)]").next().unwrap();
            sources.push(SourceFile::new(name, code.as_bytes()));
        }
    }
    assert!(sources.len() > 5);
    let read = read_sources(&sources, &[]);
    let flags = source_flags(&problem.source, LanguageId::Rust, &read, &answers());
    assert_eq!(shown(&flags), "");
}

#[test]
fn of_the_messy_class_the_table_and_the_programs_without_a_bit_operation_are_flagged() {
    let assignment = load_assignment(
        &library(),
        "n-queens",
        &["count", "board", "first-three", "polynomial", "annealing"],
    )
    .value
    .unwrap();
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../grader/tests/classes/messy"
    );
    let class = read_class(&ClassSource {
        folder: folder.as_ref(),
        assignment: &assignment,
        recognise: &recognise,
        layout: None,
        roster: None,
        // The messy class has no archives.
        scratch: folder.as_ref(),
    })
    .unwrap();
    let problem = count();
    let mut flagged = Vec::new();
    for student in &class.students {
        let Some(submission) = student.submissions.get(&problem.id) else {
            continue;
        };
        let sources = submission.sources().unwrap();
        let language = recognise(&sources).unwrap();
        let sources = read_sources(&sources, &submission.shown);
        for flag in source_flags(&problem.source, language, &sources, &answers()) {
            flagged.push(format!("{} {}", student.id, flag.code));
        }
    }
    assert_eq!(
        flagged,
        [
            "s14-kong-yue required-token-missing",
            "s14-kong-yue answers-in-source",
            "s15-tao-ran required-token-missing",
            "s16-xie-na required-token-missing",
            "王 小明 required-token-missing",
        ]
    );
}
