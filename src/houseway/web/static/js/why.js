// "Why?": the clauses behind an amount or a refusal, in plain words.

import { clause } from "./api.js";
import { h } from "./dom.js";
import { dialog, t } from "./page.js";

/** Return a link that opens the clauses behind something. */
export function why(clauses, said = t("site.why"), about = "") {
  if (!clauses?.length) return null;
  return h(
    "button",
    {
      class: "why",
      type: "button",
      "aria-label": about ? `${t("site.why")} ${about}` : null,
      onclick: () => open(clauses, about),
    },
    said,
  );
}

async function open(ids, about) {
  const found = await Promise.all(ids.map((id) => clause(id).catch(() => ({ clause: id, cite: id, rule: "" }))));
  dialog(
    about || t("site.law"),
    found.map((one) =>
      h(
        "article",
        { class: "clause", key: one.clause },
        h("h3", null, one.cite),
        h("p", null, one.rule),
        (one.readings ?? []).map((read) => h("p", { class: "muted" }, t("site.read_so"), " ", read.taken)),
      ),
    ),
  );
}

/** Return why something cannot be done yet, a fact a line with its clause. */
export function reasons(list) {
  return h(
    "ul",
    { class: "reasons" },
    list.map((one) => h("li", { key: one.says }, one.value ? `${one.says}: ${one.value}` : one.says, " ", why(one.clauses, t("site.law_link")))),
  );
}
