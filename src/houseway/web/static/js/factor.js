// The user's second factor: set up with the first code of a secret that is shown once, and removed again.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { Doing } from "./office.js";
import { boot, t } from "./page.js";

const root = document.getElementById("factor");
const state = { has: null, needed: false, begun: null, code: "", password: "" };
const doing = new Doing(() => draw());

async function refresh() {
  try {
    state.has = (await ask("GET", "/me")).factor;
    state.needed = (await ask("GET", "/session")).must === "enrol";
  } catch {
    state.has = null;
  }
  draw();
}

const begin = () => doing.run(async () => (state.begun = await ask("POST", "/me/factor")));

function confirm(event) {
  event.preventDefault();
  return doing.run(async () => {
    await ask("POST", "/me/factor/confirm", { code: state.code });
    if (boot.next) location.href = boot.next;
    await over();
  }, t("factor.set"));
}

function remove(event) {
  event.preventDefault();
  return doing.run(async () => {
    await ask("POST", "/me/factor/remove", { password: state.password, code: state.code });
    await over();
  }, t("factor.removed"));
}

async function over() {
  state.begun = null;
  state.code = state.password = "";
  await refresh();
}

function entry(name, attributes) {
  return h("label", { class: "field", key: name }, h("span", null, t(`factor.${name}`)), h("input", { name, required: true, value: state[name], oninput: (event) => (state[name] = event.target.value), ...attributes }));
}

const code = () => entry("code", { inputmode: "numeric", autocomplete: "one-time-code", maxlength: 12 });

function settingUp() {
  if (!state.begun) return h("button", { class: "button gold", type: "button", "data-act": "begin-factor", disabled: doing.busy, onclick: begin }, t("factor.begin"));
  return h(
    "form",
    { class: "option-form", id: "factor-form", onsubmit: confirm },
    h("p", null, t("factor.secret_says")),
    h("p", { class: "secret", "data-secret": "" }, state.begun.secret),
    h("p", null, h("a", { href: state.begun.uri }, t("factor.open"))),
    code(),
    h("button", { class: "button gold", "data-act": "confirm-factor", disabled: doing.busy }, t("factor.confirm")),
  );
}

function removing() {
  return h(
    "form",
    { class: "option-form", id: "remove-factor", onsubmit: remove },
    entry("password", { type: "password", autocomplete: "current-password" }),
    code(),
    h("button", { class: "button", "data-act": "remove-factor", disabled: doing.busy }, t("factor.remove")),
  );
}

function draw() {
  if (state.has === null) return;
  patch(
    root,
    h(
      "section",
      { class: "panel me-alone", key: "factor" },
      h("h2", null, t("factor.heading")),
      h("p", { class: "muted" }, t(state.has ? "factor.has" : "factor.says")),
      state.needed ? h("p", { class: "accent", role: "status" }, t("factor.needed")) : null,
      state.has ? removing() : settingUp(),
      doing.note(),
    ),
  );
}

refresh();
