//! Documents out of a stream: an object, an array of objects, or objects one after another, each with its line. Memory is
//! that of one document, whatever the size of the stream.

use std::io::{self, BufRead};

/// The longest document that is read; what is longer is refused without being kept.
const LONGEST: usize = 20 * 1024 * 1024;

/// A document as it stands in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The line on which it starts, from 1.
    pub line: u64,
    /// Its text; what is no object is cut where that shows.
    pub text: String,
    /// It is longer than what is read.
    pub too_long: bool,
}

/// A stream that is split.
pub struct Split<R> {
    reader: R,
    line: u64,
    /// The stream is an array.
    in_array: bool,
    started: bool,
}

impl<R: BufRead> Split<R> {
    /// A stream from its start.
    pub fn new(reader: R) -> Self {
        Split { reader, line: 1, in_array: false, started: false }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    fn bump(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.reader.consume(1);
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// The next document; `None` at the end.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Piece>> {
        if !std::mem::replace(&mut self.started, true) {
            self.skip_mark()?;
        }
        loop {
            match self.peek()? {
                None => return Ok(None),
                Some(byte) if byte.is_ascii_whitespace() || byte == b',' => {
                    self.bump()?;
                }
                Some(b'[') if !self.in_array => {
                    self.in_array = true;
                    self.bump()?;
                }
                Some(b']') if self.in_array => {
                    self.in_array = false;
                    self.bump()?;
                }
                Some(b'{') => return self.object().map(Some),
                Some(_) => return self.other().map(Some),
            }
        }
    }

    /// The byte-order mark that some editors put in front.
    fn skip_mark(&mut self) -> io::Result<()> {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        if self.reader.fill_buf()?.starts_with(MARK) {
            self.reader.consume(MARK.len());
        }
        Ok(())
    }

    /// From an opening brace to the one that closes it.
    fn object(&mut self) -> io::Result<Piece> {
        let line = self.line;
        let (mut bytes, mut too_long) = (Vec::new(), false);
        let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
        while let Some(byte) = self.bump()? {
            if bytes.len() < LONGEST {
                bytes.push(byte);
            } else {
                too_long = true;
            }
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => depth += 1,
                b'}' | b']' if !in_string => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        Ok(Piece { line, text: String::from_utf8_lossy(&bytes).into_owned(), too_long })
    }

    /// Something that is no object, to the end of its line.
    fn other(&mut self) -> io::Result<Piece> {
        let line = self.line;
        let mut bytes = Vec::new();
        while let Some(byte) = self.bump()? {
            if byte == b'\n' {
                break;
            }
            if bytes.len() < 200 {
                bytes.push(byte);
            }
        }
        Ok(Piece { line, text: String::from_utf8_lossy(&bytes).trim_end().to_owned(), too_long: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn pieces(text: &[u8]) -> Vec<(u64, String)> {
        let mut split = Split::new(io::BufReader::with_capacity(3, text));
        let mut all = Vec::new();
        while let Some(piece) = split.next().expect("memory can be read") {
            all.push((piece.line, piece.text));
        }
        all
    }

    #[rstest]
    #[case("{\"a\": 1}", &[(1, "{\"a\": 1}")])]
    #[case("[{\"a\": 1},\n {\"a\": [2]}]\n", &[(1, "{\"a\": 1}"), (2, "{\"a\": [2]}")])]
    #[case("{\"a\": 1}\n{\"a\": \"}\\\"{\"}\n\n{}", &[(1, "{\"a\": 1}"), (2, "{\"a\": \"}\\\"{\"}"), (4, "{}")])]
    #[case("\u{feff}{\"a\": 1}", &[(1, "{\"a\": 1}")])]
    #[case("{\n\"a\": 1\n}{\"b\": 2}", &[(1, "{\n\"a\": 1\n}"), (3, "{\"b\": 2}")])]
    #[case("x y\n{}", &[(1, "x y"), (2, "{}")])]
    #[case("[]", &[])]
    #[case("", &[])]
    #[case("{\"a\": ", &[(1, "{\"a\": ")])]
    fn documents_and_their_lines(#[case] text: &str, #[case] expected: &[(u64, &str)]) {
        let expected: Vec<(u64, String)> = expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(pieces(text.as_bytes()), expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn no_bytes_panic_or_hang(bytes: Vec<u8>) {
            pieces(&bytes);
        }
    }
}
