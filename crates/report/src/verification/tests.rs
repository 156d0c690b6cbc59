use std::fs;
use std::path::Path;

use grader_model::Lang;
use serde_json::{Value, json};

use super::*;
use crate::json::write_value;
use crate::sample;
use crate::style::Style;

#[test]
fn mismatches_are_explained_and_the_rest_is_a_row_each() {
    assert_eq!(
        verification(&sample::verification(), &Style::default(), false),
        "count
    sample                          language  expected  found
  ✓ accepted/bitmask.c              C         AC        AC  35
  ✓ accepted/bitmask.py             Python    AC        AC  35
  ✓ compile-error/no-semicolon.cpp  C++       CE        CE   0
  ✗ wrong-answer/off-by-one.c       C         WA        PC  16
      points: expected 10, found 16
      because: forgets the last solution of every board with more than eight
               rows
      medium
        ✗ n=9  WA  1.2 ms, 1.2 MiB
            the number of solutions is wrong
            token 1 differs
            expected  352
            found     351
            hint: is every mirrored solution counted twice?
  cases that no wrong sample fails: small/n=4, small/n=5

board
  reference, case all/n=6: expected the checker to accept it, found WA

n-queens: 4 samples, 3 as expected, 1 not, 1 problem is faulty by itself
"
    );
}

#[test]
fn a_verbose_verification_in_chinese_says_why_every_sample_has_its_verdict() {
    let style = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    assert_eq!(
        verification(&sample::verification(), &style, true),
        "count
    样例程序                        语言    应为  实为
  ✓ accepted/bitmask.c              C       AC    AC  35
  ✓ accepted/bitmask.py             Python  AC    AC  35
  ✓ compile-error/no-semicolon.cpp  C++     CE    CE   0
      编译器报告了错误
      C++ · count.c · g++ 12.2.0 -O2 -std=gnu++20 · 编译用时 320 ms
      │ count.cpp: In function 'int main()':
      │ count.cpp:7:14: error: expected ';' before 'return'
      │     7 |     int n = 8
      │       |              ^
  ✗ wrong-answer/off-by-one.c       C       WA    PC  16
      points：应为 10，实为 16
      说明：forgets the last solution of every board with more than eight rows
      medium
        ✗ n=9  WA  1.2 ms，1.2 MiB
            解的个数不对
            第 1 个词不同
            应为  352
            实为  351
            建议：镜像的解是不是都数了两次？
  没有任何错误样例程序不通过的测试点：small/n=4、small/n=5

board
  reference, case all/n=6：检查器应当接受，实为 WA

n-queens：4 个样例程序，3 个符合预期，1 个不符，1 道题目自身有误
"
    );
}

#[test]
fn a_verification_that_holds_ends_with_one_line() {
    let mut verified = sample::verification();
    verified.problems.truncate(1);
    verified.problems[0].samples.truncate(2);
    verified.problems[0].idle_cases.clear();
    assert_eq!(
        verification(&verified, &Style::default(), false),
        "count
    sample               language  expected  found
  ✓ accepted/bitmask.c   C         AC        AC  35
  ✓ accepted/bitmask.py  Python    AC        AC  35

n-queens: 2 samples, all as expected
"
    );
}

/// A verification of one sample that is wrong in four places.
fn wrong_in_four_places() -> grader_model::Verification {
    let mut verified = sample::verification();
    verified.problems.truncate(1);
    let problem = &mut verified.problems[0];
    problem.idle_cases.clear();
    problem.samples.drain(..3);
    problem.samples[0].because = None;
    let place = |case: usize| grader_model::Mismatch {
        place: format!("case medium/n={case}"),
        message: grader_model::Text::new("expected WA, found TLE", "应为 WA，实为 TLE"),
        fault: false,
    };
    problem.samples[0].mismatches = (9..13).map(place).collect();
    verified
}

