// rent-or-buy: the verdict, cumulative cost, what would turn it, offers, the bill.
const from_whom = (row) => (row.provider === 'as stated' ? 'at the stated price' : `from ${row.provider}`);
function cumulative(months) {
  let sum = 0;
  return (months || []).map((month) => ({x: month.month, y: (sum += month.total_yuan)}));
}
// The first month in which having bought has cost no more than renting; null where that does not happen.
function crossing(own, rent) {
  const at = own.findIndex((p, i) => i > 0 && rent[i] && p.y <= rent[i].y);
  return at > 0 ? own[at].x : null;
}
function cost_chart(row) {
  const own = cumulative(row.own_months), rent = cumulative(row.rent_months), at = crossing(own, rent);
  if (own.length < 2 || rent.length < 2) return null;
  const end = (points, span) => span && Object.assign(points[points.length - 1], {low: span.low, high: span.high});
  end(own, row.own_total_yuan_range);
  end(rent, row.rent_total_yuan_range);
  const words = at !== null ?
      `The lines cross in month ${at}.` :
      row.break_even_month ?
      `The lines do not cross within the horizon; at this use they would after ${number(row.break_even_month)} months.` :
      'The lines do not cross.';
  return line_chart(
      `Buying against renting ${from_whom(row)}, added up`,
      `${words} Selling at the end counts in the last month. The thick strokes at the end are the ranges of the sums.`,
      [{name: 'buying', points: own}, {name: 'renting', points: rent}], 'month', 'yuan',
      {marks: at !== null ? [{x: at, name: `month ${at}`}] : []});
}
function rent_or_buy_view(result) {
  const rows = result.rows || [], row = rows[0], query = result.query || {}, nodes = [];
  if (result.verdict || row)
    nodes.push(answer(
        [strong(`${result.verdict || ''}.`)],
        row && row.own_total_yuan !== undefined ?
            filled(
                'Over {} months buying costs {} yuan in all and renting {} {}, for {} card-hours of use.', number(query.horizon_months),
                range(row.own_total_yuan_range || row.own_total_yuan), from_whom(row),
                range(row.rent_total_yuan_range || row.rent_total_yuan), whole(row.card_hours)) :
            null,
        row && row.break_even_hours_per_card ?
            `Buying begins to win at ${number(row.break_even_hours_per_card)} hours of use a card (${
                percent(row.break_even_utilisation)} of all hours). In ${
                percent(row.buying_wins_share)} of draws over all ranges it wins.` :
            row && row.buying_wins_share !== undefined ?
            `In ${percent(row.buying_wins_share)} of draws over all ranges buying wins.` :
            null));
  if (row && row.own_months) nodes.push(element('h2', {}, 'Cost, added up'), cost_chart(row));
  const turning = (row && row.turning_points) || [];
  if (turning.length > 0) nodes.push(element('h2', {}, 'Sensitivity'), sensitivity_bars(turning));
  nodes.push(
      element('h2', {}, 'Offers'),
      sortable_table(
          'Offers; a head sorts.',
          [
            {head: 'offer', value: (r) => r.offer ?? r.build ?? null}, {head: 'provider', value: (r) => r.provider ?? null},
            {head: 'terms', value: (r) => r.terms ?? null}, {head: 'seen', value: (r) => r.date ?? null},
            {head: 'rent', unit: 'yuan a card-hour', number: true, value: (r) => r.yuan_per_card_hour ?? null},
            range_column('renting', 'yuan in all', (r) => r.rent_total_yuan_range ?? r.rent_total_yuan),
            range_column('buying', 'yuan in all', (r) => r.own_total_yuan_range ?? r.own_total_yuan),
            {head: 'buying saves', unit: 'yuan', number: true, value: (r) => r.buying_saves_yuan ?? null},
            {head: 'break-even', unit: 'hours a card', number: true, value: (r) => r.break_even_hours_per_card ?? null}, {
              head: 'buying wins',
              unit: 'share of draws',
              number: true,
              value: (r) => r.buying_wins_share ?? null,
              text: (r) => percent(r.buying_wins_share)
            }
          ],
          rows));
  if (result.purchase)
    nodes.push(
        element('h2', {}, 'The bill'), sortable_table('Parts and their prices', bill_columns, result.purchase.lines || []),
        facts([
          ['to buy', `${range(result.purchase.total_yuan)} yuan`],
          ['parts without a price', result.purchase.unknown_prices || null]
        ]));
  if ((result.notes || []).length > 0)
    nodes.push(element('h3', {}, 'Notes'), element('ul', {}, result.notes.map((note) => element('li', {}, note))));
  return {title: `Buy or rent: ${result.build || job_words(query.job) || 'offers'}`, nodes};
}
