// Duties of the floor as forms: meters read and adjusted, links down and up, chips asked for, slips, drop and shift.

import { command } from "./api.js";
import { h } from "./dom.js";
import { actionOf, form } from "./forms.js";
import { boot, dollars, t } from "./page.js";
import { duty, may, mayChips, outcome, units } from "./office.js";

const METER_DUTIES = ["read_meter", "adjust_meter", "change_link"];
const CHIP_STEPS = ["request_fill", "request_credit", "void_slip", "take_drop", "count_drop", "close_shift", "roll_day"];

const field = (name, kind, more = {}) => ({ name, kind, label: t(`office.field.${name}`), needed: true, ...more });

/** Return the user's duties about meters, each as an option that forms are made of. */
export function meterOptions(meters, tables = []) {
  const which = field("meter", "choice", { choices: meters, default: meters[0] });
  const at = field("table", "choice", { choices: tables, needed: false, asked: true });
  const fields = {
    read_meter: [which, field("shown", "amount"), field("explained", "text", { needed: false, asked: true })],
    adjust_meter: [which, field("amount", "amount", { below: true }), field("reason", "text")],
    change_link: [which, ...(tables.length ? [at] : []), field("up", "yes_no"), field("reason", "text")],
  };
  return METER_DUTIES.filter((one) => meters.length && may(one)).map((one) => ({
    step: one,
    label: t(`office.duty.${one}`),
    follows: t(`office.follows.${one}`),
    fields: fields[one],
    send: (filled) => duty(taskOf(one, filled, fields[one])),
  }));
}

function taskOf(name, filled, fields) {
  const { step, ...rest } = actionOf({ step: name, fields }, filled);
  const task = { duty: step, ...rest };
  if (name === "adjust_meter") task.amount = units(Math.round(task.amount));
  if (name === "change_link") task.up = Boolean(filled.up);
  return task;
}

/** Return what the user may do with the chips of a table now, as options. */
export function chipOptions(table, tray) {
  const slips = Object.keys(tray?.slips ?? {});
  const boxes = Object.keys(tray?.taken ?? {});
  const each = (boot.rights?.denominations ?? []).map((value) => ({ name: String(value), kind: "number", label: dollars(value), least: 0 }));
  const chips = { name: "chips", kind: "numbers", label: t("office.field.chips"), each, needed: true };
  const fields = {
    request_fill: [chips],
    request_credit: [chips],
    void_slip: [field("serial", "choice", { choices: slips, default: slips[0] }), field("reason", "text")],
    take_drop: [field("box", "text")],
    count_drop: [field("box", "choice", { choices: boxes, default: boxes[0] }), field("cash", "amount"), field("reason", "text", { needed: false, asked: true })],
    close_shift: [],
    roll_day: [],
  };
  const needs = { void_slip: slips, count_drop: boxes };
  return CHIP_STEPS.filter((one) => mayChips(one) && (needs[one]?.length ?? 1)).map((one) => ({
    step: one,
    label: t(`office.chips.${one}`),
    follows: t(`office.chips_follows.${one}`),
    fields: fields[one],
    send: (filled) => command(table, some(actionOf({ step: one, fields: fields[one] }, filled)), "chips"),
  }));
}

/** Leave chips out of which none are meant. */
function some(action) {
  if (!action.chips) return action;
  return { ...action, chips: Object.fromEntries(Object.entries(action.chips).filter(([, count]) => count > 0)) };
}

/** Return options as buttons, of which the pressed one opens its form with what comes of it. */
export function pressable(options, state, doing, { place, then = () => null } = {}) {
  const open = options.find((one) => `${place}-${one.step}` === state.open);
  const key = open && `${place}-${open.step}`;
  const filled = open ? ((state.filled ??= {})[key] ??= {}) : {};
  const send = () => doing.run(async () => {
    const answer = await open.send(filled);
    state.open = null;
    delete state.filled[key];
    await then();
    return answer;
  }, outcome, place);
  return h(
    "div",
    { class: "pressable", key: place },
    h(
      "div",
      { class: "others" },
      options.map((one) =>
        h(
          "button",
          {
            class: "button small",
            type: "button",
            key: one.step,
            "data-act": one.step,
            "aria-expanded": String(one === open),
            onclick: () => ((state.open = one === open ? null : `${place}-${one.step}`), doing.draw()),
          },
          one.label,
        ),
      ),
    ),
    open
      ? h(
          "section",
          { class: "opened", key },
          h("p", { class: "muted" }, open.follows),
          form(open, filled, { busy: doing.busy, gold: true, onChange: (name, value) => ((filled[name] = value), doing.draw()), onSend: send }),
        )
      : null,
    doing.note(place),
  );
}