#[test]
fn three_places_are_named_and_the_others_counted() {
    assert_eq!(
        verification(&wrong_in_four_places(), &Style::default(), false),
        "count
    sample                     language  expected  found
  ✗ wrong-answer/off-by-one.c  C         WA        PC  16
      case medium/n=9: expected WA, found TLE
      case medium/n=10: expected WA, found TLE
      case medium/n=11: expected WA, found TLE
      … and 1 more place
      medium
        ✗ n=9  WA  1.2 ms, 1.2 MiB
            the number of solutions is wrong
            token 1 differs
            expected  352
            found     351
            hint: is every mirrored solution counted twice?

n-queens: 1 sample, 0 as expected, 1 not
"
    );
}

#[test]
fn a_verbose_verification_names_every_place() {
    let text = verification(&wrong_in_four_places(), &Style::default(), true);
    assert!(
        text.contains("case medium/n=12: expected WA, found TLE"),
        "{text}"
    );
    assert!(!text.contains('…'), "{text}");
}

/// Set `BITCRAFT_BLESS` to write the schema anew after a change of the types.
#[test]
fn the_committed_schema_is_the_one_that_the_types_give() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/verification.schema.json");
    let mut generated = Vec::new();
    write_value(&verification_schema(), &mut generated).unwrap();
    let generated = String::from_utf8(generated).unwrap();
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), generated);
}

