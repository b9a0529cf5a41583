//! PNG pictures as fields of heights: one number per pixel, the first channel in eight bits.
//!
//! ```text
//!     signature, then chunks: length (u32, big-endian), kind (4 bytes), data, checksum
//!     IHDR   width, height, bits per sample, kind of colour, compression, filter, interlacing
//!     PLTE   red, green, blue of each colour        IDAT   zlib stream of lines, each behind the number of its filter
//! ```
//! A line is filtered against the pixel to its left (a), the line above (b) and the pixel above to the left (c): none, a, b,
//! ½(a + b), or Paeth's choice among the three. Interlaced pictures are refused; checksums are not compared.

/// Pixels of a picture, all together: some hundred megabytes of heights.
const MOST_PIXELS: usize = 4_000_000;

/// Width, height and the first channel of every pixel, from the upper left on, in 0..=255.
pub(crate) fn first_channel(bytes: &[u8]) -> Result<(usize, usize, Vec<u8>), String> {
    let rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n").ok_or("not a PNG")?;
    let (mut header, mut palette, mut packed) = (None, Vec::new(), Vec::new());
    let mut at = rest;
    while let Some((head, body)) = at.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let (data, after) = body.split_at_checked(length).ok_or("cut short")?;
        match &head[4..] {
            b"IHDR" => header = Some(Header::read(data)?),
            b"PLTE" => palette = data.iter().step_by(3).copied().collect(),
            b"IDAT" => packed.extend_from_slice(data),
            b"IEND" => break,
            _ => {}
        }
        at = after.get(4..).ok_or("cut short")?;
    }
    let header = header.ok_or("without a header")?;
    let size = header.height * (1 + header.stride());
    let lines = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&packed, size)
        .map_err(|e| format!("its pixels cannot be unpacked: {e}"))?;
    if lines.len() != size {
        return Err("cut short".into());
    }
    Ok((header.width, header.height, header.unfilter(&lines, &palette)?))
}

struct Header {
    width: usize,
    height: usize,
    bits: usize,
    channels: usize,
    indexed: bool,
}

impl Header {
    fn read(data: &[u8]) -> Result<Self, String> {
        let &[w0, w1, w2, w3, h0, h1, h2, h3, bits, color, _, _, interlaced] = data else {
            return Err("its header has another length".into());
        };
        let width = u32::from_be_bytes([w0, w1, w2, w3]) as usize;
        let height = u32::from_be_bytes([h0, h1, h2, h3]) as usize;
        let (channels, allowed): (usize, &[u8]) = match color {
            0 => (1, &[1, 2, 4, 8, 16]),
            2 => (3, &[8, 16]),
            3 => (1, &[1, 2, 4, 8]),
            4 => (2, &[8, 16]),
            6 => (4, &[8, 16]),
            _ => return Err(format!("colour of kind {color}")),
        };
        if !allowed.contains(&bits) {
            return Err(format!("{bits} bits with colour of kind {color}"));
        }
        if interlaced != 0 {
            return Err("interlaced pictures are not read".into());
        }
        if width == 0 || height == 0 || width.checked_mul(height).is_none_or(|n| n > MOST_PIXELS) {
            return Err(format!("{width} x {height} pixels, at most {MOST_PIXELS}"));
        }
        Ok(Self { width, height, bits: usize::from(bits), channels, indexed: color == 3 })
    }

    /// Bytes of a line.
    fn stride(&self) -> usize {
        (self.width * self.channels * self.bits).div_ceil(8)
    }

    fn unfilter(&self, lines: &[u8], palette: &[u8]) -> Result<Vec<u8>, String> {
        let (stride, pixel) = (self.stride(), (self.channels * self.bits).div_ceil(8));
        let mut above = vec![0_u8; stride];
        let mut out = Vec::with_capacity(self.width * self.height);
        for packed in lines.chunks_exact(1 + stride) {
            let mut line = packed[1..].to_vec();
            for k in 0..stride {
                let a = if k >= pixel { line[k - pixel] } else { 0 };
                let (b, c) = (above[k], if k >= pixel { above[k - pixel] } else { 0 });
                let guess = match packed[0] {
                    0 => 0,
                    1 => a,
                    2 => b,
                    #[expect(clippy::cast_possible_truncation, reason = "the mean of two bytes")]
                    3 => u16::midpoint(u16::from(a), u16::from(b)) as u8,
                    4 => paeth(a, b, c),
                    other => return Err(format!("a line has filter {other}")),
                };
                line[k] = line[k].wrapping_add(guess);
            }
            for x in 0..self.width {
                let value = self.sample(&line, x);
                let color = if self.indexed { palette.get(usize::from(value)).copied() } else { Some(value) };
                out.push(color.ok_or("a colour that the palette does not have")?);
            }
            above = line;
        }
        Ok(out)
    }

