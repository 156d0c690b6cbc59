use std::cell::{Cell, RefCell};
use std::sync::Arc;

use grader_judge::{Fault, ProblemFault, Tried};
use grader_language::Languages;
use grader_model::{Points, ProblemResult, SimilarGroup, Similarity, Status, StudentId, Verdict};
use grader_problem::{MemoryLibrary, Problem, load_problem};

use super::*;
use crate::search::tests::{Fake, NUMBERS, fails_if, judged, library};
use crate::{Kept, space};

/// A problem with 420 inputs.
struct Sums {
    library: MemoryLibrary,
    entry: Entry,
}

impl Sums {
    fn new() -> Self {
        let library = library(NUMBERS);
        let problem = load_problem(&library, "sum", &[], &Languages::built_in()).unwrap();
        let entry = Entry {
            problem: Arc::new(problem),
            points: Points::whole(1),
            bonus: false,
            hidden: Points::ZERO,
        };
        Self { library, entry }
    }

    fn searched(&self) -> [SearchedProblem<'_>; 1] {
        [SearchedProblem {
            entry: &self.entry,
            space: space(&self.entry.problem, &self.library).unwrap(),
            is_as_graded: true,
        }]
    }

    /// What a search finds that has this time, of programs that do this with an input, and which are shown. A program without
    /// anything to do does not build.
    fn audit<'p>(
        &self,
        programs: &'p [AcceptedProgram<'p>],
        does: &[Option<Does<'_>>],
        time: Duration,
    ) -> (ClassAudit<'p>, Vec<String>, Result<(), SearchError>) {
        let none = BTreeMap::new();
        let plan = ClassPlan {
            time,
            ..self.plan(&none)
        };
        self.audit_by(plan, programs, does)
    }

    /// The same by this plan.
    fn audit_by<'p>(
        &self,
        plan: ClassPlan<'_>,
        programs: &'p [AcceptedProgram<'p>],
        does: &[Option<Does<'_>>],
    ) -> (ClassAudit<'p>, Vec<String>, Result<(), SearchError>) {
        let build = |some: &[usize]| {
            let built = some.iter().map(|at| {
                Some(Fake {
                    problem: Arc::clone(&self.entry.problem),
                    does: does[*at]?,
                    hidden: &[],
                    seen: RefCell::default(),
                })
            });
            Ok(built.collect())
        };
        let (mut audit, mut shown) = (ClassAudit::new(programs), Vec::new());
        let mut show = |program: &AuditedProgram, all: &[AuditedProgram]| {
            assert!(all.contains(program));
            shown.push(program.submission.clone());
            Ok(())
        };
        let ended = audit.take_turns(&build, 1, plan, &mut show);
        (audit, shown, ended)
    }

    fn plan<'p>(&'p self, earlier: &'p BTreeMap<ProblemId, EarlierAudits>) -> ClassPlan<'p> {
        ClassPlan {
            seed: None,
            time: HOUR,
            library: &self.library,
            again: false,
            earlier,
        }
    }
}

/// What a program does with an input.
type Does<'a> = &'a dyn Fn(&str) -> Result<Tried, Fault>;

const HOUR: Duration = Duration::from_secs(3600);

/// A student who submitted the program with this name.
fn student(id: &str, program: &str, verdict: Verdict) -> StudentResult {
    StudentResult {
        id: StudentId::new(id),
        problems: vec![ProblemResult {
            id: ProblemId::new("sum"),
            verdict,
            status: Status::Judged,
            points: Some(Points::ZERO),
            submission: Some(program.to_owned()),
            files: vec![format!("{program}.c")],
            ..ProblemResult::default()
        }],
        ..StudentResult::default()
    }
}

/// The accepted programs of these students, whose files are all there.
fn programs<'a>(
    students: &[StudentResult],
    searched: &'a [SearchedProblem<'a>],
) -> Vec<AcceptedProgram<'a>> {
    let files =
        |_: &StudentResult, _: &ProblemId| io::Result::Ok(vec![SourceFile::new("p.c", *b"")]);
    accepted(students, &[], searched, files).unwrap()
}

