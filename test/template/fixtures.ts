import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Language } from '../../src/core/language.ts';
import { resources } from '../../src/resources/registry.ts';
import type { Context } from '../../src/run/context.ts';
import type { Dialect } from '../../src/schema/dialect.ts';
import type { Resource } from '../../src/schema/resource.ts';
import { openSession } from '../../src/session/open-session.ts';
import type { ChoiceList } from '../../src/template/columns.ts';
import { fillTemplate, readLists } from '../../src/template/write-template-file.ts';
import { writeBook } from '../../src/xlsx/write/write-book.ts';
import { openTestService } from '../helpers/test-service.ts';

/** The sandbox's numbers of the lists for which the interface gives none. */
export const DROPDOWNS: Dialect['dropdowns'] = {
  producteenheid: 20,
  bewaaradvies: 30,
  bewaaradviesdagen: 31,
  btwmodus: 40,
  bron: 41,
  eventtype: 42,
  behuizingstype: 43,
};

/** What a template's tests work with: a service, and a program of one's own beside it. */
export interface TemplateService {
  readonly folder: string;
  readonly url: string;
  readonly token: string;
  readonly context: Context;
}

/** Starts a sandbox and opens it, for one test. */
export async function openTemplateService(
  dialect: Partial<Dialect> = { dropdowns: DROPDOWNS },
): Promise<TemplateService> {
  const { folder, url, token } = await openTestService();
  const own = { ledger: `${folder}/ledger.db`, log: `${folder}/log.txt` };
  const session = await openSession({ baseUrl: url, token, dialect, ...own });
  onTestFinished(() => session.close());
  return { folder, url, token, context: session.context };
}

/** When the tests' templates are made. */
export const MADE = new Date('2027-01-01T00:00:00Z');

/** A template as bytes, of all sheets unless some are chosen. */
export async function template(
  language: Language,
  lists: readonly ChoiceList[] = [],
  chosen: readonly Resource[] = resources,
): Promise<Buffer> {
  const stream = new PassThrough();
  const bytes = buffer(stream);
  await writeBook(stream, join(tmpdir(), 'sjabloon.xlsx'), { made: MADE, language }, async (book) => {
    await fillTemplate(book, { chosen, resources, lists, language });
  });
  stream.end();
  return await bytes;
}

/** The lists of the service, as a template takes them. */
export async function listsOf({ context }: TemplateService): Promise<readonly ChoiceList[]> {
  return (await readLists(context, resources, 'nl')).lists;
}
