//! The headings of rosters and gradebooks, in the languages in which systems write them.
//!
//! Those of Moodle are from its language packs (`mod_assign`, `core`, `assignfeedback_comments`).

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The system's own number, or whatever a table calls an id.
    Identifier,
    /// The number that the institution gives a student.
    IdNumber,
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
    /// It names nobody; known so that a table of nothing else is no list of ids.
    Group,
    Grade,
    Maximum,
    /// Whether the grade can be changed.
    Changeable,
    Feedback,
}

/// Headings, in lower case, without what [`plain`] drops; separated by commas.
const HEADINGS: [(Column, &str); 17] = [
    (
        Column::Identifier,
        "identifier,id,identifiant,identificador,identificativo,identificatie,标识符,识别码,編號,編碼,識別碼",
    ),
    (
        Column::IdNumber,
        "idnumber,studentid,studentno,studentnumber,number,sid,matriculationnumber,orgdefinedid,idnummer,\
         numérodidentification,númerodeid,númeroid,númerodeidentificação,codiceidentificativo,学号,学号工号,學號,学生学号,编号,\
         考号,idナンバー",
    ),
    (
        Column::Name,
        "name,fullname,student,studentname,displayname,vollständigername,nomcomplet,nombrecompleto,nomecompleto,\
         cognomeenome,volledigenaam,全名,姓名,名字,学生姓名,氏名,フルネーム",
    ),
    (Column::FirstName, "firstname,givenname,名"),
    (Column::LastName, "lastname,surname,familyname,姓,姓氏"),
    (
        Column::Email,
        "email,emailaddress,mail,emailadresse,adressedecourriel,adresseemail,direccióndecorreo,direcciónemail,\
         adreçaelectrònica,endereçodeemail,indirizzoemail,emailadres,邮箱,邮箱地址,电子邮箱,电子邮件,电子邮件地址,邮件,電子郵件信箱,\
         電子郵件,メールアドレス",
    ),
    (
        Column::Login,
        "login,loginid,sisloginid,username,user,account,anmeldename,nomdutilisateur,nombredeusuario,nomdusuari,nomedeusuário,\
         nomedeutilizador,gebruikersnaam,用户名,登录名,账号,帐号,账户,帳號,ユーザ名",
    ),
    (Column::Sis, "sis,sisid,sisuserid"),
    (
        Column::Github,
        "github,githubusername,githublogin,githubuser,github用户名,github账号",
    ),
    (
        Column::Moodle,
        "moodle,moodleid,participant,参与者,moodle编号",
    ),
    (Column::Canvas, "canvas,canvasid,canvasuserid,canvas编号"),
    (Column::Role, "role,角色"),
    (
        Column::Group,
        "group,groups,class,section,班级,小组,组,分组",
    ),
    (
        Column::Grade,
        "grade,bewertung,note,calificación,qualificació,nota,valutazione,cijfer,成绩,分数,成績,分數,評点,評定",
    ),
    (
        Column::Maximum,
        "maximumgrade,maximalebewertung,bestebewertung,höchstbewertung,notemaximale,calificaciónmáxima,qualificaciómàxima,\
         notamáxima,valutazionemassima,maximumcijfer,最高分,最高成绩,最高成績,最高評点,最大評点",
    ),
    (
        Column::Changeable,
        "gradecanbechanged,bewertungkanngeändertwerden,lanotepeutêtremodifiée,lacalificaciónpuedesercambiada,\
         lacalificaciónsepuedecambiar,laqualificacióespotcanviar,notapodeseralterada,anotapodeseralterada,\
         lavalutazionepuòesseremodificata,cijferkangewijzigdworden,允许更改成绩,成绩可以更改,成績可以更改,成績可以被更改,評定は変更可能です,\
         評点は変更可能です",
    ),
    (
        Column::Feedback,
        "feedbackcomments,feedbackalskommentar,feedbackkommentare,feedbackparcommentaires,commentairesdefeedback,\
         comentariosderetroalimentación,comentarisderetroacció,comentáriosdefeedback,comentários,commenti,feedbackcommenti,\
         feedbackopmerkingen,反馈意见,反馈评语,评语反馈,評語回饋,回饋評語,フィードバックコメント",
    ),
];

/// What a column is by its heading.
pub(crate) fn column(heading: &str) -> Option<Column> {
    let heading = plain(heading);
    let is_known = |known: &str| known.split(',').any(|it| it == heading);
    let found = HEADINGS.iter().find(|(_, known)| is_known(known));
    found.map(|&(column, _)| column)
}

/// Whether a cell says no.
pub(crate) fn is_no(cell: &str) -> bool {
    const NO: &str = "no,nein,non,não,nee,否,不,不是,いいえ";
    let cell = plain(cell);
    NO.split(',').any(|no| no == cell)
}

/// A heading without case, blanks and the signs that differ between versions.
fn plain(heading: &str) -> String {
    let is_kept = |c: &char| !c.is_whitespace() && !"_-.'’/".contains(*c);
    let kept = heading.chars().filter(is_kept);
    kept.flat_map(char::to_lowercase).collect()
}
