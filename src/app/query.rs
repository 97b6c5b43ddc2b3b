//! The Query tab: the text of each container, what is being executed, what it answered.

use std::collections::HashMap;

use crate::domain::{Place, Refusal};
use crate::engine::{Answered, Api, Container, ContainerNo, SavedQuery};

use super::Editor;
use super::filter::FilterBar;
use super::results::Results;

/// Queries that are remembered.
const HISTORY: usize = 100;

/// The Query tab.
#[derive(Clone, Debug)]
pub struct QueryTab {
    /// What is typed.
    pub editor: Editor,
    /// Whose text that is.
    container: Option<ContainerNo>,
    /// The texts of the other containers.
    texts: HashMap<ContainerNo, Editor>,
    /// What is being executed, and how many documents were read so far.
    pub running: Option<u64>,
    /// What was answered last.
    pub results: Option<Results>,
    /// The saved queries of all systems.
    pub saved: Vec<SavedQuery>,
    /// They were asked for.
    pub asked_saved: bool,
    /// What is wrong with what was executed; its place is one of the whole text.
    pub error: Option<Refusal>,
    generation: u64,
    /// Where the part that is executed starts, when it is a part.
    part: Option<Place>,
    history: Vec<(Api, String)>,
    recalled: Option<usize>,
}

impl Default for QueryTab {
    fn default() -> Self {
        QueryTab {
            editor: Editor::new(""),
            container: None,
            texts: HashMap::new(),
            running: None,
            results: None,
            saved: Vec::new(),
            asked_saved: false,
            error: None,
            generation: 0,
            part: None,
            history: Vec::new(),
            recalled: None,
        }
    }
}

impl QueryTab {
    /// Is about this container now; the text of the one before is kept.
    pub fn look_at(&mut self, container: &Container) {
        if self.container == Some(container.no) {
            return;
        }
        let text = self.texts.remove(&container.no).unwrap_or_else(|| {
            let mut editor = Editor::new(&FilterBar::prefix(container));
            editor.go_to(Place { line: 1, column: usize::MAX });
            editor
        });
        let before = std::mem::replace(&mut self.editor, text);
        if let Some(no) = self.container.replace(container.no) {
            self.texts.insert(no, before);
        }
        self.generation += 1;
        (self.running, self.results, self.error, self.recalled) = (None, None, None, None);
    }

    /// It is executed: the selected part, or all of it. The number comes back with the answer.
    pub fn start(&mut self, api: Api) -> Option<(u64, String)> {
        let (part, text) = match self.editor.selected() {
            Some((from, text)) if !text.trim().is_empty() => (Some(from), text),
            _ => (None, self.editor.text()),
        };
        if text.trim().is_empty() {
            return None;
        }
        self.generation += 1;
        (self.running, self.error, self.part, self.recalled) = (Some(0), None, part, None);
        self.history.retain(|kept| (kept.0, kept.1.as_str()) != (api, text.as_str()));
        self.history.push((api, text.clone()));
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
        Some((self.generation, text))
    }

    /// So many documents were read.
    pub fn progress(&mut self, generation: u64, read: u64) {
        if generation == self.generation && self.running.is_some() {
            self.running = Some(read);
        }
    }

    /// Its answer. Says whether somebody waits for it.
    pub fn answer(&mut self, generation: u64, result: Result<Answered, Refusal>) -> bool {
        if generation != self.generation {
            return false;
        }
        self.running = None;
        match result {
            Ok(answered) => self.results = Some(Results::new(answered, self.part.is_some())),
            Err(mut refusal) => {
                if let (Some(place), Some(from)) = (&mut refusal.place, self.part) {
                    if place.line == 1 {
                        place.column += from.column - 1;
                    }
                    place.line += from.line - 1;
                }
                if let Some(place) = refusal.place {
                    self.editor.go_to(place);
                }
                self.error = Some(refusal);
            }
        }
        true
    }

    /// Lines of the text on the screen: at least three, at most so many.
    pub fn height(&self, most: u16) -> u16 {
        u16::try_from(self.editor.lines().len()).unwrap_or(u16::MAX).clamp(3, most.max(3))
    }

    /// Puts an older query of this system, or a newer one, in place of the text. It can be undone.
    pub fn recall(&mut self, api: Api, older: bool) {
        let kept: Vec<&str> = self.history.iter().filter(|(of, _)| *of == api).map(|(_, text)| text.as_str()).collect();
        let at = match (self.recalled, older) {
            (None, true) => kept.len().checked_sub(1),
            (Some(at), true) => Some(at.saturating_sub(1)),
            (Some(at), false) => Some((at + 1).min(kept.len().saturating_sub(1))),
            (None, false) => None,
        };
        if let Some(text) = at.and_then(|at| kept.get(at)) {
            self.editor.replace_all(text);
            self.editor.go_to(Place { line: usize::MAX, column: usize::MAX });
        }
        self.recalled = at;
    }

    /// Puts a text in place of what is typed. It can be undone.
    pub fn put(&mut self, text: &str) {
        self.editor.replace_all(text);
        self.error = None;
    }
}
