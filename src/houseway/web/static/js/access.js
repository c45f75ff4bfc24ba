// Who came and went, the latest first; for an administrator also of whom a second factor is demanded.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { Doing, moment } from "./office.js";
import { boot, capital, spoken, t } from "./page.js";

const root = document.getElementById("access");
const state = { entries: null, before: null, failed: false, roles: null, user: "", reason: "" };
const doing = new Doing(() => draw());

async function more() {
  await doing.run(async () => {
    const page = await ask("GET", `/access${state.before ? `?before=${state.before}` : ""}`);
    state.entries = [...(state.entries ?? []), ...page.entries];
    state.before = page.before;
  });
  state.failed = !state.entries;
  draw();
}

// --- what was noted ----------------------------------------------------------------------------------

const times = (count) => (count > 1 ? t("access.times", { count }) : "");

function rows({ number, event }) {
  if (event.kind) {
    const what = [t(`access.${event.kind}`), event.route ? spoken(event.route) : "", times(event.count ?? 1)];
    return [row(`${number}`, event.at, `${event.by.name ?? event.by.id}, ${spoken(event.by.role)}`, event.address, what.filter(Boolean).join(" · "))];
  }
  const addresses = [...(event.addresses ?? []), ...(event.others ? [event.others] : [])];
  const counted = addresses.map((one) => row(`${number}-${one.address}`, event.at, Object.keys(one.users ?? {}).join(", "), one.address, counts(one)));
  return event.unwritten ? [...counted, row(`${number}-unwritten`, event.at, "", "", t("access.unwritten", { count: event.unwritten }))] : counted;
}

const COUNTS = ["guests", "failed", "unknown", "paused", "refused"];

const counts = (one) => COUNTS.filter((name) => one[name]).map((name) => t(`access.${name}_counted`, { count: one[name] })).join(" · ");

function row(key, at, who, address, what) {
  return h("tr", { key }, h("td", { class: "left" }, moment(at)), h("td", { class: "left" }, who), h("td", { class: "left" }, address), h("td", { class: "left" }, what));
}

function table() {
  const head = ["when", "who", "address", "what"].map((name) => h("th", { scope: "col", class: "left", key: name }, t(`access.${name}`)));
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": t("access.heading") },
    h("table", { class: "figures" }, h("thead", null, h("tr", null, head)), h("tbody", null, state.entries.flatMap(rows))),
  );
}

// --- second factors ----------------------------------------------------------------------------------

async function refreshRoles() {
  if (boot.roles.length) state.roles = (await ask("GET", "/factor-roles")).roles;
  draw();
}

function demand(event) {
  event.preventDefault();
  return doing.run(() => ask("POST", "/factor-roles", { roles: state.roles }), t("access.demanded"), "roles");
}

function voidFactor(event) {
  event.preventDefault();
  const path = `/users/${encodeURIComponent(state.user)}/factor/void`;
  return doing.run(async () => {
    await ask("POST", path, { reason: state.reason });
    state.user = state.reason = "";
  }, t("access.voided"), "void");
}

function box(role) {
  const choose = (event) => ((state.roles = event.target.checked ? [...state.roles, role] : state.roles.filter((one) => one !== role)), draw());
  return h("label", { class: "check", key: role }, h("input", { type: "checkbox", name: role, checked: state.roles.includes(role), onchange: choose }), capital(spoken(role)));
}

function entry(name) {
  return h("label", { class: "field", key: name }, h("span", null, t(`access.${name}`)), h("input", { name, required: true, value: state[name], oninput: (event) => (state[name] = event.target.value) }));
}

function factors() {
  if (!state.roles) return null;
  return h(
    "div",
    { class: "two", key: "factors" },
    h("section", { class: "panel" }, h("h2", null, t("access.factors")), h("p", { class: "muted" }, t("access.factors_says")), h("form", { class: "option-form", id: "factor-roles", onsubmit: demand }, h("fieldset", null, h("legend", null, t("access.roles")), boot.roles.map(box)), h("button", { class: "button gold", "data-act": "demand-factors", disabled: doing.busy }, t("access.demand"))), doing.note("roles")),
    h("section", { class: "panel" }, h("h2", null, t("access.void")), h("p", { class: "muted" }, t("access.void_says")), h("form", { class: "option-form", id: "void-factor", onsubmit: voidFactor }, entry("user"), entry("reason"), h("button", { class: "button", "data-act": "void-factor", disabled: doing.busy }, t("access.propose"))), doing.note("void")),
  );
}

function draw() {
  if (!state.entries) {
    if (state.failed) patch(root, h("p", { class: "banner bad", role: "status" }, t("site.no_answer")));
    return;
  }
  patch(
    root,
    state.entries.length ? table() : h("p", { class: "empty-note", key: "none" }, t("access.none")),
    state.before ? h("button", { class: "button", type: "button", key: "more", "data-act": "more", disabled: doing.busy, onclick: more }, t("access.more")) : null,
    doing.note(),
    factors(),
  );
}

more();
refreshRoles();
