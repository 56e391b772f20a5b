import type { Posting } from '../../../ledger/ledger.ts';
import type { DocumentResource } from '../../../schema/command-resources.ts';
import { RequestError } from '../../../service/request-error.ts';
import { checkFolder } from '../../../workbook/target-folder.ts';
import type { Context } from '../../context.ts';
import type { MappedRow } from '../../map/map-row.ts';
import { checkAsked } from '../about/check-asked.ts';
import { createEventOf, refuse } from '../about/event-of.ts';
import { type Decided, openRowPlanner } from '../about/row-planner.ts';
import type { SameRows } from '../about/same-row.ts';
import type { PlannerSetup, RowPlanner } from '../kind.ts';
import { neverSent, sentRow } from '../posted-before.ts';
import { doubtfulText } from '../posting/texts.ts';
import { contentHash, nameDocument } from './document-name.ts';
import { climbs, locateFile } from './locate-file.ts';
import { uploadedText } from './texts.ts';
import { CALLED } from './upload.ts';

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
export function openDocumentPlanner(
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
    if (!(await isThere(event))) return refuse(row, resource.event, 'record-missing', event, EVENTS);
    const hash = await contentHash(file.path).catch(() => null);
    if (hash === null)
      return refuse(row, resource.file, 'file-missing', row.values[resource.file], UNREADABLE);
    const name = nameDocument({ event, folder: place, hash, key: row.reference });
    return { event, path: file.path, called: file.name, name };
  };
  const decide = async (row: Row, { event, path, called, name }: Found): Promise<Decided> => {
    const again = same.seen(name, row);
    if (again !== null) return again;
    const { ledger, serviceKey } = context;
    const posting = (await ledger.findPostings(serviceKey, resource.name, [name])).get(name);
    if (posting?.state === 'done')
      return { action: 'unchanged', message: uploadedText(posting), about: { id: posting.id } };
    if (posting !== undefined && !(await neverSent(context, resource.name, posting)))
      return { action: 'unknown', message: await doubtText(context, posting) };
    const body = {
      [resource.event]: event,
      [resource.folder]: String(row.values[resource.folder]),
      [resource.file]: path,
    };
    const endpoint = resource.requests.upload.name;
    const step = { endpoint, body, params: { [CALLED]: called }, fingerprint: name };
    return { action: 'create', steps: [{ purpose: 'post', ...step }] };
  };
  return openRowPlanner(look, decide);
}

const EVENTS = { en: 'the events of the service', nl: 'de evenementen van de dienst' };

const UNREADABLE = { en: 'it can’t be read', nl: 'het is niet te lezen' };

/** The file that a row names; null when it is not to be had, and the row says why. */
async function fileOf(row: Row, folder: string): Promise<{ path: string; name: string } | null> {
  const { file } = row.mapping.resource;
  const given = String(row.values[file]);
  const located = await locateFile(folder, given);
  if (located === 'outside') return refuse(row, file, 'file-outside', given, folder);
  if ('missing' in located) return refuse(row, file, 'file-missing', given, located.missing);
  return located;
}

/** The folder that it goes to on the service; null when it is none of the event's, and the row says so. */
function folderOf(row: Row): string | null {
  const { folder } = row.mapping.resource;
  const given = String(row.values[folder]);
  // What a slash before it means is for the service to say.
  return climbs(given) ? refuse(row, folder, 'folder-unsafe', given, '') : given;
}

async function doubtText(context: Context, posting: Posting) {
  const sent = await sentRow(context, posting);
  const where = sent === undefined ? '' : `${sent.planned.sheet}!${sent.planned.row}`;
  return doubtfulText(posting, where, null);
}

/** Whether the service has an event, asked for at most once: what is uploaded to a wrong one can't be taken back. */
export function createEventCheck(
  { service }: Context,
  { requests }: DocumentResource,
): (event: number) => Promise<boolean> {
  const asked = new Map<number, Promise<boolean>>();
  const ask = async (ID: number): Promise<boolean> => {
    try {
      return (await service.send(requests.find, { params: { ID } })) !== null;
    } catch (error) {
      if (error instanceof RequestError && error.kind === 'missing') return false;
      throw error;
    }
  };
  return (event) => {
    const answer = asked.get(event) ?? ask(event);
    asked.set(event, answer);
    return answer;
  };
}
