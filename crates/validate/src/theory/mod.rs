//! Scenes with a closed or exactly computable answer.

mod arch;
mod capstan;
mod cards;
mod equilibrium;
mod impacts;
mod leaving;
mod limits;
mod linkages;
mod rest;
mod slides;
mod tippe;
mod tops;

pub use arch::{arch, least_thickness};

use crate::row::Entry;

macro_rules! scenes {
    ($($name:literal, $speed:ident, $about:literal, $run:path;)*) => {
        /// Every scene, in the order of the table.
        pub const SCENES: &[Entry] =
            &[$(Entry { name: $name, about: $about, quick: scenes!($speed), run: $run }),*];
    };
    (quick) => { true };
    (slow) => { false };
}

scenes! {
    "arch-9", quick, "an arch of 9 stones at its least thickness, by linear programming", arch::nine;
    "arch-27", slow, "an arch of 27 stones", arch::twenty_seven;
    "arch-101", slow, "an arch of 101 stones", arch::hundred_and_one;
    "cards-3", quick, "two cards and a roof at 65 degrees; limit by linear programming", cards::three;
    "cards-26", slow, "a house of four storeys", cards::twenty_six;
    "cards-155", slow, "a house of ten storeys", cards::hundred_and_fifty_five;
    "ladder", quick, "a ladder against a wall, friction at both ends", limits::leaning_ladder;
    "boxes", slow, "boxes on slopes, a grid of friction and width: slide or tip", limits::boxes_on_slopes;
    "tip-or-slide", quick, "a box pulled at a height", slides::tip_or_slide;
    "wedge", quick, "a wedge between two jaws, self-locking", limits::wedge;
    "screw", quick, "a screw with dry friction, self-locking", limits::screw;
    "overhang", quick, "ten bricks at the harmonic limit", limits::overhang;
    "cylinders", quick, "three cylinders, one on two", limits::three_cylinders;
    "heap", quick, "ten cylinders in four rows; limit by linear programming", limits::heap;
    "capstan", quick, "a string of links around a rod, pulled at both ends", capstan::capstan;
    "spool", quick, "a spool pulled by its thread", limits::spool;
    "stopping", quick, "a sliding box stops", slides::stopping_distance;
    "azimuths", quick, "a box on a slope, any way the slope falls", slides::azimuths;
    "two-boxes", quick, "a box on a box, the lower one pulled", slides::two_boxes;
    "rolling", quick, "ball, cylinder and pipe roll down a slope", slides::rolling_down;
    "backspin", quick, "a ball with backspin on a floor", slides::backspin;
    "turntable", quick, "a ball on a turning table", slides::turntable;
    "painleve", quick, "Painlevé's rod, and its jam", slides::painleve;
    "ice", quick, "a rod falls over on ice", slides::rod_on_ice;
    "off-a-ball", quick, "a ball slides, and rolls, off a ball", leaving::off_a_ball;
    "off-a-wall", quick, "a rod slides down a smooth wall and leaves it", leaving::rod_from_a_wall;
    "pendulum", quick, "a pendulum from 143 degrees; elliptic integral", tops::pendulum;
    "top", quick, "a heavy top that precesses steadily", tops::heavy_top;
    "racket", quick, "a tennis racket turns over; elliptic integral", tops::tennis_racket;
    "tippe-top", slow, "a tippe top: Jellett's number, and its motion integrated finely", tippe::tippe_top;
    "euler-disc", quick, "Euler's disc rolls on its edge", tops::euler_disc;
    "coriolis", quick, "a bead on a turning rod", tops::bead_on_rod;
    "flight", quick, "a thrown, tumbling stone", tops::free_flight;
    "bounces", quick, "a ball bounces until it rests", impacts::bounce_series;
    "two-balls", quick, "two balls, a slanting blow", impacts::two_balls;
    "spin", quick, "a spinning ball meets the floor", impacts::spin_off_the_floor;
    "cradle", quick, "Newton's cradles of 3 to 7 balls under Newton's law", impacts::cradle;
    "thirty", quick, "thirty bodies meet in free space", impacts::thirty_bodies;
    "four-bar", quick, "a four-bar's transmission", linkages::four_bar;
    "wall", quick, "a wall of 30 bricks at rest", rest::wall;
    "stacks", quick, "heavy on light, 100:1 and 1e6:1", rest::stacks;
    "grasp", quick, "a capsule between two pads", rest::grasp;
    "push", quick, "a frame of 16 feet pushed just beyond friction", rest::pushed_frame;
}
