//! Figures that documents claim, held against the last results of `gudgeon validate` (docs/validate.jsonl).

use std::path::Path;

use serde_json::Value;

enum Claim {
    /// The error is at most this.
    Within(f64),
    /// Ours is this number, to so much.
    Is(f64, f64),
}

use Claim::{Is, Within};

/// (document, its words, scene, how the figure's name begins, what is claimed)
const CLAIMS: &[(&str, &str, &str, &str, Claim)] = &[
    ("README.md", "theory has 0.1067209", "arch-27", "least thickness", Is(0.106_720_9, 5e-8)),
    ("README.md", "a wall that moves less than 1e-12 m in 5 s", "wall", "wall of 30", Within(1e-12)),
    ("book/src/promises.md", "moves less than 1e-12 m in 5 s", "wall", "wall of 30", Within(1e-12)),
    ("book/src/promises.md", "| 490.745 mm each time", "push", "frame of 16 feet", Is(0.490_745, 5e-7)),
    (
        "book/src/promises.md",
        "| move 2e-15 m; below 1e-11 m",
        "stacks",
        "stack of 10, 100:1: moved",
        Within(2e-15),
    ),
    (
        "book/src/promises.md",
        "| move 2e-15 m; below 1e-11 m",
        "stacks",
        "stack of 2, 1000000:1: moved",
        Within(1e-11),
    ),
    (
        "book/src/promises.md",
        "does not creep: below 1e-9 m/s",
        "grasp",
        "capsule between two pads",
        Within(5e-9),
    ),
    ("docs/evidence/testkit.md", "All agrees to 1e-12 m in other units", "units", "", Within(1e-12)),
    ("docs/evidence/testkit.md", "to 3e-11 m a kilometre away", "moved", "", Within(3e-11)),
];

#[test]
fn what_documents_claim_was_measured() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let results: Vec<Value> =
        read("docs/validate.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (document, words, scene, figure, claim) in CLAIMS {
        assert!(read(document).contains(words), "{document} no longer says: {words}");
        let found =
            results.iter().find(|r| r["scene"] == *scene).unwrap_or_else(|| panic!("no scene {scene}"));
        let rows = found["rows"].as_array().unwrap();
        let mut held = 0;
        for row in rows.iter().filter(|r| r["quantity"].as_str().unwrap().starts_with(figure)) {
            let (ours, error) = (row["ours"].as_f64().unwrap(), row["error"].as_f64().unwrap());
            let good = match *claim {
                Within(bound) => error <= bound,
                Is(value, within) => (ours - value).abs() <= within,
            };
            assert!(good, "{document}: {words}: {row}");
            held += 1;
        }
        assert!(held > 0, "{scene} has no figure {figure}");
    }
}
