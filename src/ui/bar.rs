//! How much of a life is left, as a bar.

use crate::domain::nosql::Source;

/// Cells of a bar.
pub const WIDTH: usize = 10;

/// The full and the empty part of a bar, for a share from 0 to 1. Something left is never drawn as nothing; an item's own
/// ttl is drawn in another pattern than the container's.
pub fn bar(share: f64, source: Source) -> (String, String) {
    let cell = match source {
        Source::Item => "▇",
        Source::Container => "▒",
    };
    let full = if share <= 0.0 { 0 } else { ((share * WIDTH as f64).round() as usize).clamp(1, WIDTH) };
    (cell.repeat(full), "·".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_always_has_its_width() {
        for (share, full) in [(-1.0, 0), (0.0, 0), (0.01, 1), (0.5, 5), (0.96, 10), (2.0, 10)] {
            let (left, gone) = bar(share, Source::Item);
            assert_eq!((left.chars().count(), gone.chars().count()), (full, WIDTH - full), "{share}");
        }
    }
}
