// A player's table: sit, bet, arrange the hand, and see what became of it, and why.

import { Refused, ask, command } from "./api.js";
import { Arrangement, arranging } from "./arrange.js";
import { Layout, betting } from "./betting.js";
import { Coaching, coachPanel, givesUp } from "./coach.js";
import { h, patch } from "./dom.js";
import { felt, nameOf } from "./felt.js";
import { form, keyOf } from "./forms.js";
import { connectionNote, watch } from "./live.js";
import { moved } from "./motion.js";
import { announce, boot, capital, dollars, exactDollars, notice, t } from "./page.js";
import { comparison, lastRound } from "./reveal.js";
import { typed } from "./typed.js";
import { reasons, why } from "./why.js";

const facts = boot.facts;
const table = boot.table;
const path = `/tables/${encodeURIComponent(table)}`;
for (const wager of facts.wagers) wager.name = capital(wager.name.replace(/ [Ww]ager$/, ""));
const names = Object.fromEntries(facts.wagers.map((one) => [one.id, one.name]));
/** Steps that have a place of their own on this page. */

const state = {
  message: null,
  connection: "connecting",
  busy: false,
  refused: null,
  layout: new Layout(table, facts.wagers),
  hand: null,
  made: null,
  preview: null,
  advice: null,
  coaching: new Coaching(() => draw()),
  last: null,
  ranks: new Map(),
  filled: {},
  sent: new Set(),
  until: null,
};

const root = document.getElementById("table");
const view = () => state.message?.view;
const optionOf = (step) => state.message?.options.find((one) => one.step === step);
const isOpen = (option) => option && !option.reasons?.length;
const mine = () => (view()?.seats ?? []).filter((seat) => seat.own).map((seat) => seat.position);
const myHand = () => (view()?.hands ?? []).find((hand) => hand.own);

// --- what is done ------------------------------------------------------------------------------------

async function act(action, said = "") {
  state.busy = true;
  state.refused = null;
  draw();
  try {
    const answer = await command(table, action);
    if (said) announce(said);
    return answer;
  } catch (error) {
    state.refused = error instanceof Refused ? error.reasons : [{ says: t("site.no_answer") }];
    announce(state.refused.map((one) => one.says).join(". "));
    return null;
  } finally {
    state.busy = false;
    draw();
  }
}

const sit = (position) => act({ step: "sit", position }, t("player.sat", { position }));

async function bet() {
  const at = optionOf("wager")?.position;
  if (at === undefined) return announce(t("player.not_now"));
  const done = await act({ step: "wager", position: at, wagers: { ...state.layout.amounts } }, t("player.bet_placed"));
  if (!done) return;
  state.layout.keep();
  await ask("POST", `${path}/ready`).catch(() => null);
}

async function setHand() {
  if (!state.made?.whole) return;
  await act({ step: "set", position: myHand().position, setting: state.made.parts }, t("player.hand_set"));
}

async function houseWay() {
  try {
    state.advice = await ask("POST", `${path}/suggestion`, { position: myHand().position });
    if (state.made) {
      state.made.fill(state.advice.setting);
      announce(t("player.house_way_fills", { say: state.advice.say }));
      look();
    }
  } catch (error) {
    state.refused = error.reasons ?? [{ says: t("site.no_answer") }];
  }
  draw();
}

async function askHouseWay() {
  if (facts.practice) return houseWay();
  const done = await act({ step: "ask_help", position: myHand().position }, t("player.asked"));
  return done && houseWay().catch(() => null);
}

function askWorth() {
  if (!facts.practice || !state.made) return announce(t("player.not_now"));
  return state.coaching.ask(`${path}/coach`, { position: myHand().position });
}

/** Lay the cards as a setting has them. */
function lay(setting) {
  if (!state.made) return;
  state.made.fill(setting);
  look();
}

