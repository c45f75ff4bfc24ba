// A line to type commands into: whole rounds can be played by it, with a screen reader or without a mouse.

import { h } from "./dom.js";
import { announce, dollars, t } from "./page.js";

/** Return the line; what it can do is what the page can do. */
export function typed(page) {
  return h(
    "form",
    { class: "typed", onsubmit: (event) => entered(event, page) },
    h("label", null, h("span", null, t("player.typed")), h("input", { name: "said", autocomplete: "off", placeholder: t("player.typed_hint"), "aria-describedby": "typed-help" })),
    h("p", { class: "muted", id: "typed-help" }, t("player.typed_help")),
  );
}

function entered(event, page) {
  event.preventDefault();
  const line = event.target.elements.said;
  const said = line.value.trim();
  line.value = "";
  const [word, ...rest] = said.split(/\s+/);
  const does = WORDS[(word ?? "").toLowerCase()];
  if (does) does(page, rest);
  else late(page, (word ?? "").toLowerCase());
}

const WORDS = {
  sit: (page, [at]) => page.sit(Number(at) || page.state.message.options.find((one) => one.step === "sit")?.position),
  bet: (page, rest) => {
    page.state.layout.clear();
    for (let n = 0; n + 1 < rest.length; n += 2) {
      const wager = page.facts.wagers.find((one) => one.id.startsWith(rest[n].toLowerCase()));
      if (wager) page.state.layout.amounts[wager.id] = Math.round(Number(rest[n + 1]) * 100);
    }
    return page.bet();
  },
  again: (page) => (page.state.layout.again(), page.bet()),
  house: (page) => page.houseWay(),
  worth: (page) => page.askWorth(),
  set: (page, rest) => {
    if (rest.length && page.state.made) {
      const parts = rest.join(" ").split("/").map((part) => part.match(/Jk|[2-9TJQKA][cdhs]/gi) ?? []);
      page.state.made.fill(parts.map((part) => part.map((card) => (card.toLowerCase() === "jk" ? "Jk" : card[0].toUpperCase() + card[1].toLowerCase()))));
      return page.look().then(() => page.setHand());
    }
    return page.setHand();
  },
  leave: (page) => page.act({ step: "leave", position: page.mine()[0] }),
  where: (page) => announce(summary(page)),
  cards: (page) => announce((page.view().hands.find((hand) => hand.own)?.cards ?? []).join(" ") || t("player.no_cards")),
};

/** Take a step that is offered at the hand, named by the first word of its button. */
function late(page, word) {
  const beside = page.facts.panels.hand;
  if (!beside.some((step) => step.startsWith(word)) || !word) return announce(t("player.typed_unknown", { word }));
  const option = page.state.message.options.find((one) => beside.includes(one.step) && one.label.toLowerCase().split(" ")[0] === word);
  if (!option || option.reasons?.length) {
    announce(option?.reasons?.[0]?.says ?? t("player.not_now"));
    return null;
  }
  const amount = option.fields?.find((field) => field.name === "amount")?.default;
  return page.act({ step: option.step, position: option.position, ...(amount ? { amount } : {}) }, option.label);
}

function summary(page) {
  const now = page.view();
  const chips = page.state.message.chips;
  return [t(`table.phase.${now.phase}`), chips === undefined ? "" : t("player.you_have", { chips: dollars(chips) })].join(". ");
}
