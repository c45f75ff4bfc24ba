// A round replayed: what happened, the cards as one chosen person saw them, and the reason for every amount.

import { ask, download } from "./api.js";
import { h, patch } from "./dom.js";
import { moved } from "./motion.js";
import { announce, boot, dialog, notice, t } from "./page.js";
import { replayFelt } from "./replay_felt.js";
import { side } from "./replay_side.js";
import { reasons, why } from "./why.js";

const EVERY = 1100;
const root = document.getElementById("replay");
const path = `/tables/${encodeURIComponent(boot.table)}/rounds/${boot.round}`;
const watches = boot.me.role !== "player";
const asked = new URLSearchParams(location.search);
const state = { data: null, at: 0, chosen: null, playing: null, mark: null, refused: null, viewer: asked.get("as") };

// --- what is asked for ---------------------------------------------------------------------------------

async function load(viewer) {
  try {
    const query = viewer ? `?as=${encodeURIComponent(viewer)}` : "";
    state.data = await ask("GET", `${path}/replay${query}`);
    state.viewer = viewer;
    state.refused = null;
  } catch (error) {
    if (state.data) notice(error.message, "bad");
    else state.refused = error;
  }
}

async function begin() {
  await load(state.viewer);
  if (state.data) {
    const steps = state.data.steps;
    const first = Number(asked.get("step"));
    const found = steps.findIndex((one) => one.number === first);
    state.at = found >= 0 ? found : Math.max(0, steps.length - 1);
    state.chosen = Number(asked.get("position")) || firstHand();
  }
  draw();
  if (watches && state.data) {
    const marks = await ask("GET", "/me/bookmarks").catch(() => []);
    state.mark = ownMark(marks);
    draw();
  }
}

const ownMark = (marks) => marks.find((one) => one.table === boot.table && one.round === boot.round) ?? null;

/** Return the hand that is looked at first: one's own, or the first there is. */
function firstHand() {
  const hands = shown()?.hands ?? [];
  return (hands.find((one) => one.own) ?? hands[0])?.position ?? "dealer";
}

/** Return the table as it is shown: when the round is closed, as it lay before that. */
function shown() {
  for (let at = state.at; at >= 0; at--) {
    if (state.data.steps[at].view.round === boot.round) return state.data.steps[at].view;
  }
  return state.data.steps[state.at]?.view;
}

// --- going through it ----------------------------------------------------------------------------------

function go(at, { quietly = false } = {}) {
  const last = state.data.steps.length - 1;
  const to = Math.min(last, Math.max(0, at));
  if (to === last) pause();
  if (to === state.at) return draw();
  state.at = to;
  draw();
  remember();
  const step = state.data.steps[to];
  if (!quietly) announce(t("replay.step_said", { at: to + 1, count: last + 1, label: step.label, who: step.who.name }));
}

function play() {
  if (state.playing) return pause();
  if (state.at === state.data.steps.length - 1) state.at = 0;
  state.playing = setInterval(() => go(state.at + 1, { quietly: true }), EVERY);
  draw();
}

function pause() {
  clearInterval(state.playing);
  state.playing = null;
  draw();
}

function remember() {
  const query = new URLSearchParams();
  if (state.viewer) query.set("as", state.viewer);
  query.set("step", state.data.steps[state.at].number);
  if (state.chosen) query.set("position", state.chosen);
  history.replaceState(null, "", `?${query}`);
}

