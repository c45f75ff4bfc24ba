// The stages of the round: done, now, to come, each with what is known of it.

import { h } from "./dom.js";
import { dollars, t } from "./page.js";

/** Return the stages of the table's day or of its round. */
export function stageList(now, facts, next, awaits) {
  const stages = facts.stages.filter((one) => Boolean(one.day) === isDay(now) && (one.id !== "envy" || (now.lammers ?? []).length));
  const at = Math.max(0, current(stages, now, next, awaits));
  return h(
    "ol",
    { class: "stages" },
    stages.map((stage, index) => {
      const kind = index < at ? "done" : index === at ? "now" : "to-come";
      const said = detail(stage.id, now, facts);
      return h(
        "li",
        { class: kind, key: stage.id, "data-stage": stage.id, "aria-current": kind === "now" ? "step" : null },
        h("span", { class: "stage-mark", "aria-hidden": "true" }, kind === "done" ? "✓" : index + 1),
        h("b", null, stage.name, kind === "done" ? h("span", { class: "unseen" }, ` (${t("dealer.stage_done")})`) : null),
        h("small", null, said),
      );
    }),
  );
}

const isDay = (now) => now.phase === "closed" || now.phase === "opening";

function current(stages, now, next, awaits) {
  const of = (step) => stages.findIndex((stage) => stage.steps.includes(step));
  for (const step of [next?.step, ...awaits.map((one) => one.step)]) {
    const found = step === undefined ? -1 : of(step);
    if (found >= 0) return found;
  }
  return stages.findIndex((stage) => stage.phase === now.phase);
}

function detail(stage, now, facts) {
  const hands = (now.hands ?? []).filter((hand) => Object.keys(hand.wagers ?? {}).length);
  const marks = now.marks ?? [];
  if (stage === "bets") return hands.length ? t("dealer.stage.bets", { count: hands.length, total: dollars(hands.flatMap((hand) => Object.values(hand.wagers)).reduce((sum, one) => sum + one, 0)) }) : t("dealer.stage.no_bets");
  if (stage === "bank" && now.bank_seat) return t("dealer.stage.bank", { position: now.bank_seat, stake: now.stake ? dollars(now.stake) : "–" });
  if (stage === "start" && now.start) return now.dice?.length ? t("dealer.stage.dice", { dice: now.dice.join(" · "), start: now.start }) : t("dealer.stage.start", { start: now.start });
  if (stage === "deal" && now.dealt) return now.stub != null ? t("dealer.stage.stub", { stub: now.stub }) : t("dealer.stage.dealt", { count: now.dealt });
  if (stage === "players" && (now.phase === "setting" || marks.includes("dealer_set"))) return t("dealer.stage.set", { count: hands.filter((hand) => (hand.marks ?? []).includes("placed")).length, of: hands.length });
  if (stage === "dealer" && now.dealer_hand.setting) return facts.house_way ? t("dealer.stage.house_way") : t("table.set");
  if (stage === "settle" && now.phase === "settling") return t("dealer.stage.seat", { count: hands.filter((hand) => (hand.marks ?? []).includes("racked")).length + (now.turn ? 1 : 0), of: hands.length });
  return "";
}
