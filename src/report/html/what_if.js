// What if: sliders that rank the builds of the page anew, by the planner's own core where the page carries it.
async function open_core() {
  const bytes = Uint8Array.from(atob(rigplan_core_packed), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return rigplan_core({wasmBinary: new Uint8Array(await new Response(plain).arrayBuffer())});
}
const ask_core = (core, name, value) => JSON.parse(core.ccall(name, 'string', ['string'], [JSON.stringify(value)]));

// Whether the core computes what the answer says: not when that was made with other prices, cards or formulas.
function agrees(answer, rows) {
  const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b);
  return answer.rows &&
      answer.rows.every(
          (one) => near(one.price_yuan, likely(rows[one.row].price_yuan)) &&
              (!one.fits || near(one.yuan_per_usable_tflop, likely(rows[one.row].yuan_per_usable_tflop))));
}

// The sliders: what they change, how far they go, and what they say.
function levers_of(query, rows, cards) {
  const least = query.prompt_tokens + query.generate_tokens, most = Math.max(...rows.map((row) => row.cards));
  const contexts = [1, 2, 4, 8, 16, 32, 64, 128].map((k) => k * 1024).filter((tokens) => tokens >= least);
  const price = cards[0] ? cards[0].price_yuan : 1000;
  return [
    {
      key: 'price_yuan',
      name: 'price of a card',
      unit: 'yuan',
      min: Math.max(1, Math.round(price / 4)),
      max: Math.round(price * 4),
      step: 1,
      at: Math.round(price)
    },
    {key: 'tariff_yuan_per_kwh', name: 'tariff', unit: 'yuan/kWh', min: 0, max: 3, step: 0.01, at: query.tariff_yuan_per_kwh},
    {key: 'hours_per_day', name: 'loaded hours a day', unit: 'h', min: 0.5, max: 24, step: 0.5, at: query.loaded_hours_per_day},
    {key: 'context_tokens', name: 'context', unit: 'tokens', values: contexts, at: query.context_tokens},
    {key: 'users', name: 'users', unit: '', min: 1, max: 64, step: 1, at: query.users},
    {key: 'most_cards', name: 'cards at most', unit: '', min: 1, max: most, step: 1, at: query.max_cards || most},
  ];
}

function what_if_section(result, rows) {
  if (typeof rigplan_core === 'undefined' || typeof DecompressionStream === 'undefined' || rows.length === 0) return [];
  const place = element('div', {class: 'soft'}, 'The planner is being unpacked ...');
  open_core()
      .then((core) => {
        const opened = ask_core(core, 'what_if_open', result), first = opened.error ? opened : ask_core(core, 'what_if_rank', {});
        if (first.error || !agrees(first, rows)) {
          place.replaceChildren(
              `Not for this answer: ${first.error || 'it was made with other prices or formulas than this page carries'}.`);
          return;
        }
        for (let i = 0; i < 5; ++i) ask_core(core, 'what_if_rank', {});  // a browser compiles in full what it has run a few times
        place.className = '';
        place.replaceChildren(...what_if_controls(core, result, rows, opened.cards));
      })
      .catch((error) => place.replaceChildren(`Not in this browser: ${error.message}.`));
  return [
    element('h2', {}, 'What if'),
    element(
        'p', {class: 'soft'},
        'Ranks the builds of this page anew. Others, which might now come first, are not looked at: rigplan rank does.'),
    place
  ];
}

function what_if_controls(core, result, rows, cards) {
  const change = {}, said = element('p', {'aria-live': 'polite'}), table = element('div', {id: 'what-if-table'});
  const show = () => {
    const begun = performance.now(), answer = ask_core(core, 'what_if_rank', change);
    table.dataset.ms = performance.now() - begun;
    table.dataset.answer = JSON.stringify(answer);
    if (answer.error) return said.replaceChildren(answer.error);
    const best = answer.rows.find((one) => one.fits);
    said.replaceChildren(...(best ? ['First is ', strong(rows[best.row].build), '.'] : ['None of these builds does it.']));
    table.replaceChildren(sortable_table(
        'Builds as changed',
        [
          {
            head: '#',
            number: true,
            value: (one) => (one.fits ? answer.rows.indexOf(one) + 1 : null),
            text: (one) => (one.fits ? String(answer.rows.indexOf(one) + 1) : '–')
          },
          {head: 'was', number: true, value: (one) => rows[one.row].rank ?? null}, {
            head: 'build',
            wide: true,
            value: (one) => rows[one.row].build,
            text: (one) => rows[one.row].build + (one.fits ? '' : `: ${one.reason}`)
          },
          {head: 'price', unit: 'yuan', number: true, value: (one) => one.price_yuan},
          {head: 'speed', unit: 'tokens/s', number: true, value: (one) => one.tokens_per_s},
          {head: 'cost', unit: 'yuan per usable TFLOP/s', number: true, value: (one) => one.yuan_per_usable_tflop}
        ],
        answer.rows));
  };
  const card = element(
      'select', {'aria-label': 'card whose price changes'}, cards.map((one) => element('option', {value: one.gpu}, one.name)));
  const sliders = levers_of(result.query, rows, cards).map((lever) => lever_row(lever, (value) => {
                                                             change[lever.key] = value;
                                                             if (lever.key === 'price_yuan') change.gpu = card.value;
                                                             show();
                                                           }));
  card.addEventListener('change', () => {
    const price = cards[card.selectedIndex].price_yuan;
    delete change.gpu;
    delete change.price_yuan;
    sliders[0].reset(Math.max(1, Math.round(price / 4)), Math.round(price * 4), Math.round(price));
    show();
  });
  const back = element('button', {type: 'button'}, 'As it was asked');
  back.addEventListener('click', () => {
    for (const key of Object.keys(change)) delete change[key];
    sliders.forEach((slider) => slider.reset());
    show();
  });
  show();
  return [
    element('div', {class: 'levers'}, element('label', {}, 'card ', card), sliders.map((slider) => slider.node)), back, said,
    table
  ];
}

// A slider with its name and value. A slider of listed values moves over their places.
function lever_row(lever, moved) {
  const values = lever.values, at = values ? Math.max(0, values.findIndex((v) => v >= lever.at)) : lever.at;
  const input = element('input', {
    type: 'range',
    min: values ? 0 : lever.min,
    max: values ? values.length - 1 : lever.max,
    step: values ? 1 : lever.step,
    'data-lever': lever.key
  });
  input.value = at;
  const value = () => (values ? values[Number(input.value)] : Number(input.value));
  const text = (v) => `${Number.isInteger(v) ? whole(v) : number(v)} ${lever.unit}`.trim();
  const says = element('output', {}, text(lever.at));
  input.addEventListener('input', () => {
    says.textContent = text(value());
    moved(value());
  });
  const reset = (min, max, to) => {
    if (min !== undefined) Object.assign(input, {min, max});
    input.value = to ?? at;
    says.textContent = text(to ?? lever.at);
  };
  return {node: element('label', {}, `${lever.name} `, input, ' ', says), reset};
}
