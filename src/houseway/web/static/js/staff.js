// A table for people who supervise or watch it: decisions waiting, the felt, what else they may do, and a live log.

import { ask, command } from "./api.js";
import { face } from "./cards.js";
import { h, patch } from "./dom.js";
import { chipOptions, meterOptions, pressable } from "./duties.js";
import { felt } from "./felt.js";
import { asksFor, form, keyOf } from "./forms.js";
import { connectionNote, watch } from "./live.js";
import { Log, logList } from "./log.js";
import { moved } from "./motion.js";
import { Doing, chipList, gettingUp, left, mayChips, proposalActions, taskFacts, taskFollows, taskName, factList } from "./office.js";
import { announce, boot, dollars, exactDollars, spoken, t } from "./page.js";
import { readWins, winList } from "./slips.js";
import { reasons } from "./why.js";

const { facts, table } = boot;
const path = `/tables/${encodeURIComponent(table)}`;
const root = document.getElementById("table");
const state = { message: null, connection: "connecting", filled: {}, open: null, tray: null, proposals: [], filings: [], wins: [], turning: null, why: "" };
const doing = new Doing(() => draw());
const log = new Log(table, () => draw());
const staff = boot.mode === "staff";
const SEES_PROPOSALS = ["floorperson", "manager", "key_holder", "accounting", "regulator", "administrator"];
const SEES_WINS = [...SEES_PROPOSALS, "surveillance"];
const SEES_DISPLAY = ["floorperson", "manager", "surveillance"];
const WITH_DISPLAY = "iverify_hwv";
const GROUPS = ["rulings", "jackpot"].map((name) => [name, facts.panels[name]]);
const GROUPED = new Set(GROUPS.flatMap(([, steps]) => steps));

const view = () => state.message.view;
const isOpen = (option) => !option.reasons?.length;
const RULES = new Set(["rule_round", "rule_abandoned", "rule_light"]);
const waits = (option) => isOpen(option) && (option.due || RULES.has(option.step));

// --- what is learnt ----------------------------------------------------------------------------------

function heard(message) {
  const before = state.message?.options.find(waits);
  const first = message.options.find(waits);
  if (first && (!before || keyOf(before) !== keyOf(first))) announce(`${t("staff.next")}: ${first.label}`);
  state.message = message;
  log.read();
  draw();
}

async function refreshOffice() {
  if (document.hidden) return;
  if (facts.chips && ["dealer", "floorperson", "manager", "accounting", "surveillance", "regulator"].includes(boot.me.role)) state.tray = await ask("GET", `${path}/chips`).catch(() => state.tray);
  if (SEES_PROPOSALS.includes(boot.me.role)) state.proposals = (await ask("GET", "/proposals").catch(() => state.proposals)).filter((one) => one.task.table === table || one.task.meter === facts.meter);
  if (facts.meter && SEES_WINS.includes(boot.me.role)) state.wins = (await readWins([facts.meter])).filter((one) => one.table === table);
  if (staff && !state.filings.length) state.filings = (await ask("GET", "/submissions").catch(() => [])).filter((one) => one.game === facts.game && one.state === "effective");
  if (state.message) draw();
}

// --- what is done ------------------------------------------------------------------------------------

function act(option, action) {
  const key = keyOf(option);
  return doing.run(async () => {
    const answer = await command(table, await whole(action));
    delete state.filled[key];
    state.open = null;
    return answer;
  }, (answer) => (answer.proposal ? t("office.proposed") : t("staff.done", { what: option.label })), key);
}

/** Return an option as it is filled in here: rules are chosen among those in effect, and no second person is typed. */
function fillable(option) {
  if (option.step === "adjust_meter") return { ...option, fields: option.fields.filter((field) => field.name !== "second") };
  if (option.step !== "adopt_rules") return option;
  const fields = option.fields.map((field) => (field.name === "submission" ? { ...field, kind: "choice", choices: state.filings.map((one) => one.reference), default: undefined } : field));
  return { ...option, fields };
}

/** Return an action as it is sent: rules go whole, as they were filed; the second person is the one who confirms it. */
async function whole(action) {
  if (action.step === "adjust_meter") return { ...action, second: "" };
  if (action.step !== "adopt_rules") return action;
  const chosen = state.filings.find((one) => one.reference === action.submission);
  const { document: filed } = await ask("GET", `/submissions/${encodeURIComponent(chosen.submission)}`);
  return { ...action, submission: filed };
}

function optionForm(option, gold) {
  const filled = (state.filled[keyOf(option)] ??= {});
  return form(fillable(option), filled, { busy: doing.busy, gold, onChange: (name, value) => ((filled[name] = value), draw()), onSend: (action) => act(option, action) });
}

// --- what is shown -----------------------------------------------------------------------------------

function draw() {
  if (!state.message) return;
  moved(root, () => patch(root, bar(view()), note(), h("div", { class: "console", key: "console" }, h("aside", { class: "console-side" }, logList(log)), h("div", { class: "console-main" }, main(view())))));
}

