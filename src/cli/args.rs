//! The arguments.

use std::path::PathBuf;

use clap::{Args as Group, Parser, Subcommand, ValueEnum};

use crate::transfer;

/// Shows documents expire: a data explorer for Time to Live, in the terminal.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
pub struct Args {
    /// The directory of the store. Default: ttl-explorer in the user's data directory
    #[arg(long, value_name = "DIR", global = true)]
    pub data_dir: Option<PathBuf>,
    /// A fresh temporary store with the workshop sample, removed at the end
    #[arg(long, conflicts_with_all = ["data_dir", "at"])]
    pub demo: bool,
    /// Writes a log to this file
    #[arg(long, value_name = "FILE", global = true)]
    pub log: Option<PathBuf>,
    /// The present for this one command, such as 2026-12-01T12:00:00Z; a write stamps it
    #[arg(long, value_name = "INSTANT", global = true)]
    pub at: Option<String>,
    /// How results are printed
    #[arg(short, long, value_enum, default_value_t = Format::Table, global = true)]
    pub output: Format,
    /// A task without the screen; the explorer when there is none
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Aligned columns, for people
    Table,
    /// JSON, for programs
    Json,
    /// Tab-separated values with a heading
    Tsv,
}

/// The system that a database speaks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ApiArg {
    /// Azure Cosmos DB for NoSQL
    Nosql,
    /// Azure Cosmos DB for MongoDB
    Mongodb,
    /// RavenDB
    Ravendb,
}

/// A task without the screen.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Makes, lists and deletes databases
    #[command(subcommand)]
    Database(DatabaseCommand),
    /// Makes, lists, shows, changes and deletes containers and collections
    #[command(subcommand)]
    Container(ContainerCommand),
    /// Makes, replaces, shows, lists, deletes items and writes them again
    #[command(subcommand)]
    Item(ItemCommand),
    /// Runs a query over a NoSQL container, or RQL over a RavenDB database
    Query {
        #[command(flatten)]
        place: ItemPlace,
        /// The query, such as SELECT c.id, c.ttl FROM c WHERE c.ttl > 60, or from Users where Age > 30
        query: String,
    },
    /// Document Expiration of a RavenDB database
    #[command(subcommand)]
    Expiration(ExpirationCommand),
    /// The indexes of a MongoDB collection
    #[command(subcommand)]
    Index(IndexCommand),
    /// Why an item expires when it does: a stored one, or one that is only described
    Explain(ExplainArgs),
    /// The vendor's table: container setting by item ttl, each cell computed
    Matrix {
        /// The container's seconds
        #[arg(long, default_value_t = 1000)]
        default_ttl: u32,
        /// The item's own seconds
        #[arg(long, default_value_t = 2000)]
        ttl: u32,
    },
    /// What expires next
    Countdown {
        #[command(flatten)]
        scope: ScopeArgs,
        /// How many rows
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// Prints a line for each event as it happens, and deletes in the background meanwhile, until it is interrupted
        #[arg(long, conflicts_with = "at")]
        watch: bool,
    },
    /// Deletes what is expired now; a run at once over RavenDB databases whose expiration is on
    Sweep,
    /// The clock of the store: shows it, pauses it, lets it run faster, moves it on
    #[command(subcommand)]
    Clock(ClockCommand),
    /// Counts of databases and containers
    Stats {
        #[command(flatten)]
        scope: ScopeArgs,
    },
    /// Runs statements of the MongoDB shell
    Shell {
        /// The database that db stands for
        #[arg(short, long)]
        database: String,
        /// The statements
        #[arg(long, conflicts_with = "file")]
        eval: Option<String>,
        /// A file with the statements; - reads standard input
        file: Option<PathBuf>,
    },
    /// Reads documents from files: a JSON object, an array, a document a line (also .gz), CSV with a heading
    Import(ImportArgs),
    /// Writes items: all into a directory, a file a container; or one container into a file
    Export(ExportArgs),
    /// The workshop sample
    #[command(subcommand)]
    Sample(SampleCommand),
    /// Verifies the store: items, expiry index, counts. Exit status 1 when it finds anything
    Check {
        /// Rebuilds the expiry index and the counts from the items
        #[arg(long)]
        repair: bool,
    },
    /// Prints the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Prints the manual page
    Man,
}

