//! The one table of keys: it makes dispatch, footer, help and the README's table.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;

use super::Action;

/// Where a key is pressed. The order is the order of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Context {
    /// The tree of databases and containers.
    Tree,
    /// The list of items.
    Items,
    /// The filter of the items.
    Filter,
    /// The editor.
    Editor,
    /// The Settings tab.
    Settings,
    /// A setting that is edited as JSON.
    Json,
    /// The Countdown tab.
    Countdown,
    /// The Shell tab.
    Shell,
    /// The text of the Query tab.
    Query,
    /// The rows of the Query tab.
    Results,
    /// The Timeline tab.
    Timeline,
    /// The console.
    Console,
    /// Movement, shared by all lists.
    Lists,
    /// Everything else.
    Everywhere,
}

impl Context {
    /// All contexts, in the order of the help.
    pub const ALL: [Context; 14] = [
        Context::Tree,
        Context::Items,
        Context::Filter,
        Context::Editor,
        Context::Settings,
        Context::Json,
        Context::Countdown,
        Context::Shell,
        Context::Query,
        Context::Results,
        Context::Timeline,
        Context::Console,
        Context::Lists,
        Context::Everywhere,
    ];

    /// The heading in the help.
    pub fn title(self) -> &'static str {
        match self {
            Context::Tree => "Tree",
            Context::Items => "Items",
            Context::Filter => "Filter",
            Context::Editor => "Editor",
            Context::Settings => "Settings",
            Context::Json => "Settings as JSON",
            Context::Countdown => "Countdown",
            Context::Shell => "Shell",
            Context::Query => "Query",
            Context::Results => "Rows of a query",
            Context::Timeline => "Timeline",
            Context::Console => "Console",
            Context::Lists => "In every list",
            Context::Everywhere => "Everywhere",
        }
    }

    fn is_list(self) -> bool {
        matches!(
            self,
            Context::Tree
                | Context::Items
                | Context::Countdown
                | Context::Results
                | Context::Timeline
                | Context::Console
        )
    }
}

/// A key with its modifiers, in the form in which terminals send it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// From an event: Shift is dropped from characters, which say it themselves.
    pub fn of(event: KeyEvent) -> Key {
        let mut modifiers = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        let code = match event.code {
            KeyCode::Char(c) if modifiers.contains(KeyModifiers::CONTROL) => KeyCode::Char(c.to_ascii_lowercase()),
            KeyCode::BackTab => {
                modifiers |= KeyModifiers::SHIFT;
                KeyCode::Tab
            }
            code => code,
        };
        if matches!(code, KeyCode::Char(_)) {
            modifiers -= KeyModifiers::SHIFT;
        }
        Key { code, modifiers }
    }

    /// From its name in the table.
    ///
    /// # Errors
    /// Why it is no key that a terminal sends.
    pub fn parse(name: &str) -> Result<Key, String> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = name;
        for (prefix, modifier) in
            [("ctrl-", KeyModifiers::CONTROL), ("alt-", KeyModifiers::ALT), ("shift-", KeyModifiers::SHIFT)]
        {
            // A sign alone, such as `-`, is a key itself.
            if let Some(after) = rest.strip_prefix(prefix).filter(|after| !after.is_empty()) {
                modifiers |= modifier;
                rest = after;
            }
        }
        let code = match rest {
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "pageup" => KeyCode::PageUp,
            "pagedown" => KeyCode::PageDown,
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "tab" => KeyCode::Tab,
            "backspace" => KeyCode::Backspace,
            "delete" => KeyCode::Delete,
            "insert" => KeyCode::Insert,
            "space" => KeyCode::Char(' '),
            _ => match (rest.chars().next(), rest.chars().count()) {
                (Some(c), 1) => KeyCode::Char(c),
                (Some('f'), _) => match rest[1..].parse() {
                    Ok(n @ 1..=12) => KeyCode::F(n),
                    _ => return Err(format!("`{name}` is not a key")),
                },
                _ => return Err(format!("`{name}` is not a key")),
            },
        };
        if let KeyCode::Char(c) = code {
            if modifiers.contains(KeyModifiers::CONTROL)
                && matches!(c.to_ascii_lowercase(), 'i' | 'm' | 'h' | '[' | 'j')
            {
                return Err(format!("`{name}` arrives as another key in a terminal: Tab, Enter, Backspace or Esc"));
            }
            if modifiers.contains(KeyModifiers::SHIFT)
                || (modifiers.contains(KeyModifiers::CONTROL) && c.is_uppercase())
            {
                return Err(format!("`{name}` does not arrive in a terminal: write the character itself"));
            }
        }
        if matches!(code, KeyCode::Enter) && modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::SHIFT) {
            return Err(format!("`{name}` does not arrive in a terminal"));
        }
        Ok(Key { code, modifiers })
    }

    /// Whether it stays a command of the wider contexts while text is typed: a chord, a function key, and Tab where it
    /// does not indent.
    fn works_while_typing(self, context: Context) -> bool {
        self.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
            || matches!(self.code, KeyCode::F(_))
            || (self.code == KeyCode::Tab && !matches!(context, Context::Editor | Context::Json | Context::Shell))
    }
}