    /// The first channel of a pixel: eight bits, or the index of its colour.
    fn sample(&self, line: &[u8], x: usize) -> u8 {
        match self.bits {
            8 => line[x * self.channels],
            16 => line[2 * x * self.channels],
            bits => {
                let (byte, most) = (line[x * bits / 8], (1_u8 << bits) - 1);
                let value = (byte >> (8 - bits - (x * bits) % 8)) & most;
                if self.indexed { value } else { value * (255 / most) }
            }
        }
    }
}

/// Of three neighbours the one nearest to a + b - c; in doubt the first.
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let (x, y, z) = (i16::from(a), i16::from(b), i16::from(c));
    let p = x + y - z;
    let (da, db, dc) = ((p - x).abs(), (p - y).abs(), (p - z).abs());
    if da <= db && da <= dc {
        a
    } else if db <= dc {
        b
    } else {
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(out: &mut Vec<u8>, kind: &[u8], data: &[u8]) {
        out.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        out.extend(kind);
        out.extend(data);
        out.extend([0; 4]);
    }

    /// A picture of given lines, each with its filter, of colour kind and bits.
    fn picture(width: u32, height: u32, bits: u8, color: u8, palette: &[u8], lines: &[u8]) -> Vec<u8> {
        let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = width.to_be_bytes().to_vec();
        header.extend(height.to_be_bytes());
        header.extend([bits, color, 0, 0, 0]);
        chunk(&mut out, b"IHDR", &header);
        chunk(&mut out, b"PLTE", palette);
        chunk(&mut out, b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(lines, 6));
        chunk(&mut out, b"IEND", &[]);
        out
    }

    #[test]
    fn every_filter_gives_the_same_picture() {
        let want = [[10_u8, 20, 35], [12, 19, 200], [7, 250, 3]];
        let plain = |l: &[u8; 3]| l.to_vec();
        for filter in 0..5_u8 {
            let mut lines = Vec::new();
            for y in 0..3 {
                lines.push(filter);
                for x in 0..3 {
                    let a = if x > 0 { want[y][x - 1] } else { 0 };
                    let b = if y > 0 { want[y - 1][x] } else { 0 };
                    let c = if x > 0 && y > 0 { want[y - 1][x - 1] } else { 0 };
                    let mean = u8::try_from(u16::midpoint(u16::from(a), u16::from(b))).unwrap();
                    let guess = [0, a, b, mean, paeth(a, b, c)][usize::from(filter)];
                    lines.push(want[y][x].wrapping_sub(guess));
                }
            }
            let read = first_channel(&picture(3, 3, 8, 0, &[], &lines)).expect("a picture");
            assert_eq!(read, (3, 3, want.iter().flat_map(plain).collect()), "filter {filter}");
        }
    }

    #[test]
    fn all_kinds_of_colour_give_their_first_channel() {
        let rgb = picture(2, 1, 8, 2, &[], &[0, 9, 1, 2, 8, 3, 4]);
        assert_eq!(first_channel(&rgb).expect("rgb").2, [9, 8]);
        let wide = picture(2, 1, 16, 4, &[], &[0, 9, 1, 2, 2, 8, 3, 4, 4]);
        assert_eq!(first_channel(&wide).expect("grey and alpha in 16 bits").2, [9, 8]);
        let indexed = picture(3, 1, 2, 3, &[5, 0, 0, 77, 0, 0, 99, 0, 0], &[0, 0b1001_0000]);
        assert_eq!(first_channel(&indexed).expect("a palette").2, [99, 77, 5]);
        let bits = picture(3, 1, 1, 0, &[], &[0, 0b1010_0000]);
        assert_eq!(first_channel(&bits).expect("one bit").2, [255, 0, 255]);
    }

    #[test]
    fn broken_pictures_are_refused_with_a_reason() {
        let whole = picture(3, 3, 8, 0, &[], &[0; 12]);
        assert!(first_channel(&whole).is_ok());
        for cut in 0..whole.len() - 12 {
            assert!(first_channel(&whole[..cut]).is_err(), "cut at {cut}");
        }
        let huge = picture(u32::MAX, u32::MAX, 8, 0, &[], &[0; 12]);
        assert!(first_channel(&huge).unwrap_err().contains("at most"));
    }
}
