//! Every task from the command line, as a script sees it: what is printed, what is refused, the exit status.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Account(TempDir);

fn account() -> Account {
    Account(tempfile::tempdir().unwrap())
}

/// An account with a container `db/c` by `/pk`, On with a hundred seconds.
fn with_container() -> Account {
    let account = account();
    account.ok(&["database", "create", "-n", "db"]);
    account.ok(&["container", "create", "-d", "db", "-n", "c", "-p", "/pk", "--ttl", "100"]);
    account
}

impl Account {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ttl-explorer"));
        command.arg("--data-dir").arg(self.0.path().join("store")).args(args).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Standard output of a command that goes well.
    fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let printed = self.ok(&[&["-o", "json"], args].concat());
        serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{args:?}: {error}: {printed}"))
    }

    /// Standard error of a command that is refused with this status; nothing is on standard output.
    fn refused(&self, status: i32, args: &[&str]) -> String {
        let output = self.run(args);
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}: {words}");
        words
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }
}

#[test]
fn databases_and_containers() {
    let account = account();
    for (name, api) in [("a", "nosql"), ("m", "mongodb"), ("r", "ravendb")] {
        account.ok(&["database", "create", "-n", name, "--api", api]);
    }
    let listed = account.json(&["database", "list"]);
    assert_eq!(listed[1], json!({"database": "m", "api": "mongodb", "containers": 0, "items": 0}));
    account.ok(&["container", "create", "-d", "a", "-n", "c", "-p", "/t", "-p", "/u", "--ttl", "-1"]);
    account.ok(&["container", "create", "-d", "m", "-n", "coll", "--ttl", "10"]);
    let shown = account.json(&["container", "show", "-d", "a", "-n", "c"]);
    assert_eq!((&shown["defaultTtl"], &shown["partitionKey"]), (&json!(-1), &json!(["/t", "/u"])));
    account.ok(&["container", "update", "-d", "a", "-n", "c", "--ttl", "off"]);
    assert_eq!(account.json(&["container", "show", "-d", "a", "-n", "c"])["defaultTtl"], json!("off"));
    assert_eq!(
        account.ok(&["-o", "tsv", "container", "list", "-d", "m"]),
        "container\tdefaultTtl\titems\thidden\ncoll\t10\t0\t0\n"
    );
    account.ok(&["container", "delete", "-d", "a", "-n", "c", "--yes"]);
    account.ok(&["database", "delete", "-n", "m", "--yes"]);
    assert_eq!(account.json(&["database", "list"]).as_array().unwrap().len(), 2);
}

