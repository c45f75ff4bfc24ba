// A clause as a link: its citation as lawyers write it, which opens its words.

import { clause } from "./api.js";
import { t } from "./page.js";
import { why } from "./why.js";

const cites = new Map();

/** Return a link to clauses, named by the first one's citation as soon as that is known. */
export function cited(clauses, draw, about = "") {
  if (!clauses?.length) return null;
  const [first] = clauses;
  if (!cites.has(first)) {
    cites.set(first, "");
    clause(first).then((found) => (cites.set(first, found.cite), draw()), () => null);
  }
  const said = cites.get(first).replace(/ \[.*\]$/, ""); // lines of a scanned page are of no use here
  return why(clauses, said || t("site.law_link"), about);
}
