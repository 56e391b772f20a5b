import { t } from '../../core/language.ts';
import { checkFolder } from '../../files/folders.ts';
import { askedOnce } from '../../records/asked-once.ts';
import { nullIfMissing } from '../../records/existing-record.ts';
import type { MappedRow } from '../../records/mapped-row.ts';
import { NOTHING_READ, type PlannerSetup, type RowPlanner } from '../../records/planning.ts';
import type { RowDecision } from '../../records/row-decision.ts';
import { doubtfulText, neverSent } from '../../records/sent-before.ts';
import type { DocumentResource } from '../../schema/resource.ts';
import {
  checkAsked,
  createEventOf,
  createSameRows,
  planCommandRows,
  refuseCell,
  type SameRows,
} from '../command-rows.ts';
import type { Kind } from '../kind.ts';
import { climbs, contentHash, locateFile, nameDocument } from './document-file.ts';
import { CALLED, documentGuard, uploadedText } from './document-guard.ts';

/** Files that go to events: each once to each folder, ever, as the ledger has it. */
export const document: Kind<DocumentResource> = {
  plan(context, resource) {
    const { service } = context;
    // Asked once for each event: an upload to a wrong one can't be undone.
    const isThere = askedOnce(async (ID: number): Promise<boolean> => {
      const found = await nullIfMissing(() => service.send(resource.requests.find, { params: { ID } }));
      return found !== null;
    });
    const shared = { same: createSameRows(), isThere };
    return {
      openSheet: (setup) => openDocumentPlanner(setup, resource, shared),
      summary: () => NOTHING_READ,
    };
  },
  guard: documentGuard,
};

type Row = MappedRow<DocumentResource>;

/** What a row would upload, and under which name. */
interface Found {
  readonly event: number;
  readonly path: string;
  /** What the file is called. */
  readonly called: string;
  readonly name: string;
}

/** Plans uploads: each file is read for what is in it, and goes once, as the ledger has it. */
function openDocumentPlanner(
  { context, references, rules }: PlannerSetup,
  resource: DocumentResource,
  { same, isThere }: { readonly same: SameRows; readonly isThere: (event: number) => Promise<boolean> },
): RowPlanner {
  const eventOf = createEventOf(references);
  const folder = rules.folder ?? '.';
  let checked = false;
  const look = async (row: Row): Promise<Found | null> => {
    if (!checked) checkFolder(folder, '--from');
    checked = true;
    if (!checkAsked(row, resource.event)) return null;
    const event = await eventOf(row);
    const file = await fileOf(row, folder);
    const place = folderOf(row);
    if (event === null || file === null || place === null) return null;
    if (!(await isThere(event))) return refuseCell(row, resource.event, 'record-missing', event, EVENTS);
    const hash = await contentHash(file.path).catch(() => null);
    if (hash === null)
      return refuseCell(row, resource.file, 'file-missing', row.values[resource.file], UNREADABLE);
    const name = nameDocument({ event, folder: place, hash, key: row.reference });
    return { event, path: file.path, called: file.name, name };
  };
  const decide = async (row: Row, { event, path, called, name }: Found): Promise<RowDecision> => {
    const again = same.seen(name, row);
    if (again !== null) return again;
    const { ledger, serviceKey } = context;
    const posting = (await ledger.findPostings(serviceKey, resource.name, [name])).get(name);
    if (posting?.state === 'done')
      return { action: 'unchanged', message: uploadedText(posting), id: posting.id };
    if (posting !== undefined && !(await neverSent(context, resource.name, posting)))
      return { action: 'unknown', message: await doubtfulText(context, posting) };
    const body = {
      [resource.event]: event,
      [resource.folder]: String(row.values[resource.folder]),
      [resource.file]: path,
    };
    const endpoint = resource.requests.upload.name;
    const step = { endpoint, body, params: { [CALLED]: called }, fingerprint: name };
    return { action: 'create', steps: [{ purpose: 'post', ...step }] };
  };
  return planCommandRows(look, decide);
}

const EVENTS = t('the events of the service', 'de evenementen van de dienst');

const UNREADABLE = t('it can’t be read', 'het is niet te lezen');

/** The file that a row names; null when it is not to be had, and the row says why. */
async function fileOf(row: Row, folder: string): Promise<{ path: string; name: string } | null> {
  const { file } = row.mapping.resource;
  const given = String(row.values[file]);
  const located = await locateFile(folder, given);
  if (located === 'outside') return refuseCell(row, file, 'file-outside', given, folder);
  if ('missing' in located) return refuseCell(row, file, 'file-missing', given, located.missing);
  return located;
}

/** The folder that it goes to on the service; null when it is none of the event's, and the row says so. */
function folderOf(row: Row): string | null {
  const { folder } = row.mapping.resource;
  const given = String(row.values[folder]);
  // What a slash before it means is for the service to say.
  return climbs(given) ? refuseCell(row, folder, 'folder-unsafe', given, '') : given;
}
