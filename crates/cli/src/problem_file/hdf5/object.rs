//! Object headers: lists of messages, in an old and a new style, and the members of groups.

use super::super::bytes::Bytes;
use super::{Broken, File, NOWHERE};

const DATASPACE: u16 = 0x01;
const LINK_INFO: u16 = 0x02;
const DATATYPE: u16 = 0x03;
const LINK: u16 = 0x06;
const LAYOUT: u16 = 0x08;
const FILTERS: u16 = 0x0b;
const CONTINUATION: u16 = 0x10;
const SYMBOL_TABLE: u16 = 0x11;

/// The most messages of one object.
const MAX_MESSAGES: usize = 100_000;

/// The messages of an object.
#[derive(Debug)]
pub(super) struct Object<'a> {
    messages: Vec<(u16, Bytes<'a>)>,
}

impl<'a> Object<'a> {
    /// Reads the header at an address, following its continuations.
    pub(super) fn read(file: &File<'a>, address: usize) -> Result<Self, Broken> {
        let bytes = file.bytes;
        let at = file.place(address)?;
        let new = bytes.tagged(at, b"OHDR").is_some();
        let (mut blocks, style) =
            if new { new_header(bytes, at) } else { old_header(bytes, at) }.ok_or(None)?;
        let mut messages = Vec::new();
        while let Some((mut at, end)) = blocks.pop() {
            while at + style.head <= end {
                let (kind, length) = match style.kind {
                    1 => (bytes.u8(at).map(u16::from), bytes.u16(at + 1)),
                    _ => (bytes.u16(at), bytes.u16(at + 2)),
                };
                let (kind, length) = (kind.ok_or(None)?, usize::from(length.ok_or(None)?));
                let body = Bytes::new(bytes.slice(at + style.head, length).ok_or(None)?);
                if kind == CONTINUATION {
                    let next = file.place(body.size(0).ok_or(None)?)?;
                    let length = body.size(8).ok_or(None)?;
                    let (before, after) = if new { (4, 4) } else { (0, 0) }; // "OCHK", checksum
                    let end = next.checked_add(length).ok_or(None)?.saturating_sub(after);
                    blocks.push((next + before, end));
                } else if messages.len() < MAX_MESSAGES {
                    messages.push((kind, body));
                }
                at += style.head + length;
            }
        }
        Ok(Self { messages })
    }

    fn message(&self, kind: u16) -> Option<Bytes<'a>> {
        self.messages.iter().find(|(k, _)| *k == kind).map(|(_, body)| *body)
    }

    pub(super) fn dataspace(&self) -> Option<Bytes<'a>> {
        self.message(DATASPACE)
    }

    pub(super) fn datatype(&self) -> Option<Bytes<'a>> {
        self.message(DATATYPE)
    }

    pub(super) fn layout(&self) -> Option<Bytes<'a>> {
        self.message(LAYOUT)
    }

    pub(super) fn filters(&self) -> Option<Bytes<'a>> {
        self.message(FILTERS)
    }

    /// The address of a member of a group.
    pub(super) fn member(&self, file: &File<'a>, name: &str) -> Result<Option<usize>, Broken> {
        for (_, link) in self.messages.iter().filter(|(kind, _)| *kind == LINK) {
            if let (found, address) = link_message(*link).ok_or(None)?
                && found == name.as_bytes()
            {
                return Ok(address);
            }
        }
        if let Some(table) = self.message(SYMBOL_TABLE) {
            let tree = table.size(0).ok_or(None)?;
            let heap = file.place(table.size(8).ok_or(None)?)?;
            file.bytes.tagged(heap, b"HEAP").ok_or(None)?;
            let names = file.place(file.bytes.size(heap + 24).ok_or(None)?)?;
            return search(file, tree, names, name.as_bytes(), 0);
        }
        match self.message(LINK_INFO).map(dense_links) {
            Some(Some(true)) => {
                Err(Some("too many members in one group for this reader; try h5repack".to_owned()))
            }
            _ => Ok(None),
        }
    }
}

