import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { t } from '../../core/language.ts';
import { withEnding } from '../../files/file-name.ts';
import { zipOf } from '../../files/zip-files.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';
import {
  bringDocument,
  broughtTo,
  dropDocument,
  filesBeside,
  pathBeside,
  refuseOtherUse,
} from './draft-documents.ts';
import type { StoredDraft } from './drafts.ts';
import { fileResponse, toSave } from './file-response.ts';
import { refuseBusy, refuseSent } from './plan-draft.ts';
import { NotFound } from './refusal.ts';

type BesideRoutes = 'documents' | 'addDocument' | 'dropDocument' | 'invoices' | 'invoicesZip' | 'invoice';

/** Files that go with a draft: documents to upload, and invoices that were fetched. */
export function draftBesideRoutes(desk: Desk): AnsweringOf<BesideRoutes> {
  const { drafts } = desk;
  /** Changes the documents of a draft, whose plan is then made anew before anything is sent. */
  const changing = async (id: string, work: (draft: StoredDraft) => void): Promise<StoredDraft> => {
    const changed = await drafts.inTurn(id, (draft) => {
      refuse(desk, draft);
      work(draft);
      return draft.run === null ? draft : drafts.change(id, { stale: true });
    });
    desk.events.tell('changed', { what: 'drafts', id });
    return changed;
  };
  return {
    documents: async ({ params }) => {
      const draft = drafts.get(params.draft);
      refuseOtherUse(draft);
      return await broughtTo(desk, draft);
    },
    addDocument: async ({ params, query, context }) => {
      const draft = drafts.get(params.draft);
      refuse(desk, draft);
      const given = { name: query.name, body: context.req.raw.body };
      await bringDocument(desk, draft, given, async (put) => void (await changing(draft.id, put)));
      return { ok: true };
    },
    dropDocument: async ({ params }) => {
      await changing(params.draft, (draft) => dropDocument(desk, draft, params.document));
      return { ok: true };
    },
    invoices: async ({ params }) => {
      const files = filesBeside(desk, drafts.get(params.draft), 'invoices');
      return { files, bytes: files.reduce((sum, one) => sum + one.bytes, 0) };
    },
    invoice: async ({ params }) => {
      const path = pathBeside(desk, drafts.get(params.draft), 'invoices', params.invoice);
      return await fileResponse(path, basename(path));
    },
    invoicesZip: async ({ params }) => {
      const draft = drafts.get(params.draft);
      const files = filesBeside(desk, draft, 'invoices');
      if (files.length === 0) throw new NotFound(t('invoice', 'factuur'));
      const zip = zipOf(files.map(({ name }) => ({ name, path: pathBeside(desk, draft, 'invoices', name) })));
      return toSave(Readable.toWeb(zip) as ReadableStream, withEnding(draft.name, '.zip'));
    },
  };
}

function refuse(desk: Desk, draft: StoredDraft): void {
  refuseOtherUse(draft);
  refuseBusy(desk, draft);
  refuseSent(draft);
}
