//! Degenerate shapes and hostile files: a clear error or a stated approximation, never a panic or a hang.
//!
//! `cargo test -p gudgeon-collide --release -- --ignored hostile` runs the long campaign.

use gudgeon_collide::{
    CollisionWorkspace, Kind, MeshFormat, Polytope, Shape, ShapeError, TriMesh, read_mesh,
};
use nalgebra::{Isometry3, Translation3};

use crate::support::{Pose, Rng, Vec3, all_shapes, at, box_mesh, contacts, deepest, torus};

#[test]
fn sizes_that_are_not_lengths_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e30] {
        assert!(matches!(Shape::sphere(bad), Err(ShapeError::Size { .. })));
        assert!(Shape::capsule(bad, 1.0).is_err() && Shape::capsule(1.0, bad).is_err());
        assert!(Shape::cuboid(1.0, bad, 1.0).is_err() && Shape::ellipsoid(1.0, 1.0, bad).is_err());
        assert!(Shape::cylinder(bad, 1.0).is_err() && Shape::cone(1.0, bad).is_err());
        assert!(Shape::heightfield(2, 2, bad, 1.0, &[0.0; 4]).is_err());
    }
    assert!(matches!(Shape::heightfield(2, 3, 1.0, 1.0, &[0.0; 4]), Err(ShapeError::Grid { .. })));
    assert!(Shape::heightfield(2, 2, 1.0, 1.0, &[0.0, f64::NAN, 0.0, 0.0]).is_err());
    assert!(Shape::heightfield(usize::MAX, 2, 1.0, 1.0, &[0.0; 4]).is_err());
    assert!(matches!(
        Shape::compound(vec![(Pose::identity(), Shape::plane())]),
        Err(ShapeError::Part { .. })
    ));
    assert!(Shape::compound(Vec::new()).is_err());
}

#[test]
fn hulls_of_degenerate_points_are_refused_and_of_others_hold_them() {
    let line: Vec<Vec3> = (0..10).map(|i| Vec3::x() * f64::from(i)).collect();
    let plane: Vec<Vec3> = (0..10).map(|i| Vec3::new(f64::from(i % 3), f64::from(i / 3), 1.0)).collect();
    for points in [&[][..], &[Vec3::zeros(); 9][..], &line[..], &plane[..]] {
        assert!(matches!(Polytope::hull(points), Err(ShapeError::Flat { .. })), "{points:?}");
    }
    assert!(matches!(Polytope::hull(&[Vec3::repeat(f64::NAN); 4]), Err(ShapeError::Coordinate { .. })));
    let mut rng = Rng(1);
    for round in 0..2000 {
        // clouds squeezed flat, repeated, snapped to grids: what hull codes dislike
        let squeeze = 10.0_f64.powi(-i32::try_from(rng.below(12)).unwrap());
        let grid = [0.0, 0.1, 0.5][rng.below(3)];
        let snap = |x: f64| if grid > 0.0 { (x / grid).round() * grid } else { x };
        let points: Vec<Vec3> = (0..4 + rng.below(40))
            .map(|_| {
                let p = rng.direction() * rng.range(0.2, 1.0);
                Vec3::new(snap(p.x), snap(p.y), snap(p.z) * squeeze)
            })
            .collect();
        if let Ok(hull) = Polytope::hull(&points) {
            let euler = hull.vertices().len() + hull.faces().count();
            let edges = hull.faces().map(<[u32]>::len).sum::<usize>() / 2;
            assert_eq!(euler, edges + 2, "round {round}");
        }
    }
}

