//! The MCAP container, read back by its own small reader. `mcap.py` reads it with the format's own library as well.

use std::collections::BTreeMap;

use gudgeon_replay::mcap;
use serde_json::Value;

use crate::synthetic;

struct Record<'a> {
    op: u8,
    content: &'a [u8],
    start: usize,
}

/// Records of a stretch of bytes that begins at `base`.
fn records(mut bytes: &[u8], base: usize) -> Vec<Record<'_>> {
    let mut out = Vec::new();
    let whole = bytes.len();
    while !bytes.is_empty() {
        let start = base + whole - bytes.len();
        let (op, length) = (bytes[0], usize::try_from(u64_at(bytes, 1)).unwrap());
        out.push(Record { op, content: &bytes[9..9 + length], start });
        bytes = &bytes[9 + length..];
    }
    out
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn text_at(bytes: &[u8], at: usize) -> (&str, usize) {
    let length = usize::try_from(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())).unwrap();
    (std::str::from_utf8(&bytes[at + 4..at + 4 + length]).unwrap(), at + 4 + length)
}

/// Topics and their messages, through the chunks.
fn messages(log: &[u8]) -> BTreeMap<String, Vec<(u64, Value)>> {
    let mut topics: BTreeMap<u16, String> = BTreeMap::new();
    let mut out: BTreeMap<String, Vec<(u64, Value)>> = BTreeMap::new();
    for chunk in records(&log[8..log.len() - 8], 8).iter().filter(|r| r.op == 6) {
        let (compression, at) = text_at(chunk.content, 28);
        assert_eq!(compression, "");
        for r in records(&chunk.content[at + 8..], 0) {
            match r.op {
                4 => drop(topics.insert(u16_at(r.content, 0), text_at(r.content, 4).0.to_owned())),
                5 => out
                    .entry(topics[&u16_at(r.content, 0)].clone())
                    .or_default()
                    .push((u64_at(r.content, 6), serde_json::from_slice(&r.content[22..]).unwrap())),
                _ => {}
            }
        }
    }
    out
}

#[test]
fn every_topic_has_its_messages() {
    let recording = synthetic::bricks();
    let all = messages(&mcap(&recording, 60.0));
    assert_eq!(all["/stats"].len(), recording.frames.len(), "no step is left out of the statistics");
    assert_eq!(all["/bodies"].len(), 1);
    assert_eq!(all["/tf"].len(), all["/contacts"].len());
    assert!(all["/tf"].len() < 160, "{}", all["/tf"].len());
    assert_eq!(all["/tf"][0].1["transforms"].as_array().unwrap().len(), 30);
    let shown = &all["/contacts"][0].1["entities"][0];
    assert_eq!(shown["arrows"].as_array().unwrap().len(), 120);
    assert_eq!(shown["frame_id"], "world");
    let ray = all["/stats"].iter().find(|(_, m)| m["status"] == "ray").unwrap();
    assert_eq!(ray.0, 480_000_000, "nanoseconds of simulated time");
}

#[test]
fn every_kind_of_shape_is_drawn() {
    let all = messages(&mcap(&synthetic::shapes(), 60.0));
    let entities = all["/bodies"][0].1["entities"].as_array().unwrap();
    let count = |body: usize, list: &str| entities[body][list].as_array().unwrap().len();
    assert_eq!(count(0, "cubes"), 1, "the plane");
    assert_eq!((count(1, "spheres"), count(2, "spheres"), count(2, "cylinders")), (1, 2, 1));
    assert_eq!((count(3, "cylinders"), count(4, "cylinders"), count(5, "spheres")), (1, 1, 1));
    assert_eq!(count(6, "triangles"), 1);
    assert_eq!((count(7, "cubes"), count(7, "spheres")), (0, 1), "seen, not touched");
}

#[test]
fn the_index_leads_to_its_chunks_and_messages() {
    let log = mcap(&synthetic::humanoid(), 60.0);
    assert_eq!(&log[..8], b"\x89MCAP0\r\n");
    assert_eq!(&log[log.len() - 8..], b"\x89MCAP0\r\n");
    let footer = &log[log.len() - 8 - 20..log.len() - 8];
    let summary = usize::try_from(u64_at(footer, 0)).unwrap();
    let all = records(&log[8..log.len() - 8], 8);
    assert!(all.iter().any(|r| r.start == summary));
    let chunks: Vec<usize> = all.iter().filter(|r| r.op == 6).map(|r| r.start).collect();
    assert!(chunks.len() > 3);
    let indexed: Vec<usize> =
        all.iter().filter(|r| r.op == 8).map(|r| usize::try_from(u64_at(r.content, 16)).unwrap()).collect();
    assert_eq!(indexed, chunks);
    for r in all.iter().filter(|r| r.op == 8) {
        // the first of its message indexes stands where it says
        let at = usize::try_from(u64_at(r.content, 38)).unwrap();
        assert_eq!(log[at], 7);
    }
}
