// Next to the felt: how the chosen hand ran against the dealer's, and the reason for every amount that moved.

import { h } from "./dom.js";
import { capital, t } from "./page.js";
import { amount } from "./results.js";
import { why } from "./why.js";

/** Return what there is to say about the chosen place, as far as the replay has come. */
export function side(view, facts, data, { chosen, moves }) {
  const hand = (view.hands ?? []).find((one) => one.position === chosen);
  const seat = (view.seats ?? []).find((one) => one.position === chosen);
  const name = hand?.name ?? seat?.name ?? "";
  const heading = typeof chosen === "number" ? t("replay.position", { position: chosen, name }) : t("replay.rest");
  return h(
    "section",
    { class: "chosen-place", "aria-label": heading },
    h("h2", null, heading),
    typeof chosen === "number" ? comparison(view, facts, data, hand) : null,
    looked(facts, typeof chosen === "number" ? hand : view.dealer_hand),
    money(chosenMoves(view, chosen, moves), chosen),
  );
}

/** Return where the hand is looked at from every side, if its cards are seen: every setting, and the house way's. */
function looked(facts, hand) {
  if (hand?.cards?.length !== facts.hand_cards) return null;
  const setting = hand.setting ? `&setting=${encodeURIComponent(hand.setting.map((part) => part.join("")).join("/"))}` : "";
  return h("p", null, h("a", { class: "look-closer", "data-act": "any-hand", href: `/hand?game=${facts.game}&cards=${hand.cards.join("")}${setting}` }, t("replay.look")));
}

function chosenMoves(view, chosen, moves) {
  if (typeof chosen === "number") return moves.filter((one) => one.position === chosen);
  const seats = new Set((view.hands ?? []).map((one) => one.position));
  return moves.filter((one) => !seats.has(one.position) || one.kind === "contribution");
}

// --- part by part --------------------------------------------------------------------------------------

function comparison(view, facts, data, hand) {
  if (!hand?.race) return hand ? h("p", { class: "muted" }, t("replay.no_parts")) : null;
  const rank = (setting, at) => (setting ? data.ranks[`${facts.parts[at].name}:${setting[at]?.join("")}`] : null);
  const { race } = hand;
  return [
    h(
      "ul",
      { class: "lines" },
      race.parts.map((result, at) =>
        h(
          "li",
          { key: at },
          h("span", null, h("b", null, capital(facts.parts[at].name)), h("span", { class: "muted block" }, t("replay.against", { own: rank(hand.setting, at) ?? "?", other: rank(view.dealer_hand.setting, at) ?? "?" }))),
          h("strong", { class: result === "W" ? "good" : "bad" }, t(`replay.result.${result}`)),
        ),
      ),
    ),
    h("p", null, capital(t(`replay.result.${race.fouls?.length ? "foul" : race.result}`)), " ", (race.fouls ?? []).map((one) => one.reason).join("; "), " ", why(race.clauses, cited(data, race.clauses), t("replay.parts"))),
  ];
}

/** Return how the first of some clauses is cited, short. */
function cited(data, clauses) {
  const found = data.cites[clauses?.[0]] ?? "";
  return found.includes("§") ? found.slice(found.indexOf("§")) : t("site.why");
}

// --- money ---------------------------------------------------------------------------------------------

function money(own, chosen) {
  const numbered = typeof chosen === "number";
  const names = [...new Set(own.map(nameOf))];
  return h(
    "div",
    { class: "replay-money" },
    h("h3", null, t("replay.money")),
    own.length ? null : h("p", { class: "muted" }, t("replay.no_money")),
    names.map((name) => h("section", { key: name, "data-money": name }, h("h4", null, name), h("ul", { class: "lines tight" }, own.filter((one) => nameOf(one) === name).map((one) => moveLine(one, name, numbered))))),
    numbered && own.some((one) => one.kind !== "stake") ? h("p", { class: "sum" }, h("b", null, t("replay.sum")), amount(netOf(own))) : null,
  );
}

const GAINS = new Set(["pay", "envy"]);
const LOSSES = new Set(["collect", "fee"]);

/** Return the sum of some amounts that moved for the bettor, in cents. */
const netOf = (own) => own.reduce((sum, one) => sum + (GAINS.has(one.kind) ? one.units : LOSSES.has(one.kind) ? -one.units : 0), 0) / 10_000;

const nameOf = (one) => capital(one.wager_name || t(`replay.kind.${one.kind}`));

function moveLine(one, name, numbered) {
  const [won, lost] = [GAINS.has(one.kind), LOSSES.has(one.kind)];
  const reason = one.kind === "stake" ? "" : one.reason.replace(/: stake back$/, "").replaceAll("_", " ");
  const said = [t(`replay.kind.${one.kind}`), reason].filter(Boolean).join(": ");
  return h(
    "li",
    { key: one.number },
    h("span", { class: one.kind === "stake" ? "muted" : "" }, capital(said), numbered ? "" : h("span", { class: "muted block" }, t("replay.from_to", { source: one.source, to: one.to })), " ", why(one.clauses, t("site.why"), `${name}, ${said}`)),
    h("strong", { class: `figure ${won ? "good" : lost ? "bad" : one.kind === "stake" ? "muted" : ""}` }, won ? `+${one.amount}` : lost ? `−${one.amount}` : one.amount),
  );
}
