// The progressive's keypad in Washington: a button for each winning hand, at the position that claims it.

import { h } from "./dom.js";
import { capital, spoken, t } from "./page.js";

let position = null;

/** Return the keypad, where a hand may be claimed now. */
export function handKeys(options, now, { act, busy, draw, note }) {
  const open = options.filter((one) => one.step === "press_hand" && !one.reasons?.length);
  if (!open.length) return null;
  const option = open.find((one) => one.position === position) ?? open.find((one) => one.position === now.turn) ?? open[0];
  const hand = (now.hands ?? []).find((one) => one.position === option.position);
  const choices = option.fields?.find((field) => field.name === "hand")?.choices ?? [];
  return h(
    "section",
    { class: "panel hand-keys", key: "hand-keys" },
    h("h3", null, t("dealer.keypad")),
    open.length > 1 ? h("div", { class: "others", role: "group", "aria-label": t("dealer.where") }, open.map((one) => h("button", { class: "button small", type: "button", key: one.position, "aria-pressed": String(one === option), onclick: () => ((position = one.position), draw()) }, t("dealer.at_position", { position: one.position })))) : h("p", { class: "muted" }, t("dealer.at_position", { position: option.position })),
    h("div", { class: "keys-row" }, choices.map((line) => h("button", { class: `button small${hand?.claim === line ? " claimed" : ""}`, type: "button", key: line, disabled: busy, "aria-pressed": String(hand?.claim === line), "data-act": "press-hand", "data-hand": line, onclick: () => act(option, { step: "press_hand", position: option.position, hand: line }, "press_hand") }, capital(spoken(line))))),
    h("p", { class: "muted" }, option.follows),
    note(),
  );
}
