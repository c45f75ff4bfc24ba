// The last wins of meters, and their slips: printed by one person, voided by two.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { form } from "./forms.js";
import { cents, duty, may, moment, outcome } from "./office.js";
import { dollars, t } from "./page.js";

/** Return the last wins of meters, the latest first. */
export async function readWins(meters) {
  const found = await Promise.all(meters.map((name) => ask("GET", `/meters/${encodeURIComponent(name)}`).catch(() => null)));
  const wins = found.filter(Boolean).flatMap((one) => one.wins.map((win) => ({ ...win, meter: one.meter })));
  return wins.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/** Return wins as a list, each with its slip and what the user may do about it. */
export function winList(wins, state, doing, then) {
  if (!wins.length) return h("p", { class: "muted" }, t("office.no_wins"));
  return h("ul", { class: "lines wins" }, wins.map((win) => row(win, state, doing, then)));
}

function row(win, state, doing, then) {
  const place = `slip-${win.serial}`;
  const print = () => doing.run(async () => (await duty({ duty: "print_slip", meter: win.meter, serial: win.serial }), then()), t("office.printed"), place);
  const said = win.voided ? t("office.slip_void", { reason: win.voided }) : win.printed ? t("office.slip_printed", { count: win.printed }) : t("office.slip_unprinted");
  return h(
    "li",
    { key: `${win.serial}-${win.person}`, class: "win" },
    h("span", null, h("b", { class: "figure" }, dollars(cents(win.amount))), " ", win.person, h("span", { class: "muted" }, ` · ${win.meter} · ${win.table} · ${moment(win.at)} · ${win.serial} · `), h("span", { class: win.voided ? "bad" : "muted" }, said)),
    win.voided
      ? null
      : h(
          "span",
          { class: "actions" },
          may("print_slip") ? h("button", { class: "button small", type: "button", "data-act": "print_slip", disabled: doing.busy, onclick: print }, t("office.print")) : null,
          may("void_slip") ? h("button", { class: "button small", type: "button", "data-act": "void_win", "aria-expanded": String(state.open === place), onclick: () => ((state.open = state.open === place ? null : place), doing.draw()) }, t("office.void")) : null,
        ),
    state.open === place ? voiding(win, place, state, doing, then) : null,
    doing.note(place),
  );
}

function voiding(win, place, state, doing, then) {
  const filled = (state.filled[place] ??= {});
  const option = { step: "void_slip", label: t("office.duty.void_slip"), fields: [{ name: "reason", kind: "text", label: t("office.field.reason"), needed: true }] };
  const send = ({ reason }) =>
    doing.run(async () => {
      const answer = await duty({ duty: "void_slip", meter: win.meter, serial: win.serial, reason });
      state.open = null;
      await then();
      return answer;
    }, outcome, place);
  return h("div", { class: "opened" }, h("p", { class: "muted" }, t("office.follows.void_slip")), form(option, filled, { busy: doing.busy, onChange: (name, value) => ((filled[name] = value), doing.draw()), onSend: send }));
}