/// Accepted programs with these names, of a student each.
fn named<'a>(names: &[&str], searched: &'a [SearchedProblem<'a>]) -> Vec<AcceptedProgram<'a>> {
    let students = names.iter().map(|it| student(it, it, Verdict::Accepted));
    programs(&students.collect::<Vec<_>>(), searched)
}

fn outcomes(audit: &ClassAudit<'_>) -> Vec<AuditOutcome> {
    audit.found.iter().map(|it| it.outcome).collect()
}

#[test]
fn each_accepted_program_is_there_once_with_everybody_who_submitted_it() {
    let students = [
        student("ann", "one", Verdict::Accepted),
        student("bob", "two", Verdict::WrongAnswer),
        student("cy", "three", Verdict::Accepted),
        student("dan", "one", Verdict::Accepted),
        student("eve", "lost", Verdict::Accepted),
        StudentResult::default(),
    ];
    let sums = Sums::new();
    let searched = sums.searched();
    // Nobody has the files of `lost` any more.
    let files = |student: &StudentResult, _: &ProblemId| {
        let is_lost = student.id.as_str() == "eve";
        let files = (!is_lost).then(|| SourceFile::new("p.c", *b""));
        io::Result::Ok(files.into_iter().collect())
    };
    let found = accepted(&students, &[], &searched, files).unwrap();
    let found: Vec<_> = found.into_iter().map(|it| it.known).collect();
    let program = |name: &str, students: &[&str]| AuditedProgram {
        problem: ProblemId::new("sum"),
        students: students.iter().map(|it| StudentId::new(*it)).collect(),
        files: vec![format!("{name}.c")],
        submission: name.to_owned(),
        outcome: AuditOutcome::NotFinished,
        inputs: None,
        found: None,
        unconfirmed: None,
    };
    assert_eq!(
        found,
        [program("one", &["ann", "dan"]), program("three", &["cy"])]
    );
}

#[test]
fn a_program_is_wrong_or_right_or_in_doubt_or_not_tried() {
    let sums = Sums::new();
    let searched = sums.searched();
    let names = ["right", "wrong", "doubt", "unbuilt", "invalid", "fault"];
    let programs = named(&names, &searched);
    let times = Cell::new(0);
    let doubtful = |text: &str| {
        times.set(times.get() + u32::from(text == "3 4"));
        Ok(match (text, times.get()) {
            ("3 4", 2) => Tried::Late,
            _ => fails_if(text == "3 4"),
        })
    };
    let faulty = |text: &str| {
        Ok(match text {
            "1 1" => Tried::Fault(ProblemFault::Rejected),
            _ => judged(Verdict::Accepted),
        })
    };
    let (audit, shown, ended) = sums.audit(
        &programs,
        &[
            Some(&|_| Ok(judged(Verdict::Accepted))),
            Some(&|text| Ok(fails_if(text == "2 5"))),
            Some(&doubtful),
            None,
            Some(&|_| Ok(Tried::Invalid)),
            Some(&faulty),
        ],
        HOUR,
    );
    ended.unwrap();
    assert_eq!(
        outcomes(&audit),
        [
            AuditOutcome::Right,
            AuditOutcome::Wrong,
            AuditOutcome::InDoubt,
            AuditOutcome::NotTried,
            AuditOutcome::NotTried,
            AuditOutcome::Right,
        ]
    );
    let inputs: Vec<_> = audit.found.iter().map(|it| it.inputs).collect();
    assert_eq!(inputs, [Some(420), None, None, None, None, Some(419)]);
    let failed = audit.found[1].found.as_ref().unwrap();
    assert_eq!(failed.case.name.as_str(), "a = 2, b = 5");
    assert_eq!(audit.found[2].unconfirmed.as_deref(), Some("a = 3, b = 4"));
    assert!(!audit.late.is_empty());
    assert_eq!(shown, ["wrong"]);
    let [fault] = &audit.faults[..] else {
        unreachable!("{:?}", audit.faults)
    };
    assert_eq!(
        (fault.problem.as_str(), fault.message.en.as_str()),
        (
            "sum",
            "the checker rejects the reference's answer on a = 1, b = 1"
        )
    );
}

#[test]
fn nothing_is_tried_without_time_and_more_would_help() {
    let sums = Sums::new();
    let searched = sums.searched();
    let programs = named(&["right", "unbuilt"], &searched);
    let right: Does<'_> = &|_| Ok(judged(Verdict::Accepted));
    let audit = |does: &[_], time| {
        let (audit, _, ended) = sums.audit(&programs, does, time);
        ended.unwrap();
        (outcomes(&audit), !audit.late.is_empty())
    };
    let [right_one, not_tried] = [AuditOutcome::Right, AuditOutcome::NotTried];
    assert_eq!(
        audit(&[Some(right), None], Duration::ZERO),
        (vec![not_tried, not_tried], true)
    );
    // A program that does not build needs no time.
    assert_eq!(
        audit(&[Some(right), None], HOUR),
        (vec![right_one, not_tried], false)
    );
}

#[test]
fn what_was_found_before_a_request_to_stop_stays() {
    let sums = Sums::new();
    let searched = sums.searched();
    let programs = named(&["wrong", "stopped", "waiting"], &searched);
    let (audit, shown, ended) = sums.audit(
        &programs,
        &[
            Some(&|text| Ok(fails_if(text == "0 1"))),
            Some(&|_| Err(Fault::Stopped)),
            Some(&|_| unreachable!("it was stopped before")),
        ],
        HOUR,
    );
    assert!(ended.unwrap_err().is_stop());
    assert_eq!(
        outcomes(&audit),
        [
            AuditOutcome::Wrong,
            AuditOutcome::NotFinished,
            AuditOutcome::NotFinished
        ]
    );
    assert_eq!(shown, ["wrong"]);
}

#[test]
fn what_is_known_of_unfinished_programs_stays_after_a_request_to_stop() {
    let sums = Sums::new();
    let searched = sums.searched();
    let programs = named(&["right", "stopped", "waiting"], &searched);
    let tried = Cell::new(0);
    // Everybody had a turn before.
    let stopped = |_: &str| {
        tried.set(tried.get() + 1);
        if tried.get() > BATCH {
            return Err(Fault::Stopped);
        }
        Ok(judged(Verdict::Accepted))
    };
    let right: Does<'_> = &|_| Ok(judged(Verdict::Accepted));
    let (audit, shown, ended) =
        sums.audit(&programs, &[Some(right), Some(&stopped), Some(right)], HOUR);
    assert!(ended.unwrap_err().is_stop());
    assert_eq!(
        (outcomes(&audit), shown),
        (vec![AuditOutcome::Right; 3], Vec::new())
    );
    assert_eq!(audit.found[1].inputs, Some(BATCH));
}

#[test]
fn each_audit_of_a_problem_has_another_seed() {
    let sums = Sums::new();
    let earlier = EarlierAudits {
        count: 3,
        ..EarlierAudits::default()
    };
    let earlier = BTreeMap::from([(ProblemId::new("sum"), earlier)]);
    let plan = sums.plan(&earlier);
    let seeds = ["sum", "other"].map(|it| plan.seed(&ProblemId::new(it)));
    assert_eq!(seeds, [4, 1]);
}

/// An accepted program that an earlier audit found wrong.
fn known<'a>(searched: &'a [SearchedProblem<'a>]) -> Vec<AcceptedProgram<'a>> {
    let mut known = student("known", "known", Verdict::Accepted);
    known.problems[0].counterexample = Some(Box::default());
    programs(&[known], searched)
}

#[test]
fn what_an_earlier_audit_found_is_known_only_while_the_problem_is_the_same() {
    let sums = Sums::new();
    let mut searched = sums.searched();
    let right: Does<'_> = &|_| Ok(judged(Verdict::Accepted));
    let audit = |searched: &[SearchedProblem<'_>], again| {
        let (programs, none) = (known(searched), BTreeMap::new());
        let plan = ClassPlan {
            again,
            ..sums.plan(&none)
        };
        let (audit, shown, ended) = sums.audit_by(plan, &programs, &[Some(right)]);
        ended.unwrap();
        (outcomes(&audit), shown)
    };
    let wrong = (vec![AuditOutcome::Wrong], vec!["known".to_owned()]);
    assert_eq!(audit(&searched, false), wrong);
    // A search that finds nothing says nothing about it.
    assert_eq!(audit(&searched, true), wrong);
    searched[0].is_as_graded = false;
    let right = (vec![AuditOutcome::Right], Vec::new());
    assert_eq!(audit(&searched, false), right);
}

#[test]
fn programs_that_fail_alike_give_one_case() {
    let sums = Sums::new();
    let searched = sums.searched();
    let programs = named(&["one", "two", "three"], &searched);
    let on = |input: &'static str| move |text: &str| Ok(fails_if(text == input));
    let (last, first) = (on("2 5"), on("1 3"));
    let (audit, ..) = sums.audit(&programs, &[Some(&last), Some(&first), Some(&last)], HOUR);
    let kept = Kept::all(&audit.found, &ProblemId::new("sum"));
    let values = |it: &Kept| it.variables.values().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(kept.iter().map(values).collect::<Vec<_>>(), ["1 3", "2 5"]);
    assert_eq!(Kept::all(&audit.found, &ProblemId::new("other")), []);
}

#[test]
fn programs_are_built_one_of_each_problem_first_and_only_while_there_is_time() {
    let sums = Sums::new();
    let problem = |id: &str| {
        let mut problem = Problem::clone(&sums.entry.problem);
        problem.id = ProblemId::new(id);
        let entry = Entry {
            problem: Arc::new(problem),
            ..sums.entry.clone()
        };
        (entry, space(&sums.entry.problem, &sums.library).unwrap())
    };
    let entries = [problem("one"), problem("two")];
    let searched = entries.each_ref().map(|(entry, space)| SearchedProblem {
        entry,
        space: space.clone(),
        is_as_graded: true,
    });
    let names = ["a", "twin", "tried", "known", "b"];
    let students = names.map(|name| {
        let mut student = student(name, name, Verdict::Accepted);
        let [own] = &student.problems[..] else {
            unreachable!()
        };
        let mut two = own.clone();
        student.problems[0].id = ProblemId::new("one");
        two.id = ProblemId::new("two");
        if name == "known" {
            two.counterexample = Some(Box::default());
        }
        student.problems.push(two);
        student
    });
    let similar = [SimilarGroup {
        problem: ProblemId::new("one"),
        kind: Similarity::Tokens,
        tokens: 90,
        students: ["a", "twin"].map(StudentId::new).into(),
        given: Vec::new(),
    }];
    let files =
        |_: &StudentResult, _: &ProblemId| io::Result::Ok(vec![SourceFile::new("p.c", *b"")]);
    let programs = accepted(&students, &similar, &searched, files).unwrap();
    let earlier = EarlierAudits {
        count: 1,
        tried: ["tried".to_owned()].into(),
    };
    let tried = ["one", "two"].map(|id| (ProblemId::new(id), earlier.clone()));
    let tried = BTreeMap::from(tried);
    let turns = |plan: ClassPlan<'_>| {
        let (turns, mut shown) = (RefCell::new(Vec::new()), Vec::new());
        let build = |some: &[usize]| {
            let own = some.iter().map(|at| &programs[*at].known);
            let own = own.map(|it| format!("{}/{}", it.problem, it.submission));
            turns.borrow_mut().push(own.collect::<Vec<_>>().join(" "));
            Ok(some.iter().map(|_| None::<Fake<'_>>).collect())
        };
        let mut audit = ClassAudit::new(&programs);
        let mut show = |program: &AuditedProgram, _: &[AuditedProgram]| {
            shown.push(program.submission.clone());
            Ok(())
        };
        audit.take_turns(&build, 2, plan, &mut show).unwrap();
        assert_eq!(Kept::all(&audit.found, &ProblemId::new("two")), []);
        (turns.into_inner(), shown, !audit.late.is_empty())
    };
    let (order, shown, is_late) = turns(sums.plan(&tried));
    let expected = [
        "one/a two/a",
        "one/known two/twin",
        "one/b two/b",
        "one/twin one/tried",
        "two/tried",
    ];
    assert_eq!(
        (order, shown, is_late),
        (
            expected.map(str::to_owned).into(),
            vec!["known".to_owned()],
            false
        )
    );
    let nothing = BTreeMap::new();
    let again = ClassPlan {
        again: true,
        ..sums.plan(&nothing)
    };
    let (order, shown, _) = turns(again);
    assert_eq!((&*order[0], shown), ("two/known one/a", Vec::new()));
    let none = ClassPlan {
        time: Duration::ZERO,
        ..sums.plan(&tried)
    };
    let late = (Vec::new(), vec!["known".to_owned()], true);
    assert_eq!(turns(none), late);
    let none = ClassPlan {
        again: true,
        ..none
    };
    assert_eq!(turns(none), late);
}

#[test]
fn what_one_program_fails_on_is_tried_first_on_the_others() {
    let sums = Sums::new();
    let searched = sums.searched();
    let programs = named(&["early", "one", "other"], &searched);
    let seen = RefCell::new(Vec::new());
    let noted = |name: &'static str, is_wrong: &dyn Fn(&str) -> bool, text: &str| {
        seen.borrow_mut().push((name, text.to_owned()));
        Ok(fails_if(is_wrong(text)))
    };
    let hard = |text: &str| text == "13 8";
    let early = |text: &str| noted("early", &hard, text);
    // It fails on more, all of which is greater.
    let one = |text: &str| noted("one", &|it| hard(it) || it == "20 20", text);
    let other = |text: &str| noted("other", &hard, text);
    let (audit, shown, _) = sums.audit(&programs, &[Some(&early), Some(&one), Some(&other)], HOUR);
    assert_eq!(outcomes(&audit), [AuditOutcome::Wrong; 3]);
    assert_eq!(shown.len(), 3);
    let found = audit
        .found
        .iter()
        .map(|it| &it.found.as_ref().unwrap().case.name);
    let found: Vec<_> = found.map(ToString::to_string).collect();
    assert_eq!(found, ["a = 13, b = 8"; 3]);
    let first = |name: &str| {
        let seen = seen.borrow();
        let own = seen.iter().filter(|it| it.0 == name);
        own.take(1).map(|it| it.1.clone()).collect::<String>()
    };
    assert_eq!(["early", "one", "other"].map(first), ["0 1", "0 1", "13 8"]);
}

#[test]
fn quick_and_slow_programs_share_the_time_and_so_do_problems() {
    let [one, other] = ["one", "other"].map(ProblemId::new);
    let mut shares = Shares::of([&one, &one, &other].into_iter());
    // A turn of each takes so long.
    let turns = [1, 40, 10].map(Duration::from_millis);
    let mut counts = [0; 3];
    for _ in 0..1000 {
        let at = shares.least(0..3).unwrap();
        counts[at] += 1;
        shares.add(at, turns[at]);
    }
    let time = |at: usize| turns[at] * counts[at];
    let longest = turns[1];
    assert!(time(0).abs_diff(time(1)) <= longest, "{counts:?}");
    assert!(
        (time(0) + time(1)).abs_diff(time(2)) <= longest,
        "{counts:?}"
    );
    // Who has nothing left to try takes no turn.
    assert_eq!(shares.least(1..2), Some(1));
    assert_eq!(shares.least(0..0), None);
}
