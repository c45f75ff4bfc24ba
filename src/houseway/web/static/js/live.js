// A table, live: the whole view whenever it changes, over one WebSocket that finds its way back.

import { h } from "./dom.js";
import { t } from "./page.js";

const BEAT = 10_000;
const PATIENCE = 8_000;
const WAITS = [150, 500, 1000, 2000, 4000];
const SIGNED_OUT = 4403;
const CROWDED = 4429;
const FLOODED = 1008;
const LONG_WAIT = 30_000;

const LISTS = ["seats", "hands", "payments", "awaited", "lammers", "dice", "marks", "clocks", "decks"];

/** Return the notice while a table is not live; nothing if it is live or is being opened. */
export function connectionNote(connection) {
  const says = { lost: t("site.lost"), crowded: t("site.crowded"), over: t("site.signed_out") }[connection];
  if (!says) return null;
  const signIn = connection === "over" ? [" ", h("a", { href: `/sign-in?next=${encodeURIComponent(location.pathname)}` }, t("site.sign_in"))] : null;
  return h("p", { class: "banner bad", role: "status", key: "note" }, says, signIn);
}

/** Return a message with the lists that were left out because they are empty. */
export function whole(message) {
  for (const name of LISTS) message.view[name] ??= [];
  message.options ??= [];
  return message;
}

/** Watch a table; the callbacks get every new message, and whether the connection is live, lost, crowded out or over. */
export function watch(table, onMessage, onState) {
  let socket = null;
  let tries = 0;
  let last = null;
  let answered = true;
  let over = false;

  function connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/v1/tables/${encodeURIComponent(table)}/live`);
    socket.onmessage = (event) => heard(JSON.parse(event.data));
    socket.onclose = (event) => lost(event.code);
  }

  function heard(message) {
    tries = 0;
    answered = true;
    onState("live");
    if (message.same || (last && message.hash === last.hash && message.version === last.version)) return;
    last = message;
    onMessage(whole(message));
  }

  function lost(code) {
    if (over) return;
    if (code === SIGNED_OUT) {
      over = true;
      onState("over");
      return;
    }
    onState(code === CROWDED ? "crowded" : "lost");
    const refused = code === CROWDED || code === FLOODED;
    setTimeout(connect, refused ? LONG_WAIT : WAITS[Math.min(tries++, WAITS.length - 1)]);
  }

  function beat() {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!answered) {
      socket.close();
      return;
    }
    answered = false;
    socket.send(JSON.stringify({ have: last?.version ?? 0, hash: last?.hash ?? "" }));
    setTimeout(() => answered || socket.close(), PATIENCE);
  }

  connect();
  setInterval(beat, BEAT);
  return { close: () => ((over = true), socket.close()) };
}
