// Reads the files it is told of, as an import does, and tells what came of each: in a process of its own, which may die of it.
import { readFileSync } from 'node:fs';
import { newReading, readRows } from '../../../dist/import/map/read-rows.js';
import { recogniseSheets } from '../../../dist/import/map/recognise.js';
import { resources } from '../../../dist/resources/registry.js';
import { readWorkbook } from '../../../dist/workbook/read-workbook.js';

async function importAll(file) {
  const workbook = await readWorkbook(file);
  const recognised = await recogniseSheets(workbook, { resources, only: [], set: [] });
  let rows = 0;
  for (const { kind, sheet, mapping } of recognised) {
    if (kind !== 'import') for await (const batch of sheet.batches) rows += batch.length;
    else {
      const batches = readRows(sheet, mapping, { locale: 'nl', strict: false }, newReading());
      for await (const records of batches) rows += records.length;
    }
  }
  return rows;
}

/** Peak memory of this process, MB: the system's own figure begins with that of the process it came from. */
function peak() {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

process.on('message', async (file) => {
  const before = process.cpuUsage();
  const started = performance.now();
  let outcome;
  try {
    outcome = { rows: await importAll(file) };
  } catch (error) {
    const { name, exit, texts } = error ?? {};
    outcome =
      name === 'StopError'
        ? { exit, message: texts.message, next: texts.next }
        : { crash: String(error?.stack ?? error) };
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  process.send({
    file,
    ...outcome,
    cpuMs,
    ms: performance.now() - started,
    megabytes: peak(),
  });
});
process.send('ready');