#[test]
fn damaged_meshes_are_repaired_reported_or_refused() {
    let (vertices, triangles) = torus(1.0, 0.3, 12, 8);
    let (_, sound) = TriMesh::new(&vertices, &triangles).unwrap();
    assert!(sound.closed && sound.pieces == 1);

    // no indices shared at all, as in a file of separate triangles
    let soup: Vec<Vec3> = triangles.iter().flatten().map(|&i| vertices[i as usize]).collect();
    let separate: Vec<[u32; 3]> =
        (0..u32::try_from(triangles.len()).unwrap()).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    assert!(TriMesh::new(&soup, &separate).unwrap().1.closed);

    // half the triangles turned round, and all of them
    let mixed: Vec<[u32; 3]> =
        triangles.iter().enumerate().map(|(i, t)| if i % 2 == 0 { [t[0], t[2], t[1]] } else { *t }).collect();
    let (mesh, report) = TriMesh::new(&vertices, &mixed).unwrap();
    assert!(report.closed && report.flipped > 0, "{report}");
    assert!(
        (mesh_volume(&mesh) - mesh_volume(&TriMesh::new(&vertices, &triangles).unwrap().0)).abs() < 1e-12
    );
    let inverted: Vec<[u32; 3]> = triangles.iter().map(|t| [t[0], t[2], t[1]]).collect();
    assert_eq!(TriMesh::new(&vertices, &inverted).unwrap().1.flipped, triangles.len());

    // duplicates and slivers go; a hole is reported, and has no mass
    let mut extra = triangles.clone();
    extra.extend([triangles[5], [3, 3, 4], [0, 0, 0]]);
    let (_, report) = TriMesh::new(&vertices, &extra).unwrap();
    assert!(report.closed && report.duplicate == 1 && report.degenerate == 2, "{report}");
    let (open, report) = Shape::mesh(&vertices, &triangles[1..]).unwrap();
    assert!(!report.closed && report.boundary == 3, "{report}");
    assert!(matches!(open.mass_properties(1.0), Err(ShapeError::Open { .. })));

    assert!(matches!(TriMesh::new(&vertices, &[[0, 1, 9999]]), Err(ShapeError::Index { .. })));
    assert!(matches!(TriMesh::new(&vertices, &[]), Err(ShapeError::Empty { .. })));
    let mut broken = vertices.clone();
    broken[7].y = f64::NAN;
    assert!(matches!(TriMesh::new(&broken, &triangles), Err(ShapeError::Coordinate { index: 7, .. })));
    broken[7].y = 1e12;
    assert!(matches!(TriMesh::new(&broken, &triangles), Err(ShapeError::Coordinate { .. })));
}

fn mesh_volume(mesh: &TriMesh) -> f64 {
    let det = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| mesh.vertices()[i as usize]);
        a.dot(&b.cross(&c)) / 6.0
    };
    mesh.triangles().iter().map(det).sum()
}

#[test]
fn a_hollow_ball_keeps_its_cavity() {
    let (mut vertices, mut triangles) = torus(1.0, 0.3, 12, 8);
    let n = u32::try_from(vertices.len()).unwrap();
    let (inner, inner_triangles) = torus(1.0, 0.15, 12, 8);
    vertices.extend(inner);
    triangles.extend(inner_triangles.iter().map(|t| [t[0] + n, t[2] + n, t[1] + n]));
    let (shape, report) = Shape::mesh(&vertices, &triangles).unwrap();
    assert!(report.closed && report.pieces == 2 && report.flipped == 0, "{report}");
    assert!(shape.signed_distance(&Pose::identity(), &Vec3::new(1.0, 0.0, 0.0)) > 0.0);
    assert!(shape.signed_distance(&Pose::identity(), &Vec3::new(1.2, 0.0, 0.0)) < 0.0);
}

/// Three small sound files, one of each format.
fn files() -> Vec<(MeshFormat, Vec<u8>)> {
    let shape = box_mesh(0.5, 0.4, 0.3);
    let Kind::Mesh(mesh) = shape.kind() else { panic!("a mesh") };
    let mut stl = vec![b' '; 80];
    stl.extend(u32::try_from(mesh.triangles().len()).unwrap().to_le_bytes());
    let mut ascii = String::from("solid box\n");
    let mut obj = String::new();
    for v in mesh.vertices() {
        obj += &format!("v {} {} {}\n", v.x, v.y, v.z);
    }
    for t in mesh.triangles() {
        obj += &format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
        stl.extend([0; 12]);
        ascii += "facet normal 0 0 0\nouter loop\n";
        for i in t {
            let v = mesh.vertices()[*i as usize];
            for x in v.iter() {
                #[expect(clippy::cast_possible_truncation, reason = "STL holds four-byte numbers")]
                stl.extend((*x as f32).to_le_bytes());
            }
            ascii += &format!("vertex {} {} {}\n", v.x, v.y, v.z);
        }
        stl.extend([0; 2]);
        ascii += "endloop\nendfacet\n";
    }
    ascii += "endsolid box\n";
    let positions: String = mesh.vertices().iter().map(|v| format!("{} {} {} ", v.x, v.y, v.z)).collect();
    let indices: String = mesh.triangles().iter().flatten().map(|i| format!("{i} ")).collect();
    let dae = format!(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><up_axis>Z_UP</up_axis></asset>\
         <library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"24\">{positions}</float_array>\
         <technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>\
         <param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\
         <triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>{indices}</p></triangles></mesh></geometry></library_geometries>\
         <library_visual_scenes><visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"
    );
    vec![
        (MeshFormat::Stl, stl),
        (MeshFormat::Stl, ascii.into_bytes()),
        (MeshFormat::Obj, obj.into_bytes()),
        (MeshFormat::Dae, dae.into_bytes()),
    ]
}

