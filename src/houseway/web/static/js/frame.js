// What the frame of every page does: signing out, how a person likes it, the keys.

import { ask } from "./api.js";
import { h } from "./dom.js";
import { dialog, like, likes, t } from "./page.js";

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-frame]")?.dataset.frame;
  if (pressed === "sign-out") signOut();
  if (pressed === "likes") showLikes();
  if (pressed === "menu") document.body.classList.toggle("menu-open");
});

document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest("input, textarea, select")) showKeys();
});

async function signOut() {
  await ask("DELETE", "/session").catch(() => null);
  location.href = "/";
}

function showLikes() {
  const chosen = likes();
  const box = (name, said) =>
    h("label", { class: "check" }, h("input", { type: "checkbox", checked: chosen[name], onchange: (event) => like({ [name]: event.target.checked }) }), said);
  dialog(t("site.likes"), box("fourColour", t("site.four_colour")), box("still", t("site.still")));
}

function showKeys() {
  const rows = t("site.keys").split("|").map((one) => one.split("="));
  dialog(t("site.keys_heading"), h("dl", { class: "keys" }, rows.flatMap(([key, does]) => [h("dt", null, h("kbd", null, key.trim())), h("dd", null, does.trim())])));
}
