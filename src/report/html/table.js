// A table whose heads are buttons that sort. columns: {head, unit, value(row), text(row), number, wide}; unknown goes last.
function sortable_table(name, columns, rows) {
  const body = element('tbody');
  let sorted = {column: -1, direction: 1};
  const heads = columns.map(
      (column, i) => element(
          'th', {scope: 'col', class: column.number ? 'number' : null},
          element(
              'button', {type: 'button'}, column.head,
              column.unit ? element('span', {class: 'unit'}, ` ${column.unit}`) : null)));
  const cells = rows.map((row) => element('tr', {}, columns.map((column) => cell(column, row))));
  const order = rows.map((_, i) => i);
  const show = () => body.replaceChildren(...order.map((i) => cells[i]));
  heads.forEach((head, i) => head.firstChild.addEventListener('click', () => {
    sorted = {column: i, direction: sorted.column === i ? -sorted.direction : 1};
    heads.forEach(
        (other, j) =>
            (j === i ? other.setAttribute('aria-sort', sorted.direction > 0 ? 'ascending' : 'descending') :
                       other.removeAttribute('aria-sort')));
    const value = (index) => columns[i].value(rows[index]);
    order.sort((a, b) => compare(value(a), value(b), sorted.direction) || a - b);
    show();
  }));
  show();
  return element(
      'div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': name},
      element('table', {}, element('caption', {class: 'soft'}, name), element('thead', {}, element('tr', {}, heads)), body));
}

function compare(a, b, direction) {
  const unknown = (v) => v === null || v === undefined || v === '';
  if (unknown(a) || unknown(b)) return Number(unknown(a)) - Number(unknown(b));
  return direction *
      (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true}));
}

function cell(column, row) {
  const value = column.value(row);
  const text = column.text ? column.text(row) : null;
  const attributes = {class: [column.number ? 'number' : '', column.wide ? 'wide' : ''].join(' ').trim() || null};
  if (typeof value === 'number') attributes['data-value'] = value;
  if (text !== null) return element('td', attributes, text);
  return element(
      'td', attributes,
      column.number                             ? cell_number(value) :
          value === null || value === undefined ? 'unknown' :
                                                  String(value));
}

// A column of a field that holds a number or a range: sorted by what is likely, the range below it.
function range_column(head, unit, get) {
  return {
    head,
    unit,
    number: true,
    value: (row) => likely(get(row)) ?? null,
    text: (row) => {
      const value = get(row);
      if (value === null || value === undefined) return 'unknown';
      if (!is_range(value) || value.low === value.high) return cell_number(likely(value));
      return [number(value.likely), element('span', {class: 'range'}, `${number(value.low)}–${number(value.high)}`)];
    },
  };
}
