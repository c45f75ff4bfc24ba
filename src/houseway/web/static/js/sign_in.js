// Signing in, by name and password and the code of a second factor, or as a guest.

import { Refused, ask } from "./api.js";
import { announce, boot, t } from "./page.js";

const form = document.getElementById("sign-in");
const said = document.getElementById("sign-in-said");
const codeField = document.getElementById("code-field");

/** Ask for the code of the second factor: another one each time. */
function askForCode() {
  const entry = codeField.querySelector("input");
  codeField.hidden = false;
  entry.required = true;
  entry.value = "";
  entry.focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password, code } = Object.fromEntries(new FormData(form));
  try {
    await ask("POST", "/session", { name, password, code });
    location.href = boot.next;
  } catch (error) {
    said.textContent = error instanceof Refused ? error.message : t("site.no_answer");
    announce(said.textContent);
    if (error.must === "code") askForCode();
  }
});

document.getElementById("as-guest").addEventListener("click", async () => {
  await ask("POST", "/session/guest").catch(() => null);
  location.href = boot.next === "/" ? "/" : boot.next;
});
