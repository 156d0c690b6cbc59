use std::sync::Arc;

use grader_problem::load_assignment;

use super::*;

/// A problem with a public and a hidden subtask, a reference, a sample, and a rule that only raises a flag.
fn week() -> MemoryLibrary {
    let mut library = MemoryLibrary::default();
    for (path, text) in [
        (
            "week/assignment.toml",
            "format = 1\nid = \"week\"\ntitle = \"Week\"\ndeadline = { due = 2026-12-01T12:00:00, zone = \"UTC\" }\n\
             [[problem]]\npath = \"sum\"\npoints = 5\n",
        ),
        (
            "week/sum/problem.toml",
            "format = 1\nid = \"sum\"\ntitle = \"Sum\"\n[submission]\nfiles = [\"sum.*\"]\n[reference]\npath = \"sum.py\"\n\
             [limits]\ntime = \"1 s\"\n[checker.tokens]\n\
             [[subtask]]\nname = \"public\"\npoints = 2\n[[subtask.case]]\nname = \"one\"\nstdin = \"1 2\"\n\
             [[subtask]]\nname = \"secret\"\npoints = 3\nhidden = \"until due\"\n[[subtask.case]]\nname = \"two\"\nstdin = \"77 88\"\n",
        ),
        ("week/sum/statement.md", "# Sum\n"),
        ("week/sum/sum.py", "print(sum(map(int, input().split())))\n"),
        ("week/sum/submissions/accepted/right.py", "print(3)\n"),
    ] {
        library.insert(path, text);
    }
    library
}

/// The kit at a moment.
fn kit(library: &MemoryLibrary, now: &str) -> Result<KitFiles, KitError> {
    let assignment = load_assignment(library, "week", &[]).unwrap();
    let mut kit = StudentKit::new(library);
    for entry in &assignment.problems {
        let deadline = assignment.deadline.as_ref();
        let public = StudentKit::public(&entry.problem, deadline, now.parse().unwrap());
        let data = |problem: &Problem| {
            let cases = problem.subtasks.iter().flat_map(|it| &it.cases);
            let data = cases.map(|case| TestData {
                input: Arc::clone(&case.input),
                answer: b"3\n".as_slice().into(),
            });
            data.collect::<Vec<_>>()
        };
        if entry.problem.submission.kind == SubmissionKind::Outputs {
            kit.add_inputs(&entry.problem, &data(&entry.problem));
        }
        kit.add(&public, entry, data(&public))?;
    }
    kit.finish("week", &[])
}

#[test]
fn a_kit_has_what_is_public_and_says_how_many_points_are_hidden() {
    let kit = kit(&week(), "2026-11-30T12:00:00Z").unwrap();
    let paths: Vec<&str> = kit.files.keys().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            "README.md",
            "assignment.toml",
            "sum/cases/1-1.ans",
            "sum/cases/1-1.in",
            "sum/problem.toml",
            "sum/statement.html",
            "sum/statement.md",
        ]
    );
    for (path, bytes) in &kit.files {
        let text = String::from_utf8_lossy(bytes);
        for secret in ["77 88", "secret", "sum.py", "deadline"] {
            assert!(!text.contains(secret), "{path}: {text}");
        }
    }
    let readme = String::from_utf8_lossy(&kit.files["README.md"]);
    assert!(readme.contains("- `sum`: 3 of 5 points\n"), "{readme}");
}

#[test]
fn the_readme_names_what_this_assignment_needs_and_nothing_else() {
    let mut library = week();
    let text = library.read("week/sum/problem.toml").unwrap();
    let text = String::from_utf8(text).unwrap();
    let of_c = text.replace("[\"sum.*\"]", "[\"sum.*\"]\nlanguages = [\"c\"]");
    let checked = of_c.replace(
        "[checker.tokens]",
        "[checker.program]\nsource = \"check.cpp\"",
    );
    let changed = of_c.replace("[checker.", "[second-run]\nchange = \"sum.py\"\n[checker.");
    let search = "[search]\nkit = true\ncases = { a = 1 }\nstdin = \"{a}\"\n[validator]\nsource = \"check.cpp\"\n[checker.";
    let searched = of_c.replace("[checker.", search);
    library.insert("week/sum/check.cpp", "int main() {}\n");
    for (problem, packages) in [
        (of_c, vec!["   - C: `sudo apt install gcc libc6-dev`"]),
        (
            checked,
            vec![
                "   - C: `sudo apt install gcc libc6-dev`",
                "   - for the tests: `sudo apt install g++`",
            ],
        ),
        (
            changed,
            vec![
                "   - C: `sudo apt install gcc libc6-dev`",
                "   - for the tests: `sudo apt install python3`",
            ],
        ),
        (
            searched,
            vec![
                "   - C: `sudo apt install gcc libc6-dev`",
                "   - for the tests: `sudo apt install g++ python3`",
            ],
        ),
        // All languages are accepted.
        (text, vec![]),
    ] {
        library.insert("week/sum/problem.toml", problem);
        let kit = kit(&library, "2026-11-30T12:00:00Z").unwrap();
        let readme = String::from_utf8_lossy(&kit.files["README.md"]);
        let (en, _) = readme.split_once("自测").unwrap();
        let found: Vec<&str> = en.lines().filter(|it| it.starts_with("   - ")).collect();
        assert_eq!(found, packages, "{en}");
    }
}

#[test]
fn what_was_hidden_until_the_deadline_is_public_after_it() {
    let kit = kit(&week(), "2026-12-01T12:00:01Z").unwrap();
    let has = |path: &str| kit.files.contains_key(path);
    assert!(has("sum/cases/1-1.in") && has("sum/cases/2-1.in"));
    let readme = String::from_utf8_lossy(&kit.files["README.md"]);
    assert!(!readme.contains("of 5 points"), "{readme}");
}

