import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exportDocument, templateDocument } from '../../api/documents.ts';
import { exportIn, financeIn } from '../../api/export.ts';
import { exportKindsIn, exportsNamed, sheetsNamed } from '../../api/known-kinds.ts';
import { templateIn, templateOffline } from '../../api/write-template.ts';
import { type Language, onPage } from '../../core/language.ts';
import { financeDocument } from '../../finance/export-finance.ts';
import { kindWords } from '../../schema/resource.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import type { JobWork } from './jobs.ts';

/** What the service holds as workbooks, and workbooks to fill in. */
export function exportRoutes(
  desk: Desk,
): AnsweringOf<'exports' | 'makeExport' | 'makeFinance' | 'makeTemplate'> {
  const { jobs } = desk;
  return {
    exports: async () => ({
      kinds: (await desk.inSession(undefined, exportKindsIn)).map((kind) => ({
        ...kind,
        takes: [...kind.takes],
      })),
    }),
    makeExport: async ({ body }) => {
      const { what, from, to, since, definitive, declaration, format, ids } = body;
      const kinds = exportsNamed(what);
      const name = `${nameOf(kinds, { from, to, since }, desk.language)}.${format}`;
      const job = jobs.start('export', { title: titleOf(kinds, desk.language) }, async (work) => {
        const file = join(desk.madeFolder, `${work.id}-${name}`);
        const options = {
          ...{ out: file, format, ids, overwrite: true },
          ...given({ from, to, since }),
          ...(definitive ? { definitive } : {}),
          ...(declaration ? { declaration } : {}),
        };
        const result = await desk.inSession(undefined, (session) => exportIn(session, kinds, options), work);
        await tellMade(work, file, name);
        work.tell({ answer: { kind: 'export', document: exportDocument(result, desk.language, onPage) } });
      });
      return { job };
    },
    makeFinance: async ({ body }) => {
      const { from, to, all } = body;
      const name = `${desk.language === 'nl' ? 'omzet' : 'revenue'}-${from}-${to}.xlsx`;
      const job = jobs.start('finance', { title: `${from} – ${to}` }, async (work) => {
        const file = join(desk.madeFolder, `${work.id}-${name}`);
        const options = { from, to, all, out: file, overwrite: true };
        const result = await desk.inSession(undefined, (session) => financeIn(session, options), work);
        await tellMade(work, file, name);
        work.tell({ answer: { kind: 'finance', document: financeDocument(result, desk.language, onPage) } });
      });
      return { job };
    },
    makeTemplate: async ({ body }) => {
      const { kinds, offline, from, to } = body;
      const chosen = sheetsNamed(kinds);
      const name = `${desk.language === 'nl' ? 'sjabloon' : 'template'}.xlsx`;
      const title = chosen.map(({ sheet }) => sheet).join(', ');
      const job = jobs.start('template', { title }, async (work) => {
        const file = join(desk.madeFolder, `${work.id}-${name}`);
        const options = { out: file, overwrite: true, ...given({ from, to }) };
        const written = offline
          ? await templateOffline(chosen, options, desk.language)
          : await desk.inSession(undefined, (session) => templateIn(session, chosen, options), work);
        await tellMade(work, file, name);
        const document = templateDocument(written, desk.language, onPage);
        work.tell({ answer: { kind: 'template', document } });
      });
      return { job };
    },
  };
}

/** What an export is called: its kinds in words. */
const titleOf = (kinds: ReturnType<typeof exportsNamed>, language: Language): string =>
  kinds.map((kind) => kindWords(kind)[language]).join(', ');

/** The name of a file of what was chosen, in the words of the page. */
function nameOf(
  kinds: ReturnType<typeof exportsNamed>,
  { from, to, since }: Readonly<Record<'from' | 'to' | 'since', string | null>>,
  language: Language,
): string {
  const what = kinds.map(({ name, sheet }) => (language === 'nl' ? sheet.toLowerCase() : name));
  const period = from === null || to === null ? [] : [from, to];
  const word = language === 'nl' ? 'sinds' : 'since';
  const after = since === null ? [] : [word, since.replace(/[^\w-]+/g, '-')];
  return [what.length > 3 ? 'export' : what.join('-'), ...period, ...after].join('-');
}

/** Those of the options that are given. */
function given<T extends Record<string, string | null>>(options: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: string;
  };
}

async function tellMade(work: JobWork, path: string, name: string): Promise<void> {
  const { size } = await stat(path);
  work.made({ name: basename(name), path, bytes: size });
}
