// Accounting: drop, win and hold against what is theoretical, meters, and readings with every difference explained.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { meterOptions, pressable } from "./duties.js";
import { Doing, cents, factList, moment, proposalActions, taskFacts, taskFollows, taskName } from "./office.js";
import { boot, dollars, spoken, t } from "./page.js";
import { against, bars } from "./plots.js";
import { readWins, winList } from "./slips.js";

const root = document.getElementById("accounting");
const state = { books: null, meters: [], proposals: [], wins: [], failed: false, since: "", until: "", table: "", open: null, filled: {}, turning: null, why: "", shown: null };
const doing = new Doing(() => draw());
const money = (units) => dollars(cents(units ?? 0));
const minus = (text) => text.replace("-", "−");
const share = (hold) => (hold === null || hold === undefined ? "–" : minus(`${(100 * hold).toFixed(2)} %`));
const percent = (hold) => minus(`${Math.round(1000 * hold) / 10} %`);

async function refresh() {
  const asked = new URLSearchParams(Object.entries({ since: state.since, until: state.until, table: state.table }).filter(([, value]) => value));
  await doing.run(async () => {
    state.books = await ask("GET", `/accounting?${asked}`);
    state.since ||= state.books.since;
    state.until ||= state.books.until;
    state.meters = Object.keys(await ask("GET", "/meters")).filter((name) => !name.startsWith("practice"));
    state.proposals = await ask("GET", "/proposals");
    state.wins = await readWins(state.meters);
  }, "", "books");
  state.failed = !state.books;
  draw();
}

// --- what is asked for -------------------------------------------------------------------------------

function asking() {
  const day = (name) => h("label", { class: "field", key: name }, h("span", null, t(`accounting.${name}`)), h("input", { type: "date", value: state[name], "data-field": name, onchange: (event) => ((state[name] = event.target.value), refresh()) }));
  const names = [...new Set([...state.books.tables.map((one) => one.table), state.table].filter(Boolean))];
  return h(
    "div",
    { class: "asking" },
    day("since"),
    day("until"),
    h("label", { class: "field", key: "table" }, h("span", null, t("accounting.table")), h("select", { "data-field": "table", onchange: (event) => ((state.table = event.target.value), refresh()) }, h("option", { value: "", selected: !state.table }, t("accounting.all")), names.map((name) => h("option", { value: name, key: name, selected: name === state.table }, name)))),
  );
}

// --- tables ------------------------------------------------------------------------------------------

const HEADS = ["rounds", "drop", "handle", "win", "hold", "theoretical", "difference", "fees"];
const orNone = (units) => (units ? money(units) : "–");

function books(tables) {
  const all = (name) => tables.reduce((sum, one) => sum + (one[name] ?? 0), 0);
  const known = tables.filter((one) => one.theoretical_win !== null);
  const theory = known.reduce((sum, one) => sum + one.theoretical_win, 0);
  const row = (one) =>
    h(
      "tr",
      { key: one.table },
      h("th", { scope: "row" }, h("button", { class: "why", type: "button", "aria-expanded": String(state.shown === one.table), "data-table": one.table, onclick: () => ((state.shown = state.shown === one.table ? null : one.table), draw()) }, one.table)),
      h("td", null, one.rounds.toLocaleString("en-US"), one.voids ? h("small", { class: "muted" }, ` (${one.voids} ${t("accounting.voids")})`) : null),
      h("td", null, orNone(one.drop)),
      h("td", null, money(one.handle)),
      h("td", { class: one.win < 0 ? "bad" : "" }, money(one.win)),
      h("td", null, share(one.hold)),
      h("td", null, one.theoretical_win === null ? h("span", { class: "muted" }, "–") : money(one.theoretical_win)),
      h("td", null, one.theoretical_win === null ? "–" : money(one.win - one.theoretical_win)),
      h("td", null, orNone(one.fees)),
    );
  return scrolled(
    t("accounting.heading"),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("accounting.table")), HEADS.map((name) => h("th", { scope: "col", key: name }, t(`accounting.${name}`))))),
    h("tbody", null, tables.map(row)),
    h("tfoot", null, h("tr", null, h("th", { scope: "row" }, t("accounting.total")), h("td", null, all("rounds").toLocaleString("en-US")), h("td", null, orNone(all("drop"))), h("td", null, money(all("handle"))), h("td", null, money(all("win"))), h("td", null, share(all("handle") ? all("win") / all("handle") : null)), h("td", null, money(theory)), h("td", null, money(known.reduce((sum, one) => sum + one.win, 0) - theory)), h("td", null, orNone(all("fees"))))),
  );
}

const scrolled = (label, ...content) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, h("table", { class: "figures" }, content));

function byWager(book) {
  const heads = ["wager", "handle", "win", "hold", "theoretical", "difference"];
  return h(
    "section",
    { class: "panel", key: "wagers" },
    h("h2", null, t("accounting.by_wager", { table: book.table })),
    scrolled(
      book.table,
      h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col", key: name }, t(`accounting.${name}`))))),
      h("tbody", null, book.wagers.map((one) => h("tr", { key: one.wager }, h("th", { scope: "row" }, one.name), h("td", null, money(one.handle)), h("td", { class: one.win < 0 ? "bad" : "" }, money(one.win)), h("td", null, share(one.hold)), h("td", null, one.theoretical_hold === null ? h("span", { class: "muted" }, t("accounting.no_theory")) : share(one.theoretical_hold)), h("td", null, one.theoretical_win === null ? "–" : money(one.win - one.theoretical_win))))),
    ),
    book.filled || book.credited || book.variance ? h("p", { class: "muted" }, t("accounting.filled"), ` ${money(book.filled)} · `, t("accounting.credited"), ` ${money(book.credited)} · `, t("accounting.variance"), ` ${money(book.variance)}`) : null,
  );
}

