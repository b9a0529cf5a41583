//! The standard output, watched: a pipe that was closed has read what it wanted, a disk that is full has lost results.

use std::io::{self, ErrorKind, Write};

/// Passes everything on and remembers the first failure that is not a closed pipe.
pub(crate) struct Watched<'a, W> {
    out: &'a mut W,
    failure: Option<io::Error>,
}

impl<'a, W: Write> Watched<'a, W> {
    pub(crate) fn new(out: &'a mut W) -> Self {
        Self { out, failure: None }
    }

    /// Writes what is left; the failure, if there was one.
    pub(crate) fn finish(mut self) -> Option<io::Error> {
        // remembered where it happens
        let _ = self.flush();
        self.failure
    }

    fn watch<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if let Err(e) = &result
            && !matches!(e.kind(), ErrorKind::BrokenPipe | ErrorKind::Interrupted)
        {
            // io::Error cannot be copied
            self.failure.get_or_insert_with(|| io::Error::new(e.kind(), e.to_string()));
        }
        result
    }
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.watch(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.watch(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken(ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_a_failure_and_a_closed_pipe_is_none() {
        for (kind, fails) in [(ErrorKind::StorageFull, true), (ErrorKind::BrokenPipe, false)] {
            let mut broken = Broken(kind);
            let mut out = Watched::new(&mut broken);
            assert!(out.write_all(b"results").is_err());
            assert_eq!(out.finish().is_some(), fails, "{kind:?}");
        }
        let mut whole = Vec::new();
        let mut out = Watched::new(&mut whole);
        out.write_all(b"results").unwrap();
        assert!(out.finish().is_none());
    }
}
