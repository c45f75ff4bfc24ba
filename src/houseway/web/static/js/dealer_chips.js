// Chips at the table: what the dealer sells to players, and fills that arrive.

import { ask, command } from "./api.js";
import { h } from "./dom.js";
import { boot, dollars, t } from "./page.js";

const SUMS = [2_000, 10_000, 50_000];
const KINDS = [50_000, 10_000, 2_500, 500, 100];

export class Chips {
  constructor(table, state, doing, draw) {
    Object.assign(this, { table, state, doing, draw, tray: null, person: "", cash: "" });
    if (boot.facts.chips) {
      this.refresh();
      setInterval(() => document.hidden || this.refresh(), 5000);
    }
  }

  async refresh() {
    this.tray = (await ask("GET", `/tables/${encodeURIComponent(this.table)}/chips`).catch(() => null))?.tray ?? this.tray;
    this.draw();
  }

  do(action, said) {
    return this.doing.run(async () => (await command(this.table, action, "chips"), await this.refresh()), said, "chips");
  }

  sell() {
    const cash = Math.round(Number(this.cash) * 100);
    return this.do({ step: "buy_in", person: this.person, cash, chips: broken(cash) }, t("dealer.sold", { amount: dollars(cash) }));
  }

  /** Return the panel, where the table follows its chips. */
  panel(now, facts) {
    if (!facts.chips || !this.tray) return null;
    const seats = (now.seats ?? []).filter((one) => one.person);
    this.person ||= seats[0]?.person ?? "";
    const send = (event) => (event.preventDefault(), this.sell());
    return h(
      "details",
      { class: "panel chips-panel", key: "chips" },
      h("summary", null, t("dealer.chips"), " ", h("span", { class: "figure muted" }, t("dealer.tray", { amount: dollars(this.tray.value ?? 0) }))),
      seats.length
        ? h(
            "form",
            { class: "buy-in", onsubmit: send },
            h("label", { class: "field" }, h("span", null, t("dealer.buyer")), h("select", { onchange: (event) => (this.person = event.target.value) }, seats.map((one) => h("option", { value: one.person, key: one.person, selected: one.person === this.person }, `${one.position} ${one.name}`)))),
            h("label", { class: "field" }, h("span", null, t("dealer.cash")), h("input", { type: "number", min: 1, step: 1, value: this.cash, required: true, oninput: (event) => (this.cash = event.target.value) })),
            h("div", { class: "others" }, SUMS.map((sum) => h("button", { class: "button small", type: "button", key: sum, onclick: () => ((this.cash = String(sum / 100)), this.draw()) }, dollars(sum)))),
            h("button", { class: "button", "data-act": "buy-in", disabled: this.doing.busy }, t("dealer.sell")),
          )
        : h("p", { class: "muted" }, t("dealer.nobody_sits")),
      this.slips(),
      this.doing.note("chips"),
    );
  }

  slips() {
    const approved = Object.entries(this.tray.slips ?? {}).filter(([, slip]) => slip.approved);
    return approved.map(([serial, slip]) => {
      const step = serial.startsWith("F") ? "receive_fill" : "send_credit";
      return h("p", { key: serial }, h("button", { class: "button small", type: "button", "data-act": step, disabled: this.doing.busy, onclick: () => this.do({ step, serial, chips: slip.chips }, t(`dealer.${step}_done`, { serial })) }, t(`dealer.${step}`, { serial })));
    });
  }
}

/** Return the chips that are given for an amount, the largest first. */
function broken(cash) {
  const found = {};
  let rest = cash;
  for (const kind of KINDS) {
    const count = Math.floor(rest / kind);
    if (count) found[kind] = count;
    rest -= count * kind;
  }
  return found;
}
