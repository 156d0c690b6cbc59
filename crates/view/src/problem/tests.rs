use grader_model::CaseResult;

use super::*;

/// A case that failed, with these hints.
fn case(name: &str, hints: &[&str]) -> CaseResult {
    let why = Text::plain("expected 1, found 2");
    CaseResult {
        hints: hints.iter().copied().map(Text::plain).collect(),
        ..CaseResult::unrun(CaseName::new(name), Verdict::WrongAnswer, why)
    }
}

#[test]
fn what_to_fix_first_is_the_first_hint_on_a_failure_that_may_be_its_cause() {
    let beside = Text::plain("line 9: more is written than fits").beside();
    let beside = beside.en.as_str();
    for (verdict, hints, cases, expected) in [
        (
            Verdict::WrongAnswer,
            "a note",
            vec![case("a", &[])],
            "all/a expected 1, found 2",
        ),
        (
            Verdict::WrongAnswer,
            "a note",
            vec![case("a", &[beside])],
            "all/a expected 1, found 2",
        ),
        (
            Verdict::WrongAnswer,
            "a note",
            vec![case("a", &[beside]), case("b", &["line 7"])],
            "all/b expected 1, found 2. line 7",
        ),
        (
            Verdict::JudgeError,
            "a note",
            vec![case("a", &["line 7"])],
            "judge error",
        ),
        (
            Verdict::CompileError,
            "`;` is missing",
            vec![],
            "`;` is missing",
        ),
    ] {
        let problem = ProblemResult {
            verdict,
            hints: vec![Text::plain(hints)],
            subtasks: vec![SubtaskResult {
                name: SubtaskName::new("all"),
                verdict: Verdict::WrongAnswer,
                cases: cases.into(),
                ..SubtaskResult::default()
            }],
            message: (verdict == Verdict::CompileError).then(|| Text::plain("does not compile")),
            ..ProblemResult::default()
        };
        let Reason {
            subtask,
            case,
            text,
        } = ProblemView::of(&problem, None).to_fix().unwrap();
        let place = subtask
            .zip(case)
            .map(|(subtask, case)| format!("{subtask}/{case} "));
        assert_eq!(place.unwrap_or_default() + &text.en, expected);
    }
}
