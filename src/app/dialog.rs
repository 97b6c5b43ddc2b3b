//! Dialogs: a question, controls, buttons. One form for all of them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::domain::clock::Rate;
use crate::domain::nosql::{DefaultTtl, parse_default_seconds};
use crate::domain::ravendb::Configuration;
use crate::domain::words;
use crate::engine::{Api, ContainerNo, DatabaseNo, Key, SavedQuery, Scope};
use crate::transfer::Format;

use super::transfer::{Items, Task};
use super::{ClockMove, Intent, TextField};

/// What a dialog asks for; it decides what the answer does.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// The first start: the sample or an empty account.
    Welcome,
    /// The id of a new database.
    NewDatabase,
    /// The form of a new container.
    NewContainer,
    /// The form of a new collection in a MongoDB database.
    NewCollection(DatabaseNo),
    /// The typed id before a database goes.
    DeleteDatabase(DatabaseNo, String),
    /// The typed id before a container goes.
    DeleteContainer(ContainerNo, String),
    /// Before items go.
    DeleteItems(ContainerNo, Vec<Key>),
    /// Unsaved text or settings, on the way somewhere else.
    Unsaved(Intent),
    /// Somebody wrote the item meanwhile.
    Conflict,
    /// The edited text has another id or partition key.
    OtherKey,
    /// A saved Time to Live that makes items expire or come back.
    SaveTtl(ContainerNo, DefaultTtl, Option<Intent>),
    /// A Document Expiration whose first run deletes documents.
    SaveExpiration(ContainerNo, Configuration, Option<Intent>),
    /// When the open item shall expire.
    ExpiresIn,
    /// The delay of the sweeper.
    SweeperSettings,
    /// How the clock runs, and where it jumps to.
    Clock,
    /// Before the clock is moved.
    Jump(ClockMove),
    /// A text to search for.
    Find,
    /// The name of a query that is saved; the one that it may replace.
    SaveQuery(String, Option<String>),
    /// A saved query to open or delete.
    OpenQuery(Vec<SavedQuery>),
    /// Before a saved query goes.
    DeleteQuery(Api, String),
    /// A view of the items.
    Views,
    /// The file that goes into a container.
    Upload(ContainerNo),
    /// Where items of a scope go, and which may be chosen.
    Export(Scope, Vec<Items>),
    /// Before a file is replaced by an export.
    Replace(Task),
    /// How far an upload or export is.
    Transferring,
    /// Before an upload or export is stopped by leaving.
    LeaveTransfer,
}

/// What a button answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Does what the dialog is for.
    Ok,
    /// The second way.
    Other,
    /// Leaves everything as it is.
    Cancel,
}

/// A button.
#[derive(Clone, Debug, PartialEq)]
pub struct Button {
    /// Its words.
    pub label: String,
    /// The letter that presses it, in dialogs without text.
    pub letter: char,
    /// What it answers.
    pub choice: Choice,
}

/// A control of a form.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// A line of text.
    Text {
        /// What it is.
        label: &'static str,
        /// What is typed.
        field: TextField,
    },
    /// One of several.
    Choice {
        /// What it is.
        label: &'static str,
        /// The options.
        options: Vec<&'static str>,
        /// The chosen one.
        selected: usize,
    },
    /// One of many, each on a line.
    List {
        /// The entries.
        entries: Vec<String>,
        /// The chosen one.
        selected: usize,
    },
}

impl Control {
    /// Lines that it takes.
    pub fn height(&self) -> usize {
        match self {
            Control::Text { .. } | Control::Choice { .. } => 1,
            Control::List { entries, .. } => entries.len().clamp(1, LIST_LINES),
        }
    }
}

/// Lines of a list that are shown at once.
pub const LIST_LINES: usize = 8;

/// A dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialog {
    /// What it asks for.
    pub question: Question,
    /// Its title.
    pub title: String,
    /// What there is to know, a paragraph each.
    pub text: Vec<String>,
    /// Its controls.
    pub controls: Vec<Control>,
    /// Its buttons.
    pub buttons: Vec<Button>,
    /// The focus: a control, or behind them a button.
    pub focus: usize,
    /// A remark below the controls.
    pub remark: Option<String>,
    /// Why the answer was not taken.
    pub error: Option<String>,
}

