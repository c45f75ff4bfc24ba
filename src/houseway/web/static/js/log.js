// What is done at a table, as one's role may read it: this round and the one before, the latest first.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { capital, spoken, t } from "./page.js";
import { amount, netOf } from "./results.js";
import { why } from "./why.js";

/** The log of a table; it is read on whenever the table has moved. */
export class Log {
  constructor(table, draw) {
    this.path = `/tables/${encodeURIComponent(table)}/log`;
    this.draw = draw;
    this.rows = [];
    this.version = 0;
    this.round = 0;
    this.loaded = false;
    this.asking = false;
    this.again = false;
  }

  /** Read what came since; what happens meanwhile is read after it. */
  async read() {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    try {
      const found = await ask("GET", `${this.path}?after=${this.version}`);
      const kept = found.version < this.version ? [] : this.rows;
      this.version = found.version;
      this.round = found.round;
      this.rows = [...kept, ...found.rows].filter((row) => row.round >= found.round - 1);
      this.loaded = true;
      this.draw();
    } catch {
      // the table will move again
    }
    this.asking = false;
    if (this.again) {
      this.again = false;
      await this.read();
    }
  }

  /** Return what the house-way display last showed of a position, as far as it may be read. */
  shown(position) {
    return this.rows.findLast((row) => row.round === this.round && row.position === position && row.shown)?.shown ?? null;
  }
}

/** Return the log as a list. */
export function logList(log) {
  const rounds = [log.round, log.round - 1];
  return h(
    "section",
    { class: "log", "aria-label": t("staff.log") },
    h("h2", null, t("staff.log")),
    rounds.map((round) => {
      const rows = log.rows.filter((row) => row.round === round).reverse();
      if (!rows.length && round !== log.round) return null;
      return h(
        "div",
        { key: round, class: "log-round" },
        h("h3", null, t(round === log.round ? "staff.log_round" : "staff.log_last", { round })),
        rows.length ? h("ol", { class: "log-rows" }, rows.map(row)) : h("p", { class: "muted" }, log.loaded ? t("staff.log_empty") : t("site.loading")),
      );
    }),
  );
}

function row(one) {
  const at = new Date(one.at).toLocaleTimeString("en-GB");
  const told = Object.entries(one.details ?? {});
  const facts = told.filter(([, said], n) => told.findIndex(([, other]) => other === said) === n).map(([name, said]) => `${name} ${said}`);
  return h(
    "li",
    { key: one.number, class: one.alerts?.length ? "alarming" : "" },
    h("time", { datetime: one.at }, at),
    h(
      "div",
      null,
      h("b", null, one.label, one.position ? ` · ${one.position}` : ""),
      " ",
      paid(one),
      h("p", { class: "muted" }, [one.by_law ? t("staff.by_law") : whoOf(one.who), ...facts].join(" · "), " ", why(one.clauses, t("site.law_link"), one.label)),
      (one.alerts ?? []).map((alert, n) => h("p", { class: "bad", key: n }, capital(alert.says), " ", why(alert.clauses, t("site.law_link")))),
    ),
  );
}

const whoOf = (who) => (who.name === spoken(who.role) || who.id.startsWith("automatic") ? who.name || who.id : `${who.name || who.id}, ${spoken(who.role).replaceAll("-", " ")}`);

function paid(one) {
  const at = new Set((one.payments ?? []).filter((payment) => ["pay", "collect", "envy", "return"].includes(payment.kind)).map((payment) => payment.position));
  return [...at].map((position) => h("span", { key: position, class: "log-paid" }, amount(netOf(one.payments, position))));
}
