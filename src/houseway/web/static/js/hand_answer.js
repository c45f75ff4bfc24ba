// What there is to say about a hand: each way's choice with its reasons, one's own setting judged, every legal one.

import { arranging } from "./arrange.js";
import { face } from "./cards.js";
import { asking, bar, counted, doubling, figure, givesUp } from "./coach.js";
import { h } from "./dom.js";
import { capital, spoken, t } from "./page.js";
import { reasons, why } from "./why.js";

/** Return everything about a hand. */
export function answer(told, game, { made, judged, arranged, all, showAll, tryIt, coach }) {
  const house = told.ways.find((one) => one.way === told.house_way) ?? null;
  const others = told.ways.filter((one) => one !== house);
  return h(
    "div",
    { class: "hand-answer", key: "answer" },
    h("div", { class: "answer-columns" }, h("div", { class: "ways" }, house ? way(house, true) : h("p", { class: "muted" }, t("hand.no_house_way")), others.length ? otherWays(others, house) : null, together(told, game)), own(made, judged, house, arranged, coach)),
    settings(told, all, showAll, tryIt, made, coach),
  );
}

// --- the ways ------------------------------------------------------------------------------------------

function way(one, loud) {
  return h(
    "section",
    { class: `panel way ${loud ? "loud" : ""}`, key: one.way, "data-way": one.way },
    h("div", { class: "way-head" }, h("h2", null, loud ? t("hand.house_way") : one.title), loud ? h("p", { class: "muted" }, one.title) : null),
    partsOf(one.parts, loud ? "large" : "small"),
    h("p", { class: "rule" }, one.say),
    h("p", { class: "muted" }, t("hand.by_rule", { rule: one.rule }), one.clauses.length ? [t("hand.law"), " ", why(one.clauses, t("site.why"), one.say)] : null),
    questions(one),
  );
}

function otherWays(others, house) {
  return h(
    "section",
    { class: "other-ways", key: "others" },
    house ? h("h2", null, t("hand.other_ways")) : null,
    others.map((one) => h("details", { class: "panel other-way", key: one.way, "data-way": one.way, open: !house }, h("summary", null, h("b", null, one.title), house ? h("span", { class: `tag ${same(one, house) ? "good" : "gold-text"}` }, t(same(one, house) ? "hand.same" : "hand.differs")) : null), partsOf(one.parts, "small"), h("p", null, one.say, " ", why(one.clauses, t("site.why"), one.say)), questions(one))),
  );
}

const ranksOf = (one) => one.parts.map((part) => part.rank).join("/");
const same = (one, other) => ranksOf(one) === ranksOf(other);

function questions(one) {
  return h(
    "details",
    { class: "questions" },
    h("summary", null, t("hand.asked", { count: one.asked.length })),
    h(
      "ol",
      null,
      one.asked.map((step) => h("li", { key: step.rule, class: step.fired ? "fired" : "" }, h("b", null, step.rule), h("ul", null, step.questions.map(([said, yes], at) => h("li", { key: at }, capital(spoken(said)), "? ", h("span", { class: yes ? "good" : "muted" }, t(yes ? "hand.yes" : "hand.no"))))))),
    ),
  );
}

/** Return the parts of a setting side by side, each with what it is. */
function partsOf(parts, size) {
  return h("div", { class: `set-parts ${size}` }, parts.map((part, at) => h("div", { class: "set-part", key: at }, h("span", { class: "part" }, part.cards.map((card) => face(card, { key: card }))), h("small", null, h("b", null, capital(part.name)), " ", part.rank))));
}

function together(told, game) {
  const made = Object.entries(told.made).filter(([, hand]) => hand.toLowerCase() !== "none");
  if (!made.length) return null;
  return h("section", { class: "panel together", key: "made" }, h("h2", null, t("hand.made")), h("ul", { class: "lines" }, made.map(([wager, hand]) => h("li", { key: wager }, h("span", null, capital(spoken(wager))), h("b", null, hand)))));
}

// --- one's own -----------------------------------------------------------------------------------------

