import { documentOf, exclusiveFor, importIn } from '../../src/api/import-workbook.ts';
import type { ImportDocument, ImportWorkbookOptions } from '../../src/index.ts';
import { type World, withSession } from '../../src/session/open-session.ts';

/** As `importWorkbook` does, in a world of the test's own. */
export async function importAt(
  world: World,
  file: string,
  options: ImportWorkbookOptions,
): Promise<ImportDocument> {
  const work = async (session: Parameters<Parameters<typeof withSession>[2]>[0]) =>
    documentOf(session, await importIn(session, file, options), options);
  return await withSession(options, exclusiveFor(options), work, {}, world);
}