async function undo() {
  try {
    await ask("POST", `${path}/undo`);
    // the table before this answer may have arrived first: arrange again what it shows
    state.hand = null;
    takeUp();
    announce(t("player.undone"));
  } catch (error) {
    state.refused = error.reasons ?? [{ says: t("site.no_answer") }];
  }
  draw();
}

async function buyIn(cents) {
  try {
    await command(table, { step: "buy_in", person: boot.me.id, cash: cents }, "chips");
    notice(t("player.bought", { amount: dollars(cents) }));
  } catch (error) {
    state.refused = error.reasons ?? [{ says: t("site.no_answer") }];
  }
  draw();
}

// --- what is learnt ----------------------------------------------------------------------------------

function heard(message) {
  const before = view();
  state.message = message;
  const now = message.view;
  if (before && before.round !== now.round) remember(before, now);
  takeUp();
  const hand = myHand();
  if (now.phase === "betting" && hand?.wagers && Object.keys(hand.wagers).length && !state.layout.total) {
    state.layout.amounts = { ...hand.wagers };
  }
  byItself();
  askPatience(before, now);
  name(now.dealer_hand.setting, now.dealer_hand.position);
  if (hand?.setting) name(hand.setting, hand.position);
  told(before, now);
  draw();
}

/** Take up a hand that waits to be set: once for each hand of a round. */
function takeUp() {
  const now = view();
  const hand = myHand();
  if (!hand?.cards?.length || hand.setting) {
    state.made = null;
    return;
  }
  if (state.hand === `${now.id}-${now.round}`) return;
  state.hand = `${now.id}-${now.round}`;
  state.made = new Arrangement(hand.cards, facts.parts);
  state.preview = state.advice = null;
  state.coaching.forget();
  announce(t("player.cards_here"));
}

/** Keep what the round that ended came to, until the next one is bet on. */
function remember(before, now) {
  const hand = (before.hands ?? []).find((one) => one.own);
  state.layout.clear();
  state.last = hand ? { view: before, hand, round: before.round, gave: givesUp(state.coaching, hand.setting, true) } : null;
  void now;
}

/** Take the steps that need no decision: sit down to practise, and look at the cards. */
function byItself() {
  const look = optionOf("look");
  const round = view().round;
  if (isOpen(look) && !state.sent.has(`look-${view().id}-${round}`)) {
    state.sent.add(`look-${view().id}-${round}`);
    act({ step: "look", position: look.position });
  }
  const seat = optionOf("sit");
  if (facts.practice && !mine().length && isOpen(seat) && !state.sent.has("sit")) {
    state.sent.add("sit");
    sit(middle(seats()));
  }
}

const seats = () => (state.message?.options ?? []).filter((one) => one.step === "sit" && isOpen(one)).map((one) => one.position);
const middle = (places) => places[Math.floor((places.length - 1) / 2)];

function told(before, now) {
  if (!before || before.phase === now.phase) return;
  announce(t(`table.phase.${now.phase}`));
}

const LONG = 300_000;

/** Ask until when the table waits for us, whenever it begins to wait for something else. */
async function askPatience(before, now) {
  const waiting = (view) => `${view?.round} ${view?.phase} ${view?.awaited?.some((at) => mine().includes(at))} ${Boolean(view?.hands?.length)}`;
  if (!mine().length || waiting(before) === waiting(now)) return;
  const found = await ask("GET", `${path}/patience`).catch(() => ({}));
  const left = found.until ? Date.parse(found.until) - Date.parse(found.now) : Infinity;
  state.until = left < LONG ? Date.now() + left : null;
}

/** Return how long the table still waits for us, as a clock shows it. */
function clock() {
  const left = state.until ? Math.ceil((state.until - Date.now()) / 1000) : 0;
  return left > 0 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : null;
}

setInterval(() => state.until && view() && draw(), 1000);

