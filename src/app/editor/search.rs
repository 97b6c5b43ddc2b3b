//! Searching in a text, line by line.

use std::ops::Range;

/// A pattern, ready for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pattern: Vec<char>,
    exact: bool,
}

impl Search {
    /// Letters of both cases are one, unless the pattern has a capital.
    pub fn new(pattern: &str) -> Self {
        let exact = pattern.chars().any(char::is_uppercase);
        Search { pattern: folded(pattern, exact), exact }
    }

    /// The matches in a line, in characters, without overlap.
    pub fn matches(&self, line: &str) -> Vec<Range<usize>> {
        // Long lines are mostly ASCII, where a byte is a character.
        if line.is_ascii() {
            let same = |byte: &u8, c: &char| {
                let byte = if self.exact { *byte } else { byte.to_ascii_lowercase() };
                char::from(byte) == *c
            };
            return found(line.as_bytes(), &self.pattern, same);
        }
        found(&folded(line, self.exact), &self.pattern, |a, b| a == b)
    }

    /// How many matches a text has.
    pub fn count(&self, lines: &[String]) -> usize {
        lines.iter().map(|line| self.matches(line).len()).sum()
    }

    /// The next match behind a place, or before it, round the end.
    pub fn next(&self, lines: &[String], from: (usize, usize), forward: bool) -> Option<(usize, usize)> {
        let all: Vec<(usize, usize)> = lines
            .iter()
            .enumerate()
            .flat_map(|(row, line)| self.matches(line).into_iter().map(move |found| (row, found.start)))
            .collect();
        if forward {
            all.iter().find(|place| **place > from).or(all.first()).copied()
        } else {
            all.iter().rfind(|place| **place < from).or(all.last()).copied()
        }
    }
}

/// Where the pattern stands, without overlap.
fn found<T>(line: &[T], pattern: &[char], same: impl Fn(&T, &char) -> bool) -> Vec<Range<usize>> {
    let n = pattern.len();
    let mut found = Vec::new();
    let mut at = 0;
    while n > 0 && at + n <= line.len() {
        if line[at..at + n].iter().zip(pattern).all(|(a, b)| same(a, b)) {
            found.push(at..at + n);
            at += n;
        } else {
            at += 1;
        }
    }
    found
}

/// One character each, so that places in the folded text are places in the text.
fn folded(text: &str, exact: bool) -> Vec<char> {
    if exact { text.chars().collect() } else { text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect() }
}