#[test]
fn the_same_box_is_read_from_every_format() {
    for (format, bytes) in files() {
        let (mesh, report) = read_mesh(&bytes, format, Vec3::repeat(2.0)).unwrap();
        assert!(report.closed && report.triangles.1 == 12 && report.vertices.1 == 8, "{format:?}: {report}");
        // cubic metres: four-byte numbers in the file
        assert!((mesh_volume(&mesh) - 8.0 * 8.0 * 0.5 * 0.4 * 0.3).abs() < 1e-6, "{format:?}");
    }
    // a count that would reserve gigabytes
    let dae =
        String::from_utf8(files()[3].1.clone()).unwrap().replace("count=\"24\"", "count=\"4000000000\"");
    assert!(read_mesh(dae.as_bytes(), MeshFormat::Dae, Vec3::repeat(1.0)).is_err());
    for (format, _) in files() {
        assert!(read_mesh(b"", format, Vec3::repeat(1.0)).is_err(), "{format:?}");
    }
}

fn corrupt(rounds: usize, seed: u64) {
    let files = files();
    let mut rng = Rng(seed);
    let mut sound = 0;
    for _ in 0..rounds {
        let (format, bytes) = &files[rng.below(files.len())];
        let mut bytes = bytes.clone();
        for _ in 0..=rng.below(6) {
            let at = rng.below(bytes.len());
            match rng.below(5) {
                0 => bytes[at] = rng.bits().to_le_bytes()[0],
                1 => bytes[at] = b"0123456789.-e \n/<>"[rng.below(18)],
                2 => bytes.truncate(at.max(1)),
                3 => {
                    let piece: Vec<u8> = bytes[at..(at + rng.below(60)).min(bytes.len())].to_vec();
                    let to = rng.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
                _ => {
                    bytes.drain(at..(at + rng.below(40)).min(bytes.len()));
                }
            }
            if bytes.is_empty() {
                bytes.push(b'v');
            }
        }
        if let Ok((mesh, _)) = read_mesh(&bytes, *format, Vec3::repeat(1.0)) {
            sound += 1;
            let shape = Shape::mesh(mesh.vertices(), mesh.triangles()).unwrap().0;
            let found = contacts(&shape, &rng.pose(0.3), &box_mesh(0.3, 0.3, 0.3), &Pose::identity(), 0.01);
            assert!(found.iter().all(|c| c.gap.is_finite() && c.normal.iter().all(|x| x.is_finite())));
        }
    }
    println!("{rounds} corrupted files: {sound} still read");
}

#[test]
fn corrupted_files_end_in_a_mesh_or_an_error() {
    corrupt(3000, 21);
}

#[test]
#[ignore = "minutes: the long campaign of corrupted files"]
fn hostile_files_by_the_hundred_thousand() {
    corrupt(300_000, 22);
}

/// Random triangle soups, many of them degenerate, against every kind of shape.
fn soups(rounds: usize, seed: u64) {
    let shapes = all_shapes();
    let mut rng = Rng(seed);
    for _ in 0..rounds {
        let grid = [0.0, 0.25, 0.5][rng.below(3)];
        let snap = |x: f64| if grid > 0.0 { (x / grid).round() * grid } else { x };
        let count = 3 + rng.below(20);
        let vertices: Vec<Vec3> = (0..count).map(|_| (rng.direction() * rng.unit()).map(snap)).collect();
        let index = |rng: &mut Rng| u32::try_from(rng.below(count)).unwrap();
        let triangles: Vec<[u32; 3]> =
            (0..=rng.below(40)).map(|_| [index(&mut rng), index(&mut rng), index(&mut rng)]).collect();
        let Ok((soup, _)) = Shape::mesh(&vertices, &triangles) else { continue };
        let other = &shapes[rng.below(shapes.len())];
        // poses on the grid make faces coplanar and edges meet
        let pose = |rng: &mut Rng| {
            if rng.below(2) == 0 {
                at(snap(rng.unit()), snap(rng.unit()), snap(rng.unit()))
            } else {
                rng.pose(0.8)
            }
        };
        let (xa, xb) = (pose(&mut rng), pose(&mut rng));
        for found in [contacts(&soup, &xa, other, &xb, 0.02), contacts(&soup, &xa, &soup, &xb, 0.02)] {
            assert!(
                found.iter().all(|c| c.gap.is_finite() && (c.normal.norm() - 1.0).abs() < 1e-6),
                "{found:?}"
            );
        }
    }
}

#[test]
fn triangle_soup_against_everything_gives_finite_contacts() {
    soups(3000, 31);
}

#[test]
#[ignore = "minutes: the long campaign of triangle soups"]
fn hostile_soups_by_the_hundred_thousand() {
    soups(300_000, 32);
}

#[test]
fn poses_that_are_not_finite_or_huge_leave_the_rest_alone() {
    let shapes = all_shapes();
    let mut geometry = gudgeon_collide::Geometry::new();
    for (i, s) in shapes.iter().enumerate() {
        geometry.add(gudgeon_collide::Collider::new(s.clone(), i));
    }
    let mut workspace = CollisionWorkspace::new();
    let mut found = Vec::new();
    let mut rng = Rng(4);
    for bad in [f64::NAN, f64::INFINITY, 1e300, 1e15, -1e9] {
        for k in 0..shapes.len() {
            let mut poses: Vec<Pose> = shapes.iter().map(|_| rng.pose(1.0)).collect();
            poses[k] = Isometry3::from_parts(Translation3::new(bad, 0.0, 0.0), poses[k].rotation);
            let summary = workspace.contacts(&geometry, &poses, 0.01, &mut found);
            assert!(found.iter().all(|c| c.gap.is_finite() && c.point.iter().all(|x| x.is_finite())));
            assert!(bad.is_finite() || summary.not_finite == 1, "{bad} {k}: {summary:?}");
        }
    }
}

#[test]
fn identical_shapes_in_the_same_place_have_contacts() {
    for shape in all_shapes()
        .iter()
        .filter(|s| !matches!(s.kind(), Kind::Plane | Kind::Heightfield(_) | Kind::Mesh(_)))
    {
        let found = contacts(shape, &Pose::identity(), shape, &Pose::identity(), 0.0);
        assert!(!found.is_empty() && found.iter().all(|c| c.gap.is_finite()), "{}", shape.name());
        assert!(found.iter().any(|c| c.gap < -0.1), "{}: {found:?}", shape.name());
    }
}

/// Found by fuzzing: a search over all directions across a common axis, all as good as each other.
#[test]
fn bodies_on_one_axis_are_no_endless_search() {
    for height in [0.0, 0.3, 1e-9] {
        for round in [Shape::cone(1.03, 1.5).unwrap(), Shape::cylinder(1.03, 1.5).unwrap()] {
            for other in [Shape::capsule(1.03, 1.5).unwrap(), Shape::cuboid(1.0, 1.0, 1.0).unwrap()] {
                let found = contacts(&other, &at(0.0, 0.0, height), &round, &at(0.0, 0.0, 0.0), 0.0);
                assert!(!found.is_empty() && found.iter().all(|c| c.gap.is_finite()));
            }
        }
    }
}

/// Found by fuzzing: the way out was missing for depths beyond a metre.
#[test]
fn a_ball_deep_in_a_great_cylinder_has_a_way_out() {
    let (ball, drum) = (Shape::sphere(0.5).unwrap(), Shape::cylinder(2.5, 2.0).unwrap());
    let c = *deepest(&contacts(&ball, &at(0.1, 0.0, 0.0), &drum, &at(0.0, 0.0, 0.0), 0.0));
    assert!((c.gap + 2.4).abs() < 1e-12 && (c.normal - Vec3::x()).norm() < 1e-12, "{} {}", c.gap, c.normal);
}
