// What is sent to the server: every command under a name of its own, so that sending it again is safe.

import { boot } from "./page.js";
import { askForProof } from "./proof.js";

/** The server refuses something: every reason, each with its clauses. */
export class Refused extends Error {
  constructor(status, body) {
    const reasons = (body.problems ?? []).map((one) => ({ says: one.reason, value: one.value, clauses: one.clauses }));
    super(reasons.map(said).join("; ") || body.title || `answer ${status}`);
    this.status = status;
    this.must = body.must;
    this.reasons = reasons.length ? reasons : [{ says: body.title ?? "", clauses: body.clauses ?? [] }];
  }
}

function said(reason) {
  return reason.value ? `${reason.says}: ${reason.value}` : reason.says;
}

/** Ask the server for something, or tell it to do something; what must be done first is done here. */
export async function ask(method, path, body) {
  try {
    return await send(method, path, body);
  } catch (error) {
    if (error.must === "change_password") location.href = `/me?next=${encodeURIComponent(location.pathname + location.search)}`;
    const proven = error.must === "prove" && (await askForProof((password) => send("POST", "/session/proof", { password })));
    if (!proven) throw error;
    return send(method, path, body);
  }
}

async function send(method, path, body) {
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET") headers["x-csrf-token"] = boot.csrf ?? "";
  const answer = await fetch(`/api/v1${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const found = text ? JSON.parse(text) : {};
  if (!answer.ok) throw new Refused(answer.status, found);
  return found;
}

/** Save what the server hands out as a file, or throw what stands against it. */
export async function download(path, name) {
  const answer = await fetch(`/api/v1${path}`, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Refused(answer.status, await answer.json());
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const PATIENCE = [200, 600, 1500, 3000];

/** Do something at a table; a connection that fails is tried again under the same name. */
export async function command(table, action, kind = "commands") {
  const body = { id: uuid7(), action };
  for (const wait of [...PATIENCE, null]) {
    try {
      return await ask("POST", `/tables/${encodeURIComponent(table)}/${kind}`, body);
    } catch (error) {
      const again = !(error instanceof Refused) || error.status === 503 || error.status === 504;
      if (!again || wait === null) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

/** Return an id that sorts by time, as the store likes it. */
export function uuid7() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let now = Date.now();
  for (let at = 5; at >= 0; at--) {
    bytes[at] = now % 256;
    now = Math.floor(now / 256);
  }
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const clauses = new Map();

/** Return a clause in words; each is asked for once. */
export function clause(id) {
  if (!clauses.has(id)) clauses.set(id, ask("GET", `/clauses/${encodeURIComponent(id)}`));
  return clauses.get(id);
}
