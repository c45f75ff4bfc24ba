// Rounds that are over: alerts, a search, and the user's own bookmarks.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { boot, capital, dialog, dollars, exactDollars, notice, spoken, t } from "./page.js";
import { reasons } from "./why.js";

const root = document.getElementById("rounds");
const FIELDS = ["person", "table", "since", "until", "card", "held_by", "amount", "clause", "step"];
const FURTHER = ["card", "held_by", "amount", "clause", "step"];
const UNITS = 10_000;
const LIMIT = 25;
const state = { rows: null, cursor: null, marks: null, alerts: null, busy: false, refused: null, asked: readAddress() };

function readAddress() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(FIELDS.filter((one) => query.get(one)).map((one) => [one, query.get(one)]));
}

// --- asking --------------------------------------------------------------------------------------------

/** Return what is asked for as the interface takes it: moments are universal time, people go by their ids. */
function query(cursor) {
  const asked = new URLSearchParams();
  for (const [name, said] of Object.entries(state.asked)) asked.set(name, name === "person" || name === "held_by" ? idOf(said) : said);
  asked.set("limit", LIMIT);
  if (cursor) asked.set("cursor", cursor);
  return asked;
}

const idOf = (said) => boot.people.find((one) => one.name.toLowerCase() === said.toLowerCase())?.id ?? said;

async function find(cursor = null) {
  state.busy = true;
  state.refused = null;
  draw();
  try {
    const found = await ask("GET", `/rounds?${query(cursor)}`);
    state.rows = cursor ? [...state.rows, ...found.rounds] : found.rounds;
    state.cursor = found.cursor;
  } catch (error) {
    state.refused = error.reasons ?? [{ says: t("site.no_answer"), clauses: [] }];
  }
  state.busy = false;
  draw();
}

function search(event) {
  event.preventDefault();
  const form = new FormData(event.target);
  state.asked = Object.fromEntries(FIELDS.map((one) => [one, String(form.get(one) ?? "").trim()]).filter(([, said]) => said));
  address();
  find();
}

function clear() {
  state.asked = {};
  address();
  for (const field of root.querySelectorAll(".search [name]")) field.value = "";
  find();
}

function address() {
  const query = new URLSearchParams(state.asked);
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
}

async function asides() {
  const [alerts, marks] = await Promise.all([ask("GET", "/alerts").catch(() => ({ alerts: [] })), ask("GET", "/me/bookmarks").catch(() => [])]);
  state.alerts = alerts.alerts;
  state.marks = marks;
  draw();
}

// --- marks ---------------------------------------------------------------------------------------------

const markOf = (table, round) => (state.marks ?? []).find((one) => one.table === table && one.round === round);

function note(table, round) {
  const mark = markOf(table, round);
  const named = { table, round };
  const open = dialog(
    t("rounds.note_of", named),
    h("label", { class: "field" }, h("span", null, t("rounds.note")), h("textarea", { id: "note", rows: 3, maxlength: 500, value: mark?.note ?? "" })),
    h(
      "div",
      { class: "actions" },
      h("button", { class: "button gold", type: "button", "data-act": "keep-mark", onclick: () => keep("POST", named, open) }, t("rounds.keep")),
      mark ? h("button", { class: "button", type: "button", "data-act": "remove-mark", onclick: () => keep("DELETE", named, open) }, t("rounds.unmark")) : null,
    ),
  );
}

async function keep(method, { table, round }, open) {
  const body = method === "POST" ? { note: open.querySelector("#note").value } : undefined;
  try {
    state.marks = await ask(method, `/tables/${encodeURIComponent(table)}/rounds/${round}/bookmark`, body);
    notice(t(method === "POST" ? "rounds.marked" : "rounds.unmarked", { table, round }));
    open.close();
    draw();
  } catch (error) {
    notice(error.message, "bad");
  }
}

// --- drawing -------------------------------------------------------------------------------------------

function draw() {
  patch(root, alerts(), h("div", { class: "rounds-columns", key: "columns" }, h("div", { class: "found" }, form(), results()), marks()));
}

