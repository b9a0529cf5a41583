//! Why a problem could not be built. Solving never fails this way.

/// What is wrong with the data of a problem: the field, the place in it, the offending value.
///
/// ```
/// use gudgeon_lcp::{Lcp, ProblemError};
///
/// let wrong = Lcp::from_rows(&[[1.0, f64::NAN], [0.0, 1.0]], vec![0.0, 0.0]).unwrap_err();
/// assert!(wrong.to_string().contains("NaN"), "{wrong}");
/// assert!(matches!(Lcp::from_column_major(vec![1.0], vec![1.0; 2]), Err(ProblemError::Length { .. })));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// A problem of no unknowns.
    #[error("{field} is empty")]
    Empty {
        /// The field, as problem files name it.
        field: &'static str,
    },
    /// A field does not have the length that the others ask for.
    #[error("{field} has length {found}, expected {expected}")]
    Length {
        /// The field, as problem files name it.
        field: &'static str,
        /// The length it has.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// One row of a matrix does not have the length of the others.
    #[error("{field} row {row} has length {found}, expected {expected}")]
    Ragged {
        /// The field, as problem files name it.
        field: &'static str,
        /// The row at fault.
        row: usize,
        /// The length it has.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// A NaN or an infinity in a matrix.
    #[error("{field}[{row}][{col}] is {value}, expected a finite number")]
    NonFiniteEntry {
        /// The field, as problem files name it.
        field: &'static str,
        /// Its row.
        row: usize,
        /// Its column.
        col: usize,
        /// The value found.
        value: f64,
    },
    /// A NaN or an infinity in a vector.
    #[error("{field}[{index}] is {value}, expected a finite number")]
    NonFinite {
        /// The field, as problem files name it.
        field: &'static str,
        /// The index in it.
        index: usize,
        /// The value found.
        value: f64,
    },
    /// A lower bound above its upper bound, or a bound that is NaN or infinite on the wrong side.
    #[error("bounds of row {index} are [{lo}, {hi}], expected lo <= hi, lo < inf, hi > -inf")]
    Bounds {
        /// The row.
        index: usize,
        /// Its lower bound.
        lo: f64,
        /// Its upper bound.
        hi: f64,
    },
    /// An index into the problem's own rows or degrees of freedom that is out of range.
    #[error("{field}[{index}] refers to {target}, expected less than {limit}")]
    Index {
        /// The field, as problem files name it.
        field: &'static str,
        /// The index in it.
        index: usize,
        /// What it points to.
        target: usize,
        /// The number of things to point to.
        limit: usize,
    },
    /// A friction-index row whose normal is itself a friction-index row, or whose bounds make no cone.
    #[error(
        "findex[{index}] = {target}: a friction row needs lo <= 0 <= hi and a normal that is not a friction row"
    )]
    FrictionIndex {
        /// The friction row.
        index: usize,
        /// The row it calls its normal.
        target: usize,
    },
    /// The places of a sparse row are not in ascending order.
    #[error("the places of {field} row {row} do not ascend")]
    Order {
        /// The field, as problem files name it.
        field: &'static str,
        /// The row of that kind.
        row: usize,
    },
    /// A negative compliance.
    #[error("the compliance of {field} row {index} is {value}, expected >= 0")]
    NegativeCompliance {
        /// The field, as problem files name it.
        field: &'static str,
        /// The row of that kind.
        index: usize,
        /// Its compliance.
        value: f64,
    },
    /// A negative coefficient of friction.
    #[error("mu[{index}] is {value}, expected mu >= 0")]
    NegativeFriction {
        /// The contact.
        index: usize,
        /// Its coefficient.
        value: f64,
    },
    /// More unknowns than a dense matrix is made for.
    #[error("{found} unknowns, and a dense matrix is made for at most {most}")]
    TooLarge {
        /// The unknowns.
        found: usize,
        /// The most that there may be.
        most: usize,
    },
    /// Too few directions to span the tangent plane.
    #[error("facets is {facets}, expected an even number >= 4")]
    Facets {
        /// The number asked for.
        facets: usize,
    },
    /// A block of the mass matrix that is not symmetric positive definite.
    #[error("mass block {block} is not symmetric positive definite (pivot {pivot} is {value})")]
    Mass {
        /// The block.
        block: usize,
        /// The pivot of its factorisation that is not positive.
        pivot: usize,
        /// The value of that pivot.
        value: f64,
    },
}

/// Checks that a vector is finite, naming the field.
pub(crate) fn finite(field: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(ProblemError::NonFinite { field, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Checks a column-major matrix of `rows` rows.
pub(crate) fn finite_matrix(field: &'static str, rows: usize, values: &[f64]) -> Result<(), ProblemError> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(k) => {
            Err(ProblemError::NonFiniteEntry { field, row: k % rows, col: k / rows, value: values[k] })
        }
        None => Ok(()),
    }
}

/// Checks a length.
pub(crate) fn length(field: &'static str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected { Ok(()) } else { Err(ProblemError::Length { field, found, expected }) }
}

/// Turns rows into column-major storage, refusing ragged ones.
pub(crate) fn column_major<R: AsRef<[f64]>>(
    field: &'static str,
    rows: &[R],
    cols: usize,
) -> Result<Vec<f64>, ProblemError> {
    let n = rows.len();
    let mut out = vec![0.0; n * cols];
    for (i, row) in rows.iter().enumerate() {
        let row = row.as_ref();
        if row.len() != cols {
            return Err(ProblemError::Ragged { field, row: i, found: row.len(), expected: cols });
        }
        for (j, &v) in row.iter().enumerate() {
            out[j * n + i] = v;
        }
    }
    Ok(out)
}
