// The coach: what every setting of a hand is worth, asked for by the user, and shown best first.

import { ask } from "./api.js";
import { cardName, face, sorted } from "./cards.js";
import { h } from "./dom.js";
import { announce, capital, t } from "./page.js";
import { why } from "./why.js";

/** What the coach has said about one hand, or why it has said nothing. */
export class Coaching {
  constructor(onChange) {
    this.onChange = onChange;
    this.asked = 0;
    this.forget();
  }

  forget() {
    this.asked += 1;
    this.state = "idle";
    this.worth = null;
    this.said = "";
  }

  async ask(path, body) {
    this.forget();
    const asked = this.asked;
    this.state = "counting";
    announce(t("player.worth.counting"));
    this.onChange();
    try {
      const { worth } = await ask("POST", path, body);
      if (asked !== this.asked) return;
      this.state = "told";
      this.worth = worth;
      announce([t("player.worth.told", { count: worth.settings.length, worth: percent(worth.best.expectation, true), setting: inWords(worth.best.setting) }), doubling(worth.best, worth)].filter(Boolean).join(" "));
    } catch (error) {
      if (asked !== this.asked) return;
      this.state = "unavailable";
      this.said = error.reasons ? capital(error.message) : t("site.no_answer");
      announce(`${t("player.worth.unavailable")} ${this.said}`);
    }
    this.onChange();
  }

  /** Return what a setting of the hand is worth, if the coach was asked about these cards. */
  of(setting) {
    return setting ? this.worth?.settings.find((one) => same(one.setting, setting)) : undefined;
  }
}

const same = (one, other) => one.length === other.length && one.every((part, at) => part.length === other[at].length && part.every((card) => other[at].includes(card)));
const equal = (one, other) => one.win === other.win && one.lose === other.lose && one.double_adds === other.double_adds;
const inWords = (setting) => setting.map((part) => sorted(part).map(cardName).join(", ")).join("; ");

/** Return a share of a wager in percent: with its sign where it may be won or lost. */
function percent(share, signed = false) {
  const size = Math.abs(share * 100);
  const said = size > 0 && size < 0.005 ? t("player.worth.least") : size.toFixed(size < 1 ? 2 : 1);
  const sign = !signed || !Number(size.toFixed(2)) ? "" : share < 0 ? "−" : "+";
  return `${sign}${said}\u00a0%`;
}

/** Return in words whether to double with a setting, and what that adds; nothing where there is no Double Down. */
export function doubling(one, worth) {
  if (one.double === null || one.double === undefined) return "";
  const key = worth.doubled ? "doubled" : one.double ? "double_adds" : "double_loses";
  return t(`player.worth.${key}`, { percent: percent(one.double_adds, worth.doubled) });
}

/** Return what a setting gives up, or gave up once it was played; nothing where it was not counted. */
export function givesUp(coaching, setting, played = false) {
  const found = coaching.of(setting);
  if (!found) return null;
  const key = found.gives_up > 0 ? (played ? "gave_up" : "gives_up") : played ? "was_best" : "is_best";
  return { best: !(found.gives_up > 0), said: t(`player.worth.${key}`, { percent: percent(found.gives_up) }) };
}

/** Return the settings to be shown: one of each worth, the best first, and always one's own and the house way's. */
function ranked(worth, own, most) {
  const groups = [];
  for (const one of worth.settings) {
    const group = groups.find((found) => equal(found[0], one));
    if (group) group.push(one);
    else groups.push([one]);
  }
  const isOwn = (one) => own && same(one.setting, own);
  const isHouse = (one) => same(one.setting, worth.house_way.setting);
  return groups
    .map((group, at) => ({ one: group.find(isOwn) ?? group.find(isHouse) ?? group[0], own: group.some(isOwn), house: group.some(isHouse), best: at === 0 }))
    .filter((row, at) => at < most || row.own || row.house);
}

// --- how it looks --------------------------------------------------------------------------------------

