use grader_model::CaseName;
use proptest::prelude::*;

use super::*;
use crate::sample;
use crate::snapshots::{assert_kept, only, written};

fn annotations(results: &Results, audience: Audience) -> String {
    let out = written(|out| write_annotations(results, audience, Lang::En, out));
    String::from_utf8(out).unwrap()
}

type Command = (String, Vec<(String, String)>, String);

/// A command as the runner reads it (`ActionCommand.cs` of `actions/runner` at 58d6c857): its word, its properties, its
/// message.
fn command(line: &str) -> Option<Command> {
    let rest = line.trim_start().strip_prefix("::")?;
    let (info, message) = rest.split_once("::")?;
    let (word, properties) = info.split_once(' ').unwrap_or((info, ""));
    let undo = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n");
    let property =
        |text: &str| undo(&text.replace("%3A", ":").replace("%2C", ",")).replace("%25", "%");
    let properties = properties.trim().split(',').filter_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        Some((key.to_owned(), property(value)))
    });
    Some((
        word.to_owned(),
        properties.collect(),
        undo(message).replace("%25", "%"),
    ))
}

#[test]
fn the_lines_are_the_ones_that_are_kept() {
    let results = sample::with_hostile();
    for (index, student) in results.students.iter().enumerate() {
        let alone = annotations(&only(&results, &student.id), Audience::Student);
        assert_kept(&format!("github.{}.txt", index + 1), alone.as_bytes());
    }
    let all = annotations(&results, Audience::Staff);
    assert_kept("github.staff.txt", all.as_bytes());
}

#[test]
fn every_line_is_one_command_of_ours_whatever_students_wrote() {
    let results = sample::with_hostile();
    let mut texts: Vec<String> = results
        .students
        .iter()
        .map(|student| annotations(&only(&results, &student.id), Audience::Staff))
        .collect();
    texts.push(annotations(&results, Audience::Staff));
    let keys = ["file", "line", "col", "title"];
    for text in &texts {
        assert!(text.is_empty() || text.ends_with('\n'));
        assert!(!text.contains("##["), "{text}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        for line in text.lines() {
            let (word, properties, message) = command(line).unwrap();
            assert!(["error", "warning"].contains(&word.as_str()), "{line}");
            assert!(
                properties
                    .iter()
                    .all(|(key, _)| keys.contains(&key.as_str())),
                "{line}"
            );
            assert_eq!(
                properties.iter().filter(|(key, _)| key == "title").count(),
                1
            );
            assert!(
                message.lines().all(|line| command(line).is_none()),
                "{message}"
            );
        }
        assert!(text.lines().count() <= MOST);
    }
    assert!(texts.iter().any(|text| text.contains("stop-commands")));
}

#[test]
fn the_worst_come_first_and_what_is_left_out_is_counted() {
    let text = annotations(&sample::results(), Audience::Staff);
    let commands: Vec<_> = text.lines().map(|line| command(line).unwrap()).collect();
    let titles: Vec<&str> = commands
        .iter()
        .map(|(_, properties, _)| properties[0].1.as_str())
        .collect();
    assert_eq!(
        titles,
        [
            "s10 count: JE, not graded, of 35 points",
            "s03 count: CE, 0 of 35 points",
            "s03 polynomial: RE, 0 of 20 points",
            "s02 count: PC, 16 of 35 points",
            "s11 count: PC, 19.75 of 35 points",
            "s02 board: WA, 0 of 15 points",
            "s11 annealing: PC, 17.25 of 30 points",
            "s02 first-three: PE, 0 of 10 bonus points",
            "s11 polynomial: PC, 14 of 20 points",
            "李雷 count: SK, 0 of 35 points",
        ]
    );
    let (_, _, last) = commands.last().unwrap();
    assert_eq!(
        last,
        "nothing was submitted\nand 15 more; the summary has all"
    );
}

#[test]
fn a_compile_error_stands_at_its_line() {
    let results = sample::results();
    let text = annotations(&only(&results, &results.students[2].id), Audience::Student);
    assert_eq!(
        text.lines().next(),
        Some(
            "::error file=count.cpp,line=7,col=14,title=count%3A CE%2C 0 of 35 points::the compiler reports an \
             error%0Aexpected ';' before 'return'"
        )
    );
}

#[test]
fn classroom_reads_the_points_of_one_student_and_none_while_they_are_open() {
    let results = sample::results();
    let notices = |index: usize| {
        let results = only(&results, &results.students[index].id);
        String::from_utf8(written(|out| write_classroom(&results, out))).unwrap()
    };
    assert_eq!(
        notices(0),
        "::notice title=Autograding complete::Points 110/100\n\
         ::notice title=Autograding report::{\"totalPoints\":110,\"maxPoints\":100}\n"
    );
    assert_eq!(
        notices(4),
        "::notice title=Autograding complete::Points 51/100\n\
         ::notice title=Autograding report::{\"totalPoints\":51,\"maxPoints\":100}\n"
    );
    assert_eq!(
        notices(3),
        "::error title=Autograding incomplete::There is no score yet: grading failed or was interrupted. This is \
         not your program's fault; it will be graded again.\n"
    );
    assert!(write_classroom(&results, &mut Vec::new()).is_err());
}

#[test]
fn the_page_of_a_class_of_thousands_is_below_the_limit_of_github() {
    let mut results = sample::results();
    let student = results.students[1].clone();
    results.students = vec![student; 5000];
    let page = step_summary(&results, Audience::Staff, Lang::En).unwrap();
    assert!(
        page.len() > SUMMARY / 2 && page.len() <= SUMMARY,
        "{}",
        page.len()
    );
    let whole = step_summary(&sample::results(), Audience::Staff, Lang::En).unwrap();
    assert!(whole.contains("s10") && whole.len() < 64 << 10);
}

proptest! {
    #[test]
    fn no_message_and_no_name_breaks_out_of_its_command(
        name in "[a:,%=\n\r#\\[\\]\u{2028}\u{85} ]{0,20}",
        message in "[a:,%=\n\r#\\[\\]\u{2028}\u{feff} ]{0,30}",
    ) {
        let mut results = sample::results();
        results.students.truncate(2);
        results.students.remove(0);
        let problem = &mut results.students[0].problems[1];
        problem.files = vec![name.clone()];
        let case = &mut problem.subtasks[0].cases[0];
        case.name = CaseName::new("n");
        case.message = Some(Text::plain(message.clone()));
        let text = annotations(&results, Audience::Staff);
        let found = text.lines().map(|line| command(line).unwrap());
        let (_, properties, told) = found.into_iter().find(|(_, p, _)| p.iter().any(|(_, v)| v.starts_with("board:"))).unwrap();
        prop_assert_eq!(&properties[0], &("file".to_owned(), defused(&safe(&name))));
        prop_assert_eq!(told, defused(&format!("all/n: WA {}", safe(&message))));
    }
}
