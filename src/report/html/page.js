// The page: each answer in its own way, then the assumptions, the doubts explained, the sources, the answers themselves.
const views = {
  rank: ranking_view,
  estimate: estimate_view,
  'rent-or-buy': rent_or_buy_view,
  'rent-or-buy-ranking': own_rent_view,
  sweep: sweep_view,
  validation: validation_view,
  topology: topology_view,
  collective: collective_view
};

function sources_section(facts_of) {
  const rows =
      facts_of.flatMap((fact) => fact.sources.map((source) => ({...source, id: fact.id, name: fact.name, family: fact.family})));
  if (rows.length === 0) return [];
  return [
    element('h2', {}, 'Sources'),
    element(
        'p', {},
        'Where the catalog\'s figures for what this answer names come from: quoted from a maker, measured, or inferred.'),
    element(
        'details', {open: rows.length < 30},
        element('summary', {}, `${whole(rows.length)} sources of ${whole(facts_of.length)} entries`),
        sortable_table(
            'Sources; a head sorts.',
            [
              {head: 'entry', value: (row) => row.name}, {head: 'family', value: (row) => row.family},
              {head: 'what', wide: true, value: (row) => row.fields.join(', ')}, {head: 'kind', value: (row) => row.kind},
              {head: 'date', value: (row) => row.date ?? null, text: (row) => row.date || 'undated'}, {
                head: 'source',
                value: (row) => row.where,
                text: (row) => (
                    /^https:\/\/\S+$/.test(row.where) ? element('a', {href: row.where, rel: 'noreferrer'}, row.where) : row.where)
              }
            ],
            rows))
  ];
}
function doubts_section(warnings) {
  if (warnings.length === 0) return [];
  return [
    element('h2', {}, 'Doubts and what to check'),
    ...warnings.map(
        (w) => element(
            'details', {}, element('summary', {}, `${w.code}: ${w.title}`), element('p', {}, w.meaning),
            w.check ? element('p', {}, strong('Check: '), w.check) : null))
  ];
}

function build_page(data) {
  const main = document.getElementById('report');
  use_translations(data.messages || []);
  for (const link of document.querySelectorAll('a.skip')) link.textContent = in_language('To the answer');
  data.results.forEach((result, i) => {
    const kind = String(result.schema || '').split('/')[1];
    if (kind === 'topology' && data.results.some((other) => other.schema === 'rigplan/estimate/1')) return;
    const view = views[kind](result, data.results.filter((_, j) => j !== i));
    main.append(element(
        'section', {'data-schema': result.schema}, element(i === 0 ? 'h1' : 'h2', {}, view.title), view.nodes.filter(Boolean),
        result.query ? assumptions(result.query) : null));
    if (i === 0) document.title = in_language(view.title);
  });
  main.append(...doubts_section(data.warnings), ...sources_section(data.facts));
  main.append(
      element('h2', {}, 'The answer as data'),
      element(
          'p', {class: 'soft'},
          `Made by rigplan ${data.program}. Ranges of speeds are meant to hold 80 % of measured rows; unknown stays unknown.`),
      element(
          'details', {}, element('summary', {}, 'JSON'),
          element('pre', {class: 'scroll', tabindex: '0'}, JSON.stringify(data.results, null, 1).slice(0, 200000))));
}
build_page(JSON.parse(document.getElementById('rigplan-data').textContent));
const redraw_all = () => redraws.forEach((redraw) => redraw());
redraw_all();
for (const event of ['resize', 'beforeprint']) addEventListener(event, redraw_all);
