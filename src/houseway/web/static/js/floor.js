// The supervisor's page: a queue of what waits for a decision, the oldest first, and the tables as they stand.

import { ask, command } from "./api.js";
import { h, patch } from "./dom.js";
import { meterOptions, pressable } from "./duties.js";
import { form } from "./forms.js";
import { Doing, chipList, duty, factList, lasted, left, proposalActions, taskFacts, taskFollows, taskName } from "./office.js";
import { announce, capital, exactDollars, t } from "./page.js";
import { smallFelt } from "./small_felt.js";

const EVERY = 2000;
const root = document.getElementById("floor");
const state = { found: null, lost: false, filled: {}, open: null, turning: null, why: "", drift: 0 };
const doing = new Doing(() => draw());
const now = () => Date.now() + state.drift;

async function refresh() {
  try {
    const found = await ask("GET", "/waiting");
    const before = state.found?.waiting.length;
    state.drift = Date.parse(found.now) - Date.now();
    state.found = found;
    state.lost = false;
    if (before !== undefined && found.waiting.length > before) announce(counted(found.waiting.length));
  } catch {
    state.lost = true;
  }
  draw();
}

const counted = (count) => (count === 1 ? t("floor.one") : t("floor.count", { count }));

// --- the queue ---------------------------------------------------------------------------------------

function queue(waiting) {
  const first = waiting.find((one) => !one.mine);
  return h(
    "section",
    { class: "queue", "aria-label": t("floor.queue") },
    h("h2", null, t("floor.queue"), " ", waiting.length ? h("span", { class: "count" }, waiting.length) : null),
    doing.note("gone"),
    waiting.length ? h("ol", { class: "waiting-list" }, waiting.map((one) => item(one, one === first))) : h("p", { class: "empty-note" }, t("floor.empty")),
  );
}

function item(one, first) {
  const kinds = { option: stepItem, proposal: proposalItem, slip: slipItem, submission: rulesItem };
  return h(
    "li",
    { class: `decision ${first ? "first" : ""}`, key: `${one.kind}-${one.name}`, "data-kind": one.kind, "data-step": one.option?.step },
    h("p", { class: "decision-head" }, one.table ? h("a", { href: tablePath(one.table) }, t("office.at_table", { table: one.table })) : null, h("span", { class: "muted figure" }, lasted(one.since, now()))),
    kinds[one.kind](one, first),
    doing.note(one.name),
  );
}

const tablePath = (table) => `/tables/${encodeURIComponent(table)}`;

function stepItem(one, first) {
  const { option } = one;
  const filled = (state.filled[one.name] ??= {});
  const where = [option.position ? t("floor.at_position", { position: option.position }) : "", option.deck ? t("floor.deck", { deck: option.deck }) : ""].filter(Boolean).join(", ");
  return [
    h("h3", null, option.label, where ? h("small", null, `, ${where}`) : null),
    one.about?.stopped ? h("p", { class: "bad" }, t("floor.stopped", { reason: one.about.stopped })) : null,
    h("p", { class: "muted" }, option.follows),
    form(option, filled, {
      busy: doing.busy,
      gold: first,
      onChange: (name, value) => ((filled[name] = value), draw()),
      onSend: (action) => doing.run(async () => (await command(one.table, action), delete state.filled[one.name], refresh()), t("floor.done", { what: option.label }), one.name),
    }),
  ];
}

function proposalItem(one, first) {
  const { task, by } = one.proposal;
  return [
    h("h3", null, taskName(task)),
    h("p", { class: "muted" }, t("office.proposed_by", { name: by.name || by.id, role: by.role.replaceAll("_", " ") })),
    factList(taskFacts(task)),
    h("p", { class: "muted" }, taskFollows(task)),
    proposalActions(one.name, one.mine, state, doing, { gold: first, then: refresh }),
  ];
}

function slipItem(one, first) {
  const { step, chips, by } = one.about;
  const send = () => doing.run(async () => (await command(one.table, { step, serial: one.name }, "chips"), refresh()), t("floor.done", { what: t(`office.chips.${step}`) }), one.name);
  return [
    h("h3", null, t(`office.chips.${step}`), h("small", null, `, ${one.name}`)),
    h("p", null, chipList(chips)),
    h("p", { class: "muted" }, t("floor.slip_by", { name: by }), " ", t(`office.chips_follows.${step}`)),
    one.mine ? h("p", { class: "muted" }, t("office.yours_waits")) : h("button", { class: first ? "button gold" : "button", type: "button", "data-act": step, disabled: doing.busy, onclick: send }, t(`office.chips.${step}`)),
  ];
}