/// As the footer shows it: `^S`, `Alt-z`, `Enter`, `d`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.modifiers.contains(KeyModifiers::ALT) {
            f.write_str("Alt-")?;
        }
        if self.modifiers.contains(KeyModifiers::SHIFT) {
            f.write_str("Shift-")?;
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Char(c) if self.modifiers.contains(KeyModifiers::CONTROL) => {
                write!(f, "^{}", c.to_ascii_uppercase())
            }
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(n) => write!(f, "F{n}"),
            KeyCode::Up => f.write_str("↑"),
            KeyCode::Down => f.write_str("↓"),
            KeyCode::Left => f.write_str("←"),
            KeyCode::Right => f.write_str("→"),
            KeyCode::PageUp => f.write_str("PgUp"),
            KeyCode::PageDown => f.write_str("PgDn"),
            KeyCode::Delete => f.write_str("Del"),
            KeyCode::Backspace => f.write_str("Backspace"),
            KeyCode::Enter => f.write_str("Enter"),
            KeyCode::Esc => f.write_str("Esc"),
            KeyCode::Tab => f.write_str("Tab"),
            KeyCode::Home => f.write_str("Home"),
            KeyCode::End => f.write_str("End"),
            KeyCode::Insert => f.write_str("Insert"),
            other => write!(f, "{other:?}"),
        }
    }
}

/// A table that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeymapError {
    /// The file is no such table: unknown context or action, or no TOML; with line and reason.
    #[error("{0}")]
    Toml(String),
    /// A key that no terminal sends.
    #[error("[{context}] {action}: {reason}")]
    Key {
        /// The heading in the file.
        context: String,
        /// The action.
        action: String,
        /// What is wrong with the key.
        reason: String,
    },
    /// Two actions for one key in one context.
    #[error("[{context}] the key `{key}` stands for two actions")]
    Conflict {
        /// The heading in the help.
        context: &'static str,
        /// The key.
        key: String,
    },
}

/// The keys of all contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    keys: BTreeMap<(Context, Action), Vec<Key>>,
    actions: HashMap<(Context, Key), Action>,
}

impl Keymap {
    /// The table that comes with the program.
    ///
    /// # Errors
    /// None in a program whose tests have run: a test reads the same table.
    pub fn standard() -> Result<Keymap, KeymapError> {
        Keymap::parse(include_str!("../../assets/keymap.toml"))
    }

    /// Reads a table.
    ///
    /// # Errors
    /// See [`KeymapError`].
    pub fn parse(text: &str) -> Result<Keymap, KeymapError> {
        let table: BTreeMap<Context, BTreeMap<Action, Vec<String>>> =
            toml::from_str(text).map_err(|error| KeymapError::Toml(error.to_string()))?;
        let mut keymap = Keymap { keys: BTreeMap::new(), actions: HashMap::new() };
        for (context, actions) in table {
            for (action, names) in actions {
                for name in names {
                    let key = Key::parse(&name).map_err(|reason| KeymapError::Key {
                        context: context.title().to_owned(),
                        action: action.label().to_owned(),
                        reason,
                    })?;
                    keymap.keys.entry((context, action)).or_default().push(key);
                    if keymap.actions.insert((context, key), action).is_some() {
                        return Err(KeymapError::Conflict { context: context.title(), key: key.to_string() });
                    }
                }
            }
        }
        Ok(keymap)
    }

    /// What a key does where the focus is. While text is typed, only chords of the wider contexts count.
    pub fn resolve(&self, context: Context, typing: bool, event: KeyEvent) -> Option<Action> {
        let key = Key::of(event);
        if let Some(action) = self.actions.get(&(context, key)) {
            return Some(*action);
        }
        if context.is_list()
            && let Some(action) = self.actions.get(&(Context::Lists, key))
        {
            return Some(*action);
        }
        let reachable = !typing || key.works_while_typing(context);
        if reachable { self.actions.get(&(Context::Everywhere, key)).copied() } else { None }
    }

