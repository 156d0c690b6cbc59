//! How commands end.

use std::error::Error;
use std::io;
use std::path::Path;

use grader_intake::IntakeError;
use grader_judge::Fault;
use grader_model::Text;
use grader_publish::WriteError;
use grader_session::{Ended, Exit, Failure, SessionError};
use grader_store::{LedgerError, LedgerFault};

#[test]
fn who_stopped_it_comes_first_then_what_is_not_known_then_what_is_wrong() {
    let all = |is_interrupted, has_faults, is_unmet| Ended {
        is_interrupted,
        has_faults,
        is_unmet,
    };
    for (ended, judged, searched) in [
        (all(false, false, false), 0, 0),
        (all(false, false, true), 1, 1),
        (all(false, true, false), 3, 3),
        // A failing input is one, whatever else happened; a verdict may be another without the fault.
        (all(false, true, true), 3, 1),
        (all(true, false, false), 130, 130),
        (all(true, true, false), 130, 130),
        (all(true, false, true), 130, 1),
        (all(true, true, true), 130, 1),
    ] {
        let exits = [ended.exit(), ended.of_search().exit()].map(|it| it as i32);
        assert_eq!(exits, [judged, searched], "{ended:?}");
    }
}

/// An error around another one.
#[derive(Debug, thiserror::Error)]
#[error("cannot go on")]
struct Around(#[source] Box<dyn Error + Send + Sync>);

#[test]
fn an_error_says_by_its_kind_how_a_command_ends() {
    let ledger = |why| LedgerError {
        path: "a.db".into(),
        why,
    };
    let full = || io::Error::from(io::ErrorKind::StorageFull);
    let unwritten = || WriteError::of(Path::new("a.csv"))(full());
    let both = Text::new("stop", "停");
    let errors: [(SessionError, &str, Exit); 8] = [
        (
            Failure::new(Exit::Fault, both.clone()).into(),
            "stop",
            Exit::Fault,
        ),
        (Failure::usage("no such").into(), "no such", Exit::Usage),
        (
            SessionError::Mistakes(Vec::new()),
            "the files have mistakes",
            Exit::Usage,
        ),
        (
            ledger(LedgerFault::Empty).into(),
            "cannot use the ledger `a.db`: the file is empty; expected a ledger that `grader grade` created",
            Exit::Usage,
        ),
        (
            ledger(LedgerFault::Full).into(),
            &ledger(LedgerFault::Full).to_string(),
            Exit::Fault,
        ),
        (
            IntakeError::of(Path::new("a"), &io::ErrorKind::NotFound.into()).into(),
            "`a` does not exist",
            Exit::Usage,
        ),
        (
            unwritten().into(),
            "cannot write `a.csv`: no storage space",
            Exit::Fault,
        ),
        (
            SessionError::NoRun,
            "the judge reported no run",
            Exit::Fault,
        ),
    ];
    for (error, text, exit) in errors {
        let failure = Failure::of(&error);
        assert_eq!((&*failure.text.en, failure.exit), (text, exit));
        // It ends so, too, if it is only a cause. What has no text for people is shown with what it caused.
        let outer = Failure::of(&Around(Box::new(error)));
        assert_eq!(outer.exit, exit);
        let with_cause = format!("cannot go on: {text}");
        assert!(
            [text, &with_cause].contains(&&*outer.text.en),
            "{}",
            outer.text.en
        );
    }
    let chinese = Failure::of(&SessionError::from(Failure::mistake(both)));
    assert_eq!(chinese.text.zh, "停");
    let stopped = Failure::of(&Fault::Stopped);
    assert_eq!(stopped.exit, Exit::Interrupted);
    // What is not known is our fault, with all causes.
    let io = Failure::of(&Around(Box::new(full())));
    assert_eq!(
        (&*io.text.en, io.exit),
        ("cannot go on: no storage space", Exit::Fault)
    );
}
