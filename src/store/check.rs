//! Verifying the invariants of the whole store, and rebuilding the index and the counts from the items.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use fjall::Readable;

use super::db::{DROPPED, stats_key};
use super::stats::Stats;
use super::{ContainerNo, Half, Header, Listed, Store, StoreError, StoredItem, keys};

/// Something that should not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A stored value that is no item.
    NoItem(ContainerNo, Vec<u8>),
    /// An item without the entry that its header implies.
    MissingEntry(ContainerNo, Vec<u8>),
    /// An entry without an item, or of another instant than the item's.
    StrayEntry(ContainerNo, Vec<u8>),
    /// Counts that are not what is stored: stored, counted.
    WrongCounts(ContainerNo, String, String),
    /// A watermark above an entry.
    HighWatermark(ContainerNo, Half),
    /// An item that its collection does not list as it is.
    NotListed(ContainerNo, Vec<u8>),
    /// A listing without its item.
    StrayListing(ContainerNo, Vec<u8>),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |key: &[u8]| String::from_utf8_lossy(key).escape_debug().to_string();
        match self {
            Finding::NoItem(no, key) => write!(f, "container {}: the value of {} is no item", no.0, shown(key)),
            Finding::MissingEntry(no, key) => {
                write!(f, "container {}: {} has no entry in the expiry index", no.0, shown(key))
            }
            Finding::StrayEntry(no, key) => {
                write!(f, "container {}: the expiry index has an entry of {} that no item implies", no.0, shown(key))
            }
            Finding::WrongCounts(no, stored, counted) => {
                write!(f, "container {}: the counts say {stored}, the items are {counted}", no.0)
            }
            Finding::HighWatermark(no, half) => {
                write!(f, "container {}: the {half:?} half has an entry below its watermark", no.0)
            }
            Finding::NotListed(no, key) => {
                write!(f, "container {}: {} is not listed in its collection", no.0, shown(key))
            }
            Finding::StrayListing(no, key) => {
                write!(f, "collection {}: {} is listed and is no item of it", no.0, shown(key))
            }
        }
    }
}

/// Findings beyond this many are not listed.
const MOST: usize = 1_000;

impl Store {
    /// Verifies that each item has exactly the entry that its header implies, that no entry is without its item, that
    /// counts equal what is stored, and that no entry stands below a watermark. `progress` is told how many items were
    /// looked at.
    ///
    /// # Errors
    /// The store cannot be read at all.
    pub fn check(&self, progress: &mut dyn FnMut(u64)) -> Result<Vec<Finding>, StoreError> {
        let snapshot = self.snapshot()?;
        let (db, view) = (snapshot.db(), snapshot.view());
        let dropped = dropped(view, db)?;
        let mut findings = Vec::new();
        let mut counted: BTreeMap<ContainerNo, Stats> = BTreeMap::new();
        let mut entries = BTreeMap::from([(Half::Inherit, 0u64), (Half::Own, 0)]);
        for (looked_at, guard) in view.iter(&db.items).enumerate() {
            let (key, value) = guard.into_inner()?;
            let Some((no, item)) = keys::of_item(&key) else {
                continue;
            };
            if dropped.contains(&no) {
                continue;
            }
            let Some(header) = Header::of(&value) else {
                findings.push(Finding::NoItem(no, item.to_vec()));
                continue;
            };
            counted.entry(no).or_default().add(header.expiry, header.ts);
            match header.listed {
                Listed::Nowhere => {}
                Listed::In { .. } => {
                    if let Some((collection, listing, shown)) = header.listing(no, StoredItem::body_of(&value)) {
                        let stored = view.get(&db.items, keys::item(collection, item))?;
                        if stored.is_none_or(|stored| *stored != *listing.with_body(shown)) {
                            findings.push(Finding::NotListed(no, item.to_vec()));
                        }
                    }
                }
                Listed::Of(container) => {
                    let stored = view.get(&db.items, keys::item(container, item))?;
                    let collection = stored.and_then(|value| Header::of(&value)).and_then(|header| header.collection());
                    if collection != Some(no) {
                        findings.push(Finding::StrayListing(no, item.to_vec()));
                    }
                }
            }
            if let Some((half, instant)) = header.entry() {
                if view.contains_key(db.half(half), keys::entry(no, instant, item))? {
                    entries.entry(half).and_modify(|n| *n += 1);
                } else {
                    findings.push(Finding::MissingEntry(no, item.to_vec()));
                }
            }
            if looked_at % 4_096 == 0 {
                progress(looked_at as u64);
            }
            if findings.len() >= MOST {
                return Ok(findings);
            }
        }
        for half in Half::BOTH {
            for guard in view.iter(db.half(half)) {
                let (key, value) = guard.into_inner()?;
                let Some((no, instant, item)) = keys::of_entry(&key) else {
                    continue;
                };
                if dropped.contains(&no) {
                    continue;
                }
                let stored = view.get(&db.items, keys::item(no, item))?;
                let header = stored.and_then(|value| Header::of(&value));
                let implied = header.and_then(|header| Some((header.entry()?, header.collection())));
                if implied != Some(((half, instant), keys::collection(&value))) {
                    findings.push(Finding::StrayEntry(no, item.to_vec()));
                }
                if instant < snapshot.stats(no)?.from(half) {
                    findings.push(Finding::HighWatermark(no, half));
                }
                if findings.len() >= MOST {
                    return Ok(findings);
                }
            }
        }
        for guard in view.prefix(&db.meta, b"s/") {
            let (key, value) = guard.into_inner()?;
            let Some((no, _)) = keys::of_item(&key[2..]) else {
                continue;
            };
            if dropped.contains(&no) {
                continue;
            }
            let real = counted.remove(&no).unwrap_or_default().counts;
            let stored = Stats::decode(&value).map(|stats| stats.counts);
            if stored != Some(real) {
                findings.push(Finding::WrongCounts(no, format!("{stored:?}"), format!("{real:?}")));
            }
        }
        findings.extend(
            counted
                .into_iter()
                .map(|(no, stats)| Finding::WrongCounts(no, "nothing".to_owned(), format!("{:?}", stats.counts))),
        );
        Ok(findings)
    }

