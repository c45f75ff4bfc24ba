// A hand being arranged: cards in a row and in parts, moved by tap, by drag or by keys.

import { cardName, face, sorted, written } from "./cards.js";
import { h } from "./dom.js";
import { announce, capital, t } from "./page.js";

/** The cards of one hand, each in the row or in a part. */
export class Arrangement {
  constructor(cards, parts) {
    this.sizes = parts.map((part) => part.cards);
    this.names = parts.map((part) => part.name);
    this.row = sorted(cards);
    this.parts = parts.map(() => []);
    this.aim = 0;
  }

  get whole() {
    return this.row.length === 0;
  }

  get text() {
    return written(this.parts);
  }

  /** Return where a card is: the number of its part, or -1 for the row. */
  find(card) {
    return this.parts.findIndex((part) => part.includes(card));
  }

  /** Move a card to a part, or to the row; return whether there was room. */
  move(card, to) {
    if (to >= 0 && this.find(card) !== to && this.parts[to].length >= this.sizes[to]) return false;
    this.row = this.row.filter((one) => one !== card);
    this.parts = this.parts.map((part) => part.filter((one) => one !== card));
    if (to < 0) this.row = sorted([...this.row, card]);
    else this.parts[to] = sorted([...this.parts[to], card]);
    this.aimOn();
    return true;
  }

  /** Put two cards in each other's places. */
  swap(one, other) {
    const [here, there] = [this.find(one), this.find(other)];
    this.move(other, -1);
    this.move(one, there);
    this.move(other, here);
  }

  fill(setting) {
    this.row = [];
    this.parts = setting.map((part) => sorted(part));
  }

  clear() {
    this.row = sorted([...this.row, ...this.parts.flat()]);
    this.parts = this.parts.map(() => []);
    this.aim = 0;
  }

  aimOn() {
    const full = (at) => this.parts[at].length >= this.sizes[at];
    if (full(this.aim)) this.aim = Math.max(0, this.parts.findIndex((_, at) => !full(at)));
    if (this.row.length === 1) {
      const open = this.parts.findIndex((_, at) => !full(at));
      if (open >= 0) this.aim = open;
    }
  }
}

/** Return the parts and the row as they are arranged; what is shown of a part comes from a preview of it. */
export function arranging(made, shown, onChange) {
  const act = (card, to) => {
    if (!made.move(card, to)) {
      announce(t("player.part_full", { part: made.names[to] }));
      return;
    }
    announce(t("player.moved", { card: cardName(card), part: to < 0 ? t("player.row") : made.names[to] }));
    onChange();
  };
  return h(
    "div",
    { class: "arranging" },
    made.row.length
      ? h(
          "div",
          { class: "row", "data-part": -1, role: "group", "aria-label": t("player.row") },
          made.row.map((card) => movable(made, card, -1, act, onChange)),
        )
      : null,
    h(
      "div",
      { class: "parts" },
      made.parts.map((cards, at) => part(made, cards, at, shown?.[at], act, onChange)),
    ),
  );
}

function part(made, cards, at, shown, act, onChange) {
  const name = capital(made.names[at]);
  const size = made.sizes[at];
  const open = size - cards.length;
  const aimed = made.row.length > 0 && made.aim === at;
  return h(
    "section",
    { class: `part-box ${aimed ? "aimed" : ""}`, "data-part": at, key: at, "aria-label": name, style: { "--cards": size } },
    h(
      "h3",
      null,
      h("button", { class: "aim", type: "button", "aria-pressed": String(aimed), onclick: () => ((made.aim = at), onChange()) }, name),
      h("span", { class: "muted" }, size === 1 ? t("player.one_card") : t("player.cards", { count: size })),
      h("output", { class: "rank" }, shown?.rank ? capital(shown.rank) : ""),
    ),
    h(
      "div",
      { class: "slots" },
      cards.map((card) => movable(made, card, at, act, onChange)),
      Array.from({ length: open }, (_, n) => h("span", { class: "slot", key: `slot${n}`, "aria-hidden": "true" })),
    ),
  );
}

function movable(made, card, from, act, onChange) {
  return h(
    "button",
    {
      class: "movable",
      type: "button",
      key: card,
      "data-card": card,
      "data-move": `own-${card}`,
      "data-from": "shoe",
      "aria-label": `${cardName(card)}, ${from < 0 ? t("player.row") : made.names[from]}`,
      onclick: () => justDragged || act(card, from < 0 ? made.aim : -1),
      onkeydown: (event) => keyed(event, made, card, from, act),
      onpointerdown: (event) => drag(event, made, card, act, onChange),
    },
    face(card, { "aria-hidden": "true" }),
  );
}

function keyed(event, made, card, from, act) {
  const last = made.parts.length - 1;
  const to = { ArrowDown: Math.min(last, from + 1), ArrowUp: Math.max(-1, from - 1), Backspace: -1, Delete: -1 }[event.key];
  const number = /^[0-9]$/.test(event.key) ? Number(event.key) - 1 : undefined;
  const target = number !== undefined && number <= last ? number : to;
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    beside(event.currentTarget, event.key === "ArrowRight" ? 1 : -1)?.focus();
    event.preventDefault();
  } else if (target !== undefined && target !== from) {
    event.preventDefault();
    act(card, target);
    document.querySelector(`[data-card="${card}"]`)?.focus();
  }
}

function beside(node, step) {
  const all = [...document.querySelectorAll("[data-card]")];
  return all[all.indexOf(node) + step];
}

// --- drag ---------------------------------------------------------------------------------------------

const FAR = 6;
let justDragged = false;

function drag(event, made, card, act, onChange) {
  if (event.button) return;
  const node = event.currentTarget;
  const from = { x: event.clientX, y: event.clientY };
  let moving = false;

  function move(now) {
    const [dx, dy] = [now.clientX - from.x, now.clientY - from.y];
    if (!moving && Math.hypot(dx, dy) < FAR) return;
    if (!moving) {
      moving = true;
      node.classList.add("dragged");
    }
    now.preventDefault();
    node.style.setProperty("transform", `translate(${dx}px, ${dy}px)`);
  }

  function end(now) {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    node.classList.remove("dragged");
    node.style.removeProperty("transform");
    if (!moving) return;
    justDragged = true;
    setTimeout(() => (justDragged = false), 50);
    if (now.type === "pointercancel") return;
    dropped(now, made, card, act, onChange);
  }

  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function dropped(event, made, card, act, onChange) {
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  const other = under.map((one) => one.closest?.("[data-card]")).find((one) => one && one.dataset.card !== card);
  const place = under.map((one) => one.closest?.("[data-part]")).find(Boolean);
  if (!place) return;
  const to = Number(place.dataset.part);
  const full = to >= 0 && made.parts[to].length >= made.sizes[to] && made.find(card) !== to;
  if (other && full) {
    made.swap(card, other.dataset.card);
    onChange();
  } else act(card, to);
}
