//! The Settings of a RavenDB database: Document Expiration as the Studio has it, and as the JSON of the client API.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

use crate::domain::Refusal;
use crate::domain::ravendb::{Configuration, DEFAULT_MAX_ITEMS};
use crate::engine::ContainerNo;

use super::{Editor, Intent, TextField};

/// A line of the form: a switch, the last two with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Enable Document Expiration.
    Enabled,
    /// Set custom expiration frequency.
    Frequency,
    /// Set max number of documents to process in a single run.
    MaxItems,
}

impl Switch {
    /// All of them, in their order.
    pub const ALL: [Switch; 3] = [Switch::Enabled, Switch::Frequency, Switch::MaxItems];

    /// The Studio's words.
    pub fn label(self) -> &'static str {
        match self {
            Switch::Enabled => "Enable Document Expiration",
            Switch::Frequency => "Set custom expiration frequency",
            Switch::MaxItems => "Set max number of documents to process in a single run",
        }
    }
}

/// The form, beside the saved configuration.
#[derive(Clone, Debug)]
pub struct ExpirationForm {
    /// All documents of the database.
    pub container: ContainerNo,
    /// What is saved.
    pub saved: Option<Configuration>,
    /// Expiration is on.
    pub enabled: bool,
    /// The seconds between two runs, while they are set.
    pub frequency: Option<TextField>,
    /// The documents of one run, while they are limited.
    pub max_items: Option<TextField>,
    /// The line under the cursor.
    pub line: Switch,
    /// The configuration as JSON, while it is edited so.
    pub json: Option<Editor>,
    /// Names in the saved JSON that mean nothing.
    pub remarks: Vec<String>,
    /// The save is on its way.
    pub saving: bool,
    /// What to do when the save is done.
    pub then: Option<Intent>,
    /// Why the save was refused.
    pub refused: Option<Refusal>,
}

/// What no saved configuration means.
const NONE: Configuration = Configuration { disabled: true, delete_frequency: None, max_items: None };

impl ExpirationForm {
    /// The form of a database with this configuration.
    pub fn new(container: ContainerNo, saved: Option<Configuration>) -> Self {
        let mut form = ExpirationForm {
            container,
            saved,
            enabled: false,
            frequency: None,
            max_items: None,
            line: Switch::Enabled,
            json: None,
            remarks: Vec::new(),
            saving: false,
            then: None,
            refused: None,
        };
        form.show(saved.unwrap_or(NONE));
        form
    }

    fn show(&mut self, configuration: Configuration) {
        let field = |n: Option<i64>| n.map(|n| TextField::new(&n.to_string()));
        self.enabled = !configuration.disabled;
        self.frequency = field(configuration.delete_frequency);
        self.max_items = field(configuration.max_items);
    }

    /// The configuration as it stands in the form.
    ///
    /// # Errors
    /// What is wrong with a number, or with the JSON.
    pub fn value(&self) -> Result<Configuration, Refusal> {
        if let Some(json) = &self.json {
            return Configuration::from_json(&json.text()).map(|(configuration, _)| configuration);
        }
        let saved = self.saved.unwrap_or(NONE);
        Ok(Configuration {
            disabled: !self.enabled,
            delete_frequency: number(
                self.frequency.as_ref(),
                saved.delete_frequency,
                "frequency is a number of seconds",
            )?,
            max_items: number(self.max_items.as_ref(), saved.max_items, "limit is a number of documents")?,
        })
    }

    /// Whether the form differs from what is saved.
    pub fn is_dirty(&self) -> bool {
        self.value() != Ok(self.saved.unwrap_or(NONE))
    }

    /// Whether characters are typed: a number, or the JSON.
    pub fn is_typing(&self) -> bool {
        self.json.is_some() || self.field().is_some()
    }

    /// The field of the line under the cursor.
    pub fn field(&self) -> Option<&TextField> {
        match self.line {
            Switch::Enabled => None,
            Switch::Frequency => self.frequency.as_ref(),
            Switch::MaxItems => self.max_items.as_ref(),
        }
    }