function rulesItem(one, first) {
  const approve = () => doing.run(async () => (await duty({ duty: "approve_submission", submission: one.name }), refresh()), t("floor.done", { what: t("office.duty.approve_submission") }), one.name);
  return [
    h("h3", null, t("floor.rules_filed", { reference: one.about.reference })),
    h("p", { class: "muted" }, t("floor.rules_by", { game: one.about.game, name: one.about.by }), " ", t("floor.approve_follows")),
    h(
      "div",
      { class: "actions" },
      one.mine ? h("p", { class: "muted" }, t("office.yours_waits")) : h("button", { class: first ? "button gold" : "button", type: "button", "data-act": "approve", disabled: doing.busy, onclick: approve }, t("floor.approve_rules")),
      h("a", { class: "button", href: `/submissions?show=${encodeURIComponent(one.name)}` }, t("floor.read_rules")),
    ),
  ];
}

// --- the tables --------------------------------------------------------------------------------------

function tables(list) {
  if (!list.length) return h("section", { class: "floor-tables" }, h("h2", null, t("floor.tables")), h("p", { class: "empty-note" }, t("floor.no_tables"), " ", h("a", { href: "/submissions" }, t("floor.to_submissions"))));
  const busy = [...list].sort((one, other) => other.waiting - one.waiting);
  return h("section", { class: "floor-tables" }, h("h2", null, t("floor.tables")), h("div", { class: "felts" }, busy.map(tile)));
}

function tile(one) {
  const { view } = one;
  return h(
    "a",
    { class: `tile ${one.waiting ? "waits" : ""}`, href: tablePath(view.id), key: view.id, "data-table": view.id },
    h("header", null, h("b", null, view.id), " ", h("span", { class: "muted" }, one.name), one.waiting ? h("span", { class: "count" }, t("floor.waits", { count: one.waiting })) : null),
    smallFelt(view, one.positions, one.split.split("-").map(Number)),
    h("p", { class: "tile-state" }, capital(t(`table.phase.${view.phase}`)), h("span", { class: "muted" }, " · ", t("floor.round", { round: view.round }), " · ", one.by_itself ? t("floor.by_itself") : view.dealer ? t("floor.dealer", { name: view.dealer }) : t("floor.no_dealer"))),
    trouble(one).map((said) => h("p", { class: "bad", key: said }, said)),
    h("p", { class: "tags" }, (view.clocks ?? []).map(clock), view.meter ? h("span", { class: "tag gold-text", key: "meter" }, exactDollars(view.meter.showing)) : null),
  );
}

function trouble({ view, link_down: link, to_get_up: up }) {
  return [...(up ?? []).map((one) => t("floor.to_get_up", one)), view.stopped && t("floor.stopped", { reason: view.stopped }), view.void && t("floor.void", { reason: view.void }), link && t("floor.link_down", { reason: link })].filter(Boolean);
}

function clock(one) {
  if (!one.until) return null;
  const time = left(one.until, now());
  return h("span", { class: time ? "tag figure" : "tag figure late", key: one.what }, time ? t("floor.deck_left", { what: one.what, time }) : t("floor.deck_late", { what: one.what }));
}

// --- the page ----------------------------------------------------------------------------------------

function duties(list) {
  const meters = [...new Set(list.map((one) => one.view.meter?.meter).filter(Boolean))];
  const options = meterOptions(meters, list.filter((one) => one.view.meter).map((one) => one.view.id));
  if (!options.length) return null;
  return h("section", { class: "panel duties" }, h("h2", null, t("floor.duties")), h("p", { class: "muted" }, t("floor.duties_says")), pressable(options, state, doing, { place: "duties", then: refresh }));
}

function draw() {
  if (!state.found) {
    if (state.lost) patch(root, h("p", { class: "banner bad", role: "status" }, t("floor.lost")));
    return;
  }
  const { waiting, tables: list } = state.found;
  document.title = waiting.length ? `(${waiting.length}) ${t("floor.heading")}` : t("floor.heading");
  patch(
    root,
    state.lost ? h("p", { class: "banner bad", role: "status" }, t("floor.lost")) : null,
    h("div", { class: "floor-columns" }, h("div", { class: "floor-left" }, queue(waiting), duties(list)), tables(list)),
  );
}

refresh();
setInterval(() => document.hidden || refresh(), EVERY);
document.addEventListener("visibilitychange", () => document.hidden || refresh());