#[rstest]
#[case(&["database", "create", "-n", "a/b"], 1, "contains `/`")]
#[case(&["database", "create", "-n", "db"], 1, "exists already")]
#[case(&["database", "create"], 2, "--name")]
#[case(&["database", "delete", "-n", "none", "--yes"], 1, "There is no database none")]
#[case(&["database", "delete", "-n", "db"], 1, "--yes")]
#[case(&["container", "create", "-d", "db", "-n", "x"], 1, "partition key")]
#[case(&["container", "create", "-d", "db", "-n", "x", "-p", "/a", "--ttl", "0"], 1, "0")]
#[case(&["container", "create", "-d", "db", "-n", "x", "-p", "/a", "--ttl", "soon"], 1, "`soon` is no time to live")]
#[case(&["container", "show", "-d", "db", "-n", "none"], 1, "There is c")]
#[case(&["container", "update", "-d", "db", "-n", "c", "--ttl", "-2"], 1, "-2")]
#[case(&["container", "delete", "-d", "db", "-n", "c"], 1, "--yes")]
#[case(&["item", "create", "-d", "db", "-c", "c", "{\"ttl\": null}"], 1, "The input ttl 'null' is invalid")]
#[case(&["item", "create", "-d", "db", "-c", "c", "{"], 1, "JSON is not valid")]
#[case(&["item", "create", "-d", "db", "-c", "c", "no-such-file.json"], 1, "no-such-file.json")]
#[case(&["item", "replace", "-d", "db", "-c", "c", "{\"id\": \"x\", \"pk\": 1}"], 1, "There is no item x")]
#[case(&["item", "show", "-d", "db", "-c", "c", "-i", "x", "-k", "1"], 1, "There is no item x")]
#[case(&["item", "show", "-d", "db", "-c", "c", "-i", "x"], 2, "1 value(s)")]
#[case(&["item", "list", "-d", "db"], 2, "name the container")]
#[case(&["item", "list", "-d", "db", "-c", "c", "--expiring-within", "soon"], 2, "`soon` is no duration")]
#[case(&["item", "list", "-d", "db", "-c", "c", "--where", "WHERE c.n = = 1"], 1, "line 1, column 13: ")]
#[case(&["query", "-d", "db", "-c", "c", "SELECT * FROM c LIMIT 1"], 1, "line 1, column 17: ")]
#[case(&["item", "create", "-d", "db", "-c", "c", "{\"id\": \"x\",\n\"ttl\": 0}"], 1, "line 2, column 8: ")]
#[case(&["item", "delete", "-d", "db", "-c", "c"], 2, "--id")]
#[case(&["item", "delete", "-d", "db", "-c", "c", "--all"], 1, "--yes")]
#[case(&["item", "touch", "-d", "db", "-c", "c", "-i", "x", "-k", "1"], 1, "There is no item x")]
#[case(&["expiration", "show", "-d", "db"], 1, "NoSQL database")]
#[case(&["index", "list", "-d", "db", "-n", "none"], 1, "There is no container none")]
#[case(&["index", "create", "-d", "db", "-n", "c"], 1, "collections of MongoDB")]
#[case(&["explain", "--ttl", "0", "--ts", "5"], 1, "The input ttl '0' is invalid")]
#[case(&["explain", "-d", "db", "-c", "c", "-i", "x", "-k", "1"], 1, "There is no item x")]
#[case(&["countdown", "-d", "none"], 1, "There is no database none")]
#[case(&["stats", "-c", "c"], 2, "--database")]
#[case(&["shell", "-d", "db", "--eval", "db.c.find()"], 1, "NoSQL database")]
#[case(&["import", "-d", "db", "-c", "c", "no-such-file.json"], 1, "no-such-file.json")]
#[case(&["import", "-d", "db", "-c", "c"], 2, "FILES")]
#[case(&["export", "-d", "db", "-c", "none", "-"], 1, "There is no container none")]
#[case(&["completions", "brainfuck"], 2, "invalid value")]
#[case(&["--at", "soon", "stats"], 2, "`soon` is no instant")]
#[case(&["--at", "2026-01-01"], 2, "name one")]
#[case(&["fly"], 2, "unrecognized")]
fn a_bad_input_says_what_and_what_instead(#[case] args: &[&str], #[case] status: i32, #[case] words: &str) {
    let account = with_container();
    let said = account.refused(status, args);
    assert!(said.contains(words), "{args:?}: {said}");
}

