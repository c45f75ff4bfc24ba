// Wagers being placed: chips onto spots, within their limits, the same again by one press.

import { chip } from "./cards.js";
import { h } from "./dom.js";
import { announce, dollars, t } from "./page.js";

const CHIPS = [100, 500, 2_500, 10_000];

/** Wagers that a player lays out before they are placed. */
export class Layout {
  constructor(table, wagers) {
    this.key = `wagers-${table}`;
    this.wagers = wagers.filter((one) => !one.later);
    this.amounts = {};
    this.chip = 500;
  }

  get total() {
    return Object.values(this.amounts).reduce((sum, one) => sum + one, 0);
  }

  /** Add a chip to a spot; a spot of one amount takes just that. */
  add(wager, cents = this.chip) {
    const now = this.amounts[wager.id] ?? 0;
    const most = wager.most ?? Infinity;
    const fixed = wager.least && wager.least === wager.most;
    const wanted = fixed ? wager.least : Math.max(now + cents, wager.least ?? 0);
    this.amounts[wager.id] = Math.min(wanted, most);
    return this.amounts[wager.id];
  }

  /** Take a chip back from a spot. */
  take(wager, cents = this.chip) {
    const left = (this.amounts[wager.id] ?? 0) - cents;
    if (left < (wager.least ?? 0)) delete this.amounts[wager.id];
    else this.amounts[wager.id] = left;
    return this.amounts[wager.id] ?? 0;
  }

  clear() {
    this.amounts = {};
  }

  /** Return what was wagered last at this table, if it is known. */
  get last() {
    try {
      const found = JSON.parse(localStorage.getItem(this.key) ?? "null");
      const known = Object.entries(found ?? {}).filter(([id]) => this.wagers.some((one) => one.id === id));
      return known.length ? Object.fromEntries(known) : null;
    } catch {
      return null;
    }
  }

  again() {
    this.amounts = { ...this.last };
  }

  keep() {
    localStorage.setItem(this.key, JSON.stringify(this.amounts));
  }
}

/** Return the spots, the chips to lay, and what to do with them. */
export function betting(layout, { placed, busy, onChange, onPlace, purse }) {
  const ready = (layout.amounts.main ?? 0) > 0;
  const same = JSON.stringify(sortedOf(layout.amounts)) === JSON.stringify(sortedOf(placed ?? {}));
  const poor = purse !== null && layout.total - totalOf(placed) > purse;
  return h(
    "section",
    { class: "betting", "aria-label": t("player.bets") },
    h("div", { class: "spots" }, layout.wagers.map((wager) => spot(layout, wager, onChange))),
    h(
      "div",
      { class: "chips-row", role: "radiogroup", "aria-label": t("player.chip_to_lay") },
      CHIPS.map((cents) =>
        chip(cents, {
          key: cents,
          role: "radio",
          tabindex: "0",
          "aria-checked": String(layout.chip === cents),
          class: `pick ${layout.chip === cents ? "picked" : ""}`,
          onclick: () => ((layout.chip = cents), onChange()),
          onkeydown: (event) => [" ", "Enter"].includes(event.key) && (event.preventDefault(), (layout.chip = cents), onChange()),
        }),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      poor ? h("p", { class: purse ? "bad" : "muted" }, purse ? t("player.too_poor", { chips: dollars(purse) }) : t("player.chips_come")) : null,
      !ready ? h("p", { class: "muted hint" }, t("player.lay_main")) : null,
      layout.last && !layout.total ? h("button", { class: "button gold", "data-act": "again", type: "button", onclick: () => (layout.again(), onChange()) }, t("player.same_again", { total: dollars(totalOf(layout.last)) })) : null,
      h("button", { class: "button", type: "button", disabled: !layout.total, onclick: () => (layout.clear(), onChange()) }, t("player.clear")),
      h(
        "button",
        { class: layout.last && !layout.total ? "button" : "button gold", type: "button", disabled: !ready || busy || poor || (same && placed !== null), onclick: onPlace, "data-act": "bet" },
        ready ? t("player.bet", { total: dollars(layout.total) }) : t("player.bet_nothing"),
      ),
    ),
  );
}

const sortedOf = (amounts) => Object.entries(amounts).sort();
const totalOf = (amounts) => Object.values(amounts ?? {}).reduce((sum, one) => sum + one, 0);

function spot(layout, wager, onChange) {
  const now = layout.amounts[wager.id] ?? 0;
  const told = (amount) => {
    announce(`${wager.name}: ${dollars(amount)}`);
    onChange();
  };
  const range = wager.least === wager.most ? dollars(wager.least ?? 0) : `${dollars(wager.least ?? 0)} – ${dollars(wager.most ?? 0)}`;
  return h(
    "div",
    { class: `spot ${wager.id === "main" ? "main" : ""} ${now ? "laid" : ""}`, key: wager.id },
    h(
      "button",
      {
        class: "spot-press",
        type: "button",
        "data-spot": wager.id,
        "aria-label": t("player.spot", { wager: wager.name, now: now ? dollars(now) : t("player.nothing"), limits: range }),
        onclick: () => told(layout.add(wager)),
        oncontextmenu: (event) => (event.preventDefault(), told(layout.take(wager))),
        onkeydown: (event) => ["-", "Backspace"].includes(event.key) && (event.preventDefault(), told(layout.take(wager))),
      },
      h("span", { class: "spot-name" }, wager.name),
      now ? chip(now, { key: "chip" }) : h("span", { class: "spot-plus", "aria-hidden": "true" }, "+"),
      h("small", { class: "muted" }, range, wager.envy_from ? ` · ${t("player.envy_from", { amount: dollars(wager.envy_from) })}` : ""),
    ),
    now ? h("button", { class: "take", type: "button", "aria-label": t("player.take_back", { wager: wager.name }), onclick: () => told(layout.take(wager)) }, "−") : null,
  );
}