/// Databases.
#[derive(Debug, Subcommand)]
pub enum DatabaseCommand {
    /// Makes a database
    Create {
        /// Its name
        #[arg(short, long)]
        name: String,
        /// The system that it speaks like
        #[arg(long, value_enum, default_value_t = ApiArg::Nosql)]
        api: ApiArg,
    },
    /// Lists the databases
    List,
    /// Deletes a database with its containers and their items
    Delete {
        /// Its name
        #[arg(short, long)]
        name: String,
        /// Without asking for the name
        #[arg(long)]
        yes: bool,
    },
}

/// Containers and collections.
#[derive(Debug, Subcommand)]
pub enum ContainerCommand {
    /// Makes a container (NoSQL) or a collection (MongoDB)
    Create {
        #[command(flatten)]
        place: ContainerName,
        /// A path of the partition key, such as /userId; up to three, one a level
        #[arg(short, long = "partition-key-path")]
        partition_key: Vec<String>,
        /// Time to live: off, -1 (on, no default), or seconds
        #[arg(long, default_value = "off", allow_hyphen_values = true)]
        ttl: String,
    },
    /// Lists the containers of a database
    List {
        /// The database
        #[arg(short, long)]
        database: String,
    },
    /// Shows a container and its settings
    Show {
        #[command(flatten)]
        place: ContainerName,
    },
    /// Changes the time to live of a container
    Update {
        #[command(flatten)]
        place: ContainerName,
        /// off, -1 (on, no default), or seconds
        #[arg(long, allow_hyphen_values = true)]
        ttl: String,
    },
    /// Deletes a container with its items
    Delete {
        #[command(flatten)]
        place: ContainerName,
        /// Without asking for the name
        #[arg(long)]
        yes: bool,
    },
}

/// A container by name.
#[derive(Debug, Group)]
pub struct ContainerName {
    /// The database
    #[arg(short, long)]
    pub database: String,
    /// The container or collection
    #[arg(short, long)]
    pub name: String,
}

/// Where items are.
#[derive(Debug, Group)]
pub struct ItemPlace {
    /// The database
    #[arg(short, long)]
    pub database: String,
    /// The container or collection; of a RavenDB database it may be left out
    #[arg(short, long)]
    pub container: Option<String>,
}

/// One item.
#[derive(Debug, Group)]
pub struct ItemName {
    #[command(flatten)]
    pub place: ItemPlace,
    /// Its id; of MongoDB a text, or a value in extended JSON
    #[arg(short, long)]
    pub id: String,
    /// The value of its partition key, one a level: a text, or JSON for other types
    #[arg(short = 'k', long)]
    pub partition_key: Vec<String>,
}

