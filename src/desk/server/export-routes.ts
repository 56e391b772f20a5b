import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exportDocument, templateDocument } from '../../api/documents.ts';
import { exportIn, financeIn } from '../../api/export.ts';
import { exportKindsIn, exportsNamed, sheetsNamed } from '../../api/known-kinds.ts';
import { templateIn, templateOffline } from '../../api/write-template.ts';
import { type Language, onPage } from '../../core/language.ts';
import { financeDocument } from '../../finance/export-finance.ts';
import { kindWords } from '../../schema/resource.ts';
import type { JobDocument } from '../contract/documents.ts';
import type { ReadBodyOf } from '../contract/routes.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import type { JobWork } from './jobs.ts';
import { keepNamed, pathOfNamed } from './named-products.ts';

/** What the service holds as workbooks, and workbooks to fill in. */
export function exportRoutes(
  desk: Desk,
): AnsweringOf<'exports' | 'addNamed' | 'makeExport' | 'makeFinance' | 'makeTemplate'> {
  const { jobs } = desk;
  return {
    exports: async () => ({
      kinds: (await desk.inSession(undefined, exportKindsIn)).map((kind) => ({
        ...kind,
        takes: [...kind.takes],
      })),
    }),
    addNamed: async ({ query, context }) => await keepNamed(desk, query.name, context.req.raw.body),
    makeExport: async ({ body }) => {
      const file = body.named === null ? null : pathOfNamed(desk, body.named);
      const { what, from, to, since, definitive, declaration, format, ids } = body;
      const kinds = exportsNamed(what);
      const name = `${nameOf(kinds, { from, to, since }, desk.language)}.${format}`;
      const job = jobs.start('export', { title: titleOf(kinds, desk.language) }, async (work) => {
        const out = join(desk.madeFolder, `${work.id}-${name}`);
        const options = {
          ...{ out, format, ids, overwrite: true },
          ...given({ from, to, since, file }),
          ...(definitive ? { definitive } : {}),
          ...(declaration ? { declaration } : {}),
        };
        const result = await desk.inSession(undefined, (session) => exportIn(session, kinds, options), work);
        await tellMade(work, out, name);
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
    makeTemplate: async ({ body }) => ({ job: beginTemplate(desk, body) }),
  };
}

/** Begins to make a workbook to fill in. */
function beginTemplate(desk: Desk, { kinds, offline, from, to }: ReadBodyOf<'makeTemplate'>): JobDocument {
  const chosen = sheetsNamed(kinds);
  const name = `${desk.language === 'nl' ? 'sjabloon' : 'template'}.xlsx`;
  const title = chosen.map(({ sheet }) => sheet).join(', ');
  return desk.jobs.start('template', { title }, async (work) => {
    const file = join(desk.madeFolder, `${work.id}-${name}`);
    const options = { out: file, overwrite: true, ...given({ from, to }) };
    const written = offline
      ? await templateOffline(chosen, options, desk.language, onPage)
      : await desk.inSession(undefined, (session) => templateIn(session, chosen, options, onPage), work);
    await tellMade(work, file, name);
    work.tell({
      answer: { kind: 'template', document: templateDocument(written, desk.language, onPage) },
    });
  });
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
