//! What CONTRIBUTING.md and docs/design.md say of this repository is so.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use grader_model::{Lang, Verdict};
use toml::{Table, Value};

use crate::harness::repository;

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn toml(path: &str) -> Table {
    read(path).parse().unwrap()
}

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The rows of the table under this heading, without their frame.
fn rows<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = page.lines().skip_while(|line| *line != heading).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.collect()
}

/// All Rust sources below a folder, one after the other, without tests.
fn texts(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| {
        if path.is_dir() && path.ends_with("tests") {
            String::new()
        } else if path.is_dir() {
            texts(path)
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            fs::read_to_string(path).unwrap()
        } else {
            String::new()
        }
    });
    texts.collect()
}

/// Names of the folders in a folder.
fn folders(path: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(repository().join(path)).unwrap();
    let entries = entries.map(Result::unwrap);
    let folders = entries.filter(|entry| entry.file_type().unwrap().is_dir());
    folders
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

/// The crates of ours that a crate is built from, by the names of their folders.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let manifest = toml(&format!("{folder}/Cargo.toml"));
    let Some(dependencies) = manifest.get("dependencies") else {
        return BTreeSet::new();
    };
    let names = dependencies.as_table().unwrap().keys();
    names
        .filter_map(|name| {
            name.strip_prefix("grader-")
                .or(name.strip_prefix("reference-"))
        })
        .map(str::to_owned)
        .collect()
}

