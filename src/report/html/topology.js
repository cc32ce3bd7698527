// The tree of a machine: processors at the left, cards at the right; a wire is the wider the faster its link, and the link that
// limits is red. lines: [{depth, device, link, gb_per_s}] in the order of a tree.
function topology_drawing(title, node, weakest) {
  const lines = node.tree || [];
  if (lines.length === 0) return null;
  const fastest = Math.max(...lines.map((line) => line.gb_per_s), 1e-9);
  const short = (link) => (link || '').replace(/^.*?(PCIe|NVLink|xGMI|Infinity)/, '$1');
  const limits = lines.filter((line) => weakest && line.link === weakest).map((line) => line.device);
  const same = (line) => weakest && line.link && (line.link === weakest);
  const words = `${lines.length} devices. ` +
      lines.map((l) => (l.link ? `${l.device} by ${l.link}, ${number(l.gb_per_s)} GB/s` : l.device)).join('; ');
  return figure(title, weakest ? `What limits: ${weakest}.` : 'Wires are as wide as their links are fast.', (width) => {
    const narrow = width < 560, depths = Math.max(...lines.map((l) => l.depth)) + 1;
    // On a phone the tree is indented, a device and its link below it in a row; elsewhere each depth has a column.
    const column = narrow ? Math.min(26, (width * 0.4) / depths) : width / depths, row = narrow ? 52 : 34;
    const x = (line) => line.depth * column + 2, y = (i) => i * row + (narrow ? 14 : row / 2 + 2);
    const box_width = (line) => (narrow ? Math.min(240, width - x(line) - 4) : Math.min(190, column * 0.6));
    const svg = shape('svg', {viewBox: `0 0 ${width} ${lines.length * row + 8}`}, shape('desc', {}, words));
    const parents = [];
    const boxes = [];
    lines.forEach((line, i) => {
      parents[line.depth] = i;
      if (line.depth > 0) {
        const p = parents[line.depth - 1], px = x(lines[p]) + (narrow ? 9 : Math.min(20, box_width(lines[p]) / 2)),
              bad = same(line);
        const thick = 1 + 7 * Math.sqrt(line.gb_per_s / fastest);
        svg.append(shape(
            'path', {
              class: bad ? 'wire bad' : 'wire',
              'stroke-width': thick,
              d: `M${px},${y(p)} V${y(i)} H${x(line)}`,
              'data-link': line.link,
              'data-gb-per-s': line.gb_per_s,
              'data-limits': bad ? 'yes' : null
            },
            shape('title', {}, `${line.link}: ${number(line.gb_per_s)} GB/s`)));
        boxes.push(shape(
            'text', {
              class: bad ? 'bad' : 'soft',
              'data-label': line.device,
              x: x(line) + (narrow ? 20 : box_width(line) + 6),
              y: y(i) + (narrow ? 26 : 4)
            },
            `${short(line.link)} · ${number(line.gb_per_s)} GB/s${bad ? ' · limits' : ''}`));
      }
      boxes.push(
          shape('rect', {class: 'box', x: x(line), y: y(i) - 11, width: box_width(line), height: 22, rx: 4}),
          shape(
              'text', {
                x: x(line) + 6,
                y: y(i) + 4,
                textLength: line.device.length * 6.6 > box_width(line) - 10 ? box_width(line) - 12 : null,
                lengthAdjust: 'spacingAndGlyphs'
              },
              line.device));
    });
    svg.append(...boxes);
    return svg;
  }, limits.length > 0 ? element('p', {class: 'bad'}, `Limited by the link of ${limits.join(', ')}.`) : null);
}
