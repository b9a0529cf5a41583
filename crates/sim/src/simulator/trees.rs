//! Which links and dofs move together: trees, those tied by loops or couplings counted as one group.

use gudgeon_multibody::{LinkId, Model};

/// By link: the group of the dof that moves it, if one does.
pub(super) fn link_groups(model: &Model) -> Vec<Option<usize>> {
    let groups = tree_groups(model);
    (0..model.n_links()).map(|k| moving_dof(model, LinkId(k)).map(|dof| groups[dof])).collect()
}

/// By link: the link that the first dof of its group moves, if it has one.
pub(super) fn link_roots(model: &Model) -> Vec<Option<LinkId>> {
    let first = |dof: usize| model.links().iter().position(|l| l.joint.n_v() > 0 && l.v_start == dof);
    link_groups(model).into_iter().map(|group| first(group?).map(LinkId)).collect()
}

/// The first dof of the nearest joint that moves the link.
pub(super) fn moving_dof(model: &Model, link: LinkId) -> Option<usize> {
    let mut at = link;
    while at != LinkId::WORLD && model.link(at).joint.n_v() == 0 {
        at = model.link(at).parent;
    }
    (at != LinkId::WORLD).then(|| model.link(at).v_start)
}

/// By dof: the number of its tree's root dof, trees tied by loops or couplings counted as one.
pub(super) fn tree_groups(model: &Model) -> Vec<usize> {
    let mut root: Vec<usize> = (0..model.n_v())
        .map(|mut dof| {
            while let Some(above) = model.dof_parent(dof) {
                dof = above;
            }
            dof
        })
        .collect();
    let dof_of = |link: LinkId| moving_dof(model, link);
    let loops = model.loops().iter().map(|l| (dof_of(l.a), dof_of(l.b)));
    let couplings =
        model.couplings().iter().flat_map(|c| c.terms.windows(2).map(|t| (Some(t[0].0), Some(t[1].0))));
    let ties: Vec<_> = loops.chain(couplings).collect();
    for tie in ties {
        if let (Some(a), Some(b)) = tie {
            let (from, to) = (root[a].max(root[b]), root[a].min(root[b]));
            root.iter_mut().filter(|r| **r == from).for_each(|r| *r = to);
        }
    }
    root
}
