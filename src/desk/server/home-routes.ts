import { createRequire } from 'node:module';
import { sheetKinds } from '../../api/known-kinds.ts';
import { profileNames } from '../../api/profile-names.ts';
import type { DeskRun } from '../contract/documents.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { draftDocument } from './draft-document.ts';
import { runDocuments } from './run-document.ts';
import { serviceDocument } from './service-document.ts';

/** Runs on the first page. */
const NEWEST = 8;

const { version } = createRequire(import.meta.url)('catersheet/package.json') as { version: string };

/** What was sent, or begun: a plan alone is no run to look back at. */
const newest = (runs: readonly DeskRun[]): DeskRun[] =>
  runs.filter(({ state }) => state !== 'planned' && state !== 'planning').slice(0, NEWEST);

/** The first page, and what holds for all of them. */
export function homeRoutes(desk: Desk): AnsweringOf<'home' | 'chooseLanguage'> {
  return {
    home: async () => ({
      language: desk.language,
      version,
      service: serviceDocument(desk),
      profiles: [...profileNames()],
      drafts: desk.drafts
        .list()
        .filter(({ stage }) => stage !== 'sent')
        .map((draft) => draftDocument(desk, draft)),
      runs: newest(await runDocuments(desk)),
      templates: [...sheetKinds(desk.language)],
    }),
    chooseLanguage: async ({ body }) => {
      desk.speak(body.language);
      return { ok: true };
    },
  };
}
