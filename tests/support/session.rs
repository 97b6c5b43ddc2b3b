//! The explorer without a terminal: the real model on the real engine, with a clock that moves when it is told to.

use std::collections::VecDeque;
use std::sync::Arc;

use crossbeam_channel::Receiver;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tempfile::TempDir;
use ttl_explorer::app::{Effect, Keymap, Model, Msg, start, update};
use ttl_explorer::domain::Instant;
use ttl_explorer::engine::{Engine, EngineOptions, Event, ManualClock};
use ttl_explorer::runtime::respond;
use ttl_explorer::store;
use ttl_explorer::ui::{self, Theme};

/// 2026-12-02 21:47:44 UTC.
pub const START: i64 = 1_796_248_064;

pub struct Session {
    pub engine: Engine,
    pub clock: Arc<ManualClock>,
    pub model: Model,
    /// Every effect so far.
    pub effects: Vec<Effect>,
    events: Receiver<Event>,
    _dir: TempDir,
}

impl Session {
    /// On an empty store, its welcome answered with an empty account.
    pub fn empty(columns: u16, rows: u16) -> Session {
        let mut session = Session::prepared(columns, rows, |_| {});
        session.keys("e");
        session
    }

    /// On the workshop sample.
    pub fn sample(columns: u16, rows: u16) -> Session {
        Session::prepared(columns, rows, |engine| {
            engine.load_sample().expect("the sample loads");
        })
    }

    /// On what `prepare` makes.
    pub fn prepared(columns: u16, rows: u16, prepare: impl FnOnce(&Engine)) -> Session {
        let dir = tempfile::tempdir().expect("a directory");
        let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
        let options =
            EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
        let engine = Engine::open(dir.path(), options).expect("a store");
        prepare(&engine);
        let events = engine.subscribe();
        let keymap = Keymap::standard().expect("the table of keys");
        let clock_state = engine.clock_state();
        let mut model =
            Model::new(keymap, (columns, rows), engine.now(), engine.catalog(), engine.sweeper(), clock_state);
        let effects = start(&mut model);
        let mut session = Session { engine, clock, model, effects: Vec::new(), events, _dir: dir };
        session.pump(effects);
        session
    }

    /// Gives the model a message and carries its effects out, until nothing more happens.
    pub fn send(&mut self, msg: Msg) -> Vec<Effect> {
        let effects = update(&mut self.model, self.engine.now(), msg);
        self.pump(effects.clone());
        effects
    }

    fn pump(&mut self, effects: Vec<Effect>) {
        let mut queue = VecDeque::from(effects);
        let mut steps = 0;
        loop {
            steps += 1;
            assert!(steps < 10_000, "the model and the engine never come to rest");
            let msg = if let Ok(event) = self.events.try_recv() {
                Msg::Event(event)
            } else if let Some(effect) = queue.pop_front() {
                self.effects.push(effect.clone());
                let Some(answer) = respond(&self.engine, effect) else {
                    continue;
                };
                // What the engine tells before it answers reaches the model first.
                while let Ok(event) = self.events.try_recv() {
                    queue.extend(update(&mut self.model, self.engine.now(), Msg::Event(event)));
                }
                Msg::Answer(answer)
            } else {
                return;
            };
            queue.extend(update(&mut self.model, self.engine.now(), msg));
        }
    }

    /// Presses keys by name, separated by blanks.
    pub fn keys(&mut self, names: &str) {
        for name in names.split_whitespace() {
            self.send(Msg::Key(key(name)));
        }
    }

    /// Types text, character by character.
    pub fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.send(Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
        }
    }

    /// Lets time pass, second by second; the sweeper does what it would do.
    pub fn advance(&mut self, secs: i64) {
        for _ in 0..secs {
            self.clock.advance(1);
            self.engine.run_due().expect("the sweeper runs");
            self.send(Msg::Tick);
        }
    }

    /// The screen as text, without blanks at the ends of lines.
    pub fn screen(&self) -> String {
        let (columns, rows) = self.model.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        ui::draw(&self.model, &Theme::dark(), &mut buffer);
        let mut text = String::new();
        for y in 0..rows {
            let mut line = String::new();
            let mut skip = 0;
            for x in 0..columns {
                let symbol = buffer[(x, y)].symbol();
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                line.push_str(symbol);
                skip = ttl_explorer::app::text::width(symbol).saturating_sub(1);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Whole seconds of the clock since 1970.
    pub fn clock_secs(&self) -> i64 {
        self.engine.now().secs()
    }

    /// The ids of the rows of the item list.
    pub fn ids(&self) -> Vec<String> {
        self.model.items.rows().iter().map(|row| row.id.clone()).collect()
    }

    /// The newest line of the console.
    pub fn said(&self) -> String {
        self.model.console.latest().map_or(String::new(), |line| line.text.clone())
    }

    /// The title of the dialog on top.
    pub fn asked(&self) -> Option<String> {
        self.model.dialogs.last().map(|dialog| dialog.title.clone())
    }
}

/// A key by its name: `a`, `Enter`, `C-s`, `M-a`, `S-Tab`.
pub fn key(name: &str) -> KeyEvent {
    let (modifiers, name) = match name.split_once('-').filter(|(prefix, _)| prefix.len() == 1) {
        Some(("C", name)) => (KeyModifiers::CONTROL, name),
        Some(("M", name)) => (KeyModifiers::ALT, name),
        Some(("S", name)) => (KeyModifiers::SHIFT, name),
        _ => (KeyModifiers::NONE, name),
    };
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        "Tab" => KeyCode::Tab,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PageUp" => KeyCode::PageUp,
        "PageDown" => KeyCode::PageDown,
        "Backspace" => KeyCode::Backspace,
        "Delete" => KeyCode::Delete,
        "Space" => KeyCode::Char(' '),
        "F1" => KeyCode::F(1),
        "F2" => KeyCode::F(2),
        "F5" => KeyCode::F(5),
        name => KeyCode::Char(name.chars().next().expect("a key")),
    };
    KeyEvent::new(code, modifiers)
}
