//! Elements of `problem.xml`.

use crate::error::PackageError;

pub(crate) type Node<'a> = roxmltree::Node<'a, 'a>;

/// The file that describes a Polygon package.
pub(crate) const FILE: &str = "problem.xml";

/// A non-negative number.
pub(crate) fn number(key: &str, text: &str) -> Result<f64, PackageError> {
    let number = text.parse().ok();
    number
        .filter(|number: &f64| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| {
            PackageError::file(FILE, format!("`{key}`: expected a number, found `{text}`"))
        })
}

/// The points of a test or group.
pub(crate) fn points(node: Node<'_>) -> Result<Option<f64>, PackageError> {
    let points = node.attribute("points");
    points.map(|text| number("points", text)).transpose()
}

/// The path and type of a program.
pub(crate) fn source(program: Node<'_>) -> Option<(&str, &str)> {
    let source = find(program, "source")?;
    let kind = source.attribute("type").unwrap_or_default();
    Some((source.attribute("path")?, kind))
}

/// The first element at a path of names.
pub(crate) fn find<'a>(node: Node<'a>, path: &str) -> Option<Node<'a>> {
    all(node, path).next()
}

/// The elements at a path of names, under the first parent at each level.
pub(crate) fn all<'a, 'b>(
    node: Node<'a>,
    path: &'b str,
) -> impl Iterator<Item = Node<'a>> + use<'a, 'b> {
    let (parents, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut parents = parents.split('/').filter(|name| !name.is_empty());
    let child = |node: Node<'a>, name| node.children().find(|it| it.has_tag_name(name));
    let parent = parents.try_fold(node, child).into_iter();
    let inner = parent.flat_map(|it| it.children());
    inner.filter(move |it| it.has_tag_name(name))
}

/// `tests/%02d` with a number.
pub(crate) fn numbered(pattern: &str, number: usize) -> Result<String, PackageError> {
    let filled = || {
        let (before, rest) = pattern.split_once('%')?;
        let (width, after) = rest.split_once('d')?;
        let width: usize = match width {
            "" => 0,
            width => width.strip_prefix('0')?.parse().ok()?,
        };
        let is_fine = width <= 20 && !after.contains('%');
        is_fine.then(|| format!("{before}{number:0width$}{after}"))
    };
    filled().ok_or_else(|| {
        let message = format!("expected a path with one `%d` or `%02d`, found `{pattern}`");
        PackageError::file(FILE, message)
    })
}
