//! Documents going in or out of files, while the explorer goes on.

use crate::domain::{Refusal, words};
use crate::engine::{ContainerNo, Key, Scope};
use crate::transfer::{Exported, Format, ImportOptions, Imported, Progress};

/// Which items an export from the screen writes. Hidden ones are never among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Items {
    /// All that reads see.
    Visible,
    /// The marked ones.
    Marked(Vec<Key>),
    /// All that the filter lets through.
    Filtered(String),
}

impl Items {
    /// Its name among the choices.
    pub fn label(&self) -> &'static str {
        match self {
            Items::Visible => "all visible",
            Items::Marked(_) => "the marked",
            Items::Filtered(_) => "the filtered",
        }
    }
}

/// A file into a container.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    /// The container.
    pub container: ContainerNo,
    /// The path, as typed.
    pub path: String,
    /// How.
    pub options: ImportOptions,
}

/// Items into a file; of a database or everything into a directory, a file for each container.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The container, database, everything.
    pub scope: Scope,
    /// The path, as typed.
    pub path: String,
    /// Which items.
    pub items: Items,
    /// The form; `None` asks the name of the file.
    pub format: Option<Format>,
    /// With what the system adds to a document.
    pub with_system: bool,
    /// A file that is there is replaced.
    pub replace: bool,
}

/// What goes in or out.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// In.
    Upload(Upload),
    /// Out.
    Export(Export),
}

impl Task {
    /// What it is called while it goes on.
    pub fn title(&self) -> &'static str {
        match self {
            Task::Upload(_) => "Uploading",
            Task::Export(_) => "Exporting",
        }
    }
}

/// A task on its way to the worker.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedTransfer {
    /// Comes back with the answer.
    pub generation: u64,
    /// What to do.
    pub task: Task,
}

/// A path that is to be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPath {
    /// Comes back with the answer.
    pub generation: u64,
    /// What is typed.
    pub typed: String,
}

/// What a path can become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completed {
    /// What was typed.
    pub typed: String,
    /// As far as it is one.
    pub path: String,
    /// The names that match.
    pub names: Vec<String>,
}

/// What a task came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Transferred {
    /// Documents were taken in; and what ended that too early.
    Uploaded(Imported, Option<Refusal>),
    /// Items were written, to this place.
    Exported(Exported, String),
    /// Nothing was written: the file is there, and is not to be replaced without a question.
    Exists(String),
}

/// The one task that may be under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfers {
    /// It.
    pub running: Option<Running>,
    generation: u64,
    paths: u64,
}

/// A task that is under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Running {
    /// What is done.
    pub task: Task,
    /// How far it is.
    pub progress: Progress,
    /// It ends with the write that is under way.
    pub stopping: bool,
}

impl Transfers {
    /// It begins.
    pub fn start(&mut self, task: Task) -> AskedTransfer {
        self.generation += 1;
        self.running = Some(Running { task: task.clone(), progress: Progress::default(), stopping: false });
        AskedTransfer { generation: self.generation, task }
    }

    /// A path is to be completed.
    pub fn complete(&mut self, typed: &str) -> AskedPath {
        self.paths += 1;
        AskedPath { generation: self.paths, typed: typed.to_owned() }
    }

    /// Whether an answer is of the newest task.
    pub fn is_newest(&self, generation: u64) -> bool {
        self.generation == generation
    }

    /// Whether an answer is of the newest path.
    pub fn is_newest_path(&self, generation: u64) -> bool {
        self.paths == generation
    }
}

impl Running {
    /// `12,000 stored · 3 refused · 41 % · Esc stops`.
    pub fn words(&self) -> String {
        let Progress { done, errors, .. } = self.progress;
        let verb = if matches!(self.task, Task::Upload(_)) { "stored" } else { "written" };
        let mut parts = vec![format!("{} {verb}", words::count(done))];
        if errors > 0 {
            parts.push(format!("{} refused", words::count(errors)));
        }
        parts.extend(self.progress.percent().map(|percent| format!("{percent} %")));
        parts.push(if self.stopping { "ends with the write under way" } else { "Esc stops" }.to_owned());
        parts.join(" · ")
    }

    /// `uploading 41 %`, for a line where others stand too.
    pub fn short(&self) -> String {
        let title = self.task.title().to_lowercase();
        match self.progress.percent() {
            Some(percent) => format!("{title} {percent} %"),
            None => title,
        }
    }
}
