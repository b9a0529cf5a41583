//! `<option>`: gravity, the step, the medium, and switches.

use gudgeon_spatial::Vector3;

use super::Reader;
use crate::error::ModelFileError;
use crate::xml::Element;

impl<'a> Reader<'a> {
    pub(super) fn option(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        e.used();
        if let Some(g) = e.vector::<3>("gravity")? {
            self.assembly.gravity = Some(Vector3::from(g));
        }
        if let Some(dt) = e.number("timestep")? {
            if dt <= 0.0 {
                return Err(e.value_error("timestep", dt, "a positive time"));
            }
            self.assembly.dt = Some(dt);
        }
        e.ignore(&["integrator"], "the simulator has its own");
        e.ignore(
            &[
                "cone",
                "jacobian",
                "solver",
                "iterations",
                "tolerance",
                "ls_iterations",
                "ls_tolerance",
                "noslip_iterations",
                "noslip_tolerance",
                "ccd_iterations",
                "ccd_tolerance",
                "mpr_iterations",
                "mpr_tolerance",
                "impratio",
                "apirate",
                "sdf_iterations",
                "sdf_initpoints",
                "sleep_tolerance",
            ],
            "the solver has its own",
        );
        e.ignore(&["o_margin", "o_solref", "o_solimp", "o_friction"], "contact is hard");
        let fluid = &mut self.assembly.equipment.fluid;
        fluid.density = e.number("density")?.unwrap_or(fluid.density);
        fluid.viscosity = e.number("viscosity")?.unwrap_or(fluid.viscosity);
        fluid.wind = e.vector::<3>("wind")?.unwrap_or(fluid.wind);
        if let Some(field) = e.vector::<3>("magnetic")? {
            self.assembly.equipment.magnetic = field;
        }
        for group in e.numbers("actuatorgroupdisable")?.unwrap_or_default() {
            self.off.groups.push(group);
        }
        for flag in e.named("flag") {
            self.off.read(&flag);
        }
        if self.off.has("gravity") {
            self.assembly.gravity = Some(Vector3::zeros());
        }
        self.contact_off |= self.off.has("contact");
        Ok(())
    }
}
