// People: who may sign in and as what. One administrator proposes, another confirms; each is shown half a secret.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { form } from "./forms.js";
import { Doing, factList, lasted, moment, outcome, proposalActions, taskFacts, taskFollows, taskName, tellHalf } from "./office.js";
import { boot, capital, spoken, t } from "./page.js";

const root = document.getElementById("people");
const state = { users: null, proposals: [], failed: false, find: "", open: null, filled: {}, adding: {}, turning: null, why: "" };
const doing = new Doing(() => draw());
const FOR_GOOD = 9000;
const ABOUT_PEOPLE = ["add_user", "change_roles", "reset_secret", "enable_user", "void_factor"];
const path = (user, what) => `/users/${encodeURIComponent(user.id)}/${what}`;

async function refresh() {
  try {
    state.users = await ask("GET", "/users");
    state.proposals = (await ask("GET", "/proposals")).filter((one) => ABOUT_PEOPLE.includes(one.task.duty));
    state.failed = false;
  } catch {
    state.failed = true;
  }
  draw();
}

/** Show the half of a secret that comes with a proposal, if one does. */
function tell(answer) {
  if (answer.half) tellHalf(answer.half, answer.device, "first");
  return answer;
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
      const answer = await ask("POST", "/users", { id, name: name.normalize("NFC"), roles: roles ?? [] });
      state.adding = {};
      tell(answer);
      await refresh();
      return answer;
    }, outcome, "add");
  return h(
    "section",
    { class: "panel add-user" },
    h("h2", null, t("people.add")),
    form(option, state.adding, { busy: doing.busy, onChange: (name, value) => ((state.adding[name] = value), draw()), onSend: send }),
    doing.note("add"),
  );
}

// --- what waits for another administrator -------------------------------------------------------------

function waiting() {
  if (!state.proposals.length) return null;
  return h("section", { class: "panel waiting", key: "waiting" }, h("h2", null, t("office.waits_for_second")), h("ul", { class: "users" }, state.proposals.map(proposal)));
}

function proposal({ proposal: name, by, at, task }) {
  return h(
    "li",
    { class: "panel user", key: name, "data-proposal": name },
    h("h3", null, taskName(task)),
    h("p", { class: "muted" }, t("office.proposed_by", { name: by.name || by.id, role: spoken(by.role) }), " ", lasted(at)),
    factList(taskFacts(task)),
    h("p", { class: "muted" }, taskFollows(task)),
    proposalActions(name, by.id === boot.me.id, state, doing, { gold: true, then: refresh }),
    doing.note(name),
  );
}

// --- all users ---------------------------------------------------------------------------------------

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

async function done(answer) {
  state.open = null;
  state.filled = {};
  await refresh();
  return answer;
}

function rolesForm(user) {
  const filled = (state.filled[user.id] ??= { roles: [...user.roles] });
  const option = { step: "roles", label: t("people.save_roles"), fields: [roleField(user.device)] };
  const send = () => doing.run(async () => done(await ask("POST", path(user, "roles"), { roles: filled.roles })), outcome, user.id);
  return h("section", { class: "opened" }, form(option, filled, { busy: doing.busy, onChange: (name, value) => ((filled[name] = value), draw()), onSend: send }));
}

function resetForm(user) {
  const send = () => doing.run(async () => done(tell(await ask("POST", path(user, "password")))), outcome, user.id);
  return h("section", { class: "opened" }, h("p", { class: "muted" }, t("people.reset_says")), h("button", { class: "button gold", type: "button", "data-act": "confirm-reset", disabled: doing.busy, onclick: send }, user.device ? t("people.reset_key") : t("people.reset")));
}

function reasonForm(user, what) {
  const filled = (state.filled[`${what}-${user.id}`] ??= {});
  const option = { step: what, label: t(`people.${what}`), fields: [{ name: "reason", kind: "text", label: t("people.reason"), needed: true }] };
  const send = ({ reason }) => doing.run(async () => done(await ask("POST", path(user, what), { reason })), outcome, user.id);
  return h("section", { class: "opened", key: what }, form(option, filled, { busy: doing.busy, onChange: (name, value) => ((filled[name] = value), draw()), onSend: send }));
}

function draw() {
  if (!state.users) {
    if (state.failed) patch(root, h("p", { class: "banner bad", role: "status" }, t("site.no_answer")));
    return;
  }
  patch(root, waiting(), h("div", { class: "people-columns", key: "columns" }, list(), adding()));
}

refresh();