    /// The keys of an action in a context or in the wider ones around it.
    pub fn keys(&self, context: Context, action: Action) -> &[Key] {
        [context, Context::Lists, Context::Everywhere]
            .into_iter()
            .filter(|at| *at != Context::Lists || context.is_list())
            .find_map(|at| self.keys.get(&(at, action)))
            .map_or(&[], Vec::as_slice)
    }

    /// The key that the footer shows: the first that works where the focus is.
    pub fn key(&self, context: Context, typing: bool, action: Action) -> Option<Key> {
        let own = self.keys.contains_key(&(context, action));
        let works = |key: &Key| own || !typing || key.works_while_typing(context);
        self.keys(context, action).iter().copied().find(works)
    }

    /// The actions of one context with their keys, in the order of the help.
    pub fn of_context(&self, context: Context) -> impl Iterator<Item = (Action, &[Key])> {
        self.keys
            .iter()
            .filter(move |((at, _), _)| *at == context)
            .map(|((_, action), keys)| (*action, keys.as_slice()))
    }

    /// The table as Markdown, for the README.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| where | keys | what |\n|---|---|---|\n");
        for context in Context::ALL {
            for (action, keys) in self.of_context(context) {
                let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
                text += &format!("| {} | {} | {} |\n", context.title(), keys.join(" "), action.help());
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn press(name: &str) -> KeyEvent {
        let key = Key::parse(name).expect("a key");
        KeyEvent::new(key.code, key.modifiers)
    }

    #[test]
    fn the_standard_table_is_valid() {
        Keymap::standard().expect("valid");
    }

    #[rstest]
    #[case(Context::Tree, false, "d", Some(Action::Delete))]
    #[case(Context::Tree, false, "j", Some(Action::Down))]
    #[case(Context::Tree, false, "q", Some(Action::Quit))]
    #[case(Context::Editor, true, "q", None)]
    #[case(Context::Editor, true, "d", None)]
    #[case(Context::Editor, true, "delete", None)]
    #[case(Context::Editor, true, "ctrl-q", Some(Action::Quit))]
    #[case(Context::Editor, true, "ctrl-z", Some(Action::Suspend))]
    #[case(Context::Editor, true, "ctrl-s", Some(Action::Save))]
    #[case(Context::Editor, true, "tab", None)]
    #[case(Context::Settings, true, "tab", Some(Action::NextPane))]
    #[case(Context::Settings, true, "shift-tab", Some(Action::PreviousPane))]
    #[case(Context::Settings, true, "1", None)]
    #[case(Context::Settings, false, "1", Some(Action::ShowItems))]
    #[case(Context::Items, false, "shift-tab", Some(Action::PreviousPane))]
    fn keys_find_their_action(
        #[case] context: Context,
        #[case] typing: bool,
        #[case] key: &str,
        #[case] action: Option<Action>,
    ) {
        assert_eq!(Keymap::standard().expect("valid").resolve(context, typing, press(key)), action);
    }

    #[test]
    fn no_key_that_destroys_works_while_text_is_typed() {
        let keymap = Keymap::standard().expect("valid");
        for context in [Context::Editor, Context::Filter, Context::Settings, Context::Json, Context::Shell] {
            for action in [Action::Delete, Action::SweepNow, Action::Clear] {
                assert_eq!(keymap.key(context, true, action), None, "{context:?} {action:?}");
            }
        }
    }

    #[rstest]
    #[case("[tree]\nopen = [\"ctrl-i\"]", "arrives as another key")]
    #[case("[tree]\nopen = [\"ctrl-S\"]", "does not arrive")]
    #[case("[tree]\nopen = [\"shift-a\"]", "does not arrive")]
    #[case("[tree]\nopen = [\"f13\"]", "is not a key")]
    #[case("[tree]\nopen = [\"a\"]\nexpand = [\"a\"]", "two actions")]
    #[case("[tree]\nfly = [\"a\"]", "line 2")]
    #[case("[wood]\nopen = [\"a\"]", "line 1")]
    fn a_wrong_table_says_where_and_why(#[case] text: &str, #[case] words: &str) {
        let error = Keymap::parse(text).expect_err("wrong").to_string();
        assert!(error.contains(words), "{error}");
    }

    #[rstest]
    #[case("ctrl-s", "^S")]
    #[case("alt-Z", "Alt-Z")]
    #[case("shift-tab", "Shift-Tab")]
    #[case("space", "Space")]
    #[case("-", "-")]
    fn keys_are_shown(#[case] name: &str, #[case] shown: &str) {
        assert_eq!(Key::parse(name).expect("a key").to_string(), shown);
    }
}
