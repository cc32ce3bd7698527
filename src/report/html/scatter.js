// Points {x, y, x_range, y_range, name, first}, x the lower the better, y the higher the better, with the Pareto front: the
// points that no other one beats in both. Each point tells its name to pointer, keyboard and screen reader.
function pareto_front(points) {
  const by_price = [...points].sort((a, b) => a.x - b.x || b.y - a.y);
  const front = [];
  for (const point of by_price)
    if (front.length === 0 || point.y > front[front.length - 1].y) front.push(point);
  return front;
}

function bounds(values, logarithmic) {
  let low = Math.min(...values), high = Math.max(...values);
  if (logarithmic) return [low / 1.15, high * 1.15];
  return [Math.min(0, low), high > 0 ? high * 1.08 : 1];
}

function scatter(title, caption, points, x_title, y_title, options = {}) {
  const shown =
      points.filter((p) => typeof p.x === 'number' && typeof p.y === 'number' && (!options.logarithmic || (p.x > 0 && p.y > 0)));
  if (shown.length === 0) return null;
  const told = element('p', {class: 'soft', 'aria-live': 'polite'}, 'Point at a dot, or move to it by keyboard, to read it.');
  return figure(title, caption, (width) => {
    const height = Math.min(420, Math.max(260, width * 0.5));
    const box = {left: 60, right: width - 12, top: 28, bottom: height - 44};
    const spread = (key) => shown.flatMap(
        (p) => [p[key], p[`${key}_range`]?.low, p[`${key}_range`]?.high].filter(
            (v) => typeof v === 'number' && (!options.logarithmic || v > 0)));
    const x = scale(...bounds(spread('x'), options.logarithmic), box.left, box.right, options.logarithmic);
    const y = scale(...bounds(spread('y'), options.logarithmic), box.bottom, box.top, options.logarithmic);
    const svg = shape('svg', {viewBox: `0 0 ${width} ${height}`}, axes(x, y, box, x_title, y_title));
    if (options.diagonal) {
      const low = Math.max(...[spread('x'), spread('y')].map((v) => Math.min(...v))),
            high = Math.min(...[spread('x'), spread('y')].map((v) => Math.max(...v)));
      if (low < high) svg.append(shape('line', {class: 'front', x1: x.at(low), x2: x.at(high), y1: y.at(low), y2: y.at(high)}));
    } else {
      const front = pareto_front(shown);
      svg.append(shape(
          'polyline',
          {class: 'front', points: front.map((p) => `${x.at(p.x)},${y.at(p.y)}`).join(' '), 'data-front': front.length}));
    }
    for (const p of shown) {
      if (p.x_range && shown.length <= 60)
        svg.append(
            shape('line', {class: 'whisker', x1: x.at(p.x_range.low), x2: x.at(p.x_range.high), y1: y.at(p.y), y2: y.at(p.y)}));
      if (p.y_range && shown.length <= 60)
        svg.append(
            shape('line', {class: 'whisker', x1: x.at(p.x), x2: x.at(p.x), y1: y.at(p.y_range.low), y2: y.at(p.y_range.high)}));
    }
    for (const p of [...shown].sort((a, b) => Number(a.first || 0) - Number(b.first || 0))) {
      const words = `${p.name}: ${x_title} ${range(p.x_range || p.x)}, ${y_title} ${range(p.y_range || p.y)}`;
      const dot = shape(
          'circle', {
            class: p.first ? 'point first' : 'point',
            cx: x.at(p.x),
            cy: y.at(p.y),
            r: shown.length > 300 ? 2.5 : 5,
            tabindex: shown.length > 100 ? null : '0',
            role: 'img',
            'aria-label': words,
            'data-x': p.x,
            'data-y': p.y
          },
          shape('title', {}, words));
      for (const event of ['focus', 'pointerenter']) dot.addEventListener(event, () => (told.textContent = words));
      svg.append(dot);
    }
    return svg;
  }, told);
}
