// What every page has: the data it begins with, its texts, announcements, and how a person likes it.

import { h, patch } from "./dom.js";

function block(name) {
  return JSON.parse(document.getElementById(name)?.textContent ?? "{}");
}

/** What the server has put into the page: who is here, and what the page is about. */
export const boot = block("boot");
const texts = block("texts");

/** Return a text of the catalogue with its gaps filled; a key that is missing is shown as it is. */
export function t(key, values = {}) {
  const found = texts[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (gap, name) => values[name] ?? gap);
}

/** Whether the catalogue has a text. */
export const has = (key) => key in texts;

/** Return an amount of cents as people write it. */
export function dollars(cents) {
  const sign = cents < 0 ? "−" : "";
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${sign}$${whole}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

/** Return an amount with its cents always written. */
export function exactDollars(cents) {
  const said = dollars(cents);
  return said.includes(".") ? said : `${said}.00`;
}

/** Return a name of the program as people read it. */
export const spoken = (name) => String(name).replaceAll("_", " ");

/** Return a text with its first letter large. */
export const capital = (said) => (said ? said[0].toUpperCase() + said.slice(1) : "");

/** Say something to people who listen to the page. */
export function announce(said) {
  const place = document.getElementById("announcer");
  if (!place || !said) return;
  place.textContent = "";
  requestAnimationFrame(() => (place.textContent = said));
}

/** Show a short notice, and announce it. */
export function notice(said, kind = "good") {
  const place = document.getElementById("notices");
  announce(said);
  if (!place) return;
  const shown = document.createElement("p");
  shown.className = `notice ${kind}`;
  shown.textContent = said;
  place.append(shown);
  setTimeout(() => shown.remove(), 6000);
}

// --- how a person likes it ---------------------------------------------------------------------------

const LIKES = { fourColour: false, still: false };

/** Return what a person likes, as this browser remembers it. */
export function likes() {
  try {
    return { ...LIKES, ...JSON.parse(localStorage.getItem("likes") ?? "{}") };
  } catch {
    return LIKES;
  }
}

/** Remember what a person likes, and show it so. */
export function like(change) {
  localStorage.setItem("likes", JSON.stringify({ ...likes(), ...change }));
  showLikes();
}

function showLikes() {
  const chosen = likes();
  document.documentElement.classList.toggle("four-colour", chosen.fourColour);
  document.documentElement.classList.toggle("still", chosen.still);
}

/** Whether things may move: neither the person nor their system wants them still. */
export function mayMove() {
  return !likes().still && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// --- dialogs -----------------------------------------------------------------------------------------

/** Open a dialog with a heading and contents; the returned element closes it. */
export function dialog(heading, ...content) {
  const place = document.createElement("dialog");
  place.className = "dialog";
  place.setAttribute("aria-label", heading);
  patch(
    place,
    h("h2", null, heading),
    h("div", { class: "dialog-body" }, content),
    h("button", { class: "button", onclick: () => place.close() }, t("site.close")),
  );
  place.addEventListener("close", () => place.remove());
  place.addEventListener("click", (event) => event.target === place && place.close());
  document.body.append(place);
  place.showModal();
  return place;
}

showLikes();
