// The dealer's console: the next step with its words and its law, the hands, what else may be done, what not yet.

import { ask, command } from "./api.js";
import { Chips } from "./dealer_chips.js";
import { Foretelling, payTitle } from "./dealer_foretold.js";
import { Settling } from "./dealer_settling.js";
import { stageList } from "./dealer_stages.js";
import { others, where as whereOf } from "./dealer_others.js";
import { WRONG, wentWrong } from "./dealer_wrong.js";
import { h, patch } from "./dom.js";
import { actionOf, asksFor, form, keyOf } from "./forms.js";
import { handKeys } from "./hand_keys.js";
import { cardKeys, diceKeys } from "./keypad.js";
import { cited } from "./law_link.js";
import { sensorLight } from "./lights.js";
import { connectionNote, watch } from "./live.js";
import { moved } from "./motion.js";
import { Doing, gettingUp, left } from "./office.js";
import { announce, boot, capital, dollars, exactDollars, spoken, t } from "./page.js";
import { netOf } from "./results.js";
import { why } from "./why.js";

const { table } = boot;
const path = `/tables/${encodeURIComponent(table)}`;
const root = document.getElementById("table");
const state = { message: null, facts: boot.facts, connection: "connecting", filled: {}, open: null, otherwise: null };
const doing = new Doing(() => draw());
const foretelling = new Foretelling(path, () => draw());
const settling = new Settling(path, () => draw());
const chips = new Chips(table, state, doing, () => draw());

const view = () => state.message.view;
const isOpen = (option) => !option.reasons?.length;
/** Return the step that the round goes on by, if it is the dealer's. */
const nextOption = () => state.message.options.find((one) => one.due && isOpen(one)) ?? logOn() ?? readOff();
const logOn = () => (view().dealer ? undefined : state.message.options.find((one) => one.step === "log_on" && isOpen(one)));

/** Return what a device would do that tells a table of real cards nothing: the dealer reads it off. */
function readOff() {
  if (state.facts.origin === "virtual_deck") return undefined;
  const awaits = state.message.awaits ?? [];
  return state.message.options.find((one) => isOpen(one) && awaits.some((other) => other.step === one.step && other.position === one.position));
}

// --- what is done ------------------------------------------------------------------------------------

function act(option, action, place = keyOf(option)) {
  return doing.run(async () => {
    await command(table, action);
    delete state.filled[keyOf(option)];
    state.open = state.otherwise = null;
    announce(option.label);
  }, "", place);
}

/** Whether an option can be taken at once: all that it needs has a usual value. */
function isReady(option) {
  const given = (field) => (field.each?.length ? field.each.every((one) => !one.needed || one.default != null) : field.default !== undefined && field.default !== null);
  return (option.fields ?? []).every((field) => !field.needed || (given(field) && field.kind !== "text"));
}

function optionForm(option, { gold = true, place = keyOf(option) } = {}) {
  const filled = (state.filled[keyOf(option)] ??= {});
  const onChange = (name, value) => ((filled[name] = value), draw());
  const custom = (field, value, change) => {
    if (field.kind === "setting") return cardKeys(field, value?.length ? value : view().typed?.[option.position], change, state.facts.parts, taken(option));
    return field.name === "dice" && field.each?.length ? diceKeys(field, value, change) : null;
  };
  return form(option, filled, { busy: doing.busy, gold, custom, onChange, onSend: (action) => act(option, action, place) });
}

/** Return the cards that other hands hold, as far as the dealer knows them. */
function taken(option) {
  const hands = (view().hands ?? []).filter((hand) => hand.position !== option.position).flatMap((hand) => hand.cards ?? []);
  const dealer = view().dealer_hand.position === option.position ? [] : (view().dealer_hand.cards ?? []);
  return new Set([...hands, ...dealer]);
}

// --- what is learnt ----------------------------------------------------------------------------------

function heard(message) {
  const before = state.message?.view;
  state.message = message;
  const now = message.view;
  if (before && (before.round !== now.round || before.way !== now.way)) refreshFacts();
  settling.learn(now);
  const next = nextOption();
  if (next) foretelling.ask(next, actionOf(next), message.version);
  if (before && before.phase !== now.phase) announce(t(`table.phase.${now.phase}`));
  draw();
}

/** Ask for the table's facts again: its rules may have changed between two rounds. */
async function refreshFacts() {
  state.facts = await ask("GET", `${path}/rules`).catch(() => state.facts);
  draw();
}

// --- what is shown -----------------------------------------------------------------------------------

function draw() {
  if (!state.message) return;
  const now = view();
  const next = nextOption();
  moved(root, () =>
    patch(
      root,
      bar(now),
      note(),
      h(
        "div",
        { class: "console", key: "console" },
        h("aside", { class: "console-side", "aria-label": t("dealer.stages") }, stageList(now, state.facts, next, state.message.awaits ?? [])),
        h("div", { class: "console-main" }, main(now, next)),
      ),
    ),
  );
}

