// The table as it lies there: the dealer's hand, the seats in the law's order, chips on their spots.

import { back, chip, face } from "./cards.js";
import { h } from "./dom.js";
import { sensorLight } from "./lights.js";
import { dollars, t } from "./page.js";
import { amount, netOf } from "./results.js";

/** Return the table. What `at` says of a position is shown there: whether it can be taken, whose turn it is. */
export function felt(view, facts, { sit = null, yours = [], clock = null, arranged = false } = {}) {
  return h(
    "section",
    { class: `felt ${facts.banked ? "banked" : ""}`, "aria-label": t("table.felt") },
    h("div", { class: "shoe", "data-place": "shoe", "aria-hidden": "true" }),
    h("div", { class: "rack", "data-place": "rack", "aria-hidden": "true" }),
    dealer(view, facts),
    h("p", { class: "motto" }, t(`table.motto.${facts.split}`)),
    h("ol", { class: "seats" }, facts.positions.map((at) => seat(view, facts, at, { sit, yours, clock, arranged }))),
  );
}

// --- the dealer ---------------------------------------------------------------------------------------

function dealer(view, facts) {
  const hand = view.dealer_hand;
  const name = facts.banked ? bankName(view) : (view.dealer ?? t("table.no_dealer"));
  return h(
    "div",
    { class: "dealer-place" },
    h("p", { class: "dealer-name" }, facts.banked ? t("table.bank") : t("table.dealer"), " ", h("b", null, name)),
    h("div", { class: "hand" }, cardsIn(hand, facts, "dealer")),
    h("p", { class: "status" }, statusOf(view)),
  );
}

function bankName(view) {
  const found = (view.seats ?? []).find((seat) => seat.position === view.bank_seat);
  return found?.name ?? t("table.no_bank");
}

function statusOf(view) {
  if (view.void) return t("table.void", { reason: view.void });
  if (view.stopped) return t("table.stopped", { reason: view.stopped });
  if (view.phase === "setting" && view.awaited?.length) return t("table.waits_for_hands");
  if (view.dice?.length) return t("table.dice", { dice: view.dice.join(" · "), start: view.start ?? "" });
  return t(`table.phase.${view.phase}`);
}

/** Return the cards of a hand by parts: face up as far as they are seen, else face down. */
export function cardsIn(hand, facts, of) {
  const setting = hand.setting ?? null;
  const sizes = facts.parts.map((part) => part.cards);
  if (setting) {
    return setting.map((part, at) =>
      h("span", { class: "part", key: `p${at}` }, part.map((card, n) => face(card, { key: card, "data-move": `${of}-${offset(sizes, at) + n}`, "data-turned": "up", "data-from": "shoe" }))),
    );
  }
  if (hand.cards?.length) {
    return h("span", { class: "part" }, hand.cards.map((card, n) => face(card, { key: card, "data-move": `${of}-${n}`, "data-turned": "up", "data-from": "shoe" })));
  }
  if (!hand.held) return null;
  const shown = hand.shown ?? {};
  return facts.parts.map((part, at) =>
    h(
      "span",
      { class: "part", key: `p${at}` },
      shown[part.name]
        ? shown[part.name].map((card, n) => face(card, { key: card, "data-move": `${of}-${offset(sizes, at) + n}`, "data-turned": "up" }))
        : Array.from({ length: part.cards }, (_, n) => back({ key: `b${n}`, "data-move": `${of}-${offset(sizes, at) + n}`, "data-turned": "down", "data-from": "shoe" })),
    ),
  );
}

const offset = (sizes, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0);

// --- the seats ----------------------------------------------------------------------------------------

function seat(view, facts, at, { sit, yours, clock, arranged }) {
  const place = placeOf(facts, at);
  const taken = (view.seats ?? []).find((one) => one.position === at);
  const hand = (view.hands ?? []).find((one) => one.position === at);
  const own = yours.includes(at);
  const turn = view.turn === at || (own && (view.awaited ?? []).includes(at));
  return h(
    "li",
    { class: `seat ${own ? "own" : ""} ${turn ? "turn" : ""} ${taken ? "" : "free"}`, key: at, style: { "--x": `${place.x}%`, "--y": `${place.y}%` } },
    pill(view, at, taken, hand, own, sit, turn ? clock : null),
    hand?.held && !(own && arranged) ? h("div", { class: "hand small" }, cardsIn(hand, facts, `seat-${at}`)) : null,
    hand ? wagers(view, facts, hand, at) : null,
  );
}

/** Return where a seat is, in hundredths of the felt: on an arc, the law's first position where it belongs. */
function placeOf(facts, at) {
  const count = facts.positions.length;
  const n = facts.positions.indexOf(at);
  const share = count === 1 ? 0.5 : n / (count - 1);
  const along = 0.06 + 0.88 * (facts.banked ? 1 - share : share);
  const angle = Math.PI * along;
  return { x: 50 - 41 * Math.cos(angle), y: 24 + 50 * Math.sin(angle) };
}

function pill(view, at, taken, hand, own, sit, clock) {
  if (!taken) {
    if (!sit?.includes(at)) return h("span", { class: "pill empty" }, h("b", null, at), " ", t("table.empty"));
    return h("button", { class: "pill take", type: "button", "data-sit": at }, h("b", null, at), " ", t("table.sit_here"));
  }
  const name = own ? t("table.you") : taken.name;
  return h(
    "span",
    { class: "pill" },
    h("b", null, at),
    " ",
    h("span", { class: "name" }, name),
    " ",
    h("span", { class: "state" }, stateOf(view, at, hand, own), clock ? ` ${clock}` : ""),
  );
}

function stateOf(view, at, hand, own) {
  if (view.bank_seat === at) return t("table.banks");
  if (!hand) return "";
  if (hand.status && hand.status !== "played") return t(`table.status.${hand.status}`);
  if (hand.race) return t(`table.${own ? "own_result" : "result"}.${hand.race.result}`);
  if (view.phase === "setting") return (view.awaited ?? []).includes(at) ? t("table.setting") : t("table.set");
  return "";
}

function wagers(view, facts, hand, at) {
  const taken = (view.payments ?? []).filter((one) => one.position === at && one.kind === "collect").map((one) => one.wager);
  const settled = new Set([...(hand.settled ?? []), ...taken]);
  const net = netOf(view.payments ?? [], at);
  const placed = Object.entries(hand.wagers ?? {}).filter(([, cents]) => cents > 0);
  return h(
    "div",
    { class: "bets" },
    placed.filter(([wager]) => !settled.has(wager)).map(([wager, cents]) => chip(cents, { key: wager, class: wager === "main" ? "main" : "side", label: `${nameOf(facts, wager)} ${dollars(cents)}`, title: nameOf(facts, wager) })),
    (view.lammers ?? []).includes(at) ? h("span", { class: "lammer", title: t("table.lammer") }, "E") : null,
    sensorLight(view, at),
    hand.settled?.length ? h("span", { class: "net", key: "net", "data-move": `net-${at}`, "data-from": "rack" }, amount(net)) : null,
  );
}

/** Return what a wager is called at a table. */
export const nameOf = (facts, wager) => facts.wagers.find((one) => one.id === wager)?.name ?? wager;
