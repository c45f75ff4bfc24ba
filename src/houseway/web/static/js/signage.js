// A meter as large as the screen allows; its figures roll to what it shows now.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { boot, dollars, exactDollars, mayMove, t } from "./page.js";

const EVERY = 1500;
const figure = document.getElementById("figure");
const wins = document.getElementById("wins");
let shown = boot.showing;

function draw(cents) {
  const [whole, rest] = exactDollars(cents).split(".");
  patch(figure, h("span", null, whole), h("sup", null, `.${rest}`));
}

function roll(to) {
  const from = shown;
  shown = to;
  if (!mayMove() || from === to) return draw(to);
  const begun = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - begun) / 900);
    draw(Math.round(from + (to - from) * share));
    if (share < 1) requestAnimationFrame(step);
  };
  return requestAnimationFrame(step);
}

async function refresh() {
  try {
    const all = await ask("GET", "/meters");
    roll(all[boot.meter]?.showing ?? all[boot.meter] ?? shown);
    const found = await ask("GET", `/meters/${encodeURIComponent(boot.meter)}/wins`).catch(() => []);
    patch(wins, found.length ? found.slice(0, 5).map((one, n) => h("li", { key: n }, h("span", null, [one.name, one.table, one.hand].filter(Boolean).join(", ")), h("b", null, dollars(one.amount)))) : h("li", { class: "muted" }, t("signage.no_wins")));
  } catch {
    // the next time will tell
  }
}

draw(shown);
refresh();
setInterval(refresh, EVERY);
