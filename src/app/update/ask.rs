//! The dialogs, as they are opened.

use crate::domain::clock::Rate;
use crate::domain::nosql::DefaultTtl;
use crate::domain::ravendb::Configuration;
use crate::domain::{Instant, words};
use crate::engine::{Api, ClockState, ContainerNo, Count, DatabaseNo, JumpPreview, Key, SavedQuery, Scope, TtlPreview};

use crate::app::dialog::{Choice, ClockForm, Dialog, ExportForm, NewDatabase, Question, TTL_OPTIONS};
use crate::app::settings::SettingsForm;
use crate::app::transfer::{Items, Running, Task};
use crate::app::{ClockMove, Intent, Model, TextField};

/// The first start.
pub fn welcome() -> Dialog {
    Dialog::new(Question::Welcome, "Welcome")
        .text("ttl-explorer shows documents expire: you set a Time to Live, edit items, and watch them go.")
        .text(
            "This account is empty. The workshop sample has a shop's orders, carts, sessions, e-mail links and caches; \
             some of its items expire within the first minute.",
        )
        .button("Load the workshop sample", 'l', Choice::Ok)
        .button("Empty account", 'e', Choice::Cancel)
}

/// A new database.
pub fn new_database() -> Dialog {
    Dialog::new(Question::NewDatabase, "New Database")
        .field("Database id", TextField::default())
        .choice("Kind", &NewDatabase::KINDS.map(|(label, _)| label), 0)
        .button("Create", 'c', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
}

/// A new container.
pub fn new_container(database: &str) -> Dialog {
    let mut dialog = Dialog::new(Question::NewContainer, "New Container")
        .field("Database id", TextField::new(database).with_placeholder("made when there is none of this id"))
        .field("Container id", TextField::default())
        .field("Partition key", TextField::default().with_placeholder("/userId   up to 3 levels: /tenantId, /userId"))
        .choice("Time to Live", &TTL_OPTIONS, 0)
        .field("second(s)", TextField::default().with_placeholder("1 to 2147483647"))
        .button("Create", 'c', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel);
    if !database.is_empty() {
        dialog.focus_on(1);
    }
    dialog
}

/// A new collection in a MongoDB database.
pub fn new_collection(no: DatabaseNo, database: &str) -> Dialog {
    Dialog::new(Question::NewCollection(no), "New Collection")
        .text(format!("In the MongoDB database {database}."))
        .field("Collection id", TextField::default())
        .choice("TTL index", &["none", "-1", "seconds"], 0)
        .field("second(s)", TextField::default().with_placeholder("1 to 2147483647"))
        .button("Create", 'c', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
}

/// Before a database goes.
pub fn delete_database(model: &Model, no: DatabaseNo, name: &str) -> Dialog {
    let (containers, noun) = model.catalog.database(no).map_or((0, "container"), |database| {
        (database.containers.len(), if database.api == Api::NoSql { "container" } else { "collection" })
    });
    typed_delete(
        Question::DeleteDatabase(no, name.to_owned()),
        "Delete Database",
        format!(
            "The database {name} goes with its {} and all their items. This cannot be undone.",
            words::counted(containers as u64, noun)
        ),
        "Database id",
        unsaved_remark(model, |container| model.catalog.container(container).is_some_and(|c| c.database == no)),
    )
}

/// Before a container goes.
pub fn delete_container(model: &Model, no: ContainerNo, name: &str) -> Dialog {
    let noun = model.noun(no);
    let items = model
        .totals_of(Scope::Container(no))
        .map_or_else(|| format!("its {noun}s"), |totals| format!("its {}", words::counted(totals.alive().n, noun)));
    let (title, what, label) = match model.api_of(no) {
        Api::RavenDb => ("Delete Collection", "collection", "Collection name"),
        Api::MongoDb => ("Delete Collection", "collection", "Collection id"),
        Api::NoSql => ("Delete Container", "container", "Container id"),
    };
    typed_delete(
        Question::DeleteContainer(no, name.to_owned()),
        title,
        format!("The {what} {name} goes with {items}. This cannot be undone."),
        label,
        unsaved_remark(model, |container| container == no),
    )
}

fn unsaved_remark(model: &Model, concerns: impl Fn(ContainerNo) -> bool) -> Option<String> {
    let pane = model.pane.as_ref().filter(|pane| pane.is_dirty() && concerns(pane.container))?;
    Some(format!("The unsaved text of {} goes with it.", pane.title()))
}

fn typed_delete(question: Question, title: &str, text: String, label: &'static str, remark: Option<String>) -> Dialog {
    let mut dialog = Dialog::new(question, title).text(text);
    dialog.text.extend(remark);
    dialog.text.push(format!("Type the {} to confirm.", label.to_lowercase()));
    dialog.field(label, TextField::default()).button("Delete", 'd', Choice::Ok).button("Cancel", 'n', Choice::Cancel)
}

/// Before items go.
pub fn delete_items(container: ContainerNo, keys: Vec<Key>, id: &str) -> Dialog {
    let text = if keys.len() == 1 {
        format!("Are you sure you want to delete the selected item {id}?")
    } else {
        format!("Are you sure you want to delete the {} selected items?", words::count(keys.len() as u64))
    };
    Dialog::new(Question::DeleteItems(container, keys), "Delete")
        .text(text)
        .button("Delete", 'd', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// Unsaved text, on the way out.
pub fn unsaved_item(model: &Model, intent: Intent) -> Dialog {
    let pane = model.pane.as_ref();
    let (title, verb) = pane.map_or(("", "Update"), |pane| {
        let verb = match (pane.row(), pane.gone) {
            (Some(_), None) => "Update",
            (Some(_), Some(_)) => "Save as new",
            (None, _) => "Save",
        };
        (pane.title(), verb)
    });
    Dialog::new(Question::Unsaved(intent), "Unsaved text")
        .text(format!("The text of {title} is edited and not saved."))
        .button(verb, verb.chars().next().unwrap_or('s').to_ascii_lowercase(), Choice::Ok)
        .button("Discard", 'd', Choice::Other)
        .button("Keep editing", 'k', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// Unsaved settings, on the way out.
pub fn unsaved_settings(model: &Model, intent: Intent) -> Dialog {
    let name = model.settings.as_ref().map_or(String::new(), |form| model.name_of(form.container()));
    let what = match &model.settings {
        Some(SettingsForm::Expiration(_)) => "Document Expiration",
        _ => "Time to Live",
    };
    Dialog::new(Question::Unsaved(intent), "Unsaved setting")
        .text(format!("The {what} of {name} is changed and not saved."))
        .button("Save", 's', Choice::Ok)
        .button("Discard", 'd', Choice::Other)
        .button("Keep editing", 'k', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// Somebody wrote the item meanwhile.
pub fn conflict(id: &str, why: &str) -> Dialog {
    Dialog::new(Question::Conflict, "Conflict")
        .text(format!("{id} was written by somebody else since you opened it ({why})."))
        .text("Overwrite puts your text in its place. Reload shows theirs, and your edits go.")
        .button("Overwrite", 'o', Choice::Ok)
        .button("Reload", 'r', Choice::Other)
        .button("Keep editing", 'k', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// The edited text belongs to another item.
pub fn other_key(id: &str) -> Dialog {
    Dialog::new(Question::OtherKey, "Another item")
        .text(format!(
            "The id or the partition key differs from that of {id}. An update cannot change them (400); the text can be \
             saved as a new item."
        ))
        .button("Save as new", 's', Choice::Ok)
        .button("Keep editing", 'k', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// Before a Time to Live is saved that makes items expire at once or come back.
pub fn save_ttl(no: ContainerNo, name: &str, ttl: DefaultTtl, preview: &TtlPreview, then: Option<Intent>) -> Dialog {
    let mut dialog =
        Dialog::new(Question::SaveTtl(no, ttl, then), "Save Time to Live").text(format!("{name} becomes {ttl}."));
    if preview.expire_at_once.n > 0 {
        let verb = if preview.expire_at_once.n == 1 { "expires" } else { "expire" };
        dialog = dialog.text(format!(
            "{} {verb} at once: no client sees them any more, and they are deleted in the background.",
            preview.expire_at_once.words("item")
        ));
    }
    if preview.come_back.n > 0 {
        let verb = if preview.come_back.n == 1 { "comes" } else { "come" };
        dialog = dialog
            .text(format!("{} {verb} back: expired, but not deleted yet.", preview.come_back.words("hidden item")));
    }
    dialog.button("Save", 's', Choice::Ok).button("Cancel", 'n', Choice::Cancel).focused_on(Choice::Cancel)
}

/// Before a configuration of Document Expiration is saved whose first run deletes documents.
pub fn save_expiration(
    no: ContainerNo,
    name: &str,
    configuration: Configuration,
    waiting: Count,
    now: Instant,
    then: Option<Intent>,
) -> Dialog {
    let verb = if waiting.n == 1 && !waiting.more { "is" } else { "are" };
    let first = words::instant(now.plus_secs(i64::from(configuration.frequency())), now);
    Dialog::new(Question::SaveExpiration(no, configuration, then), "Save Document Expiration")
        .text(format!("Expiration of {name} becomes {}.", Configuration::words(Some(&configuration))))
        .text(format!(
            "{} {verb} past their @expires and go with the first run, at {first}. Until then every read sees them.",
            waiting.words("document")
        ))
        .button("Save", 's', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// When the open item shall expire.
pub fn expires_in(api: Api) -> Dialog {
    let (text, label) = match api {
        Api::RavenDb => (
            "Sets `@expires` in the document's `@metadata` to this long from now: an absolute instant, which a later \
             write does not move.",
            "Expires in",
        ),
        _ => ("Sets the item's own `ttl`, in seconds: it counts from each write.", "Time to live"),
    };
    Dialog::new(Question::ExpiresIn, "Expires in")
        .text(text)
        .field(label, TextField::default().with_placeholder("5 m   2 h   30 d   1 d 12 h"))
        .button("Set", 's', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
}

/// How late the sweeper deletes.
pub fn sweeper_settings(delay: u32, paused: bool) -> Dialog {
    Dialog::new(Question::SweeperSettings, "Background deletion")
        .text(
            "An expired item is hidden at once. The service deletes its bytes later; here it is so many seconds later.",
        )
        .field("Delay, second(s)", TextField::new(&delay.to_string()))
        .choice("Sweeper", &["On", "Paused"], usize::from(paused))
        .button("Save", 's', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
}

/// The clock.
pub fn clock(now: Instant, state: ClockState) -> Dialog {
    let at = words::instant(now, Instant::MIN);
    let (text, rate) = if state.moved {
        (format!("It is {at} by the clock of this store, which was moved."), state.rate)
    } else {
        (format!("It is {at}, the real time. A clock that runs faster or jumps belongs to this store."), Rate::REAL)
    };
    let mut dialog = Dialog::new(Question::Clock, "Clock")
        .text(text)
        .field("Speed", TextField::new(&rate.number()).with_placeholder("1   60   3600   0.5"))
        .choice("It", &["runs", "stands still"], usize::from(state.paused))
        .field("Jump to", TextField::default().with_placeholder("+30 d   next   2027-01-01T12:00:00Z"))
        .button("Set", 's', Choice::Ok);
    if state.moved {
        dialog = dialog.button("Back to real time", 'b', Choice::Other);
    }
    dialog = dialog.button("Cancel", 'n', Choice::Cancel);
    dialog.focus_on(ClockForm::JUMP);
    dialog
}

/// Before the clock is moved.
pub fn jump(to: ClockMove, preview: &JumpPreview, sweeper_paused: bool) -> Dialog {
    let at = words::instant(preview.to, Instant::MIN);
    let title = if to == ClockMove::Real { "Back to real time".to_owned() } else { format!("Jump to {at}") };
    let mut dialog = Dialog::new(Question::Jump(to), title);
    if to == ClockMove::Real {
        dialog = dialog.text(format!("It is {at}."));
    }
    dialog = dialog.text(preview.words());
    if preview.newest.is_some() {
        dialog = dialog.text(
            "What was written later than that keeps its _ts, and its time is counted from there. A new write takes the \
             real time.",
        );
    }
    if preview.delete.n > 0 {
        dialog = dialog.text("What is deleted does not come back.");
    } else if sweeper_paused && preview.expire.n > 0 {
        dialog = dialog.text("The sweeper is paused: nothing is deleted.");
    }
    let (label, letter) = if to == ClockMove::Real { ("Back to real time", 'b') } else { ("Jump", 'j') };
    dialog = dialog.button(label, letter, Choice::Ok);
    if preview.delete.n > 0 {
        dialog = dialog.button("Export first", 'e', Choice::Other);
    }
    dialog.button("Cancel", 'n', Choice::Cancel)
}

/// The name of a query that is saved.
pub fn save_query(text: String) -> Dialog {
    Dialog::new(Question::SaveQuery(text, None), "Save the query")
        .field("Name", TextField::default())
        .button("Save", 's', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
}

/// The saved queries.
pub fn open_query(saved: Vec<SavedQuery>) -> Dialog {
    let entries = saved.iter().map(|query| {
        let line = query.text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{:<20} {line}", query.name)
    });
    let entries = entries.collect();
    Dialog::new(Question::OpenQuery(saved), "Saved queries")
        .list(entries)
        .button("Open", 'o', Choice::Ok)
        .button("Delete", 'd', Choice::Other)
        .button("Cancel", 'n', Choice::Cancel)
}

/// Before a saved query goes.
pub fn delete_query(api: Api, name: &str) -> Dialog {
    Dialog::new(Question::DeleteQuery(api, name.to_owned()), "Delete the saved query")
        .text(format!("{name} goes for good."))
        .button("Delete", 'd', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// The views of the items.
pub fn views() -> Dialog {
    let entries = super::filter::VIEWS.iter().map(|(text, what)| format!("{text:<9}  {what}")).collect();
    Dialog::new(Question::Views, "Views")
        .text("Each is a filter, too: type it behind / with its colon.")
        .list(entries)
        .button("Show", 's', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
}

/// A text to search for.
pub fn find(last: &str) -> Dialog {
    Dialog::new(Question::Find, "Find").field("Text", TextField::new(last)).button("Find", 'f', Choice::Ok).button(
        "Cancel",
        'n',
        Choice::Cancel,
    )
}

/// A file that goes into a container.
pub fn upload(model: &Model, no: ContainerNo) -> Dialog {
    let ttl = if model.api_of(no) == Api::RavenDb { "@expires in" } else { "Own ttl" };
    Dialog::new(Question::Upload(no), "Upload")
        .text(format!(
            "Documents from a file into {}: a JSON object, an array, a document a line, or CSV with a heading; each also \
             as .gz. What is refused is written beside it, with line and reason.",
            model.name_of(no)
        ))
        .field("File", TextField::default().with_placeholder("~/orders.jsonl   Tab completes"))
        .choice("Existing ones", &["refuse", "replace"], 0)
        .choice("On errors", &["skip", "stop"], 0)
        .field(ttl, TextField::default().with_placeholder("for those without: 60, 5 m, 2 h"))
        .button("Upload", 'u', Choice::Ok)
        .button("Cancel", 'n', Choice::Cancel)
}

/// A scope by its name.
pub fn scope_name(model: &Model, scope: Scope) -> String {
    match scope {
        Scope::Container(no) => model.name_of(no),
        Scope::Database(no) => model.catalog.names.get(&no).cloned().unwrap_or_default(),
        Scope::Everything => "all databases".to_owned(),
    }
}

/// Where the items of a scope go. What is marked or filtered comes first among the choices.
pub fn export(model: &Model, scope: Scope) -> Dialog {
    let mut items = Vec::new();
    if model.container.is_some_and(|open| scope == Scope::Container(open)) {
        if !model.marked.is_empty() {
            items.push(Items::Marked(model.marked.iter().cloned().collect()));
        }
        items.extend(model.filter.applied.clone().map(Items::Filtered));
    }
    items.push(Items::Visible);
    let name = scope_name(model, scope);
    let (text, label, path) = match scope {
        Scope::Container(no) => {
            let file = name.rsplit('/').next().unwrap_or(&name);
            let text = format!("The visible {}s of {name} into a file; .gz packs it.", model.noun(no));
            (text, "File", format!("{file}.jsonl"))
        }
        Scope::Database(_) | Scope::Everything => {
            let text = format!("The visible items of {name} into a new directory, a file for each container.");
            let dir = if scope == Scope::Everything { "ttl-explorer" } else { name.as_str() };
            (text, "Directory", format!("{dir}-export"))
        }
    };
    let labels: Vec<&'static str> = items.iter().map(Items::label).collect();
    let dialog = Dialog::new(Question::Export(scope, items), "Export")
        .text(text)
        .field(label, TextField::new(&path))
        .choice("Form", &ExportForm::FORMATS.map(|(label, _)| label), 0)
        .choice("System fields", &["leave out", "write"], 0);
    let dialog = if labels.len() > 1 { dialog.choice("Which", &labels, 0) } else { dialog };
    dialog.button("Export", 'e', Choice::Ok).button("Cancel", 'n', Choice::Cancel)
}

/// Before a file is replaced.
pub fn replace_file(place: &str, task: Task) -> Dialog {
    Dialog::new(Question::Replace(task), "Replace")
        .text(format!("{place} exists already. Its content goes when the export is complete."))
        .button("Replace", 'r', Choice::Ok)
        .button("Another name", 'n', Choice::Cancel)
        .focused_on(Choice::Cancel)
}

/// How far an upload or export is. The last paragraph follows it.
pub fn transferring(running: &Running, place: &str) -> Dialog {
    Dialog::new(Question::Transferring, running.task.title())
        .text(place)
        .text(running.words())
        .button("Stop", 's', Choice::Cancel)
        .button("Go on in the background", 'b', Choice::Other)
        .focused_on(Choice::Other)
}

/// Before an upload or export is stopped by leaving.
pub fn leave_transfer() -> Dialog {
    Dialog::new(Question::LeaveTransfer, "Leave")
        .text("An upload or export is under way. Leaving stops it: what was stored stays, a file that is not complete goes.")
        .button("Stop and leave", 's', Choice::Ok)
        .button("Stay", 'n', Choice::Cancel)
        .focused_on(Choice::Cancel)
}
