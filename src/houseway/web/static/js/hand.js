// A hand analysed: cards chosen by keys or from the deck, every setting, the house way's and why, the user's own judged.

import { ask } from "./api.js";
import { Arrangement } from "./arrange.js";
import { cardName, face, written } from "./cards.js";
import { Coaching } from "./coach.js";
import { h, patch } from "./dom.js";
import { answer } from "./hand_answer.js";
import { announce, boot, notice, t } from "./page.js";
import { reasons } from "./why.js";

const root = document.getElementById("hand");
const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const query = new URLSearchParams(location.search);
const state = { game: gameOf(query.get("game")), cards: [], typed: null, said: "", told: null, refused: null, busy: false, made: null, judged: null, all: false, coaching: new Coaching(() => draw()), seen: { text: "", cards: [], said: "" } };

function gameOf(id) {
  return boot.games.find((one) => one.game === id) ?? boot.games.find((one) => one.game === "pa-659a") ?? boot.games[0];
}

// --- the cards -----------------------------------------------------------------------------------------

const deckOf = (game) => [...[...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit)), ...(game.joker ? ["Jk"] : [])];

/** Read cards as people type them; return them, and what is wrong with the first that is none. */
function read(text, most = state.game.hand_cards, besides = []) {
  const found = [];
  for (const one of text.match(/jk|joker|10[cdhs]|[2-9tjqka][cdhs]|[^\s,/]+/gi) ?? []) {
    const plain = one.replace("10", "T");
    const card = /^j(k|oker)$/i.test(plain) ? "Jk" : plain[0].toUpperCase() + plain.slice(1).toLowerCase();
    if (!deckOf(state.game).includes(card)) return [found, t("hand.unknown", { card: one })];
    if (found.includes(card) || besides.includes(card)) return [found, t("hand.twice", { card: cardName(card) })];
    if (found.length === most) return [found, t("hand.too_many", { size: state.game.hand_cards })];
    found.push(card);
  }
  return [found, ""];
}

function type(text) {
  const [cards, said] = read(text);
  state.typed = text;
  state.said = said;
  take(cards);
}

function press(card) {
  const held = state.cards.includes(card);
  if (!held && state.cards.length === state.game.hand_cards) return notice(t("hand.full"), "bad");
  state.typed = null;
  state.said = "";
  take(held ? state.cards.filter((one) => one !== card) : [...state.cards, card]);
  announce(t(held ? "hand.back" : "hand.taken", { card: cardName(card), count: state.cards.length, size: state.game.hand_cards }));
}

function random() {
  const deck = deckOf(state.game);
  const cards = [];
  while (cards.length < state.game.hand_cards) {
    const [at] = crypto.getRandomValues(new Uint32Array(1));
    if (at < 2 ** 32 - (2 ** 32 % deck.length)) cards.push(...deck.splice(at % deck.length, 1));
  }
  state.typed = null;
  state.said = "";
  take(cards);
}

function choose(id) {
  state.game = gameOf(id);
  state.typed = null;
  const deck = deckOf(state.game);
  take(state.cards.filter((card) => deck.includes(card)).slice(0, state.game.hand_cards));
}

function take(cards) {
  state.cards = cards;
  state.told = state.refused = state.judged = state.made = null;
  state.all = false;
  state.coaching.forget();
  see(state.seen.text);
  remember();
  draw();
  if (cards.length === state.game.hand_cards) look();
}

function remember() {
  const setting = state.made?.whole ? `&setting=${encodeURIComponent(state.made.text.replaceAll(" ", ""))}` : "";
  history.replaceState(null, "", `?game=${state.game.game}&cards=${state.cards.join("")}${setting}`);
}

// --- what is asked -------------------------------------------------------------------------------------

async function look(setting = "") {
  const [game, cards] = [state.game, state.cards];
  state.busy = true;
  draw();
  try {
    const told = await ask("POST", `/games/${game.game}/hand`, { cards: cards.join(" "), setting });
    if (game !== state.game || cards !== state.cards) return;
    state.told = told;
    state.made ??= new Arrangement(cards, game.parts);
    if (told.judged && setting) state.made.fill(told.judged.parts.map((part) => part.cards));
    state.judged = told.judged;
  } catch (error) {
    if (game !== state.game || cards !== state.cards) return;
    if (setting) state.judged = null;
    else state.refused = error.reasons ?? [{ says: t("site.no_answer"), clauses: [] }];
  }
  state.busy = false;
  draw();
}

// --- what each setting is worth ------------------------------------------------------------------------

/** Take cards that lie elsewhere: the dealer cannot have them. */
function see(text) {
  const [cards, said] = read(text, Infinity, state.cards);
  state.seen = { text, cards, said };
}

/** Ask the coach; a user who is not signed in becomes a guest. */
async function askWorth() {
  if (state.seen.said) return announce(state.seen.said);
  if (!boot.me && !boot.csrf) boot.csrf = (await ask("POST", "/session/guest").catch(() => ({}))).csrf;
  return state.coaching.ask("/hands/coach", { game: state.game.game, cards: state.cards.join(" "), seen: state.seen.cards.join(" ") });
}

/** Judge one's own setting as soon as every card lies in a part. */
async function arranged() {
  state.judged = null;
  remember();
  draw();
  if (!state.made.whole) return;
  const setting = state.made.text;
  const told = await ask("POST", `/games/${state.game.game}/hand`, { cards: state.cards.join(" "), setting }).catch(() => null);
  if (!told || !state.made?.whole || state.made.text !== setting) return;
  state.judged = told.judged;
  draw();
  announce(told.judged.fouls.length ? `${t("hand.foul")}: ${told.judged.fouls.map((one) => one.reason).join("; ")}` : t("hand.legal"));
}

