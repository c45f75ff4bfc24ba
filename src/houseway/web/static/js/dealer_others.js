// Everything else that may be done now, as quiet buttons: one for each step, and where it is done if there is a choice.

import { h } from "./dom.js";
import { keyOf } from "./forms.js";
import { boot, t } from "./page.js";

/** Return the quiet buttons; the pressed one opens its form with what comes of it. */
export function others(options, state, { draw, optionForm, note }) {
  const groups = byStep(options);
  if (!groups.length) return null;
  const open = groups.find(([first]) => first.step === state.open);
  const press = (step) => ((state.open = state.open === step ? null : step), draw());
  return h(
    "section",
    { class: "elsewise", key: "others" },
    h("h3", null, t("dealer.others")),
    h(
      "div",
      { class: "others" },
      groups.map(([first]) => h("button", { class: "button small", type: "button", key: first.step, "data-step": first.step, "aria-expanded": String(first.step === state.open), onclick: () => press(first.step) }, first.label)),
    ),
    open ? opened(open, state, { draw, optionForm, note }) : null,
  );
}

function opened(group, state, { draw, optionForm, note }) {
  const chosen = group.find((one) => keyOf(one) === state.chosen) ?? (group.length === 1 ? group[0] : null);
  const choose = (one) => ((state.chosen = keyOf(one)), draw());
  return h(
    "div",
    { class: "opened", key: group[0].step },
    h("p", { class: "muted" }, group[0].follows),
    group.length > 1 ? h("div", { class: "others", role: "group", "aria-label": t("dealer.where") }, group.map((one) => h("button", { class: "button small", type: "button", key: keyOf(one), "aria-pressed": String(one === chosen), "data-where": keyOf(one), onclick: () => choose(one) }, where(one)))) : null,
    chosen ? [optionForm(chosen, { gold: false }), note(keyOf(chosen))] : null,
  );
}

/** Return options in lists of one step each. */
export function byStep(options) {
  const found = new Map();
  for (const one of options) found.set(one.step, [...(found.get(one.step) ?? []), one]);
  return [...found.values()];
}

/** Return where a step is done. */
export function where(option) {
  const seated = boot.facts.positions.includes(option.position);
  const at = seated ? t("dealer.at_position", { position: option.position }) : t("dealer.dealers_hand");
  const said = [option.position ? at : "", option.deck ? t("dealer.of_deck", { deck: option.deck }) : ""].filter(Boolean);
  return said.join(", ") || t("dealer.at_table");
}
