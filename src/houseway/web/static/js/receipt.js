// A receipt checked in the browser alone: this script and its page make no requests.

const given = JSON.parse(document.getElementById("given").textContent);
const encoder = new TextEncoder();

/** What does not fit: the first of it is named. */
class Broken extends Error {}

function check(holds, otherwise) {
  if (!holds) throw new Broken(otherwise);
}

// --- bytes ---------------------------------------------------------------------------------------------

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const same = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function fromHex(text, length) {
  check(typeof text === "string" && /^(?:[0-9a-f]{2})*$/.test(text), "something is not written in hexadecimal digits");
  const bytes = Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  check(length === undefined || bytes.length === length, `a hash or a salt has not ${length} bytes`);
  return bytes;
}

function fromBase64(text) {
  let binary = "";
  try {
    binary = atob(text);
  } catch {
    check(false, "something is not written in base64");
  }
  check(binary && btoa(binary) === text, "something is not written in base64");
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** Return bytes with their length before them, so that no two rows of them are written the same. */
function measured(bytes) {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(bytes.length));
  return joined(length, bytes);
}

// --- a tree by RFC 6962 --------------------------------------------------------------------------------

const leafHash = (data) => sha256(joined(Uint8Array.of(0), data));
const nodeHash = (left, right) => sha256(joined(Uint8Array.of(1), left, right));

async function rootOver(hashes) {
  let level = hashes;
  while (level.length > 1) {
    const above = [];
    for (let at = 0; at + 1 < level.length; at += 2) above.push(await nodeHash(level[at], level[at + 1]));
    if (level.length % 2) above.push(level.at(-1));
    level = above;
  }
  return level[0];
}

