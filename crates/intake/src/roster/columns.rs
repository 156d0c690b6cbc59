//! What the columns of a roster are.

/// What a column tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Id,
    Name,
    FirstName,
    LastName,
    Email,
    Login,
    Sis,
    Github,
    Moodle,
    Canvas,
    Role,
    /// Known, so that a table of nothing else is no list of ids; it tells nobody.
    Group,
}

/// Names of columns, in lower case without blanks, `_` and `-`, separated by blanks.
const NAMES: [(Column, &str); 12] = [
    (
        Column::Id,
        "id studentid studentno studentnumber idnumber number sid identifier matriculationnumber \
         学号 學號 学生学号 编号 考号",
    ),
    (
        Column::Name,
        "name fullname student studentname displayname 姓名 名字 学生姓名 全名",
    ),
    (Column::FirstName, "firstname givenname 名"),
    (Column::LastName, "lastname surname familyname 姓 姓氏"),
    (
        Column::Email,
        "email emailaddress mail 邮箱 邮箱地址 电子邮箱 电子邮件 电子邮件地址 邮件",
    ),
    (
        Column::Login,
        "login loginid sisloginid username user account 用户名 登录名 账号 帐号 账户",
    ),
    (Column::Sis, "sis sisid sisuserid"),
    (
        Column::Github,
        "github githubusername githublogin githubuser github用户名 github账号",
    ),
    (
        Column::Moodle,
        "moodle moodleid participant 参与者 moodle编号",
    ),
    (Column::Canvas, "canvas canvasid canvasuserid canvas编号"),
    (Column::Role, "role 角色"),
    (
        Column::Group,
        "group groups class section 班级 小组 组 分组",
    ),
];

/// What the columns of these names are; nothing where no name is known.
pub(super) fn columns(header: &[String]) -> Option<Vec<Option<Column>>> {
    let plain = |name: &String| -> String {
        let letters = name
            .chars()
            .filter(|c| !c.is_whitespace() && !"_-".contains(*c));
        letters.flat_map(char::to_lowercase).collect()
    };
    let names: Vec<String> = header.iter().map(plain).collect();
    let mut columns: Vec<Option<Column>> = names.iter().map(|name| column(name)).collect();
    if columns.iter().all(Option::is_none) {
        return None;
    }
    // In a gradebook of Canvas `ID` is Canvas' own number.
    let is_gradebook = names.iter().any(|name| name == "student")
        && names.iter().any(|name| name.starts_with("sis"));
    if is_gradebook {
        for (column, name) in columns.iter_mut().zip(&names) {
            if name == "id" {
                *column = Some(Column::Canvas);
            }
        }
    }
    Some(columns)
}

fn column(name: &str) -> Option<Column> {
    NAMES
        .iter()
        .find(|(_, names)| names.split(' ').any(|known| known == name))
        .map(|&(column, _)| column)
}
