// Bars of parts: memory of each card, and one bar for where the time goes.
function stacked_bars(title, caption, rows, unit) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.parts)))];
  const label_width = (width) => (width < 480 ? 60 : 90);
  return figure(title, caption, (width) => {
    const left = label_width(width), right = width - 90, height = rows.length * 26 + 6;
    const most = Math.max(...rows.map((row) => Math.max(row.whole, Object.values(row.parts).reduce((a, b) => a + b, 0))));
    const x = (value) => (value / most) * (right - left);
    return shape('svg', {viewBox: `0 0 ${width} ${height}`}, rows.map((row, r) => {
      const y = r * 26 + 4;
      let at = left;
      const used = Object.values(row.parts).reduce((a, b) => a + b, 0);
      const words = `${row.name}: ${Object.entries(row.parts).map(([n, v]) => `${n} ${number(v)}`).join(', ')} ${unit}; ${
          number(used)} of ${number(row.whole)} ${unit}`;
      return shape(
          'g', {role: 'img', 'aria-label': words, tabindex: '0', class: 'point'}, shape('title', {}, words),
          shape('text', {x: left - 6, y: y + 14, 'text-anchor': 'end'}, row.name),
          shape('rect', {x: left, y, width: x(row.whole), height: 20, style: 'fill:var(--free)'}),
          Object.entries(row.parts).map(([name, value]) => {
            const part = shape('rect', {
              x: at,
              y,
              width: Math.max(0, x(value)),
              height: 20,
              style: `fill:${colour(names.indexOf(name))};fill-opacity:1`,
              'data-part': name,
              'data-value': value
            });
            at += x(value);
            return part;
          }),
          shape(
              'text', {x: left + x(Math.max(row.whole, used)) + 6, y: y + 14, class: used > row.whole ? 'bad' : ''},
              row.tail || `${number(used)} of ${number(row.whole)}`));
    }));
  }, legend(names));
}

// Bars side by side, one group a row: [{name, values: {median: 0.1, ...}}].
function grouped_bars(title, caption, rows, unit, limit) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.values)))];
  return figure(title, caption, (width) => {
    // Names stand beside their bars, or above them where that leaves too little of the width.
    const room = width < 480 ? 130 : 220, above = rows.some((row) => row.name.length * 6.4 + 8 > room), head = above ? 15 : 0;
    const left = above ? 2 : room, right = width - 60, step = names.length * 13 + 8 + head;
    const most = Math.min(limit || Infinity, Math.max(...rows.flatMap((row) => Object.values(row.values)), 1e-9));
    return shape(
        'svg', {viewBox: `0 0 ${width} ${rows.length * step + 4}`},
        rows.map(
            (row, r) =>
                [above ? shape('text', {x: 2, y: r * step + 14}, row.name) :
                         shape('text', {x: left - 6, y: r * step + step / 2 + 2, 'text-anchor': 'end'}, row.name),
                 names.map((name, n) => {
                   const value = row.values[name], length = (Math.min(value, most) / most) * (right - left),
                         y = r * step + head + n * 13 + 4;
                   return [
                     shape('rect', {
                       x: left,
                       y,
                       width: Math.max(1, length),
                       height: 11,
                       style: `fill:${colour(n)}`,
                       'data-value': value,
                       role: 'img',
                       'aria-label': `${row.name}, ${name}: ${number(value)} ${unit}`
                     }),
                     shape('text', {class: 'soft', x: left + length + 5, y: y + 10}, number(value))
                   ];
                 })]));
  }, legend(names));
}