/// The verifications of two assignments, of which the second holds.
fn two_assignments() -> Value {
    let broken = sample::verification();
    let mut good = broken.clone();
    good.assignment = grader_model::AssignmentId::new("practice");
    good.problems.clear();
    let mut out = Vec::new();
    verification_json(&[broken, good], &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn verifications_of_several_assignments_are_one_document_that_keeps_to_the_schema() {
    let document = two_assignments();
    let validator = jsonschema::draft202012::new(&verification_schema()).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    let mut head = document;
    for assignment in head["assignments"].as_array_mut().unwrap() {
        for key in ["host", "isolation", "problems"] {
            assert!(!assignment[key].is_null(), "{key}");
            assignment[key] = Value::Null;
        }
    }
    assert_eq!(
        head,
        json!({
            "format": "bitcraft-verification/1",
            "holds": false,
            "assignments": [
                { "id": "n-queens", "host": null, "isolation": null, "holds": false, "problems": null },
                { "id": "practice", "host": null, "isolation": null, "holds": true, "problems": null },
            ]
        })
    );
}

#[test]
fn the_json_of_a_sample_tells_the_same_as_the_text() {
    let mut document = two_assignments();
    let sample = &mut document["assignments"][0]["problems"][0]["samples"][3];
    assert_eq!(sample["found"]["points"], 16);
    sample["found"] = Value::Null;
    assert_eq!(
        *sample,
        json!({
            "path": "wrong-answer/off-by-one.c",
            "expected": "WA",
            "holds": false,
            "mismatches": [{ "place": "points", "message": "expected 10, found 16" }],
            "because": "forgets the last solution of every board with more than eight rows",
            "found": null
        })
    );
}

#[test]
fn a_failure_that_concerns_a_whole_sample_is_said_once() {
    let mut verified = wrong_in_four_places();
    let sample = &mut verified.problems[0].samples[0];
    let gone = grader_model::Text::plain("the sandbox failed: no memory");
    sample.mismatches.truncate(1);
    sample.found.message = Some(gone.clone());
    sample.found.verdict = grader_model::Verdict::JudgeError;
    sample.found.subtasks.drain(..2);
    sample.found.subtasks[0].cases[0] = grader_model::CaseResult::unrun(
        grader_model::CaseName::new("n=12"),
        grader_model::Verdict::JudgeError,
        gone,
    );
    assert_eq!(
        verification(&verified, &Style::default(), false),
        "count
    sample                     language  expected  found
  ✗ wrong-answer/off-by-one.c  C         WA        JE  16
      case medium/n=9: expected WA, found TLE
      large
        ✗ n=12  JE
            the sandbox failed: no memory

n-queens: 1 sample, 0 as expected, 1 not
"
    );
}

/// The verification with two mutants, run on every case. The second survives.
fn with_mutants() -> grader_model::Verification {
    use grader_model::{MutantCase, MutantResult, Text, Verdict};
    let mut verified = sample::verification();
    verified.problems.truncate(1);
    verified.every_case = true;
    let problem = &mut verified.problems[0];
    let mut sample = problem.samples.remove(3);
    sample.mismatches.clear();
    sample.because = None;
    problem.samples = vec![sample];
    let cases: Vec<String> = problem.samples[0]
        .found
        .subtasks
        .iter()
        .flat_map(|subtask| {
            let cases = subtask.cases.iter();
            cases.map(|case| format!("{}/{}", subtask.name, case.name))
        })
        .collect();
    let mutant = |name: &str, verdicts: &dyn Fn(usize) -> Verdict| MutantResult {
        name: name.to_owned(),
        mistake: Text::new("is wrong", "是错的"),
        cases: cases
            .iter()
            .enumerate()
            .map(|(index, case)| MutantCase {
                name: case.clone(),
                verdict: verdicts(index),
                fault: None,
            })
            .collect(),
    };
    let mistaken = |case| match case {
        0 => Verdict::Accepted,
        1 => Verdict::TimeLimit,
        _ => Verdict::WrongAnswer,
    };
    problem.mutants = vec![
        mutant("one-diagonal", &mistaken),
        mutant("the-other-diagonal", &mistaken),
        mutant("lucky", &|_| Verdict::Accepted),
    ];
    problem.mismatches = vec![grader_model::Mismatch {
        place: "mutants/lucky".to_owned(),
        message: Text::new(
            "survives: no case fails a program that is wrong",
            "存活：没有测试点能发现这样的程序：是错的",
        ),
        fault: false,
    }];
    problem.idle_cases.clear();
    verified
}

#[test]
fn the_table_shows_which_wrong_program_fails_which_case() {
    assert_eq!(
        verification(&with_mutants(), &Style::default(), false),
        "count
  mutants/lucky: survives: no case fails a program that is wrong
    sample                     language  expected  found
  ✓ wrong-answer/off-by-one.c  C         WA        PC  16

  table of the tests: which wrong program fails which case

                                1 2 3 │ 4 5 6 │ 7
    wrong-answer/off-by-one.c   · · · │ W T · │ W
    mutants/one-diagonal        · T W │ W W W │ W
    mutants/the-other-diagonal  · T W │ W W W │ W
    mutants/lucky               · · · │ · · · │ ·

    1  small: n=4
    2  small: n=5
    3  small: n=6, n=7, n=8
    4  medium: n=9
    5  medium: n=10
    6  medium: n=11
    7  large: n=12
    · accepted, W wrong answer, T time limit exceeded

  cases that fail no wrong program: small/n=4, small/n=5
  no case tells apart: mutants/one-diagonal, mutants/the-other-diagonal
  3 of 4 wrong programs fail, and 1 case would be enough for that (chosen
  greedily: fewer may do): medium/n=9

n-queens: 1 sample, all as expected, 3 mutants, 1 survives, 1 problem is faulty
by itself
"
    );
}

#[test]
fn a_table_in_chinese_that_is_too_wide_goes_on_below() {
    let style = Style {
        lang: Lang::Zh,
        width: 40,
        ..Style::default()
    };
    assert_eq!(
        verification(&with_mutants(), &style, false),
        "count
  mutants/lucky：存活：没有测试点能发现
  这样的程序：是错的
    样例程序                   语言  应为  实为
  ✓ wrong-answer/off-by-one.c  C     WA    PC  16

  测试表：哪个错误程序在哪个测试点不通过

                                1 2 3
    wrong-answer/off-by-one.c   · · ·
    mutants/one-diagonal        · T W
    mutants/the-other-diagonal  · T W
    mutants/lucky               · · ·

                                4 5 6
    wrong-answer/off-by-one.c   W T ·
    mutants/one-diagonal        W W W
    mutants/the-other-diagonal  W W W
    mutants/lucky               · · ·

                                7
    wrong-answer/off-by-one.c   W
    mutants/one-diagonal        W
    mutants/the-other-diagonal  W
    mutants/lucky               ·

    1  small：n=4
    2  small：n=5
    3  small：n=6、n=7、n=8
    4  medium：n=9
    5  medium：n=10
    6  medium：n=11
    7  large：n=12
    · 通过、W 答案错误、T 超出时间限制

  没有任何错误程序不通过的测试点：
  small/n=4、small/n=5
  没有测试点能区分：
  mutants/one-diagonal、
  mutants/the-other-diagonal
  4 个错误程序中有 3 个不通过，只需 1 个
  测试点即可（贪心选出，未必最少）：
  medium/n=9

n-queens：1 个样例程序，全部符合预期，
3 个变异程序，1 个存活，1 道题目自身有误
"
    );
}

#[test]
fn without_every_case_there_is_no_table_and_mutants_are_counted() {
    let mut verified = with_mutants();
    verified.every_case = false;
    verified.problems[0].mutants.pop();
    verified.problems[0].mismatches.clear();
    assert_eq!(
        verification(&verified, &Style::default(), false),
        "count
    sample                     language  expected  found
  ✓ wrong-answer/off-by-one.c  C         WA        PC  16

n-queens: 1 sample, all as expected, 2 mutants, none survives
"
    );
}

#[test]
fn the_json_of_a_table_says_what_can_be_read_off_it() {
    let mut out = Vec::new();
    verification_json(&[with_mutants()], &mut out).unwrap();
    let document: Value = serde_json::from_slice(&out).unwrap();
    let validator = jsonschema::draft202012::new(&verification_schema()).unwrap();
    assert!(validator.is_valid(&document));
    let problem = &document["assignments"][0]["problems"][0];
    assert_eq!(
        problem["mutants"][2],
        json!({ "name": "lucky", "mistake": "is wrong", "killed-by": null, "survives": true })
    );
    let mistaken = ["AC", "TLE", "WA", "WA", "WA", "WA", "WA", "WA", "WA"];
    assert_eq!(
        problem["table"],
        json!({
            "cases": [
                "small/n=4", "small/n=5", "small/n=6", "small/n=7", "small/n=8",
                "medium/n=9", "medium/n=10", "medium/n=11", "large/n=12",
            ],
            "programs": [
                {
                    "name": "wrong-answer/off-by-one.c",
                    "verdicts": ["AC", "AC", "AC", "AC", "AC", "WA", "TLE", "AC", "WA"],
                },
                { "name": "mutants/one-diagonal", "verdicts": mistaken },
                { "name": "mutants/the-other-diagonal", "verdicts": mistaken },
                { "name": "mutants/lucky", "verdicts": vec!["AC"; 9] },
            ],
            "idle-cases": ["small/n=4", "small/n=5"],
            "alike": [["mutants/one-diagonal", "mutants/the-other-diagonal"]],
            "enough": ["medium/n=9"],
        })
    );
}

#[test]
fn a_subtask_that_fails_as_a_whole_says_why() {
    let mut verified = sample::verification();
    verified.problems.truncate(1);
    let problem = &mut verified.problems[0];
    problem.idle_cases.clear();
    let last = problem.samples.last_mut().unwrap();
    last.found = sample::results().students[4].problems[2].clone();
    last.because = None;
    problem.samples.drain(..3);
    assert_eq!(
        verification(&verified, &Style::default(), false),
        "count
    sample                     language  expected  found
  ✗ wrong-answer/off-by-one.c  C         WA        PC  14
      points: expected 10, found 16
      sparse
        its time grows too fast: about n^3 (95 %: 2.95 to 3.05), at most n^2.5
        passes

n-queens: 1 sample, 0 as expected, 1 not
"
    );
}
