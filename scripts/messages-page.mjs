// Writes docs/messages.md: what is said of a cell or a row, from the catalogue of the built program.
// `messages-page.mjs FOLDER` writes it there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ISSUES } from '../dist/core/issue-catalogue.js';

const [folder = 'docs'] = process.argv.slice(2);

/** What stands for the parts of a text that differ from issue to issue. */
const PARTS = {
  en: { value: '“…”', record: 'ExternalID 90008', hint: '…', number: '1.234,50' },
  nl: { value: '„…”', record: 'ExternalID 90008', hint: '…', number: '1.234,50' },
};

/** Those that a sentence begins with. */
const ROWS = { en: 'rows 10 and 11', nl: 'rij 10 en 11' };
const HINTS = {
  'created-twice': ROWS,
  'record-twice': ROWS,
  'key-twice': ROWS,
  'counted-twice': ROWS,
  'value-twice': { en: 'row 10 says “12” and row 11 “13”', nl: 'rij 10 zegt „12” en rij 11 „13”' },
};

const said = ([code, { says, way }], language) => {
  const parts = { ...PARTS[language], hint: HINTS[code]?.[language] ?? PARTS[language].hint };
  const text = `${says[language]} ${way[language]}`.replace(/\{(\w+)\}/g, (_, part) => parts[part]);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replaceAll('|', '\\|');
};

const row = (one) => {
  const [code, { name }] = one;
  return `| \`${code}\`<br>${name.en}<br>${name.nl} | ${said(one, 'en')} | ${said(one, 'nl')} |`;
};

const table = (severity) =>
  [
    '| code | English | Nederlands |',
    '|---|---|---|',
    ...Object.entries(ISSUES)
      .filter(([, entry]) => entry.severity === severity)
      .map(row),
  ].join('\n');

const page = `# Messages

What is said of a cell or a row, by its code: in the terminal, in the column \`#message\` of the result workbook, in the
report, on the page, and as \`message\` in [JSON](json.md). The code is the same in every language; the words may change.

The value of the cell, and what is known beside it, stand where a text here has …. Where the program knows more of one
cell, such as the names that look like it, that stands in the place of the last sentence.

## What stops a row

${table('error')}

## What is read, or sent, and worth a look

These stop a row with \`--strict\` alone.

${table('warning')}
`;

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'messages.md'), page);