/** Name the parts of a setting that lies open. */
async function name(setting, position) {
  if (!setting) return;
  const text = setting.map((part) => part.join("")).join(" / ");
  if (state.ranks.has(text)) return;
  state.ranks.set(text, []);
  try {
    const found = await ask("POST", `${path}/preview`, { position, setting: text });
    state.ranks.set(text, found.parts.map((part) => part.rank ?? ""));
    draw();
  } catch {
    state.ranks.delete(text);
  }
}

const ranksOf = (setting) => (setting ? (state.ranks.get(setting.map((part) => part.join("")).join(" / ")) ?? []) : []);

let looking = 0;

/** Ask what the parts are as they are arranged now. */
async function look() {
  const asked = ++looking;
  draw();
  const hand = myHand();
  if (!hand || !state.made) return;
  try {
    const found = await ask("POST", `${path}/preview`, { position: hand.position, setting: state.made.text });
    if (asked !== looking) return;
    state.preview = found;
    if (state.made?.whole) announce(found.fouls?.length ? t("player.foul", { why: found.fouls[0] }) : [t("player.in_order"), givesUp(state.coaching, state.made.parts)?.said].filter(Boolean).join(". "));
  } catch {
    state.preview = null;
  }
  draw();
}

// --- what is shown -----------------------------------------------------------------------------------

function draw() {
  if (!view()) return;
  moved(root, () => patch(root, page()));
}

function page() {
  const now = view();
  return [
    h(
      "div",
      { class: state.made ? "play arranged" : "play", key: "play" },
      bar(now),
      note(),
      h("div", { class: "stage", onclick: pressed }, felt(now, facts, { sit: mine().length ? null : seats(), yours: mine(), arranged: Boolean(state.made), clock: clock() })),
      h("div", { class: "tray" }, refusedNote(), tray(now)),
    ),
    h("aside", { class: "beside", key: "side" }, side(now)),
  ];
}

function pressed(event) {
  const seat = event.target.closest("[data-sit]");
  if (seat) sit(Number(seat.dataset.sit));
}

function bar(now) {
  return h(
    "header",
    { class: "table-bar" },
    h("p", { class: "table-name" }, h("b", null, facts.practice ? t("table.practice") : t("table.table", { table })), " ", h("span", { class: "muted" }, facts.name)),
    h("span", { class: "tag" }, facts.law),
    now.meter ? h("p", { class: "meter" }, h("span", { class: "muted" }, t("table.progressive")), " ", h("b", { class: "meter-figure" }, exactDollars(now.meter.showing))) : null,
    state.message.chips !== undefined ? h("p", { class: "purse" }, h("span", { class: "muted" }, facts.practice ? t("player.play_money") : t("player.chips")), " ", h("b", { class: "figure" }, dollars(state.message.chips))) : null,
  );
}

function note() {
  const lost = connectionNote(state.connection);
  if (lost) return lost;
  return state.message.link_down ? h("p", { class: "banner", role: "status" }, t("table.link_down", { reason: state.message.link_down })) : null;
}

function refusedNote() {
  return state.refused ? h("div", { class: "refused", role: "alert" }, h("b", null, t("site.refused")), reasons(state.refused), h("button", { class: "close", type: "button", "aria-label": t("site.close"), onclick: () => ((state.refused = null), draw()) }, "×")) : null;
}

function tray(now) {
  const hand = myHand();
  const asked = extras();
  if (!mine().length && !hand) return h("div", { class: "waiting" }, nothingToDo(now));
  if (asked.length) return asked;
  if (state.made) return [arranging(state.made, state.preview?.parts, look), settingBar()];
  if (isOpen(optionOf("wager"))) {
    const placed = hand && Object.keys(hand.wagers ?? {}).length ? hand.wagers : null;
    return [
      placed || clock() ? h("p", { class: "placed-note muted" }, placed ? t("player.bets_lie") : "", " ", clock() ? t("player.bets_close", { clock: clock() }) : "") : null,
      buyInNote(),
      betting(state.layout, { placed, busy: state.busy, onChange: draw, onPlace: bet, purse: state.message.chips ?? null }),
      state.last ? lastRound(state.last, shownWith(null, state.last.gave)) : null,
    ];
  }
  if (hand?.race || now.phase === "settling") return comparison(now, hand, shownWith(lateChoices(), hand?.race ? givesUp(state.coaching, hand.setting, true) : null));
  return h("div", { class: "waiting" }, h("p", null, waitingFor(now)), lateChoices());
}

