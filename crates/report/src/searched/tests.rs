use grader_model::{CaseName, CaseResult, Text, Verdict};
use serde_json::Value;

use super::*;
use crate::json::write_value;
use crate::snapshots::written;

fn program(student: &str, outcome: AuditOutcome) -> AuditedProgram {
    AuditedProgram {
        problem: ProblemId::new("p"),
        students: vec![StudentId::new(student)],
        files: vec!["p.c".to_owned()],
        submission: "hash".to_owned(),
        outcome,
        inputs: None,
        found: None,
        unconfirmed: None,
    }
}

fn right(inputs: usize) -> AuditedProgram {
    AuditedProgram {
        inputs: Some(inputs),
        ..program("ann", AuditOutcome::Right)
    }
}

fn wrong() -> AuditedProgram {
    let case = CaseResult {
        name: CaseName::new("n = 6"),
        verdict: Verdict::WrongAnswer,
        message: Some(Box::new(Text::new("expected `12`", "应为 `12`"))),
        ..CaseResult::default()
    };
    AuditedProgram {
        students: ["b\n", "cy"].map(StudentId::new).into(),
        found: Some(FoundInput {
            case,
            variables: [("n".to_owned(), "6".to_owned())].into(),
            input: None,
        }),
        ..program("", AuditOutcome::Wrong)
    }
}

fn document(programs: Vec<AuditedProgram>) -> AuditDocument {
    AuditDocument {
        format: AuditDocument::FORMAT,
        assignment: AssignmentId::new("week"),
        class: None,
        run: 1,
        interrupted: false,
        programs,
        faults: Vec::new(),
        not_searched: Vec::new(),
        cases: Vec::new(),
        longer: None,
    }
}

fn text(document: &AuditDocument, lang: Lang) -> String {
    document.text(&Style::of(lang))
}

#[test]
fn an_audit_says_first_what_was_not_found_out() {
    let doubtful = AuditedProgram {
        unconfirmed: Some("n = 7".to_owned()),
        ..program("eve", AuditOutcome::InDoubt)
    };
    let alike = |count: usize, failed_by| AlikeCases {
        problem: ProblemId::new("p"),
        cases: (1..=count).map(|n| format!("all/{n}")).collect(),
        failed_by,
    };
    let audit = AuditDocument {
        faults: vec![AuditedProblem {
            problem: ProblemId::new("q"),
            message: Text::new("the checker fails", "检查程序出错"),
        }],
        cases: vec![alike(9, 0), alike(2, 1), alike(8, 2)],
        longer: Some(300),
        ..document(vec![
            program("dan", AuditOutcome::NotTried),
            right(9),
            doubtful,
            wrong(),
            program("fay", AuditOutcome::NotFinished),
        ])
    };
    assert_eq!(
        text(&audit, Lang::En),
        "eve · p · p.c: failed on n = 7, but there was not enough time to confirm it\n\
         dan · p · p.c: not tried\n\
         q: the checker fails\n\
         1 of 5 accepted programs found wrong; 1 right on at least 9 inputs each; 1 in doubt; 1 not tried: to try them all, use `--time 300`; or run `audit` again: it begins with them\n\
         p: no program fails all/1, all/2, all/3, all/4, all/5, all/6, all/7, all/8 and 1 more case\n\
         p: the same program fails all/1, all/2\n\
         p: the same 2 programs fail all/1, all/2, all/3, all/4, all/5, all/6, all/7, all/8\n"
    );
    assert_eq!(
        text(&audit, Lang::Zh),
        "eve · p · p.c：在 n = 7 上出过错，但时间不够，未能确认\n\
         dan · p · p.c：没有试过\n\
         q：检查程序出错\n\
         5 个通过的程序中发现 1 个有错；1 个程序每个至少试过 9 个输入，都正确；1 个存疑；1 个没有试过：请加 `--time 300`；也可以再运行一次 `audit`，它会从没有试过的程序开始\n\
         p：没有程序在以下测试点出错：all/1、all/2、all/3、all/4、all/5、all/6、all/7、all/8 等 9 个\n\
         p：同样的 1 个程序在以下测试点出错：all/1、all/2\n\
         p：同样的 2 个程序在以下测试点出错：all/1、all/2、all/3、all/4、all/5、all/6、all/7、all/8\n"
    );
    assert!(audit.has_faults());
}

#[test]
fn an_audit_that_found_out_everything_says_how_much_was_tried() {
    let audit = document(vec![right(9), wrong(), right(1)]);
    assert_eq!(
        text(&audit, Lang::En),
        "1 of 3 accepted programs found wrong; each of the others is right on at least 1 input\n"
    );
    assert_eq!(
        text(&audit, Lang::Zh),
        "3 个通过的程序中发现 1 个有错；其余程序每个至少试过 1 个输入，都正确\n"
    );
    assert!(!audit.has_faults());
    let none = document(Vec::new());
    assert_eq!(
        text(&none, Lang::En),
        "0 of 0 accepted programs found wrong\n"
    );
}

#[test]
fn a_wrong_program_is_shown_with_the_input_and_programs_read_english() {
    let shown = wrong_program(&wrong(), &Style::of(Lang::Zh));
    let (whose, case) = shown.split_once('\n').unwrap();
    assert_eq!(whose, "b\\n, cy · p · p.c");
    assert!(
        case.contains("应为 `12`") && case.ends_with("\n\n"),
        "{case}"
    );
    let audit = AuditDocument {
        not_searched: vec![AuditedProblem {
            problem: ProblemId::new("q"),
            message: Text::new("no inputs", "没有输入"),
        }],
        ..document(vec![wrong()])
    };
    let json: Value = serde_json::from_slice(&written(|out| write_value(&audit, out))).unwrap();
    assert_eq!(json["not-searched"][0]["message"], "no inputs");
    let program = &json["programs"][0];
    assert_eq!(program["found"]["case"]["message"], "expected `12`");
    assert_eq!(program.get("submission"), None);
}
