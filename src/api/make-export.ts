import { finished } from 'node:stream/promises';
import type { ExportPlace } from '../export/export-target.ts';
import { watermarkFact } from '../export/watermark.ts';
import { checkOptions } from '../options/check-options.ts';
import type { MakeExport } from '../queue/work-exports.ts';
import { exportedResources, exportIn, exportName, FINANCE, financeIn } from './export.ts';
import { resourceNamed } from './resource-named.ts';

/** Makes an export that another asked for, as the command there would have, into a stream. */
export const makeExport: MakeExport = async (session, { what, options, terminal }, stream) => {
  const place: ExportPlace = {
    // Whether it can be put there is held by who asked.
    async check() {},
    async write(file, fill) {
      await fill(stream);
      stream.end();
      await finished(stream);
      return { place: file, notes: [] };
    },
  };
  if (what.includes(FINANCE))
    return await financeIn(session, checkOptions('exportFinance', options), { place });
  const { context } = session;
  const resources = what.map((name) => resourceNamed(name, exportedResources, exportName));
  // What the marks are now: they are remembered later, and others may move them meanwhile.
  for (const resource of resources)
    await context.ledger.findFact(context.serviceKey, watermarkFact(resource));
  const { out, ...others } = checkOptions('exportRecords', options);
  if (out !== '-') return await exportIn(session, resources, { ...others, out }, { place });
  const result = await exportIn(session, resources, { ...others, stream }, { oneLine: terminal });
  stream.end();
  await finished(stream);
  return result;
};