function alerts() {
  const list = state.alerts;
  return h(
    "section",
    { class: `panel alerts ${list?.length ? "alarming" : ""}`, key: "alerts", "aria-label": t("rounds.alerts") },
    h("h2", null, t("rounds.alerts")),
    list === null ? h("p", { class: "muted" }, t("site.loading")) : list.length ? h("ul", null, list.map(alert)) : h("p", { class: "muted" }, t("rounds.no_alerts")),
  );
}

function alert(one, at) {
  const span = one.entries?.length ? t("rounds.alert_entries", { count: one.count }) : one.count > 1 ? t("rounds.alert_span", { count: one.count, since: when(one.since), last: when(one.last) }) : t("rounds.alert_since", { since: when(one.since) });
  return h(
    "li",
    { key: at, "data-alert": one.alert },
    h("p", null, h("b", null, capital(one.says)), " ", h("span", { class: "tag" }, one.about)),
    h("p", { class: "muted" }, span),
    one.entries?.length ? h("p", { class: "tags" }, one.entries.map((entry) => h("span", { key: entry, class: "tag" }, entry))) : null,
    one.done?.length ? h("p", { class: "tags" }, one.done.map((done, n) => (done.round ? h("a", { key: n, class: "tag", href: replayPath(done.table, done.round) }, t("rounds.alert_step", { step: spoken(done.step), round: done.round, table: done.table })) : h("span", { key: n, class: "tag" }, t("rounds.alert_by", { step: spoken(done.step), people: done.by.join(", ") }))))) : null,
  );
}

function form() {
  const { asked } = state;
  const field = (name, hint, props = {}) => h("label", { class: "field", key: name }, h("span", null, t(`rounds.${name}`)), h("input", { name, placeholder: hint, value: asked[name] ?? "", autocomplete: "off", ...props }));
  const choice = (name, any, options) => h("label", { class: "field", key: name }, h("span", null, t(`rounds.${name}`)), h("select", { name }, h("option", { value: "" }, any), options.map(([value, said]) => h("option", { key: value, value, selected: asked[name] === value }, said))));
  return h(
    "form",
    { class: "panel search", onsubmit: search, "aria-label": t("rounds.search"), key: "search" },
    h("div", { class: "terms" }, field("person", t("rounds.person_hint"), { list: "people" }), choice("table", t("rounds.any_table"), boot.tables.map((one) => [one, one])), field("since", "", { type: "datetime-local" }), field("until", "", { type: "datetime-local" })),
    h(
      "details",
      { class: "further", open: FURTHER.some((one) => one in asked) },
      h("summary", null, t("rounds.more_terms")),
      h("div", { class: "terms" }, field("card", t("rounds.card_hint"), { maxlength: 2 }), field("held_by", t("rounds.person_hint"), { list: "people" }), field("amount", t("rounds.amount_hint")), field("clause", t("rounds.clause_hint")), choice("step", t("rounds.any_step"), boot.steps.map((one) => [one.step, one.label]))),
    ),
    h("datalist", { id: "people" }, boot.people.map((one) => h("option", { key: one.id, value: one.id }, one.name))),
    h("div", { class: "actions" }, h("button", { class: "button gold", "data-act": "find" }, t("rounds.find")), Object.keys(asked).length ? h("button", { class: "button", type: "button", "data-act": "clear", onclick: clear }, t("rounds.clear")) : null, h("p", { class: "muted", role: "status" }, counted())),
  );
}

function counted() {
  if (state.busy) return t("rounds.searching");
  const count = state.rows?.length ?? 0;
  if (state.refused || !count) return "";
  if (state.cursor) return t("rounds.found_more", { count });
  return count === 1 ? t("rounds.found_one") : t("rounds.found", { count });
}

