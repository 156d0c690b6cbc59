use super::*;

/// Each student: line, id, and what else is told.
fn shown(bytes: &[u8]) -> Vec<String> {
    let line = |entry: &Entry| {
        let Person { name, email, ids } = &entry.person;
        let ids = ids.iter().map(|(system, id)| format!("{system:?}={id}"));
        let told: Vec<String> = name.iter().chain(email).cloned().chain(ids).collect();
        format!("{} {}: {}", entry.line, entry.id, told.join(", "))
    };
    parse(bytes).unwrap().iter().map(line).collect()
}

fn mistake(text: &str) -> String {
    let (line, reason) = parse(text.as_bytes()).unwrap_err();
    assert!(!reason.zh.is_empty());
    format!("{line:?}: {}", reason.en)
}

#[test]
fn columns_are_known_in_english_and_chinese() {
    assert_eq!(
        shown(b"Student ID,Full_Name,E-mail,GitHub username,group\n1001,Ada L,ada@x.org,ada-l,A\n"),
        ["2 1001: Ada L, ada@x.org, Github=ada-l"]
    );
    assert_eq!(
        shown("\u{feff}学号,姓名,班级\r\n7,\"王, 五\",2班\r\n\r\n8,赵六,\r\n".as_bytes()),
        ["2 7: 王, 五", "4 8: 赵六"]
    );
}

#[test]
fn separators_and_encodings_are_recognised() {
    let (gbk, ..) = GBK.encode("学号\t姓名\n01\t张三\n");
    assert_eq!(shown(&gbk), ["2 01: 张三"]);
    assert_eq!(
        shown(b"login;name\nada;Ada, L.\n"),
        ["2 ada: Ada, L., Login=ada"]
    );
    let utf16: Vec<u8> = "\u{feff}id\n7\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(shown(&utf16), ["2 7: "]);
}

#[test]
fn a_column_without_a_name_is_of_ids() {
    assert_eq!(shown(b"s1\n\ns2\n"), ["1 s1: ", "3 s2: "]);
}

#[test]
fn what_other_systems_export_is_read_as_it_comes() {
    assert_eq!(
        shown(
            b"Identifier,\"Full name\",\"Email address\",Status,Grade\nParticipant 12345,Ada L,ada@x.org,Submitted,\n"
        ),
        ["2 ada: Ada L, ada@x.org, Moodle=12345"]
    );
    assert_eq!(
        shown(
            b"Student,ID,SIS User ID,SIS Login ID,Section,HW (1)\n,,,,,Manual Posting\n    Points Possible,,,,,100\n\"Doe, Jane\",77,u1,jdoe,S1,\n"
        ),
        ["4 jdoe: Doe, Jane, Canvas=77, Sis=u1, Login=jdoe"]
    );
    assert_eq!(
        shown(b"identifier,github_username,github_id,name\n1001,ada-l,999,Ada\n"),
        ["2 1001: Ada, Github=ada-l"]
    );
    assert_eq!(
        shown(
            b"First Name,Last Name,SID,Email,Role\nAda,L,1001,ada@x.org,Student\nBob,T,,bob@x.org,Instructor\n"
        ),
        ["2 1001: Ada L, ada@x.org"]
    );
}

#[test]
fn mistakes_name_their_line() {
    assert_eq!(mistake(""), "None: it is empty");
    assert_eq!(mistake("id\n"), "None: it lists no students");
    assert_eq!(
        mistake("a,b\n1,2\n"),
        "Some(1): no column has a name that is known, such as `id`, `name`, `email`, `login`"
    );
    assert_eq!(
        mistake("id,name\n1,a\n\n1,b\n"),
        "Some(4): `1` is in line 2 already"
    );
    assert_eq!(
        mistake("id,group\n,2\n"),
        "Some(2): it tells no id and no name"
    );
    assert_eq!(
        mistake("id,name\n1,Doe, Jane\n"),
        "Some(2): 3 values, but the first line has 2"
    );
    assert_eq!(
        mistake("id,name\n1,\"Ada\n2,Bob\n"),
        "Some(2): a cell is too long, or holds a line break: is a quote not closed?"
    );
    let (_, reason) = parse(b"id\n\xff\xff\xff\n").unwrap_err();
    assert_eq!(reason.en, "it is neither UTF-8 nor GBK");
}

#[test]
fn names_are_escaped() {
    assert_eq!(
        shown("id,name\n1,a\u{202e}b\u{1b}[31m\n".as_bytes()),
        ["2 1: a\\u{202e}b\\x1b[31m"]
    );
}
