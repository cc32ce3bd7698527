// rank: the answer, the ranking, price against speed, memory of the fullest card.
const rank_words = {
  'yuan-per-usable-tflop': 'Cheapest per usable TFLOP/s',
  price: 'Cheapest to buy',
  decode: 'Fastest decoding',
  prefill: 'Fastest at reading prompts',
  usable: 'Most usable TFLOP/s',
  watts: 'Fewest watts',
  'yuan-per-mtoken': 'Cheapest per token',
};
function ranking_columns() {
  return [
    {head: '#', number: true, value: (row) => row.rank ?? null},
    {head: 'build', wide: true, value: (row) => row.build},
    {head: 'plan', value: (row) => row.plan || row.reason},
    range_column('price', 'yuan', (row) => row.price_yuan),
    {
      head: 'memory',
      unit: 'GiB of fullest card',
      number: true,
      value: (row) => row.card_vram_used_gib ?? null,
      text: (row) => `${number(row.card_vram_used_gib)} of ${number(row.card_vram_usable_gib)}`
    },
    range_column('speed', 'tokens/s', speed_of),
    range_column('cost', 'yuan per usable TFLOP/s', (row) => row.yuan_per_usable_tflop),
    {head: 'power', unit: 'W loaded', number: true, value: (row) => row.loaded_watts ?? null},
    {head: 'limited by', value: (row) => row.limited_by ?? row.reason ?? null},
    {head: 'doubts', value: (row) => doubts_of(row), text: (row) => doubts_of(row)},
  ];
}
function ranking_view(result) {
  const rows = result.rows || [], good = rows.filter((row) => row.fits !== false && row.rank), first = good[0],
        query = result.query || {};
  const nodes = [];
  if (first)
    nodes.push(answer(
        [
          `${rank_words[query.by] || `First by ${query.by}`} for ${job_words(query)}${
              query.budget_yuan ? `, up to ${whole(query.budget_yuan)} yuan` : ''}: `,
          strong(first.build), `, ${first.plan}.`
        ],
        `It costs ${range(first.price_yuan)} yuan to buy and makes about ${range(speed_of(first))} tokens a second, limited by ${
            first.limited_by}. A usable TFLOP/s costs ${range(first.yuan_per_usable_tflop)} yuan over ${
            number(query.horizon_months)} months.`,
        doubts_of(first) ? `Doubts to settle before paying: ${doubts_of(first)}; they are explained below.` : null));
  else
    nodes.push(answer(`No build holds ${job_words(query)} within the limits.`));
  nodes.push(element(
      'p', {class: 'soft'},
      `${whole(result.candidates)} builds were considered; ${whole(result.rejected)} break a limit or do not fit; ${
          whole(rows.length)} are shown here.`));
  nodes.push(
      element('h2', {}, 'Ranking'),
      sortable_table('Builds; a head sorts by its column, a second press the other way round.', ranking_columns(), rows));
  nodes.push(...what_if_section(result, rows));
  nodes.push(
      element('h2', {}, 'Price against speed'),
      scatter(
          'Price against speed',
          'The line joins the builds that no other one here beats in price and speed together. Fine lines are the ranges. The first place is orange.',
          good.map((row) => ({
                     x: likely(row.price_yuan),
                     y: likely(speed_of(row)),
                     x_range: row.price_yuan,
                     y_range: speed_of(row),
                     name: `${row.rank}. ${row.build}, ${row.plan}`,
                     first: row === first
                   })),
          'yuan to buy', 'tokens/s'));
  const held = good.filter((row) => typeof row.card_vram_used_gib === 'number');
  if (held.length > 0)
    nodes.push(
        element('h2', {}, 'Memory'),
        stacked_bars(
            'Memory of the fullest card, by place', 'GiB.',
            held.map((row) => ({name: `# ${row.rank}`, whole: row.card_vram_usable_gib, parts: {used: row.card_vram_used_gib}})),
            'GiB'));
  return {title: `Which build for ${job_words(query)}`, nodes};
}