function results() {
  if (state.refused) return h("div", { class: "refused", role: "alert", key: "refused" }, reasons(state.refused));
  if (!state.rows) return h("p", { class: "muted loading", key: "loading" }, t("rounds.searching"));
  if (!state.rows.length) return h("p", { class: "panel muted", key: "none" }, t(Object.keys(state.asked).length ? "rounds.none" : "rounds.none_yet"));
  const heads = ["when", "where", "number", "dealer", "wagered", "returned", "house", "mark"];
  return h(
    "div",
    { key: "results", class: "results" },
    h(
      "table",
      { class: "rounds-table" },
      h("thead", null, h("tr", null, heads.map((one) => h("th", { key: one, scope: "col", class: NUMBERS.has(one) ? "number" : "" }, one === "mark" ? h("span", { class: "unseen" }, t("rounds.mark")) : t(`rounds.${one}`))))),
      h("tbody", null, state.rows.map(row)),
    ),
    state.cursor ? h("button", { class: "button", type: "button", "data-act": "more", disabled: state.busy, onclick: () => find(state.cursor) }, t("rounds.more")) : null,
  );
}

const NUMBERS = new Set(["number", "wagered", "returned", "house"]);

function row(one) {
  const cell = (name, ...content) => h("td", { key: name, class: NUMBERS.has(name) ? `number ${name}` : name, "data-label": t(`rounds.${name}`) }, content);
  const named = { table: one.table_id, round: one.round };
  const mark = markOf(one.table_id, one.round);
  const house = one.house / UNITS;
  return h(
    "tr",
    { key: `${one.table_id}/${one.round}`, "data-round": `${one.table_id}/${one.round}` },
    cell("when", h("time", { datetime: one.ended, title: one.ended }, when(one.ended))),
    cell("where", h("a", { href: replayPath(one.table_id, one.round), "aria-label": t("rounds.replay", named), "data-act": "replay" }, one.table_id), " ", h("small", { class: "muted" }, boot.games[one.game] ?? one.game)),
    cell("number", one.round, one.ending !== "played" ? h("span", { class: "tag bad", title: one.reason }, one.ending) : null),
    cell("dealer", one.dealer),
    cell("wagered", dollars(one.wagered / UNITS)),
    cell("returned", money(one.returned / UNITS)),
    cell("house", h("span", { class: house < 0 ? "bad" : house > 0 ? "good" : "" }, house > 0 ? "+" : "", money(house))),
    cell("mark", h("button", { class: `star ${mark ? "marked" : ""}`, type: "button", "data-act": "mark", "aria-label": t("rounds.mark_it", named), "aria-pressed": String(Boolean(mark)), title: mark?.note || null, onclick: () => note(one.table_id, one.round) }, mark ? "★" : "☆")),
  );
}

const money = (cents) => (cents % 100 ? exactDollars(Math.round(cents)) : dollars(cents));

function marks() {
  const list = [...(state.marks ?? [])].sort((one, other) => other.at.localeCompare(one.at));
  return h(
    "aside",
    { class: "panel marks", "aria-label": t("rounds.marks") },
    h("h2", null, t("rounds.marks")),
    state.marks === null ? h("p", { class: "muted" }, t("site.loading")) : list.length ? null : h("p", { class: "muted" }, t("rounds.no_marks")),
    h(
      "ul",
      { class: "lines" },
      list.map((one) =>
        h(
          "li",
          { key: `${one.table}/${one.round}`, "data-bookmark": `${one.table}/${one.round}` },
          h("span", null, h("a", { href: replayPath(one.table, one.round) }, `${one.table}, ${one.round}`), h("span", { class: one.note ? "block" : "block muted" }, one.note || t("rounds.without_note"))),
          h("button", { class: "star marked", type: "button", "aria-label": t("rounds.note_of", { table: one.table, round: one.round }), onclick: () => note(one.table, one.round) }, "★"),
        ),
      ),
    ),
  );
}

const replayPath = (table, round) => `/tables/${encodeURIComponent(table)}/rounds/${round}`;
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const when = (moment) => `${DAY.format(new Date(moment))}, ${moment.slice(11, 19)}`;

draw();
find();
asides();