function nothingToDo(now) {
  const free = seats();
  if (boot.me.role === "guest" && !facts.practice) {
    return [h("p", null, t("player.watching")), h("a", { class: "button gold", href: `/sign-in?next=${encodeURIComponent(location.pathname)}` }, t("player.sign_in_to_sit"))];
  }
  if (!free.length) return h("p", null, now.phase === "closed" ? t("table.phase.closed") : t("player.no_seat"));
  const best = middle(free);
  return [h("p", null, t("player.choose_seat")), h("button", { class: "button gold", type: "button", "data-act": "sit", onclick: () => sit(best), disabled: state.busy }, t("player.sit_at", { position: best }))];
}

function buyInNote() {
  const chips = state.message.chips;
  if (facts.practice || chips === undefined || chips >= 10_000) return null;
  return h("p", { class: "buy-in" }, t("player.buy_in"), " ", [10_000, 50_000].map((cents) => h("button", { class: "button small", type: "button", key: cents, onclick: () => buyIn(cents) }, dollars(cents))));
}

function waitingFor(now) {
  if (now.phase === "betting") return t("player.no_bets_now");
  if (now.phase === "setting") return t("player.others_set");
  return t(`player.wait.${now.phase}`);
}

/** Whether a hand of real cards is set on the layout: then the player only confirms it. */
const isSetByHand = (option) => option.step === "set" && !option.fields?.some((field) => field.kind === "setting");

/** Return what the law offers besides: the cut, the bank, the dice, a choice about the hand. */
function extras() {
  return state.message.options
    .filter((one) => (!facts.panels.seat.includes(one.step) || isSetByHand(one)) && isOpen(one))
    .map((option) => {
      const key = keyOf(option);
      const filled = (state.filled[key] ??= {});
      return h(
        "section",
        { class: "asked", key, "data-step": option.step },
        h("h3", null, option.label),
        h("p", { class: "muted" }, option.follows),
        form(option, filled, {
          busy: state.busy,
          gold: option.due !== false,
          onChange: (field, value) => ((filled[field] = value), draw()),
          onSend: (action) => act(action, option.label),
        }),
      );
    });
}

function settingBar() {
  const fouls = state.preview?.fouls ?? [];
  const left = state.made.row.length;
  const option = optionOf("set");
  const ready = !left && state.preview && !fouls.length && !option?.reasons?.length;
  const said = left ? t("player.cards_left", { count: left }) : fouls.length ? t("player.foul", { why: fouls.join("; ") }) : ready ? t("player.in_order") : (option?.reasons?.[0]?.says ?? "");
  return h(
    "div",
    { class: "actions setting-actions" },
    h("p", { class: ready ? "good legality" : fouls.length && !left ? "bad legality" : "muted legality", id: "legality" }, said),
    lateChoices(),
    h("button", { class: "button", type: "button", disabled: state.busy, onclick: askHouseWay, "data-act": "house-way" }, t("player.house_way")),
    h("button", { class: "button", type: "button", disabled: left === facts.hand_cards, onclick: () => (state.made.clear(), look()) }, t("player.start_over")),
    h("button", { class: "button gold", type: "button", disabled: !ready || state.busy, onclick: setHand, "data-act": "set", "aria-describedby": "legality" }, t("player.set_hand")),
  );
}

