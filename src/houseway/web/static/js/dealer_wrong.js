// "Something went wrong": what may have happened, what the law makes of it, and only then what is put on record.

import { ask } from "./api.js";
import { byStep, where } from "./dealer_others.js";
import { h, patch } from "./dom.js";
import { actionOf, asksFor, form, keyOf } from "./forms.js";
import { boot, dialog, dollars, t } from "./page.js";
import { reasons, why } from "./why.js";

/** Steps by which a dealer reports that something went wrong. */
export const WRONG = new Set(boot.facts.panels.wrong);
const UNITS = 10_000;

/** Open the dialog; it follows the table, so that nothing is offered that is no longer so. */
export function wentWrong({ options, act, path }) {
  const here = { step: null, chosen: null, filled: {}, told: null, refused: null };
  const place = dialog(t("dealer.went_wrong"), h("div", { class: "went-wrong" }));
  place.addEventListener("close", () => requestAnimationFrame(() => document.querySelector('[data-act="next"]')?.focus()));
  const body = place.querySelector(".went-wrong");
  const draw = () => patch(body, here.step ? one() : list());
  const open = () => options().filter((option) => !option.reasons?.length);

  function found() {
    const every = open();
    const groups = byStep(every.filter((option) => WRONG.has(option.step)));
    const deal = every.find((option) => option.step === "deal" && option.fields?.some((field) => field.name === "first_to"));
    return deal ? [[{ ...deal, label: t("dealer.wrong_start"), follows: t("dealer.wrong_start_follows"), fields: deal.fields.filter((field) => field.name === "first_to").map((field) => ({ ...field, needed: true })) }], ...groups] : groups;
  }

  function list() {
    const groups = found();
    if (!groups.length) return h("p", { class: "muted" }, t("dealer.nothing_wrong"));
    return h(
      "ul",
      { class: "wrongs" },
      groups.map(([first]) => h("li", { key: first.step }, h("button", { class: "button wide-button", type: "button", "data-step": first.step, onclick: () => pick(first.step) }, h("b", null, first.label), h("small", { class: "muted" }, first.follows)))),
    );
  }

  function pick(step) {
    Object.assign(here, { step, chosen: null, filled: {}, told: null, refused: null });
    const group = found().find(([first]) => first.step === step);
    if (group?.length === 1) choose(group[0]);
    draw();
  }

  function choose(option) {
    here.chosen = keyOf(option);
    foretell(option);
    draw();
  }

  async function foretell(option) {
    here.told = here.refused = null;
    try {
      here.told = await ask("POST", `${path}/consequences`, { action: actionOf(option, here.filled) });
    } catch (error) {
      here.refused = error.reasons ?? null;
    }
    draw();
  }

  function one() {
    const group = found().find(([first]) => first.step === here.step);
    if (!group) return [h("p", { class: "muted" }, t("dealer.over")), again()];
    const option = group.find((found) => keyOf(found) === here.chosen);
    return [
      h("h3", null, group[0].label),
      group.length > 1 ? h("div", { class: "others", role: "group", "aria-label": t("dealer.where") }, group.map((found) => h("button", { class: "button small", type: "button", key: keyOf(found), "aria-pressed": String(found === option), "data-where": keyOf(found), onclick: () => choose(found) }, where(found)))) : null,
      option ? confirming(option) : h("p", { class: "muted" }, group[0].follows),
      again(),
    ];
  }

  function confirming(option) {
    const change = (name, value) => ((here.filled[name] = value), draw(), foretell(option));
    const send = async (action) => ((await act(option, action, "wrong")) ? place.close() : foretell(option));
    return [
      h("section", { class: "consequence", "aria-live": "polite" }, h("h3", null, t("dealer.consequence")), consequence(option)),
      asksFor(option)
        ? form({ ...option, label: t("dealer.confirm", { what: option.label }) }, here.filled, { onChange: change, onSend: send })
        : h("button", { class: "button gold", type: "button", "data-act": "confirm-wrong", onclick: () => send(actionOf(option, here.filled)) }, t("dealer.confirm", { what: option.label })),
    ];
  }

  function consequence(option) {
    if (here.told?.length > 1) return here.told.slice(1).map((one, at) => h("div", { key: at }, h("p", null, h("b", null, one.label), sayings(one), " ", why(one.clauses, t("site.law_link"), one.label)), returned(one)));
    if (here.told) return h("p", null, here.told[0].says?.choice ? t("dealer.player_chooses") : option.step === "expose_card" ? t("dealer.on_record") : option.follows, " ", why(here.told[0].clauses, t("site.law_link"), option.label));
    return [h("p", null, option.follows), here.refused ? h("div", { class: "muted" }, reasons(here.refused)) : null];
  }

  const again = () => h("button", { class: "why", type: "button", onclick: () => ((here.step = null), draw()) }, t("dealer.something_else"));
  draw();
}

const sayings = (one) => (one.says && Object.keys(one.says).length ? `: ${Object.values(one.says).join(", ")}` : "");

/** Return what goes back to whom. */
function returned(one) {
  const sums = new Map();
  for (const paid of one.payments ?? []) if (paid.position && paid.kind === "return") sums.set(paid.position, (sums.get(paid.position) ?? 0) + paid.units / UNITS);
  if (!sums.size) return null;
  return h("ul", { class: "lines" }, [...sums].map(([position, cents]) => h("li", { key: position }, h("span", null, t("dealer.goes_back", { position })), h("strong", { class: "figure" }, dollars(cents)))));
}
