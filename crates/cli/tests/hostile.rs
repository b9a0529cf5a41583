//! Bytes that mean harm: no panic, no endless work, no flood of memory, and one line that says what is wrong.

use gudgeon_cli::problem_file::{Problem, read_bytes};
use gudgeon_cli::{Settings, Solving};
use gudgeon_lcp::Budget;

use crate::support::{data, example, files};

/// Reads; what is wrong is told in a line.
fn survives(name: &str, bytes: &[u8]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for item in read_bytes(name, bytes) {
        match item {
            Ok(named) => problems.push(named.problem),
            Err(error) => {
                let line = error.to_string();
                assert!(!line.contains('\n') && line.len() < 400, "{line}");
            }
        }
    }
    problems
}

/// Solves within a budget; the residual is a number.
fn is_solved_or_not(problem: &Problem) {
    let settings = Settings { budget: Budget::pivots(200), ..Settings::default() };
    if let Ok(answer) = Solving::new(settings).solve(problem) {
        assert!(!answer.outcome.residual.natural.is_nan());
    }
}

/// A small generator of numbers: the same seed, the same harm.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n.max(1)
    }

    /// Cuts, flips, copies, or puts a nasty number.
    fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(out.len());
            match self.below(6) {
                0 => out.truncate(at),
                1 => out.iter_mut().skip(at).take(1).for_each(|b| *b ^= 1 << self.below(8)),
                2 => out.iter_mut().skip(at).take(8).for_each(|b| *b = 0xff),
                3 => {
                    let end = (at + self.below(40)).min(out.len());
                    let copy = out[at..end].to_vec();
                    let place = self.below(out.len());
                    out.splice(place..place, copy);
                }
                4 => {
                    let end = (at + self.below(8)).min(out.len());
                    out.drain(at..end);
                }
                _ => {
                    let nasty =
                        ["1e308", "-1e-308", "null", "[[", "]", "}", "4294967295", ",", "-0", "\u{0}"];
                    let text = nasty[self.below(nasty.len())];
                    out.splice(at..at, text.bytes());
                }
            }
        }
        out
    }
}

#[test]
fn mutated_files_are_read_or_refused() {
    let mut seeds = files(data("").as_ref(), &["json", "npz", "hdf5"]);
    seeds.extend(files(example("").as_ref(), &["json", "jsonl", "npz", "hdf5"]));
    for (k, file) in seeds.iter().enumerate() {
        let bytes = std::fs::read(file).unwrap();
        let mut random = Random(0x9e37_79b9_7f4a_7c15 + k as u64);
        for _ in 0..200 {
            let name = file.to_str().unwrap();
            for problem in survives(name, &random.mutate(&bytes)) {
                is_solved_or_not(&problem);
            }
        }
    }
}

#[test]
fn every_byte_of_a_binary_header_may_be_wrong() {
    for file in ["lcp.npz", "local-csc.hdf5", "local-triplet-latest.hdf5", "local-chunked.hdf5"] {
        let bytes = std::fs::read(data(file)).unwrap();
        for at in 0..bytes.len() {
            // one harm for each byte, another for the next
            let mut copy = bytes.clone();
            copy[at] = [0x00, 0xff, copy[at] ^ 0x01, copy[at].wrapping_add(0x10)][at % 4];
            survives(file, &copy);
        }
    }
}

#[test]
fn every_cut_of_a_file_is_survived() {
    for file in ["lcp.npz", "local-csc.hdf5", "block-global.json"] {
        let bytes = std::fs::read(data(file)).unwrap();
        for end in 0..bytes.len() {
            survives(file, &bytes[..end]);
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    survives("deep.json", "[".repeat(1_000_000).as_bytes());
    survives("deep.json", "{\"a\":".repeat(1_000_000).as_bytes());
}

#[test]
fn huge_dimensions_are_refused_before_they_are_allocated() {
    let mu = vec!["1"; 50_000].join(",");
    let q = vec!["0"; 150_000].join(",");
    let text = format!(r#"{{"kind":"friction","W":{{"i":[],"j":[],"x":[]}},"q":[{q}],"mu":[{mu}]}}"#);
    let error = read_bytes("huge.json", text.as_bytes()).remove(0).unwrap_err();
    assert_eq!(error.to_string(), "huge.json: W is 150000 rows high, expected at most 10000");

    let rows = vec!["[]"; 100_000].join(",");
    let text = format!(r#"{{"kind":"lcp","M":[{rows}],"q":[1]}}"#);
    let error = read_bytes("huge.json", text.as_bytes()).remove(0).unwrap_err();
    assert_eq!(error.to_string(), "huge.json: M is 100000 rows high, expected at most 10000");
}

#[test]
fn many_facets_are_refused_before_they_are_allocated() {
    let n = 30;
    let q = vec!["0"; 3 * n].join(",");
    let mu = vec!["1"; n].join(",");
    let text =
        format!(r#"{{"kind":"friction","facets":4096,"W":{{"i":[],"j":[],"x":[]}},"q":[{q}],"mu":[{mu}]}}"#);
    let named = read_bytes("x.json", text.as_bytes()).remove(0).unwrap();
    let error = Solving::new(Settings::default()).solve(&named.problem).unwrap_err();
    assert_eq!(
        error.to_string(),
        "facets is 4096 with 30 contacts, expected at most 10000 unknowns, not 122940"
    );
}

/// A stored or deflated archive of one member, with the size that it claims.
fn archive(name: &str, method: u16, packed: &[u8], claimed: u32) -> Vec<u8> {
    let mut out = b"PK\x03\x04".to_vec();
    let mut fields = Vec::new();
    fields.extend([20_u16, 0, method, 0, 0].iter().flat_map(|x| x.to_le_bytes()));
    fields.extend([0, u32::try_from(packed.len()).unwrap(), claimed].iter().flat_map(|x| x.to_le_bytes()));
    fields.extend([u16::try_from(name.len()).unwrap(), 0].iter().flat_map(|x| x.to_le_bytes()));
    out.extend(&fields);
    out.extend(name.bytes());
    out.extend(packed);
    let directory = u32::try_from(out.len()).unwrap();
    out.extend(b"PK\x01\x02\x14\x00");
    out.extend(&fields);
    out.extend([0; 14]);
    out.extend(name.bytes());
    let size = u32::try_from(out.len()).unwrap() - directory;
    out.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    out.extend(size.to_le_bytes());
    out.extend(directory.to_le_bytes());
    out.extend([0; 2]);
    out
}

#[test]
fn a_zip_bomb_does_not_go_off() {
    let bomb = miniz_oxide::deflate::compress_to_vec(&vec![0; 50_000_000], 9);
    let complaint = |claimed: u32| {
        let bytes = archive("M.npy", 8, &bomb, claimed);
        read_bytes("bomb.npz", &bytes).remove(0).unwrap_err().to_string()
    };
    assert_eq!(complaint(2_000_000_000), "bomb.npz: M.npy: the archive unpacks to more than 1 GiB");
    // a member that claims to be small is not unpacked any further
    assert_eq!(complaint(1000), "bomb.npz: M.npy: the compressed data is broken");
    // a method that nobody knows
    let bytes = archive("M.npy", 99, b"abc", 3);
    let error = read_bytes("bomb.npz", &bytes).remove(0).unwrap_err();
    assert_eq!(error.to_string(), "bomb.npz: M.npy: compression method 99 is not supported");
}
