// estimate: the answer, plans, memory of each card, where the time goes, the drawing of the machine, the bill.
function estimate_view(result, others) {
  const plans = result.rows || [], best = plans.find((row) => row.fits), query = result.query || {},
        name = result.rig || result.build;
  const nodes = [], peers = best && best.with_peer_access;
  if (best)
    nodes.push(answer(
        [
          strong(`${name} holds ${job_words(query)}`),
          ` by ${best.plan}: about ${range(speed_of(best))} tokens a second, limited by ${best.limited_by}${
              best.weakest_link ? ` (${best.weakest_link})` : ''}.`
        ],
        peers ? `If cards can write into each other's memory: ${range(speed_of(peers))} tokens a second by ${
                    peers.plan}. Whether they can is ${result.peer_access}.` :
                null,
        `Buying it costs ${range(result.money.price_yuan)} yuan; a usable TFLOP/s costs ${
            range(result.money.yuan_per_usable_tflop)} yuan over ${number(query.horizon_months)} months. Loaded it draws ${
            number(result.power.loaded_watts)} W at the wall.`));
  else
    nodes.push(answer([strong(`${name} does not hold ${job_words(query)}. `), result.reason || '']));
  nodes.push(facts([
    ['build', result.build], ['memory in all', `${number(result.vram_gib)} GiB`],
    ['longest context that fits', result.largest_context_tokens && `${whole(result.largest_context_tokens)} tokens`],
    ['most users', result.most_users],
    [
      'power at the wall',
      `idle ${number(result.power.idle_watts)}, decoding ${number(result.power.decode_watts)}, at most ${
          number(result.power.wall_watts)} W`
    ],
    ['supplies', result.power.supplies], ['circuits', result.power.circuits]
  ]));
  nodes.push(
      element('h2', {}, 'Ways to divide the model'),
      sortable_table(
          'Plans, the best first; a head sorts.',
          [
            {
              head: 'plan',
              wide: true,
              value: (row) => row.plan,
              text: (row) => (row.fits ? row.plan : `${row.plan}: ${row.reason}`)
            },
            range_column('speed', 'tokens/s', speed_of), range_column('prompt', 'tokens/s', (row) => row.prefill_tokens_per_s),
            range_column('first token', 's', (row) => row.first_token_s),
            range_column('usable', 'TFLOP/s', (row) => row.usable_tflops), {head: 'limited by', value: (row) => row.limited_by},
            {head: 'weakest link', value: (row) => row.weakest_link ?? ''},
            range_column(
                'speed with peer access', 'tokens/s', (row) => (row.with_peer_access ? speed_of(row.with_peer_access) : null))
          ],
          plans));
  if ((result.memory || []).length > 0)
    nodes.push(
        element('h2', {}, 'Memory'),
        stacked_bars(
            'Memory of each card', 'GiB of each card, by what fills it; what stays free is grey.',
            result.memory.map((card) => ({name: `card ${card.card}`, whole: card.usable_gib, parts: card.parts_gib})), 'GiB'));
  const shares = result.time_shares || {};
  if (Object.keys(shares).length > 0)
    nodes.push(
        element('h2', {}, 'Where the time goes'),
        stacked_bars(
            'Where the time of a step goes',
            `Shares of a step under ${best ? best.plan : 'the first plan'}: ${
                Object.entries(shares).map(([n, v]) => `${n} ${percent(v)}`).join(', ')}.`,
            [{name: 'a step', whole: 1, parts: shares, tail: ' '}], ''));
  const topology = result.topology || (others.find((other) => other.schema === 'rigplan/topology/1') || {}).nodes;
  if (topology)
    nodes.push(
        element('h2', {}, 'How the cards are linked'),
        ...topology.map(
            (node) =>
                topology_drawing(`${node.count > 1 ? `${node.count} × ` : ''}${node.board}`, node, best && best.weakest_link)));
  const conditions = result.peer_conditions || [];
  if (conditions.length > 0)
    nodes.push(
        element('h3', {}, 'What peer access depends on'),
        element(
            'ul', {},
            conditions.map(
                (c) => element(
                    'li', {},
                    `${c.text}${
                        c.holds === true      ? ': holds' :
                            c.holds === false ? ': does not hold' :
                                                ': not known'}`))));
  nodes.push(
      element('h2', {}, 'The bill'), sortable_table('Parts and their prices', bill_columns, result.money.purchase || []), facts([
        ['to buy', `${range(result.money.price_yuan)} yuan`], ['energy', `${range(result.money.energy_yuan)} yuan`],
        ['upkeep', `${range(result.money.upkeep_yuan)} yuan`], ['resale', `${range(result.money.resale_yuan)} yuan`],
        ['cost over the horizon', `${range(result.money.cost_yuan)} yuan`], ['oldest price', result.money.oldest_price]
      ]));
  return {title: `${name}: ${job_words(query)}`, nodes};
}
