// sweep: best point, price against speed, all points.
function sweep_view(result) {
  const rows = result.rows || [], query = result.query || {}, fields = (result.axes || []).flatMap((axis) => axis.fields);
  const good = rows.filter((row) => row.fits), cost = (row) => likely(row.yuan_per_usable_tflop);
  const best = good.filter((row) => typeof cost(row) === 'number').sort((a, b) => cost(a) - cost(b))[0];
  const at = (row) => fields.map((field) => `${field} ${row[field]}`).join(', ');
  const nodes =
      [best ?
           answer(
               [
                 `Of ${whole(rows.length)} points over ${fields.join(' × ')}, a usable TFLOP/s is cheapest at `, strong(at(best)),
                 `: ${range(best.yuan_per_usable_tflop)} yuan, ${range(speed_of(best))} tokens a second, ${
                     range(best.price_yuan)} yuan to buy.`
               ],
               good.length < rows.length ? `${whole(rows.length - good.length)} points do not fit.` : 'Every point fits.') :
                                           answer(`None of the ${whole(rows.length)} points fits.`)];
  nodes.push(
      element('h2', {}, 'Price against speed'),
      scatter(
          'Price against speed, all points', 'The line joins the points that no other one beats in price and speed together.',
          good.map((row) => ({
                     x: likely(row.price_yuan),
                     y: likely(speed_of(row)),
                     x_range: is_range(row.price_yuan) ? row.price_yuan : null,
                     y_range: is_range(speed_of(row)) ? speed_of(row) : null,
                     name: at(row),
                     first: row === best
                   })),
          'yuan to buy', 'tokens/s'));
  const shown = rows.slice(0, 2000);
  nodes.push(
      element('h2', {}, 'Points'),
      sortable_table(
          shown.length < rows.length ? `The first ${whole(shown.length)} of ${whole(rows.length)} points` :
                                       'All points; a head sorts.',
          [
            ...fields.map(
                (field) =>
                    ({head: field, number: rows.every((row) => typeof row[field] === 'number'), value: (row) => row[field]})),
            {head: 'plan', value: (row) => row.plan ?? row.reason ?? null},
            range_column('price', 'yuan', (row) => row.price_yuan), range_column('speed', 'tokens/s', speed_of),
            range_column('cost', 'yuan per usable TFLOP/s', (row) => row.yuan_per_usable_tflop),
            {head: 'memory', unit: 'GiB of fullest card', number: true, value: (row) => row.card_vram_used_gib ?? null},
            {head: 'limited by', value: (row) => row.limited_by ?? ''}
          ],
          shown));
  return {title: `Sweep over ${fields.join(' × ')}${query.model ? `: ${job_words(query)}` : ''}`, nodes};
}
