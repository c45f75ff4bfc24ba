// Rules submissions: what is filed and where it stands, judged by the law, approved by another, made tables of.

import { Refused, ask } from "./api.js";
import { h, patch } from "./dom.js";
import { form } from "./forms.js";
import { Doing, duty, may, moment } from "./office.js";
import { announce, boot, notice, t } from "./page.js";
import { reasons } from "./why.js";

const root = document.getElementById("submissions");
const state = { rows: null, failed: false, shown: new URLSearchParams(location.search).get("show"), whole: {}, making: null, ending: null, filled: {}, toml: "", game: boot.games[0]?.game, judged: null };
const doing = new Doing(() => draw());
const nameOf = (game) => boot.games.find((one) => one.game === game)?.name ?? game;
const shownName = (actor) => actor?.name || actor?.id || "";

async function refresh() {
  try {
    state.rows = await ask("GET", "/submissions");
    state.failed = false;
    if (state.shown) await read(state.shown);
  } catch {
    state.failed = true;
  }
  draw();
}

async function read(name) {
  state.whole[name] = await ask("GET", `/submissions/${encodeURIComponent(name)}`).catch(() => null);
}

// --- what is filed -----------------------------------------------------------------------------------

const TAGS = { filed: "gold-text", approved: "", effective: "good", ended: "muted" };

function filed() {
  if (!state.rows.length) return h("p", { class: "empty-note" }, t("submissions.none"));
  return h("div", { class: "filings" }, [...state.rows].reverse().map(one));
}

const licensed = (table) => !table.startsWith("practice-");

function one(row) {
  const tables = row.tables.filter(licensed);
  const open = state.shown === row.submission;
  return h(
    "article",
    { class: "panel filing", key: row.submission, "data-submission": row.reference, "data-state": row.state },
    h("header", { class: "filing-head" }, h("h3", null, row.reference), h("span", { class: `tag ${TAGS[row.state]}` }, t(`submissions.state_${row.state}`))),
    h("p", null, nameOf(row.game), h("span", { class: "muted" }, " · ", row.holder, " · ", t("submissions.law", { date: row.law_as_of }))),
    h("p", { class: "muted" }, life(row).join(" · ")),
    tables.length ? h("p", null, h("span", { class: "muted" }, t("submissions.tables", { tables: "" })), tables.map((table, n) => [n ? ", " : "", h("a", { href: `/tables/${encodeURIComponent(table)}`, key: table }, table)])) : null,
    actions(row, open),
    state.making === row.submission ? makeForm(row) : null,
    state.ending === row.submission ? endForm(row) : null,
    doing.note(row.submission),
    open ? wholeOf(state.whole[row.submission]) : null,
  );
}

function life(row) {
  return [
    t("submissions.by", { name: shownName(row.filed_by), when: moment(row.filed_at) }),
    row.approved_by ? t("submissions.approved_by", { name: shownName(row.approved_by) }) : "",
    row.effective ? t(row.state === "approved" ? "submissions.effective_later" : "submissions.effective", { when: moment(row.effective) }) : "",
    row.ended_at ? t("submissions.ended_by", { name: shownName(row.ended_by), reason: row.reason }) : "",
  ].filter(Boolean);
}

function actions(row, open) {
  const own = row.filed_by?.id === boot.me.id;
  const approve = () => doing.run(async () => (await duty({ duty: "approve_submission", submission: row.submission }), refresh()), t("submissions.approved"), row.submission);
  return h(
    "div",
    { class: "actions" },
    row.state === "filed" && may("approve_submission") ? (own ? h("p", { class: "muted" }, t("submissions.own")) : h("button", { class: "button gold", type: "button", "data-act": "approve", disabled: doing.busy, onclick: approve }, t("submissions.approve"))) : null,
    row.state === "effective" && may("make_table") ? h("button", { class: "button", type: "button", "data-act": "make-table", onclick: () => toggle("making", row.submission) }, t("submissions.make")) : null,
    h("button", { class: "button", type: "button", "data-act": "read", "aria-expanded": String(open), onclick: () => show(open ? null : row.submission) }, open ? t("submissions.close") : t("submissions.read")),
    row.state === "effective" && may("end_submission") ? h("button", { class: "button", type: "button", "data-act": "end", onclick: () => toggle("ending", row.submission) }, t("submissions.end")) : null,
  );
}

function toggle(what, name) {
  state[what] = state[what] === name ? null : name;
  state[what === "making" ? "ending" : "making"] = null;
  draw();
}

async function show(name) {
  state.shown = name;
  draw();
  if (name) await read(name);
  draw();
}

