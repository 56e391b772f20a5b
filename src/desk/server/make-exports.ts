import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exportIn, financeIn } from '../../api/export.ts';
import { exportsNamed } from '../../api/known-kinds.ts';
import { exportDocument } from '../../api/make-documents.ts';
import { onPage } from '../../core/language.ts';
import { financeDocument } from '../../finance/export-finance.ts';
import type { Session } from '../../session/open-session.ts';
import type { JobDocument } from '../contract/documents.ts';
import type { ReadBodyOf } from '../contract/routes.ts';
import type { Desk } from './desk.ts';
import type { JobWork } from './jobs.ts';

/** An export that was asked for: what it is called, and of what it is. */
type AskedExport = { readonly name: string; readonly title: string } & (
  | { readonly kind: 'export'; readonly body: ReadBodyOf<'makeExport'> & { readonly file: string | null } }
  | { readonly kind: 'finance'; readonly body: ReadBodyOf<'makeFinance'> }
);

/** Begins to make an export. */
export const beginExport = (desk: Desk, asked: AskedExport): JobDocument =>
  desk.jobs.start(asked.kind, { title: asked.title }, async (work) => {
    const out = join(desk.madeFolder, `${work.id}-${asked.name}`);
    await desk.inSession(undefined, (session) => made(desk, session, { asked, out }, work), work);
  });

async function made(
  { language }: Desk,
  session: Session,
  { asked, out }: { readonly asked: AskedExport; readonly out: string },
  work: JobWork,
) {
  if (asked.kind === 'finance') {
    const result = await financeIn(session, { ...asked.body, out, overwrite: true });
    await tellMade(work, out, asked.name);
    work.tell({ answer: { kind: 'finance', document: financeDocument(result, language, onPage) } });
    return;
  }
  const { what, from, to, since, file, definitive, declaration, format, ids } = asked.body;
  const options = {
    ...{ out, format, ids, overwrite: true },
    ...given({ from, to, since, file }),
    ...(definitive ? { definitive } : {}),
    ...(declaration ? { declaration } : {}),
  };
  const result = await exportIn(session, exportsNamed(what), options);
  await tellMade(work, out, asked.name);
  work.tell({ answer: { kind: 'export', document: exportDocument(result, language, onPage) } });
}

/** Those of the options that are given. */
export function given<T extends Record<string, string | null>>(options: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: string;
  };
}

/** Tells of the file that a job made. */
export async function tellMade(work: JobWork, path: string, name: string): Promise<void> {
  const { size } = await stat(path);
  work.made({ name: basename(name), path, bytes: size });
}
