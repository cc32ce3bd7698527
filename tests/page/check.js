// Holds the page that this is put behind against its own JSON, computed here anew. Says in capitals "checked" and how much, or
// "fault" and what.
setTimeout(() => {
  let count = 0;
  const check = (holds, what) => {
    ++count;
    if (!holds) faults.push(what);
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const numbers = (selector, name) => all(selector).map((node) => Number(node.dataset[name])).sort((a, b) => a - b);
  const same = (found, expected, what) => {
    expected = [...expected].sort((a, b) => a - b);
    check(expected.length > 0, `${what}: nothing is expected`);
    check(
        JSON.stringify(found) === JSON.stringify(expected),
        `${what}: ${found.slice(0, 4)} instead of ${expected.slice(0, 4)} (${found.length} and ${expected.length})`);
  };
  const data = JSON.parse(document.getElementById('rigplan-data').textContent), result = data.results[0],
        rows = result.rows || [];
  const kind = result.schema.split('/')[1];
  const speed = (row) => (row.training_tokens_per_s ?? row.decode_tokens_per_s);
  try {
    check(all('h1').length === 1 && document.title === all('h1')[0].textContent, 'the title is not the heading');
    check(all('a[href^=\'http\']').every((a) => a.href.startsWith('https://')), 'a link is not safe');
    check(window.harm === undefined && all('main img, main script, main b').length === 0, 'text became markup');
    check(
        document.documentElement.scrollWidth <= innerWidth + 1,
        `the page is ${document.documentElement.scrollWidth} wide on a screen of ${innerWidth}`);
    check(all('svg').every((svg) => svg.getAttribute('aria-label')), 'a drawing has no name');
    check(
        !/undefined|NaN|\[object/.test(document.querySelector('main').innerText),
        `the page shows ${(document.querySelector('main').innerText.match(/.{30}(undefined|NaN|\[object).{20}/s) || [])[0]}`);
    const counts =
        all('td.number[data-value]').filter((td) => Number.isInteger(Number(td.dataset.value)) && td.children.length === 0);
    check(
        counts.every(
            (td) => !/^[0-9,]+$/.test(td.textContent) || Number(td.textContent.replaceAll(',', '')) === Number(td.dataset.value)),
        'a count is rounded');
    // Names of links keep clear of boxes and of the edge.
    const boxes = all('svg .box').map((box) => box.getBoundingClientRect());
    for (const label of all('text[data-label]')) {
      const at = label.getBoundingClientRect();
      check(
          boxes.every(
              (box) => at.right <= box.left || at.left >= box.right || at.bottom <= box.top + 1 || at.top >= box.bottom - 1),
          `the link of ${label.dataset.label} is written over a box`);
      check(at.right <= innerWidth + 1, `the link of ${label.dataset.label} leaves the screen`);
    }
    for (const label of all('svg text'))
      check(label.getBoundingClientRect().left >= -1, `"${label.textContent}" begins left of the screen`);
    if (kind === 'rank' || kind === 'sweep') {
      const good = rows.filter((row) => row.fits !== false && row.price_yuan && speed(row));
      const value = (v) => v.likely ?? v;
      same(numbers('circle', 'x'), good.map((row) => value(row.price_yuan)), 'prices in the scatter');
      same(numbers('circle', 'y'), good.map((row) => value(speed(row))), 'speeds in the scatter');
      // A point is on the front when no other is as good in both and better in one; equal points count once.
      const pairs = [...new Set(good.map((row) => `${value(row.price_yuan)} ${value(speed(row))}`))].map(
          (text) => text.split(' ').map(Number));
      const front = pairs.filter(([x, y]) => !pairs.some(([a, b]) => a <= x && b >= y && (a < x || b > y)));
      check(
          Number(all('[data-front]')[0].dataset.front) === front.length,
          `the front has ${all('[data-front]')[0].dataset.front} points instead of ${front.length}`);
      const table = all('table')[0], heads = [...table.querySelectorAll('th')],
            at = heads.findIndex((th) => th.innerText.startsWith('price'));
      const column = () => [...table.querySelectorAll('tbody tr')]
                               .map((tr) => tr.children[at].dataset.value)
                               .filter((v) => v !== undefined)
                               .map(Number);
      const before = column(), button = heads[at].querySelector('button');
      same(
          [...before].sort((a, b) => a - b), rows.filter((row) => row.price_yuan).map((row) => value(row.price_yuan)),
          'prices in the table');
      button.click();
      check(heads[at].getAttribute('aria-sort') === 'ascending', 'the head does not say ascending');
      check(column().every((v, i, c) => i === 0 || c[i - 1] <= v), 'the table does not sort');
      button.click();
      check(
          heads[at].getAttribute('aria-sort') === 'descending' && column().every((v, i, c) => i === 0 || c[i - 1] >= v),
          'nor the other way round');
      check(heads.filter((th) => th.hasAttribute('aria-sort')).length === 1, 'two heads say that they sort');
    }
    if (kind === 'estimate' && result.fits) {
      same(
          numbers('[data-part]', 'value'),
          [...result.memory.flatMap((card) => Object.values(card.parts_gib)), ...Object.values(result.time_shares)],
          'parts of bars');
      same(
          numbers('[data-gb-per-s]', 'gbPerS'),
          result.topology.flatMap((node) => node.tree.filter((line) => line.depth > 0).map((line) => line.gb_per_s)),
          'rates of links');
      check(
          all('[data-limits]').every((wire) => wire.dataset.link === rows[0].weakest_link) && all('[data-limits]').length > 0,
          'another link is marked than the weakest');
    }
    if (kind === 'estimate' && !result.fits)
      check(document.querySelector('.answer').innerText.includes('does not hold'), 'a misfit is not said');
    if (kind === 'rent-or-buy') {
      for (const [name, months, total] of [['buying', rows[0].own_months, 'own'], ['renting', rows[0].rent_months, 'rent']]) {
        let sum = 0;
        const sums = months.map((month) => (sum += month.total_yuan)), line = all(`[data-series="${name}"]`)[0];
        check(line.dataset.values === JSON.stringify(sums), `${name} is drawn otherwise than paid`);
        check(
            Math.abs(sum - rows[0][`${total}_total_yuan`]) < 1,
            `${name} ends at ${sum} instead of ${rows[0][`${total}_total_yuan`]}`);
        const span = rows[0][`${total}_total_yuan_range`];
        check(
            all('[data-high]').some((node) => Number(node.dataset.low) === span.low && Number(node.dataset.high) === span.high),
            `the range of ${name} is missing`);
      }
      let own = 0, rent = 0;
      const met = rows[0].own_months.findIndex(
          (month, i) => (own += month.total_yuan) <= (rent += rows[0].rent_months[i].total_yuan) && i > 0);
      const words = document.querySelector('main').innerText;
      check(
          met > 0 ? words.includes(`cross in month ${met}.`) : words.includes('lines do not cross'),
          `the crossing is not in month ${met}`);
      same(numbers('[data-factor]', 'factor'), rows[0].turning_points.map((point) => point.factor), 'turning points');
    }
    if (kind === 'rent-or-buy-ranking') {
      const able = rows.filter((row) => row.yuan_per_mtoken !== null);
      same(numbers('rect[data-value]', 'value'), able.slice(0, 20).map((row) => row.yuan_per_mtoken), 'bars of ways');
      check(all('tbody')[0].children.length === rows.length, 'the table lacks ways');
      check(document.querySelector('.answer strong').textContent.startsWith(able[0].way), 'another way is called the cheapest');
    }
    if (kind === 'validation') {
      same(
          numbers('rect[data-value]', 'value'),
          result.summary.filter((line) => line.predicted > 0)
              .flatMap((line) => [line.median_abs_error * 100, line.p90_abs_error * 100]),
          'bars of errors');
      check(all('circle').length > 100, 'few points are drawn');
    }
    if (kind === 'collective')
      check(
          all('[data-series]')
              .every((line, i) => line.dataset.values === JSON.stringify(result.curves[i].rows.map((row) => row.time_us.likely))),
          'curves differ from the JSON');
    if (kind === 'topology')
      same(
          numbers('[data-gb-per-s]', 'gbPerS'),
          result.nodes.flatMap((node) => node.tree.filter((line) => line.depth > 0).map((line) => line.gb_per_s)),
          'rates of links');
  } catch (error) {
    faults.push(error.stack);
  }
  const word = (text) => text.toUpperCase();  // so that this script is not found in its place
  const said = document.createElement('p');
  said.textContent =
      faults.length === 0 ? `${word('checked')} ${count}` : faults.map((fault) => `${word('fault')} ${fault}`).join('\n');
  document.body.append(said);
}, 500);
