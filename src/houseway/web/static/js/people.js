// People: who may sign in and as what, for an administrator. A secret is told once.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { form } from "./forms.js";
import { Doing, moment } from "./office.js";
import { boot, capital, dialog, spoken, t } from "./page.js";

const root = document.getElementById("people");
const state = { users: null, failed: false, find: "", open: null, filled: {}, adding: {} };
const doing = new Doing(() => draw());
const FOR_GOOD = 9000;
const path = (user, what) => `/users/${encodeURIComponent(user.id)}/${what}`;

async function refresh() {
  try {
    state.users = await ask("GET", "/users");
    state.failed = false;
  } catch {
    state.failed = true;
  }
  draw();
}

/** Show a password or a key, which nobody is told again. */
function tell(answer) {
  const secret = answer.password ?? answer.key;
  dialog(
    t("people.secret"),
    h("p", null, t(answer.key ? "people.secret_key" : "people.secret_password", { name: answer.user.name })),
    h("p", { class: "secret", "data-secret": "" }, secret),
    h("p", { class: "muted" }, t("people.secret_says")),
  );
}

const roleField = (device) => ({ name: "roles", kind: "several", label: t("people.roles"), choices: device === undefined ? [...boot.roles, ...boot.devices] : device ? boot.devices : boot.roles, needed: true });

function adding() {
  const option = {
    step: "add",
    label: t("people.add"),
    fields: [
      { name: "id", kind: "text", label: t("people.id"), needed: true },
      { name: "name", kind: "text", label: t("people.name"), needed: true },
      roleField(),
    ],
  };
  const send = ({ id, name, roles }) =>
    doing.run(async () => {
      const answer = await ask("POST", "/users", { id, name, roles: roles ?? [] });
      state.adding = {};
      tell(answer);
      await refresh();
    }, t("people.added", { name }), "add");
  return h(
    "section",
    { class: "panel add-user" },
    h("h2", null, t("people.add")),
    form(option, state.adding, { busy: doing.busy, onChange: (name, value) => ((state.adding[name] = value), draw()), onSend: send }),
    doing.note("add"),
  );
}

// --- everybody ---------------------------------------------------------------------------------------

function list() {
  const wanted = state.find.trim().toLowerCase();
  const found = state.users.filter((user) => !wanted || [user.id, user.name, ...user.roles].some((text) => spoken(text).toLowerCase().includes(wanted)));
  return h(
    "section",
    { class: "everybody" },
    h("label", { class: "field find" }, h("span", null, t("people.find")), h("input", { type: "search", value: state.find, oninput: (event) => ((state.find = event.target.value), draw()) })),
    found.length ? h("ul", { class: "users" }, found.map(row)) : h("p", { class: "empty-note" }, t("people.none")),
  );
}

function row(user) {
  const own = user.id === boot.me.id;
  return h(
    "li",
    { class: "panel user", key: user.id, "data-user": user.id },
    h("div", { class: "user-head" }, h("div", { class: "user-name" }, h("b", null, user.name), " ", h("span", { class: "muted" }, user.id, own ? ` · ${t("people.you")}` : "")), h("p", { class: "tags" }, user.roles.map((role) => h("span", { class: "tag", key: role }, capital(spoken(role)))), standing(user))),
    h(
      "div",
      { class: "others" },
      press(user, "roles", t("people.change_roles")),
      own ? null : press(user, "reset", user.device ? t("people.reset_key") : t("people.reset")),
      own ? null : user.disabled === null ? press(user, "disable", t("people.disable")) : press(user, "enable", t("people.enable")),
      user.roles.includes("player") ? h("a", { class: "button small", href: `/api/v1${path(user, "history")}?format=csv`, download: "" }, t("people.history")) : null,
    ),
    state.open === `roles-${user.id}` ? rolesForm(user) : null,
    state.open === `reset-${user.id}` ? resetForm(user) : null,
    ["disable", "enable"].map((what) => (state.open === `${what}-${user.id}` ? reasonForm(user, what) : null)),
    doing.note(user.id),
  );
}

function press(user, what, label) {
  const key = `${what}-${user.id}`;
  return h("button", { class: "button small", type: "button", key: what, "data-act": what, "aria-expanded": String(state.open === key), onclick: () => ((state.open = state.open === key ? null : key), draw()) }, label);
}

function standing(user) {
  const rests = (until, timed, good) => (new Date(until).getFullYear() > FOR_GOOD ? t(good) : t(timed, { when: moment(until) }));
  const said = [
    user.disabled !== null ? [t("people.off", { reason: user.disabled }), "bad"] : user.can_sign_in ? null : [t("people.no_password"), "bad"],
    user.must_change_password && user.disabled === null ? [t("people.temporary"), "gold-text"] : null,
    user.excluded ? [rests(user.excluded, "people.excluded", "people.excluded_for_good"), "bad"] : null,
    user.timed_out && Date.parse(user.timed_out) > Date.now() ? [t("people.timed_out", { when: moment(user.timed_out) }), ""] : null,
  ];
  return said.filter(Boolean).map(([text, kind]) => h("span", { class: `tag ${kind}`, key: text }, text));
}

const done = async () => ((state.open = null), (state.filled = {}), refresh());

function rolesForm(user) {
  const filled = (state.filled[user.id] ??= { roles: [...user.roles] });
  const option = { step: "roles", label: t("people.save_roles"), fields: [roleField(user.device)] };
  const send = () => doing.run(async () => (await ask("POST", path(user, "roles"), { roles: filled.roles }), done()), t("people.roles_changed", { name: user.name }), user.id);
  return h("section", { class: "opened" }, form(option, filled, { busy: doing.busy, onChange: (name, value) => ((filled[name] = value), draw()), onSend: send }));
}

function resetForm(user) {
  const send = () => doing.run(async () => (tell(await ask("POST", path(user, "password"))), done()), "", user.id);
  return h("section", { class: "opened" }, h("p", { class: "muted" }, t("people.reset_says")), h("button", { class: "button gold", type: "button", "data-act": "confirm-reset", disabled: doing.busy, onclick: send }, user.device ? t("people.reset_key") : t("people.reset")));
}

function reasonForm(user, what) {
  const filled = (state.filled[`${what}-${user.id}`] ??= {});
  const option = { step: what, label: t(`people.${what}`), fields: [{ name: "reason", kind: "text", label: t("people.reason"), needed: true }] };
  const send = ({ reason }) => doing.run(async () => (await ask("POST", path(user, what), { reason }), done()), t(`people.${what}d`, { name: user.name }), user.id);
  return h("section", { class: "opened", key: what }, form(option, filled, { busy: doing.busy, onChange: (name, value) => ((filled[name] = value), draw()), onSend: send }));
}

function draw() {
  if (!state.users) {
    if (state.failed) patch(root, h("p", { class: "banner bad", role: "status" }, t("site.no_answer")));
    return;
  }
  patch(root, h("div", { class: "people-columns" }, list(), adding()));
}

refresh();
