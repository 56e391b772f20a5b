import { readSheetsIn } from '../../api/read-sheets.ts';
import type { DraftDocument } from '../contract/documents.ts';
import { FILE_USES } from '../contract/file-uses.ts';
import type { SheetsDocument } from '../contract/sheets-document.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import { draftDocument } from './draft-document.ts';
import { broughtTo } from './draft-documents.ts';
import { readingOptions } from './draft-options.ts';
import type { StoredDraft } from './drafts.ts';
import { refuseBusy, refuseSent } from './plan-draft.ts';
import { settleStages } from './run-left.ts';
import { settingNumbers } from './typed-numbers.ts';
import { receiveFile } from './uploads.ts';

type DraftRoutes = 'addFile' | 'listDrafts' | 'draft' | 'dropDraft' | 'sheets' | 'chooseReading';

/** Files on their way to the service: brought, read, and let go. */
export function draftRoutes(desk: Desk): AnsweringOf<DraftRoutes> {
  const { drafts } = desk;
  const shown = (draft: StoredDraft): { draft: DraftDocument } => ({ draft: draftDocument(desk, draft) });
  return {
    addFile: async ({ query, context }) => {
      const about = { origin: 'file', of: null } as const;
      const added = await drafts.add(query.name, about, (path) => receiveFile(context.req.raw.body, path));
      const draft = await withUse(desk, added);
      desk.events.tell('changed', { what: 'drafts', id: draft.id });
      return shown(draft);
    },
    listDrafts: async () => {
      await settleStages(desk);
      return { drafts: drafts.list().map((draft) => draftDocument(desk, draft)) };
    },
    draft: async ({ params }) => {
      await settleStages(desk);
      return shown(drafts.get(params.draft));
    },
    dropDraft: async ({ params }) => {
      await drafts.inTurn(params.draft, async (draft) => {
        refuseBusy(desk, draft);
        desk.checks.drop(draft.id);
        drafts.drop(draft.id);
      });
      desk.events.tell('changed', { what: 'drafts', id: params.draft });
      return { ok: true };
    },
    sheets: async ({ params }) => await sheetsOf(desk, drafts.get(params.draft)),
    chooseReading: async ({ params, body }) =>
      await drafts.inTurn(params.draft, async (draft) => {
        refuseBusy(desk, draft);
        await settleStages(desk);
        refuseSent(drafts.get(draft.id));
        // What can't be read so is refused before it is kept.
        const reading = settingNumbers(desk, body, 'toFile');
        const sheets = await sheetsOf(desk, { ...draft, reading });
        // What was planned is not what would be sent now.
        if (draft.run !== null) await desk.runs.replace(draft.run, '');
        drafts.change(draft.id, { reading, stage: 'read', run: null, stale: false });
        desk.checks.drop(draft.id);
        desk.events.tell('changed', { what: 'drafts', id: draft.id });
        return sheets;
      }),
  };
}

/** What a draft's sheets are taken for, as the user chose so far. */
async function sheetsOf(desk: Desk, draft: StoredDraft): Promise<SheetsDocument> {
  const { file: _, ...sheets } = await desk.inSession(undefined, (session) =>
    readSheetsIn(session, desk.drafts.fileOf(draft), { ...readingOptions(draft), byLists: true }),
  );
  const { use } = draft.reading;
  const isWhole = sheets.exact && (await isComplete(desk, draft, sheets));
  return { ...sheets, exact: isWhole, use, chosen: settingNumbers(desk, draft.reading, 'toPage') };
}

/** Whether nothing is to be said or added: no sheet waits for another use, no row for its document. */
async function isComplete(
  desk: Desk,
  draft: StoredDraft,
  { sheets }: Pick<SheetsDocument, 'sheets'>,
): Promise<boolean> {
  const { use } = draft.reading;
  if (use === 'import') return sheets.every(({ serves }) => serves === null);
  if (use !== 'documents') return true;
  const { rows } = await broughtTo(desk, draft);
  return rows.here === rows.all;
}

/** A new draft with what its file is for, as its sheets tell: those of other commands no import takes. */
async function withUse(desk: Desk, draft: StoredDraft): Promise<StoredDraft> {
  // What can't be read is told where it is asked for.
  const read = await sheetsOf(desk, draft).catch(() => null);
  const isImport = read === null || read.sheets.some(({ kind }) => kind === 'import');
  const served = isImport ? null : read.sheets.find(({ serves }) => serves !== null)?.serves;
  const use = FILE_USES.find((one) => one === served);
  return use === undefined ? draft : desk.drafts.change(draft.id, { reading: { ...draft.reading, use } });
}
