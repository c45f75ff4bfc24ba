// What became of wagers: one line for each, with the amount, the reason, and the clause behind it.

import { h } from "./dom.js";
import { dollars, exactDollars, spoken, t } from "./page.js";
import { why } from "./why.js";

const UNITS = 10_000;
const GAINS = new Set(["pay", "envy"]);
const LOSSES = new Set(["collect", "fee"]);

const cents = (payment) => payment.units / UNITS;

/** Return the lines of a position: each wager with what it won or lost, and why. */
export function linesOf(payments, position) {
  const lines = [];
  for (const one of payments.filter((found) => found.position === position && !found.behind)) {
    if (one.kind === "contribution" || one.kind === "stake" || one.kind === "seed") continue;
    const name = one.kind === "envy" ? "envy" : (one.wager ?? one.kind);
    let line = lines.find((found) => found.name === name && name !== "envy");
    if (!line) lines.push((line = { name, net: 0, said: "", clauses: [], back: 0 }));
    if (GAINS.has(one.kind)) line.net += cents(one);
    else if (LOSSES.has(one.kind)) line.net -= cents(one);
    else line.back += cents(one);
    if (GAINS.has(one.kind) || !line.said) {
      line.said = one.reason.replace(/: stake back$/, "");
      line.clauses = one.clauses ?? [];
    }
  }
  return lines.sort((one, other) => ORDER(one) - ORDER(other));
}

const ORDER = (line) => (line.name === "main" ? 0 : line.name === "fee" ? 2 : 1);

/** Return what a position has won or lost so far, in cents. */
export const netOf = (payments, position) => linesOf(payments, position).reduce((sum, line) => sum + line.net, 0);

/** Return an amount won or lost. */
export function amount(net) {
  const said = net > 0 ? `+${exactOf(net)}` : net < 0 ? exactOf(net) : t("word.push");
  return h("strong", { class: net > 0 ? "good figure" : net < 0 ? "bad figure" : "figure" }, said);
}

const exactOf = (net) => (net % 100 ? exactDollars(net) : dollars(net));

/** Return the results of a position as a list. */
export function results(payments, position, names) {
  const lines = linesOf(payments, position);
  if (!lines.length) return null;
  return h(
    "ul",
    { class: "lines" },
    lines.map((line, at) => {
      const name = names[line.name] ?? t(`word.kind.${line.name}`);
      return h(
        "li",
        { key: `${line.name}-${at}` },
        h("span", null, h("b", null, name), " ", h("span", { class: "muted" }, spoken(line.said)), " ", why(line.clauses, t("site.why"), name)),
        amount(line.net),
      );
    }),
  );
}
