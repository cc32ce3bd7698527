// topology and collective: the drawing of a machine, and the time of a collective by message size.
function topology_view(result) {
  const nodes = (result.nodes ||
                 []).map((node) => topology_drawing(`${node.count > 1 ? `${node.count} × ` : ''}${node.board}`, node, null));
  return {
    title: `Links of ${result.rig || 'the rig'}`,
    nodes: [...nodes, element('ul', {}, (result.warnings || []).map((w) => element('li', {}, `${w.code}: ${w.text}`)))]
  };
}
function collective_view(result) {
  const curves = result.curves || [], last = curves[0] && curves[0].rows[curves[0].rows.length - 1];
  const name = (curve) => (curves.length > 1 ? `peer access ${curve.peer_to_peer}` : result.operation);
  return {
    title: `${result.operation} among ${result.cards} cards`,
    nodes: [
      last ? answer(`An ${result.operation} of ${whole(last.bytes)} bytes takes ${range(last.time_us)} µs, limited by ${
                 curves[0].bottleneck}.`) :
             null,
      line_chart(
          `Time of an ${result.operation}`, 'Both axes are logarithmic; strokes are the ranges.',
          curves.map((curve) => ({
                       name: name(curve),
                       points: curve.rows.map(
                           (row) => ({x: row.bytes, y: likely(row.time_us), low: row.time_us.low, high: row.time_us.high}))
                     })),
          'bytes', 'µs', {logarithmic: true})
    ].filter(Boolean)
  };
}
