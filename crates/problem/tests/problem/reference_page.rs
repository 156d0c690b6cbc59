//! `docs/problem-files.md`, below its introduction, is generated from the JSON Schemas: every table and every key, with
//! the types' doc comments. Each key has an address that links can name.

use std::fmt::Write as _;

use grader_problem::schema;
use serde_json::Value;

const PAGE: &str = "../../docs/problem-files.md";

/// A table in a file: its heading on the page, the name of its type, and its schema.
struct Section<'a>(String, &'a str, &'a Value);

/// Set `BITCRAFT_BLESS` to regenerate the page after the types have changed.
#[test]
fn the_page_of_keys_is_in_step_with_the_types() {
    let roots = [
        schema::assignment(),
        schema::problem(),
        schema::corrections(),
        schema::course(),
    ]
    .map(|text| serde_json::from_str::<Value>(&text).unwrap());
    let defs = roots
        .iter()
        .flat_map(|root| root["$defs"].as_object().unwrap().clone());
    let defs = Value::Object(defs.collect());
    let mut sections = Vec::new();
    for root in &roots {
        let mut next = sections.len();
        let title = root["title"].as_str().unwrap();
        sections.push(Section(title.to_owned(), "", root));
        while let Some(Section(heading, _, table)) = sections.get(next) {
            let path = heading.trim_matches(['[', ']']).to_owned();
            for (key, schema, _) in keys(table) {
                let path = format!("{path}.{key}");
                let path = path.trim_start_matches(title).trim_start_matches('.');
                find_tables(path, schema, &defs, &mut sections);
            }
            next += 1;
        }
    }
    let written = std::fs::read_to_string(PAGE).unwrap();
    let mut page = written.split("\n## ").next().unwrap().to_owned();
    for Section(heading, _, table) in &sections {
        let about = table["description"].as_str().unwrap();
        let level = heading.find('[').map_or("", |_| "#");
        writeln!(page, "\n##{level} `{heading}`\n\n{about}\n").unwrap();
        page += "| key | value | meaning |\n|---|---|---|\n";
        let path = heading.trim_matches(['[', ']']);
        for (key, schema, about) in keys(table) {
            let value = value(schema, &defs, &sections);
            let required = list(&table["required"]).find(|required| *required == key);
            let required = required.map_or("", |_| "**Required.** ");
            let about = about["description"].as_str().unwrap().replace('\n', " ");
            let anchor = format!("{path}.{key}");
            let key = format!("<a id=\"{anchor}\"></a>[`{key}`](#{anchor})");
            writeln!(page, "| {key} | {value} | {required}{about} |").unwrap();
        }
    }
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        std::fs::write(PAGE, page).unwrap();
    } else {
        assert!(written == page, "run with `BITCRAFT_BLESS` set");
    }
}

/// The address of a heading on the page.
fn address(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|it| it.is_alphanumeric() || *it == '-');
    kept.collect::<String>().to_lowercase()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The keys of a table with their schemas, and the schemas that describe them. An alternative of tables has the keys of
/// all.
fn keys(table: &Value) -> impl Iterator<Item = (&str, &Value, &Value)> {
    let tables = std::iter::once(table).chain(list(&table["oneOf"]));
    tables.flat_map(move |part| {
        let is_choice = !std::ptr::eq(part, table);
        let properties = part["properties"].as_object().into_iter().flatten();
        properties.map(move |(key, schema)| (&**key, schema, if is_choice { part } else { schema }))
    })
}

fn type_name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}

/// Adds the tables that a key's value may be, each type once.
fn find_tables<'a>(
    path: &str,
    schema: &'a Value,
    defs: &'a Value,
    sections: &mut Vec<Section<'a>>,
) {
    if let Some(name) = type_name(schema) {
        let is_new = sections.iter().all(|section| section.1 != name);
        if is_new && keys(&defs[name]).next().is_some() {
            sections.push(Section(format!("[{path}]"), name, &defs[name]));
        }
        find_tables(path, &defs[name], defs, sections);
    }
    for choice in list(&schema["anyOf"]) {
        find_tables(path, choice, defs, sections);
    }
    if schema["items"].is_object() {
        find_tables(&format!("[{path}]"), &schema["items"], defs, sections);
    }
    if let values @ Value::Object(_) = &schema["additionalProperties"] {
        find_tables(&format!("{path}.NAME"), values, defs, sections);
    }
}

/// The kinds of values that a key may have.
fn value(schema: &Value, defs: &Value, sections: &[Section]) -> String {
    if let Some(name) = type_name(schema) {
        return match sections.iter().find(|section| section.1 == name) {
            Some(Section(heading, ..)) => format!("[`{heading}`](#{})", address(heading)),
            None => value(&defs[name], defs, sections),
        };
    }
    let choices = list(&schema["anyOf"]).filter(|choice| choice["type"] != "null");
    let choices = choices.map(|choice| value(choice, defs, sections));
    let types = std::iter::once(&schema["type"]).chain(list(&schema["type"]));
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    let types = types.filter_map(Value::as_str).map(|kind| match kind {
        "array" => format!("list of {}", value(&schema["items"], defs, sections)),
        "object" => "table".to_owned(),
        "string" if pattern.contains("KiB") => "size".to_owned(),
        "string" if pattern.contains("min") => "time".to_owned(),
        kind => kind.to_owned(),
    });
    let kinds: Vec<_> = choices.chain(types).filter(|kind| kind != "null").collect();
    match schema {
        Value::Null => "numbers".to_owned(),
        _ if kinds.is_empty() => "string".to_owned(),
        _ => kinds.join(" or "),
    }
}