function own(made, judged, house, arranged, coach) {
  return h(
    "section",
    { class: "panel own-setting", id: "own", "aria-label": t("hand.own") },
    h("h2", null, t("hand.own")),
    h("p", { class: "muted" }, t("hand.own_says")),
    arranging(made, judged?.parts, arranged),
    h("div", { class: "judgement", role: "status", "data-judged": judged ? (judged.fouls.length ? "foul" : "legal") : "" }, judgement(made, judged, house), made.whole ? givenUp(givesUp(coach.coaching, made.parts), coach.coaching, made.parts) : null),
    h("div", { class: "actions" }, house ? h("button", { class: "button", type: "button", "data-act": "fill", onclick: () => (made.fill(house.parts.map((part) => part.cards)), arranged()) }, t("hand.fill")) : null, h("button", { class: "button", type: "button", "data-act": "start-over", onclick: () => (made.clear(), arranged()) }, t("hand.start_over"))),
  );
}

const givenUp = (gives, coaching, parts) => (gives ? h("p", { class: gives.best ? "good" : "", key: "gives-up" }, gives.said, " ", doubling(coaching.of(parts), coaching.worth)) : null);

function judgement(made, judged, house) {
  if (!made.whole) return h("p", { class: "muted", key: "open" }, t("hand.to_place", { count: made.row.length }));
  if (!judged) return h("p", { class: "muted", key: "wait" }, t("site.loading"));
  if (!judged.fouls.length) return h("p", { class: "good", key: "legal" }, t(house && same(judged, house) ? "hand.legal_as" : "hand.legal"));
  return h("div", { class: "bad", key: "foul" }, h("b", null, t("hand.foul")), reasons(judged.fouls.map((one) => ({ says: one.reason, clauses: one.clauses }))));
}

// --- every legal setting -------------------------------------------------------------------------------

const FIRST = 12;

function settings(told, all, showAll, tryIt, made, coach) {
  const count = told.settings.length;
  const sorted = inOrder(told, coach.coaching);
  const chosen = all ? sorted : sorted.slice(0, FIRST);
  return h(
    "section",
    { class: "all-settings", key: "settings" },
    h("h2", null, count === 1 ? t("hand.settings_one") : t("hand.settings", { count })),
    valuing(coach),
    h("ol", null, chosen.map((one) => setting(one, told, tryIt, made, coach.coaching))),
    chosen.length < count ? h("button", { class: "button", type: "button", "data-act": "all", onclick: showAll }, t("hand.show_all", { count })) : null,
  );
}

const cardsOf = (one) => one.parts.map((part) => part.cards);

/** Return the settings by what they are worth; before that is known, those first that a house way chooses. */
function inOrder(told, coaching) {
  if (!coaching.worth) return [...told.settings].sort((one, other) => other.ways.length - one.ways.length);
  const worth = (one) => coaching.of(cardsOf(one))?.expectation ?? -Infinity;
  return [...told.settings].sort((one, other) => worth(other) - worth(one) || other.ways.length - one.ways.length);
}

function setting(one, told, tryIt, made, coaching) {
  const found = coaching.of(cardsOf(one));
  const own = made.whole && found !== undefined && coaching.of(made.parts) === found;
  const house = one.ways.includes(told.house_way);
  const ways = found ? one.ways.filter((name) => name !== told.house_way) : one.ways;
  return h(
    "li",
    { key: one.parts.map((part) => part.cards.join("")).join("/"), class: house ? "as-house" : "", "data-worth": found?.expectation },
    h(
      "button",
      { type: "button", class: "setting", title: t("hand.try_it"), onclick: () => tryIt(cardsOf(one)) },
      found ? figure({ one: found, own, house, best: found.gives_up === 0 }) : null,
      partsOf(one.parts, "tiny"),
      found ? bar(found) : null,
      ways.length ? h("span", { class: "tags" }, ways.map((name) => h("span", { class: `tag ${name === told.house_way ? "gold-text" : ""}`, key: name }, name === told.house_way ? t("hand.as_house") : name))) : null,
    ),
  );
}

/** Return how to ask what each setting is worth: with the cards that were seen, if any were. */
function valuing({ coaching, seen, onSeen, onAsk }) {
  const { worth } = coaching;
  const again = worth !== null && worth.seen.join(" ") !== seen.cards.join(" ");
  return h(
    "form",
    { class: "valuing", key: "valuing", onsubmit: (event) => (event.preventDefault(), onAsk()) },
    h("label", { class: "field" }, h("span", null, t("player.worth.seen")), h("input", { id: "seen-cards", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: t("player.worth.seen_hint"), value: seen.text, "aria-describedby": "seen-said", oninput: (event) => onSeen(event.target.value) })),
    worth && !again ? null : asking(coaching, null, again),
    h("p", { id: "seen-said", class: "bad", role: "status", key: "said" }, seen.said),
    worth ? counted(worth) : null,
  );
}
