import { join } from 'node:path';
import { exportKindsIn, exportsNamed, sheetsNamed } from '../../api/known-kinds.ts';
import { templateDocument } from '../../api/make-documents.ts';
import { templateIn, templateOffline } from '../../api/write-template.ts';
import { type Language, onPage } from '../../core/language.ts';
import { kindWords } from '../../schema/resource.ts';
import type { JobDocument } from '../contract/documents.ts';
import type { ReadBodyOf } from '../contract/routes.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { beginExport, given, tellMade } from './make-exports.ts';
import { keepNamed, pathOfNamed } from './named-products.ts';

/** What the service holds as workbooks, and workbooks to fill in. */
export function exportRoutes(
  desk: Desk,
): AnsweringOf<'exports' | 'addNamed' | 'makeExport' | 'makeFinance' | 'makeTemplate'> {
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
      const kinds = exportsNamed(body.what);
      const name = `${nameOf(kinds, body, desk.language)}.${body.format}`;
      const title = titleOf(kinds, desk.language);
      return { job: beginExport(desk, { name, title, kind: 'export', body: { ...body, file } }) };
    },
    makeFinance: async ({ body }) => {
      const { from, to } = body;
      const name = `${desk.language === 'nl' ? 'omzet' : 'revenue'}-${from}-${to}.xlsx`;
      return { job: beginExport(desk, { name, title: `${from} – ${to}`, kind: 'finance', body }) };
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
