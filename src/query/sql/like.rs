//! Patterns of LIKE: `%` any text, `_` any character, `[a-c]` and `[^a-c]` a character of a set, or of none.

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct Like(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text,
    Any,
    Character(char),
    Set { ranges: Vec<(char, char)>, negated: bool },
}

impl Like {
    /// Compiles a pattern. A character behind `escape` stands for itself; so does a `[` without an end.
    pub fn new(pattern: &str, escape: Option<char>) -> Like {
        let characters: Vec<char> = pattern.chars().collect();
        let last_end = characters.iter().rposition(|c| *c == ']').unwrap_or(0);
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(&c) = characters.get(at) {
            at += 1;
            if Some(c) == escape {
                // An escape at the end stands for itself.
                parts.push(Part::Character(characters.get(at).copied().unwrap_or(c)));
                at += 1;
                continue;
            }
            match c {
                '%' if matches!(parts.last(), Some(Part::Text)) => {}
                '%' => parts.push(Part::Text),
                '_' => parts.push(Part::Any),
                '[' if at <= last_end => {
                    let (set, length) = set(&characters[at..]);
                    parts.push(set);
                    at += length;
                }
                c => parts.push(Part::Character(c)),
            }
        }
        Like(parts)
    }

    /// Whether the whole text is of this pattern. It takes the product of both lengths at worst: of many `%` only the
    /// last one is tried anew.
    pub fn matches(&self, text: &str) -> bool {
        let mut rest = text.chars();
        let mut part = 0;
        let mut retry: Option<(usize, std::str::Chars<'_>)> = None;
        loop {
            if let Some(Part::Text) = self.0.get(part) {
                part += 1;
                retry = Some((part, rest.clone()));
                continue;
            }
            match (rest.next(), self.0.get(part)) {
                (None, None) => return true,
                (Some(c), Some(wanted)) if wanted.takes(c) => part += 1,
                (None, Some(_)) => return false,
                _ => {
                    let Some((start, from)) = &mut retry else { return false };
                    if from.next().is_none() {
                        return false;
                    }
                    part = *start;
                    rest = from.clone();
                }
            }
        }
    }
}

impl Part {
    fn takes(&self, c: char) -> bool {
        match self {
            Part::Text | Part::Any => true,
            Part::Character(wanted) => *wanted == c,
            Part::Set { ranges, negated } => ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated,
        }
    }
}

/// The set behind a `[`, and how many characters it takes with its `]`.
fn set(characters: &[char]) -> (Part, usize) {
    let negated = characters.first() == Some(&'^');
    let start = usize::from(negated);
    let end = characters.iter().skip(start).position(|c| *c == ']').map_or(characters.len(), |end| end + start);
    let mut inner = &characters[start..end];
    let mut ranges = Vec::new();
    loop {
        inner = match inner {
            [] => return (Part::Set { ranges, negated }, end + 1),
            [low, '-', high, rest @ ..] => {
                ranges.push((*low, *high));
                rest
            }
            [c, rest @ ..] => {
                ranges.push((*c, *c));
                rest
            }
        };
    }
}