#[test]
fn an_item_lives_and_goes_by_the_instant_that_is_asked_for() {
    let account = with_container();
    let at = |secs: u32| format!("2030-01-01T00:{:02}:{:02}Z", secs / 60, secs % 60);
    let place = ["-d", "db", "-c", "c"];
    let said =
        account.ok(&[&["--at", &at(0), "item", "create"], &place[..], &["{\"id\": \"a\", \"pk\": \"p\"}"]].concat());
    assert_eq!(said, "a created: expires at 00:01:40: the container's 100 s after the last write 00:00:00.\n");
    let show = |secs: u32| {
        account.run(&[&["--at", &at(secs), "item", "show"], &place[..], &["-i", "a", "-k", "p"]].concat()).status.code()
    };
    assert_eq!((show(99), show(100)), (Some(0), Some(1)));
    let rows = account.json(&[&["--at", &at(30), "item", "list"], &place[..]].concat());
    assert_eq!(
        rows[0],
        json!({"id": "a", "partitionKey": ["p"], "ttl": null, "written": at(0), "expiresAt": at(100), "secondsLeft": 70})
    );
    assert_eq!(
        account.json(&[&["--at", &at(30), "item", "list"], &place[..], &["--expiring-within", "1m"]].concat()),
        json!([])
    );
    account.ok(&[&["--at", &at(50), "item", "touch"], &place[..], &["-i", "a", "-k", "p"]].concat());
    assert_eq!((show(149), show(150)), (Some(0), Some(1)));
    // Time never runs backwards in a store.
    let said = account
        .refused(1, &[&["--at", &at(49), "item", "upsert"], &place[..], &["{\"id\": \"b\", \"pk\": \"p\"}"]].concat());
    assert!(said.contains("lies before the newest write"), "{said}");
    // A plain command works in real time, and says that the store is ahead.
    let output = account.run(&["stats"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("the newest write of this store lies ahead"));
    let stats = account.json(&["--at", &at(200), "stats"]);
    assert_eq!((&stats["stored"], &stats["visible"], &stats["hidden"]), (&json!(1), &json!(0), &json!(1)));
    let hidden =
        account.ok(&[&["--at", &at(200), "item", "show", "--hidden"], &place[..], &["-i", "a", "-k", "p"]].concat());
    assert!(hidden.contains("\"_ts\""));
    assert_eq!(account.json(&["--at", &at(200), "sweep"]), json!([{"container": "db/c", "deleted": 1}]));
    assert_eq!(account.ok(&["--at", &at(200), "sweep"]), "Nothing is expired.\n");
}

#[test]
fn items_are_made_replaced_and_deleted() {
    let account = with_container();
    let place = ["-d", "db", "-c", "c"];
    let file = account.file("item.json", "{\"id\": \"f\", \"pk\": 1, \"ttl\": 10}");
    assert!(account.ok(&[&["item", "create"], &place[..], &[&file]].concat()).starts_with("f created: expires at"));
    let mut child = account
        .command(&[&["item", "upsert"], &place[..], &["-"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{\"id\": \"f\", \"pk\": 1, \"n\": 2}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("f replaced"), "{output:?}");
    let shown = account.ok(&[&["item", "show"], &place[..], &["-i", "f", "-k", "1"]].concat());
    assert!(shown.contains("\"n\": 2") && !shown.contains("\"ttl\""), "{shown}");
    account.ok(&[&["item", "replace"], &place[..], &["{\"id\": \"f\", \"pk\": 1}"]].concat());
    account.ok(&[&["item", "delete"], &place[..], &["-i", "f", "-k", "1"]].concat());
    account.ok(&[&["item", "create"], &place[..], &["{\"id\": \"g\"}"]].concat());
    assert_eq!(account.json(&[&["item", "delete"], &place[..], &["--all", "--yes"]].concat()), json!({"deleted": 1}));
}

#[test]
fn items_are_queried_and_deleted_by_a_filter() {
    let account = with_container();
    for n in 1..=5 {
        let item = json!({ "id": format!("i-{n}"), "pk": "p", "n": n });
        account.ok(&["item", "create", "-d", "db", "-c", "c", &item.to_string()]);
    }
    let query = |text: &str| account.json(&["query", "-d", "db", "-c", "c", text]);
    assert_eq!(query("SELECT c.id, c.n FROM c WHERE c.n > 3 ORDER BY c.n DESC")[0], json!({ "id": "i-5", "n": 5 }));
    assert_eq!(query("SELECT VALUE SUM(c.n) FROM c"), json!([15]));
    let printed = account.ok(&["query", "-d", "db", "-c", "c", "SELECT c.id, c.n, c.x FROM c WHERE c.n < 3"]);
    assert_eq!(printed, "id   n\ni-1  1\ni-2  2\n");
    let printed = account.ok(&["query", "-d", "db", "-c", "c", "SELECT VALUE c.id FROM c WHERE c.n = 1"]);
    assert_eq!(printed, "value\ni-1\n");
    let deleted = account.json(&["item", "delete", "-d", "db", "-c", "c", "--where", "WHERE c.n <= 2", "--yes"]);
    assert_eq!(deleted, json!({ "deleted": 2 }));
    assert_eq!(query("SELECT VALUE c.n FROM c ORDER BY c.n"), json!([3, 4, 5]));
    assert_eq!(account.json(&["item", "list", "-d", "db", "-c", "c", "--where", "WHERE c.n = 4"])[0]["id"], "i-4");
}

#[test]
fn documents_of_ravendb_are_queried_and_deleted_by_a_filter() {
    let account = account();
    account.ok(&["database", "create", "-n", "r", "--api", "ravendb"]);
    for n in 1..=4 {
        let user = json!({ "Name": format!("user {n}"), "Age": n * 10, "@metadata": { "@collection": "Users" } });
        account.ok(&["item", "create", "-d", "r", &user.to_string()]);
    }
    let query = |text: &str| account.json(&["query", "-d", "r", text]);
    let rows = query("from Users where Age > 20 order by Age as long desc select Name, Age");
    assert_eq!(rows, json!([{ "Name": "user 4", "Age": 40 }, { "Name": "user 3", "Age": 30 }]));
    let listed = account.json(&["item", "list", "-d", "r", "-c", "Users", "--where", "where Age = 10"]);
    assert_eq!(listed[0]["id"], "users/1-A");
    let deleted = account.json(&["item", "delete", "-d", "r", "--where", "where Age in (10, 20)", "--yes"]);
    assert_eq!(deleted, json!({ "deleted": 2 }));
    assert_eq!(query("from @all_docs").as_array().unwrap().len(), 2);
    assert!(account.refused(1, &["query", "-d", "r", "SELECT * FROM c"]).contains("expected `from`"));
    let refused = account.refused(1, &["item", "delete", "-d", "r", "--where", "where Age >", "--yes"]);
    assert!(refused.contains("line 1, column 12: expected a value"), "{refused}");
}

#[test]
fn the_matrix_is_the_vendors_table() {
    let cells = account().json(&["matrix"]);
    let expected = [
        ("off", Value::Null, Value::Null),
        ("off", json!(-1), Value::Null),
        ("off", json!(2000), Value::Null),
        ("-1", Value::Null, Value::Null),
        ("-1", json!(-1), Value::Null),
        ("-1", json!(2000), json!(2000)),
        ("1000", Value::Null, json!(1000)),
        ("1000", json!(-1), Value::Null),
        ("1000", json!(2000), json!(2000)),
    ];
    for (cell, (default, ttl, after)) in cells.as_array().unwrap().iter().zip(expected) {
        let default: Value = default.parse::<i64>().map_or_else(|_| json!(default), Value::from);
        assert_eq!(*cell, json!({"defaultTtl": default, "ttl": ttl, "secondsAfterWrite": after}));
    }
    let table = account().ok(&["matrix"]);
    assert!(table.contains("_ts + 2000 s") && table.lines().count() == 4, "{table}");
}

#[rstest]
#[case(&["--default-ttl", "-1", "--ttl", "2000", "--ts", "0"], "its own ttl 2000 s")]
#[case(&["--default-ttl", "1000", "--ts", "2029-12-31T23:59:00Z"], "expires at 00:15:40: the container's 1000 s")]
#[case(&["--ttl", "5"], "never: ttl 5 is ignored, Time to Live is Off")]
fn an_item_that_is_only_described_is_explained(#[case] args: &[&str], #[case] words: &str) {
    let said = account().ok(&[&["--at", "2030-01-01T00:00:00Z", "explain"], args].concat());
    assert!(said.contains(words), "{said}");
}

#[test]
fn ravendb_from_the_command_line() {
    let account = account();
    account.ok(&["database", "create", "-n", "shop", "--api", "ravendb"]);
    let document = r#"{"@metadata": {"@id": "users/1-A", "@collection": "Users", "@expires": "2030-01-01T00:00:10Z"}}"#;
    account.ok(&["--at", "2030-01-01", "item", "create", "-d", "shop", document]);
    let explained = account.ok(&["--at", "2030-01-01T00:00:20Z", "explain", "-d", "shop", "-i", "USERS/1-a"]);
    assert!(explained.contains("expiration is off for this database"), "{explained}");
    assert!(
        account
            .ok(&["--at", "2030-01-01T00:00:20Z", "item", "show", "-d", "shop", "-c", "users", "-i", "users/1-A"])
            .contains("@change-vector")
    );
    assert_eq!(account.ok(&["--at", "2030-01-01T00:00:20Z", "sweep"]), "Nothing is expired.\n");
    let said = account.refused(1, &["expiration", "set", "-d", "shop", "--frequency", "0"]);
    assert!(said.contains("must be greater than 0"), "{said}");
    account.ok(&["expiration", "set", "-d", "shop", "--json", "{\"DeleteFrequencyInSec\": \"30\"}"]);
    let shown = account.json(&["--at", "2030-01-01T00:00:20Z", "expiration", "show", "-d", "shop"]);
    assert_eq!(
        shown,
        json!({"database": "shop", "Disabled": false, "DeleteFrequencyInSec": 30, "MaxItemsToProcess": null, "tracked": 1, "waiting": 1})
    );
    assert_eq!(account.json(&["--at", "2030-01-01T00:00:20Z", "sweep"]), json!([{"container": "shop", "deleted": 1}]));
}

#[test]
fn mongodb_from_the_command_line() {
    let account = account();
    account.ok(&["database", "create", "-n", "m", "--api", "mongodb"]);
    let printed = account.ok(&[
        "shell",
        "-d",
        "m",
        "--eval",
        "db.coll.insertMany([{_id: 1, a: 1}, {_id: 'x', a: 2}]); db.coll.countDocuments({})",
    ]);
    assert!(printed.trim_end().ends_with('2'), "{printed}");
    account.ok(&["index", "create", "-d", "m", "-n", "coll", "--expire-after-seconds", "50"]);
    let listed = account.json(&["index", "list", "-d", "m", "-n", "coll"]);
    assert_eq!(listed[1], json!({"name": "_ts_1", "key": "{ \"_ts\": 1 }", "expireAfterSeconds": 50}));
    assert!(
        account
            .refused(1, &["index", "create", "-d", "m", "-n", "coll", "--expire-after-seconds", "60"])
            .contains("code 85")
    );
    account.ok(&["index", "drop", "-d", "m", "-n", "coll"]);
    assert_eq!(
        account.json(&["item", "list", "-d", "m", "-c", "coll", "--where", "{\"a\": {\"$gt\": 1}}"])[0]["id"],
        json!("x")
    );
    assert!(account.ok(&["item", "show", "-d", "m", "-c", "coll", "-i", "1"]).contains("\"_id\": 1"));
    assert_eq!(
        account.json(&["item", "delete", "-d", "m", "-c", "coll", "--where", "{\"a\": 1}", "--yes"]),
        json!({"deleted": 1})
    );
    let said = account.refused(1, &["shell", "-d", "m", "--eval", "db.coll.find({"]);
    assert!(said.contains("SyntaxError: line 1"), "{said}");
    let script = account.file("script.js", "db.coll.drop()\n");
    assert_eq!(account.ok(&["shell", "-d", "m", &script]), "true\n");
}

#[test]
fn the_sample_the_countdown_and_the_man_page() {
    let account = account();
    account.ok(&["--at", "2030-01-01", "sample", "load"]);
    let next = account.json(&["--at", "2030-01-01T00:00:01Z", "countdown", "--limit", "3"]);
    assert_eq!(next.as_array().unwrap().len(), 3);
    assert!(next[0]["secondsLeft"].as_i64().unwrap() >= 1 && next[0]["why"].as_str().unwrap().contains("expires at"));
    assert_eq!(account.ok(&["--at", "2030-01-01T00:00:01Z", "countdown", "-d", "workshop"]).lines().count(), 21);
    assert!(account.ok(&["man"]).contains("ttl-explorer"));
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(account.ok(&["completions", shell]).contains("countdown"), "{shell}");
    }
    assert_eq!(account.ok(&["check"]), "The store is sound.\n");
}

#[test]
fn a_store_that_is_open_says_by_whom_and_how_to_go_on() {
    let account = with_container();
    let store = account.path("store");
    let mut pty = support::pty::Pty::start(&["--data-dir", &store], 100, 30);
    pty.wait_for("db");
    let said = account.refused(1, &["stats"]);
    assert!(said.contains("is in use by another process (") && said.contains("hint:"), "{said}");
    pty.keys("q");
    assert!(pty.wait_exit().success());
    account.ok(&["stats"]);
}

#[cfg(unix)]
#[test]
fn a_watch_tells_each_event_until_it_is_interrupted() {
    let account = with_container();
    account.ok(&["item", "create", "-d", "db", "-c", "c", "{\"id\": \"a\", \"pk\": 1, \"ttl\": 2}"]);
    let mut child = account.command(&["-o", "json", "countdown", "--watch"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    // The first line is the expiration; the limit is that of the item's own life.
    let line: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!((&line["event"], &line["container"], &line["count"]), (&json!("expired"), &json!("db/c"), &json!(1)));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    account.ok(&["stats"]);
}

#[test]
fn a_pipe_that_closes_ends_quietly() {
    let account = account();
    account.ok(&["--at", "2030-01-01", "sample", "load"]);
    let mut child = account
        .command(&["export", "-d", "workshop", "-c", "orders", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
}

#[rstest]
#[case("a.json", "{\"id\": \"1\", \"pk\": 1}")]
#[case("a.json", "[{\"id\": \"1\", \"pk\": 1}]")]
#[case("a.jsonl", "{\"id\": \"1\", \"pk\": 1}\n")]
#[case("a.csv", "id,pk\n1,1\n")]
fn documents_are_imported_in_every_form(#[case] name: &str, #[case] text: &str) {
    let account = with_container();
    let file = account.file(name, text);
    let said = account.json(&["import", "-d", "db", "-c", "c", &file, "--id-field", "id"]);
    assert_eq!((&said["created"], &said["errors"]), (&json!(1), &json!(0)));
    assert_eq!(account.json(&["item", "list", "-d", "db", "-c", "c"])[0]["id"], json!("1"));
}

#[test]
fn what_is_refused_is_written_down_with_line_and_reason() {
    let account = with_container();
    let file = account.file("in.jsonl", "{\"id\": \"a\", \"pk\": 1}\n{\"id\": \"b\", \"ttl\": 0}\nnot json\n{\"id\": \"a\", \"pk\": 1}\n{\"id\": \"c\"}\n");
    let output = account.run(&["import", "-d", "db", "-c", "c", &file]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("2 created, 0 replaced, 3 errors; what was refused is in"), "{said}");
    let refused = std::fs::read_to_string(format!("{file}.refused.jsonl")).unwrap();
    let lines: Vec<Value> = refused.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["line"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 3, 4]);
    assert!(lines[0]["reason"].as_str().unwrap().contains("The input ttl '0' is invalid"));
    // The first refusal may end it: what came before is stored, nothing behind it.
    let account = with_container();
    let file = account.file("in.jsonl", "{\"id\": \"a\", \"pk\": 1}\n{\"id\": \"b\", \"ttl\": 0}\n{\"id\": \"c\"}\n");
    let output = account.run(&["import", "-d", "db", "-c", "c", &file, "--on-error", "stop"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("1 created, 0 replaced, 1 error"), "{output:?}");
}

#[test]
fn an_import_sets_a_ttl_keeps_instants_and_replaces() {
    let account = with_container();
    let file = account
        .file("in.jsonl", "{\"id\": \"a\", \"pk\": 1, \"_ts\": 1900000000}\n{\"id\": \"b\", \"pk\": 1, \"ttl\": 7}\n");
    account.ok(&["--at", "2030-06-01", "import", "-d", "db", "-c", "c", &file, "--ttl", "50", "--keep-ts"]);
    let rows = account.json(&["--at", "2030-03-17T17:47:00Z", "item", "list", "-d", "db", "-c", "c"]);
    let a = rows.as_array().unwrap().iter().find(|row| row["id"] == "a").unwrap();
    assert_eq!((&a["written"], &a["ttl"]), (&json!("2030-03-17T17:46:40Z"), &json!(50)));
    let said = account.json(&["--at", "2030-06-01", "import", "-d", "db", "-c", "c", &file, "--upsert"]);
    assert_eq!((&said["created"], &said["replaced"]), (&json!(1), &json!(1)), "the first one had expired");
}

#[test]
fn exports_can_be_imported_again() {
    let account = account();
    account.ok(&["--at", "2030-01-01", "sample", "load"]);
    account.ok(&["--at", "2030-01-01", "container", "create", "-d", "workshop", "-n", "copy", "-p", "/customerId"]);
    for name in ["orders.jsonl", "orders.json", "orders.jsonl.gz", "orders.csv"] {
        let format = if name.contains("csv") {
            "csv"
        } else if name.ends_with("json") {
            "json"
        } else {
            "jsonl"
        };
        let file = account.path(name);
        account.ok(&["--at", "2030-01-01", "export", "-d", "workshop", "-c", "orders", &file, "--format", format]);
        let said = account.json(&["--at", "2030-01-01", "import", "-d", "workshop", "-c", "copy", &file, "--upsert"]);
        assert_eq!(
            (&said["errors"], said["created"].as_u64().unwrap() + said["replaced"].as_u64().unwrap()),
            (&json!(0), 16),
            "{name}"
        );
    }
    let whole = account.ok(&["--at", "2030-01-01", "export", "-d", "shop", "-c", "Carts", "-", "--with-system"]);
    assert!(whole.contains("@change-vector") && whole.lines().count() == 5, "{whole}");
    let mongo = account.ok(&["--at", "2030-01-01", "export", "-d", "globaldb", "-c", "tickets", "-"]);
    assert!(mongo.contains("{\"$numberDecimal\": \"19.90\"}"), "{mongo}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 12, ..ProptestConfig::default() })]
    /// Every byte of a document comes back: numbers as they were typed, escapes, order.
    #[test]
    fn the_bytes_of_documents_survive_export_and_import(
        numbers in prop::collection::vec("-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?", 1..6), text in any::<String>(),
    ) {
        let account = with_container();
        let members: Vec<String> = numbers.iter().enumerate().map(|(n, number)| format!("\"n{n}\": {number}")).collect();
        let document = format!("{{\"z\": {}, {}, \"id\": \"x\", \"pk\": 1}}", Value::from(text), members.join(", "));
        let file = account.file("in.jsonl", format!("{document}\n"));
        account.ok(&["import", "-d", "db", "-c", "c", &file]);
        let out = account.path("out.jsonl");
        account.ok(&["export", "-d", "db", "-c", "c", &out]);
        prop_assert_eq!(std::fs::read_to_string(Path::new(&out)).unwrap(), format!("{document}\n"));
    }
}

#[test]
fn the_clock_of_a_store_is_moved_and_followed() {
    let account = with_container();
    account.ok(&["item", "create", "-d", "db", "-c", "c", "{\"id\": \"x\", \"pk\": \"p\"}"]);
    let shown = account.json(&["clock", "show"]);
    assert_eq!((&shown["moved"], &shown["rate"], &shown["paused"]), (&json!(false), &json!("×1"), &json!(false)));
    let words = account.refused(1, &["clock", "jump", "+1d"]);
    assert!(words.contains("1 item") && words.contains("--yes"), "{words}");
    assert_eq!(account.json(&["clock", "show"])["moved"], json!(false));
    account.ok(&["clock", "jump", "+1d", "--yes"]);
    account.ok(&["clock", "pause"]);
    let shown = account.json(&["clock", "show"]);
    assert_eq!((&shown["moved"], &shown["paused"]), (&json!(true), &json!(true)));
    assert_eq!(account.json(&["clock", "show"])["now"], shown["now"], "it stands still");
    let output = account.run(&["-o", "json", "item", "list", "-d", "db", "-c", "c"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "[]", "what is expired by it is gone");
    assert!(String::from_utf8_lossy(&output.stderr).contains("the clock of this store was moved"));
    let run = account.json(&["clock", "run", "--rate", "60"]);
    assert_eq!((&run["rate"], &run["paused"]), (&json!("×60"), &json!(false)));
    let real = account.json(&["clock", "real"]);
    assert_eq!((&real["moved"], &real["rate"]), (&json!(false), &json!("×1")));
}

#[rstest]
#[case(&["clock", "jump", "tomorrow"], 2, "is no jump")]
#[case(&["clock", "jump", "next"], 1, "there is no next expiry")]
#[case(&["clock", "jump", "2020-01-01"], 1, "only goes forward")]
#[case(&["clock", "jump", "99999999 d"], 1, "year 9999")]
#[case(&["clock", "run", "--rate", "0"], 2, "is no rate")]
#[case(&["clock", "run", "--rate", "fast"], 2, "is no rate")]
#[case(&["--at", "2026-12-01", "clock", "show"], 2, "--at")]
#[case(&["clock"], 2, "Usage")]
fn a_clock_is_not_moved_by_what_cannot_be(#[case] args: &[&str], #[case] status: i32, #[case] words: &str) {
    let account = with_container();
    let said = account.refused(status, args);
    assert!(said.contains(words), "{said}");
    assert_eq!(account.json(&["clock", "show"])["moved"], json!(false));
}
