// The user's own page: the password, and for a player a break from play, which cannot be shortened.

import { ask } from "./api.js";
import { h, patch } from "./dom.js";
import { Doing, moment } from "./office.js";
import { boot, capital, spoken, t } from "./page.js";

const root = document.getElementById("me");
const state = { user: null, failed: false, old: "", new: "", again: "", differ: false, rest: { time_out: "", exclude: "" }, sure: { time_out: false, exclude: false } };
const doing = new Doing(() => draw());
const DAY = 86_400_000;
const TIME_OUTS = [["day", 1], ["week", 7], ["month", 30]];
const EXCLUSIONS = [["half_year", 183], ["year", 365], ["five_years", 1826], ["for_good", null]];
const FOR_GOOD = 9000;

async function refresh() {
  try {
    state.user = await ask("GET", "/me");
    state.failed = false;
  } catch {
    state.failed = true;
  }
  draw();
}

// --- the password ------------------------------------------------------------------------------------

async function change(event) {
  event.preventDefault();
  state.differ = state.new !== state.again;
  if (state.differ) return draw();
  return doing.run(async () => {
    const answer = await ask("POST", "/me/password", { old: state.old, new: state.new });
    if (answer.csrf) boot.csrf = answer.csrf;
    state.old = state.new = state.again = "";
    if (boot.next) location.href = boot.next;
    await refresh();
  }, t("me.changed"), "password");
}

function password() {
  const entry = (name, auto) => h("label", { class: "field", key: name }, h("span", null, t(`me.${name}`)), h("input", { type: "password", name, autocomplete: auto, required: true, value: state[name], oninput: (event) => (state[name] = event.target.value) }));
  return h(
    "section",
    { class: "panel" },
    h("h2", null, t("me.password")),
    state.user.must_change_password ? h("p", { class: "accent", role: "status" }, t("me.must_change")) : null,
    h("form", { class: "option-form", id: "password-form", onsubmit: change }, entry("old", "current-password"), entry("new", "new-password"), entry("again", "new-password"), state.differ ? h("p", { class: "bad", role: "alert" }, t("me.differ")) : null, h("button", { class: "button gold", "data-act": "change-password", disabled: doing.busy }, t("me.change"))),
    doing.note("password"),
  );
}

// --- rest from play ----------------------------------------------------------------------------------

function rest(what, lengths) {
  const send = async (event) => {
    event.preventDefault();
    const days = lengths.find(([name]) => name === state.rest[what])?.[1];
    const until = days === null ? null : new Date(Date.now() + days * DAY).toISOString();
    const done = await doing.run(() => ask("POST", what === "exclude" ? "/me/exclusion" : "/me/time-out", { until }), "", what);
    if (done) location.href = "/";
  };
  return h(
    "form",
    { class: "option-form rest", onsubmit: send, key: what, "data-rest": what },
    h("h3", null, t(`me.${what}`)),
    h("fieldset", null, h("legend", null, t("me.time_out_for")), lengths.map(([name]) => h("label", { class: "check", key: name }, h("input", { type: "radio", name: what, required: true, value: name, checked: state.rest[what] === name, onchange: () => ((state.rest[what] = name), draw()) }), t(`me.${name}`)))),
    h("label", { class: "check" }, h("input", { type: "checkbox", required: true, checked: state.sure[what], onchange: (event) => ((state.sure[what] = event.target.checked), draw()) }), t("me.sure")),
    h("button", { class: "button", "data-act": what, disabled: doing.busy || !state.sure[what] || !state.rest[what] }, t(`me.${what}`)),
    doing.note(what),
  );
}

function resting(user) {
  const until = user.excluded && (new Date(user.excluded).getFullYear() > FOR_GOOD ? t("me.excluded_for_good") : t("me.excluded", { when: moment(user.excluded) }));
  const out = user.timed_out && Date.parse(user.timed_out) > Date.now() && t("me.resting", { when: moment(user.timed_out) });
  return [until, out].filter(Boolean).map((said) => h("p", { class: "accent", key: said }, said));
}

function draw() {
  if (!state.user) {
    if (state.failed) patch(root, h("p", { class: "banner bad", role: "status" }, t("site.no_answer")));
    return;
  }
  const user = state.user;
  const plays = boot.me.role === "player" && !user.must_change_password;
  patch(
    root,
    h(
      "section",
      { class: "panel", key: "who" },
      h("h2", null, user.name),
      h("p", { class: "muted" }, t("me.roles", { roles: user.roles.map((role) => capital(spoken(role))).join(", ") })),
      plays ? h("div", { class: "actions" }, h("a", { class: "button", href: "/me/rounds" }, t("me.to_history")), h("span", { class: "muted" }, t("me.history_says"))) : null,
    ),
    h("div", { class: plays ? "two" : "me-alone", key: "two" }, password(), plays ? h("section", { class: "panel" }, h("h2", null, t("me.rest")), h("p", { class: "muted" }, t("me.rest_says")), resting(user), rest("time_out", TIME_OUTS), rest("exclude", EXCLUSIONS)) : null),
  );
}

refresh();
