// The lobby: tables with their seats and meters as they are, and practice in two clicks.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { boot, capital, dollars, exactDollars, notice, t } from "./page.js";

const EVERY = 2000;
const root = document.getElementById("lobby");
const meterRoot = document.getElementById("meter");
let tables = boot.tables;

function draw() {
  const licensed = tables.filter((one) => !one.practice);
  const newcomer = !boot.me || boot.me.role === "guest";
  patch(root, newcomer ? practice() : null, licensed.map(card), newcomer ? null : practice());
  patch(meterRoot, meter(licensed));
}

function meter(licensed) {
  const shared = licensed.filter((one) => one.meter && licensed.filter((other) => other.meter === one.meter).length > 1);
  const found = shared[0] ?? licensed.find((one) => one.showing);
  if (!found) return null;
  const count = licensed.filter((one) => one.meter === found.meter).length;
  return [
    h("p", null, count > 1 ? t("lobby.shared", { count }) : t("lobby.progressive")),
    h("a", { href: `/signage/${encodeURIComponent(found.meter)}`, class: "meter-large", "aria-label": t("lobby.meter_link", { amount: exactDollars(found.showing) }) }, exactDollars(found.showing)),
  ];
}

function card(one) {
  const game = boot.games.find((found) => found.game === one.game);
  const free = one.positions.length - one.seated.length;
  const open = one.phase === "betting" && free > 0;
  return h(
    "article",
    { class: "table-card", key: one.table },
    h("div", { class: "table-card-text" }, h("h2", null, game.name), h("p", { class: "muted" }, game.law), h("p", { class: "tags" }, h("span", { class: "tag" }, game.split), one.least ? h("span", { class: "tag" }, t("lobby.limits", { least: dollars(one.least), most: dollars(one.most) })) : null, one.showing ? h("span", { class: "tag gold-text" }, exactDollars(one.showing)) : null)),
    smallFelt(one),
    h(
      "div",
      { class: "table-card-foot" },
      h("p", { class: "muted" }, h("b", null, one.table), " · ", capital(t(`table.phase.${one.phase}`)), " · ", free === 1 ? t("lobby.one_seat") : t("lobby.seats", { count: free })),
      h("a", { class: open ? "button gold" : "button", href: `/tables/${encodeURIComponent(one.table)}`, "aria-label": `${open ? t("lobby.sit") : t("lobby.watch")}: ${game.name}, ${one.table}` }, open && boot.me?.role !== "guest" ? t("lobby.sit") : t("lobby.watch")),
    ),
  );
}

function smallFelt(one) {
  const count = one.positions.length;
  return h(
    "svg",
    { class: "small-felt", viewBox: "0 0 140 96", role: "img", "aria-label": t("lobby.seated", { seated: one.seated.length, count }) },
    h("path", { class: "rail", d: "M8 4H132V30C132 66 104 92 70 92S8 66 8 30Z" }),
    h("path", { class: "cloth", d: "M12 8H128V30C128 63 102 88 70 88S12 63 12 30Z" }),
    one.positions.map((at, n) => {
      const angle = Math.PI * (0.1 + 0.8 * (n / (count - 1)));
      const x = 70 - 47 * Math.cos(angle);
      const y = 28 + 46 * Math.sin(angle);
      return h("circle", { key: at, cx: x, cy: y, r: 6, class: one.seated.includes(at) ? "taken" : "free" });
    }),
  );
}

function practice() {
  return h(
    "article",
    { class: "table-card practice", key: "practice" },
    h("h2", null, t("lobby.practise")),
    h("p", { class: "muted" }, t("lobby.practise_says")),
    h("div", { class: "practice-games" }, boot.games.map((game) => h("button", { class: "button", type: "button", key: game.game, "data-practise": game.game, onclick: () => start(game.game) }, game.name, h("small", { class: "muted" }, ` ${game.law.replace("game rules", "").split(",")[0]}`)))),
  );
}

/** Become a guest if no user is signed in, and go to a practice table. */
async function start(game) {
  try {
    if (!boot.me) boot.csrf = (await ask("POST", "/session/guest")).csrf;
    const found = await ask("POST", "/practice", { game });
    location.href = `/tables/${encodeURIComponent(found.table)}`;
  } catch (error) {
    notice(error.message, "bad");
  }
}

async function refresh() {
  if (document.hidden) return;
  try {
    tables = await ask("GET", "/tables");
    draw();
  } catch {
    // the next time will tell
  }
}

draw();
setInterval(refresh, EVERY);