document.addEventListener("keydown", (event) => {
  if (!state.data || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const inField = event.target.closest("input, textarea, select");
  const on = { ArrowLeft: state.at - 1, ArrowRight: state.at + 1, Home: 0, End: state.data.steps.length - 1 }[event.key];
  if (on !== undefined && !inField) {
    event.preventDefault();
    go(on);
  } else if (event.key === " " && (!event.target.closest("button, a, input, textarea, select, summary") || event.target.id === "line")) {
    event.preventDefault();
    play();
  }
});

async function seeAs(viewer) {
  await load(viewer);
  draw();
  remember();
  announce(t("replay.felt", { name: calledViewer(state.data.viewer) }));
}

function calledViewer(viewer) {
  return viewer.startsWith("player:") ? state.data.viewers[viewer] : t(`replay.viewer.${viewer}`);
}

function choose(position) {
  state.chosen = position;
  draw();
  remember();
}

// --- the mark ------------------------------------------------------------------------------------------

function openMark() {
  const area = h("textarea", { id: "note", rows: 3, maxlength: 500, value: state.mark?.note ?? "" });
  const open = dialog(
    t("replay.mark"),
    h("label", { class: "field" }, h("span", null, t("replay.note")), area),
    h(
      "div",
      { class: "actions" },
      h("button", { class: "button gold", type: "button", "data-act": "keep-mark", onclick: () => keep("POST", open) }, t("replay.keep")),
      state.mark ? h("button", { class: "button", type: "button", "data-act": "remove-mark", onclick: () => keep("DELETE", open) }, t("replay.remove")) : null,
    ),
  );
}

async function keep(method, open) {
  const note = open.querySelector("#note").value;
  try {
    state.mark = ownMark(await ask(method, `${path}/bookmark`, method === "POST" ? { note } : undefined));
    notice(t(state.mark ? "replay.kept" : "replay.unmarked"));
    open.close();
    draw();
  } catch (error) {
    notice(error.message, "bad");
  }
}

// --- drawing -------------------------------------------------------------------------------------------

function draw() {
  if (state.refused) return patch(root, refused());
  if (!state.data) return;
  const { steps } = state.data;
  const view = shown();
  const change = () =>
    patch(
      root,
      bar(),
      h("ol", { class: "replay-steps", "aria-label": t("replay.steps"), key: "steps" }, steps.map(step)),
      replayFelt(view, boot.facts, state.data, { chosen: state.chosen, choose, seen: calledViewer(state.data.viewer), now: steps[state.at] }),
      h("aside", { class: "replay-side", key: "side" }, side(view, boot.facts, state.data, { chosen: state.chosen, moves: movesSoFar() }), seeAsChoice()),
      line(),
    );
  if (root.querySelector(".replay-felt")) moved(root, change);
  else change();
  keepInSight();
}

const movesSoFar = () => state.data.steps.slice(0, state.at + 1).flatMap((one) => one.payments ?? []);

function refused() {
  return h("section", { class: "narrow panel", key: "refused" }, h("h1", null, t("replay.not_yours")), reasons(state.refused.reasons ?? [{ says: t("site.no_answer") }]), h("a", { class: "button gold", href: watches ? "/rounds" : "/me/rounds" }, t(watches ? "replay.to_rounds" : "site.nav.history")));
}

function bar() {
  const { data } = state;
  const { row, facts } = boot;
  const where = t("replay.where", { table: boot.table, game: facts.name, day: day(row.began), from: clock(row.began), to: clock(row.ended) });
  return h(
    "header",
    { class: "replay-bar", key: "bar" },
    h("h1", null, t("replay.heading", { round: boot.round })),
    h("p", { class: "muted" }, where),
    h(
      "p",
      { class: "tags" },
      row.ending !== "played" ? h("span", { class: "tag bad" }, row.reason ? t("replay.void", { reason: row.reason }) : row.ending) : null,
      h("span", { class: `tag ${data.identical ? "good" : "bad"}`, "data-proof": "identical" }, data.identical ? t("replay.identical") : t("replay.differs", { what: data.difference ?? "" })),
      h("span", { class: `tag ${data.chained ? "good" : "bad"}`, "data-proof": "chained" }, data.chained ? t("replay.chained") : t("replay.broken", { what: (data.faults ?? []).join("; ") })),
    ),
    watches
      ? h(
          "div",
          { class: "actions" },
          h("button", { class: "button small", type: "button", "data-act": "mark", "aria-pressed": String(Boolean(state.mark)), onclick: openMark }, state.mark ? "★ " : "☆ ", t(state.mark ? "replay.marked" : "replay.mark")),
          h("a", { class: "button small", href: `${path}/packet`, "data-act": "packet" }, t("replay.packet")),
        )
      : receipts(),
  );
}

/** Return where a player gets the receipt of the round, and the page that checks it without this floor. */
function receipts() {
  if (boot.facts.practice) return null;
  return h(
    "div",
    { class: "actions" },
    h("button", { class: "button small", type: "button", "data-act": "receipt", onclick: saveReceipt }, t("replay.receipt")),
    h("a", { class: "button small", href: "/receipt", download: "check-a-receipt.html", "data-act": "receipt-page" }, t("replay.receipt_page")),
  );
}

async function saveReceipt() {
  try {
    await download(`${path}/receipt`, `receipt-${boot.table}-${boot.round}.json`);
  } catch (error) {
    notice(error.message, "bad");
  }
}

function step(one, at) {
  const now = at === state.at;
  const first = now ? null : (one.clauses ?? [])[0];
  return h(
    "li",
    { key: one.number, class: `${now ? "now" : ""} ${at > state.at ? "to-come" : ""}` },
    h(
      "button",
      { class: "step-button", type: "button", "data-step": one.step, "data-number": one.number, "aria-current": now ? "step" : null, onclick: () => go(at, { quietly: true }) },
      h("time", { datetime: one.at }, clock(one.at)),
      h("span", { class: "step-said" }, h("b", null, one.label, one.irregular ? h("span", { class: "flag" }, t("replay.irregular")) : null), h("span", { class: "muted" }, [whoOf(one), detailOf(one, now), first ? shortest(state.data.cites[first]) : ""].filter(Boolean).join(" · "))),
    ),
    now ? more(one) : null,
  );
}

/** Return all there is to say of the step that is shown: the words spoken, what came of it, its clauses. */
function more(one) {
  const details = Object.entries(one.details ?? {}).filter(([name, said]) => name !== "wager" || said !== "all");
  const clauses = (one.clauses ?? []).filter((id, at, all) => all.findIndex((other) => state.data.cites[other] === state.data.cites[id]) === at);
  return h(
    "div",
    { class: "step-more" },
    one.say ? h("p", { class: "words" }, t("replay.said", { said: one.say })) : null,
    details.length ? h("dl", null, details.map(([name, said]) => [h("dt", null, name), h("dd", null, said.replaceAll("_", " "))])) : null,
    (one.alerts ?? []).map((alert) => h("p", { class: "bad", key: alert.says }, alert.says, " ", why(alert.clauses, t("site.law_link"), alert.says))),
    clauses.length ? h("p", { class: "cites" }, clauses.map((id) => why([id], short(state.data.cites[id]), one.label))) : null,
  );
}

function whoOf(one) {
  const role = one.who.role.replaceAll("_", " ");
  return one.who.name === role || one.who.name.includes(role) ? one.who.name : `${role} ${one.who.name}`;
}

/** Return the one fact that tells a step from others like it. */
function detailOf(one, now) {
  if (one.by_law) return t("replay.by_law");
  const details = now ? [] : Object.entries(one.details ?? {});
  const place = one.position && one.who.role !== "player" ? t("replay.at_position", { position: one.position }) : "";
  const [, said] = details.find(([name]) => TOLD.includes(name)) ?? [];
  return [place, said?.replaceAll("_", " ")].filter(Boolean).join(", ");
}

const TOLD = ["placed", "announced", "total", "made", "left", "number", "hand", "reason", "stake", "setting", "deck"];

function seeAsChoice() {
  const { viewers, viewer } = state.data;
  return h(
    "section",
    { class: "see-as" },
    h("h2", null, t("replay.as")),
    h(
      "div",
      { class: "choices" },
      eyes(viewers).map((one) => h("button", { class: `button small ${one === viewer ? "gold" : ""}`, type: "button", key: one, "data-as": one, "aria-pressed": String(one === viewer), onclick: () => seeAs(one) }, calledViewer(one))),
    ),
  );
}

/** Return through whose eyes the round can be seen: those who watch and work there, then its players. */
function eyes(viewers) {
  const players = Object.keys(viewers).filter((one) => one.startsWith("player:"));
  return [...ROLES.filter((one) => one in viewers), ...players];
}

const ROLES = ["surveillance", "dealer", "floorperson", "guest"];

function line() {
  const { steps } = state.data;
  const last = Math.max(1, steps.length - 1);
  return h(
    "footer",
    { class: "replay-line", key: "line" },
    h("p", { class: "now-line" }, h("b", null, steps[state.at].label), " ", h("span", { class: "muted" }, [whoOf(steps[state.at]), clock(steps[state.at].at)].join(", "))),
    h("button", { class: "button", type: "button", "data-act": "back", "aria-label": t("replay.back"), disabled: state.at === 0, onclick: () => go(state.at - 1) }, "◀"),
    h("button", { class: "button gold", type: "button", "data-act": "play", onclick: play }, t(state.playing ? "replay.pause" : "replay.play")),
    h("button", { class: "button", type: "button", "data-act": "on", "aria-label": t("replay.on"), disabled: state.at === steps.length - 1, onclick: () => go(state.at + 1) }, "▶"),
    h(
      "div",
      { class: "track", style: { "--share": `${(100 * state.at) / last}%` } },
      steps.map((one, at) => (one.irregular ? h("span", { class: "mark", key: at, title: one.label, style: { "--at": at / last } }) : null)),
      h("input", { id: "line", type: "range", min: 0, max: steps.length - 1, value: state.at, "aria-label": t("replay.line"), "aria-valuetext": t("replay.step_said", { at: state.at + 1, count: steps.length, label: steps[state.at].label, who: steps[state.at].who.name }), oninput: (event) => go(Number(event.target.value), { quietly: true }) }),
    ),
    h("p", { class: "muted count" }, t("replay.at_step", { at: state.at + 1, count: steps.length })),
  );
}

function keepInSight() {
  const list = root.querySelector(".replay-steps");
  const now = list?.querySelector(".now");
  if (!now || list.scrollHeight <= list.clientHeight) return;
  const [top, bottom] = [now.offsetTop, now.offsetTop + now.offsetHeight];
  if (top < list.scrollTop + 40) list.scrollTop = top - 80;
  if (bottom > list.scrollTop + list.clientHeight - 40) list.scrollTop = bottom - list.clientHeight + 80;
}

const clock = (moment) => moment.slice(11, 19);
const shortest = (cited) => (cited?.includes("§") ? short(cited).split(",")[0] : "");
const short = (cited) => (cited?.includes("§") ? cited.slice(cited.indexOf("§")) : (cited ?? ""));
const day = (moment) => new Date(moment).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

begin();
