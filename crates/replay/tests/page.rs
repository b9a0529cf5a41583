//! The HTML file: whole, small, and with the numbers that went in.

use gudgeon_replay::{HtmlOptions, Theme, html};
use gudgeon_sim::{Frame, Recording};
use miniz_oxide::inflate::decompress_to_vec;
use serde_json::{Value, json};

use crate::synthetic;

fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    let start = page.find(before).unwrap() + before.len();
    &page[start..start + page[start..].find(after).unwrap()]
}

fn meta(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"meta\">", "</script>")).unwrap()
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => u32::from(c - b'A'),
        b'a'..=b'z' => u32::from(c - b'a') + 26,
        b'0'..=b'9' => u32::from(c - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    for group in text.trim().as_bytes().chunks(4) {
        let kept = group.iter().take_while(|c| **c != b'=').count();
        let word = group.iter().fold(0, |w, c| w << 6 | if *c == b'=' { 0 } else { digit(*c) });
        out.extend(word.to_be_bytes()[1..kept].iter());
    }
    out
}

/// The bytes of the motion, and a cursor past the charts and the meshes.
struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn of(page: &str) -> Self {
        let bytes = decompress_to_vec(&base64(between(page, "id=\"data\">", "</script>"))).unwrap();
        let meta = meta(page);
        let meshes = meta["meshes"].as_array().unwrap().iter().flat_map(|m| m.as_array().unwrap());
        let words: u64 =
            5 * meta["frames"].as_u64().unwrap() + meshes.map(|x| x.as_u64().unwrap()).sum::<u64>();
        Self { bytes, at: 4 * usize::try_from(words).unwrap() }
    }

    fn varint(&mut self) -> i64 {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let byte = self.bytes[self.at];
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
            }
        }
    }

    fn curve(&mut self, n: usize, scale: f64) -> Vec<f64> {
        let (mut before, mut last) = (0, 0);
        let mut out = Vec::new();
        for k in 0..n {
            let value = self.varint() + if k < 2 { last } else { 2 * last - before };
            out.push(value as f64 * scale);
            (before, last) = (last, value);
        }
        out
    }
}

#[test]
fn a_page_needs_nothing_from_elsewhere() {
    for recording in synthetic::all() {
        let page = html(&recording, &HtmlOptions::default());
        assert!(!page.contains("{{"), "an unfilled slot");
        for outside in ["src=\"http", "href=\"http", "import(", "fetch(\"", "@import", "url(http"] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!(page.matches("</script>").count(), 3, "a name or number ended a script early");
    }
}

#[test]
fn ten_seconds_of_a_humanoid_are_under_five_megabytes() {
    let page = html(&synthetic::humanoid(), &HtmlOptions::default());
    assert!(page.len() < 1_500_000, "{} bytes; the promise is 5 MB, this is where it stood", page.len());
}

#[test]
fn at_most_sixty_frames_a_second_are_kept_and_the_last_is_among_them() {
    let recording = synthetic::humanoid();
    let meta = meta(&html(&recording, &HtmlOptions::default()));
    let kept = meta["frames"].as_u64().unwrap();
    assert!((600..=760).contains(&kept), "{kept}");
    let whole = html(&recording, &HtmlOptions { fps: 1000.0, ..HtmlOptions::default() });
    assert_eq!(self::meta(&whole)["frames"], 10_001);
}

#[test]
fn times_and_places_come_back_within_a_step() {
    let recording = synthetic::sliding_box();
    let page = html(&recording, &HtmlOptions { fps: 1e4, ..HtmlOptions::default() });
    let (meta, mut reader) = (meta(&page), Reader::of(&page));
    let n = recording.frames.len();
    let times = reader.curve(n, meta["scales"]["time"].as_f64().unwrap());
    for _ in ["contacts", "pivots", "status", "fallback"] {
        reader.curve(n, 1.0);
    }
    let step = meta["scales"]["place"].as_f64().unwrap();
    let x = reader.curve(n, step);
    for (k, frame) in recording.frames.iter().enumerate() {
        assert!((times[k] - frame.time).abs() <= 1e-7);
        assert!((x[k] - frame.bodies[0].position[0]).abs() <= step);
    }
}

#[test]
fn a_spike_between_two_kept_frames_is_still_in_the_charts() {
    let frame = |k: u32| Frame { time: f64::from(k) * 1e-3, ..Frame::default() };
    let mut frames: Vec<Frame> = (0..=1000).map(frame).collect();
    frames[503].pivots = 777;
    frames[503].status = 3;
    let recording = Recording { header: json!({"scene": "spike", "bodies": []}), frames };
    let page = html(&recording, &HtmlOptions::default());
    let n = usize::try_from(meta(&page)["frames"].as_u64().unwrap()).unwrap();
    assert!(n < 100, "{n}");
    let mut reader = Reader::of(&page);
    let [_time, _contacts, pivots, status] = [(); 4].map(|()| reader.curve(n, 1.0));
    assert_eq!(pivots.iter().copied().fold(0.0, f64::max), 777.0);
    assert_eq!(status.iter().copied().fold(0.0, f64::max), 3.0);
}

#[test]
fn equal_meshes_are_kept_once() {
    let mut recording = synthetic::shapes();
    let ring = recording.header["bodies"][6].clone();
    recording.header["bodies"][1] = ring;
    let meta = meta(&html(&recording, &HtmlOptions::default()));
    assert_eq!(meta["meshes"].as_array().unwrap().len(), 1);
    assert_eq!(meta["bodies"][1]["shapes"][0]["mesh"], 0);
}

#[test]
fn an_empty_recording_and_one_gone_wrong_make_pages_too() {
    let empty = Recording { header: json!({}), frames: Vec::new() };
    assert_eq!(meta(&html(&empty, &HtmlOptions::default()))["frames"], 0);
    assert_eq!(meta(&html(&synthetic::lost(), &HtmlOptions::default()))["bodies"][1]["name"], "crate");
}

#[test]
fn title_and_theme_are_the_callers() {
    let options =
        HtmlOptions { title: Some("a < b & c".to_owned()), theme: Theme::Dark, ..HtmlOptions::default() };
    let page = html(&synthetic::chain(), &options);
    assert!(page.contains("<title>a &lt; b &amp; c</title>"));
    assert_eq!(meta(&page)["title"], "a < b & c");
    assert_eq!(meta(&page)["theme"], "dark");
}

#[test]
fn the_same_recording_makes_the_same_page() {
    let recording = synthetic::bricks();
    assert_eq!(html(&recording, &HtmlOptions::default()), html(&recording, &HtmlOptions::default()));
}