/** Return what may be chosen at the hand, once the cards are seen. */
function lateChoices() {
  return facts.panels.hand.map(optionOf).filter(isOpen).map((option) => {
    const doubled = option.fields?.find((field) => field.name === "amount")?.default;
    const action = { step: option.step, position: option.position };
    if (doubled) action.amount = doubled;
    return h("button", { class: "button", type: "button", key: option.step, title: option.follows, disabled: state.busy, "data-act": option.step, onclick: () => act(action, option.label) }, doubled ? `${option.label}: ${dollars(doubled)}` : option.label);
  });
}

const shownWith = (choices, gave) => ({ parts: facts.parts, names, ranksOf, choices, gave });

// --- next to the table -------------------------------------------------------------------------------

function side(now) {
  const hand = myHand();
  return [
    facts.practice ? coach() : null,
    h(
      "section",
      { class: "panel", key: "round" },
      h("h2", null, t("player.this_round", { round: now.round })),
      h("ul", { class: "lines" }, facts_of(now).map(([name, said, clauses]) => h("li", { key: name }, h("span", null, h("b", null, name), " ", h("span", { class: "muted" }, said), " ", why(clauses))))),
    ),
    hand && Object.keys(hand.wagers ?? {}).length
      ? h(
          "section",
          { class: "panel", key: "wagers" },
          h("h2", null, t("player.your_wagers")),
          h("ul", { class: "lines" }, Object.entries(hand.wagers).map(([wager, cents]) => h("li", { key: wager }, h("span", null, nameOf(facts, wager), (now.lammers ?? []).includes(hand.position) && facts.wagers.find((one) => one.id === wager)?.envy_from ? h("small", { class: "accent" }, ` ${t("table.envy")}`) : null), h("strong", { class: "figure" }, dollars(cents))))),
        )
      : null,
    h(
      "section",
      { class: "panel", key: "more" },
      h("h2", null, t("player.more")),
      h("p", null, h("a", { href: `/tables/${encodeURIComponent(table)}/card`, target: "_blank", rel: "noopener" }, t("player.rack_card"))),
      leaving(),
      typed({ act, bet, houseWay: askHouseWay, askWorth, setHand, state, facts, sit, look, optionOf, view, mine }),
    ),
  ];
}

function coach() {
  const buttons = [
    state.made && !state.coaching.worth ? h("button", { class: "button small", type: "button", key: "house", onclick: houseWay }, t("player.house_way")) : null,
    h("button", { class: "button small", type: "button", key: "undo", "data-act": "undo", onclick: undo }, t("player.undo")),
  ];
  return coachPanel(state.coaching, { made: state.made, fouls: state.preview?.fouls, advice: state.advice, onAsk: askWorth, lay, buttons });
}

function facts_of(now) {
  const found = [];
  if (now.start) found.push([t("player.start", { start: now.start }), now.dice?.length ? t("player.dice", { dice: now.dice.join(" · "), total: now.dice.reduce((sum, die) => sum + die, 0) }) : "", []]);
  if (now.stub !== undefined && now.stub !== null) found.push([t("player.dealt"), t("player.stub", { stub: now.stub }), []]);
  const set = (now.hands ?? []).filter((hand) => (hand.marks ?? []).includes("placed")).map((hand) => (hand.own ? t("table.you") : hand.name));
  if (set.length) found.push([t("player.have_set"), set.join(", "), []]);
  found.push([capital(t(`table.phase.${now.phase}`)), "", []]);
  return found;
}

function leaving() {
  const option = optionOf("leave");
  if (!option) return null;
  const warned = option.warnings?.[0]?.says;
  return h("button", { class: "button small", type: "button", disabled: !isOpen(option) || state.busy, title: warned ?? option.follows, onclick: () => (!warned || confirm(warned)) && act({ step: "leave", position: option.position }, option.label) }, option.label);
}

watch(table, heard, (connection) => {
  const changed = state.connection !== connection;
  state.connection = connection;
  if (!changed) return;
  if (view()) draw();
  else if (connectionNote(connection)) patch(root, connectionNote(connection));
});
