import { CREATE_UNNAMED } from '../../import/map/sheet-mapping.ts';
import type { DraftDocument } from '../contract/documents.ts';
import { ownCorrections } from './checked-rows.ts';
import type { Desk } from './desk.ts';
import type { StoredDraft } from './drafts.ts';

/** A draft as the page knows it. */
export function draftDocument(desk: Desk, draft: StoredDraft): DraftDocument {
  const { id, name, addedAt, origin, of, stage, run, decisions, allowDelete, reading } = draft;
  const jobs = desk.jobs.list().filter((job) => job.draft === id);
  return {
    ...{ id, addedAt, origin, of, stage, run, allowDelete },
    file: { name, bytes: desk.drafts.bytesOf(draft) },
    job: jobs.find(({ endedAt }) => endedAt === null) ?? jobs[0] ?? null,
    createUnnamed: reading.set[CREATE_UNNAMED.field] === CREATE_UNNAMED.text,
    use: reading.use,
    corrections: ownCorrections(draft).length,
    decisions: decisions.length,
  };
}
