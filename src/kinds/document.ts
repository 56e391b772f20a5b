import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stopsRow } from '../core/issue.ts';
import { type Bilingual, t } from '../core/language.ts';
import type { Step } from '../core/plan.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { checkFolder } from '../files/folders.ts';
import { isHeldHere } from '../files/held-files.ts';
import type { Posting } from '../ledger/ledger.ts';
import type { MappedRow } from '../records/mapped-row.ts';
import type { ContextOf, PlannerSetup, RowPlanner } from '../records/planning.ts';
import type { GuardSetup, ResolvedStep, RowGuard } from '../records/row-guard.ts';
import { doubtfulText, findPosted, postedByEvidence, postStep } from '../records/sent-before.ts';
import { askedOnce } from '../records/shared-reading.ts';
import type { WriteAnswer } from '../schema/answer.ts';
import type { DocumentResource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import type { SendMarks } from '../service/service.ts';
import {
  checkAsked,
  createEventOf,
  createSameRows,
  EVENTS,
  planCommandRows,
  refuse,
} from './command-rows.ts';
import { createEventCheck } from './event-reads.ts';
import type { Kind } from './kind.ts';

/** Files that go to events: each once to each folder, ever, as the ledger has it. */
export const document: Kind<DocumentResource> = {
  plan(context) {
    const { resource } = context;
    const { event, folder, file, requests } = resource;
    const same = createSameRows();
    // Asked once for each event: an upload to a wrong one can't be undone.
    const isThere = askedOnce(createEventCheck(context));
    const openSheet = ({ references, rules }: PlannerSetup): RowPlanner => {
      const eventOf = createEventOf(resource, references);
      const from = rules.folder ?? '.';
      checkFolder(from, '--from');
      /** What a row would send, by the name under which it is sent at most once. */
      const look = async (row: MappedRow): Promise<Step | null> => {
        if (!checkAsked(row, event)) return null;
        const id = await eventOf(row);
        const [place, given] = [String(row.values[folder]), String(row.values[file])];
        const located = await locateFile(from, given);
        // What a slash before a folder means is for the service to say.
        if (climbs(place)) refuse(row, folder, 'folder-unsafe', '');
        if (located === 'outside') return refuse(row, file, 'file-outside', from);
        if ('missing' in located) return refuse(row, file, 'file-missing', located.missing);
        if (id === null || stopsRow(row.issues)) return null;
        if (!(await isThere(id))) return refuse(row, event, 'record-missing', EVENTS);
        const hash = await contentHash(located.path).catch(() => null);
        if (hash === null) return refuse(row, file, 'file-missing', UNREADABLE);
        const body = { [event]: id, [folder]: place, [file]: located.path };
        const name = nameDocument(row.reference, id, place, hash);
        return {
          ...postStep(requests.upload.name, body, [name]),
          params: { name: located.name.normalize('NFC') },
        };
      };
      return planCommandRows(look, async (row, step) => {
        const { fingerprint: name = '' } = step;
        const again = same(name, row);
        if (again !== null) return again;
        const { here, unlessElsewhere } = await findPosted(context, [name]);
        const posting = await here([name]);
        if (posting !== undefined)
          return posting.state === 'done'
            ? { action: 'unchanged', message: uploadedText(posting), id: posting.id }
            : { action: 'unknown', message: await doubtfulText(context, posting) };
        // A file in its place goes by what is in it, where this ledger knows what was sent.
        const before = row.evidence?.own === true ? null : postedByEvidence(row);
        return before ?? unlessElsewhere({ action: 'create', steps: [step] }, [name]);
      });
    };
    return { openSheet };
  },
  foundAgain: () =>
    t(
      'A file goes to a folder of an event once, told by what is in it.',
      'Een bestand gaat één keer naar een map van een evenement; het telt wat erin staat.',
    ),
  guard: documentGuard,
};

const UNREADABLE = t('it can’t be read', 'het is niet te lezen');

/** Refuses a file that changed since the plan. No read tells whether one arrived. */
function documentGuard(context: GuardSetup<DocumentResource>): RowGuard {
  const { resource } = context;
  return {
    async check({ steps: [step] }) {
      const path = String(step?.body[resource.file]);
      try {
        // A link that came in its place may lead anywhere.
        if ((await realpath(path)) !== path) return { message: OTHER_CONTENT };
        const hash = await contentHash(path);
        return step?.fingerprint?.endsWith(` sha256:${hash}`) === true ? null : { message: OTHER_CONTENT };
      } catch {
        return { message: FILE_GONE };
      }
    },
    describeDoubt: ({ planned: { steps }, body }) =>
      lookText(Number(body[resource.event]), String(body[resource.folder]), String(steps[0]?.params?.name)),
    carryOut: (_, resolved, marks) => upload(context, resolved, marks),
  };
}

/** Media types; any other file goes as plain bytes. */
const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.txt': 'text/plain',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** The largest file that goes as text, which is all in memory, bytes. */
const LONGEST_TEXT = 256 * 1024 * 1024;

/** Sends a file as a stream, unless the service takes only text. Throws RequestError. */
async function upload(
  { service, dialect, resource }: ContextOf<DocumentResource>,
  { body, params }: ResolvedStep,
  marks: SendMarks,
): Promise<WriteAnswer> {
  const { event, folder, requests } = resource;
  const path = String(body[resource.file]);
  const place = { PartijID: Number(body[event]), Submap: String(body[folder]) };
  // An older plan has no name.
  const name = String(params.name ?? basename(path));
  const type = TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
  const blob = await openAsBlob(path, { type }).catch((cause: unknown) => {
    throw notSent(resource, FILE_GONE, cause);
  });
  if (dialect.upload === 'base64') {
    if (blob.size > LONGEST_TEXT) throw notSent(resource, TOO_LARGE);
    const Document = Buffer.from(await blob.arrayBuffer()).toString('base64');
    return await service.send(requests.uploadAsText, { body: { ...place, Document }, marks });
  }
  const Document = new File([blob], name, { type });
  return await service.send(requests.upload, { body: { ...place, Document }, marks });
}

function notSent({ requests }: DocumentResource, reason: Bilingual, cause?: unknown): RequestError {
  return new RequestError({ kind: 'refused', endpoint: requests.upload.name, reason, attempts: 0, cause });
}

const uploadedText = ({ run, at }: Posting): Bilingual =>
  t(
    `uploaded before, in run ${run} on ${shownMinute(at).en}; give the row a #key of its own to upload it once more`,
    `al eerder geüpload, in run ${run} op ${shownMinute(at).nl}; geef de rij een eigen #key om het nog eens te uploaden`,
  );

const OTHER_CONTENT: Bilingual = t(
  'the file changed after the plan was made; plan it again',
  'het bestand is gewijzigd nadat het plan gemaakt was; maak het plan opnieuw',
);

const FILE_GONE: Bilingual = t(
  'the file is no longer there, or can no longer be read',
  'het bestand is er niet meer, of is niet meer te lezen',
);

const TOO_LARGE: Bilingual = t(
  'the file is too large to go as text (dialect.upload base64)',
  'het bestand is te groot om als tekst mee te gaan (dialect.upload base64)',
);

const lookText = (event: number, folder: string, name: string): Bilingual =>
  t(
    `event ${event}, folder ${folder}: is ${name} there?`,
    `evenement ${event}, map ${folder}: staat ${name} er?`,
  );

/** A path from a root, on Unix or Windows. */
const FROM_ROOT = /^(?:[\\/]|[a-z]:)/i;

/** Whether a path leads out of where it starts from, wherever that is. */
function climbs(path: string): boolean {
  // Windows knows no dots or blanks at the end of a name.
  return path.includes('\0') || path.split(/[\\/]+/).some((part) => /^\s*\.\.[. ]*$/.test(part));
}

/** A file that a row names, by its path (links followed) and its name, or why it can't be had. */
type FoundFile =
  | { readonly path: string; readonly name: string }
  | 'outside'
  | { readonly missing: Bilingual };

/** Finds a file by its path in a folder, with / or \; refuses what leads out of it: `..`, a root, a link. */
export async function locateFile(folder: string, given: string): Promise<FoundFile> {
  if (FROM_ROOT.test(given.trim()) || climbs(given)) return 'outside';
  const named = join(folder, ...given.split(/[\\/]+/));
  try {
    // A name with an accent may be written in two ways; which of them the disk has is not for the user to know.
    const path = await realpath(named)
      .catch(() => realpath(named.normalize('NFC')))
      .catch(() => realpath(named.normalize('NFD')));
    const inside = relative(await realpath(folder), path);
    if (inside === '' || isAbsolute(inside) || inside.split(/[\\/]/)[0] === '..') return 'outside';
    // A link has a name of its own, which is the one its file goes by.
    if ((await stat(path)).isFile() && !isHeldHere(path)) return { path, name: basename(named) };
    return { missing: t('this is no file', 'dit is geen bestand') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isGone = code === 'ENOENT' || code === 'ENOTDIR';
    return { missing: isGone ? t(`looked for it in ${folder}`, `gezocht in ${folder}`) : UNREADABLE };
  }
}

/** What is in a file, as 64 characters; read piece by piece. Throws what the disk says. */
async function contentHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The name under which an upload is sent at most once; with a `#key` the same file may go once more. */
function nameDocument(key: string | null, event: number, folder: string, hash: string): string {
  const place = `event:${event} folder:${folder.normalize('NFC')} sha256:${hash}`;
  return key === null ? place : `key:${key} ${place}`;
}
