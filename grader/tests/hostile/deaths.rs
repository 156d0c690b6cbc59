//! Row 55: every death is reported as it was, in every language. Without `BITCRAFT_NIGHTLY`, the deaths that all languages share
//! are tried in C only.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::room::{Room, problem, student};
use crate::rows::{program, tools};
use crate::station::Station;
use crate::{alone, at_night, is_nightly, skipped};

type Deaths = BTreeMap<String, Value>;

/// The deaths of each language.
fn deaths() -> BTreeMap<String, Deaths> {
    let mut all: BTreeMap<String, Deaths> = toml::from_str(include_str!("deaths.toml")).unwrap();
    let common = all.remove("common").unwrap();
    for (language, own) in &mut all {
        let common = common.clone().into_iter();
        let common = common.filter(|(word, _)| !own.contains_key(word));
        let common: Vec<_> = common.collect();
        if is_nightly() || language == "c" {
            own.extend(common);
        }
        // On ARM, a division by zero gives zero. Pascal's run-time library looks for it.
        if cfg!(target_arch = "aarch64") && language != "pascal" {
            own.remove("divide");
        }
    }
    all
}

fn grade(station: &Station) {
    let _alone = alone();
    let room = Room::new(station);
    let mark = &room.outside.mark;
    let mut languages = deaths();
    languages.retain(|language, _| {
        let (_, program) = tools(language);
        let has = station.has(program);
        if !has {
            skipped(language, &format!("`{program}` is not installed"));
        }
        has
    });
    for (language, deaths) in &languages {
        let mut cases = String::new();
        for word in deaths.keys() {
            let arguments = word.replace(' ', "\", \"");
            writeln!(
                cases,
                "[[subtask.case]]\nname = \"{word}\"\narguments = [\"{mark}\", \"{arguments}\"]\nanswer = \"\""
            )
            .unwrap();
        }
        let limits =
            "[limits]\ntime = \"5 s\"\nwall = \"120 s\"\nmemory = \"256 MiB\"\nprocesses = 64\n";
        room.problem(
            language,
            &format!("[submission]\nfiles = [\"{language}.*\"]\n{limits}"),
            &cases,
        );
        let (extension, _) = tools(language);
        let source = program(&format!("55-deaths.{extension}"));
        room.write(&format!("class/eve/{language}.{extension}"), source);
    }
    let (report, mut complaints) = room.grade();
    for (language, deaths) in &languages {
        let result = problem(student(&report, "eve"), language);
        for case in result["subtasks"][0]["cases"].as_array().unwrap() {
            let death = &deaths[case["name"].as_str().unwrap()];
            let expected = json!(["RE", death["exit"], death["signal"]]);
            let end = &case["outcome"]["end"];
            if json!([case["verdict"], end["exited"], end["signalled"]]) != expected {
                complaints.push(format!("{language}: expected {expected}, found {case}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_death_is_reported_as_it_was() {
    [Station::own(), at_night(Station::user)]
        .iter()
        .flatten()
        .for_each(grade);
}