/// Every Markdown file for readers.
fn pages() -> Vec<PathBuf> {
    let repository = repository();
    let mut pages = Vec::new();
    for folder in ["", "docs", "problems", "reference"] {
        let entries = fs::read_dir(repository.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    pages.sort();
    pages
}

/// What a heading is called in links.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading
        .chars()
        .filter(|it| it.is_alphanumeric() || "-_ ".contains(*it));
    kept.collect::<String>().replace(' ', "-")
}

#[test]
fn what_contributors_are_told_to_open_exists() {
    let page = read("CONTRIBUTING.md");
    let rows = rows(&page, "| to change | open |");
    // More would not be read.
    assert!((15..=25).contains(&rows.len()), "{}", rows.len());
    let paths = rows.iter().flat_map(|row| quoted(row));
    // The others are commands and names.
    let paths = paths.filter(|word| word.contains('/') && !word.contains(' '));
    let missing: Vec<&str> = paths
        .filter(|path| !repository().join(path).exists())
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            if target.contains("://") {
                continue;
            }
            let (file, place) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let leads =
                file.exists() && (place.is_empty() || places(&file).contains(&place.to_owned()));
            if !leads {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert_eq!(dead, Vec::<String>::new());
}

/// What links can name in a page: its headings, and what has an `id`. Of equal headings, all but the first have a number.
fn places(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let mut places = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        if in_code {
            continue;
        }
        if line.starts_with('#') {
            let (name, before) = (anchor(line), places.len());
            let numbered = (1..=before).map(|number| format!("{name}-{number}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            places.extend(names.find(|name| !places.contains(name)));
        }
        let ids = line.split("<a id=\"").skip(1);
        places.extend(ids.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
    }
    places
}

#[test]
fn every_place_in_a_page_has_a_name_of_its_own() {
    for page in pages() {
        let mut seen = BTreeSet::new();
        let mut twice = places(&page);
        twice.retain(|place| !seen.insert(place.clone()));
        assert_eq!(twice, Vec::<String>::new(), "{}", page.display());
    }
}

#[test]
fn the_table_of_crates_has_each_of_them() {
    let page = read("docs/design.md");
    let rows = rows(&page, "| crate | purpose |");
    let listed: BTreeSet<String> = rows
        .iter()
        .map(|row| quoted(row).next().unwrap().to_owned())
        .collect();
    let mut crates = folders("crates");
    crates.extend(["grader", "reference/*"].map(str::to_owned));
    assert_eq!(listed, crates);
}

#[test]
fn dependencies_point_as_the_design_draws_them() {
    let page = read("docs/design.md");
    let from = page.find("Dependencies point one way: ").unwrap();
    let drawn = page[from..].split("\n\n").next().unwrap();
    let layers = drawn.split('←').map(quoted);
    let mut level = BTreeMap::new();
    for (number, layer) in layers.enumerate() {
        for name in layer {
            // The last layer is followed by other sentences.
            level.entry(name.to_owned()).or_insert(number);
        }
    }
    let mut wrong = Vec::new();
    for name in folders("crates") {
        for other in dependencies(&format!("crates/{name}")) {
            // The explorer and its module are beside the engine: they build on references only.
            let below = match (level.get(&name), level.get(&other)) {
                (Some(upper), Some(lower)) => lower < upper,
                (None, _) => name.starts_with("explorer") && !level.contains_key(&other),
                (Some(_), None) => false,
            };
            if !below {
                wrong.push(format!("{name} → {other}"));
            }
        }
    }
    for name in folders("reference") {
        let own = dependencies(&format!("reference/{name}"));
        wrong.extend(
            own.iter()
                .filter(|it| level.contains_key(*it))
                .map(|it| format!("reference/{name} → {it}")),
        );
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn files_that_the_design_names_exist() {
    let page = read("docs/design.md");
    let named = quoted(&page).filter(|word| word.contains("/src/") || word.starts_with(".ci/"));
    let missing: Vec<&str> = named
        .filter(|path| {
            let root = if path.starts_with(".ci/") {
                ""
            } else {
                "crates"
            };
            !repository().join(root).join(path).exists()
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn each_verdict_has_its_row_and_its_section() {
    let page = read("docs/verdicts.md");
    for verdict in Verdict::ALL {
        let (code, name) = (verdict.code(), verdict.name());
        let heading = format!("{code}: {}", name.en);
        let row = format!(
            "| [`{code}`](#{}) | {} | {} | ",
            anchor(&heading),
            name.en,
            name.get(Lang::Zh)
        );
        for text in [row, format!("\n### {heading}\n")] {
            assert!(page.contains(&text), "docs/verdicts.md lacks {text}");
        }
    }
}

#[test]
fn words_of_reports_are_explained_as_reports_write_them() {
    let page = read("docs/verdicts.md");
    let sources = texts(&repository().join("crates/report/src/words"));
    let rows = rows(&page, "| heading | in Chinese | what to do |");
    let titles = rows.iter().flat_map(|row| row.split('|').skip(1).take(2));
    let unknown: Vec<&str> = titles
        .map(str::trim)
        .filter(|title| !sources.contains(title))
        .collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

#[test]
fn messages_in_headings_are_those_of_the_grader() {
    // A text goes on in the next line after a backslash, and may have backticks that a heading leaves out.
    let plain = |text: &str| text.replace('`', "");
    let folders = ["crates", "grader/src"].map(|folder| texts(&repository().join(folder)));
    let lines = folders.iter().flat_map(|it| it.lines()).map(str::trim);
    let mut sources = String::new();
    for line in lines.filter(|it| !it.starts_with("//")) {
        match line.strip_suffix('\\') {
            Some(begun) => sources += begun,
            None => sources.extend([line, "\n"]),
        }
    }
    let sources = plain(&sources);
    let page = read("docs/troubleshooting.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("### "));
    let mut unknown = Vec::new();
    for heading in headings.map(plain) {
        let parts: Vec<&str> = heading.split('…').map(str::trim).collect();
        assert!(
            parts.iter().any(|it| it.len() > 9),
            "{heading}: says too little"
        );
        unknown.extend(
            parts
                .iter()
                .filter(|it| !sources.contains(*it))
                .map(|it| format!("{it} ({heading})")),
        );
    }
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn versions_are_in_one_place_and_each_dependency_has_its_reason() {
    let mut crates: Vec<String> = folders("crates")
        .iter()
        .map(|it| format!("crates/{it}"))
        .collect();
    crates.extend(
        folders("reference")
            .iter()
            .map(|it| format!("reference/{it}")),
    );
    crates.push("grader".to_owned());
    for folder in crates {
        let manifest = toml(&format!("{folder}/Cargo.toml"));
        let of = |kind: &str| manifest.get(kind).and_then(|it| it.as_table()).cloned();
        for kind in ["dependencies", "dev-dependencies"] {
            for (name, entry) in of(kind).unwrap_or_default() {
                assert_eq!(
                    entry.get("workspace").and_then(toml::Value::as_bool),
                    Some(true),
                    "{folder}: {name}"
                );
            }
        }
    }
    let manifest = read("Cargo.toml");
    let from = manifest.find("[workspace.dependencies]").unwrap();
    let section = manifest[from..].split("\n[").next().unwrap();
    // A comment is for the lines that follow it, up to an empty line or the next comment.
    let mut reason = false;
    for line in section.lines().skip(1) {
        reason = match line {
            "" => false,
            line if line.starts_with('#') => true,
            line => {
                assert!(reason || line.contains("path = "), "{line}");
                reason
            }
        };
    }
}

/// The limits of the bundled problems are multiples of these programs' times.
#[test]
fn references_are_optimised_alike_in_every_profile() {
    let manifest = toml("Cargo.toml");
    let profile = manifest["profile"].as_table().unwrap();
    let settings = |profile: &Value| {
        let packages = profile["package"].as_table().unwrap().clone();
        let references = packages
            .into_iter()
            .filter(|(name, _)| name.starts_with("reference-"));
        references.collect::<BTreeMap<String, Value>>()
    };
    let dev = settings(&profile["dev"]);
    assert!(!dev.is_empty());
    assert_eq!(dev, settings(&profile["release"]));
    assert_eq!(
        profile["dist"]["inherits"],
        Value::String("release".to_owned())
    );
    assert_eq!(profile["dist"].get("package"), None);
}

#[test]
fn the_changelog_begins_with_this_version() {
    let page = read("CHANGELOG.md");
    let heading = page.lines().find(|line| line.starts_with("## ")).unwrap();
    let version = concat!("## ", env!("CARGO_PKG_VERSION"), " (");
    assert!(heading.starts_with(version), "{heading}");
}

#[test]
fn workflows_call_scripts_that_can_be_run() {
    let mut called = BTreeSet::new();
    for name in ["ci", "nightly", "release"] {
        let workflow = read(&format!(".github/workflows/{name}.yml"));
        let commands = workflow
            .lines()
            .filter_map(|line| line.split_once("run: .ci/"));
        called.extend(commands.map(|(_, script)| script.to_owned()));
    }
    assert_eq!(
        called.iter().map(String::as_str).collect::<Vec<_>>(),
        ["dist", "installed", "nightly", "run"]
    );
    for script in called {
        let file = fs::metadata(repository().join(".ci").join(&script)).unwrap();
        assert!(file.permissions().mode() & 0o111 != 0, "{script}");
    }
}
