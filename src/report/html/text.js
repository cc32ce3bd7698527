// Texts in the language of the page. Where it is not English the data holds translations: of whole texts, and of texts with figures and
// names filled in, "{}" for each, which are read as rigplan/text/catalog.h says. What is not known stays as it is.
const translations = {whole: new Map(), patterns: []};

function cut_at_placeholders(text) {
  const literals = [''], slots = [];
  text.split(/(\{\d*(?::[^{}]*)?\})/).forEach((part, i) => {
    if (i % 2 === 0) {
      literals[literals.length - 1] += part;
      return;
    }
    const index = /^\{(\d+)/.exec(part);
    slots.push(index ? Number(index[1]) : slots.length);
    literals.push('');
  });
  return {literals, slots};
}

function use_translations(pairs) {
  for (const [english, other] of pairs) {
    translations.whole.set(english, other);
    const pattern = cut_at_placeholders(english), letters = pattern.literals.join('').replaceAll(' ', '').length;
    if (pattern.slots.length > 0 && letters > 1)
      translations.patterns.push({letters, english: pattern, other: cut_at_placeholders(other)});
  }
  translations.patterns.sort((a, b) => b.letters - a.letters);
}

// The values that make the text out of a pattern, by slot; null when there are none.
function values_in(text, {letters, english: {literals, slots}}) {
  const few_letters = 4, last = literals[slots.length];
  if (!text.startsWith(literals[0])) return null;
  const values = [];
  let at = literals[0].length;
  for (let i = 0; i < slots.length; ++i) {
    const end = i + 1 < slots.length ? text.indexOf(literals[i + 1], at) : text.length - last.length;
    if (end < at || (i + 1 === slots.length && !text.endsWith(last))) return null;
    const value = text.slice(at, end);
    if (letters < few_letters && /[A-Za-z]/.test(value) && value.includes(' ')) return null;
    const in_parentheses = literals[i].endsWith('(') && literals[i + 1].startsWith(')');
    if (!in_parentheses && (value.includes('; ') || value.split('(').length !== value.split(')').length)) return null;
    if (i === 0 && literals[0] === '' && (/[:,] /.test(value) || (literals[1] === ' ' && value.includes(' ')))) return null;
    if (i === 1 && literals[0] === '' && literals[1] === ' ' && value.includes(' ')) return null;
    values.push(value);
    at = end + literals[i + 1].length;
  }
  return values;
}

function read_text(text, depth) {
  if (translations.whole.has(text)) return translations.whole.get(text);
  if (depth > 4 || !/[A-Za-z]{2}/.test(text)) return text;
  for (const pattern of translations.patterns) {
    const values = values_in(text, pattern);
    if (values === null) continue;
    const of_slot = (slot) => read_text(values[pattern.english.slots.indexOf(slot)] ?? '', depth + 1);
    return pattern.other.literals.map((literal, i) => literal + (i < pattern.other.slots.length ? of_slot(pattern.other.slots[i]) : '')).join('');
  }
  const spaced = /^( *)(.*?)( *)$/s.exec(text);
  if (spaced[1] + spaced[3] !== '') return spaced[1] + read_text(spaced[2], depth + 1) + spaced[3];
  if (text.endsWith('.')) {
    const sentence = text.slice(0, -1), read = read_text(sentence, depth + 1);
    return read === sentence ? text : read + '。';
  }
  for (const [mark, other_mark] of [['; ', '；'], [': ', '：'], [', ', '，']]) {
    if (!text.includes(mark)) continue;
    const clauses = text.split(mark), read = clauses.map((clause) => read_text(clause, depth + 1));
    return read.some((clause, i) => clause !== clauses[i]) ? read.join(other_mark) : text;
  }
  return text;
}
// A text of which nobody could tell where its values end: they are filled in here.
const filled = (english, ...values) => {
  const {literals, slots} = cut_at_placeholders(translations.whole.get(english) ?? english);
  return literals.map((literal, i) => literal + (i < slots.length ? in_language(String(values[slots[i]])) : '')).join('');
};
const in_language = (text) => (translations.whole.size > 0 && typeof text === 'string' ? read_text(text, 0) : text);
