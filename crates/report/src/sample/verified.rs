//! A verification in which one sample and one problem are not as they must be.

use grader_model::{
    AssignmentId, LanguageId, Mismatch, ProblemId, ProblemVerification, SampleResult, Verdict,
    Verification,
};

use super::cases::problem;
use super::students::{build_failed, compile_error, count_accepted, count_mixed};
use super::{host, results};

pub(crate) fn verification() -> Verification {
    let sample = |path: &str, expected, found, mismatches, because: Option<&str>| SampleResult {
        path: path.to_owned(),
        expected,
        found,
        mismatches,
        because: because.map(str::to_owned),
    };
    let mut python = count_accepted();
    python.language = Some(LanguageId::Python);
    let found_wrong = Mismatch {
        place: "points".to_owned(),
        message: "expected 10, found 16".to_owned(),
        fault: false,
    };
    let mut no_build = problem("count", 35, false, Verdict::CompileError, 0);
    no_build.message = Some(compile_error());
    no_build.language = Some(LanguageId::Cpp);
    no_build.build = Some(build_failed());
    Verification {
        assignment: AssignmentId::new("n-queens"),
        host: host(),
        isolation: results().isolation,
        problems: vec![
            ProblemVerification {
                id: ProblemId::new("count"),
                mismatches: Vec::new(),
                samples: vec![
                    sample(
                        "accepted/bitmask.c",
                        Verdict::Accepted,
                        count_accepted(),
                        vec![],
                        None,
                    ),
                    sample(
                        "accepted/bitmask.py",
                        Verdict::Accepted,
                        python,
                        vec![],
                        None,
                    ),
                    sample(
                        "compile-error/no-semicolon.cpp",
                        Verdict::CompileError,
                        no_build,
                        vec![],
                        None,
                    ),
                    sample(
                        "wrong-answer/off-by-one.c",
                        Verdict::WrongAnswer,
                        count_mixed(),
                        vec![found_wrong],
                        Some("forgets the last solution of every board with more than eight rows"),
                    ),
                ],
                idle_cases: vec!["small/n=4".to_owned(), "small/n=5".to_owned()],
            },
            ProblemVerification {
                id: ProblemId::new("board"),
                mismatches: vec![Mismatch {
                    place: "reference, case all/n=6".to_owned(),
                    message: "expected the checker to accept it, found WA".to_owned(),
                    fault: false,
                }],
                samples: Vec::new(),
                idle_cases: Vec::new(),
            },
        ],
    }
}
