//! The columns of a grading worksheet, by their heads in the languages of Moodle's language packs.

use crate::cells::Sheet;
use crate::fill::FillError;

/// A column of a grading worksheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoodleColumn {
    /// `Participant 12345`.
    Identifier,
    /// Full name.
    Name,
    /// Address of electronic mail.
    Email,
    /// The number that the institution gives a person.
    IdNumber,
    /// The name with which a person logs in.
    Username,
    /// The grade.
    Grade,
    /// The maximum grade.
    Maximum,
    /// Whether the grade can be changed.
    Changeable,
    /// Feedback comments.
    Feedback,
}

impl MoodleColumn {
    /// All columns that matter to us.
    pub const ALL: [Self; 9] = [
        Self::Identifier,
        Self::Name,
        Self::Email,
        Self::IdNumber,
        Self::Username,
        Self::Grade,
        Self::Maximum,
        Self::Changeable,
        Self::Feedback,
    ];

    /// The word by which a teacher names it: `grade`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Name => "name",
            Self::Email => "email",
            Self::IdNumber => "id-number",
            Self::Username => "username",
            Self::Grade => "grade",
            Self::Maximum => "maximum",
            Self::Changeable => "changeable",
            Self::Feedback => "feedback",
        }
    }

    /// Its known heads.
    fn heads(self) -> &'static [&'static str] {
        let found = HEADS.iter().find(|(column, _)| *column == self);
        found.map_or(&[], |(_, heads)| heads)
    }
}

/// The known heads of the columns, in lower case: English, German, French, Spanish, Catalan, Portuguese, Italian, Dutch,
/// Chinese (simplified, traditional), Japanese; where a head has changed, the older ones too. Strings `recordid`,
/// `maxgrade`, `gradecanbechanged` of `mod_assign`, `gradenoun` of the core, `pluginname` of
/// `assignfeedback_comments`.
const HEADS: [(MoodleColumn, &[&str]); 9] = [
    (
        MoodleColumn::Identifier,
        &[
            "identifier",
            "id",
            "identifiant",
            "identificador",
            "identificativo",
            "identificatie",
            "标识符",
            "识别码",
            "編號",
            "編碼",
            "識別碼",
        ],
    ),
    (
        MoodleColumn::Name,
        &[
            "full name",
            "vollständiger name",
            "nom complet",
            "nombre completo",
            "nome completo",
            "cognome e nome",
            "volledige naam",
            "全名",
            "姓名",
            "氏名",
            "フルネーム",
        ],
    ),
    (
        MoodleColumn::Email,
        &[
            "email address",
            "email",
            "e-mail-adresse",
            "adresse de courriel",
            "adresse e-mail",
            "dirección de correo",
            "dirección email",
            "adreça electrònica",
            "endereço de email",
            "endereço de e-mail",
            "indirizzo email",
            "e-mailadres",
            "电子邮件地址",
            "电子邮箱",
            "邮箱地址",
            "電子郵件信箱",
            "電子郵件",
            "メールアドレス",
        ],
    ),
    (
        MoodleColumn::IdNumber,
        &[
            "id number",
            "id-nummer",
            "numéro d’identification",
            "numéro d'identification",
            "número de id",
            "número id",
            "número de identificação",
            "codice identificativo",
            "学号",
            "学号/工号",
            "學號",
            "idナンバー",
        ],
    ),
    (
        MoodleColumn::Username,
        &[
            "username",
            "anmeldename",
            "nom d’utilisateur",
            "nom d'utilisateur",
            "nombre de usuario",
            "nom d'usuari",
            "nome de usuário",
            "nome de utilizador",
            "gebruikersnaam",
            "用户名",
            "帳號",
            "ユーザ名",
        ],
    ),
    (
        MoodleColumn::Grade,
        &[
            "grade",
            "bewertung",
            "note",
            "calificación",
            "qualificació",
            "nota",
            "valutazione",
            "cijfer",
            "成绩",
            "分数",
            "成績",
            "分數",
            "評点",
            "評定",
        ],
    ),
    (
        MoodleColumn::Maximum,
        &[
            "maximum grade",
            "maximale bewertung",
            "beste bewertung",
            "höchstbewertung",
            "note maximale",
            "calificación máxima",
            "qualificació màxima",
            "nota máxima",
            "valutazione massima",
            "maximumcijfer",
            "最高分",
            "最高成绩",
            "最高成績",
            "最高評点",
            "最大評点",
        ],
    ),
    (
        MoodleColumn::Changeable,
        &[
            "grade can be changed",
            "bewertung kann geändert werden",
            "la note peut être modifiée",
            "la calificación puede ser cambiada",
            "la calificación se puede cambiar",
            "la qualificació es pot canviar",
            "nota pode ser alterada",
            "a nota pode ser alterada",
            "la valutazione può essere modificata",
            "cijfer kan gewijzigd worden",
            "允许更改成绩",
            "成绩可以更改",
            "成績可以更改",
            "成績可以被更改",
            "評定は変更可能です",
            "評点は変更可能です",
        ],
    ),
    (
        MoodleColumn::Feedback,
        &[
            "feedback comments",
            "feedback als kommentar",
            "feedback-kommentare",
            "feedback par commentaires",
            "commentaires de feedback",
            "comentarios de retroalimentación",
            "comentaris de retroacció",
            "comentários de feedback",
            "comentários",
            "commenti",
            "feedback commenti",
            "feedback opmerkingen",
            "反馈意见",
            "反馈评语",
            "评语反馈",
            "評語回饋",
            "回饋評語",
            "フィードバックコメント",
        ],
    ),
];

