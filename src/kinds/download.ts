import { createHash } from 'node:crypto';
import { lstat, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Bilingual, same, t } from '../core/language.ts';
import { isDeviceName } from '../files/file-name.ts';
import { checkWritableFolder, folderStop, makeFolder } from '../files/folders.ts';
import { isHeldHere } from '../files/held-files.ts';
import { writeAtomically } from '../files/write-aside.ts';
import type { MappedRow } from '../records/mapped-row.ts';
import type { ContextOf, RowDecision } from '../records/planning.ts';
import type { WriteAnswer } from '../schema/answer.ts';
import type { DownloadResource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { checkAsked, createSameRows, planCommandRows, refuse } from './command-rows.ts';
import type { Kind } from './kind.ts';

interface AskedFile {
  readonly id: string;
  readonly extension: string;
}

/** Files that are fetched, unless they are there already. */
export const download: Kind<DownloadResource> = {
  plan({ resource }) {
    const same = createSameRows();
    let tried: Promise<void> | undefined;
    return {
      openSheet: ({ rules: { folder = '.' } }) =>
        planCommandRows<AskedFile>(
          async (row) => {
            // Before anything is fetched.
            tried ??= checkWritableFolder(folder, '--to');
            await tried;
            return checkAsked(row, '') ? asked(resource, row) : null;
          },
          async (row, one) =>
            same(`${one.id} ${one.extension}`, row) ?? (await decide(resource, one, folder)),
        ),
    };
  },
  guard: (context) => ({
    carryOut: (_, { params: { id, extension }, body: { file } }) =>
      fetchFile(context, { id: String(id), extension: String(extension) }, String(file)),
  }),
};

function asked(resource: DownloadResource, row: MappedRow): AskedFile | null {
  const id = String(row.values[resource.id]);
  const ending = String(row.values[resource.extension] ?? resource.usual);
  const extension = ending.replace(/^\./, '').toLowerCase();
  const wrongId = unsafeId(id);
  if (wrongId !== null) return refuse(row, resource.id, 'name-unsafe', wrongId);
  const wrong = unsafeExtension(extension);
  if (wrong !== null) return refuse(row, resource.extension, 'name-unsafe', wrong);
  return { id, extension };
}

async function decide({ requests }: DownloadResource, asked: AskedFile, to: string): Promise<RowDecision> {
  const name = safeName(asked.id, asked.extension);
  const file = join(to, name);
  const there = await standsThere(file, asked.extension);
  if (there === 'it')
    return { action: 'unchanged', message: t(`${name} is there already`, `${name} staat er al`) };
  if (there !== 'nothing') return { action: 'conflict', message: inTheWayText(asked.extension) };
  const step = { endpoint: requests.file.name, body: { file }, params: { ...asked } };
  return { action: 'create', steps: [{ purpose: 'download', ...step }], message: same(name) };
}

/** What is at a file's path. */
async function standsThere(path: string, extension: string): Promise<'nothing' | 'it' | 'other'> {
  try {
    // A pipe or a device would be read for ever.
    if (!(await stat(path)).isFile() || isHeldHere(path)) return 'other';
    return isFileOf(await readFile(path), extension) ? 'it' : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'other';
    // A link to nothing is something.
    return await lstat(path).then(
      () => 'other',
      () => 'nothing',
    );
  }
}

/**
 * Fetches a file and writes it whole, unless it is there by now. Throws RequestError for an answer that holds
 * no such file, StopError where the folder can't be written to.
 */
async function fetchFile(
  { service, resource }: ContextOf<DownloadResource>,
  asked: AskedFile,
  path: string,
): Promise<WriteAnswer> {
  const { file } = resource.requests;
  const { extension } = asked;
  const unusable = (reason: Bilingual) =>
    new RequestError({ kind: 'malformed', endpoint: file.name, reason });
  const done = { id: null, success: true, message: null };
  const there = await standsThere(path, extension);
  if (there === 'it') return done;
  if (there !== 'nothing') throw unusable(inTheWayText(extension));
  const { bytes, words } = await service.send(file, { params: { ...asked } });
  const found = fileIn(bytes, extension);
  const said = words === null ? '' : `: ${words}`;
  if (found === null)
    throw unusable(
      t(
        `what came is no whole ${extension}${said}`,
        `wat er kwam is geen heel bestand (${extension})${said}`,
      ),
    );
  const folder = dirname(path);
  try {
    // The user's own folder, like the files in it.
    makeFolder(folder, [], 0o777);
    await writeAtomically(path, async (stream) => void stream.write(found));
  } catch (cause) {
    throw folderStop(folder, '--to', cause);
  }
  return done;
}

const inTheWayText = (extension: string): Bilingual =>
  t(
    `something of that name is there that is no whole ${extension}; move or rename it`,
    `er staat iets met die naam dat geen heel bestand (${extension}) is; verplaats of hernoem het`,
  );

/** How files are told to be whole, by their endings; an invoice of any other kind is not fetched. */
const KINDS: readonly (readonly [endings: RegExp, isWhole: (bytes: Buffer, top: string) => boolean])[] = [
  [/^pdf$/, (bytes, top) => /^[^<]*%PDF-/.test(top) && endOf(bytes).includes('%%EOF')],
  [/^(?:xml|ubl)$/, isWholeXml],
  [/^(?:zip|docx|xlsx|odt|ods)$/, (bytes, top) => top.startsWith('PK') && isWholeZip(bytes)],
  [/^png$/, (_, top) => top.startsWith('\x89PNG')],
  [/^jpe?g$/, (_, top) => top.startsWith('\xff\xd8\xff')],
  [/^tiff?$/, (_, top) => /^(?:II\*|MM\0)/.test(top)],
];

const kindOf = (extension: string) => KINDS.find(([endings]) => endings.test(extension.toLowerCase()));

/** Whether files with this extension can be told. */
const isKnownKind = (extension: string): boolean => kindOf(extension) !== undefined;

/** Whether bytes are a whole file with this extension, and no page or error. */
export function isFileOf(answer: Uint8Array, extension: string): boolean {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  return kindOf(extension)?.[1](bytes, bytes.toString('latin1', 0, 1000)) === true;
}

/** The file that an answer is or holds, as base64, alone or in JSON (interface 4.7: not shown); else null. */
export function fileIn(answer: Uint8Array, extension: string): Uint8Array | null {
  if (isFileOf(answer, extension)) return answer;
  const text = Buffer.from(answer).toString().trim();
  const texts = [text];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    // It may be base64 as it stands.
  }
  for (const one of texts) {
    const plain = one.trim().replace(/^data:[^,]{0,100};base64,/, '');
    const bytes = Buffer.from(/^[\w+/\s-]+=*$/.test(plain) ? plain : '', 'base64');
    if (isFileOf(bytes, extension)) return bytes;
  }
  return null;
}

