// The lights of Washington's progressive sensors: one at each wager, on every felt and on the dealer's page.

import { h } from "./dom.js";
import { t } from "./page.js";

/** Return the light of a position's progressive sensor, if it is lit: a chip detected, or its wager accepted. */
export function sensorLight(view, at) {
  const light = view.lights?.[at];
  if (!light) return null;
  const says = t(`table.light.${light}`);
  return h("span", { class: `light ${light}`, key: "light", role: "img", "aria-label": says, title: says, "data-light": light });
}