function bar(now) {
  return h(
    "header",
    { class: "console-bar", key: "bar" },
    h("h2", null, t("table.table", { table })),
    h("span", { class: "muted" }, facts.name, ", ", now.dealer ? t("staff.dealer", { name: now.dealer }) : t("staff.no_dealer")),
    h("span", { class: "tag" }, t("staff.round", { round: now.round })),
    (now.clocks ?? []).filter((one) => one.until).map((one) => h("span", { class: left(one.until) ? "tag" : "tag late", key: one.what }, `${one.what} ${left(one.until) || "0:00"}`)),
    now.meter ? h("b", { class: "meter-figure" }, exactDollars(now.meter.showing)) : null,
    h("div", { class: "end" }, ["surveillance", "regulator"].includes(boot.me.role) ? h("a", { class: "button small", href: `/rounds?table=${encodeURIComponent(table)}` }, t("staff.rounds")) : null, h("a", { class: "button small", href: `${path}/card`, target: "_blank", rel: "noopener" }, t("staff.rack_card")), staff || boot.me.role === "administrator" ? h("a", { class: "button small", href: "/floor" }, t("staff.supervise")) : null),
  );
}

function note() {
  const lost = connectionNote(state.connection);
  if (lost) return lost;
  const link = state.message.link_down;
  return [gettingUp(state.message.to_get_up, table, doing), link ? h("p", { class: "banner", role: "status", key: "link" }, t("table.link_down", { reason: link })) : null];
}

function main(now) {
  const options = state.message.options;
  const first = options.find(waits);
  return [
    first ? nextCard(first) : waitingCard(now),
    h("div", { class: "stage", key: "felt" }, felt(now, facts, {})),
    panels([display(now), ...groups(options.filter((one) => one !== first))], [...proposals(), chips(), meter(now)]),
  ];
}

/** Return panels in two columns that keep their order, or in one where one is enough. */
function panels(...columns) {
  const filled = columns.map((column) => column.filter(Boolean)).filter((column) => column.length);
  return h("div", { class: `staff-panels in-${filled.length}`, key: "panels" }, filled.map((column, n) => h("div", { class: "staff-column", key: n }, column)));
}

const whereOf = (option) => [option.position ? t("staff.at_position", { position: option.position }) : "", option.deck ? t("staff.of_deck", { deck: option.deck }) : ""].filter(Boolean).join(", ");

function nextCard(option) {
  const where = whereOf(option);
  return h(
    "section",
    { class: "next", key: "next", "data-step": option.step },
    h("div", null, h("p", { class: "kicker" }, t("staff.next")), h("h2", null, where ? `${option.label}, ${where}` : option.label), option.say ? h("p", { class: "say" }, "“", option.say, "”") : null, view().stopped ? h("p", null, t("table.stopped", { reason: view().stopped })) : null, h("p", { class: "follows" }, option.follows)),
    asksFor(option) ? null : h("button", { class: "do button", type: "button", disabled: doing.busy, "data-act": option.step, onclick: () => act(option, oneAction(option)) }, t("staff.do")),
    asksFor(option) ? optionForm(option, true) : null,
    doing.note(keyOf(option)),
  );
}

function oneAction(option) {
  const action = { step: option.step };
  if (option.position !== undefined) action.position = option.position;
  if (option.deck !== undefined) action.deck = option.deck;
  for (const field of option.fields ?? []) if (field.default !== undefined && field.default !== null) action[field.name] = field.default;
  return action;
}

function waitingCard(now) {
  const names = (now.awaited ?? []).map((at) => (now.seats ?? []).find((seat) => seat.position === at)?.name ?? String(at));
  const said = names.length ? t("staff.table_waits", { names: names.join(", ") }) : t(`staff.phase.${now.phase}`);
  return h("section", { class: "next waiting", key: "next" }, h("div", null, h("p", { class: "kicker" }, staff ? t("staff.nothing") : t("staff.watching", { role: spoken(boot.me.role) })), h("h2", null, said), h("p", { class: "follows" }, t(`staff.phase_says.${now.phase}`))));
}

/** Return the house-way display of a Washington table, as surveillance has it mirrored. */
function display(now) {
  if (facts.way !== WITH_DISPLAY || !SEES_DISPLAY.includes(boot.me.role)) return null;
  const player = now.display ?? null;
  const setting = player === null ? now.dealer_hand.setting : log.shown(player);
  const heading = player !== null ? t("staff.display_player", { position: player }) : setting ? t("staff.display_dealer") : t("staff.display_dark");
  return h(
    "section",
    { class: "panel mirrored", key: "display" },
    h("h2", null, t("staff.display")),
    h("p", { class: setting ? "" : "muted" }, heading),
    setting ? h("div", { class: "hand" }, setting.map((part, at) => h("span", { class: "part", key: at }, part.map((card) => face(card, { key: card }))))) : null,
  );
}

