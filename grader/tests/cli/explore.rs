//! The page that shows how the algorithms think.

use std::fs;

use crate::harness::Room;

#[test]
fn the_explorer_is_one_file_that_replaces_only_an_explorer() {
    let room = Room::new().file("page.html", "<!DOCTYPE html>\n<title>Mine</title>\n");
    let ran = room.run(&["explore", "-o", "page.html"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            2,
            "",
            "error: `page.html` exists, and `grader` did not write it: name another file\n"
        )
    );
    let mine = fs::read_to_string(room.path("page.html")).unwrap();
    assert_eq!(mine, "<!DOCTYPE html>\n<title>Mine</title>\n");
    fs::remove_file(room.path("page.html")).unwrap();
    assert_eq!(room.run(&["explore", "-o", "page.html"]).status, 0);
    let ran = room.run(&["explore", "-o", "page.html"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "page.html\n", "")
    );
    let page = fs::read_to_string(room.path("page.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(!page.contains(" src=") && !page.contains("http://") && !page.contains("https://"));
}

#[test]
fn a_page_is_written_even_if_no_browser_can_be_started() {
    let room = Room::new().env("PATH", "");
    let ran = room.run(&["explore", "--open"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "explore.html\n"));
    assert_eq!(
        ran.stderr,
        "no browser was started: open `explore.html` in one\n"
    );
    assert!(room.path("explore.html").is_file());

    let ran = room.run(&["explore", "-o", "missing/page.html"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    assert!(
        ran.stderr.contains("cannot write `missing/page.html`"),
        "{}",
        ran.stderr
    );
}
