//! Many bodies that are not blocks: heaps of balls, columns of balls, an arch and a wedge that jams.
//!
//! All of them have a solution: see [`crate::scene`].

use crate::geometry::{Vec3, about_y, add, mat_vec, scale, sub, unit};
use crate::scene::{Body, Scene, Surface, Touch};

/// Whether the balls of one layer touch each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    /// They do: more contacts than the weight needs.
    Touching,
    /// A small gap is left.
    Apart,
}

/// A square pyramid of balls, `side` × `side` at the bottom, each ball above in the hollow of four.
pub fn pyramid(side: usize, neighbours: Neighbours) -> Scene {
    let radius: f64 = 0.05;
    let pitch = match neighbours {
        Neighbours::Touching => 2.0 * radius,
        Neighbours::Apart => 2.1 * radius,
    };
    // a ball above four: the centres are 2 r apart, half a diagonal of the pitch in the plane
    let rise = (4.0 * radius * radius - 0.5 * pitch * pitch).sqrt();
    let mut scene = Scene::new(format!("pyramid-{side}-{neighbours:?}").to_lowercase());
    for layer in 0..side {
        let width = side - layer;
        let origin = -0.5 * pitch * (width - 1) as f64;
        for i in 0..width {
            for j in 0..width {
                let centre =
                    [origin + pitch * i as f64, origin + pitch * j as f64, radius + rise * layer as f64];
                scene.bodies.push(Body::ball(1.0, radius, centre));
            }
        }
    }
    let balls: Vec<Vec3> = scene.bodies.iter().map(|b| b.position).collect();
    for (a, &centre) in balls.iter().enumerate() {
        if a < side * side {
            let below = sub(centre, [0.0, 0.0, radius]);
            scene.touches.push(Touch::new(a, None, below, [0.0, 0.0, 1.0]).on(Surface::Ball(radius)));
        }
        for (b, &other) in balls[..a].iter().enumerate() {
            let d = sub(centre, other);
            // 1e-9 of the radius: rounding of the positions, far below the gap of 0.1 radii
            if crate::geometry::dot(d, d).sqrt() < 2.0 * radius * (1.0 + 1e-9) {
                let point = add(other, scale(0.5, d));
                scene.touches.push(Touch::new(a, Some(b), point, unit(d)).on(Surface::Ball(radius)));
            }
        }
    }
    scene
}

/// Balls one above another on the ground: one contact each, and a chain of masses.
pub fn column(balls: usize) -> Scene {
    let radius = 0.05;
    let mut scene = Scene::new(format!("column-{balls}"));
    for i in 0..balls {
        let centre = [0.0, 0.0, radius * (2 * i + 1) as f64];
        scene.bodies.push(Body::ball(1.0, radius, centre));
        let point = sub(centre, [0.0, 0.0, radius]);
        let touch = Touch::new(i, i.checked_sub(1), point, [0.0, 0.0, 1.0]);
        scene.touches.push(touch.on(Surface::Ball(radius)));
    }
    scene
}

/// A half-circle of `stones` stones between two fixed springers, four contacts on each joint.
pub fn arch(stones: usize) -> Scene {
    let (radius, half) = (1.0, [0.15, 0.2]);
    let mut scene = Scene::new(format!("arch-{stones}"));
    let joints = stones + 1;
    // joint k lies at this angle from the left springer, over the top
    let angle = |k: usize| std::f64::consts::PI * k as f64 / stones as f64;
    // a turn about y by the angle carries the left springer along the arch
    let place = |k: f64, local: Vec3| mat_vec(&about_y(std::f64::consts::PI * k / stones as f64), local);
    for i in 0..stones {
        let middle = i as f64 + 0.5;
        let size = [half[0], half[1], radius * (0.5 * angle(1)).sin()];
        let rotation = about_y(angle(1) * middle);
        scene.bodies.push(Body::block(1.0, size, place(middle, [-radius, 0.0, 0.0]), &rotation));
    }
    for k in 0..joints {
        // along the arch from stone k − 1 into stone k
        let normal = unit(place(k as f64, [0.0, 0.0, 1.0]));
        for [x, y] in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
            let point = place(k as f64, [-radius + x * half[0], y * half[1], 0.0]);
            scene.touches.push(if k < stones {
                Touch::new(k, k.checked_sub(1), point, normal)
            } else {
                Touch::new(k - 1, None, point, scale(-1.0, normal))
            });
        }
    }
    scene.touches.iter_mut().for_each(|t| t.mu = 0.7);
    scene
}

/// A steep wedge in a notch, with a block on it: friction may hold it in many ways.
pub fn wedge(angle: f64) -> Scene {
    let mut scene = crate::single::block_in_groove(4, angle);
    scene.name = "wedge".into();
    let half = [0.08, 0.08, 0.04];
    let identity = about_y(0.0);
    scene.bodies.push(Body::block(5.0, half, [0.0, 0.0, 0.05 + half[2]], &identity));
    for [x, y] in [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]] {
        scene.touches.push(Touch::new(1, Some(0), [0.04 * x, 0.06 * y, 0.05], [0.0, 0.0, 1.0]));
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::dot;

    #[test]
    fn pyramids_touch_where_they_should() {
        // 4 on the ground, 4 below the top ball, and 4 among neighbours
        assert_eq!(pyramid(2, Neighbours::Apart).n_contacts(), 8);
        assert_eq!(pyramid(2, Neighbours::Touching).n_contacts(), 12);
        // 9 + 12 neighbours, 4 · 4 below the second layer and 4 in it, 4 below the top
        assert_eq!(pyramid(3, Neighbours::Touching).n_contacts(), 45);
    }

    #[test]
    fn the_stones_of_an_arch_are_pressed_from_both_sides() {
        let scene = arch(5);
        assert_eq!(scene.n_contacts(), 24);
        for t in &scene.touches {
            // the normal points into a, out of b
            assert!(dot(sub(scene.bodies[t.a].position, t.point), t.normal) > 0.0);
            if let Some(b) = t.b {
                assert!(dot(sub(scene.bodies[b].position, t.point), t.normal) < 0.0);
            }
        }
    }

    #[test]
    fn a_column_has_one_contact_per_ball() {
        let scene = column(7);
        assert_eq!(scene.n_contacts(), 7);
        assert_eq!(scene.touches[0].b, None);
        assert_eq!(scene.touches[6].b, Some(5));
    }
}