    fn field_mut(&mut self) -> Option<&mut TextField> {
        match self.line {
            Switch::Enabled => None,
            Switch::Frequency => self.frequency.as_mut(),
            Switch::MaxItems => self.max_items.as_mut(),
        }
    }

    /// Whether a switch is on.
    pub fn is_on(&self, switch: Switch) -> bool {
        match switch {
            Switch::Enabled => self.enabled,
            Switch::Frequency => self.frequency.is_some(),
            Switch::MaxItems => self.max_items.is_some(),
        }
    }

    /// Whether a switch can be used: the numbers only while expiration is on.
    pub fn can_switch(&self, switch: Switch) -> bool {
        switch == Switch::Enabled || self.enabled
    }

    /// Turns a switch. As in the Studio, expiration that goes on starts with a limit, and takes both numbers with it when
    /// it goes off.
    pub fn switch(&mut self, switch: Switch) {
        self.line = switch;
        if !self.can_switch(switch) {
            return;
        }
        let limit = || Some(TextField::new(&DEFAULT_MAX_ITEMS.to_string()));
        match switch {
            Switch::Enabled => {
                self.enabled = !self.enabled;
                self.frequency = None;
                self.max_items = if self.enabled { limit() } else { None };
            }
            Switch::Frequency => {
                self.frequency = if self.frequency.is_some() { None } else { Some(TextField::default()) };
            }
            Switch::MaxItems => self.max_items = if self.max_items.is_some() { None } else { limit() },
        }
        self.edited();
    }

    /// A key.
    pub fn input(&mut self, key: KeyEvent) {
        if let Some(json) = &mut self.json {
            let before = json.revision();
            json.input(key);
            if json.revision() != before {
                self.edited();
            }
            return;
        }
        let at = Switch::ALL.iter().position(|switch| *switch == self.line).unwrap_or(0);
        match key.code {
            KeyCode::Up => self.line = Switch::ALL[at.saturating_sub(1)],
            KeyCode::Down => self.line = Switch::ALL[(at + 1).min(Switch::ALL.len() - 1)],
            KeyCode::Char(' ') => self.switch(self.line),
            _ => {
                if self.field_mut().is_some_and(|field| field.input(key)) {
                    self.edited();
                }
            }
        }
    }

    /// Pasted text. Returns whether there was a place for it.
    pub fn paste(&mut self, text: &str) -> bool {
        let taken = match &mut self.json {
            Some(json) => json.paste(text),
            None => self.field_mut().map(|field| field.paste(text)).is_some(),
        };
        self.edited();
        taken
    }

    /// Where the JSON stands in the body of the tab: below the buttons and up to three lines of what is wrong.
    pub fn json_area(body: Rect) -> Rect {
        let top = 8.min(body.height / 2);
        Rect { y: body.y + top, height: body.height - top, ..body }
    }

    /// To the JSON and back. Going back, the JSON must be a configuration.
    ///
    /// # Errors
    /// What is wrong with the JSON; it stays.
    pub fn toggle_json(&mut self) -> Result<(), Refusal> {
        match &self.json {
            None => {
                let value = self.value()?;
                let mut editor = Editor::new(&self.saved.unwrap_or(NONE).to_json());
                editor.replace_all(&value.to_json());
                self.json = Some(editor);
            }
            Some(json) => {
                let (configuration, remarks) = Configuration::from_json(&json.text())?;
                self.show(configuration);
                self.remarks = remarks;
                self.json = None;
            }
        }
        Ok(())
    }

    /// What the names in the JSON say that mean nothing.
    pub fn json_remarks(&self) -> Vec<String> {
        let json = self.json.as_ref().and_then(|json| Configuration::from_json(&json.text()).ok());
        json.map_or_else(Vec::new, |(_, remarks)| remarks)
    }

    fn edited(&mut self) {
        self.refused = None;
    }

    /// Back to what is saved.
    pub fn discard(&mut self) {
        let line = self.line;
        *self = ExpirationForm { line, ..ExpirationForm::new(self.container, self.saved) };
    }

