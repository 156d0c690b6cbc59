//! Which assignment is meant.

use std::fs;

use grader_session::{Assignments, keep_problems};

use crate::room::{Room, Said, refusal};

const PROBLEM: &str = "format = 1\nid = \"one\"\ntitle = { zh = \"一\", en = \"One\" }\n\n[submission]\nfiles = [\"one.*\"]\n\n[checker.tokens]\n\n\
    [[subtask]]\nname = \"all\"\npoints = 10\n\n[[subtask.case]]\nname = \"only\"\nanswer = \"1\\n\"\n";
const ASSIGNMENT: &str = "format = 1\nid = \"mini\"\ntitle = { zh = \"小\", en = \"Mini\" }\n\n[[problem]]\npath = \"one\"\npoints = 10\n";
const BUNDLED: &[(&str, &[u8])] = &[
    ("mini/assignment.toml", ASSIGNMENT.as_bytes()),
    ("mini/one/problem.toml", PROBLEM.as_bytes()),
];

fn assignments() -> Assignments {
    Assignments {
        bundled: BUNDLED,
        references: Vec::new(),
    }
}

/// A room with an assignment on disk.
fn room() -> Room {
    let room = Room::new();
    room.write("mine/assignment.toml", ASSIGNMENT);
    room.write("mine/one/problem.toml", PROBLEM);
    room
}

#[test]
fn an_assignment_is_a_folder_or_its_file_or_else_a_bundled_one() {
    let room = room();
    for name in [
        &*room.shown("mine"),
        &room.shown("mine/assignment.toml"),
        "mini",
    ] {
        let location = assignments().find(name).unwrap();
        let said = Said::default();
        let loaded = location.load(&said).unwrap();
        assert_eq!((loaded.id.as_str(), said.take()), ("mini", Vec::new()));
    }
    assert_eq!(
        refusal(assignments().find("mine")),
        (
            "there is no assignment `mine`: expected a folder that holds `assignment.toml`, or a bundled one: `mini`; did you mean `mini`?"
                .to_owned(),
            2
        )
    );
    // A problem alone is none, unless it may be.
    let one = room.shown("mine/one");
    assert!(
        refusal(assignments().find(&one))
            .0
            .starts_with("there is no assignment")
    );
    let alone = assignments().find_with_problem(Some(&one)).unwrap();
    let alone = alone.load(&Said::default()).unwrap();
    assert_eq!(alone.problems.len(), 1);
}

#[test]
fn all_assignments_of_a_folder_are_loaded_or_all_mistakes_reported() {
    let room = room();
    room.write(
        "other/assignment.toml",
        &ASSIGNMENT.replace("mini", "other"),
    );
    room.write("other/one/problem.toml", PROBLEM);
    let all = || assignments().load_all(&[room.path("")]).unwrap();
    let ids = all().unwrap().into_iter().map(|(it, ..)| it.id.to_string());
    assert_eq!(ids.collect::<Vec<_>>(), ["mini", "other"]);
    room.write("mine/assignment.toml", "format = 9\n");
    room.write("other/assignment.toml", "format = 8\n");
    assert!(all().err().unwrap().len() > 1);
    fs::create_dir(room.path("empty")).unwrap();
    let empty = room.shown("empty");
    assert_eq!(
        refusal(assignments().load_all(&[room.path("empty")])).0,
        format!("there is no `assignment.toml` or `problem.toml` in `{empty}` or in its folders")
    );
}

#[test]
fn of_loaded_assignments_the_problems_that_are_named_stay_with_their_samples() {
    let room = room();
    room.write(
        "other/assignment.toml",
        &ASSIGNMENT.replace("mini", "other"),
    );
    room.write("other/one/problem.toml", &PROBLEM.replace("one", "two"));
    room.write("other/one/submissions/accepted/a.py", "");
    let kept = |names: &[&str]| {
        let loaded = assignments().load_all(&[room.path("")]).unwrap();
        let mut loaded = loaded.unwrap();
        let names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
        keep_problems(&mut loaded, &names).map_err(|failure| failure.text.en)?;
        let of = loaded.iter().flat_map(|(assignment, samples, _)| {
            let problems = assignment.problems.iter().zip(samples);
            problems.map(|(entry, samples)| (entry.problem.id.to_string(), samples.len()))
        });
        Ok::<_, String>(of.collect::<Vec<_>>())
    };
    let (one, two) = (("one".to_owned(), 0), ("two".to_owned(), 1));
    assert_eq!(kept(&[]), Ok(vec![one.clone(), two.clone()]));
    assert_eq!(kept(&["two"]), Ok(vec![two.clone()]));
    assert_eq!(kept(&["two", "one"]), Ok(vec![one, two]));
    assert_eq!(
        kept(&["one", "tow"]),
        Err("there is no problem `tow`; did you mean `two`?".to_owned())
    );
}

#[test]
fn the_assignment_of_a_class_is_the_nearest_one_above_it_else_the_bundled_one_by_which_it_was_graded()
 {
    let room = room();
    fs::create_dir_all(room.path("mine/class")).unwrap();
    fs::create_dir_all(room.path("elsewhere/class")).unwrap();
    let of = |class: &str, last: bool| {
        let known = assignments().find("mini").unwrap();
        let known = known.load(&Said::default()).unwrap().info();
        assignments().of_class(None, &room.path(class), || last.then_some(known))
    };
    let on_disk = of("mine/class", true).unwrap();
    assert_eq!(on_disk.folder, "");
    // A class that is gone still lies below its assignment.
    assert_eq!(of("mine/gone", false).unwrap().folder, "");
    assert_eq!(of("elsewhere/class", true).unwrap().folder, "mini");
    let class = room.shown("elsewhere/class");
    assert_eq!(
        refusal(of("elsewhere/class", false)).0,
        format!(
            "there is no `assignment.toml` in `{class}`, in this folder or above: name the assignment with `--assignment`: its folder, \
             such as `mine`, or a bundled one: `mini`"
        )
    );
}
