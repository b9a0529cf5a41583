//! One clear line for every kind of bad input, naming the file and the field.

use gudgeon_cli::problem_file::read_bytes;

use crate::support::{data, gudgeon, stderr};

/// The error line of a text, without the name of the file.
fn complaint(text: &str) -> String {
    let mut all = read_bytes("bad.json", text.as_bytes());
    assert_eq!(all.len(), 1, "{text}");
    let line = all.remove(0).expect_err(text).to_string();
    assert!(!line.contains('\n'), "{line}");
    line.strip_prefix("bad.json: ").unwrap().to_owned()
}

#[test]
fn the_field_at_fault_is_named() {
    let table = [
        // the problem as a whole
        ("[]", "the problem is an empty list, expected an object with a \"kind\""),
        ("{}", "kind is missing, expected \"lcp\", \"mlcp\" or \"friction\""),
        (r#"{"kind":7}"#, "kind is 7.0, expected a text"),
        (r#"{"kind":"qp"}"#, "kind is \"qp\", expected \"lcp\", \"mlcp\" or \"friction\""),
        // numbers
        (r#"{"kind":"lcp","M":[[1]],"q":[null]}"#, "q[0] is null, expected a finite number"),
        (r#"{"kind":"lcp","M":[[1]],"q":["1"]}"#, "q[0] is \"1\", expected a finite number"),
        (r#"{"kind":"lcp","M":[[1]],"q":1}"#, "q is 1.0, expected a list of numbers"),
        (r#"{"kind":"lcp","M":[[1,2],[3,true]],"q":[1,2]}"#, "M[1][1] is true, expected a finite number"),
        // shapes
        (r#"{"kind":"lcp","q":[1]}"#, "M is missing, expected a square matrix, given by rows"),
        (r#"{"kind":"lcp","M":[],"q":[]}"#, "q is empty"),
        (
            r#"{"kind":"lcp","M":[[1,2],[3]],"q":[1,2]}"#,
            "M[1] is 1 long, expected 2 entries: a square matrix",
        ),
        (r#"{"kind":"lcp","M":[[1]],"q":[1,2]}"#, "M is 1x1, expected 2x2 to match q"),
        (r#"{"kind":"lcp","M":[1,2],"q":[1,2]}"#, "M[0] is 1.0, expected a list of numbers"),
        // bounds
        (
            r#"{"kind":"mlcp","A":[[1]],"b":[0],"lo":[2],"hi":[1]}"#,
            "bounds of row 0 are [2, 1], expected lo <= hi, lo < inf, hi > -inf",
        ),
        (
            r#"{"kind":"mlcp","A":[[1]],"b":[0],"lo":[0]}"#,
            "hi is missing, expected a list of numbers or nulls",
        ),
        (
            r#"{"kind":"mlcp","A":[[1]],"b":[0],"lo":["a"],"hi":[1]}"#,
            "lo[0] is \"a\", expected a finite number or null",
        ),
        (r#"{"kind":"mlcp","A":[[1]],"b":[0],"lo":[0,0],"hi":[1]}"#, "lo has length 2, expected 1"),
        (
            r#"{"kind":"mlcp","A":[[1]],"b":[0],"lo":[0],"hi":[1],"findex":[3]}"#,
            "findex[0] is 3.0, expected -1 or a whole number from 0 to below 1",
        ),
        (
            r#"{"kind":"mlcp","A":[[1]],"b":[0],"lo":[0],"hi":[1],"findex":[0.5]}"#,
            "findex[0] is 0.5, expected -1 or a whole number from 0 to below 1",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(complaint(text), expected, "{text}");
    }
}

#[test]
fn friction_problems_are_checked_as_well() {
    let w = r#""W":[[1,0,0],[0,1,0],[0,0,1]]"#;
    let local = |rest: &str| complaint(&format!(r#"{{"kind":"friction",{w},{rest}}}"#));
    assert_eq!(local(r#""q":[1,0,0],"mu":[-1]"#), "mu[0] is -1, expected mu >= 0");
    assert_eq!(local(r#""q":[1,0],"mu":[1]"#), "q is 2 long, expected 3 long, three rows for each mu");
    assert_eq!(local(r#""q":[1,0,0,0,0,0],"mu":[1,1]"#), "W is 3x3, expected 6x6 to match q");
    assert_eq!(local(r#""q":[1,0,0],"mu":[1],"facets":5"#), "facets is 5, expected an even number >= 4");
    assert_eq!(
        local(r#""q":[1,0,0],"mu":[1],"facets":1e9"#),
        "facets is 1000000000.0, expected a whole number from 0 to below 4097"
    );
    assert_eq!(
        local(r#""q":[1,0,0],"mu":[1],"mass":[]"#),
        "W is given together with mass, expected one of them"
    );

    let sparse = |w: &str| complaint(&format!(r#"{{"kind":"friction","W":{w},"q":[1,0,0],"mu":[1]}}"#));
    assert_eq!(
        sparse(r#"{"i":[3],"j":[0],"x":[1]}"#),
        "W.i[0] is 3.0, expected a whole number from 0 to below 3"
    );
    assert_eq!(sparse(r#"{"i":[0],"j":[0,1],"x":[1]}"#), "W.j is 2 long, expected 1 long to match x");
    assert_eq!(sparse(r#"{"i":[0],"j":[0]}"#), "W.x is missing, expected a list of numbers");
}

#[test]
fn the_global_form_names_contact_row_and_entry() {
    let global = |rest: &str| {
        complaint(&format!(r#"{{"kind":"friction","mass":[[[1,0],[0,1]]],"free_velocity":[0,0],{rest}}}"#))
    };
    let contact = |normal: &str| {
        global(&format!(r#""contacts":[{{"mu":0.5,"normal":{normal},"t1":[[1,1]],"t2":[],"bias":0}}]"#))
    };
    assert_eq!(
        contact("[[2,1]]"),
        "contacts[0].normal[0][0] is 2.0, expected a whole number from 0 to below 2"
    );
    assert_eq!(contact("[[0,null]]"), "contacts[0].normal[0][1] is null, expected a finite number");
    assert_eq!(contact("[[0]]"), "contacts[0].normal[0] is a list, expected a pair [dof, value]");
    assert_eq!(global(r#""contacts":[{"mu":-1}]"#), "contacts[0].mu is -1, expected mu >= 0");
    assert_eq!(global(r#""contacts":[]"#), "contacts is empty");
    assert_eq!(
        global(r#""contacts":[],"box":[{"row":[[0,1]],"lo":1,"hi":0}]"#),
        "box[0].lo is 1, expected at most hi, which is 0"
    );
    let mass = complaint(
        r#"{"kind":"friction","mass":[[[1]],[[1,2],[2,1]]],"free_velocity":[0,0,0],"contacts":[],"unilateral":[{"row":[[0,1]]}]}"#,
    );
    assert_eq!(mass, "mass block 1 is not symmetric positive definite (pivot 1 is -3)");
}

#[test]
fn text_that_is_not_json_names_the_field_that_was_being_read() {
    let lcp = |q: &str| complaint(&format!(r#"{{"kind":"lcp","M":[[1]],"q":{q}}}"#));
    assert_eq!(lcp("[1, 1e400]"), "q[1]: number out of range at line 1 column 37");
    assert_eq!(lcp("[1, NaN]"), "q[1]: expected value at line 1 column 33");
    assert!(lcp("[1").starts_with('q'), "{}", lcp("[1"));
    assert_eq!(complaint(r#"{"kind":"lcp","q":[1],"q":[2]}"#), "q: given twice at line 1 column 25");
    assert_eq!(complaint(""), "EOF while parsing a value at line 1 column 0");
}

#[test]
fn extra_keys_are_left_alone() {
    let text =
        r#"{"kind":"lcp","M":[[1]],"q":[-1],"source":{"a":[1]},"expect":"solution","known_solution":[1]}"#;
    assert!(read_bytes("x.json", text.as_bytes())[0].is_ok());
}

#[test]
fn broken_files_are_named_on_stderr_with_exit_code_2() {
    let table = [
        ("bad/null-in-q.json", "q[1] is null, expected a finite number"),
        ("bad/truncated.json", "q[2]: EOF while parsing a list at line 2 column 0"),
        ("bad/crossed-bounds.json", "bounds of row 0 are [2, 1], expected lo <= hi, lo < inf, hi > -inf"),
        ("bad/truncated.npz", "not a complete .npz (zip) archive"),
        ("bad/no-such-file.json", "cannot be read: No such file or directory"),
        ("bad", "cannot be read: it is a directory"),
    ];
    for (file, expected) in table {
        let file = data(file);
        let output = gudgeon(&["solve", "--json", &file]);
        assert_eq!(output.status.code(), Some(2), "{file}");
        assert_eq!(stderr(&output), format!("{file}: {expected}\n"));
        assert!(output.stdout.is_empty());
    }
    let hdf5 = data("bad/truncated.hdf5");
    let output = gudgeon(&["solve", &hdf5]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with(&format!("{hdf5}: fclib_local/")), "{}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let file = crate::support::example("lcp-ray.json");
    for args in [
        ["--facets", "5"],
        ["--facets", "2"],
        ["--facets", "round"],
        ["--budget", "-1"],
        ["--method", "magic"],
    ] {
        let output = gudgeon(&["solve", &file, args[0], args[1]]);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(args[0]), "{}", stderr(&output));
    }
    assert_eq!(gudgeon(&["solve"]).status.code(), Some(2));
}
