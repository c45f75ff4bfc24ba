// A small virtual tree: h() describes elements, patch() brings the page up to the description.
// Elements are kept wherever they can be, so that focus, scrolling and running motion survive an update.

const SVG = "http://www.w3.org/2000/svg";

/** Describe an element; children may be nested lists, and nothing at all is left out. */
export function h(tag, props, ...children) {
  const kept = children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false);
  return { tag, props: props ?? {}, children: kept };
}

/** Bring the children of an element up to a description. */
export function patch(parent, ...described) {
  const wanted = h("", null, described).children;
  const old = [...parent.childNodes];
  const keyed = new Map(old.filter((one) => one.vkey !== undefined).map((one) => [one.vkey, one]));
  const plain = old.filter((one) => one.vkey === undefined);
  let at = parent.firstChild;
  for (const one of wanted) {
    const node = fitting(one, keyed, plain) ?? made(one, parent);
    update(node, one);
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function fitting(wanted, keyed, plain) {
  if (typeof wanted !== "object") {
    return taken(plain, (one) => one.nodeType === Node.TEXT_NODE);
  }
  const key = wanted.props.key;
  if (key === undefined) return taken(plain, (one) => one.localName === wanted.tag);
  const found = keyed.get(key);
  keyed.delete(key);
  return found?.localName === wanted.tag ? found : null;
}

function taken(among, fits) {
  const at = among.findIndex(fits);
  return at < 0 ? null : among.splice(at, 1)[0];
}

function made(wanted, parent) {
  if (typeof wanted !== "object") return document.createTextNode("");
  const svg = wanted.tag === "svg" || parent.namespaceURI === SVG;
  const node = svg ? document.createElementNS(SVG, wanted.tag) : document.createElement(wanted.tag);
  node.vkey = wanted.props.key;
  return node;
}

function update(node, wanted) {
  if (typeof wanted !== "object") {
    if (node.data !== String(wanted)) node.data = String(wanted);
    return;
  }
  const before = node.vprops ?? {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(wanted.props)])) {
    if (name !== "key" && before[name] !== wanted.props[name]) set(node, name, wanted.props[name]);
  }
  node.vprops = wanted.props;
  patch(node, wanted.children);
}

function set(node, name, value) {
  if (name.startsWith("on")) node[name.toLowerCase()] = value ? (event) => void value(event) : null;
  else if (name === "value" || name === "checked") node[name] = value ?? "";
  else if (name === "style") {
    for (const [property, said] of Object.entries(value ?? {})) node.style.setProperty(property, said);
  } else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}
