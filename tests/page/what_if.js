// Holds the WebAssembly of a page against what the command line ranked: what_if.js <core.js> <core.wasm> <ranking.json>
// <cases.json>
const fs = require('fs');
const [core_file, wasm_file, ranking_file, cases_file] = process.argv.slice(2);
const read = (file) => fs.readFileSync(file, 'utf8');
const near = (a, b) => a === b || (a !== null && b !== null && Math.abs(a - b) <= 1e-9 * Math.abs(b));
require(core_file)({wasmBinary: fs.readFileSync(wasm_file)}).then((core) => {
  const ask = (name, text) => JSON.parse(core.ccall(name, 'string', ['string'], [text]));
  const fail = (what) => {
    console.error(`FAILED: ${what}`);
    process.exit(1);
  };
  const bad = ask('what_if_rank', '{}');
  if (!bad.error) fail('a change of nothing is answered');
  if (!ask('what_if_open', '{"schema": "rigplan/rank/1"}').error) fail('a ranking without a question is taken');
  const opened = ask('what_if_open', read(ranking_file));
  if (opened.error) fail(opened.error);
  const cases = JSON.parse(read(cases_file)), times = [];
  let compared = 0, first_moved = 0;
  cases.forEach(({change, rows}, i) => {
    const begun = process.cpuUsage();
    const answer = ask('what_if_rank', JSON.stringify(change));
    const used = process.cpuUsage(begun);
    times.push((used.user + used.system) / 1000);
    if (answer.error) fail(`${JSON.stringify(change)}: ${answer.error}`);
    const good = answer.rows.filter((one) => one.fits), expected = rows.filter((row) => row.fits);
    const order = (list) => list.map((one) => one.row).join(' ');
    if (order(good) !== order(expected)) fail(`${JSON.stringify(change)}: ${order(good)} instead of ${order(expected)}`);
    good.forEach((one, at) => {
      for (const key of ['price_yuan', 'tokens_per_s', 'yuan_per_usable_tflop'])
        if (!near(one[key], expected[at][key]))
          fail(`${JSON.stringify(change)}: ${key} ${one[key]} instead of ${expected[at][key]}`);
      compared += 3;
    });
    first_moved += good.length > 0 && good[0].row !== 0;
  });
  if (compared < 20 * cases.length) fail(`only ${compared} figures were compared`);
  if (first_moved === 0) fail('no setting moves the first place');
  // A browser's compiler needs some runs; what counts is a reader who moves a slider. Processor time, so that other work does
  // not.
  const later = times.slice(Math.floor(times.length / 2)).sort((a, b) => a - b), median = later[Math.floor(later.length / 2)];
  console.log(`${cases.length} settings, ${compared} figures, another build first in ${first_moved}; ${
      median.toFixed(1)} ms each, at most ${later[later.length - 1].toFixed(1)}`);
  if (median > 50) fail(`ranking anew takes ${median} ms`);
});