// --- plots -------------------------------------------------------------------------------------------

function plots({ days, tables }) {
  const wins = new Map();
  for (const day of days) wins.set(day.day, (wins.get(day.day) ?? 0) + cents(day.win));
  const rows = [...wins].sort().map(([day, value]) => ({ name: new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short" }), value }));
  const holds = tables.filter((one) => one.hold !== null).map((one) => ({ name: one.table, value: one.hold, theory: one.theoretical_win === null ? null : theoryOf(one) }));
  return h(
    "div",
    { class: "two level", key: "plots" },
    h("section", { class: "panel" }, h("h2", null, t("accounting.by_day")), bars(rows, { label: t("accounting.by_day_label", { said: rows.map((row) => `${row.name} ${dollars(row.value)}`).join(", ") }), said: dollars })),
    h("section", { class: "panel" }, h("h2", null, t("accounting.hold_plot")), against(holds, { label: t("accounting.hold_label", { said: holds.map((row) => `${row.name} ${percent(row.value)}`).join(", ") }), said: percent }), h("p", { class: "muted" }, t("accounting.hold_says"))),
  );
}

/** Return what a table keeps in the long run, of those wagers of which it is known. */
function theoryOf(book) {
  const known = book.wagers.filter((one) => one.theoretical_win !== null);
  const handle = known.reduce((sum, one) => sum + one.handle, 0);
  return handle ? book.theoretical_win / handle : null;
}

// --- meters ------------------------------------------------------------------------------------------

const FLOWS = ["opened", "contributed", "reserved", "seeded", "paid", "taken_back", "adjusted"];

function meters(rows) {
  const sums = new Map();
  for (const row of rows) {
    const found = sums.get(row.meter) ?? { wins: 0 };
    for (const name of [...FLOWS, "wins"]) found[name] = (found[name] ?? 0) + (row[name] ?? 0);
    sums.set(row.meter, found);
  }
  if (!sums.size) return h("p", { class: "muted" }, t("accounting.no_meters"));
  return scrolled(
    t("accounting.meters"),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("accounting.meter")), [...FLOWS, "wins"].map((name) => h("th", { scope: "col", key: name }, t(`accounting.${name}`))))),
    h("tbody", null, [...sums].map(([name, sum]) => h("tr", { key: name }, h("th", { scope: "row" }, name), FLOWS.map((flow) => h("td", { key: flow, class: sum[flow] < 0 ? "bad" : "" }, sum[flow] ? money(sum[flow]) : "–")), h("td", null, sum.wins || "–")))),
  );
}

function readings(rows) {
  if (!rows.length) return h("p", { class: "muted" }, t("accounting.no_readings"));
  const heads = ["at", "meter", "by", "shown", "expected", "variance", "explained"];
  return scrolled(
    t("accounting.readings"),
    h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col", key: name, class: ["at", "meter", "by", "explained"].includes(name) ? "left" : "" }, t(`accounting.${name === "variance" ? "difference" : name}`))))),
    h("tbody", null, [...rows].reverse().map((one) => h("tr", { key: `${one.meter}-${one.version}` }, h("td", null, moment(one.at)), h("td", { class: "left" }, one.meter), h("td", { class: "left" }, one.person), h("td", null, money(one.shown)), h("td", null, money(one.expected)), h("td", { class: one.variance ? "bad" : "good" }, one.variance ? money(one.variance) : t("accounting.agrees")), h("td", { class: "left wraps" }, one.explained || "–")))),
  );
}

function office() {
  const options = meterOptions(state.meters);
  const waits = state.proposals.filter((one) => one.task.meter);
  return [
    options.length ? h("section", { class: "panel", key: "duties" }, h("h2", null, t("accounting.duties")), pressable(options, state, doing, { place: "duties", then: refresh })) : null,
    waits.map((one) =>
      h("section", { class: "panel", key: one.proposal, "data-kind": "proposal" }, h("h2", null, taskName(one.task)), h("p", { class: "muted" }, t("office.proposed_by", { name: one.by.name || one.by.id, role: spoken(one.by.role) })), factList(taskFacts(one.task)), h("p", { class: "muted" }, taskFollows(one.task)), proposalActions(one.proposal, one.by.id === boot.me.id, state, doing, { then: refresh }), doing.note(one.proposal)),
    ),
  ];
}

function draw() {
  if (!state.books) {
    if (state.failed) patch(root, doing.note("books"), h("button", { class: "button", type: "button", onclick: refresh }, t("office.again")));
    return;
  }
  const { tables, days, meters: moved, readings: read } = state.books;
  const shown = tables.find((one) => one.table === state.shown);
  patch(
    root,
    asking(),
    doing.note("books"),
    tables.length ? [plots({ days, tables }), h("section", { class: "panel", key: "books" }, books(tables)), shown ? byWager(shown) : null] : h("p", { class: "empty-note", key: "none" }, t("accounting.none")),
    h("section", { class: "panel", key: "meters" }, h("h2", null, t("accounting.meters")), meters(moved)),
    h("section", { class: "panel", key: "wins" }, h("h2", null, t("office.wins")), winList(state.wins, state, doing, refresh)),
    h("section", { class: "panel", key: "readings" }, h("h2", null, t("accounting.readings")), readings(read)),
    office(),
  );
}

refresh();
