// A player's own rounds: what each came to, and how it went.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { Doing, cents, moment } from "./office.js";
import { boot, dollars, t } from "./page.js";
import { line } from "./plots.js";
import { amount } from "./results.js";

const root = document.getElementById("history");
const state = { rounds: null, cursor: null, failed: false };
const doing = new Doing(() => draw());

async function more() {
  await doing.run(async () => {
    const found = await ask("GET", `/me/rounds${state.cursor ? `?cursor=${encodeURIComponent(state.cursor)}` : ""}`);
    state.rounds = [...(state.rounds ?? []), ...found.rounds];
    state.cursor = found.cursor ?? null;
  });
  state.failed = !state.rounds;
  draw();
}

const NUMBERS = ["wagered", "returned", "fees"];

function row(one) {
  const { round } = one;
  return h(
    "tr",
    { key: `${round.table_id}-${round.round}` },
    h("td", { class: "left" }, moment(round.ended)),
    h("td", { class: "left" }, boot.games[round.game] ?? round.game, h("span", { class: "muted" }, ` · ${round.table_id}`)),
    h("td", null, h("a", { href: `/tables/${encodeURIComponent(round.table_id)}/rounds/${round.round}`, "aria-label": `${t("history.watch")}: ${round.table_id} ${round.round}` }, round.round)),
    NUMBERS.map((name) => h("td", { key: name }, one[name] ? dollars(cents(one[name])) : "–")),
    h("td", null, round.ending === "void" ? h("span", { class: "muted" }, t("history.void", { reason: round.reason })) : amount(cents(one.net))),
  );
}

function table(rounds) {
  const sum = (name) => cents(rounds.reduce((total, one) => total + one[name], 0));
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": t("history.heading") },
    h(
      "table",
      { class: "figures" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("history.when")), h("th", { scope: "col", class: "left" }, t("history.game")), h("th", { scope: "col" }, t("history.round")), h("th", { scope: "col" }, t("history.wagered")), h("th", { scope: "col" }, t("history.returned")), h("th", { scope: "col" }, t("history.fees")), h("th", { scope: "col" }, t("history.net")))),
      h("tbody", null, rounds.map(row)),
      h("tfoot", null, h("tr", null, h("th", { scope: "row", colspan: 3 }, t("history.sum", { count: rounds.length })), NUMBERS.map((name) => h("td", { key: name }, dollars(sum(name)))), h("td", null, amount(sum("net"))))),
    ),
  );
}

function course(rounds) {
  if (rounds.length < 2 || rounds.every((one) => !one.net)) return null;
  let total = 0;
  const points = [...rounds].reverse().map((one) => (total += cents(one.net)));
  return h("section", { class: "panel" }, h("h2", null, t("history.running")), line([0, ...points], { label: t("history.running_label", { amount: dollars(total) }), said: dollars }));
}

function exports() {
  return h("p", { class: "actions" }, h("span", { class: "muted" }, t("history.export")), h("a", { class: "button small", href: "/api/v1/me/history?format=csv", download: "", "data-act": "export-csv" }, t("history.csv")), h("a", { class: "button small", href: "/api/v1/me/history?format=jsonl", download: "", "data-act": "export-jsonl" }, t("history.jsonl")));
}

function draw() {
  if (!state.rounds) {
    if (state.failed) patch(root, h("p", { class: "banner bad", role: "status" }, t("site.no_answer"), " ", h("button", { class: "why", type: "button", onclick: more }, t("office.again"))));
    return;
  }
  if (!state.rounds.length) {
    patch(root, h("p", { class: "empty-note" }, t("history.none"), " ", h("a", { href: "/" }, t("history.to_floor"))));
    return;
  }
  patch(root, exports(), course(state.rounds), h("section", { class: "panel", key: "rounds" }, table(state.rounds), state.cursor ? h("button", { class: "button", type: "button", "data-act": "more", disabled: doing.busy, onclick: more }, t("office.more")) : null));
}

more();
