//! One HTML file with the scene, its motion and the player.

use gudgeon_sim::Recording;
use miniz_oxide::deflate::compress_to_vec;

use crate::pack::pack;

const PAGE: &str = include_str!("../player/src/page.html");
const STYLE: &str = include_str!("../player/src/style.css");
const PLAYER: &str = include_str!("../player/dist/player.js");

/// Deflate's own scale, 0 to 10; above 7 it takes twice the time for a hundredth of the size.
const LEVEL: u8 = 7;

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the reader's system says.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The name used in the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// How a page is made.
#[derive(Debug, Clone, PartialEq)]
pub struct HtmlOptions {
    /// Heading of the page; the scene's name if none.
    pub title: Option<String>,
    /// At most this many frames a second of simulated time are kept (a quarter more are let pass).
    pub fps: f64,
    /// Light or dark, until the reader says otherwise.
    pub theme: Theme,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self { title: None, fps: 60.0, theme: Theme::System }
    }
}

/// The page: self-contained, so that it can be mailed, archived and opened from disk.
pub fn html(recording: &Recording, options: &HtmlOptions) -> String {
    page(recording, options, None)
}

/// The page of a simulation that runs: shows the first frame, then what comes over a socket of the same server. Its
/// script has this nonce.
pub fn live_html(recording: &Recording, options: &HtmlOptions, nonce: &str) -> String {
    page(recording, options, Some(nonce))
}

fn page(recording: &Recording, options: &HtmlOptions, live: Option<&str>) -> String {
    let mut packed = pack(recording, options.fps);
    let scene = recording.header["scene"].as_str().unwrap_or("recording");
    let title = options.title.as_deref().unwrap_or(scene);
    packed.meta["title"] = title.into();
    packed.meta["theme"] = options.theme.name().into();
    packed.meta["live"] = live.is_some().into();
    let nonce = live.map(|n| format!(" nonce=\"{n}\"")).unwrap_or_default();
    let data = base64(&compress_to_vec(&packed.bytes, LEVEL));
    // in a script element only "</" and "<!--" could end or open anything
    let meta = packed.meta.to_string().replace('<', "\\u003c");
    let mut text =
        String::with_capacity(PLAYER.len() + STYLE.len() + data.len() + meta.len() + 2 * PAGE.len());
    // the template's slots, in its order; what is put in is never searched for slots
    let mut rest = PAGE;
    for (slot, part) in [
        ("{{title}}", escaped(title).as_str()),
        ("{{style}}", STYLE),
        ("{{meta}}", &meta),
        ("{{data}}", &data),
        ("{{nonce}}", &nonce),
        ("{{player}}", PLAYER),
    ] {
        let (before, after) = rest.split_once(slot).expect("the page template has its slots in order");
        text.push_str(before);
        text.push_str(part);
        rest = after;
    }
    text.push_str(rest);
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// As in RFC 4648, §4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = (0..3).fold(0, |w, k| w << 8 | u32::from(group.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * k) & 63) as usize];
            out.push(if k <= group.len() { digit as char } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_agrees_with_the_examples_of_its_standard() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
