// What the pages of the office share: things done or proposed, what waits for a second person, times and amounts.

import { Refused, ask, command, uuid7 } from "./api.js";
import { h } from "./dom.js";
import { announce, boot, capital, dialog, dollars, has, notice, spoken, t } from "./page.js";
import { reasons } from "./why.js";

const UNITS = 10_000;

/** Return an amount of the ledger's units in cents. */
export const cents = (units) => Math.round(units / UNITS);

/** Return an amount of cents in the ledger's units. */
export const units = (amount) => amount * UNITS;

/** Whether the user has a duty. */
export const may = (duty) => (boot.rights?.duties ?? []).includes(duty);

/** Whether the user may do something with a table's chips. */
export const mayChips = (step) => (boot.rights?.chips ?? []).includes(step);

// --- times -------------------------------------------------------------------------------------------

/** Return how long something has lasted, in words. */
export function lasted(since, now = Date.now()) {
  const minutes = Math.floor((now - Date.parse(since)) / 60_000);
  if (minutes < 1) return t("office.just_now");
  if (minutes < 60) return t("office.since", { time: t("office.minutes", { count: minutes }) });
  if (minutes < 60 * 48) return t("office.since", { time: t("office.hours", { count: Math.floor(minutes / 60), minutes: minutes % 60 }) });
  return t("office.since", { time: t("office.days", { count: Math.floor(minutes / 1440) }) });
}

