// A PAR sheet that is being counted: how long it has been, and the sheet itself as soon as it is there.

import { boot, t } from "./page.js";

const EVERY = 2000;
const COUNTING = 202;
const begun = Date.now() - 1000 * boot.seconds;
const place = document.getElementById("par-seconds");

function tick() {
  place.textContent = t("par.seconds", { seconds: Math.floor((Date.now() - begun) / 1000) });
}

async function look() {
  tick();
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer && answer.status !== COUNTING) location.replace(location.pathname);
  else if (answer && (await answer.text()).includes('data-act="again"')) location.replace(location.pathname);
  else setTimeout(look, EVERY);
}

if (boot.counting) {
  tick();
  setInterval(tick, 1000);
  setTimeout(look, EVERY);
}
