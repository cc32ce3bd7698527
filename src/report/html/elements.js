// Elements, numbers and the frame of a figure. Text always enters the page as text, never as markup.
const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? '' : name === 'aria-label' ? in_language(value) : value);
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== '') node.append(in_language(child));
  return node;
}
const element = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const shape = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// Three significant digits at most, thousands separated.
function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return 'unknown';
  if (!Number.isFinite(value)) return String(value);
  return Number(value.toPrecision(3)).toLocaleString('en-US', {maximumSignificantDigits: 3});
}
// A count, in full.
const whole = (value) => (typeof value === 'number' ? value.toLocaleString('en-US', {maximumFractionDigits: 0}) : 'unknown');
// In a table: counts in full, measures in three digits.
const cell_number = (value) => (Number.isInteger(value) ? whole(value) : number(value));
// What stands in the middle of a value that may be a range {low, likely, high}, a number or nothing.
const likely = (value) => (value && typeof value === 'object' ? value.likely : value);
const is_range = (value) => value !== null && typeof value === 'object' && 'likely' in value;
function range(value) {
  if (!is_range(value)) return number(value);
  return value.low === value.high ? number(value.likely) : `${number(value.likely)} [${number(value.low)}–${number(value.high)}]`;
}
const percent = (share) => (share === null || share === undefined ? 'unknown' : `${number(share * 100)} %`);
const colour = (index) => `var(--c${index % 7})`;

// A figure whose drawing is made anew for each width that the page gives it. `draw(width)` returns an <svg>.
let figure_count = 0;
const redraws = [];  // one for each figure; asked when the page is whole and when its width changes
function figure(title, caption, draw, ...more) {
  const id = `figure${++figure_count}`;
  const place = element('div');
  const node = element(
      'figure', {'aria-labelledby': id}, element('h3', {id}, title), place, ...more,
      caption ? element('figcaption', {}, caption) : null);
  let drawn = 0;
  const redraw = () => {
    const width = Math.max(280, Math.round(place.clientWidth || 640));
    if (width === drawn) return;
    drawn = width;
    const svg = draw(width);
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', in_language(title));
    place.replaceChildren(svg);
  };
  redraws.push(redraw);
  return node;
}

function legend(names) {
  return element(
      'ul', {class: 'legend'},
      names.map(
          (name, i) =>
              element('li', {}, element('span', {style: `background:${name === 'free' ? 'var(--free)' : colour(i)}`}), name)));
}

// Facts in a row: [[name, value], ...]
function facts(pairs) {
  return element(
      'dl', {class: 'facts'},
      pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, String(value)))));
}

// A linear or logarithmic scale with round ticks.
function scale(low, high, from, to, logarithmic) {
  const position = logarithmic ? (v) => Math.log(v / low) / Math.log(high / low) : (v) => (v - low) / (high - low);
  const at = (value) => from + position(value) * (to - from);
  const ticks = [];
  if (logarithmic) {
    const steps = high / low > 2000 ? [1] : high / low > 30 ? [1, 3] : [1, 2, 5];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e)
      for (const m of steps)
        if (m * 10 ** e >= low * 0.999 && m * 10 ** e <= high * 1.001) ticks.push(m * 10 ** e);
  } else {
    const raw = (high - low) / Math.max(2, Math.abs(to - from) / 90), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) || raw;
    for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) ticks.push(Math.abs(v) < step * 1e-9 ? 0 : v);
  }
  return {at, ticks};
}

function axes(x, y, box, x_title, y_title) {
  return shape(
      'g', {},
      x.ticks.map(
          (t) =>
              [shape('line', {class: 'axis', x1: x.at(t), x2: x.at(t), y1: box.top, y2: box.bottom}),
               shape('text', {class: 'soft', x: x.at(t), y: box.bottom + 16, 'text-anchor': 'middle'}, number(t))]),
      y.ticks.map(
          (t) =>
              [shape('line', {class: 'axis', x1: box.left, x2: box.right, y1: y.at(t), y2: y.at(t)}),
               shape('text', {class: 'soft', x: box.left - 6, y: y.at(t) + 4, 'text-anchor': 'end'}, number(t))]),
      shape('text', {x: (box.left + box.right) / 2, y: box.bottom + 34, 'text-anchor': 'middle'}, x_title),
      shape('text', {x: box.left - 40, y: box.top - 10}, y_title));
}
