// validate: how far predictions are off, by quantity, and predicted against measured.
function validation_view(result) {
  const lines = result.summary || [], rows = (result.rows || []).filter((row) => typeof row.predicted === 'number');
  const name = (line) => `${line.kind} ${line.metric}`;
  const count = lines.reduce((sum, line) => sum + line.predicted, 0), all = lines.reduce((sum, line) => sum + line.rows, 0);
  const inside = rows.filter((row) => row.measured >= row.low && row.measured <= row.high).length;
  const nodes = [
    answer([strong(`${whole(count)} of ${whole(all)} measured rows were predicted; ${
        percent(inside / Math.max(1, rows.length))} lie in the range that is meant to hold 80 %.`)]),
    element('h2', {}, 'Errors by quantity'),
    grouped_bars(
        'Absolute error, percent', 'Median and 90th percentile.',
        lines.filter((l) => l.predicted > 0)
            .map((line) => ({
                   name: name(line),
                   values: {median: line.median_abs_error * 100, '90th percentile': line.p90_abs_error * 100}
                 })),
        '%'),
    sortable_table(
        'Quantities; a head sorts.',
        [
          {head: 'kind', value: (l) => l.kind}, {head: 'quantity', value: (l) => l.metric},
          {head: 'rows', number: true, value: (l) => l.rows}, {head: 'predicted', number: true, value: (l) => l.predicted},
          ...[['median', 'median_abs_error'], ['90th percentile', 'p90_abs_error'], ['bias', 'bias'],
              ['in range', 'range_80_coverage']]
              .map(([head, key]) => ({head, unit: '%', number: true, value: (l) => (l[key] === null ? null : l[key] * 100)}))
        ],
        lines),
    element('h2', {}, 'Predicted against measured')
  ];
  for (const line of lines.filter((l) => l.predicted > 1).sort((a, b) => b.predicted - a.predicted).slice(0, 8)) {
    const points = rows.filter((row) => row.kind === line.kind && row.metric === line.metric)
                       .map((row) => ({x: row.measured, y: row.predicted, name: row.id}));
    nodes.push(scatter(
        name(line), 'On the line a prediction is exact; both axes are logarithmic.', points, 'measured', 'predicted',
        {logarithmic: true, diagonal: true}));
  }
  const outliers = result.outliers || [];
  if (outliers.length > 0)
    nodes.push(
        element('h3', {}, 'Outliers, counted all the same'),
        element('ul', {}, outliers.map((o) => element('li', {}, `${o.id}: ${o.reason}`))));
  return {title: 'Predictions against measurements', nodes};
}
