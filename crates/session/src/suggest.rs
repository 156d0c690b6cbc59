//! "Did you mean …".

use grader_model::{Text, escaped};

/// The end of a message about an unknown name: the nearest known one, if any is near.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Text {
    let name = name.to_lowercase();
    let max_distance = (name.chars().count() / 3).max(1);
    let nearest = known
        .into_iter()
        .map(|known| (strsim::osa_distance(&name, &known.to_lowercase()), known))
        .filter(|&(distance, _)| distance <= max_distance)
        .min();
    nearest.map_or_else(Text::default, |(_, near)| {
        let near = escaped(near.as_bytes());
        Text::new(
            format!("; did you mean `{near}`?"),
            format!("；是不是 `{near}`？"),
        )
    })
}
