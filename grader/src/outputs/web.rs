//! Pages to publish, with names that cannot be guessed, and the table of their links.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use grader_lms::{MAX_TEXT, read_regular};
use grader_model::StudentResult;
use grader_publish::{PageInput, WriteError, atomic_write_private, unnamed, write_own_pages};
use grader_report::write_links;
use grader_session::{Failure, StoredRuns, shown};
use grader_store::Sharing;
use tempfile::NamedTempFile;

use super::report::Report;
use crate::pages::{explorer, sources};
use crate::terminal::Terminal;

/// Hexadecimal digits of a page's name: 128 bits.
const NAME_DIGITS: usize = 32;

/// The address of a folder of pages, with `/` at its end.
pub(super) fn address(text: &str) -> Result<String, String> {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    if !is_web || text.contains(|c: char| c.is_whitespace() || c.is_control() || "?#".contains(c)) {
        return Err("expected an address such as `https://example.org/week-1/`".to_owned());
    }
    Ok(text.trim_end_matches('/').to_owned() + "/")
}

pub(super) fn write(
    folder: &Path,
    url: &str,
    report: &Report<'_>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let (results, lang) = (report.results, terminal.lang);
    let ledger = report.stored.map(StoredRuns::ledger).ok_or_else(|| {
        Failure::usage("`--web` needs a ledger, beside which the key of its links stays")
    })?;
    let secret = secret(&ledger.with_file_name("links.key"))?;
    // It stays when the folder is renamed.
    let class = report.sections.lasting_name();
    let name = |student: &StudentResult| {
        let of = [results.assignment.id.as_str(), student.id.as_str()].join("\0");
        let hash = blake3::keyed_hash(&secret, &[of.as_bytes(), class.as_encoded_bytes()].join(&0));
        hash.to_hex()[..NAME_DIGITS].to_owned() + ".html"
    };
    let (pages, links) = (folder.join("pages"), folder.join("links.csv"));
    let explorer = explorer(results);
    let input = PageInput {
        results,
        against: None,
        sources: &sources(results, report.stored),
        statements: &report.statements(lang)?,
        explorer: explorer.as_deref(),
        scope: report.scope,
        lang,
    };
    write_own_pages(&pages, &input, &name)?;
    let link = |student: &StudentResult| url.to_owned() + &name(student);
    atomic_write_private(&links, |out| write_links(&results.students, &link, out))?;
    let [pages, links] = [pages, links].map(|path| shown(&path));
    terminal.note(
        format!("pages written to `{pages}`: publish this folder at {url}, without a listing of its files"),
        format!("网页已写入 `{pages}`：请把此文件夹发布到 {url}，并关闭服务器的目录列表功能"),
    );
    terminal.note(
        format!("links written to `{links}`: do not publish it"),
        format!("链接已写入 `{links}`：请勿发布此文件"),
    );
    Ok(())
}

/// Refuses a secret that others can read or replace: they could find the page of everybody.
fn refuse_shared(path: &Path) -> anyhow::Result<()> {
    let found = fs::metadata(path).map_err(WriteError::of(path))?;
    let folder = fs::metadata(
        path.parent()
            .filter(|it| *it != Path::new(""))
            .unwrap_or(Path::new(".")),
    );
    let folder = folder.map_err(WriteError::of(path))?;
    let name = shown(path);
    let sharing = Sharing::of(
        path.parent()
            .filter(|it| *it != Path::new(""))
            .unwrap_or(Path::new(".")),
    );
    let message = if found.is_file() && sharing.is_some_and(|sharing| sharing.has(&found)) {
        return Ok(());
    } else if !found.is_file() {
        format!("`{name}` is not a file")
    } else if found.uid() != folder.uid() {
        format!(
            "`{name}` belongs to another user than its folder, who can find the page of every student: remove it, and all links change"
        )
    } else if found.mode() & 0o077 != 0 {
        format!(
            "others may read or write `{name}`, and so find the page of every student: remove it, and all links change; \
                 or keep the links with `chmod 600 {name}`, if nobody has read it"
        )
    } else {
        return Ok(());
    };
    Err(Failure::usage(message).into())
}

/// The secret from which names follow; it is made if there is none. Only its owner can read it, or the group that
/// shares its folder.
fn secret(path: &Path) -> anyhow::Result<[u8; 32]> {
    let make = || -> io::Result<()> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)?;
        let file = NamedTempFile::new_in(path.parent().unwrap_or(path)).map_err(unnamed)?;
        file.as_file().write_all(&secret)?;
        if path.parent().and_then(Sharing::of).is_some() {
            file.as_file()
                .set_permissions(Permissions::from_mode(0o660))?;
        }
        match file.persist_noclobber(path) {
            Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
            _ => Ok(()),
        }
    };
    if !path.exists() {
        make().map_err(WriteError::of(path))?;
    }
    let name = shown(path);
    refuse_shared(path)?;
    let cannot_read = |error| Failure::usage(format!("cannot read `{name}`: {error}"));
    let secret = read_regular(path, MAX_TEXT).map_err(cannot_read)?;
    let message = format!("`{name}` is damaged: expected 32 bytes; without it, all links change");
    Ok(secret.try_into().map_err(|_| Failure::usage(message))?)
}
