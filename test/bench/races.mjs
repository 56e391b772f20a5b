// Every race: who runs, against what, at which sizes. A size is a text whose numbers are what the race makes of it.
import { join } from 'node:path';
import { makeFilled } from './make-filled.mjs';
import { makeCsv, makeWorkbook } from './make-workbooks.mjs';

const HERE = import.meta.dirname;
const PROGRAM = join(HERE, '../../dist/catersheet.js');
const OURS = '**catersheet**';

/** A command of ours on the file of the race. */
const importing =
  (...flags) =>
  ({ file, folder }) => [PROGRAM, 'import', file, '--out', join(folder, 'result.xlsx'), ...flags];

/** A service that costs little, and answers after as many ms. */
const lean = (latency = 0) => [join(HERE, 'lean-service.mjs'), String(latency)];

/** Packages in 20 columns, some of them the user's own. */
const wide = (folder, [rows], doubtful = false) => makeFilled(folder, rows, true, { own: true, doubtful });

/**
 * `time`: `told` is what a contestant measures of its work alone, `whole` that of its process, `writes` from the first
 * write at the service to the last. `file` makes what is read, `service` is the script that runs beside it. `base` is whom
 * the others are divided by, `says` what that means for each contestant that has a mark. `warm`: each runs once before,
 * unmeasured; `fresh`: what one keeps of what it compiled is gone before it runs again. `steady`: those whose memory at
 * the last size is held against the first. `each`: how many writes there are, `allowed`: how many a second latency and
 * requests in flight allow.
 */
