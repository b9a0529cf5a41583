//! What becomes of a contact: impulse, velocity and mode.

/// What a contact point does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactMode {
    /// No impulse.
    #[default]
    Open,
    /// Pressed, and not moving tangentially.
    Stick,
    /// Pressed, and sliding.
    Slip,
}

impl ContactMode {
    /// The name used in files: `open`, `stick`, `slip`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }

    /// The mode of a byte in a file: 0, 1 and 2, in the order above.
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Open, Self::Stick, Self::Slip].get(usize::from(byte)).copied()
    }
}

/// Impulse, velocity and mode of one contact, each vector in (n, t1, t2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactAnswer {
    /// N s, acting on a.
    pub impulse: [f64; 3],
    /// m/s, of a against b, bias included.
    pub velocity: [f64; 3],
    /// Open, stick or slip.
    pub mode: ContactMode,
}