    /// The configuration was changed, by this form or elsewhere. An unsaved change stays.
    pub fn set_saved(&mut self, saved: Option<Configuration>) {
        let clean = !self.is_dirty();
        self.saved = saved;
        // What the form says already is left as it is, and a save on its way with what comes after it.
        if clean && self.is_dirty() {
            let value = saved.unwrap_or(NONE);
            self.show(value);
            if let Some(json) = &mut self.json {
                *json = Editor::new(&value.to_json());
            }
        }
    }
}

/// The number in a field. The form takes positive whole ones only; what the server took from elsewhere stays as it is
/// until somebody types.
fn number(field: Option<&TextField>, saved: Option<i64>, what: &str) -> Result<Option<i64>, Refusal> {
    let Some(typed) = field.map(|field| field.value().trim()) else {
        return Ok(None);
    };
    match typed.parse::<i64>() {
        Ok(n) if n > 0 || saved == Some(n) => Ok(Some(n)),
        _ => {
            let not = if typed.is_empty() { String::new() } else { format!(", not `{typed}`") };
            Err(Refusal::bad_request(format!("The {what}: write a positive whole number{not}.")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyModifiers;

    fn form(saved: Option<Configuration>) -> ExpirationForm {
        ExpirationForm::new(ContainerNo(1), saved)
    }

    fn press(form: &mut ExpirationForm, codes: &[KeyCode]) {
        for code in codes {
            form.input(KeyEvent::new(*code, KeyModifiers::NONE));
        }
    }

    #[test]
    fn the_switches_follow_the_studio() {
        let mut form = form(None);
        assert!(!form.is_dirty());
        press(&mut form, &[KeyCode::Down, KeyCode::Char(' ')]);
        assert!(!form.is_dirty(), "numbers only while expiration is on");
        press(&mut form, &[KeyCode::Up, KeyCode::Char(' ')]);
        assert_eq!(
            form.value(),
            Ok(Configuration { disabled: false, delete_frequency: None, max_items: Some(65_536) })
        );
        press(&mut form, &[KeyCode::Down, KeyCode::Char(' ')]);
        assert!(form.value().is_err(), "a frequency that is set and empty");
        press(&mut form, &[KeyCode::Char('5')]);
        assert_eq!(form.value().map(|value| value.delete_frequency), Ok(Some(5)));
        press(&mut form, &[KeyCode::Up, KeyCode::Char(' ')]);
        assert_eq!((form.value(), form.is_dirty()), (Ok(NONE), false));
    }

    #[test]
    fn the_form_takes_positive_whole_numbers_only() {
        for typed in ["0", "-1", "1.5", "ten", ""] {
            for switch in [Switch::Frequency, Switch::MaxItems] {
                let mut form = form(Some(Configuration { disabled: false, delete_frequency: None, max_items: None }));
                form.switch(switch);
                *form.field_mut().expect("a field") = TextField::new(typed);
                let refusal = form.value().expect_err("refused");
                assert!(refusal.message.contains("positive whole number"), "{}", refusal.message);
            }
        }
        // A limit that the server took from elsewhere is no fault of the form.
        let taken = Configuration { disabled: false, delete_frequency: None, max_items: Some(0) };
        assert!(!form(Some(taken)).is_dirty());
    }

    #[test]
    fn the_json_and_the_form_are_one() {
        let mut form = form(None);
        form.switch(Switch::Enabled);
        form.toggle_json().expect("shown");
        let json = form.json.as_mut().expect("an editor");
        assert!(json.text().contains("\"MaxItemsToProcess\": 65536"));
        json.replace_all("{\"DeleteFrequencyInSec\": 5, \"disabled\": true}");
        assert_eq!(form.json_remarks(), ["`disabled` has no effect; did you mean `Disabled`?"]);
        form.toggle_json().expect("read");
        assert_eq!(form.value(), Ok(Configuration { disabled: false, delete_frequency: Some(5), max_items: None }));
        form.toggle_json().expect("shown");
        form.json.as_mut().expect("an editor").replace_all("{\"Disabled\": 7}");
        assert!(form.toggle_json().is_err() && form.json.is_some(), "the text stays");
    }
}