/// Whether a head is one of a worksheet.
pub(super) fn is_known(head: &str) -> bool {
    let head = normal(head);
    MoodleColumn::ALL
        .iter()
        .any(|column| column.heads().contains(&head.as_str()))
}

/// Whether a cell says no, in the same languages.
pub(super) fn is_no(cell: &str) -> bool {
    let words = [
        "no",
        "nein",
        "non",
        "não",
        "nee",
        "否",
        "不",
        "不是",
        "いいえ",
    ];
    words.contains(&normal(cell).as_str())
}

/// A head as it is compared: in lower case, without a full stop at its end.
fn normal(head: &str) -> String {
    head.trim().trim_end_matches('.').to_lowercase()
}

/// Where the columns are.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) identifier: Option<usize>,
    pub(super) name: Option<usize>,
    pub(super) email: Option<usize>,
    pub(super) id_number: Option<usize>,
    pub(super) username: Option<usize>,
    pub(super) grade: usize,
    pub(super) maximum: Option<usize>,
    pub(super) changeable: Option<usize>,
    pub(super) feedback: Option<usize>,
    pub(super) heads: Vec<String>,
}

impl Columns {
    /// Finds the columns by the heads that the teacher names, else by those that are known.
    pub(super) fn find(
        sheet: &Sheet<'_>,
        named: &[(MoodleColumn, String)],
    ) -> Result<Self, FillError> {
        let heads = sheet.heads();
        let find = |column| find(&heads, column, named);
        let grade = find(MoodleColumn::Grade)?.ok_or_else(|| FillError::NoColumn {
            column: MoodleColumn::Grade.word(),
            heads: heads.clone(),
        })?;
        Ok(Self {
            identifier: find(MoodleColumn::Identifier)?,
            name: find(MoodleColumn::Name)?,
            email: find(MoodleColumn::Email)?,
            id_number: find(MoodleColumn::IdNumber)?,
            username: find(MoodleColumn::Username)?,
            grade,
            maximum: find(MoodleColumn::Maximum)?,
            changeable: find(MoodleColumn::Changeable)?,
            feedback: find(MoodleColumn::Feedback)?,
            heads,
        })
    }
}

fn find(
    heads: &[String],
    column: MoodleColumn,
    named: &[(MoodleColumn, String)],
) -> Result<Option<usize>, FillError> {
    let asked = named.iter().rev().find(|(asked, _)| *asked == column);
    let fits = |head: &String| match asked {
        Some((_, asked)) => head == asked.trim(),
        None => column.heads().contains(&normal(head).as_str()),
    };
    let found: Vec<usize> = (0..heads.len()).filter(|at| fits(&heads[*at])).collect();
    match (found.as_slice(), asked) {
        ([at], _) => Ok(Some(*at)),
        ([], None) => Ok(None),
        ([], Some((_, asked))) => Err(FillError::NoSuchColumn {
            asked: asked.clone(),
            heads: heads.to_vec(),
        }),
        (several, _) => Err(FillError::SeveralColumns {
            column: column.word().to_owned(),
            heads: several.iter().map(|at| heads[*at].clone()).collect(),
        }),
    }
}
