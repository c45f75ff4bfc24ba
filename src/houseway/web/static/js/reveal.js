// The reveal: the player's hand next to the dealer's, part by part, and the result of every wager.

import { face } from "./cards.js";
import { h } from "./dom.js";
import { capital, t } from "./page.js";
import { amount, netOf, results } from "./results.js";
import { why } from "./why.js";

const SAID = { W: "wins", L: "loses", C: "copy" };

/** Return how a hand did in a view. Told with it: the parts, the names of wagers, ranks of a setting, late choices, what the setting gave up. */
export function comparison(view, hand, { parts, names, ranksOf, choices, gave }) {
  if (!hand) return h("div", { class: "waiting" }, h("p", null, t("player.wait.settling")));
  const done = hand.race;
  return h(
    "section",
    { class: "comparison", "aria-label": t("player.comparison") },
    h(
      "div",
      { class: "races", role: "table" },
      parts.map((part, at) => race(part, at, hand, view.dealer_hand, done?.parts?.[at], ranksOf)),
    ),
    h("div", { class: "outcome" }, verdict(view, hand, done), results(view.payments ?? [], hand.position, names), gave ? h("p", { class: "gave-up muted" }, gave.said) : null, choices),
  );
}

function verdict(view, hand, done) {
  if (!done) return h("p", { class: "muted" }, view.turn === hand.position ? t("player.your_hand_now") : t("player.hands_before"));
  const said = t(`player.verdict.${done.fouls?.length ? "foul" : done.result}`);
  return h("p", { class: `verdict ${done.result}` }, said, " ", why(done.clauses, t("site.why"), t("player.main_result")));
}

function race(part, at, hand, dealer, letter, ranksOf) {
  return h(
    "div",
    { class: `race ${letter ?? ""}`, role: "row", key: part.name },
    h("b", { role: "rowheader" }, capital(part.name)),
    cell(hand.setting?.[at], ranksOf(hand.setting)[at], "m"),
    h("span", { class: `said ${letter ?? ""}`, role: "cell" }, letter ? t(`player.part.${SAID[letter] ?? "copy"}`) : "–"),
    cell(dealer.setting?.[at], ranksOf(dealer.setting)[at], "d"),
  );
}

function cell(cards, rank, of) {
  const drawn = (cards ?? []).map((card) => face(card, { key: `${of}${card}` }));
  return h("div", { class: "race-hand", role: "cell" }, h("span", { class: "hand tiny" }, drawn), h("small", null, rank ? capital(rank) : ""));
}

/** Return what the last round came to, open to be read until the next one. */
export function lastRound({ view, hand, round }, told) {
  const net = netOf(view.payments ?? [], hand.position);
  return h(
    "details",
    { class: "last-round", open: true, key: `last-${round}` },
    h("summary", null, t("player.last_round", { round }), " ", amount(net)),
    comparison(view, hand, told),
  );
}