/// How messages are laid out: bytes in front of each, bytes of its kind.
#[derive(Clone, Copy)]
struct Style {
    head: usize,
    kind: usize,
}

/// Blocks of messages, as (start, end).
type Blocks = Vec<(usize, usize)>;

fn old_header(bytes: Bytes<'_>, at: usize) -> Option<(Blocks, Style)> {
    if bytes.u8(at)? != 1 {
        return None;
    }
    let size = bytes.u32(at + 8)? as usize;
    Some((vec![(at + 16, at + 16 + size)], Style { head: 8, kind: 2 }))
}

fn new_header(bytes: Bytes<'_>, at: usize) -> Option<(Blocks, Style)> {
    let flags = bytes.u8(at + 5)?;
    let times = if flags & 0x20 != 0 { 16 } else { 0 };
    let phase = if flags & 0x10 != 0 { 4 } else { 0 };
    let order = if flags & 0x04 != 0 { 2 } else { 0 };
    let size_at = at + 6 + times + phase;
    let width = 1 << (flags & 3);
    let size = unsigned(bytes, size_at, width)?;
    let start = size_at + width;
    Some((vec![(start, start.checked_add(size)?)], Style { head: 4 + order, kind: 1 }))
}

/// An unsigned number of 1, 2, 4 or 8 bytes.
fn unsigned(bytes: Bytes<'_>, at: usize, width: usize) -> Option<usize> {
    match width {
        1 => bytes.u8(at).map(usize::from),
        2 => bytes.u16(at).map(usize::from),
        4 => bytes.u32(at).map(|x| x as usize),
        _ => bytes.size(at),
    }
}

/// The name of a link, and the address where it is a hard one.
fn link_message(link: Bytes<'_>) -> Option<(&[u8], Option<usize>)> {
    let flags = link.u8(1)?;
    let mut at = 2;
    let mut soft = false;
    if flags & 0x08 != 0 {
        soft = link.u8(at)? != 0;
        at += 1;
    }
    if flags & 0x04 != 0 {
        at += 8;
    }
    if flags & 0x10 != 0 {
        at += 1;
    }
    let width = 1 << (flags & 3);
    let length = unsigned(link, at, width)?;
    let name = link.slice(at + width, length)?;
    let address = if soft { None } else { Some(link.size(at + width + length)?) };
    Some((name, address))
}

/// Whether the links of a group are kept outside its header.
fn dense_links(info: Bytes<'_>) -> Option<bool> {
    let skip = if info.u8(1)? & 1 != 0 { 8 } else { 0 };
    Some(info.size(2 + skip)? != NOWHERE)
}

/// Looks for a name in a tree of symbols; the tree is sorted, but small enough to be read whole.
fn search(
    file: &File<'_>,
    node: usize,
    names: usize,
    name: &[u8],
    depth: usize,
) -> Result<Option<usize>, Broken> {
    let bytes = file.bytes;
    let at = file.place(node)?;
    if bytes.tagged(at, b"SNOD").is_some() {
        let count = usize::from(bytes.u16(at + 6).ok_or(None)?);
        file.step(count)?;
        for entry in (0..count).map(|k| at + 8 + 40 * k) {
            let text = bytes.size(entry).and_then(|offset| names.checked_add(offset)).ok_or(None)?;
            let end = text.checked_add(name.len()).ok_or(None)?;
            if bytes.tagged(text, name).is_some() && bytes.u8(end) == Some(0) {
                return bytes.size(entry + 8).map(Some).ok_or(None);
            }
        }
        return Ok(None);
    }
    if bytes.tagged(at, b"TREE").is_none() || depth > 64 {
        return Err(None);
    }
    let count = usize::from(bytes.u16(at + 6).ok_or(None)?);
    for child in (0..count).map(|k| at + 24 + 16 * k + 8) {
        let child = bytes.size(child).ok_or(None)?;
        if let Some(address) = search(file, child, names, name, depth + 1)? {
            return Ok(Some(address));
        }
    }
    Ok(None)
}
