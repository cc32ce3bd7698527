// rent-or-buy of several rigs: all ways to get the job done, owned and rented, by the price of a million tokens.
function own_rent_view(result) {
  const rows = result.rows || [], good = rows.filter((row) => row.yuan_per_mtoken !== null), first = good[0],
        query = result.query || {}, nodes = [], most_bars = 20;
  const way = (row) => row.way + (row.old ? ' (old)' : '');
  const own = good.find((row) => row.owned), rented = good.find((row) => !row.owned);
  nodes.push(
      first ? answer(
                  [
                    `Cheapest for ${job_words(query.job)}: `, strong(way(first)),
                    `, ${number(first.yuan_per_mtoken)} yuan a million tokens, ${number(first.total_yuan)} yuan in all over ${
                        number(query.horizon_months)} months of ${number(query.hours_per_day)} hours on ${
                        number(query.days_per_month)} days.`
                  ],
                  own && own !== first ? `The cheapest to own, ${own.way.replace(/^own /, '')}, costs ${
                                             number(own.yuan_per_mtoken)} yuan a million tokens.` :
                                         null,
                  rented && rented !== first ? `The cheapest to rent, ${way(rented).replace(/^rent /, '')}, costs ${
                                                   number(rented.yuan_per_mtoken)} yuan a million tokens.` :
                                               null) :
              answer(`None of ${whole(rows.length)} ways does ${job_words(query.job)}.`));
  if (good.length > 0)
    nodes.push(
        element('h2', {}, 'A million tokens'),
        grouped_bars(
            good.length > most_bars ? `Yuan a million tokens, the ${most_bars} cheapest ways` : 'Yuan a million tokens', '',
            good.slice(0, most_bars).map((row) => ({name: way(row), values: {yuan: row.yuan_per_mtoken}})), 'yuan'));
  nodes.push(
      element('h2', {}, 'Ways'),
      sortable_table(
          'Ways, the cheapest first; a head sorts.',
          [
            {head: 'way', wide: true, value: way, text: (row) => (row.reason ? `${way(row)}: ${row.reason}` : way(row))},
            {head: 'cards', number: true, value: (row) => row.cards}, {
              head: 'to buy',
              unit: 'yuan',
              number: true,
              value: (row) => row.purchase_yuan,
              text: (row) => (row.owned ? `${number(row.purchase_yuan)}${row.unknown_prices ? ` + ${row.unknown_prices} unknown` : ''}` : '–')
            },
            {head: 'in all', unit: 'yuan', number: true, value: (row) => row.total_yuan},
            {head: 'in money of the first day', unit: 'yuan', number: true, value: (row) => row.present_value_yuan},
            {head: 'speed', unit: 'tokens/s', number: true, value: (row) => row.tokens_per_s},
            {head: 'work', unit: 'million tokens', number: true, value: (row) => row.mtokens},
            {head: 'price', unit: 'yuan a million tokens', number: true, value: (row) => row.yuan_per_mtoken}
          ],
          rows));
  if ((result.notes || []).length > 0)
    nodes.push(element('h3', {}, 'Notes'), element('ul', {}, result.notes.map((note) => element('li', {}, note))));
  return {title: `Own or rent for ${job_words(query.job)}`, nodes};
}