#[test]
fn an_assignment_of_which_nothing_is_public_has_no_kit() {
    let mut library = week();
    let text = library.read("week/sum/problem.toml").unwrap();
    let text = String::from_utf8(text).unwrap();
    let hidden = text.replace("points = 2\n", "points = 2\nhidden = true\n");
    library.insert("week/sum/problem.toml", hidden);
    let error = kit(&library, "2026-11-30T12:00:00Z").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no case is public: there is nothing that students could test"
    );
}

#[test]
fn several_validators_stay_with_the_author_unless_students_may_search() {
    let mut library = week();
    let text = String::from_utf8(library.read("week/sum/problem.toml").unwrap()).unwrap();
    let validators = "[[validator]]\nsource = \"one.py\"\n[[validator]]\nsource = \"two.py\"\n";
    let text = text.replacen("[[subtask]]", &format!("{validators}[[subtask]]"), 1);
    let text = text.replacen(
        "points = 2\n",
        "points = 2\nvalidator = [{ source = \"own.py\" }, { source = \"two.py\" }]\n",
        1,
    );
    for name in ["one", "two", "own"] {
        library.insert(format!("week/sum/{name}.py"), "exit(0)\n");
    }
    let search = "[search]\nkit = true\ncases = { a = [1, 2] }\nstdin = \"{a} 2\"\n[[validator]]";
    for (text, expected) in [
        (text.clone(), vec![]),
        (
            text.replacen("[[validator]]", search, 1),
            vec!["one.py", "sum.py", "two.py"],
        ),
    ] {
        library.insert("week/sum/problem.toml", text);
        let kit = kit(&library, "2026-11-30T12:00:00Z").unwrap();
        let programs = kit
            .files
            .keys()
            .filter(|it| grader_model::extension_of(it) == "py");
        let programs: Vec<_> = programs.map(|it| it.trim_start_matches("sum/")).collect();
        assert_eq!(programs, expected);
    }
}

#[test]
fn a_kit_has_the_programs_that_change_outputs_and_no_file_that_a_variable_names() {
    let mut library = week();
    let text = String::from_utf8(library.read("week/sum/problem.toml").unwrap()).unwrap();
    let second = "[second-run]\nchange = \"noise/{kind}.py {change}\"\n[checker.tokens]";
    let text = text.replace("[checker.tokens]", second);
    let subtask = "[[subtask]]\nname = \"more\"\npoints = 0\ncases = { kind = [\"lost\", \"twice\"], change = [5, 25], source = \"x\" }\n";
    let variables = "variables = { kind = \"own\", change = 1, source = \"y\" }";
    let text = text.replacen("[[subtask]]", &format!("{subtask}[[subtask]]"), 1);
    let text = text.replace("stdin = \"1 2\"", variables);
    let text = text.replace("stdin = \"77 88\"", &variables.replace("own", "secret"));
    library.insert("week/sum/problem.toml", text);
    for kind in ["lost", "twice", "own", "secret", "other"] {
        library.insert(format!("week/sum/noise/{kind}.py"), "print()\n");
    }
    let kit = kit(&library, "2026-11-30T12:00:00Z").unwrap();
    let programs = kit.files.keys().filter(|it| it.contains("/noise/"));
    let programs: Vec<&str> = programs.map(String::as_str).collect();
    assert_eq!(
        programs,
        [
            "sum/noise/lost.py",
            "sum/noise/own.py",
            "sum/noise/twice.py"
        ]
    );
}

#[test]
fn of_output_files_a_kit_has_the_inputs_and_no_answers() {
    let mut library = week();
    let text = library.read("week/sum/problem.toml").unwrap();
    let text = String::from_utf8(text).unwrap();
    let text = text.replace("files = [\"sum.*\"]", "outputs = \"sum-{case}.out\"");
    library.insert(
        "week/sum/problem.toml",
        text.replace("[limits]\ntime = \"1 s\"\n", ""),
    );
    library.insert("week/two/problem.toml", TWO);
    let assignment = library.read("week/assignment.toml").unwrap();
    let assignment = String::from_utf8(assignment).unwrap();
    library.insert(
        "week/assignment.toml",
        assignment + "[[problem]]\npath = \"two\"\npoints = 1\n",
    );
    let kit = kit(&library, "2026-11-30T12:00:00Z").unwrap();
    let files = kit
        .files
        .iter()
        .filter(|(path, _)| path.contains("/inputs"));
    let files: Vec<_> = files
        .map(|(path, bytes)| (path.as_str(), str::from_utf8(bytes).unwrap()))
        .collect();
    assert_eq!(
        files,
        [
            ("sum/inputs/sum-one.out.in", "1 2"),
            ("sum/inputs/sum-two.out.in", "77 88"),
            ("two/inputs/x.txt.in", "4"),
        ]
    );
    assert!(!kit.files.keys().any(|path| path.starts_with("sum/cases")));
    assert!(kit.files.contains_key("two/cases/1-1.in"));
    assert_eq!(
        kit.notes,
        [
            "sum: students submit the answers of its cases, so only its statement and its inputs are in the kit",
        ]
    );
}

/// A problem whose outputs need no answer.
const TWO: &str = "format = 1\nid = \"two\"\ntitle = \"Two\"\n[submission]\noutputs = \"x.txt\"\n\
     [checker.queens-columns]\nsize = \"4\"\nbase = 0\n\
     [[subtask]]\nname = \"a\"\npoints = 1\n[[subtask.case]]\nname = \"one\"\nstdin = \"4\"\n";
