//! Tests of the model files: small models of our own, every error with its line.

mod scene_files; // TOML scenes: keys, lines, joints, controllers
