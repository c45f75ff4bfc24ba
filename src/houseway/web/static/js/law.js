// The law: clauses with where they are applied and proven, readings of ambiguous ones, the log's chain, PAR sheets.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { boot, t } from "./page.js";
import { why } from "./why.js";

const root = document.getElementById("law");
const query = new URLSearchParams(location.search);
const VIEWS = ["clauses", "readings", ...(boot.chain ? ["chain"] : []), ...(boot.games.length ? ["par"] : [])];
const state = {
  view: VIEWS.includes(query.get("view")) ? query.get("view") : "clauses",
  law: boot.laws.find((one) => one.rule_set === query.get("law"))?.rule_set ?? boot.laws[0].rule_set,
  words: query.get("words") ?? "",
  kind: query.get("kind") ?? "",
  state: query.get("state") ?? "",
  open: query.get("open") !== "no",
  chain: null,
  checking: false,
  failed: false,
};
const clauses = new Map();
const readings = new Map();

// --- asking --------------------------------------------------------------------------------------------

async function load() {
  const [kept, path] = state.view === "readings" ? [readings, "readings"] : [clauses, "clauses"];
  if (state.view === "chain" && !state.chain) return check(false);
  if (!["clauses", "readings"].includes(state.view) || kept.has(state.law)) return draw();
  state.failed = false;
  draw();
  const law = state.law;
  try {
    kept.set(law, await ask("GET", `/${path}?rule_set=${encodeURIComponent(law)}`));
  } catch {
    state.failed = true;
  }
  draw();
}

async function check(whole) {
  state.checking = true;
  draw();
  state.chain = await ask("GET", whole ? "/chain?whole=true" : "/chain").catch((error) => ({ holds: false, fault: error.message, checkpoints: [], verified: null }));
  state.checking = false;
  draw();
}

function change(changes) {
  Object.assign(state, changes);
  const said = new URLSearchParams({ view: state.view });
  if (state.view === "clauses" || state.view === "readings") said.set("law", state.law);
  for (const name of ["words", "kind", "state"]) if (state[name] && state.view === "clauses") said.set(name, state[name]);
  if (state.view === "readings" && !state.open) said.set("open", "no");
  history.replaceState(null, "", `?${said}`);
  load();
}

// --- drawing -------------------------------------------------------------------------------------------

function draw() {
  const shown = { clauses: clauseView, readings: readingView, chain: chainView, par: parView }[state.view];
  patch(
    root,
    h("nav", { class: "views", "aria-label": t("law.views"), key: "views" }, VIEWS.map((one) => h("button", { key: one, type: "button", class: `view ${one === state.view ? "chosen" : ""}`, "data-view": one, "aria-pressed": String(one === state.view), onclick: () => change({ view: one }) }, t(`law.${one}`)))),
    h("div", { class: "law-view", key: state.view }, shown()),
  );
}

const lawChoice = () =>
  h("label", { class: "field", key: "law" }, h("span", null, t("law.which")), h("select", { "data-act": "law", onchange: (event) => change({ law: event.target.value }) }, boot.laws.map((one) => h("option", { key: one.rule_set, value: one.rule_set, selected: one.rule_set === state.law }, `${one.name}, ${one.law}`))));

const wordsField = () =>
  h("label", { class: "field", key: "words" }, h("span", null, t("law.search")), h("input", { type: "search", "data-act": "words", placeholder: t("law.search_hint"), value: state.words, oninput: (event) => change({ words: event.target.value }) }));

const waiting = () =>
  state.failed
    ? h("div", { class: "refused", role: "alert", key: "failed" }, h("p", null, t("law.failed")), h("button", { class: "button small", type: "button", onclick: load }, t("law.retry")))
    : h("p", { class: "muted loading", key: "loading" }, t("site.loading"));

// --- clauses -------------------------------------------------------------------------------------------

function clauseView() {
  const all = clauses.get(state.law);
  const kinds = [...new Set((all ?? []).map((one) => one.kind))];
  const states = [...new Set((all ?? []).map((one) => one.state).filter(Boolean))];
  const found = all?.filter((one) => (!state.kind || one.kind === state.kind) && (!state.state || one.state === state.state) && matches(one, ["clause", "cite", "rule", "software"]));
  return [
    h(
      "div",
      { class: "terms", key: "terms" },
      lawChoice(),
      wordsField(),
      choice("kind", kinds, "law.any_kind", "law.kinds"),
      states.length ? choice("state", states, "law.any_state", "law.states") : null,
    ),
    all ? h("p", { class: "muted", role: "status", key: "count" }, t("law.found", { count: found.length, all: all.length })) : null,
    !all ? waiting() : found.length ? h("ul", { class: "clauses", key: `list-${state.law}` }, found.map(clauseRow)) : h("p", { class: "panel muted", key: "none" }, t("law.none")),
  ];
}

function choice(name, values, any, texts) {
  return h("label", { class: "field", key: name }, h("span", null, t(`law.${name}`)), h("select", { "data-act": name, onchange: (event) => change({ [name]: event.target.value }) }, h("option", { value: "" }, t(any)), values.map((one) => h("option", { key: one, value: one, selected: state[name] === one }, t(`${texts}.${one}`)))));
}

