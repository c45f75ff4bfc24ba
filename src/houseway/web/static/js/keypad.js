// Keys for a physical deck: ranks and suits to type a hand in, part by part, and the faces of dice.

import { cardName, face } from "./cards.js";
import { h } from "./dom.js";
import { capital, t } from "./page.js";

const RANKS = "AKQJT98765432";
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
let rank = "";

const asParts = (value, parts) => (Array.isArray(value) && value.length ? value : parts.map(() => []));

/** Return keys that fill the parts of a setting, from the highest part down. */
export function cardKeys(field, value, change, parts, taken) {
  const typed = asParts(value, parts);
  const used = new Set([...taken, ...typed.flat()]);
  const free = typed.findIndex((part, at) => part.length < parts[at].cards);
  const put = (card) => {
    if (free < 0 || used.has(card)) return;
    rank = "";
    change(field.name, typed.map((part, at) => (at === free ? [...part, card] : part)));
  };
  const pressRank = (one) => ((rank = rank === one ? "" : one), change(field.name, typed));
  const takeBack = () => {
    rank = "";
    const last = typed.findLastIndex((part) => part.length);
    change(field.name, typed.map((part, at) => (at === last ? part.slice(0, -1) : part)));
  };
  const key = (event) => {
    const letter = event.key === "1" ? "T" : event.key.toUpperCase();
    const suit = event.key.toLowerCase();
    if (event.key === "Backspace") takeBack();
    else if (rank && SUITS[suit]) put(rank + suit);
    else if (event.key === "*") put("Jk");
    else if (RANKS.includes(letter)) pressRank(letter);
    else return;
    event.preventDefault();
  };
  return h(
    "fieldset",
    { class: "card-keys", key: field.name, tabindex: "0", onkeydown: key, "aria-describedby": "card-keys-help" },
    h("legend", null, field.label),
    h("div", { class: "typed-parts" }, parts.map((part, at) => h("div", { class: `typed-part${at === free ? " aimed" : ""}`, key: part.name }, h("small", null, capital(part.name)), h("span", { class: "hand" }, typed[at].map((card) => face(card, { key: card })), Array.from({ length: Math.max(0, part.cards - typed[at].length) }, (_, index) => h("span", { class: "slot", key: `s${index}` })))))),
    h("p", { class: "keys-row", role: "group", "aria-label": t("dealer.ranks") }, [...RANKS].map((one) => h("button", { class: "key", type: "button", key: one, disabled: free < 0, "aria-pressed": String(rank === one), "aria-label": t(`word.rank.${one}`), "data-key": one, onclick: () => pressRank(one) }, one === "T" ? "10" : one))),
    h(
      "p",
      { class: "keys-row", role: "group", "aria-label": t("dealer.suits") },
      Object.entries(SUITS).map(([suit, sign]) => h("button", { class: `key suit-key suit-${suit}`, type: "button", key: suit, disabled: !rank || used.has(rank + suit), "aria-label": rank ? cardName(rank + suit) : t(`word.suit.${suit}`), "data-key": suit, onclick: () => put(rank + suit) }, sign)),
      h("button", { class: "key wide-key", type: "button", disabled: free < 0 || used.has("Jk"), "data-key": "Jk", onclick: () => put("Jk") }, t("word.joker")),
      h("button", { class: "key wide-key", type: "button", disabled: !typed.flat().length, "data-key": "back", onclick: takeBack }, t("dealer.take_back")),
    ),
    h("p", { class: "keys-help", id: "card-keys-help" }, free < 0 ? t("dealer.all_typed") : rank ? t("dealer.press_suit", { rank: t(`word.rank.${rank}`) }) : t("dealer.press_rank", { part: parts[free].name })),
  );
}

/** Return keys for the faces of dice. */
export function diceKeys(field, value, change) {
  const faces = value && typeof value === "object" ? value : {};
  return h(
    "fieldset",
    { class: "card-keys", key: field.name },
    h("legend", null, field.label),
    field.each.map((die) => h("p", { class: "keys-row", role: "group", key: die.name, "aria-label": t("dealer.die", { die: die.name }) }, [1, 2, 3, 4, 5, 6].map((one) => h("button", { class: "key", type: "button", key: one, "aria-pressed": String(Number(faces[die.name]) === one), "data-key": `${die.name}-${one}`, onclick: () => change(field.name, { ...faces, [die.name]: one }) }, one)))),
  );
}
