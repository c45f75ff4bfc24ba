// A table as a small felt: its seats in the law's order, the dealer's cards, whose turn it is.

import { h } from "./dom.js";
import { t } from "./page.js";

/** Return a table as a small picture. */
export function smallFelt(view, positions, parts) {
  const seats = new Map((view.seats ?? []).map((seat) => [seat.position, seat]));
  return h(
    "svg",
    { class: "little-felt", viewBox: "0 0 280 158", role: "img", "aria-label": t("floor.seats", { seated: seats.size, count: positions.length }) },
    h("path", { class: "rail", d: "M8 4H272V34C272 104 214 152 140 152S8 104 8 34Z" }),
    h("path", { class: "cloth", d: "M14 9H266V34C266 100 210 146 140 146S14 100 14 34Z" }),
    dealerCards(view, parts),
    positions.map((at, n) => seat(view, seats.get(at), at, placeOf(positions.length, view.banked ? positions.length - 1 - n : n))),
  );
}

function dealerCards(view, parts) {
  const held = view.dealer_hand.held ?? 0;
  if (!held) return null;
  const open = Boolean(view.dealer_hand.cards?.length || view.dealer_hand.setting);
  const gaps = parts.length - 1;
  const width = held * 13 + gaps * 7;
  let x = 140 - width / 2;
  return parts.flatMap((size, part) => {
    const cards = Array.from({ length: size }, (_, n) => h("rect", { key: `d${part}-${n}`, class: open ? "up" : "down", x: x + n * 13, y: 18, width: 11, height: 16, rx: 2 }));
    x += size * 13 + 7;
    return cards;
  });
}

function placeOf(count, n) {
  const angle = Math.PI * (0.07 + 0.86 * (count === 1 ? 0.5 : n / (count - 1)));
  return { x: 140 - 108 * Math.cos(angle), y: 44 + 80 * Math.sin(angle) };
}

function seat(view, taken, at, { x, y }) {
  const hand = (view.hands ?? []).find((one) => one.position === at);
  const kind = [taken ? "taken" : "free", stateOf(view, hand, at)].join(" ");
  return h("g", { key: at, class: `spot-${at}` }, h("circle", { class: kind, cx: x, cy: y, r: 12 }), h("text", { class: kind, x, y: y + 4, "text-anchor": "middle" }, at));
}

function stateOf(view, hand, at) {
  if (view.turn === at || (view.awaited ?? []).includes(at)) return "asked";
  if (view.bank_seat === at) return "bank";
  if (hand?.race) return hand.race.result;
  return hand && Object.keys(hand.wagers ?? {}).length ? "bets" : "";
}