function matches(one, names) {
  const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
  const text = names.map((name) => one[name] ?? "").join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

function clauseRow(one) {
  const facts = [["id", one.clause], ["actor", one.actor], ["software", one.software], ["verify", one.verify], ["reason", one.reason], ["code", one.code], ["tests", one.tests]];
  return h(
    "li",
    { key: one.clause, "data-clause": one.clause },
    h(
      "details",
      { class: "panel clause-row" },
      h("summary", null, h("span", { class: "cite" }, one.cite), h("span", { class: "said" }, one.rule), h("span", { class: "tags" }, h("span", { class: "tag" }, t(`law.kinds.${one.kind}`)), one.state ? h("span", { class: `tag ${one.state === "done" ? "good" : one.state === "open" || one.state === "untested" ? "bad" : ""}` }, t(`law.states.${one.state}`)) : null)),
      h("dl", null, facts.filter(([, said]) => said?.length).map(([name, said]) => [h("dt", { key: `${name}-t` }, t(`law.${name}`)), h("dd", { key: `${name}-d` }, Array.isArray(said) ? said.map((place) => h("code", { key: place }, place)) : said)])),
      WATCHES.includes(boot.me?.role) ? h("p", { class: "rounds-by" }, h("a", { href: `/rounds?clause=${encodeURIComponent(one.clause)}`, "data-act": "rounds-by" }, t("law.rounds_by"))) : null,
    ),
  );
}

const WATCHES = ["surveillance", "regulator"];

// --- readings ------------------------------------------------------------------------------------------

function readingView() {
  const all = readings.get(state.law);
  const found = all?.filter((one) => (!state.open || one.confirm) && matches(one, ["title", "question", "taken", "because", "reading"]));
  return [
    h("div", { class: "terms", key: "terms" }, lawChoice(), wordsField(), h("label", { class: "check" }, h("input", { type: "checkbox", "data-act": "open", checked: state.open, onchange: (event) => change({ open: event.target.checked }) }), t("law.only_open"))),
    all ? h("p", { class: "muted", role: "status", key: "count" }, t("law.found_readings", { count: found.length, all: all.length })) : null,
    !all ? waiting() : found.length ? h("div", { class: "readings", key: `list-${state.law}` }, found.map(readingCard)) : h("p", { class: "panel muted", key: "none" }, t("law.none_readings")),
  ];
}

function readingCard(one) {
  const line = (name, said) => (said ? [h("dt", { key: `${name}-t` }, t(`law.${name}`)), h("dd", { key: `${name}-d` }, said)] : null);
  return h(
    "article",
    { class: "panel reading", key: one.reading, "data-reading": one.reading },
    h("h2", null, one.title, " ", one.confirm ? h("span", { class: "tag gold-text" }, t("law.to_confirm")) : null),
    h("dl", null, line("question", one.question), line("taken", one.taken), line("because", one.because), line("effect", one.effect)),
    one.option ? h("section", null, h("h3", null, t("law.option")), h("ul", { class: "options" }, Object.entries(one.option.choices).map(([name, said]) => h("li", { key: name, class: name === one.option.default ? "default" : "" }, h("code", null, name), " ", said, name === one.option.default ? h("span", { class: "tag good" }, t("law.default")) : null)))) : null,
    one.clauses.length ? why(one.clauses, `${t("law.about_clauses")} (${one.clauses.length})`, one.title) : null,
  );
}

// --- the chain and the sheets --------------------------------------------------------------------------

function chainView() {
  const { chain } = state;
  if (!chain) return h("p", { class: "muted loading" }, t("law.checking"));
  const said = chain.verified ? t(chain.whole ? "law.chain_whole" : "law.chain_since", counted(chain.verified)) : "";
  return [
    h(
      "section",
      { class: `panel chain ${chain.holds ? "holds" : "broken"}`, key: "chain", role: "status", "data-chain": chain.holds ? "holds" : "broken" },
      h("h2", { class: chain.holds ? "good" : "bad" }, chain.holds ? t("law.chain_holds") : t("law.chain_broken", { fault: chain.fault })),
      h("p", { class: "muted" }, state.checking ? t("law.checking") : said),
      h("button", { class: "button", type: "button", "data-act": "whole", disabled: state.checking, onclick: () => check(true) }, t("law.check_whole")),
    ),
    h(
      "section",
      { class: "panel", key: "checkpoints" },
      h("h2", null, t("law.checkpoints")),
      chain.checkpoints.length
        ? h("table", { class: "checkpoints" }, h("thead", null, h("tr", null, ["checkpoint", "taken_at", "hash"].map((one) => h("th", { key: one, scope: "col" }, t(`law.${one}`))))), h("tbody", null, [...chain.checkpoints].reverse().map((one) => h("tr", { key: one.number }, h("td", null, one.number), h("td", null, one.at.slice(0, 19).replace("T", " ")), h("td", null, h("code", null, one.hash))))))
        : h("p", { class: "muted" }, t("law.no_checkpoints")),
    ),
  ];
}

const counted = (verified) => Object.fromEntries(Object.entries(verified).map(([name, count]) => [name, count.toLocaleString("en-US")]));

function parView() {
  return [
    h("p", { class: "muted", key: "says" }, t("law.par_says")),
    h("ul", { class: "sheets", key: "sheets" }, boot.games.map((one) => h("li", { class: "panel", key: one.game }, h("div", null, h("h2", null, one.name), h("p", { class: "muted" }, `${one.split}, ${one.law}`)), h("a", { class: "button", href: `/law/par/${one.game}`, "data-par": one.game, "aria-label": `${t("law.open_par")}: ${one.name}, ${one.law}` }, t("law.open_par"))))),
  ];
}

load();