/** Return how often a setting wins, pushes and loses, as a bar with its figures. */
export function bar(one) {
  const every = one.win + one.push + one.lose;
  const share = (count) => `${((100 * count) / every).toFixed(1)}\u00a0%`;
  const said = { win: share(one.win), push: share(one.push), lose: share(one.lose) };
  const [win, push] = [(100 * one.win) / every, (100 * one.push) / every];
  return h(
    "span",
    { class: "odds" },
    h(
      "svg",
      { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("rect", { class: "win", x: 0, y: 0, width: win, height: 4 }),
      h("rect", { class: "push", x: win, y: 0, width: push, height: 4 }),
      h("rect", { class: "lose", x: win + push, y: 0, width: Math.max(0, 100 - win - push), height: 4 }),
    ),
    h("small", null, h("span", null, t("player.worth.win", said)), one.push ? h("span", null, t("player.worth.push", said)) : null, h("span", null, t("player.worth.lose", said))),
  );
}

/** Return what a setting is worth, and what is to be said of it. */
export function figure(row) {
  return h(
    "span",
    { class: "worth-head" },
    h("b", { class: `figure ${row.one.expectation < 0 ? "bad" : "good"}` }, percent(row.one.expectation, true)),
    row.own ? h("span", { class: "tag yours", key: "own" }, t("player.worth.yours")) : null,
    row.house ? h("span", { class: "tag gold-text", key: "house" }, t("player.worth.house_way")) : null,
    row.best && !row.own && !row.house ? h("span", { class: "tag", key: "best" }, t("player.worth.best")) : null,
    row.one.double ? h("span", { class: "tag good", key: "double" }, t("player.worth.double")) : null,
  );
}

function settingRow(row, layIt) {
  const { one } = row;
  return h(
    "li",
    { key: one.setting.map((part) => part.join("")).join("/"), class: row.own ? "own" : "", "data-worth": one.expectation },
    h(
      "button",
      { type: "button", class: "worth-row", title: t("player.worth.lay_it"), onclick: () => layIt(one.setting) },
      figure(row),
      h("span", { class: "worth-cards" }, one.setting.map((part, at) => h("span", { class: "part", key: at }, sorted(part).map((card) => face(card, { key: card }))))),
      bar(one),
    ),
  );
}

/** Return the best settings of a hand, each to be laid by one press. */
function settingsByWorth(worth, own, layIt, most = 3) {
  return h("ol", { class: "worths", key: "worths", "aria-label": t("player.worth.title") }, ranked(worth, own, most).map((row) => settingRow(row, layIt)));
}

/** Return what stands there while there is no answer: how to ask, by a press or in a form; that it is counted; why not. */
export function asking(coaching, onAsk, again = false) {
  const counting = coaching.state === "counting";
  const failed = coaching.state === "unavailable";
  return [
    failed ? h("p", { class: "bad", key: "failed" }, t("player.worth.unavailable"), " ", coaching.said) : null,
    counting ? h("p", { class: "muted counting", key: "counting" }, t("player.worth.counting"), " ", h("small", null, t("player.worth.first"))) : null,
    counting ? null : h("button", { class: "button small", type: onAsk ? "button" : "submit", key: "ask", "data-act": "worth", onclick: onAsk }, t(failed || again ? "player.worth.again" : "player.worth.ask")),
  ];
}

/** Return how it was counted. */
export const counted = (worth) => h("p", { class: "muted counted", key: "counted" }, t(worth.seen.length ? "player.worth.counted_seen" : "player.worth.counted", { hands: worth.hands.toLocaleString("en-US"), seen: worth.seen.length }));

// --- at a table ----------------------------------------------------------------------------------------

/** Return the panel of a practice table: what the house way says, and what settings are worth if the player asked. */
export function coachPanel(coaching, { made, fouls, advice, onAsk, lay, buttons }) {
  const { worth } = coaching;
  return h(
    "section",
    { class: "panel coach", key: "coach", "aria-label": t("player.coach") },
    h("h2", null, t("player.coach")),
    worth && made ? valued(coaching, made, fouls, lay) : houseRule(advice),
    made && !worth ? asking(coaching, onAsk) : null,
    h("div", { class: "actions", key: "actions" }, buttons),
  );
}

function houseRule(advice) {
  if (!advice) return h("p", { class: "muted", key: "idle" }, t("player.coach_idle"));
  return [h("p", { key: "say" }, advice.say, " ", why(advice.clauses)), h("p", { class: "muted", key: "rule" }, t("player.coach_rule", { rule: advice.rule.replaceAll("-", " ") }))];
}

function valued(coaching, made, fouls, lay) {
  const { house_way: house } = coaching.worth;
  const own = made.whole ? made.parts : null;
  return [
    ownWorth(coaching, own, fouls),
    own ? null : toDouble(coaching.worth),
    settingsByWorth(coaching.worth, own, lay),
    h("p", { key: "house-says" }, house.gives_up > 0 ? t("player.worth.house_gives_up", { percent: percent(house.gives_up) }) : t("player.worth.house_best"), " ", h("span", { class: "muted" }, house.say), " ", why(house.clauses)),
    counted(coaching.worth),
  ];
}

function toDouble(worth) {
  const said = doubling(worth.best, worth);
  return said ? h("p", { key: "double" }, t("player.worth.with_best", { says: said })) : null;
}

function ownWorth(coaching, own, fouls) {
  const gives = givesUp(coaching, own);
  if (gives) return h("p", { class: `gives-up ${gives.best ? "good" : ""}`, key: "own" }, gives.said, " ", doubling(coaching.of(own), coaching.worth));
  return h("p", { class: "gives-up muted", key: "own" }, t(own && fouls?.length ? "player.worth.fouls" : "player.worth.arrange"));
}
