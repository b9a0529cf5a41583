//! Memory for what a caller asks, or `MemoryError`: an allocation that fails would end the whole process.

use pyo3::exceptions::PyMemoryError;
use pyo3::{PyErr, PyResult};

/// `a` times `b` items of so many bytes, if the machine has room for them.
pub(crate) fn room(a: usize, b: usize, bytes: usize, what: &str) -> PyResult<usize> {
    let too_much = || -> PyErr {
        let size = a as f64 * b as f64 * bytes as f64;
        PyMemoryError::new_err(format!(
            "{what}: {a} x {b} items take {:.3e} GB, more than there is",
            size * 1e-9
        ))
    };
    let n = a.checked_mul(b).ok_or_else(too_much)?;
    let total = n.checked_mul(bytes).filter(|t| isize::try_from(*t).is_ok()).ok_or_else(too_much)?;
    // limits of the process show here, and what the system would never give
    let mut probe: Vec<u8> = Vec::new();
    probe.try_reserve_exact(total).map_err(|_| too_much())?;
    if available().is_some_and(|there| total as u64 > there) {
        return Err(too_much());
    }
    Ok(n)
}

/// Bytes that the system could give, where it tells.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// A vector of that many items.
pub(crate) fn filled<T: Clone>(n: usize, value: T) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(n).map_err(|e| PyMemoryError::new_err(e.to_string()))?;
    list.resize(n, value);
    Ok(list)
}