/** Follow a proof from a leaf to the root, as RFC 9162 says in section 2.1.3.2. */
async function rootFrom(leaf, index, size, proof) {
  check(Number.isSafeInteger(index) && index >= 0 && index < size, "a tree of that size has no such leaf");
  let [node, last, hash] = [index, size - 1, leaf];
  for (const half of proof) {
    check(last > 0, "a proof goes on above the root");
    if (node % 2 === 1 || node === last) {
      hash = await nodeHash(half, hash);
      while (node % 2 === 0 && node > 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      hash = await nodeHash(hash, half);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  check(last === 0, "a proof ends below the root");
  return hash;
}

// --- signed notes --------------------------------------------------------------------------------------

async function readKey(text) {
  const [name, id, rest] = [text.split("+")[0], text.split("+")[1] ?? "", text.split("+").slice(2).join("+")];
  const key = fromBase64(rest);
  check(name && key.length === 33 && key[0] === 1, "the key is none that a floor signs by");
  const hash = await sha256(joined(encoder.encode(`${name}\n`), key));
  check(toHex(hash.slice(0, 4)) === id, "the key's id is not of its name");
  return { name, id: hash.slice(0, 4), raw: key.slice(1), text };
}

/** Return the text of a note and whether its signature holds: null where this browser cannot tell. */
async function readNote(note, key) {
  const cut = note.lastIndexOf("\n\n");
  check(cut > 0 && note.endsWith("\n"), "a signature is missing");
  const text = note.slice(0, cut + 1);
  const lines = note.slice(cut + 2, -1).split("\n");
  const mine = lines.filter((line) => line.startsWith(`— ${key.name} `)).map((line) => fromBase64(line.slice(key.name.length + 3)));
  const value = mine.find((bytes) => same(bytes.slice(0, 4), key.id));
  check(value, "it is not signed by the key that it names");
  let verifier = null;
  try {
    verifier = await crypto.subtle.importKey("raw", key.raw, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    return { text, holds: null };
  }
  check(await crypto.subtle.verify({ name: "Ed25519" }, verifier, value.slice(4), encoder.encode(text)), "a signature is not of what it stands under");
  return { text, holds: true };
}

function readHead(text, key) {
  const [origin, size, root] = text.split("\n");
  check(origin === key.name, "the signed head is of another log");
  check(/^[1-9][0-9]{0,14}$/.test(size), "the signed head says no size");
  return { size: Number(size), root: fromBase64(root ?? "") };
}

// --- what a receipt says -------------------------------------------------------------------------------

const [BEGIN, BETWEEN, END] = ['{"receipt":', ',\n"signed":', "}\n"];

function readReceipt(bytes) {
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    check(false, "it is not a receipt: it is no text");
  }
  const cut = text.lastIndexOf(BETWEEN);
  check(text.startsWith(BEGIN) && cut > 0 && text.endsWith(END), "it is not a receipt");
  const body = text.slice(BEGIN.length, cut);
  const signed = text.slice(cut + BETWEEN.length, -END.length);
  let [receipt, note] = [null, null];
  try {
    [receipt, note] = [JSON.parse(body), JSON.parse(signed)];
  } catch {
    check(false, "it is not a receipt: it is no JSON");
  }
  check(receipt?.format === given.format, `a receipt of the format ${given.format} is read here`);
  check(typeof note === "string" && JSON.stringify(note) === signed, "the signature is not written as one");
  return { receipt, note, body: encoder.encode(body) };
}

async function commitment(part) {
  if (typeof part === "string") return fromHex(part, 32);
  const [path, value] = [encoder.encode(part.path), encoder.encode(part.value)];
  return leafHash(joined(fromHex(part.salt, 16), measured(path), measured(value)));
}

function inOrder(entry) {
  const paths = entry.parts.filter((part) => typeof part !== "string").map((part) => toHex(encoder.encode(part.path)));
  return paths.every((path, at) => at === 0 || paths[at - 1] < path);
}

async function checkPlace(receipt, entry, head) {
  check(entry.parts.length > 0 && inOrder(entry), `entry ${entry.version}: its parts are not in order`);
  const parts = await rootOver(await Promise.all(entry.parts.map(commitment)));
  const fields = [encoder.encode(`table/${receipt.table}`), encoder.encode(String(entry.version)), fromHex(entry.entry, 32), parts];
  const leaf = await leafHash(joined(encoder.encode("houseway-leaf/1"), ...fields.map(measured)));
  const root = await rootFrom(leaf, entry.leaf, head.size, entry.proof.map((half) => fromHex(half, 32)));
  check(same(root, head.root), `entry ${entry.version} is not in the signed tree as it is shown here`);
}

/** Put the parts of an entry together again; what is not shown is not there. */
function shownOf(entry) {
  const whole = Object.create(null);
  for (const part of entry.parts) {
    if (typeof part === "string") continue;
    const way = part.path.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    let inner = whole;
    for (const step of way.slice(0, -1)) inner = inner[step] ??= Object.create(null);
    inner[way.at(-1) ?? ""] = JSON.parse(part.value);
  }
  return whole;
}

const numbered = (items) => Object.keys(items ?? {}).sort((one, other) => one - other).map((key) => items[key]);

function eventsOf(entries) {
  return entries.flatMap((entry) => {
    const shown = shownOf(entry);
    const events = numbered(shown.value?.events);
    check(events.length > 0 || shown.kind !== "turn", `entry ${entry.version} shows nothing of its steps`);
    return events;
  });
}

function checkOrder(receipt, events) {
  check(events.length > 0, "it has no entry of the round");
  receipt.entries.forEach((entry, at) => check(at === 0 || entry.version === receipt.entries[at - 1].version + 1, "an entry is left out"));
  const every = [...receipt.committed, ...receipt.entries];
  every.forEach((entry, at) => check(at === 0 || (entry.leaf > every[at - 1].leaf && entry.version > every[at - 1].version), "entries are not in the order of the log"));
  events.forEach((event, at) => {
    check(event.round === receipt.round, "a step is of another round");
    check(Number.isSafeInteger(event.seq) && (at === 0 || event.seq === events[at - 1].seq + 1), "a step is left out");
    check(given.ends.includes(event.outcome?.kind) === (at === events.length - 1), at === events.length - 1 ? "the round does not end in it" : "the round goes on after its end");
  });
}

/** Check the deck as far as it is shown: return what is so, in words. */
async function checkDeck(receipt, events) {
  const every = [...eventsOf(receipt.committed), ...events];
  const committed = every.findIndex((event) => event.outcome?.commitment);
  const dealt = every.findIndex((event) => event.outcome?.kind === "dealt");
  const seal = events.at(-1).outcome?.seal;
  check(!seal || committed >= 0, "a deck is opened that was never committed to");
  if (committed < 0) return ["The cards do not come from a sealed deck."];
  check(dealt < 0 || committed < dealt, "cards were dealt before the deck was committed to");
  const says = [given.words.committed];
  if (!seal) return says;
  const known = every.map((event) => event.outcome?.commitment);
  check(Array.isArray(seal.order) && new Set(seal.order).size === seal.order.length, "the opened deck is none");
  const order = Uint8Array.from(seal.order, (card) => given.cards[card] ?? 255);
  const opened = toHex(await sha256(joined(fromHex(seal.nonce, 32), order)));
  check(opened === seal.commitment && known.includes(opened), "the opened deck is not the one that was committed to");
  return [...says, given.words.opened];
}

/** Check a receipt; return what it shows, or throw what does not fit. */
async function checkReceipt(bytes, posted) {
  const { receipt, note, body } = readReceipt(bytes);
  const key = await readKey(String(receipt.signed_by));
  check(!posted || posted === key.text, "it is signed by another key than the one that the floor has posted");
  const signature = await readNote(note, key);
  check(signature.text === `${given.format}\n${toHex(await sha256(body))}\n`, "the signature is of another receipt, or this one was changed");
  const headNote = await readNote(String(receipt.head), key);
  const head = readHead(headNote.text, key);
  for (const entry of [...receipt.committed, ...receipt.entries]) await checkPlace(receipt, entry, head);
  const events = eventsOf(receipt.entries);
  checkOrder(receipt, events);
  const deck = await checkDeck(receipt, events);
  const signed = signature.holds && headNote.holds;
  return { receipt, key, head, events, signed, posted: Boolean(posted), deck };
}

// --- in words ------------------------------------------------------------------------------------------

function h(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) made.setAttribute(name, value);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const card = (text) => h("span", { class: `card ${text[1]}`, role: "img", "aria-label": text }, text === "Jk" ? "★" : `${text[0] === "T" ? "10" : text[0]}${SUITS[text[1]]}`);
const isCard = (text) => typeof text === "string" && text in given.cards;
const cardsIn = (value) => (Array.isArray(value) ? value.flatMap(cardsIn) : isCard(value) ? [value] : []);
const dollars = (units) => `$${(units / 1_000_000).toLocaleString("en-US", { minimumFractionDigits: units % 1_000_000 ? 2 : 0 })}`;

function parts(setting) {
  if (setting.every(isCard)) return h("span", { class: "cards" }, setting.map(card));
  return h("span", { class: "cards" }, setting.map((part) => h("span", { class: "part" }, part.map(card))));
}

function details(event) {
  const shown = [];
  for (const source of [event.action ?? {}, event.outcome ?? {}]) {
    if (cardsIn(source.setting).length) shown.push(parts(source.setting));
    for (const racked of [...numbered(source.racked?.what ? [source.racked] : source.racked)]) if (cardsIn(racked.setting ?? racked.cards).length) shown.push(parts(racked.setting ?? racked.cards));
    if (source.wagers && !Array.isArray(source.wagers)) shown.push(h("span", {}, Object.entries(source.wagers).map(([wager, cents]) => `${wager} ${dollars(cents * 10_000)}`).join(", ")));
  }
  for (const payment of numbered(event.outcome?.payments)) shown.push(h("span", { class: "paid" }, `${payment.wager}: ${given.kinds[payment.kind] ?? payment.kind} ${dollars(payment.units)}, ${payment.reason}${payment.clauses?.length ? ` [${payment.clauses.join(", ")}]` : ""}`));
  return shown;
}

function stepRow(event) {
  const who = event.by?.name ?? event.by?.id ?? event.by?.role ?? "";
  const name = given.steps[event.action?.step] ?? event.action?.step ?? "not shown";
  const where = event.action?.position ? ` · position ${event.action.position}` : "";
  return h("li", {}, h("div", {}, h("strong", {}, name), h("span", { class: "muted" }, ` ${who}${where}`)), ...details(event).map((one) => h("div", { class: "detail" }, one)));
}

const list = (title, lines, kind) => h("section", { class: "panel" }, h("h2", {}, title), h("ul", { class: kind }, lines.map((line) => h("li", {}, line))));

function told(checked) {
  const { receipt, head, key, events, signed, posted, deck } = checked;
  const whose = receipt.viewer.role === "player" ? `player ${receipt.viewer.id}` : receipt.viewer.role;
  const proven = [`All ${receipt.entries.length} entries of the round are in a signed log of ${head.size.toLocaleString("en-US")} entries, and their shown parts match it.`, `All ${events.length} steps are here: none is missing between the first and the last.`, ...deck];
  const open = [...given.words.not_proven];
  if (signed) proven.unshift("The signatures of the receipt and of the log match the key below.");
  else open.unshift("The signature: this browser does not support Ed25519. Use another browser, or houseway receipt check.");
  if (posted) proven.unshift("The key is the one that you entered as the floor's.");
  else open.unshift("That the key is the floor's: compare the key below with the one that the floor has posted.");
  if (!deck.includes(given.words.opened)) open.push(given.words.order_hidden);
  open.push("What was paid: houseway receipt check decides it again.");
  const verdict = signed ? ["good", "This receipt holds."] : ["half", "This receipt is consistent, but its signature was not checked."];
  return [
    h("p", { class: `verdict ${verdict[0]}`, role: "status" }, verdict[1]),
    h("p", { class: "what" }, `Round ${receipt.round} of table ${receipt.table}, as ${whose} may see it.`),
    list("What it proves", proven, "yes"),
    list("What it does not prove", open, "no"),
    h("section", { class: "panel" }, h("h2", {}, "The round"), h("ol", { class: "steps", start: String(events[0].seq) }, events.map(stepRow))),
    h("section", { class: "panel" }, h("h2", {}, "The key and the head"), h("pre", { tabindex: "0" }, `${key.text}\n\n${receipt.head}`)),
  ];
}

const result = document.getElementById("result");
const field = document.getElementById("file");
const posted = document.getElementById("posted");
let last = null;

async function show(file) {
  last = file;
  result.replaceChildren(h("p", { class: "muted", role: "status" }, "Checking …"));
  let shown = null;
  try {
    const checked = await checkReceipt(new Uint8Array(await file.arrayBuffer()), posted.value.trim());
    shown = told(checked);
  } catch (error) {
    const why = error instanceof Broken ? error.message : "what it says makes no sense";
    shown = [h("p", { class: "verdict bad", role: "status" }, "This receipt does NOT hold."), h("p", { class: "what" }, `${why[0].toUpperCase()}${why.slice(1)}.`)];
  }
  if (last === file) result.replaceChildren(...shown);
}

field.addEventListener("change", () => field.files[0] && show(field.files[0]));
posted.addEventListener("change", () => last && show(last));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) show(event.dataTransfer.files[0]);
});
if (!globalThis.crypto?.subtle) {
  field.disabled = true;
  result.replaceChildren(h("p", { class: "verdict half" }, "This browser computes no hashes on a page of this kind. Open the file itself, or use houseway receipt check."));
}
