//! Pretty-printing that moves white space only: every number and string stays as typed.

/// `text`, which must be valid JSON, with one member or element a line, indented by four spaces as the portal does.
/// Empty arrays and objects stay on their line.
pub fn pretty(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0usize;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let end = string_end(text.as_bytes(), at);
                out.push_str(&text[at..end]);
                while chars.next_if(|(i, _)| *i < end).is_some() {}
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
                match chars.next_if(|(_, c)| matches!(c, '}' | ']')) {
                    Some((_, close)) => out.push(close),
                    None => {
                        depth += 1;
                        new_line(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("    ");
    }
}

/// The end of the string that opens at `start`, behind its closing quote; the end of the text if it is not closed.
pub fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_moves() {
        let text = r#"{"a":1.0,"b":[1E+2,{}, [ ] ],"c":"x, \"y\": {" , "é":null}"#;
        let expected = "{\n    \"a\": 1.0,\n    \"b\": [\n        1E+2,\n        {},\n        []\n    ],\n    \
                        \"c\": \"x, \\\"y\\\": {\",\n    \"é\": null\n}";
        assert_eq!(pretty(text), expected);
        assert_eq!(pretty(expected), expected);
    }

    #[test]
    fn text_that_ends_early_does_no_harm() {
        assert_eq!(pretty("{\"a"), "{\n    \"a");
        assert_eq!(pretty("]"), "\n]");
        assert_eq!(pretty("\"\\"), "\"\\");
    }
}
