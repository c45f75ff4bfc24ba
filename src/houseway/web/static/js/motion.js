// Motion that explains: marked elements slide from where they were, turn over, or arrive.

import { mayMove } from "./page.js";

const SLIDE = 220;
const EASE = "cubic-bezier(.2,.7,.3,1)";

/** Change a part of the page, and let what has moved slide there. */
export function moved(root, change) {
  if (!mayMove()) {
    change();
    return;
  }
  const before = places(root);
  change();
  let order = 0;
  for (const [key, node] of marked(root)) {
    const now = node.getBoundingClientRect();
    const was = before.get(key) ?? origin(root, node);
    if (!was || !now.width) continue;
    const [dx, dy] = [was.x + was.width / 2 - now.x - now.width / 2, was.y + was.height / 2 - now.y - now.height / 2];
    const grows = was.width / now.width;
    const delay = before.has(key) ? 0 : 25 * order++;
    if (Math.abs(dx) + Math.abs(dy) > 3 || Math.abs(grows - 1) > 0.05) {
      const from = `translate(${dx}px, ${dy}px) scale(${grows})`;
      node.animate([{ transform: from }, { transform: "none" }], { duration: SLIDE, delay, easing: EASE, fill: "backwards" });
    }
    if (before.get(key)?.turned !== undefined && before.get(key).turned !== node.dataset.turned) turn(node);
  }
}

function marked(root) {
  return [...root.querySelectorAll("[data-move]")].map((node) => [node.dataset.move, node]);
}

function places(root) {
  return new Map(
    marked(root).map(([key, node]) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [key, { x, y, width, height, turned: node.dataset.turned }];
    }),
  );
}

/** Return where something new comes from: a deal from the shoe, a payment from the rack. */
function origin(root, node) {
  const from = node.dataset.from && root.querySelector(`[data-place="${node.dataset.from}"]`);
  return from ? from.getBoundingClientRect() : null;
}

function turn(node) {
  node.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: 180, easing: "ease-out" });
}