function groups(options) {
  const named = GROUPS.map(([name, steps]) => [name, options.filter((one) => steps.includes(one.step))]);
  return [...named, ["table", options.filter((one) => !GROUPED.has(one.step))]].filter(([, list]) => list.length).map(([name, list]) => group(name, list));
}

function group(name, list) {
  const open = list.filter(isOpen);
  const closed = list.filter((one) => !isOpen(one));
  const pressed = open.find((one) => keyOf(one) === state.open);
  return h(
    "section",
    { class: "panel", key: name },
    h("h2", null, t(`staff.${name}`)),
    keyAt(list),
    h(
      "div",
      { class: "others" },
      open.map((one) => h("button", { class: "button small", type: "button", key: keyOf(one), "data-step": one.step, "aria-expanded": String(one === pressed), onclick: () => ((state.open = one === pressed ? null : keyOf(one)), draw()) }, [one.label, whereOf(one)].filter(Boolean).join(", "))),
    ),
    pressed ? h("div", { class: "opened" }, h("p", { class: "muted" }, pressed.follows), optionForm(pressed, true), doing.note(keyOf(pressed))) : null,
    closed.length
      ? h("details", { class: "not-yet" }, h("summary", null, t("staff.not_yet_count", { count: closed.length })), h("ul", null, closed.map((one) => h("li", { key: keyOf(one) }, h("b", null, [one.label, whereOf(one)].filter(Boolean).join(", ")), reasons(one.reasons)))))
      : null,
  );
}

/** Return where the key of the progressive stands: it is turned from there. */
function keyAt(list) {
  const to = list.find((one) => one.step === "turn_key")?.fields?.find((field) => field.name === "to");
  const at = to?.choices?.find((one) => one !== to.default);
  return to?.default && at ? h("p", { class: "muted" }, t("staff.key_at", { at })) : null;
}

// --- what two people do ------------------------------------------------------------------------------

function proposals() {
  return state.proposals.map((one) =>
    h(
      "section",
      { class: "panel proposal", key: one.proposal },
      h("h2", null, taskName(one.task)),
      h("p", { class: "muted" }, t("office.waits_for_second"), ". ", t("office.proposed_by", { name: one.by.name || one.by.id, role: spoken(one.by.role) })),
      factList(taskFacts(one.task)),
      h("p", { class: "muted" }, taskFollows(one.task)),
      proposalActions(one.proposal, one.by.id === boot.me.id, state, doing, { then: refreshOffice }),
      doing.note(one.proposal),
    ),
  );
}

function chips() {
  if (!facts.chips || !state.tray) return null;
  const { tray } = state.tray;
  const people = Object.values(tray.people ?? {}).reduce((sum, one) => sum + one, 0);
  return h(
    "section",
    { class: "panel", key: "chips" },
    h("h2", null, t("staff.chips")),
    h("p", { class: "figure" }, t("staff.chips_total", { tray: dollars(tray.value ?? 0), layout: dollars(tray.layout ?? 0), people: dollars(people) })),
    slips(tray.slips ?? {}),
    pressable(chipOptions(table, tray), state, doing, { place: "chips", then: refreshOffice }),
  );
}

function slips(under) {
  const every = Object.entries(under);
  if (!every.length) return h("p", { class: "muted" }, t("staff.no_slips"));
  return h("ul", { class: "lines" }, every.map(([serial, slip]) => h("li", { key: serial }, h("span", null, h("b", null, serial), " ", chipList(slip.chips), " ", h("span", { class: "muted" }, slip.approved ? t("staff.slip_approved", { name: slip.approved.name || slip.approved.id }) : t("staff.slip_waits"))), approving(serial, slip))));
}

function approving(serial, slip) {
  const step = serial.startsWith("F") ? "approve_fill" : "approve_credit";
  if (slip.approved || slip.requested.id === boot.me.id || !mayChips(step)) return null;
  const send = () => doing.run(async () => (await command(table, { step, serial }, "chips"), refreshOffice()), t("staff.done", { what: t(`office.chips.${step}`) }), "chips");
  return h("button", { class: "button small", type: "button", "data-act": step, disabled: doing.busy, onclick: send }, t(`office.chips.${step}`));
}

function meter(now) {
  const options = now.meter ? meterOptions([now.meter.meter], [table]) : [];
  if (!options.length && !state.wins.length) return null;
  return h("section", { class: "panel", key: "meter" }, h("h2", null, t("staff.meter"), " ", h("small", { class: "muted" }, now.meter.meter)), pressable(options, state, doing, { place: "meter", then: refreshOffice }), h("h3", null, t("office.wins")), winList(state.wins, state, doing, refreshOffice));
}

watch(table, heard, (connection) => {
  const changed = state.connection !== connection;
  state.connection = connection;
  if (!changed) return;
  if (state.message) draw();
  else if (connectionNote(connection)) patch(root, connectionNote(connection));
});
refreshOffice();
setInterval(refreshOffice, 3000);
setInterval(() => document.hidden || draw(), 30_000);
