// The question of an answer in words, with every assumption that was filled in.
function job_words(query) {
  if (!query || !query.model) return '';
  const users = query.users === 1 ? 'one user' : `${whole(query.users)} users`;
  if (query.method && query.method !== 'inference') return `${query.method} of ${query.model}`;
  return `${query.model} ${query.quant || ''} with ${whole(query.context_tokens)} tokens of context for ${users}`;
}
const speed_of = (row) =>
    (likely(row.training_tokens_per_s) !== null && row.training_tokens_per_s !== undefined ? row.training_tokens_per_s :
                                                                                             row.decode_tokens_per_s);
const doubts_of = (row) => (row.warnings || []).map((w) => (typeof w === 'string' ? w : w.code).replace(/^W_/, '')).join(' ');

const field_words = (name) => name.replaceAll('_', ' ').replace(/ per /g, '/').replace(/ yuan$/, ', yuan');
function assumptions(query) {
  // A job inside a question is part of it; what both state, the question states last.
  const shown = Object.entries({...((query || {}).job || {}), ...query})
                    .filter(([, v]) => v !== null && v !== '' && !(Array.isArray(v) && v.length === 0) && typeof v !== 'object');
  return [
    element('h2', {}, 'The question, with every assumption'),
    facts(shown.map(
        ([name, v]) =>
            [field_words(name),
             typeof v === 'number' ? (Number.isInteger(v) ? whole(v) : number(v)) :
                 v === true        ? 'yes' :
                 v === false       ? 'no' :
                                     v]))
  ];
}

function answer(...paragraphs) {
  return element('div', {class: 'answer'}, paragraphs.filter(Boolean).map((text) => element('p', {}, text)));
}
const strong = (text) => element('strong', {}, text);

// A bill line, where prices come from and how old they are.
const bill_columns = [
  {head: 'part', wide: true, value: (row) => row.name || row.item || row.kind},
  {head: 'count', number: true, value: (row) => row.count},
  range_column('total', 'yuan', (row) => row.total_yuan),
  {head: 'condition', value: (row) => row.condition},
  {
    head: 'price seen',
    value: (row) => (row.stated ? 'as stated' : row.newest),
    text: (row) =>
        (row.stated ? 'as stated' :
                      `${row.newest || 'undated'}${row.assumed ? ', assumed' : ''}${row.stale || row.old ? ', old' : ''}`)
  },
];
