// The felt of a replay: the dealer's hand above, the others below in the law's order, as large as there is room.

import { back, chip, face } from "./cards.js";
import { h } from "./dom.js";
import { sensorLight } from "./lights.js";
import { capital, dollars, t } from "./page.js";
import { amount, netOf } from "./results.js";

/** Return the felt as one viewer saw it; every hand on it can be chosen. */
export function replayFelt(view, facts, data, { chosen, choose, seen, now }) {
  const places = placesOf(view, facts);
  const columns = places.length > 3 ? 2 : 1;
  return h(
    "section",
    { class: "replay-felt", key: "felt", "aria-label": t("replay.felt", { name: seen }), "data-seen-as": data.viewer },
    h("div", { class: "shoe", "data-place": "shoe", "aria-hidden": "true" }),
    h("div", { class: "rack", "data-place": "rack", "aria-hidden": "true" }),
    h(
      "div",
      { class: `replay-hands columns-${columns} ${places.length === 3 ? "beside" : ""}`, style: { "--columns": columns, "--rows": Math.max(1, Math.ceil(places.length / columns)), "--cards": facts.hand_cards, "--parts": facts.parts.length } },
      dealerHand(view, facts, data, chosen, choose),
      places.map((at) => seat(view, facts, data, at, { chosen, choose, now })),
      places.length ? null : h("p", { class: "felt-empty" }, t("replay.before_round")),
    ),
  );
}

function placesOf(view, facts) {
  const taken = new Set([...(view.seats ?? []), ...(view.hands ?? [])].map((one) => one.position));
  return facts.positions.filter((at) => taken.has(at) && at !== view.bank_seat);
}

function dealerHand(view, facts, data, chosen, choose) {
  const hand = view.dealer_hand;
  const bank = facts.banked ? view.seats?.find((one) => one.position === view.bank_seat)?.name : null;
  const dealt = view.dealer?.includes("dealer") ? capital(view.dealer) : t("replay.dealer_named", { name: view.dealer ?? "" });
  const name = facts.banked ? t("replay.bank", { name: bank ?? "" }) : dealt;
  const said = hand.setting ? "" : hand.held ? t("replay.dealer_waits") : statusOf(view);
  return place({ key: "dealer", at: facts.banked ? (view.bank_seat ?? "B") : "D", name, said, hand, facts, data, chosen: chosen === "dealer", choose: () => choose("dealer"), wide: true });
}

function statusOf(view) {
  if (view.dice?.length) return t("table.dice", { dice: view.dice.join(" · "), start: view.start ?? "" });
  return t(`table.phase.${view.phase}`);
}

function seat(view, facts, data, at, { chosen, choose, now }) {
  const hand = (view.hands ?? []).find((one) => one.position === at);
  const name = hand?.name ?? view.seats.find((one) => one.position === at)?.name ?? "";
  const touched = now.position === at;
  return place({ key: at, at, name, said: hand ? saidOf(hand) : t("replay.no_wager"), kind: hand?.race?.result, hand, facts, data, chosen: chosen === at, touched, choose: () => choose(at), bets: hand ? bets(view, facts, hand) : null });
}

function saidOf(hand) {
  if (hand.status && hand.status !== "played") return t(`table.status.${hand.status}`);
  if (hand.race) return t(`replay.main.${hand.race.fouls?.length ? "foul" : hand.race.result}`);
  if (!hand.held) return t("replay.not_dealt");
  return hand.setting || hand.cards?.length ? "" : t("replay.face_down");
}

function place({ key, at, name, said, kind = "", hand, facts, data, chosen, touched = false, choose, bets: laid = null, wide = false }) {
  return h(
    "button",
    { type: "button", class: `place ${wide ? "dealer-row" : ""} ${chosen ? "chosen" : ""} ${touched ? "touched" : ""}`, key, "data-position": key, "aria-pressed": String(chosen), onclick: choose },
    h("span", { class: "place-head" }, h("b", null, at), " ", h("span", { class: "place-name" }, name), laid, h("span", { class: `place-said ${kind}` }, said)),
    h("span", { class: "place-cards" }, named(hand ?? {}, facts, data, key)),
  );
}

/** Return the parts of a hand side by side, each with its rank if the viewer saw it. */
function named(hand, facts, data, key) {
  const parts = cardsOf(hand, facts, `seat-${key}`);
  return parts.map((part, at) => h("span", { class: "place-part", key: at, style: { "--count": part.count } }, h("span", { class: "part" }, part.cards), h("small", null, part.set ? capital(data.ranks[`${facts.parts[at].name}:${part.set.join("")}`] ?? "") : "")));
}

function cardsOf(hand, facts, of) {
  if (!hand.held && !hand.cards?.length) return facts.parts.map((part) => ({ count: part.cards, cards: Array.from({ length: part.cards }, (_, n) => h("span", { class: "slot", key: `slot${n}` })) }));
  if (!hand.setting && hand.cards?.length) {
    return [{ count: hand.cards.length, cards: hand.cards.map((card, n) => face(card, { key: card, "data-move": `${of}-${n}`, "data-turned": "up", "data-from": "shoe" })) }];
  }
  let at = -1;
  return facts.parts.map((part, n) => {
    const open = hand.setting?.[n] ?? hand.shown?.[part.name];
    const cards = Array.from({ length: open?.length ?? part.cards }, (_, which) => {
      at += 1;
      const props = { key: open ? open[which] : `b${which}`, "data-move": `${of}-${at}`, "data-turned": open ? "up" : "down", "data-from": "shoe" };
      return open ? face(open[which], props) : back(props);
    });
    return { count: cards.length, cards, set: open };
  });
}

function bets(view, facts, hand) {
  const taken = (view.payments ?? []).filter((one) => one.position === hand.position && one.kind === "collect").map((one) => one.wager);
  const settled = new Set([...(hand.settled ?? []), ...taken]);
  const lying = Object.entries(hand.wagers ?? {}).filter(([wager, cents]) => cents > 0 && !settled.has(wager));
  const name = (wager) => facts.wagers.find((one) => one.id === wager)?.name ?? wager;
  return h(
    "span",
    { class: "place-bets" },
    lying.map(([wager, cents]) => chip(cents, { key: wager, class: wager === "main" ? "main" : "side", label: `${name(wager)} ${dollars(cents)}`, title: name(wager) })),
    (view.lammers ?? []).includes(hand.position) ? h("span", { class: "lammer", key: "lammer", title: t("table.lammer") }, "E") : null,
    sensorLight(view, hand.position),
    hand.settled?.length ? h("span", { class: "net", key: "net", "data-move": `net-${hand.position}`, "data-from": "rack" }, amount(netOf(view.payments ?? [], hand.position))) : null,
  );
}