    /// Rebuilds the index, the counts and the watermarks from the items. Items are not touched.
    ///
    /// # Errors
    /// The store cannot be read or written; what was rebuilt so far stays, and the next call starts anew.
    pub fn repair(&self) -> Result<(), StoreError> {
        let mut state = self.lock()?;
        let db = self.current()?;
        let mut rebuilt: BTreeMap<ContainerNo, Stats> = BTreeMap::new();
        let view = db.database.snapshot();
        for half in Half::BOTH {
            let all = view.iter(db.half(half)).map(|guard| Ok(guard.key()?));
            remove_all(&db, db.half(half), all)?;
        }
        // Listings are made anew from their items, like the index; first those go that no item stands for any more.
        let listings = view.iter(&db.items).filter_map(|guard| match guard.into_inner() {
            Ok((key, value)) => {
                Header::of(&value).filter(|header| matches!(header.listed, Listed::Of(_))).map(|_| Ok(key))
            }
            Err(error) => Some(Err(error.into())),
        });
        remove_all(&db, &db.items, listings)?;
        let mut batch = db.batch(1_024);
        for guard in view.iter(&db.items) {
            let (key, value) = guard.into_inner()?;
            let (Some((no, item)), Some(header)) = (keys::of_item(&key), Header::of(&value)) else {
                continue;
            };
            if matches!(header.listed, Listed::Of(_)) {
                continue;
            }
            let listing = header.listing(no, StoredItem::body_of(&value));
            if let Some((collection, listing, shown)) = listing {
                batch.insert(&db.items, keys::item(collection, item), listing.with_body(shown));
            }
            for place in [Some(no), header.collection()].into_iter().flatten() {
                rebuilt.entry(place).or_default().add(header.expiry, header.ts);
                if let Some((half, instant)) = header.entry() {
                    let lists = if place == no { header.collection() } else { None };
                    batch.insert(db.half(half), keys::entry(place, instant, item), keys::of_collection(lists));
                }
            }
            if batch.len() >= 10_000 {
                std::mem::replace(&mut batch, db.batch(1_024)).commit()?;
            }
        }
        for guard in view.prefix(&db.meta, b"s/") {
            let key = guard.key()?;
            if let Some((no, _)) = keys::of_item(&key[2..]) {
                rebuilt.entry(no).or_default();
            }
        }
        for (no, stats) in &rebuilt {
            batch.insert(&db.meta, stats_key(*no), stats.encode());
        }
        drop(view);
        {
            let _no_snapshot = self.db.write();
            batch.commit()?;
        }
        *state = super::writer::State::load(&db)?;
        Ok(())
    }
}

/// Removes these keys, in writes of up to 10,000.
fn remove_all(
    db: &super::db::Db,
    keyspace: &fjall::Keyspace,
    keys: impl Iterator<Item = Result<fjall::Slice, StoreError>>,
) -> Result<(), StoreError> {
    let mut batch = db.batch(1_024);
    for key in keys {
        batch.remove(keyspace, key?);
        if batch.len() >= 10_000 {
            std::mem::replace(&mut batch, db.batch(1_024)).commit()?;
        }
    }
    Ok(batch.commit()?)
}

fn dropped(view: &fjall::Snapshot, db: &super::db::Db) -> Result<BTreeSet<ContainerNo>, StoreError> {
    let mut dropped = BTreeSet::new();
    for guard in view.prefix(&db.meta, DROPPED) {
        let key = guard.key()?;
        dropped.extend(keys::of_item(&key[DROPPED.len()..]).map(|(no, _)| no));
    }
    Ok(dropped)
}
