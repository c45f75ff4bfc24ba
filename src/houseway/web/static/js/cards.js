// Cards and chips as they are drawn: figures refer to the page's sheet of symbols.

import { h } from "./dom.js";
import { dollars, t } from "./page.js";

const RANKS = "23456789TJQKA";

/** Return a card in words. */
export function cardName(card) {
  if (card === "Jk") return t("word.joker");
  return t("word.card", { rank: t(`word.rank.${card[0]}`), suit: t(`word.suit.${card[1]}`) });
}

/** Return a card face up. */
export function face(card, props = {}) {
  const suit = card === "Jk" ? "joker" : card[1];
  return h(
    "svg",
    { viewBox: "0 0 60 84", role: "img", "aria-label": cardName(card), ...props, class: `card suit-${suit} ${props.class ?? ""}` },
    h("use", { href: `#card-${card}` }),
  );
}

/** Return a card face down. */
export function back(props = {}) {
  return h(
    "svg",
    { viewBox: "0 0 60 84", "aria-hidden": "true", ...props, class: `card ${props.class ?? ""}` },
    h("use", { href: "#card-back" }),
  );
}

/** Order cards as people hold them: the joker first, then from the highest down. */
export function sorted(cards) {
  const worth = (card) => (card === "Jk" ? 100 : RANKS.indexOf(card[0]) * 4 + "cdhs".indexOf(card[1]) / 4);
  return [...cards].sort((one, other) => worth(other) - worth(one));
}

/** Return a setting as it is written: KsKh7d4c / Ad9c / Qs. */
export const written = (setting) => setting.map((part) => part.join("")).join(" / ");

const KINDS = [10_000, 2_500, 500, 100];

/** Return a chip that stands for an amount, in the colour of the largest chip in it. */
export function chip(cents, props = {}) {
  const kind = KINDS.find((one) => cents >= one) ?? 100;
  return h(
    "span",
    { ...props, class: `chip chip-${kind / 100} ${props.class ?? ""}`, "aria-label": props.label ?? dollars(cents) },
    dollars(cents).replace("$", ""),
  );
}
