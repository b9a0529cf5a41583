//! The MCAP container, version 0: records in chunks, an index of the chunks at the end.
//!
//! A record is an opcode, a u64 length and that many bytes; numbers are little-endian; texts and lists have a u32
//! length in bytes before them. We write chunks without compression and without checksums (0 stands for none).

use std::collections::BTreeMap;

use serde_json::Value;

const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
/// A reader that seeks loads a chunk at a time.
const CHUNK: usize = 1 << 20;

#[derive(Clone, Copy)]
enum Op {
    Header = 0x01,
    Footer = 0x02,
    Schema = 0x03,
    Channel = 0x04,
    Message = 0x05,
    Chunk = 0x06,
    MessageIndex = 0x07,
    ChunkIndex = 0x08,
    Statistics = 0x0b,
    SummaryOffset = 0x0e,
    DataEnd = 0x0f,
}

/// A log under construction.
pub(crate) struct Log {
    out: Vec<u8>,
    schemas: Vec<(String, Vec<u8>)>, // name, record content
    channels: Vec<Vec<u8>>,          // record content
    chunk: Vec<u8>,
    index: BTreeMap<u16, Vec<(u64, u64)>>, // of the open chunk: time and offset by channel
    chunks: Vec<Vec<u8>>,                  // content of the chunk index records
    counts: BTreeMap<u16, u64>,
    span: Option<(u64, u64)>,
}

impl Log {
    pub(crate) fn new(library: &str) -> Self {
        let mut out = MAGIC.to_vec();
        let mut header = Vec::new();
        text(&mut header, "");
        text(&mut header, library);
        record(&mut out, Op::Header, &header);
        Self {
            out,
            schemas: Vec::new(),
            channels: Vec::new(),
            chunk: Vec::new(),
            index: BTreeMap::new(),
            chunks: Vec::new(),
            counts: BTreeMap::new(),
            span: None,
        }
    }

    /// A topic with JSON messages of a schema; schemas of the same name are shared.
    pub(crate) fn channel(&mut self, topic: &str, schema: &str, definition: &Value) -> u16 {
        let id = |n: usize| u16::try_from(n + 1).expect("fewer than 65535 channels");
        let known = self.schemas.iter().position(|(name, _)| name == schema);
        let place = known.unwrap_or(self.schemas.len());
        if known.is_none() {
            let mut content = id(place).to_le_bytes().to_vec();
            text(&mut content, schema);
            text(&mut content, "jsonschema");
            text(&mut content, &definition.to_string());
            record(&mut self.chunk, Op::Schema, &content);
            self.schemas.push((schema.to_owned(), content));
        }
        let channel = id(self.channels.len());
        let mut content = channel.to_le_bytes().to_vec();
        content.extend(id(place).to_le_bytes());
        text(&mut content, topic);
        text(&mut content, "json");
        content.extend(0_u32.to_le_bytes()); // no metadata
        record(&mut self.chunk, Op::Channel, &content);
        self.channels.push(content);
        channel
    }

    pub(crate) fn message(&mut self, channel: u16, time: f64, message: &Value) {
        let time = nanoseconds(time);
        let count = self.counts.entry(channel).or_insert(0);
        *count += 1;
        let mut content = channel.to_le_bytes().to_vec();
        content.extend(u32::try_from(*count).unwrap_or(0).to_le_bytes());
        content.extend(time.to_le_bytes());
        content.extend(time.to_le_bytes());
        content.extend(message.to_string().as_bytes());
        self.index.entry(channel).or_default().push((time, self.chunk.len() as u64));
        record(&mut self.chunk, Op::Message, &content);
        let (start, end) = self.span.unwrap_or((time, time));
        self.span = Some((start.min(time), end.max(time)));
        if self.chunk.len() >= CHUNK {
            self.close_chunk();
        }
    }

