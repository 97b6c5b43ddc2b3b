//! The real program on a pseudo-terminal: keys in, the rendered screen out. Waits are for conditions, with a limit.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// How long something that should happen at once may take on a busy machine.
pub const SOON: Duration = Duration::from_secs(10);

struct Seen {
    screen: vt100::Parser,
    raw: Vec<u8>,
    closed: bool,
}

/// A running program and its terminal.
pub struct Pty {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

impl Pty {
    /// Starts the explorer with these arguments on a terminal of so many columns and rows.
    pub fn start(args: &[&str], columns: u16, rows: u16) -> Pty {
        Pty::start_with_env(args, columns, rows, &[])
    }

    /// Starts it on a new store and answers the question of the first start: the account stays empty.
    pub fn start_empty(dir: &Path, columns: u16, rows: u16) -> Pty {
        let mut pty = Pty::start(&data_dir(dir), columns, rows);
        pty.wait_for("Welcome");
        pty.keys("e");
        pty.wait_gone("Welcome", SOON);
        pty
    }

    /// [`Pty::start`] with environment variables.
    pub fn start_with_env(args: &[&str], columns: u16, rows: u16, env: &[(&str, &str)]) -> Pty {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_ttl-explorer"));
        command.args(args);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        command.env_remove("COLORFGBG");
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let seen = Seen { screen: vt100::Parser::new(cells(rows), cells(columns), 0), raw: Vec::new(), closed: false };
        let seen = Arc::new((Mutex::new(seen), Condvar::new()));
        let shared = seen.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            loop {
                let n = reader.read(&mut buffer).unwrap_or(0);
                let mut seen = shared.0.lock().unwrap();
                if n == 0 {
                    seen.closed = true;
                } else {
                    seen.screen.process(&buffer[..n]);
                    seen.raw.extend_from_slice(&buffer[..n]);
                }
                shared.1.notify_all();
                if n == 0 {
                    return;
                }
            }
        });
        Pty { child, master: pair.master, writer, seen }
    }

    /// Types text as it stands.
    pub fn type_text(&mut self, text: &str) {
        self.writer.write_all(text.as_bytes()).expect("typed");
        self.writer.flush().expect("flushed");
    }

    /// Presses keys by name, separated by blanks: `Up Down Enter C-s d`.
    pub fn keys(&mut self, names: &str) {
        for name in names.split_whitespace() {
            let bytes = match name {
                "Up" => "\x1b[A".to_owned(),
                "Down" => "\x1b[B".to_owned(),
                "Right" => "\x1b[C".to_owned(),
                "Left" => "\x1b[D".to_owned(),
                "Home" => "\x1b[H".to_owned(),
                "End" => "\x1b[F".to_owned(),
                "PageDown" => "\x1b[6~".to_owned(),
                "PageUp" => "\x1b[5~".to_owned(),
                "Enter" => "\r".to_owned(),
                "Esc" => "\x1b".to_owned(),
                "Tab" => "\t".to_owned(),
                "S-Tab" => "\x1b[Z".to_owned(),
                "Backspace" => "\x7f".to_owned(),
                "Delete" => "\x1b[3~".to_owned(),
                "Space" => " ".to_owned(),
                name => match name.split_once('-') {
                    Some(("C", key)) => char::from(key.as_bytes()[0] & 0x1f).to_string(),
                    Some(("M", key)) => format!("\x1b{key}"),
                    _ => name.to_owned(),
                },
            };
            self.type_text(&bytes);
            if name == "Esc" {
                // A terminal tells Esc from the start of a sequence by time alone; so must whoever types.
                self.settle(Duration::from_millis(150));
            }
        }
    }

    /// Pastes text, as a terminal does in bracketed mode.
    pub fn paste(&mut self, text: &str) {
        self.type_text(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// A click of the left button on a cell, from 0.
    pub fn click(&mut self, column: u16, row: u16) {
        let (column, row) = (column + 1, row + 1);
        self.type_text(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// Clicks on the first place where the text stands.
    pub fn click_on(&mut self, text: &str) {
        let (column, row) = self.find(text).unwrap_or_else(|| panic!("`{text}` is not there:\n{}", self.screen()));
        self.click(column, row);
    }

    /// The first place of a text on the screen: column, row.
    pub fn find(&self, text: &str) -> Option<(u16, u16)> {
        let screen = self.screen();
        screen.lines().enumerate().find_map(|(row, line)| {
            let at = line.find(text)?;
            Some((line[..at].chars().count() as u16, row as u16))
        })
    }

    /// What is on the screen.
    pub fn screen(&self) -> String {
        self.seen.0.lock().unwrap().screen.screen().contents()
    }

    /// Everything that was sent to the terminal.
    pub fn raw(&self) -> Vec<u8> {
        self.seen.0.lock().unwrap().raw.clone()
    }

    /// Waits until the screen is so.
    #[track_caller]
    pub fn wait_until(&self, what: &str, limit: Duration, is_so: impl Fn(&str) -> bool) -> Duration {
        let started = Instant::now();
        let (lock, changed) = &*self.seen;
        let mut seen = lock.lock().unwrap();
        loop {
            let screen = seen.screen.screen().contents();
            if is_so(&screen) {
                return started.elapsed();
            }
            let left = limit.checked_sub(started.elapsed()).filter(|_| !seen.closed);
            let Some(left) = left else {
                panic!("waited {:?} for {what}; the screen is\n{screen}", started.elapsed());
            };
            seen = changed.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub fn wait_for(&self, text: &str) -> Duration {
        self.wait_until(&format!("`{text}`"), SOON, |screen| screen.contains(text))
    }

    /// Waits until a text has left the screen.
    #[track_caller]
    pub fn wait_gone(&self, text: &str, limit: Duration) -> Duration {
        self.wait_until(&format!("`{text}` to go"), limit, |screen| !screen.contains(text))
    }

    /// Waits until nothing has been sent for so long.
    pub fn settle(&self, quiet: Duration) {
        let (lock, changed) = &*self.seen;
        let mut seen = lock.lock().unwrap();
        loop {
            let before = seen.raw.len();
            let (next, timeout) = changed.wait_timeout(seen, quiet).unwrap();
            seen = next;
            if seen.closed || (timeout.timed_out() && seen.raw.len() == before) {
                return;
            }
        }
    }

    /// Gives the terminal another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.seen.0.lock().unwrap().screen.screen_mut().set_size(cells(rows), cells(columns));
        self.master.resize(size).expect("resized");
    }

    /// Something else writes on the terminal, as a shell does that has it for a while.
    pub fn scribble(&mut self, text: &str) {
        self.seen.0.lock().unwrap().screen.process(text.as_bytes());
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let pid = self.child.process_id().expect("a process").to_string();
        let status = std::process::Command::new("kill").args(["-s", name, &pid]).status().expect("kill runs");
        assert!(status.success());
    }

    /// The state letter of the process, as Linux tells it: `S` sleeping, `T` stopped.
    #[cfg(target_os = "linux")]
    pub fn state(&self) -> Option<char> {
        let pid = self.child.process_id()?;
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(") ").next()?.chars().next()
    }

    /// Waits until the process is stopped.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn wait_stopped(&self) {
        let started = Instant::now();
        while self.state() != Some('T') {
            assert!(started.elapsed() < SOON, "not stopped: {:?}", self.state());
            std::thread::yield_now();
        }
    }

    /// The processor time that the process has used so far, in clock ticks.
    #[cfg(target_os = "linux")]
    pub fn cpu_ticks(&self) -> u64 {
        let pid = self.child.process_id().expect("a process");
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("readable");
        let fields: Vec<&str> = stat.rsplit(") ").next().expect("fields").split(' ').collect();
        fields[11].parse::<u64>().expect("a number") + fields[12].parse::<u64>().expect("a number")
    }

    /// Waits for the end of the program.
    #[track_caller]
    pub fn wait_exit(&mut self) -> ExitStatus {
        let started = Instant::now();
        let (lock, changed) = &*self.seen.clone();
        let mut seen = lock.lock().unwrap();
        while !seen.closed && started.elapsed() < SOON {
            seen = changed.wait_timeout(seen, SOON).unwrap().0;
        }
        assert!(seen.closed, "the program did not end; the screen is\n{}", seen.screen.screen().contents());
        drop(seen);
        self.child.wait().expect("an exit status")
    }

    /// Whether the modes that the program set are undone: alternate screen, cursor, mouse, paste. What it has sent may
    /// still be on its way.
    #[track_caller]
    pub fn assert_restored(&self) {
        let restored = |seen: &Seen| {
            let screen = seen.screen.screen();
            !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste()
        };
        let (lock, changed) = &*self.seen;
        let waited = changed.wait_timeout_while(lock.lock().unwrap(), SOON, |seen| !seen.closed && !restored(seen));
        let (seen, _) = waited.unwrap();
        let screen = seen.screen.screen();
        assert!(!screen.alternate_screen(), "still on the alternate screen");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "pastes are still bracketed");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is still taken");
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).expect("a terminal has cells")
}

/// The arguments for a store in this directory.
pub fn data_dir(dir: &Path) -> [&str; 2] {
    ["--data-dir", dir.to_str().expect("a path in UTF-8")]
}
