//! `.npz` and FCLIB `.hdf5` against the same problem in JSON. The binary files were written by numpy and
//! h5py: `tests/data/make.py`.

use gudgeon_cli::problem_file::Problem;
use gudgeon_cli::{Settings, Solving, Values};
use gudgeon_lcp::{FrictionProblem, Status};

use crate::support::{data, example, problem};

fn friction(file: &str) -> FrictionProblem {
    match problem(&data(file)) {
        Problem::Friction(friction) => friction,
        other => panic!("{file} is of kind {}", other.kind()),
    }
}

#[test]
fn arrays_of_every_order_and_type_are_read() {
    let Problem::Lcp(lcp) = problem(&data("lcp.npz")) else { panic!("not an LCP") };
    assert_eq!((lcp.m(), lcp.q()), (&[2.0, 1.0, 1.0, 3.0][..], &[-1.0, -2.0][..]));

    // Fortran order, deflated, single precision, integers
    let Problem::Lcp(lcp) = problem(&data("lcp-fortran-f32.npz")) else { panic!("not an LCP") };
    assert_eq!((lcp.entry(0, 1), lcp.entry(1, 0)), (0.5, -1.0));
    assert_eq!(lcp.q(), [-1.0, -2.0]);
}

#[test]
fn infinities_of_arrays_are_absent_bounds() {
    let Problem::Mlcp(mlcp) = problem(&data("mlcp.npz")) else { panic!("not an MLCP") };
    assert_eq!(mlcp.hi(), [f64::INFINITY, 0.5, 0.5]);
    assert_eq!(mlcp.findex(), [None, Some(0), Some(0)]);
}

#[test]
fn sparse_dense_npz_json_and_fclib_are_one_problem() {
    let json = friction("block-local.json");
    let local = json.as_local().unwrap();
    for file in [
        "friction-sparse.npz",
        "local-csc.hdf5",
        "local-csr.hdf5",
        "local-triplet-latest.hdf5",
        "local-chunked.hdf5",
    ] {
        let other = friction(file);
        assert_eq!(other.as_local().unwrap(), local, "{file}");
        assert_eq!((other.mu(), other.facets()), (json.mu(), 8), "{file}");
    }
    let dense = friction("friction-dense.npz");
    assert_eq!(dense.as_local().unwrap(), local);
    assert_eq!(dense.facets(), 16);
}

#[test]
fn a_global_fclib_problem_is_the_global_form() {
    let json = friction("block-global.json");
    let json = json.as_global().unwrap();
    for file in ["global-csc.hdf5", "global-triplet.hdf5"] {
        let other = friction(file);
        let other = other.as_global().unwrap();
        assert_eq!((&other.mass, &other.contacts), (&json.mass, &json.contacts), "{file}");
        let v = other.free_velocity.iter().zip(&json.free_velocity);
        assert!(v.clone().all(|(a, b)| (a - b).abs() < 1e-15), "{file}: {v:?}");
    }
    let with_equality = friction("global-equality.hdf5");
    assert_eq!(with_equality.as_global().unwrap().equality[0].entries, [(2, 1.0)]);
}

#[test]
fn a_factored_problem_is_written_with_the_identity_for_a_mass_matrix() {
    let form = friction("block-global.json").to_factored().unwrap();
    let mut compliant = gudgeon_lcp::FactoredForm::default();
    compliant.clear(form.width());
    let soft = |k: usize| gudgeon_lcp::FactoredRow { compliance: 0.25, ..form.row(k) };
    for (i, &mu) in form.mu().iter().enumerate() {
        compliant.contact(mu, [soft(3 * i), form.row(3 * i + 1), form.row(3 * i + 2)]);
    }
    let problem = FrictionProblem::factored(compliant.clone()).unwrap();
    let text = gudgeon_cli::problem_file::write_json(&Problem::Friction(problem));
    let mut read = gudgeon_cli::problem_file::read_bytes("factored.json", text.as_bytes());
    let Problem::Friction(read) = read.remove(0).unwrap().problem else { panic!("not friction") };
    assert_eq!(read.as_global().unwrap(), &compliant.to_global());
}

#[test]
fn an_unsymmetric_mass_matrix_is_condensed_and_stays_unsymmetric() {
    let condensed = friction("global-unsymmetric.hdf5");
    let local = condensed.as_local().unwrap();
    let n = local.q().len();
    let skew = (0..n * n).map(|k| (local.w()[k] - local.w()[(k % n) * n + k / n]).abs()).fold(0.0, f64::max);
    assert!(skew > 1e-3, "{skew}");
}

#[test]
fn local_and_global_forms_move_alike() {
    let mut engine = Solving::new(Settings::default());
    let mut velocities = |file: &str| {
        let answer = engine.solve(&problem(&data(file))).unwrap();
        assert_eq!(answer.outcome.status, Status::Solved, "{file}");
        let Values::Contacts(contacts) = answer.values else { panic!("no contacts") };
        contacts.iter().flat_map(|c| c.velocity).collect::<Vec<f64>>()
    };
    let local = velocities("block-local.json");
    for file in ["block-global.json", "global-csc.hdf5", "global-triplet.hdf5", "local-chunked.hdf5"] {
        let other = velocities(file);
        assert!(local.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-12), "{file}: {other:?}");
    }
}

#[test]
fn every_example_is_read_and_only_the_ray_is_not_solved() {
    let folder = example("");
    let mut engine = Solving::new(Settings::default());
    for file in crate::support::files(folder.as_ref(), &["json", "jsonl", "npz", "hdf5"]) {
        for item in gudgeon_cli::problem_file::read(file.to_str().unwrap()) {
            let named = item.unwrap();
            let status = engine.solve(&named.problem).unwrap().outcome.status;
            let expected = if named.name.ends_with("lcp-ray.json") { Status::Ray } else { Status::Solved };
            assert_eq!(status, expected, "{}", named.name);
        }
    }
}