function bar(now) {
  return h(
    "header",
    { class: "console-bar", key: "bar" },
    h("h2", null, t("table.table", { table })),
    h("span", { class: "muted" }, state.facts.name, ", ", now.dealer ? t("dealer.dealer", { name: now.dealer === boot.me.id ? boot.me.name : now.dealer }) : t("dealer.no_dealer")),
    h("span", { class: "tag" }, t("dealer.round", { round: now.round })),
    (now.clocks ?? []).filter((one) => one.until).map((one) => h("span", { class: left(one.until) ? "tag" : "tag late", key: one.what }, `${one.what} ${left(one.until) || "0:00"}`)),
    now.meter ? h("b", { class: "meter-figure" }, exactDollars(now.meter.showing)) : null,
    h("div", { class: "end" }, h("button", { class: "button", type: "button", "data-act": "went-wrong", onclick: openWrong }, t("dealer.went_wrong"))),
  );
}

const openWrong = () => wentWrong({ options: () => state.message.options, act, path, optionKey: keyOf });

function note() {
  const lost = connectionNote(state.connection);
  if (lost) return lost;
  const link = state.message.link_down;
  return [gettingUp(state.message.to_get_up, table, doing), link ? h("p", { class: "banner", role: "status", key: "link" }, t("table.link_down", { reason: link })) : null];
}

function main(now, next) {
  const rest = state.message.options.filter((one) => one !== next && !WRONG.has(one.step));
  return [
    next ? nextCard(next, now) : waitingCard(now),
    h("ul", { class: "places", key: "places", "aria-label": t("dealer.places") }, state.facts.positions.map((at) => place(now, at))),
    settling.compared(now, state.facts, foretelling.of(next)),
    advice(now),
    display(now),
    handKeys(state.message.options, now, { act, busy: doing.busy, draw, note: () => doing.note("press_hand") }),
    others(rest.filter(isOpen).filter((one) => one.step !== "press_hand"), state, { draw, optionForm, note: (key) => doing.note(key) }),
    notYet(rest.filter((one) => !isOpen(one))),
    chips.panel(now, state.facts),
  ];
}

function nextCard(option, now) {
  const ready = isReady(option);
  const where = option.position || option.deck ? whereOf(option) : "";
  const unfolded = !ready || state.otherwise === keyOf(option);
  const press = () => act(option, actionOf(option), keyOf(option));
  return h(
    "section",
    { class: "next", key: "next", "data-step": option.step, "aria-label": t("dealer.next") },
    h(
      "div",
      null,
      h("p", { class: "kicker" }, t("dealer.next")),
      h("h2", null, payTitle(option, foretelling.of(option)) ?? (where ? `${option.label}: ${where}` : option.label)),
      h("p", { class: "say" }, option.say ? `${t("dealer.say", { words: option.say })} ` : "", cited(lawOf(option), draw, option.label)),
      h("p", { class: "follows" }, option.follows),
    ),
    unfolded
      ? null
      : h(
          "div",
          { class: "do-place" },
          h("button", { class: "do button", type: "button", key: "do", disabled: doing.busy, "data-act": "next", onclick: press }, option.done ?? t("dealer.done")),
          asksFor(option) ? h("button", { class: "why otherwise", type: "button", "data-act": "otherwise", onclick: () => ((state.otherwise = keyOf(option)), draw()) }, t("dealer.otherwise")) : null,
        ),
    unfolded ? optionForm(option, { place: keyOf(option) }) : null,
    option.step === "confirm_entry" && now.typed?.[option.position] ? h("div", { class: "typed-hand" }, settling.laid(now.typed[option.position])) : null,
    option.warnings?.length && !unfolded ? h("ul", { class: "reasons" }, option.warnings.map((one) => h("li", { key: one.says }, one.says, " ", why(one.clauses, t("site.law_link"))))) : null,
    doing.note(keyOf(option)),
  );
}

/** Return the clauses behind a step: those of the step itself, or those that decide its outcome. */
const lawOf = (option) => state.facts.law_of_steps[option.step] ?? foretelling.of(option)?.[0]?.clauses;

function waitingCard(now) {
  const awaits = state.message.awaits ?? [];
  const people = awaits.map((one) => t("dealer.awaits", { who: whoOf(one, now), what: one.label.toLowerCase() }));
  const said = now.stopped ? t("table.stopped", { reason: now.stopped }) : capital(t(`table.phase.${now.phase}`));
  const shown = people.length ? people : [now.phase === "betting" ? t("dealer.waits_for_bets") : said];
  return h(
    "section",
    { class: "next waiting", key: "next", "data-step": "waiting" },
    h("div", null, h("p", { class: "kicker" }, now.stopped ? said : t("dealer.waiting")), h("h2", null, shown[0]), shown.slice(1, 5).map((one) => h("p", { key: one }, one)), now.dealer ? null : h("p", { class: "follows" }, t("dealer.no_dealer_yet"))),
    doing.note(""),
  );
}

