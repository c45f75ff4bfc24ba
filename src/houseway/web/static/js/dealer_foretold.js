// The consequences of a step, asked of the server before it is taken: what a hand is paid, what an accident costs.

import { ask } from "./api.js";
import { keyOf } from "./forms.js";
import { dollars, t } from "./page.js";
import { netOf } from "./results.js";

const PAYING = new Set(["settle", "pay_envy"]);

export class Foretelling {
  constructor(path, draw) {
    this.path = path;
    this.draw = draw;
    this.known = { key: "", told: null };
  }

  /** Ask what a payment would be; the answer holds until the table changes. */
  async ask(option, action, version) {
    const key = `${keyOf(option)}@${version}`;
    if (!PAYING.has(option.step) || this.known.key === key) return;
    this.known = { key, of: keyOf(option), told: null };
    const told = await ask("POST", `${this.path}/consequences`, { action }).catch(() => null);
    if (this.known.key !== key) return;
    this.known.told = told;
    this.draw();
  }

  /** Return what was foretold of an option. */
  of(option) {
    return option && this.known.of === keyOf(option) ? this.known.told : null;
  }
}

/** Return every payment of what was foretold. */
export const paymentsOf = (told) => (told ?? []).flatMap((one) => one.payments ?? []);

/** Return what a dealer does about money in this step: pay, take, or leave it. */
export function payTitle(option, told) {
  if (option.step !== "settle" || !told) return null;
  const net = netOf(paymentsOf(told), option.position);
  const values = { position: option.position, amount: dollars(Math.abs(net)) };
  return net > 0 ? t("dealer.pay", values) : net < 0 ? t("dealer.take", values) : t("dealer.push", values);
}