    fn close_chunk(&mut self) {
        if self.chunk.is_empty() {
            return;
        }
        let times = || self.index.values().flatten().map(|(time, _)| *time);
        let (start, end) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
        let size = self.chunk.len() as u64;
        let mut content = Vec::with_capacity(self.chunk.len() + 64);
        numbers(&mut content, &[start, end, size]);
        content.extend(0_u32.to_le_bytes()); // no checksum
        text(&mut content, ""); // no compression
        numbers(&mut content, &[size]);
        content.extend(&self.chunk);
        let chunk_start = self.out.len() as u64;
        record(&mut self.out, Op::Chunk, &content);
        let chunk_end = self.out.len() as u64;

        let mut offsets = Vec::new();
        for (channel, entries) in &self.index {
            offsets.extend(channel.to_le_bytes());
            numbers(&mut offsets, &[self.out.len() as u64]);
            let mut content = channel.to_le_bytes().to_vec();
            content.extend(length(16 * entries.len()));
            for (time, at) in entries {
                numbers(&mut content, &[*time, *at]);
            }
            record(&mut self.out, Op::MessageIndex, &content);
        }
        let mut content = Vec::new();
        numbers(&mut content, &[start, end, chunk_start, chunk_end - chunk_start]);
        content.extend(length(offsets.len()));
        content.extend(&offsets);
        numbers(&mut content, &[self.out.len() as u64 - chunk_end]);
        text(&mut content, "");
        numbers(&mut content, &[size, size]);
        self.chunks.push(content);
        self.chunk.clear();
        self.index.clear();
    }

    /// The summary and the end.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.close_chunk();
        record(&mut self.out, Op::DataEnd, &0_u32.to_le_bytes());
        let summary = self.out.len() as u64;
        let schemas: Vec<Vec<u8>> = self.schemas.into_iter().map(|(_, content)| content).collect();
        let statistics = statistics(schemas.len(), &self.channels, &self.chunks, &self.counts, self.span);
        let groups = [
            (Op::Schema, schemas),
            (Op::Channel, self.channels),
            (Op::Statistics, vec![statistics]),
            (Op::ChunkIndex, self.chunks),
        ];
        let mut offsets = Vec::new();
        for (op, contents) in groups {
            let start = self.out.len() as u64;
            for content in contents {
                record(&mut self.out, op, &content);
            }
            let mut offset = vec![op as u8];
            numbers(&mut offset, &[start, self.out.len() as u64 - start]);
            record(&mut offsets, Op::SummaryOffset, &offset);
        }
        let mut footer = Vec::new();
        numbers(&mut footer, &[summary, self.out.len() as u64]);
        footer.extend(0_u32.to_le_bytes());
        self.out.extend(offsets);
        record(&mut self.out, Op::Footer, &footer);
        self.out.extend(MAGIC);
        self.out
    }
}

fn statistics(
    schemas: usize,
    channels: &[Vec<u8>],
    chunks: &[Vec<u8>],
    counts: &BTreeMap<u16, u64>,
    span: Option<(u64, u64)>,
) -> Vec<u8> {
    let (start, end) = span.unwrap_or((0, 0));
    let mut out = Vec::new();
    numbers(&mut out, &[counts.values().sum()]);
    out.extend(u16::try_from(schemas).unwrap_or(u16::MAX).to_le_bytes());
    out.extend(length(channels.len()));
    out.extend([0; 8]); // no attachments, no metadata
    out.extend(length(chunks.len()));
    numbers(&mut out, &[start, end]);
    out.extend(length(10 * counts.len()));
    for (channel, count) in counts {
        out.extend(channel.to_le_bytes());
        numbers(&mut out, &[*count]);
    }
    out
}

/// A log has no time before zero.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` clamps, and NaN becomes 0")]
fn nanoseconds(time: f64) -> u64 {
    (1e9 * time).round() as u64
}

fn record(out: &mut Vec<u8>, op: Op, content: &[u8]) {
    out.push(op as u8);
    numbers(out, &[content.len() as u64]);
    out.extend(content);
}

fn numbers(out: &mut Vec<u8>, values: &[u64]) {
    for v in values {
        out.extend(v.to_le_bytes());
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend(length(text.len()));
    out.extend(text.as_bytes());
}

fn length(n: usize) -> [u8; 4] {
    u32::try_from(n).expect("texts and lists are shorter than 4 GiB").to_le_bytes()
}
