// Sends what a form of the page says, as the person who is signed in here, and shows what is answered.

let csrf = "";

async function whoIsHere() {
  const answer = await fetch("/api/v1/session");
  const told = answer.ok ? await answer.json() : null;
  csrf = told ? told.csrf : "";
  document.getElementById("who").textContent = told
    ? `Signed in: ${told.name}, ${told.role}.`
    : "Not signed in: take POST /api/v1/session.";
}

function request(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  let body;
  for (const field of form.querySelectorAll("[data-in]")) {
    const place = field.dataset.in;
    if (place === "path") {
      path = path.replace(`{${field.name}}`, field.value.split("/").map(encodeURIComponent).join("/"));
    } else if (place === "query" && field.value) {
      query.set(field.name, field.value);
    } else if (place === "body") {
      body = field.value;
    }
  }
  return { path: query.size ? `${path}?${query}` : path, body };
}

async function send(form) {
  const { path, body } = request(form);
  const headers = { "x-csrf-token": csrf };
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(path, { method: form.dataset.method, headers, body });
  const text = await answer.text();
  const json = (answer.headers.get("content-type") || "").includes("json");
  return `${answer.status} ${path}\n${json ? pretty(text) : text}`;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.path) return;
  event.preventDefault();
  const shown = form.querySelector("output");
  shown.textContent = "…";
  try {
    shown.textContent = await send(form);
  } catch (error) {
    shown.textContent = `Nothing was answered: ${error.message}`;
  }
  await whoIsHere();
});

whoIsHere();