/// What a key did to a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It stays.
    Stay,
    /// It is answered.
    Answered(Choice),
}

/// The options of a Time to Live, in the portal's order and words.
pub const TTL_OPTIONS: [&str; 3] = ["Off", "On (no default)", "On"];

impl Dialog {
    /// A dialog without controls; the first button has the focus.
    pub fn new(question: Question, title: impl Into<String>) -> Self {
        Dialog {
            question,
            title: title.into(),
            text: Vec::new(),
            controls: Vec::new(),
            buttons: Vec::new(),
            focus: 0,
            remark: None,
            error: None,
        }
    }

    /// With a paragraph.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text.push(text.into());
        self
    }

    /// With a line of text to type.
    #[must_use]
    pub fn field(mut self, label: &'static str, field: TextField) -> Self {
        self.controls.push(Control::Text { label, field });
        self
    }

    /// With a choice.
    #[must_use]
    pub fn choice(mut self, label: &'static str, options: &[&'static str], selected: usize) -> Self {
        self.controls.push(Control::Choice { label, options: options.to_vec(), selected });
        self
    }

    /// With a list; the first entry is chosen.
    #[must_use]
    pub fn list(mut self, entries: Vec<String>) -> Self {
        self.controls.push(Control::List { entries, selected: 0 });
        self
    }

    /// With a button; in a dialog without text its letter presses it.
    #[must_use]
    pub fn button(mut self, label: &str, letter: char, choice: Choice) -> Self {
        self.buttons.push(Button { label: label.to_owned(), letter, choice });
        self
    }

    /// With the focus on a button from the start: the one that loses nothing.
    #[must_use]
    pub fn focused_on(mut self, choice: Choice) -> Self {
        let button = self.buttons.iter().position(|button| button.choice == choice).unwrap_or(0);
        self.focus = self.controls.len() + button;
        self
    }

    /// The text of a control.
    pub fn value(&self, index: usize) -> &str {
        match self.controls.get(index) {
            Some(Control::Text { field, .. }) => field.value(),
            _ => "",
        }
    }

    /// The chosen option of a control.
    pub fn selected(&self, index: usize) -> usize {
        match self.controls.get(index) {
            Some(Control::Choice { selected, .. } | Control::List { selected, .. }) => *selected,
            _ => 0,
        }
    }

    /// Whether text is typed where the focus is.
    pub fn is_typing(&self) -> bool {
        matches!(self.controls.get(self.focus), Some(Control::Text { .. }))
    }

    /// Puts the focus on a control or, behind them, a button.
    pub fn focus_on(&mut self, index: usize) {
        self.focus = index.min((self.controls.len() + self.buttons.len()).saturating_sub(1));
    }

    /// Pasted text goes into the field that has the focus.
    pub fn paste(&mut self, text: &str) {
        if let Some(Control::Text { field, .. }) = self.controls.get_mut(self.focus) {
            field.paste(text);
            self.error = None;
            self.remark = None;
        }
    }

    /// A key.
    pub fn input(&mut self, event: KeyEvent) -> Outcome {
        let plain = !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        if let Some(Control::List { entries, selected }) = self.controls.get_mut(self.focus) {
            let last = entries.len().saturating_sub(1);
            match event.code {
                KeyCode::Up | KeyCode::Char('k') => *selected = selected.saturating_sub(1),
                KeyCode::Down | KeyCode::Char('j') => *selected = (*selected + 1).min(last),
                KeyCode::Home => *selected = 0,
                KeyCode::End => *selected = last,
                _ => return self.leave(event, plain),
            }
            return Outcome::Stay;
        }
        self.leave(event, plain)
    }

    /// A key that is not the list's.
    fn leave(&mut self, event: KeyEvent, plain: bool) -> Outcome {
        match event.code {
            KeyCode::Esc => return Outcome::Answered(Choice::Cancel),
            KeyCode::Enter => return self.enter(),
            KeyCode::Char('s') if event.modifiers.contains(KeyModifiers::CONTROL) => {
                return Outcome::Answered(Choice::Ok);
            }
            KeyCode::Tab | KeyCode::Down => self.move_focus(1),
            KeyCode::BackTab | KeyCode::Up => self.move_focus(-1),
            _ => {
                let focus = self.focus;
                match self.controls.get_mut(focus) {
                    Some(Control::Text { field, .. }) => {
                        if field.input(event) {
                            self.error = None;
                            self.remark = None;
                        }
                    }
                    Some(Control::Choice { options, selected, .. }) => {
                        *selected = match event.code {
                            KeyCode::Right | KeyCode::Char(' ') => (*selected + 1) % options.len(),
                            KeyCode::Left => (*selected + options.len() - 1) % options.len(),
                            _ => *selected,
                        };
                    }
                    Some(Control::List { .. }) | None => match event.code {
                        KeyCode::Right => self.move_focus(1),
                        KeyCode::Left => self.move_focus(-1),
                        KeyCode::Char(c) if plain && self.controls.is_empty() => {
                            if let Some(button) =
                                self.buttons.iter().find(|button| button.letter.eq_ignore_ascii_case(&c))
                            {
                                return Outcome::Answered(button.choice);
                            }
                        }
                        _ => {}
                    },
                }
            }
        }
        Outcome::Stay
    }

    /// Enter presses the button under the focus; on a control it goes on, from the last one it answers.
    fn enter(&mut self) -> Outcome {
        if let Some(button) = self.focus.checked_sub(self.controls.len()).and_then(|at| self.buttons.get(at)) {
            return Outcome::Answered(button.choice);
        }
        if self.focus + 1 < self.controls.len() {
            self.move_focus(1);
            return Outcome::Stay;
        }
        Outcome::Answered(Choice::Ok)
    }

    fn move_focus(&mut self, by: isize) {
        let n = (self.controls.len() + self.buttons.len()).max(1);
        self.focus = (self.focus + n).saturating_add_signed(by) % n;
    }

    /// A remark that follows what is typed into a control.
    pub fn note(&self, index: usize) -> Option<String> {
        match (&self.question, index) {
            (Question::NewContainer, NewContainer::SECONDS) if self.selected(NewContainer::TTL) == 2 => {
                seconds_note(self.value(index))
            }
            (Question::NewCollection(_), NewCollection::SECONDS) if self.selected(NewCollection::TTL) == 2 => {
                seconds_note(self.value(index))
            }
            (Question::NewCollection(_), NewCollection::SECONDS) => Some("only for the last one".to_owned()),
            (Question::NewContainer, NewContainer::SECONDS) => Some("only for On".to_owned()),
            (Question::Upload(_), UploadForm::TTL) => words::parse_duration(self.value(index)).map(words::duration),
            (Question::ExpiresIn, 0) => words::parse_duration(self.value(0)).map(words::duration),
            (Question::Clock, ClockForm::RATE) => Rate::parse(self.value(index)).map(Rate::words),
            (Question::SweeperSettings, 0) => {
                let secs: u32 = self.value(0).trim().parse().ok()?;
                Some(if secs == 0 { "at once".to_owned() } else { words::duration(u64::from(secs)) })
            }
            _ => None,
        }
    }
}

