use grader_model::Results;
use grader_view::{Audience, Visible};
use proptest::prelude::*;

use super::*;
use crate::sample;
use crate::snapshots::{assert_kept, only, written};

fn annotations(results: &Results, audience: Audience) -> String {
    let visible = Visible::of(results, audience).unwrap();
    let out = written(|out| write_annotations(&visible.view(), Lang::En, out));
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
fn the_annotations_are_the_kept_ones_and_each_line_is_one_command_of_ours() {
    let results = sample::with_hostile();
    let all = annotations(&results, Audience::Staff);
    assert_kept("github.staff.txt", all.as_bytes());
    let own: String = results
        .students
        .iter()
        .map(|student| annotations(&only(&results, &student.id), Audience::Student))
        .collect();
    assert_kept("github.students.txt", own.as_bytes());
    for line in all.lines().chain(own.lines()) {
        let (word, properties, _) = command(line).unwrap();
        assert!(["error", "warning"].contains(&word.as_str()), "{line}");
        let keys = ["file", "line", "col", "title"];
        assert!(
            properties
                .iter()
                .all(|(key, _)| keys.contains(&key.as_str()))
        );
    }
    assert_eq!(all.lines().count(), MAX_ANNOTATIONS);
}

#[test]
fn an_error_is_placed_only_in_a_file_of_the_submission_under_its_own_path() {
    let mut problem = sample::results().students[2].problems[0].clone();
    problem.files = ["src/count.c", "Count.java"].map(str::to_owned).into();
    let mut place_of = |messages: &str| {
        let excerpt = grader_model::Excerpt::block(messages.as_bytes(), 4096);
        problem.build.as_mut().unwrap().messages = Some(excerpt);
        let (spot, error) = Spot::of(&ProblemView::of(&problem, None));
        (spot.properties(), error)
    };
    let file = ("file", "src/count.c".to_owned());
    let system = "/usr/include/stdio.h:7:1: error: x";
    assert_eq!(place_of(system), (vec![file.clone()], None));
    let line = [("line", "3".to_owned()), ("col", "1".to_owned())];
    assert_eq!(
        place_of(&format!("{system}\ncount.c:3:1: error: y")),
        ([vec![file], line.to_vec()].concat(), Some("y".to_owned()))
    );
}

#[test]
fn the_summary_of_a_class_of_thousands_is_below_the_limit_of_github() {
    let mut results = sample::results();
    let student = results.students[1].clone();
    results.students = vec![student; 5000];
    let page = step_summary(&Visible::Staff(&results).view(), Lang::En);
    let sizes = MAX_SUMMARY_BYTES / 2..=MAX_SUMMARY_BYTES;
    assert!(sizes.contains(&page.len()), "{}", page.len());
}

#[test]
fn commands_are_broken_wherever_they_stand() {
    for (text, harmless) in [
        ("::error::x", "\\::error::x"),
        (
            "a\n \t::stop-commands::x\r::y",
            "a\n \t\\::stop-commands::x\r\\::y",
        ),
        (
            "\u{2028}::x::\u{feff}\n\u{ad}:\u{fe0f}:x",
            "\u{2028}\\::x::\u{feff}\n\u{ad}\\:\u{fe0f}:x",
        ),
        (
            "std::vector<int> x; a ## b[1] #[a]",
            "std::vector<int> x; a ## b[1] #[a]",
        ),
        (
            "text ##[error]x ###[b #\u{200d}#[c",
            "text ##\\[error]x ###\\[b #\u{200d}#\\[c",
        ),
    ] {
        assert_eq!(defused(text), harmless);
    }
}

proptest! {
    /// The two rules of the runner, as it applies them, but for what is not printable ASCII.
    #[test]
    fn no_text_is_a_command(text in "[:#\\[ \n\r\t\u{2028}\u{feff}a]{0,40}") {
        for line in defused(&text).split(['\n', '\r']) {
            let seen: String = line.chars().filter(char::is_ascii_graphic).collect();
            prop_assert!(!seen.starts_with("::"), "{line:?}");
            prop_assert!(!seen.contains("##["), "{line:?}");
        }
    }

    #[test]
    fn no_message_and_no_name_breaks_out_of_its_command(
        name in "[a:,%=\n\r#\\[\\]\u{2028}\u{85} ]{0,20}",
        message in "[a:,%=\n\r#\\[\\]\u{2028}\u{feff} ]{0,30}",
    ) {
        let mut results = only(&sample::results(), &sample::results().students[1].id);
        results.students[0].problems.drain(2..);
        results.students[0].problems.remove(0);
        let problem = &mut results.students[0].problems[0];
        problem.files = vec![name.clone()];
        problem.subtasks[0].cases_mut()[0].message = Some(grader_model::Text::plain(message.clone()).into());
        let text = annotations(&results, Audience::Staff);
        let (word, properties, found) = command(text.trim_end_matches('\n')).unwrap();
        prop_assert_eq!((word.as_str(), text.lines().count()), ("error", 1));
        prop_assert_eq!(&properties[0], &("file".to_owned(), safe(&name)));
        prop_assert_eq!(found, format!("all/n=4: {}", safe(&message)));
    }
}
