// Lines over a common axis: cumulative cost of buying against renting, and the time of a collective by message size.
// series: [{name, points: [{x, y, low, high}]}]
function line_chart(title, caption, series, x_title, y_title, options = {}) {
  return figure(title, caption, (width) => {
    const height = Math.min(400, Math.max(240, width * 0.45)), box = {left: 66, right: width - 14, top: 28, bottom: height - 44};
    const all = series.flatMap((s) => s.points);
    const xs = all.map((p) => p.x), ys = all.flatMap((p) => [p.y, p.low, p.high]).filter((v) => typeof v === 'number');
    const x = options.logarithmic ? scale(Math.min(...xs), Math.max(...xs), box.left, box.right, true) :
                                    scale(Math.min(...xs), Math.max(...xs, 1), box.left, box.right, false);
    const y = options.logarithmic ? scale(Math.min(...ys) / 1.1, Math.max(...ys) * 1.1, box.bottom, box.top, true) :
                                    scale(Math.min(0, ...ys), Math.max(...ys, 1) * 1.05, box.bottom, box.top, false);
    const svg = shape('svg', {viewBox: `0 0 ${width} ${height}`}, axes(x, y, box, x_title, y_title));
    series.forEach((s, i) => {
      const path = s.points.map((p) => `${x.at(p.x)},${y.at(p.y)}`).join(' ');
      svg.append(shape('polyline', {
        points: path,
        fill: 'none',
        stroke: colour(i),
        'stroke-width': 2.5,
        'data-series': s.name,
        'data-values': JSON.stringify(s.points.map((p) => p.y))
      }));
      for (const p of s.points)
        if (p.low !== undefined)
          svg.append(shape('line', {
            x1: x.at(p.x),
            x2: x.at(p.x),
            y1: y.at(p.low),
            y2: y.at(p.high),
            stroke: colour(i),
            'stroke-width': 5,
            'stroke-opacity': .4,
            'data-low': p.low,
            'data-high': p.high
          }));
    });
    for (const mark of options.marks || [])
      svg.append(
          shape(
              'line',
              {class: 'front', 'stroke-dasharray': '4 3', x1: x.at(mark.x), x2: x.at(mark.x), y1: box.top, y2: box.bottom}),
          shape('text', {x: x.at(mark.x) + 4, y: box.top + 12}, mark.name));
    return svg;
  }, legend(series.map((s) => s.name)));
}

// What each input would have to become to turn the verdict, as a factor of its present value, against what is expected of it.
function sensitivity_bars(points) {
  return figure(
      'What would turn the verdict',
      'The bar is what is expected of the input, as a factor of its value; the mark is where the verdict turns. A mark outside its bar is not expected to happen.',
      (width) => {
        const left = width < 480 ? 110 : 160, right = width - 16, step = 34;
        const values = points.flatMap((p) => [p.factor, p.expected_low, p.expected_high, 1]).filter((v) => v > 0);
        const x = scale(Math.min(...values) / 1.2, Math.max(...values) * 1.2, left, right, true),
              bottom = points.length * step + 6;
        return shape(
            'svg', {viewBox: `0 0 ${width} ${bottom + 24}`},
            x.ticks.map(
                (t) =>
                    [shape('line', {class: 'axis', x1: x.at(t), x2: x.at(t), y1: 0, y2: bottom}),
                     shape('text', {class: 'soft', x: x.at(t), y: bottom + 16, 'text-anchor': 'middle'}, `×${number(t)}`)]),
            points.map((p, i) => {
              const y = i * step + 8;
              return shape(
                  'g', {role: 'img', 'aria-label': p.text, tabindex: '0', class: 'point'}, shape('title', {}, p.text),
                  shape('text', {x: left - 8, y: y + 14, 'text-anchor': 'end'}, p.input), shape('rect', {
                    x: x.at(p.expected_low),
                    width: Math.max(1, x.at(p.expected_high) - x.at(p.expected_low)),
                    y,
                    height: 18,
                    style: 'fill:var(--c0)',
                    'data-low': p.expected_low,
                    'data-high': p.expected_high
                  }),
                  shape('path', {
                    d: `M${x.at(p.factor)},${y - 3} v24`,
                    'stroke-width': 4,
                    style: `stroke:${p.can_happen ? 'var(--bad)' : 'var(--c2)'}`,
                    'data-factor': p.factor
                  }));
            }));
      },
      element('ul', {}, points.map((p) => element('li', {class: p.can_happen ? 'bad' : ''}, p.text))));
}
