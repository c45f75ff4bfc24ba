// The password asked for once more: what needs two people is done by each within minutes of giving it.

import { h, patch } from "./dom.js";
import { announce, dialog, t } from "./page.js";

/** Ask for the password in a dialog; `prove` takes it to the server. Return whether it was given. */
export function askForProof(prove) {
  return new Promise((done) => {
    const place = h("form", { class: "option-form" });
    const shown = dialog(t("site.prove"), place);
    const form = shown.querySelector("form");
    let proven = false;
    const draw = (refused) =>
      patch(
        form,
        h("p", { class: "muted" }, t("site.prove_says")),
        h("label", { class: "field" }, h("span", null, t("site.prove_password")), h("input", { type: "password", name: "password", autocomplete: "current-password", required: true, autofocus: true })),
        refused ? h("p", { class: "bad", role: "alert" }, refused) : null,
        h("button", { class: "button gold" }, t("site.prove_go_on")),
      );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await prove(form.elements.password.value);
        proven = true;
        shown.close();
      } catch (error) {
        draw(error.message || t("site.no_answer"));
        announce(error.message);
      }
    });
    shown.addEventListener("close", () => done(proven));
    draw("");
    form.elements.password.focus();
  });
}