/** The mark of a PDF stands at its end; some servers put a little behind it. */
const endOf = (bytes: Buffer): string =>
  bytes
    .toString('latin1', bytes.length - 10_000)
    .replace(/[\0-\x20]+$/, '')
    .slice(-2048);

/** A zip ends with the record of its end, and a comment as long as that says. */
function isWholeZip(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  return at >= 0 && at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length;
}

/** The roots of web pages and errors. */
const NO_INVOICE =
  /^(?:.*:)?(?:html|head|body|title|div|span|p|pre|form|table|center|h[1-6]|errors?|exception|fault|problem|apierror|errorresponse|error_?message)$/i;

/** Whether it is an XML document to the end tag of its root, in any encoding: the tags are ASCII. */
function isWholeXml(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').replaceAll('\0', '');
  const [, root] = /^[^<]{0,4}</.test(text) ? (/<([^\s/>?!]{1,500})[\s>]/.exec(text) ?? []) : [];
  if (root === undefined || NO_INVOICE.test(root)) return false;
  const end = text.slice(text.lastIndexOf('</') + 2);
  return end.startsWith(root) && /^\s*>/.test(end.slice(root.length));
}

/** The longest name, with room for a temporary file's suffix. */
const LONGEST = 160;

/** An id that would be another path on the service or here; null when it is none. */
export function unsafeId(id: string): Bilingual | null {
  if (!/[\\/\0]/.test(id) && !/^\.+$/.test(id) && id.length <= 500) return null;
  return t(
    'an id has no slashes, is not dots alone, and is no longer than 500',
    'een id heeft geen schuine strepen, is niet alleen punten en is niet langer dan 500',
  );
}

/** Why files with an extension are not fetched; null for those of which it can be told that they are whole. */
export function unsafeExtension(extension: string): Bilingual | null {
  if (isKnownKind(extension)) return null;
  return t(
    'an invoice is a document, an image or an archive: fetch it as pdf or xml',
    'een factuur is een document, een afbeelding of een archief: haal hem op als pdf of xml',
  );
}

/** Letters, digits and a few signs; any other character of an id is written as `_`. */
const OTHER = /[^A-Za-z0-9 _.,()&+=-]/g;

/** A name that every file system takes, another for each id, even where case doesn't count. */
export function safeName(id: string, extension: string): string {
  const plain = id
    .replace(OTHER, '_')
    .replace(/^\.+|[. ]+$/g, '_')
    .slice(0, LONGEST);
  const named = isDeviceName(plain) ? `_${plain}` : plain;
  // Another id may well be called as this one would now be.
  const isOwn = named === id && id.toUpperCase() === id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
  return `${isOwn ? named : `${named}-${hash}`}.${extension.toLowerCase()}`;
}