/// Items.
#[derive(Debug, Subcommand)]
pub enum ItemCommand {
    /// Makes an item
    Create {
        #[command(flatten)]
        place: ItemPlace,
        /// The document: JSON, a file, or - for standard input
        document: String,
    },
    /// Makes an item, or replaces the one that is there
    Upsert {
        #[command(flatten)]
        place: ItemPlace,
        /// The document: JSON, a file, or - for standard input
        document: String,
    },
    /// Replaces an item that is there
    Replace {
        #[command(flatten)]
        place: ItemPlace,
        /// The document: JSON, a file, or - for standard input
        document: String,
    },
    /// Prints an item as a client reads it
    Show {
        #[command(flatten)]
        item: ItemName,
        /// Also when it is expired and not deleted yet
        #[arg(long)]
        hidden: bool,
    },
    /// Lists items
    List {
        #[command(flatten)]
        place: ItemPlace,
        /// Only those that expire within this time, such as 1h
        #[arg(long, value_name = "DURATION")]
        expiring_within: Option<String>,
        /// Only those that match: of NoSQL what follows SELECT * FROM c, of MongoDB a find filter, of RavenDB what
        /// follows from and the collection
        #[arg(long = "where", value_name = "FILTER")]
        filter: Option<String>,
        /// How many
        #[arg(long, default_value_t = 1000)]
        limit: usize,
    },
    /// Deletes an item, or with a filter several
    Delete {
        #[command(flatten)]
        place: ItemPlace,
        /// Its id
        #[arg(short, long, required_unless_present_any = ["all", "filter"])]
        id: Option<String>,
        /// The value of its partition key, one a level
        #[arg(short = 'k', long)]
        partition_key: Vec<String>,
        /// All items
        #[arg(long, conflicts_with_all = ["id", "filter"])]
        all: bool,
        /// Those that match: of NoSQL what follows SELECT * FROM c, of MongoDB a find filter, of RavenDB what
        /// follows from and the collection
        #[arg(long = "where", value_name = "FILTER", conflicts_with = "id")]
        filter: Option<String>,
        /// Without asking for the name of the container
        #[arg(long)]
        yes: bool,
    },
    /// Writes an item again, unchanged: the clock of a ttl restarts
    Touch {
        #[command(flatten)]
        item: ItemName,
    },
}

/// Document Expiration.
#[derive(Debug, Subcommand)]
pub enum ExpirationCommand {
    /// Shows the configuration and what the runs do
    Show {
        /// The RavenDB database
        #[arg(short, long)]
        database: String,
    },
    /// Saves a configuration: as the JSON of the client API, or by its parts
    Set {
        /// The RavenDB database
        #[arg(short, long)]
        database: String,
        /// The whole configuration, such as {"Disabled": false, "DeleteFrequencyInSec": 60}
        #[arg(long, conflicts_with_all = ["disable", "frequency", "max_items"])]
        json: Option<String>,
        /// Expiration is off
        #[arg(long)]
        disable: bool,
        /// Seconds between two runs
        #[arg(long, allow_hyphen_values = true)]
        frequency: Option<i64>,
        /// How many documents one run deletes at most
        #[arg(long, allow_hyphen_values = true)]
        max_items: Option<i64>,
    },
}

/// Indexes.
#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Lists the indexes of a collection
    List {
        #[command(flatten)]
        place: ContainerName,
    },
    /// Makes an index; with seconds the TTL index
    Create {
        #[command(flatten)]
        place: ContainerName,
        /// Fields and directions
        #[arg(long, default_value = "{\"_ts\": 1}")]
        key: String,
        /// Seconds after the last write, or -1 (on, no default)
        #[arg(long, allow_hyphen_values = true)]
        expire_after_seconds: Option<i64>,
    },
    /// Drops an index
    Drop {
        #[command(flatten)]
        place: ContainerName,
        /// The name of the index; * for all but that on _id
        #[arg(long, default_value = "_ts_1")]
        index: String,
    },
}

/// An item to explain.
#[derive(Debug, Group)]
pub struct ExplainArgs {
    /// The database of a stored item
    #[arg(short, long, requires = "id")]
    pub database: Option<String>,
    /// Its container or collection
    #[arg(short, long)]
    pub container: Option<String>,
    /// Its id
    #[arg(short, long, requires = "database")]
    pub id: Option<String>,
    /// The value of its partition key, one a level
    #[arg(short = 'k', long)]
    pub partition_key: Vec<String>,
    /// Of an item that is only described, the container's setting: off, -1, or seconds
    #[arg(long, allow_hyphen_values = true, conflicts_with = "database")]
    pub default_ttl: Option<String>,
    /// Its own ttl as JSON; none when it is left out
    #[arg(long, allow_hyphen_values = true, conflicts_with = "database")]
    pub ttl: Option<String>,
    /// When it was written last: seconds since 1970, or an instant; now when it is left out
    #[arg(long, allow_hyphen_values = true, conflicts_with = "database")]
    pub ts: Option<String>,
}