function makeForm(row) {
  const filled = (state.filled[row.submission] ??= {});
  const option = {
    step: "make_table",
    label: t("submissions.make"),
    fields: [
      { name: "table", kind: "text", label: t("submissions.table_name"), needed: true },
      { name: "meter", kind: "text", label: t("submissions.share"), asked: true },
      { name: "origin", kind: "choice", label: t("submissions.origin"), choices: boot.origins, default: boot.origins[0] },
      { name: "chips", kind: "yes_no", label: t("submissions.chips"), asked: true },
    ],
  };
  const send = (action) => {
    const { step, ...rest } = action;
    return doing.run(async () => (await duty({ duty: step, submission: row.submission, ...rest }), (state.making = null), (state.filled = {}), refresh()), t("submissions.made", { table: rest.table }), row.submission);
  };
  return h("section", { class: "opened" }, h("p", { class: "muted" }, t("submissions.make_follows")), form(option, filled, { busy: doing.busy, onChange: (name, value) => ((filled[name] = value), draw()), onSend: send }));
}

function endForm(row) {
  const filled = (state.filled[`end-${row.submission}`] ??= {});
  const option = { step: "end_submission", label: t("submissions.end"), fields: [{ name: "reason", kind: "text", label: t("submissions.end_reason"), needed: true }] };
  const send = ({ reason }) => doing.run(async () => (await duty({ duty: "end_submission", submission: row.submission, reason }), (state.ending = null), refresh()), t("submissions.ended"), row.submission);
  return h("section", { class: "opened" }, form(option, filled, { busy: doing.busy, gold: false, onChange: (name, value) => ((filled[name] = value), draw()), onSend: send }));
}

function wholeOf(found) {
  if (!found) return h("p", { class: "muted" }, t("site.loading"));
  return h(
    "div",
    { class: "whole" },
    h("h4", null, t("submissions.changes")),
    found.changes.length
      ? h("div", { class: "scroll" }, h("table", { class: "figures" }, h("tbody", null, found.changes.map((change) => h("tr", { key: change.field }, h("th", { scope: "row" }, change.field), h("td", { class: "left bad" }, said(change.before)), h("td", { class: "left good" }, said(change.after)))))))
      : h("p", { class: "muted" }, t("submissions.no_changes")),
    h("pre", { class: "document", tabindex: "0" }, JSON.stringify(found.document, null, 2)),
  );
}

const said = (value) => (value === null || value === undefined ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value));

// --- filing ------------------------------------------------------------------------------------------

async function judge(only) {
  state.judged = null;
  doing.busy = true;
  draw();
  try {
    const found = await ask("POST", "/submissions", { toml: state.toml, only_check: only });
    state.judged = { lawful: true, list: found.warnings.map((warning) => ({ says: warning.reason, value: warning.value, clauses: warning.clauses })) };
    announce(t("submissions.lawful"));
    if (!only) {
      notice(t("submissions.filed_now", { reference: found.reference }));
      state.toml = "";
      state.judged = null;
      await refresh();
    }
  } catch (error) {
    state.judged = { lawful: false, list: error instanceof Refused ? error.reasons : [{ says: t("site.no_answer") }] };
    announce(counted(state.judged.list.length));
  }
  doing.busy = false;
  draw();
}

const counted = (count) => (count === 1 ? t("submissions.refused_one") : t("submissions.refused", { count }));

function filing() {
  if (!may("file_submission")) return null;
  const begin = (game) => ((state.toml = boot.examples[game]), (state.judged = null), draw());
  return h(
    "section",
    { class: "panel filing-new" },
    h("h2", null, t("submissions.file")),
    h("p", { class: "muted" }, t("submissions.file_says")),
    h("p", { class: "muted" }, t("submissions.begin")),
    h("div", { class: "others" }, boot.games.map((game) => h("button", { class: "button small", type: "button", key: game.game, "data-example": game.game, onclick: () => begin(game.game) }, `${game.name}, ${game.game}`))),
    h("label", { class: "field" }, h("span", null, t("submissions.document")), h("textarea", { class: "toml", rows: 16, spellcheck: "false", autocapitalize: "off", value: state.toml, "data-field": "toml", oninput: (event) => ((state.toml = event.target.value), (state.judged = null), draw()) })),
    state.judged ? verdict(state.judged) : null,
    h(
      "div",
      { class: "actions" },
      h("button", { class: "button", type: "button", "data-act": "judge", disabled: doing.busy || !state.toml.trim(), onclick: () => judge(true) }, t("submissions.check")),
      h("button", { class: "button gold", type: "button", "data-act": "file", disabled: doing.busy || !state.toml.trim(), onclick: () => judge(false) }, t("submissions.submit")),
    ),
  );
}

function verdict({ lawful, list }) {
  if (!lawful) return h("div", { class: "refused", role: "alert", "data-verdict": "refused" }, h("b", null, counted(list.length)), reasons(list));
  return h("div", { class: "lawful good", role: "status", "data-verdict": "lawful" }, h("b", null, list.length ? t("submissions.lawful_warned") : t("submissions.lawful")), list.length ? reasons(list) : null);
}

function draw() {
  if (!state.rows) {
    if (state.failed) patch(root, h("p", { class: "banner bad", role: "status" }, t("site.no_answer"), " ", h("button", { class: "why", type: "button", onclick: refresh }, t("office.again"))));
    return;
  }
  patch(root, h("div", { class: may("file_submission") ? "two" : "" }, h("section", { class: "filed" }, h("h2", null, t("submissions.filed")), filed()), filing()));
}

refresh();