/** Return a moment as people write it here. */
export const moment = (at) => new Date(at).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Return the hours and minutes that are left until a moment; nothing if it is over. */
export function left(until, now = Date.now()) {
  const minutes = Math.floor((Date.parse(until) - now) / 60_000);
  return minutes < 0 ? "" : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

// --- what is done ------------------------------------------------------------------------------------

/** Something of a page that is done at most once at a time: whether it is under way, and why it was refused. */
export class Doing {
  constructor(draw) {
    this.draw = draw;
    this.busy = false;
    this.refused = null;
  }

  /** Do something; what is refused is shown where `place` is, and announced. */
  async run(work, said = "", place = "") {
    this.busy = true;
    this.refused = null;
    this.draw();
    try {
      const answer = await work();
      if (said) notice(typeof said === "function" ? said(answer) : said);
      return answer ?? true;
    } catch (error) {
      const list = error instanceof Refused ? error.reasons : [{ says: t("site.no_answer") }];
      this.refused = { place, list };
      announce(list.map((one) => one.says).join(". "));
      return null;
    } finally {
      this.busy = false;
      this.draw();
    }
  }

  /** Return what was refused at a place, with every reason. */
  note(place = "") {
    if (this.refused?.place !== place) return null;
    return h(
      "div",
      { class: "refused", role: "alert", key: "refused" },
      h("b", null, t("site.refused")),
      reasons(this.refused.list),
      h("button", { class: "close", type: "button", "aria-label": t("site.close"), onclick: () => ((this.refused = null), this.draw()) }, "×"),
    );
  }
}

/** Return a note for each player who must leave a table, with the button that records it. */
export function gettingUp(list, table, doing) {
  const place = (one) => `got up ${one.position}`;
  const gotUp = (one) => doing.run(() => command(table, { step: "leave", position: one.position }), "", place(one));
  const button = (one) => h("button", { class: "button small", type: "button", "data-act": "got-up", disabled: doing.busy, onclick: () => gotUp(one) }, t("table.got_up"));
  return (list ?? []).map((one) => h("p", { class: "banner", role: "status", key: place(one) }, t("table.to_get_up", one), " ", button(one), doing.note(place(one))));
}

/** Do a duty of the floor, or propose it to a second person. */
export const duty = (task) => ask("POST", "/duties", { id: uuid7(), task });

/** Say what became of something that may need two people. */
export const outcome = (answer) => (answer?.proposal ? t("office.proposed") : t("office.done"));

/** Confirm a proposal as its second person, or turn it down with a reason. */
export const decide = (name, done, reason = "") => ask("POST", `/proposals/${name.split("/").map(encodeURIComponent).join("/")}`, { done, reason });

// --- what waits for a second person ------------------------------------------------------------------

/** Return what a proposal is called. */
export function taskName(task) {
  if (task.duty === "adjust_at_table") return t("office.duty.adjust_meter");
  if (task.duty === "move_chips") return t(`office.chips.${task.action.step}`);
  return t(`office.duty.${task.duty}`);
}

/** Return what a proposal says, fact by fact. */
export function taskFacts(task) {
  const about = task.action ? { table: task.table, ...task.action } : task;
  return Object.entries(about)
    .filter(([name]) => !["duty", "step"].includes(name))
    .map(([name, value]) => [has(`office.field.${name}`) ? t(`office.field.${name}`) : capital(spoken(name)), said(task, name, value)]);
}

function said(task, name, value) {
  if (name === "roles") return value.map((role) => capital(spoken(role))).join(", ");
  if (name === "amount") return signed(task.duty === "adjust_meter" ? cents(value) : value);
  if (name === "cash" || name === "shown") return dollars(value);
  return name === "chips" ? chipList(value) : String(value);
}

const signed = (amount) => (amount > 0 ? `+${dollars(amount)}` : dollars(amount));

/** Return chips in words: 20 × $5, 4 × $25. */
export const chipList = (chips) => Object.entries(chips).map(([value, count]) => t("office.chips_of", { count, chip: dollars(Number(value)) })).join(", ");

/** Return what a proposal would do once it is confirmed. */
export const taskFollows = (task) => t(`office.follows.${task.duty === "adjust_at_table" ? "adjust_meter" : task.duty}`);

/** Show one half of a password or a key, which is not shown again. */
export function tellHalf(half, device, which) {
  dialog(
    t("office.half"),
    h("p", null, t(`office.half_${which}`), " ", t(device ? "office.half_key" : "office.half_password")),
    h("p", { class: "secret", "data-secret": "" }, half),
    h("p", { class: "muted" }, t("office.half_says")),
  );
}

/** Confirm a proposal, or turn it down; the half of a secret that comes back is shown. */
async function settled(name, done, reason) {
  const answer = await decide(name, done, reason);
  if (answer.half) tellHalf(answer.half, answer.user.device, "second");
}

/** Return the choice about a proposal: one's own is taken back, another's confirmed or turned down. */
export function proposalActions(name, mine, state, doing, { gold = false, then = () => null } = {}) {
  const asking = state.turning === name;
  const settle = (done, told) => doing.run(async () => (await settled(name, done, state.why ?? ""), (state.turning = null), (state.why = ""), then()), told, name);
  const send = (event) => (event.preventDefault(), settle(false, t("office.turned_down")));
  if (asking) {
    return h(
      "form",
      { class: "option-form", onsubmit: send, key: `why-${name}` },
      h("label", { class: "field" }, h("span", null, t("office.why_not")), h("input", { value: state.why ?? "", required: true, oninput: (event) => (state.why = event.target.value) })),
      h("div", { class: "actions" }, h("button", { class: "button", disabled: doing.busy }, mine ? t("office.take_back") : t("office.turn_down")), h("button", { class: "button", type: "button", onclick: () => ((state.turning = null), doing.draw()) }, t("office.cancel"))),
    );
  }
  return h(
    "div",
    { class: "actions", key: `do-${name}` },
    mine ? h("p", { class: "muted" }, t("office.yours_waits")) : h("button", { class: gold ? "button gold" : "button", type: "button", disabled: doing.busy, "data-act": "confirm", onclick: () => settle(true, t("office.confirmed")) }, t("office.confirm")),
    h("button", { class: "button", type: "button", disabled: doing.busy, "data-act": "turn-down", onclick: () => ((state.turning = name), doing.draw()) }, mine ? t("office.take_back") : t("office.turn_down")),
  );
}

/** Return facts as a list of names and values. */
export const factList = (facts) => h("dl", { class: "facts" }, facts.flatMap(([name, value]) => [h("dt", null, name), h("dd", { class: "figure" }, value)]));
