// A player's hand against the dealer's, part by part, and the result of each wager.

import { ask } from "./api.js";
import { back, face, written } from "./cards.js";
import { paymentsOf } from "./dealer_foretold.js";
import { h } from "./dom.js";
import { capital, t } from "./page.js";
import { results } from "./results.js";
import { why } from "./why.js";

const SAID = { W: "wins", L: "loses", C: "copy" };

export class Settling {
  constructor(path, draw) {
    this.path = path;
    this.draw = draw;
    this.ranks = new Map();
    this.way = { cards: "", advice: null };
  }

  /** Name what lies open, and ask how the house way sets the dealer's hand. */
  learn(now) {
    const turn = shownHand(now);
    this.name(now.dealer_hand.setting, now.dealer_hand.position);
    if (turn?.setting) this.name(turn.setting, turn.position);
    const cards = (now.dealer_hand.cards ?? []).join("");
    if (cards && cards !== this.way.cards && !now.banked) {
      this.way = { cards, advice: null };
      ask("POST", `${this.path}/suggestion`, { position: now.dealer_hand.position }).then((advice) => ((this.way.advice = advice), this.draw()), () => null);
    }
  }

  async name(setting, position) {
    if (!setting || this.ranks.has(written(setting))) return;
    const text = written(setting);
    this.ranks.set(text, []);
    const found = await ask("POST", `${this.path}/preview`, { position, setting: text }).catch(() => null);
    if (found) this.ranks.set(text, found.parts.map((part) => part.rank ?? ""));
    else this.ranks.delete(text);
    this.draw();
  }

  /** Return the comparison of the hand whose turn it is, or the dealer's hand alone. */
  compared(now, facts, told) {
    const dealer = now.dealer_hand;
    if (!dealer.cards?.length || !["dealer", "settling"].includes(now.phase)) return null;
    const hand = shownHand(now);
    const names = Object.fromEntries(facts.wagers.map((one) => [one.id, one.name]));
    const payments = hand ? [...(now.payments ?? []), ...paymentsOf(told)].filter((one) => one.position === hand.position) : [];
    return h(
      "section",
      { class: "compared", key: "compared", "aria-label": t("dealer.compared") },
      !dealer.setting ? this.unset(dealer) : h(
        "div",
        { class: "races", role: "table", key: "races" },
        h("div", { class: "race head", role: "row", key: "head" }, h("b", { role: "columnheader" }, t("dealer.part")), h("span", { role: "columnheader" }, hand ? `${hand.position} ${hand.name}` : ""), h("span", { role: "columnheader" }, now.banked ? t("table.bank") : t("table.dealer")), h("span", { role: "columnheader" }, h("span", { class: "unseen" }, t("dealer.result")))),
        facts.parts.map((part, at) => this.race(part, at, hand, dealer)),
      ),
      hand && (hand.status ?? "played") === "played" && hand.race ? h("p", { class: "verdict" }, h("b", null, t(`dealer.verdict.${hand.race.fouls?.length ? "foul" : hand.race.result}`)), " ", why(hand.race.clauses, t("site.why"), t("dealer.compared"))) : null,
      payments.length ? results(payments, hand.position, names) : null,
      told?.length && payments.length ? h("p", { class: "muted" }, t("dealer.before_paid")) : null,
    );
  }

  /** Return the dealer's hand as it was turned over, and how the house way sets it. */
  unset(dealer) {
    const advice = this.way.advice;
    return h(
      "div",
      { class: "unset", key: "unset" },
      h("div", null, h("p", { class: "muted" }, t("dealer.turned_over")), h("span", { class: "hand" }, dealer.cards.map((card) => face(card, { key: card })))),
      advice ? h("div", null, h("p", null, h("b", null, t("dealer.house_way")), " ", advice.say, " ", why(advice.clauses)), this.laid(advice.setting)) : null,
    );
  }

  race(part, at, hand, dealer) {
    const letter = hand?.race?.parts?.[at];
    const own = hand?.setting?.[at] ?? hand?.shown?.[part.name];
    return h(
      "div",
      { class: "race", role: "row", key: part.name },
      h("b", { role: "rowheader" }, capital(part.name)),
      this.cell(own, hand?.setting, at, hand ? part.cards : 0, "m"),
      this.cell(dealer.setting[at], dealer.setting, at, 0, "d"),
      h("span", { class: `said ${letter ? (letter === "W" ? "W" : "L") : ""}`, role: "cell" }, letter ? t(`player.part.${SAID[letter] ?? "copy"}`) : ""),
    );
  }

  cell(cards, setting, at, hidden, of) {
    const rank = setting ? this.ranks.get(written(setting))?.[at] : "";
    const shown = cards ? cards.map((card) => face(card, { key: `${of}${card}`, "data-move": `${of}${card}` })) : Array.from({ length: hidden }, (_, index) => back({ key: `${of}b${at}${index}` }));
    return h("div", { role: "cell" }, h("span", { class: "hand" }, shown), h("small", null, rank ? capital(rank) : ""));
  }

  /** Return a setting as it is laid down, its parts apart. */
  laid(setting) {
    return h("div", { class: "hand laid" }, setting.map((part, at) => h("span", { class: "part", key: at }, part.map((card) => face(card, { key: card })))));
  }
}

/** Return the hand that is compared now: the one whose turn it is, or the last one that was settled. */
function shownHand(now) {
  const hands = now.hands ?? [];
  const last = (now.payments ?? []).filter((one) => one.position).at(-1)?.position;
  return hands.find((hand) => hand.position === now.turn) ?? (now.phase === "settling" ? hands.find((hand) => hand.position === last) : undefined);
}
