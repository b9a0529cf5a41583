//! Matrices of other crates: `cargo test -p gudgeon-lcp --features faer,nalgebra,ndarray views`.

use gudgeon_lcp::{Entries, Lcp, Mlcp, ProblemError};

/// Entries by a formula: a crate that nobody has heard of.
struct Hilbert(usize);

impl Entries for Hilbert {
    fn shape(&self) -> (usize, usize) {
        (self.0, self.0)
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        1.0 / (1.0 + row as f64 + 2.0 * column as f64)
    }
}

#[test]
fn anything_with_entries_makes_a_problem() {
    let lcp = Lcp::from_entries(&Hilbert(3), &vec![1.0; 3]).unwrap();
    assert_eq!(lcp.entry(0, 1), 1.0 / 3.0);
    let short = Lcp::from_entries(&Hilbert(3), &vec![1.0; 2]).unwrap_err();
    assert_eq!(short, ProblemError::Length { field: "M", found: 9, expected: 4 });
    let boxed = Mlcp::from_entries(&Hilbert(2), &vec![1.0; 2], &vec![-1.0; 2], &vec![1.0; 2]).unwrap();
    assert_eq!(boxed.a()[2], 1.0 / 3.0);
}

#[cfg(feature = "nalgebra")]
#[test]
fn nalgebra_goes_in_and_comes_out() {
    let m = nalgebra::dmatrix![2.0, 1.0, 0.5; -1.0, 3.0, 0.0; 0.0, 4.0, 5.0];
    let lcp = Lcp::from_entries(&m, &nalgebra::Vector3::new(1.0, 2.0, 3.0)).unwrap();
    assert_eq!(lcp.m_nalgebra(), m);
    // a part of a larger matrix, its rows as columns
    let part = Lcp::from_entries(&m.view((0, 0), (2, 2)).transpose(), &vec![0.0; 2]).unwrap();
    assert_eq!(part.entry(0, 1), -1.0);
    let boxed = Mlcp::from_entries(&m, &vec![0.0; 3], &vec![0.0; 3], &vec![1.0; 3]).unwrap();
    assert_eq!(boxed.a_nalgebra(), m);
    assert!(Lcp::from_entries(&m.columns(0, 2), &vec![0.0; 3]).is_err());
}

#[cfg(feature = "ndarray")]
#[test]
fn ndarray_goes_in_and_comes_out() {
    let m = ndarray::array![[2.0, 1.0, 0.5], [-1.0, 3.0, 0.0], [0.0, 4.0, 5.0]];
    let lcp = Lcp::from_entries(&m, &ndarray::array![1.0, 2.0, 3.0]).unwrap();
    assert_eq!(lcp.m_ndarray(), m);
    let part = Lcp::from_entries(&m.slice(ndarray::s![0..2, 0..2]).t(), &vec![0.0; 2]).unwrap();
    assert_eq!(part.entry(0, 1), -1.0);
    let boxed = Mlcp::from_entries(&m, &vec![0.0; 3], &vec![0.0; 3], &vec![1.0; 3]).unwrap();
    assert_eq!(boxed.a_ndarray(), m);
}

#[cfg(feature = "faer")]
#[test]
fn faer_goes_in_and_comes_out() {
    use faer::sparse::{SparseColMat, Triplet};

    let m = faer::mat![[2.0, 1.0, 0.5], [-1.0, 3.0, 0.0], [0.0, 4.0, 5.0]];
    let lcp = Lcp::from_entries(&m, &faer::col![1.0, 2.0, 3.0]).unwrap();
    assert_eq!(lcp.m_faer(), m);
    let part = Lcp::from_entries(&m.submatrix(0, 0, 2, 2).transpose(), &vec![0.0; 2]).unwrap();
    assert_eq!(part.entry(0, 1), -1.0);
    let boxed = Mlcp::from_entries(&m, &vec![0.0; 3], &vec![0.0; 3], &vec![1.0; 3]).unwrap();
    assert_eq!(boxed.a_faer(), m);

    let triplets = [Triplet::new(0, 0, 2.0), Triplet::new(1, 0, -1.0), Triplet::new(1, 1, 3.0)];
    let sparse = SparseColMat::<usize, f64>::try_new_from_triplets(2, 2, &triplets).unwrap();
    let same = gudgeon_lcp::SparseMatrix::from_faer(sparse.as_ref()).unwrap();
    assert_eq!((same.entry(1, 0), same.entry(0, 1), same.entry(1, 1)), (-1.0, 0.0, 3.0));
}
