//! The tree of databases and containers: what is unfolded, and where the cursor is.

use std::collections::BTreeSet;

use crate::engine::{Api, Catalog, ContainerNo, DatabaseNo};

/// What a line of the tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A database.
    Database(DatabaseNo),
    /// A container.
    Container(ContainerNo),
    /// The Items of a container.
    Items(ContainerNo),
    /// The Settings of a container.
    Settings(ContainerNo),
}

impl Node {
    /// The container that the line belongs to.
    pub fn container(self) -> Option<ContainerNo> {
        match self {
            Node::Database(_) => None,
            Node::Container(no) | Node::Items(no) | Node::Settings(no) => Some(no),
        }
    }
}

/// A line of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// What it stands for.
    pub node: Node,
    /// 0 for databases, 1 for containers, 2 below them.
    pub depth: usize,
    /// Its name.
    pub name: String,
    /// The system, of a database.
    pub api: Option<Api>,
    /// Whether it is unfolded; `None` for leaves.
    pub unfolded: Option<bool>,
}

/// The tree as lines. The catalog is the truth; the tree only remembers what is folded and where the cursor is.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Tree {
    lines: Vec<Branch>,
    folded_databases: BTreeSet<DatabaseNo>,
    unfolded_containers: BTreeSet<ContainerNo>,
    cursor: usize,
    top: usize,
}

impl Tree {
    /// The lines.
    pub fn lines(&self) -> &[Branch] {
        &self.lines
    }

    /// The line under the cursor.
    pub fn current(&self) -> Option<&Branch> {
        self.lines.get(self.cursor)
    }

    /// The index of the cursor's line.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The first line on a screen of `height` lines.
    pub fn top(&self) -> usize {
        self.top
    }

    /// Makes the lines anew; the cursor stays on its node or, when that is gone, near its place.
    pub fn rebuild(&mut self, catalog: &Catalog) {
        let at = self.current().map(|line| line.node);
        self.lines.clear();
        for database in catalog.databases.values() {
            let unfolded = !self.folded_databases.contains(&database.no);
            self.lines.push(Branch {
                node: Node::Database(database.no),
                depth: 0,
                name: database.name.clone(),
                api: Some(database.api),
                unfolded: Some(unfolded),
            });
            if !unfolded {
                continue;
            }
            let branch =
                |node, depth, name: &str, unfolded| Branch { node, depth, name: name.to_owned(), api: None, unfolded };
            if let Some(documents) = &database.documents {
                self.lines.push(branch(Node::Container(documents.no), 1, &documents.name, None));
                self.lines.push(branch(Node::Settings(documents.no), 1, "Settings", None));
                for collection in database.containers.values() {
                    self.lines.push(branch(Node::Container(collection.no), 1, &collection.name, None));
                }
                continue;
            }
            for container in database.containers.values() {
                let unfolded = self.unfolded_containers.contains(&container.no);
                self.lines.push(branch(Node::Container(container.no), 1, &container.name, Some(unfolded)));
                if unfolded {
                    let (items, settings) = match database.api {
                        Api::NoSql | Api::RavenDb => ("Items", "Settings"),
                        Api::MongoDb => ("Documents", "Indexes"),
                    };
                    self.lines.push(branch(Node::Items(container.no), 2, items, None));
                    self.lines.push(branch(Node::Settings(container.no), 2, settings, None));
                }
            }
        }
        if let Some(node) = at
            && let Some(index) = self.lines.iter().position(|line| line.node == node)
        {
            self.cursor = index;
        }
        self.cursor = self.cursor.min(self.lines.len().saturating_sub(1));
    }

    /// Moves the cursor.
    pub fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.lines.len().saturating_sub(1));
    }

    /// Puts the cursor on a line.
    pub fn select(&mut self, index: usize) {
        self.cursor = index.min(self.lines.len().saturating_sub(1));
    }

    /// Puts the cursor on a node, unfolding its database.
    pub fn select_node(&mut self, catalog: &Catalog, node: Node) {
        if let Some(container) = node.container().and_then(|no| catalog.container(no)) {
            self.folded_databases.remove(&container.database);
            self.rebuild(catalog);
        }
        if let Some(index) = self.lines.iter().position(|line| line.node == node) {
            self.cursor = index;
        }
    }

    /// Scrolls so that the cursor is among `height` lines.
    pub fn show_cursor(&mut self, height: usize) {
        let height = height.max(1);
        if self.cursor < self.top {
            self.top = self.cursor;
        } else if self.cursor >= self.top + height {
            self.top = self.cursor + 1 - height;
        }
        self.top = self.top.min(self.lines.len().saturating_sub(height));
    }

    /// Unfolds the line under the cursor; on an unfolded one, goes to its first child.
    pub fn expand(&mut self, catalog: &Catalog) {
        match self.current().map(|line| (line.node, line.unfolded)) {
            Some((_, Some(true))) => self.step(1),
            Some((node, Some(false))) => self.set_unfolded(catalog, node, true),
            _ => {}
        }
    }

    /// Folds the line under the cursor; on a folded one or a leaf, goes to its parent.
    pub fn collapse(&mut self, catalog: &Catalog) {
        match self.current().map(|line| (line.node, line.unfolded, line.depth)) {
            Some((node, Some(true), _)) => self.set_unfolded(catalog, node, false),
            Some((_, _, depth)) if depth > 0 => {
                let parent = self.lines[..self.cursor].iter().rposition(|line| line.depth < depth);
                self.cursor = parent.unwrap_or(self.cursor);
            }
            _ => {}
        }
    }

    /// Folds or unfolds the line under the cursor.
    pub fn toggle(&mut self, catalog: &Catalog) {
        if let Some((node, Some(unfolded))) = self.current().map(|line| (line.node, line.unfolded)) {
            self.set_unfolded(catalog, node, !unfolded);
        }
    }

    /// Unfolds a container, so that its Items and Settings are seen.
    pub fn unfold(&mut self, catalog: &Catalog, container: ContainerNo) {
        self.set_unfolded(catalog, Node::Container(container), true);
    }

    fn set_unfolded(&mut self, catalog: &Catalog, node: Node, unfolded: bool) {
        match node {
            Node::Database(no) if unfolded => {
                self.folded_databases.remove(&no);
            }
            Node::Database(no) => {
                self.folded_databases.insert(no);
            }
            Node::Container(no) if unfolded => {
                self.unfolded_containers.insert(no);
            }
            Node::Container(no) => {
                self.unfolded_containers.remove(&no);
            }
            Node::Items(_) | Node::Settings(_) => {}
        }
        self.rebuild(catalog);
    }
}