function whoOf(awaited, now) {
  const seat = awaited.roles.includes("player") ? (now.seats ?? []).find((one) => one.position === awaited.position) : null;
  if (seat) return t("dealer.seat", { position: seat.position, name: seat.name });
  return capital(awaited.roles.map(spoken).join(t("dealer.or")));
}

// --- the hands ---------------------------------------------------------------------------------------

function place(now, at) {
  const seat = (now.seats ?? []).find((one) => one.position === at);
  const hand = (now.hands ?? []).find((one) => one.position === at);
  const banks = now.bank_seat === at;
  const turn = now.turn === at;
  const waited = (now.awaited ?? []).includes(at);
  const [kind, said] = hand && Object.keys(hand.wagers ?? {}).length ? stateOf(now, hand, waited) : ["", banks ? t("table.banks") : ""];
  const name = hand?.name ?? seat?.name;
  return h(
    "li",
    { class: `place${turn ? " turn" : ""}${waited ? " waited" : ""}${name ? "" : " empty"}`, key: at, "data-position": at, "aria-current": turn ? "true" : null },
    h("span", { class: "seated" }, h("b", null, at), " ", name ?? t("table.empty")),
    banks && hand ? h("span", { class: "what" }, t("table.banks")) : null,
    said ? h("span", { class: `what ${kind}` }, said) : null,
    (now.lammers ?? []).includes(at) ? h("span", { class: "what accent" }, t("table.envy")) : null,
    sensorLight(now, at),
  );
}

function stateOf(now, hand, waited) {
  const total = Object.values(hand.wagers).reduce((sum, one) => sum + one, 0);
  if (hand.status && hand.status !== "played") return ["bad", t(`table.status.${hand.status}`)];
  if (hand.settled?.length) {
    const net = netOf(now.payments ?? [], hand.position);
    return net > 0 ? ["good", t("dealer.won", { amount: dollars(net) })] : net < 0 ? ["bad", t("dealer.lost", { amount: dollars(-net) })] : ["", t("word.push")];
  }
  if (now.phase === "setting") return ["", waited ? t("table.setting") : t("table.set")];
  if (now.phase === "settling") return ["", now.turn === hand.position ? t("dealer.now", { amount: dollars(total) }) : t("dealer.waits")];
  return ["", t("dealer.bets", { amount: dollars(total) })];
}

/** Return how to set the hands of players who asked for the house way. */
function advice(now) {
  const asked = Object.entries(now.advice ?? {});
  if (!asked.length) return null;
  return asked.map(([at, setting]) => {
    const option = state.message.options.find((one) => one.step === "set" && one.position === Number(at) && isOpen(one));
    return h(
      "section",
      { class: "panel advice", key: `advice-${at}` },
      h("h3", null, t("dealer.advice", { position: at })),
      settling.laid(setting),
      option ? h("button", { class: "button", type: "button", "data-act": "set-for-player", disabled: doing.busy, onclick: () => act(option, { step: "set", position: Number(at), setting }) }, t("dealer.set_so")) : null,
    );
  });
}

/** Return the house-way display of a Washington table, mirrored. */
function display(now) {
  if (state.facts.way !== "iverify_hwv") return null;
  const setting = now.on_display ?? (now.display == null ? now.dealer_hand.setting : null);
  const heading = now.screen || t("dealer.display_dark");
  return h("section", { class: "panel display", key: "display", "data-display": now.display ?? "dealer" }, h("h3", null, t("dealer.display")), h("p", null, heading), setting ? settling.laid(setting) : null);
}

// --- what may not be done yet ------------------------------------------------------------------------

function notYet(closed) {
  const listed = [...new Map(closed.map((one) => [`${one.step}${one.reasons[0].says}`, one])).values()];
  if (!listed.length) return null;
  const line = (one) => h("li", { key: keyOf(one), "data-not-yet": one.step }, h("b", null, one.label), ": ", one.reasons.map((reason, at) => [at ? "; " : "", reason.says, reason.clauses?.length ? " " : "", cited(reason.clauses, draw, one.label)]));
  return h(
    "section",
    { class: "not-yet", key: "not-yet" },
    h("h3", null, t("dealer.not_yet")),
    h("ul", null, listed.slice(0, 3).map(line)),
    listed.length > 3 ? h("details", null, h("summary", null, t("dealer.more", { count: listed.length - 3 })), h("ul", null, listed.slice(3).map(line))) : null,
  );
}

// Enter does the next step, wherever nothing else takes the key.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (event.target.closest("button, a, input, select, textarea, summary, [tabindex]:not(main)")) return;
  document.querySelector('[data-act="next"]')?.click();
});

watch(table, heard, (connection) => {
  const changed = state.connection !== connection;
  state.connection = connection;
  if (!changed) return;
  if (state.message) draw();
  else if (connectionNote(connection)) patch(root, connectionNote(connection));
});
setInterval(() => document.hidden || draw(), 30_000);
