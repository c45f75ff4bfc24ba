// A form for anything that the rules offer: its fields with choices and limits, and what comes of it.

import { clause } from "./api.js";
import { h } from "./dom.js";
import { capital, dollars, spoken, t } from "./page.js";
import { reasons } from "./why.js";

/** Return what to send for an option: its step, what it is about, and the fields that were filled in. */
export function actionOf(option, filled = {}) {
  const action = { step: option.step };
  if (option.position !== undefined) action.position = option.position;
  if (option.deck !== undefined) action.deck = option.deck;
  for (const field of option.fields ?? []) {
    const value = valueOf(field, filled[field.name]);
    if (value !== undefined) action[field.name] = value;
  }
  return action;
}

function valueOf(field, given) {
  const value = given === undefined ? field.default : given;
  if (value === undefined || value === null || value === "") return undefined;
  switch (field.kind) {
    case "number":
      return Number(value);
    case "amount":
      return typeof value === "number" ? value : Math.round(Number(value) * 100);
    case "choice":
      return (field.choices ?? []).find((one) => String(one) === String(value)) ?? value;
    case "numbers":
    case "amounts":
      return among(field, value);
    case "setting":
      return typeof value === "string" ? value.split("/").map(cardsOf) : value;
    case "cards":
      return typeof value === "string" ? cardsOf(value) : value;
    default:
      return value;
  }
}

function among(field, value) {
  if (typeof value === "string") return value.split(/[\s,]+/).filter(Boolean).map(Number);
  if (Array.isArray(value)) return value;
  const found = {};
  for (const one of field.each ?? []) {
    const part = valueOf(one, value[one.name]);
    if (part !== undefined) found[one.name] = part;
  }
  const row = (field.each ?? []).every((one) => /^\d+$/.test(one.name));
  return row && field.kind === "numbers" && field.name === "dice" ? Object.values(found) : found;
}

const cardsOf = (text) => text.replaceAll("10", "T").match(/Jk|[2-9TJQKA][cdhs]/g) ?? [];

/** Whether an option asks for anything that the table does not know already. */
export const asksFor = (option) => shown(option).length > 0;

function shown(option) {
  return (option.fields ?? []).filter((field) => field.needed || field.asked || field.choices?.length || field.least !== undefined);
}

/** Return the form of an option; it gets what was filled in so far, and a callback for every change.
 *  A page may draw some fields by itself: `custom` returns how, or nothing. */
export function form(option, filled, { onChange, onSend, busy = false, gold = true, custom = () => null }) {
  const fields = shown(option);
  const send = (event) => {
    event.preventDefault();
    onSend(actionOf(option, filled));
  };
  return h(
    "form",
    { class: "option-form", onsubmit: send, key: keyOf(option) },
    fields.map((field) => custom(field, filled[field.name] ?? field.default, onChange) ?? control(field, filled, onChange, keyOf(option))),
    option.warnings?.length ? h("div", { class: "warnings" }, reasons(option.warnings)) : null,
    h("button", { class: gold ? "button gold" : "button", "data-act": "send", disabled: busy || Boolean(option.reasons?.length) }, option.label),
  );
}

/** Return what tells one option from another. */
export const keyOf = (option) => [option.step, option.position, option.deck].filter((one) => one !== undefined).join("-");

function control(field, filled, onChange, of) {
  const id = `${of}-${field.name}`;
  if (field.each?.length) {
    return h(
      "fieldset",
      { key: id },
      h("legend", null, field.label || capital(spoken(field.name))),
      field.each.map((one) =>
        control(one, filled[field.name] ?? {}, (name, value) => onChange(field.name, { ...filled[field.name], [name]: value }), id),
      ),
    );
  }
  const label = field.label || capital(spoken(field.name));
  const value = filled[field.name] ?? field.default ?? "";
  if (field.kind === "yes_no") {
    const checked = Boolean(value);
    return h(
      "label",
      { class: "check", key: id },
      h("input", { type: "checkbox", checked, onchange: (event) => onChange(field.name, event.target.checked) }),
      label,
    );
  }
  if (field.kind === "several") return several(field, label, filled, onChange, id);
  return h("label", { class: "field", key: id }, h("span", null, label, limitsOf(field)), entry(field, value, onChange, id));
}

function several(field, label, filled, onChange, id) {
  const chosen = filled[field.name] ?? field.default ?? [];
  const every = field.choices ?? [];
  const clauses = field.name === CHECKLIST;
  const toggle = (one, on) => onChange(field.name, on ? [...chosen, one] : chosen.filter((other) => other !== one));
  const again = () => onChange(field.name, filled[field.name] ?? chosen);
  return h(
    "fieldset",
    { key: id, class: clauses ? "checklist" : null },
    h("legend", null, label),
    clauses ? h("label", { class: "check", key: `${id}-all` }, h("input", { type: "checkbox", checked: chosen.length === every.length, "data-act": "check-all", onchange: (event) => onChange(field.name, event.target.checked ? [...every] : []) }), h("b", null, t("site.all"))) : null,
    every.map((one) =>
      h(
        "label",
        { class: "check", key: `${id}-${one}` },
        h("input", { type: "checkbox", checked: chosen.includes(one), onchange: (event) => toggle(one, event.target.checked) }),
        clauses ? inWords(one, again) : spoken(one),
      ),
    ),
  );
}

const CHECKLIST = "checklist";
const words = new Map();

/** Return a clause in words, once they are there; `again` is called when they are. */
function inWords(id, again) {
  if (!words.has(id)) {
    words.set(id, null);
    clause(id).then((found) => (words.set(id, found), again())).catch(() => null);
  }
  const found = words.get(id);
  return found ? h("span", null, found.rule, " ", h("small", { class: "muted" }, found.cite)) : id;
}

function entry(field, value, onChange, id) {
  const change = (event) => onChange(field.name, event.target.value);
  if (field.kind === "choice") {
    return h(
      "select",
      { id, onchange: change, required: field.needed },
      value === "" ? h("option", { value: "", selected: true }, t("site.choose")) : null,
      (field.choices ?? []).map((one) => h("option", { value: one, selected: String(one) === String(value) }, capital(spoken(one)))),
    );
  }
  if (field.kind === "amount") {
    const shownValue = typeof value === "number" ? value / 100 : value;
    return h("input", { id, type: "number", step: "0.01", min: (field.least ?? 0) / 100, value: shownValue, required: field.needed, oninput: change });
  }
  if (field.kind === "number") {
    return h("input", { id, type: "number", min: field.least, max: field.most, value, required: field.needed, oninput: change });
  }
  const kind = field.kind === "date" ? "date" : "text";
  const hint = { setting: "KsKh7d4c / Ad9c / Qs", cards: "Ks Kh 7d" }[field.kind] ?? "";
  return h("input", { id, type: kind, value, placeholder: hint, required: field.needed, autocomplete: "off", oninput: change });
}

function limitsOf(field) {
  if (field.kind !== "amount" || field.least === undefined) return null;
  const said = field.most === undefined || field.most === field.least ? dollars(field.least) : `${dollars(field.least)} – ${dollars(field.most)}`;
  return h("small", { class: "muted" }, ` ${said}`);
}
