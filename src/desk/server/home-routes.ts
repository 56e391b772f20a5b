import { createRequire } from 'node:module';
import { sheetKinds } from '../../api/known-kinds.ts';
import { profileNames } from '../../api/profile-names.ts';
import type { DeskRun } from '../contract/documents.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { draftDocument } from './draft-document.ts';
import { runDocument, runDocuments } from './run-document.ts';
import { settleStages } from './run-left.ts';
import { serviceDocument } from './service-document.ts';

/** Runs on the first page. */
const NEWEST = 8;

const { version } = createRequire(import.meta.url)('catersheet/package.json') as { version: string };

/** What was sent, or begun, and what is about to be: a plan alone is no run to look back at. */
async function newest(desk: Desk): Promise<DeskRun[]> {
  const sent = await runDocuments(desk, { what: 'sent', offset: 0, limit: NEWEST });
  const known = new Set(sent.map(({ run }) => run));
  const begun = desk.jobs.list().filter(({ endedAt, kind }) => endedAt === null && kind === 'send');
  // What waits for workers too, also where somebody else handed it over.
  const theirs = [...((await (await desk.runs.queued())?.list()) ?? new Map()).keys()];
  const coming = new Set([...begun.flatMap(({ run }) => run ?? []), ...theirs]);
  const names = [...coming].filter((run) => !known.has(run)).slice(0, NEWEST);
  // One that the ledger does not know any more is no run to show.
  const found = await Promise.all(names.map((run) => runDocument(desk, run).catch(() => [])));
  return [...found.flat(), ...sent].slice(0, NEWEST);
}

/** The first page, and what holds for all of them. */
export function homeRoutes(desk: Desk): AnsweringOf<'home' | 'chooseLanguage'> {
  return {
    home: async () => {
      await settleStages(desk);
      return {
        language: desk.language,
        version,
        service: serviceDocument(desk),
        profiles: [...profileNames()],
        workers: desk.workers,
        drafts: desk.drafts
          .list()
          .filter(({ stage }) => stage !== 'sent')
          .map((draft) => draftDocument(desk, draft)),
        runs: await newest(desk),
        templates: [...sheetKinds(desk.language)],
      };
    },
    chooseLanguage: async ({ body }) => {
      desk.speak(body.language);
      return { ok: true };
    },
  };
}