function tryIt(setting) {
  state.made.fill(setting);
  arranged();
  document.getElementById("own").scrollIntoView({ block: "center" });
}

// --- drawing -------------------------------------------------------------------------------------------

function draw() {
  const done = state.told !== null;
  patch(
    root,
    h("div", { class: "choose-hand", key: "choose" }, deck(), chosen(done)),
    state.refused ? h("div", { class: "refused", role: "alert", key: "refused" }, h("b", null, t("hand.refused")), reasons(state.refused)) : null,
    state.busy && !done ? h("p", { class: "muted loading", key: "busy", role: "status" }, t("hand.looking")) : null,
    !done && !state.busy && !state.refused ? argued() : null,
    done ? answer(state.told, state.game, { made: state.made, judged: state.judged, arranged, all: state.all, showAll: () => ((state.all = true), draw()), tryIt, coach: { coaching: state.coaching, seen: state.seen, onSeen: (text) => (see(text), draw()), onAsk: askWorth } }) : null,
  );
}

/** Return hands that people argue about, to begin with. */
function argued() {
  const size = state.game.hand_cards;
  return h("section", { class: "argued", key: "argued" }, h("h2", null, t("hand.argued")), h("ul", null, ARGUED.map(([key, cards]) => h("li", { key }, h("button", { type: "button", class: "setting", "data-argued": key, onclick: () => type(cards.slice(0, size).join(" ")) }, h("span", { class: "part" }, cards.slice(0, size).map((card) => face(card, { key: card, "aria-hidden": "true" }))), h("span", null, t(`hand.about.${key}`)))))));
}

const ARGUED = [
  ["joker", ["As", "Jk", "Kd", "9c", "8h", "4d", "2s"]],
  ["pairs", ["Ks", "Kh", "8d", "8c", "4h", "4s", "Ad"]],
  ["straight", ["Kh", "Qc", "Jd", "Ts", "9h", "Td", "9c"]],
  ["wheel", ["Ah", "2c", "3d", "4s", "5h", "Kd", "Kc"]],
  ["aces", ["As", "Ah", "Ad", "Ac", "Jk", "Ks", "Kd"]],
  ["flush", ["Ah", "Jh", "9h", "6h", "3h", "Ks", "Kd"]],
];

function deck() {
  const cards = deckOf(state.game);
  const at = Math.max(0, cards.indexOf(state.focus));
  return h(
    "section",
    { class: "panel deck", "aria-label": t("hand.deck"), onkeydown: keyed },
    cards.map((card, n) => {
      const held = state.cards.includes(card);
      return h("button", { key: card, type: "button", class: `deck-card ${held ? "held" : ""}`, "data-deck": card, tabindex: n === at ? 0 : -1, "aria-pressed": String(held), "aria-label": cardName(card), style: { "--column": card === "Jk" ? 14 : (n % RANKS.length) + 1, "--row": card === "Jk" ? 1 : Math.floor(n / RANKS.length) + 1 }, onclick: () => press(card) }, face(card, { "aria-hidden": "true" }));
    }),
  );
}

/** Go from card to card by arrows: along a suit, or to the suit below or above. */
function keyed(event) {
  const cards = deckOf(state.game);
  const at = cards.indexOf(event.target.dataset.deck);
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: RANKS.length, ArrowUp: -RANKS.length }[event.key];
  if (at < 0 || step === undefined) return;
  event.preventDefault();
  state.focus = cards[Math.min(cards.length - 1, Math.max(0, at + step))];
  draw();
  root.querySelector(`[data-deck="${state.focus}"]`).focus();
}

function chosen(done) {
  const { game, cards } = state;
  const open = game.hand_cards - cards.length;
  return h(
    "section",
    { class: "panel chosen-hand", "aria-label": t("hand.chosen") },
    h("label", { class: "field" }, h("span", null, t("hand.game")), h("select", { "data-act": "game", onchange: (event) => choose(event.target.value) }, boot.games.map((one) => h("option", { key: one.game, value: one.game, selected: one.game === game.game }, `${one.name}, ${one.split}, ${one.licensed ? one.law : t("hand.unlicensed")}`)))),
    h("div", { class: "chosen-cards" }, cards.map((card) => h("button", { key: card, type: "button", class: "chosen-card", "data-held": card, "aria-label": t("hand.put_back", { card: cardName(card) }), onclick: () => press(card) }, face(card, { "aria-hidden": "true" }))), Array.from({ length: open }, (_, n) => h("span", { class: "slot", key: `slot${n}` }))),
    h("label", { class: "field" }, h("span", null, t("hand.typed")), h("input", { id: "typed-cards", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: t("hand.typed_hint"), value: state.typed ?? cards.join(" "), "aria-describedby": "typed-said", oninput: (event) => type(event.target.value) })),
    h("p", { id: "typed-said", class: state.said ? "bad" : "muted", role: "status" }, state.said || (open === 0 ? "" : open === 1 ? t("hand.to_choose_one") : t("hand.to_choose", { count: open }))),
    h(
      "div",
      { class: "actions" },
      h("button", { class: done ? "button" : "button gold", type: "button", "data-act": "random", onclick: random }, t("hand.random")),
      cards.length ? h("button", { class: "button", type: "button", "data-act": "clear", onclick: () => type("") }, t("hand.clear")) : null,
      done ? h("button", { class: "button", type: "button", "data-act": "copy", onclick: copy }, t("hand.copy")) : null,
    ),
  );
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href);
    notice(t("hand.copied"));
  } catch {
    notice(location.href);
  }
}

const [first] = read(query.get("cards") ?? "");
const setting = query.get("setting") ?? "";
state.cards = first;
draw();
if (first.length === state.game.hand_cards) look(setting ? written(setting.split("/").map((part) => read(part)[0])) : "");