/// A container, a database, everything.
#[derive(Debug, Group)]
pub struct ScopeArgs {
    /// Only this database
    #[arg(short, long)]
    pub database: Option<String>,
    /// Only this container or collection
    #[arg(short, long, requires = "database")]
    pub container: Option<String>,
}

/// What becomes of a document that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// The import ends; what came before it is stored
    Stop,
    /// It goes on
    Skip,
}

impl From<OnError> for transfer::OnError {
    fn from(typed: OnError) -> Self {
        match typed {
            OnError::Stop => transfer::OnError::Stop,
            OnError::Skip => transfer::OnError::Skip,
        }
    }
}

/// An import.
#[derive(Debug, Group)]
pub struct ImportArgs {
    #[command(flatten)]
    pub place: ItemPlace,
    /// The files; - reads standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Seconds of time to live for documents without a ttl; of RavenDB an @expires from now on
    #[arg(long)]
    pub ttl: Option<u32>,
    /// The field that becomes the id
    #[arg(long, value_name = "FIELD")]
    pub id_field: Option<String>,
    /// Replaces items that are there
    #[arg(long)]
    pub upsert: bool,
    /// What becomes of a document that is refused
    #[arg(long, value_enum, default_value_t = OnError::Skip)]
    pub on_error: OnError,
    /// Keeps the documents' own _ts (of RavenDB @last-modified) instead of now
    #[arg(long)]
    pub keep_ts: bool,
    /// Where refused documents are written with line and reason; by default beside the input, with .refused.jsonl
    #[arg(long, value_name = "FILE")]
    pub refused: Option<PathBuf>,
}

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A document a line
    Jsonl,
    /// One JSON array
    Json,
    /// CSV with a heading: the fields at the root
    Csv,
}

impl From<ExportFormat> for transfer::Format {
    fn from(typed: ExportFormat) -> Self {
        match typed {
            ExportFormat::Jsonl => transfer::Format::Jsonl,
            ExportFormat::Json => transfer::Format::Json,
            ExportFormat::Csv => transfer::Format::Csv,
        }
    }
}

/// An export.
#[derive(Debug, Group)]
pub struct ExportArgs {
    /// The database of one container
    #[arg(short, long, requires = "container")]
    pub database: Option<String>,
    /// The container or collection
    #[arg(short, long, requires = "database")]
    pub container: Option<String>,
    /// The file (.gz compresses, - is standard output); without -d and -c a directory, which must be new or empty
    pub target: PathBuf,
    /// The form
    #[arg(long, value_enum, default_value_t = ExportFormat::Jsonl)]
    pub format: ExportFormat,
    /// With what the system adds: _ts and _etag, or @last-modified and @change-vector
    #[arg(long)]
    pub with_system: bool,
}

/// The sample.
#[derive(Debug, Subcommand)]
pub enum SampleCommand {
    /// Loads it: three databases, one of each system
    Load,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_demo_has_no_directory_of_its_own() {
        assert!(Args::try_parse_from(["ttl-explorer", "--demo", "--data-dir", "x"]).is_err());
    }
}

/// What is done to the clock.
#[derive(Clone, Debug, Subcommand)]
pub enum ClockCommand {
    /// What it shows, and how it runs
    Show,
    /// It stands still
    Pause,
    /// It goes on
    Run {
        /// How many seconds it shows in one: 1, 60, 0.5
        #[arg(long, value_name = "RATE")]
        rate: Option<String>,
    },
    /// Moves it on. It says first how many items are deleted then, and asks
    Jump {
        /// +30d, 2027-01-01, 2027-01-01T12:00:00Z, or next: the next expiry
        to: String,
        /// Without a question
        #[arg(long)]
        yes: bool,
    },
    /// Back to the real time. It says first what that does, and asks where items are deleted
    Real {
        /// Without a question
        #[arg(long)]
        yes: bool,
    },
}