/// The seconds in words, while they are valid.
pub fn seconds_note(text: &str) -> Option<String> {
    match parse_default_seconds(text) {
        Ok(DefaultTtl::Seconds(secs)) => Some(words::duration(u64::from(secs))),
        _ => None,
    }
}

/// The controls of the form for a new database.
pub struct NewDatabase;

impl NewDatabase {
    /// The id.
    pub const NAME: usize = 0;
    /// The system that it speaks like.
    pub const KIND: usize = 1;
    /// The options of that.
    pub const KINDS: [(&'static str, Api); 3] =
        [("NoSQL", Api::NoSql), ("MongoDB", Api::MongoDb), ("RavenDB", Api::RavenDb)];
}

/// The controls of the form for a new collection.
pub struct NewCollection;

impl NewCollection {
    /// The id.
    pub const NAME: usize = 0;
    /// The TTL index.
    pub const TTL: usize = 1;
    /// Its seconds.
    pub const SECONDS: usize = 2;
}

/// The controls of the form for a new container.
pub struct NewContainer;

impl NewContainer {
    /// The id of the database.
    pub const DATABASE: usize = 0;
    /// The id of the container.
    pub const NAME: usize = 1;
    /// The partition key.
    pub const PARTITION_KEY: usize = 2;
    /// The Time to Live.
    pub const TTL: usize = 3;
    /// Its seconds.
    pub const SECONDS: usize = 4;
}

/// The controls of the form for the clock.
pub struct ClockForm;

impl ClockForm {
    /// How fast it runs.
    pub const RATE: usize = 0;
    /// Whether it runs.
    pub const STATE: usize = 1;
    /// Where it jumps to.
    pub const JUMP: usize = 2;
    /// The option of a clock that stands still.
    pub const PAUSED: usize = 1;
}

/// The controls of the form for an upload.
pub struct UploadForm;

impl UploadForm {
    /// The path of the file.
    pub const PATH: usize = 0;
    /// What becomes of items that are there: refuse the document, replace the item.
    pub const EXISTING: usize = 1;
    /// What becomes of the upload at a refusal: skip the document, stop.
    pub const ERRORS: usize = 2;
    /// The time to live of documents without one.
    pub const TTL: usize = 3;
}

/// The controls of the form for an export.
pub struct ExportForm;

impl ExportForm {
    /// The path of the file or directory.
    pub const PATH: usize = 0;
    /// The form of a file.
    pub const FORMAT: usize = 1;
    /// What the system adds to a document: leave out, write.
    pub const SYSTEM: usize = 2;
    /// Which items, where there is a choice.
    pub const ITEMS: usize = 3;
    /// The options of the form.
    pub const FORMATS: [(&'static str, Option<Format>); 4] = [
        ("by ending", None),
        ("lines", Some(Format::Jsonl)),
        ("array", Some(Format::Json)),
        ("CSV", Some(Format::Csv)),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    fn confirm() -> Dialog {
        Dialog::new(Question::Conflict, "Conflict")
            .button("Overwrite", 'o', Choice::Ok)
            .button("Reload", 'r', Choice::Other)
            .button("Keep editing", 'k', Choice::Cancel)
            .focused_on(Choice::Cancel)
    }

    #[test]
    fn buttons_are_pressed_by_enter_and_by_letter() {
        assert_eq!(confirm().input(key(KeyCode::Enter)), Outcome::Answered(Choice::Cancel));
        assert_eq!(confirm().input(key(KeyCode::Char('R'))), Outcome::Answered(Choice::Other));
        assert_eq!(confirm().input(key(KeyCode::Esc)), Outcome::Answered(Choice::Cancel));
        let mut dialog = confirm();
        assert_eq!(dialog.input(key(KeyCode::Left)), Outcome::Stay);
        assert_eq!(dialog.input(key(KeyCode::Enter)), Outcome::Answered(Choice::Other));
    }

    #[test]
    fn letters_are_text_while_text_is_typed() {
        let mut dialog = Dialog::new(Question::NewDatabase, "New Database")
            .field("Database id", TextField::default())
            .button("Create", 'c', Choice::Ok)
            .button("Cancel", 'n', Choice::Cancel);
        for c in ['c', 'n'] {
            assert_eq!(dialog.input(key(KeyCode::Char(c))), Outcome::Stay);
        }
        assert_eq!(dialog.value(0), "cn");
        dialog.input(key(KeyCode::Tab));
        assert_eq!(dialog.input(key(KeyCode::Char('n'))), Outcome::Stay, "a form's buttons want Enter");
        dialog.input(key(KeyCode::BackTab));
        assert_eq!(dialog.input(key(KeyCode::Enter)), Outcome::Answered(Choice::Ok));
    }
}
