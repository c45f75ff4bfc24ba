// Small plots of our own: a course over time, bars about a line of nothing, bars against what is theoretical.

import { h } from "./dom.js";

const NARROW = matchMedia("(max-width: 720px)").matches;
const WIDTH = NARROW ? 340 : 640;
const HEIGHT = 220;
const PAD = { left: NARROW ? 56 : 78, right: NARROW ? 6 : 14, top: 14, bottom: 30 };

/** Return a scale of round steps that holds all values, and nothing itself. */
export function ticks(values, count = 4) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return [0, 1];
  const rough = (high - low) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * size).find((one) => one >= rough);
  const found = [];
  for (let at = Math.floor(low / step) * step; at < high + step; at += step) found.push(Math.round(at / step) * step);
  return found;
}

const scaled = (marks, from, to) => (value) => from + ((value - marks[0]) / (marks[marks.length - 1] - marks[0])) * (to - from);

function frame(label, marks, y, said, content, width = WIDTH) {
  return h(
    "svg",
    { class: "plot", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label },
    marks.map((mark) => h("g", { key: mark }, h("line", { class: mark === 0 ? "axis" : "grid", x1: PAD.left, x2: width - PAD.right, y1: y(mark), y2: y(mark) }), h("text", { x: PAD.left - 8, y: y(mark) + 4, "text-anchor": "end" }, said(mark)))),
    content,
  );
}

/** Return a course: values one after the other, as wide as a page. */
export function line(values, { label, said }) {
  const marks = ticks(values);
  const y = scaled(marks, HEIGHT - PAD.bottom, PAD.top);
  const width = NARROW ? WIDTH : 1240;
  const x = (n) => PAD.left + (n / Math.max(1, values.length - 1)) * (width - PAD.left - PAD.right);
  const points = values.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`);
  const area = `${x(0)},${y(0)} ${points.join(" ")} ${x(values.length - 1)},${y(0)}`;
  return frame(label, marks, y, said, [h("polygon", { class: "area", key: "area", points: area }), h("polyline", { class: "line", key: "line", points: points.join(" ") })], width);
}

/** Return bars, up and down from nothing: each with a name and a value. */
export function bars(rows, { label, said }) {
  const marks = ticks(rows.map((row) => row.value));
  const y = scaled(marks, HEIGHT - PAD.bottom, PAD.top);
  const room = (WIDTH - PAD.left - PAD.right) / rows.length;
  const wide = Math.min(64, room * 0.6);
  return frame(
    label,
    marks,
    y,
    said,
    rows.map((row, n) => {
      const middle = PAD.left + room * (n + 0.5);
      const [top, bottom] = [Math.min(y(row.value), y(0)), Math.max(y(row.value), y(0))];
      return h("g", { key: row.name }, h("title", null, `${row.name}: ${said(row.value)}`), h("rect", { class: row.value < 0 ? "bad" : "good", x: middle - wide / 2, y: top, width: wide, height: Math.max(1, bottom - top), rx: 3 }), h("text", { x: middle, y: HEIGHT - 10, "text-anchor": "middle" }, row.name));
    }),
  );
}

/** Return a bar for each row with a mark where it should be in the long run; a row without one has none. */
export function against(rows, { label, said }) {
  const values = rows.flatMap((row) => [row.value, row.theory ?? 0]);
  const marks = ticks(values, NARROW ? 2 : 5);
  const side = NARROW ? { left: 108, right: 54 } : { left: 132, right: 70 };
  const x = scaled(marks, side.left, WIDTH - side.right);
  const high = 34;
  const height = rows.length * high + 34;
  return h(
    "svg",
    { class: "plot", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label },
    marks.map((mark) => h("g", { key: mark }, h("line", { class: mark === 0 ? "axis" : "grid", x1: x(mark), x2: x(mark), y1: 4, y2: height - 26 }), h("text", { x: x(mark), y: height - 8, "text-anchor": "middle" }, said(mark)))),
    rows.map((row, n) => {
      const top = 8 + n * high;
      const [from, to] = [Math.min(x(0), x(row.value)), Math.max(x(0), x(row.value))];
      return h(
        "g",
        { key: row.name },
        h("title", null, `${row.name}: ${said(row.value)}`),
        h("text", { class: "name", x: 0, y: top + 17 }, row.name),
        h("rect", { class: row.value < 0 ? "bad" : "good", x: from, y: top + 4, width: Math.max(1, to - from), height: 16, rx: 3 }),
        row.theory === null || row.theory === undefined ? null : h("line", { class: "theory", x1: x(row.theory), x2: x(row.theory), y1: top, y2: top + 24 }),
        h("text", { class: "name", x: WIDTH, y: top + 17, "text-anchor": "end" }, said(row.value)),
      );
    }),
  );
}
