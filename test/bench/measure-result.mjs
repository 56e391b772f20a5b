// One way of giving a workbook back, in a process of its own: prints its time and peak memory as JSON.
//   node measure-result.mjs read|rewrite|exceljs FILE TARGET
import { readWorkbook } from '../../dist/workbook/read-workbook.js';
import { writeResult } from '../../dist/workbook/write-result.js';

const [what, file, target] = process.argv.slice(2);
const HEADERS = ['#status', '#id', '#message', '#changes', '#at'];

const ways = { read, rewrite, exceljs };
const start = performance.now();
await ways[what]();
console.log(
  JSON.stringify({ ms: performance.now() - start, megabytes: process.resourceUsage().maxRSS / 1024 }),
);

async function read() {
  for (const sheet of await readWorkbook(file)) for await (const _ of sheet.batches);
}

/** Every row with a status, an id and a time, one of ten with a message; the rows are known, as an import has read them. */
async function rewrite() {
  const [sheet] = (await readWorkbook(file)).sheets;
  const [rows, columns] = /(\d+)x(\d+)/.exec(file).slice(1).map(Number);
  async function* outcomes() {
    for (let row = 2; row <= rows; row++) {
      const message = row % 10 === 0 ? 'D2 Verkoopprijs: gevonden "1.234", gelezen als 1234' : null;
      const cells = ['updated', row, message, 'Verkoopprijs: 34,50 → 36', '2027-03-31 07:45:12'];
      yield { row, cells, tone: message === null ? 'good' : 'warn' };
    }
  }
  const added = { firstColumn: columns + 1, headers: HEADERS };
  const imported = { name: sheet.name, hidden: false, headerRow: 1, added, outcomes: outcomes(), rows: [] };
  await writeResult(target, [imported], { source: file });
}

/** The same file loaded and saved by exceljs, with nothing added. */
async function exceljs() {
  const { default: library } = await import('exceljs');
  const book = new library.Workbook();
  await book.xlsx.readFile(file);
  await book.xlsx.writeFile(target);
}
