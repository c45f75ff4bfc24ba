// Signing in, by name and password, or as a guest.

import { Refused, ask } from "./api.js";
import { announce, boot, t } from "./page.js";

const form = document.getElementById("sign-in");
const said = document.getElementById("sign-in-said");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password } = Object.fromEntries(new FormData(form));
  try {
    await ask("POST", "/session", { name, password });
    location.href = boot.next;
  } catch (error) {
    said.textContent = error instanceof Refused ? error.message : t("site.no_answer");
    announce(said.textContent);
  }
});

document.getElementById("as-guest").addEventListener("click", async () => {
  await ask("POST", "/session/guest").catch(() => null);
  location.href = boot.next === "/" ? "/" : boot.next;
});