export const RACES = [
  {
    name: 'reading',
    time: 'told',
    file: (folder, [rows, columns]) => makeWorkbook(folder, rows, columns),
    sizes: { quick: ['50000 x 20'], full: ['100000 x 20'], large: ['1000000 x 10'] },
    base: 'inflating alone',
    contestants: {
      'inflating alone': { way: 'reading.inflating' },
      [OURS]: { way: 'reading.ours', says: 'reading a workbook, in times of inflating it alone' },
      'hucre, streaming': { way: 'reading.hucreStream' },
      hucre: { way: 'reading.hucre' },
      'read-excel-file': { way: 'reading.readExcelFile' },
      'exceljs, streaming': { way: 'reading.exceljsStream' },
      exceljs: { way: 'reading.exceljs' },
      'SheetJS (xlsx)': { way: 'reading.sheetjs' },
    },
  },
  {
    name: 'csv',
    time: 'told',
    file: (folder, [rows, columns]) => makeCsv(folder, rows, columns),
    sizes: { quick: ['100000 x 10'], full: ['1000000 x 10'], large: [] },
    base: 'papaparse, streaming',
    contestants: {
      'papaparse, streaming': { way: 'reading.papaparse' },
      [OURS]: {
        way: 'reading.ours',
        says: 'reading a CSV, encoding and separator found, in times of papaparse',
      },
      'csv-parse, streaming': { way: 'reading.csvParse' },
    },
  },
  {
    name: 'writing',
    time: 'told',
    sizes: { quick: ['20000 x 20'], full: ['100000 x 20'], large: ['1000000 x 10'] },
    base: 'hucre, streaming',
    contestants: {
      'hucre, streaming': { way: 'writing.hucreStream' },
      [OURS]: {
        way: 'writing.ours',
        says: 'writing a new workbook, in times of the fastest library that streams',
      },
      'exceljs, streaming': { way: 'writing.exceljsStream' },
    },
  },
  {
    name: 'result',
    time: 'told',
    file: (folder, [rows, columns]) => makeWorkbook(folder, rows, columns),
    sizes: { quick: ['50000 x 20'], full: ['100000 x 20'], large: ['1000000 x 10'] },
    base: 'reading the same file',
    contestants: {
      'reading the same file': { way: 'writing.readingBack' },
      [OURS]: {
        way: 'writing.givingBack',
        says: 'giving a workbook back with outcomes, in times of reading it',
      },
      'exceljs, loading and saving': { way: 'writing.exceljsBack' },
    },
  },
  {
    name: 'planning',
    time: 'told',
    file: (folder, [rows]) => makeFilled(folder, rows),
    service: () => lean(),
    sizes: { quick: ['20000 packages'], full: ['100000 packages'], large: ['1000000 packages'] },
    base: 'reading the same file',
    contestants: {
      'reading the same file': { way: 'service.reading' },
      [OURS]: {
        way: 'service.planning',
        says: 'reading, checking and planning packages, in times of reading',
      },
    },
  },
  {
    name: 'dry-run',
    time: 'whole',
    file: wide,
    service: () => lean(),
    sizes: {
      quick: ['5000 x 20', '20000 x 20'],
      full: ['25000 x 20', '100000 x 20'],
      large: ['1000000 x 20'],
    },
    base: 'reading the same file',
    steady: ['`import --dry-run`'],
    contestants: {
      'reading the same file': { way: 'service.reading' },
      '`import --dry-run`': {
        command: importing('--dry-run'),
        says: 'a whole dry run of packages, in times of a program that reads the file',
      },
      'the same, a warning on every row': {
        file: (folder, numbers) => wide(folder, numbers, true),
        command: importing('--dry-run'),
        says: 'a whole dry run with a warning on every row, in times of a program that reads the file',
      },
      'that with `--json`, which tells every row': {
        file: (folder, numbers) => wide(folder, numbers, true),
        command: importing('--dry-run', '--json'),
        says: 'a whole dry run with a warning on every row and all of it in JSON, in times of reading the file',
      },
    },
  },
  {
    name: 'sending',
    time: 'writes',
    each: ([rows]) => 2 * rows,
    allowed: ([, latency, inFlight]) => (1000 * inFlight) / latency,
    file: (folder, [rows]) => makeFilled(folder, rows),
    service: ([, latency]) => lean(latency),
    sizes: {
      quick: ['1500 rows, 0 ms, 16 in flight', '500 rows, 40 ms, 16 in flight'],
      full: [
        '6000 rows, 0 ms, 16 in flight',
        ...['500 rows, 40 ms, 8 in flight', '1000 rows, 40 ms, 16 in flight'],
        ...['4000 rows, 40 ms, 64 in flight', '10000 rows, 40 ms, 256 in flight'],
      ],
      large: ['100000 rows, 0 ms, 16 in flight'],
    },
    base: 'undici alone',
    contestants: {
      'undici alone': {
        command: ({ url, numbers: [rows, , inFlight] }) => [
          ...[join(HERE, 'bare-client.mjs'), url, String(rows), String(inFlight)],
        ],
      },
      [OURS]: {
        command: (place) => importing('--yes', '--concurrency', String(place.numbers[2]))(place),
        says: 'sending new packages, first write to last, in times of undici alone',
      },
    },
  },
  {
    name: 'export',
    time: 'told',
    service: ([records]) => [join(HERE, 'full-service.mjs'), String(records)],
    sizes: { quick: ['10000 packages'], full: ['100000 packages'], large: [] },
    base: 'fetching the pages',
    contestants: {
      'fetching the pages': { way: 'service.fetching' },
      [OURS]: { way: 'service.exporting', says: 'exporting packages, in times of fetching their pages' },
    },
  },
  {
    name: 'starting',
    time: 'whole',
    /** Telling it would take a part of so short a time. */
    memory: false,
    warm: true,
    file: (folder, [rows]) => makeFilled(folder, rows),
    service: () => lean(),
    sizes: { quick: ['10 rows'], full: ['10 rows'], large: [] },
    base: '`node -e 0`',
    contestants: {
      '`node -e 0`': { command: () => ['-e', '0'] },
      '`catersheet --version`': {
        command: () => [PROGRAM, '--version'],
        says: 'starting the program, in times of starting Node',
      },
      '`catersheet import`, at a running service': {
        command: importing('--yes'),
        says: 'importing ten rows at a running service, in times of starting Node',
      },
      'the same, the first time on a machine': { command: importing('--yes'), fresh: true },
    },
  },
];

/** The numbers of a size. */
export const numbersOf = (size) => (size.match(/\d+/g) ?? []).map(Number);
