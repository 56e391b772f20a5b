import { linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionInput } from '../../api/import-workbook.ts';
import { filesNamedIn, type NamedFile } from '../../api/named-files.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { temporaryName } from '../../files/write-aside.ts';
import type { Session } from '../../session/open-session.ts';
import type { BroughtDocuments } from '../contract/beside-documents.ts';
import { documentName, NamedByRows } from './document-name.ts';
import { readingOptions } from './draft-options.ts';
import type { Drafts, StoredDraft } from './drafts.ts';
import { NotFound, NotNow } from './refusal.ts';
import { receiveFile } from './uploads.ts';

/** What this works with of the desk. */
interface BesideDesk {
  readonly drafts: Drafts;
  inSession<T>(exclusive: undefined, work: (session: Session) => Promise<T>): Promise<T>;
}

/** What stands beside the file of a draft, by the name of its folder. */
export type Beside = 'documents' | 'invoices';

/** Documents of one draft. */
const MOST_DOCUMENTS = 5000;
/** Names that are told of as missing, and rows of each. */
const MOST_TOLD = 200;
const MOST_ROWS = 5;

/** A file beside a draft, as it lies in its folder. */
export interface BesideFile {
  readonly name: string;
  readonly bytes: number;
}

/** The files beside a draft's own, by name; what is still being written is left out. */
export function filesBeside(desk: BesideDesk, draft: StoredDraft, what: Beside): BesideFile[] {
  const folder = desk.drafts.roomOf(draft.id, what);
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found?.isFile() === true ? [{ name, bytes: found.size }] : [];
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** How a draft's rows come to files: documents that were brought, or a folder for what is fetched. */
export function besideOptions(
  desk: BesideDesk,
  draft: StoredDraft,
): Pick<SessionInput, 'command' | 'folder' | 'findFile'> {
  const { use } = draft.reading;
  if (use === 'invoices') return { folder: desk.drafts.roomOf(draft.id, 'invoices') };
  if (use !== 'documents') return {};
  const folder = desk.drafts.roomOf(draft.id, 'documents');
  return {
    folder,
    findFile: async (named) => {
      const found = (await namedOf(desk, desk.drafts.get(draft.id))).index.find(named);
      if (typeof found === 'string') return { missing: found === 'several' ? SEVERAL : NOT_BROUGHT };
      const path = await realpath(join(folder, found.name)).catch(() => null);
      return path === null ? { missing: NOT_BROUGHT } : { path, name: found.name };
    },
  };
}

const NOT_BROUGHT = t(
  'it isn’t among the documents that were brought',
  'het zit niet bij de documenten die erbij gezet zijn',
);
const SEVERAL = t(
  'rows name several files of this name, each by another path: give each a name of its own',
  'rijen noemen meer bestanden met deze naam, elk met een ander pad: geef elk een eigen naam',
);

interface Named {
  readonly key: string;
  readonly rows: readonly NamedFile[];
  readonly index: NamedByRows;
}

/** What drafts' rows name, as it was asked last. */
const asked = new WeakMap<
  BesideDesk,
  Map<string, { readonly key: string; readonly found: Promise<Named> }>
>();

/** What a draft's rows name, with its corrections, beside what was brought. */
async function namedOf(desk: BesideDesk, draft: StoredDraft): Promise<Named> {
  const brought = filesBeside(desk, draft, 'documents').map(({ name }) => name);
  const { id, reading, corrections } = draft;
  const key = JSON.stringify([reading, corrections, brought]);
  const kept = asked.get(desk) ?? new Map();
  asked.set(desk, kept);
  const known = kept.get(id);
  if (known?.key === key) return await known.found;
  const file = desk.drafts.fileOf(draft);
  const found = desk
    .inSession(undefined, (session) => filesNamedIn(session, file, readingOptions(draft), corrections))
    .then((rows) => ({
      key,
      rows,
      index: new NamedByRows(
        rows.map(({ named }) => named),
        brought,
      ),
    }));
  kept.clear();
  kept.set(id, { key, found });
  // What could not be read is asked again.
  found.catch(() => kept.delete(id));
  return await found;
}

/** The documents that were brought to a draft, and what its rows name beside them. Throws StopError. */
export async function broughtTo(desk: BesideDesk, draft: StoredDraft): Promise<BroughtDocuments> {
  const { rows, index } = await namedOf(desk, draft);
  const used = new Map<string, number>();
  const missing = new Map<string, BroughtDocuments['missing'][number]>();
  let here = 0;
  for (const { sheet, row, named } of rows) {
    const found = index.find(named);
    if (typeof found !== 'string') {
      here++;
      used.set(found.name, (used.get(found.name) ?? 0) + 1);
      continue;
    }
    const known = missing.get(named) ?? { name: named, why: found, rows: [], count: 0 };
    const shown = known.rows.length < MOST_ROWS ? [...known.rows, { sheet, row }] : known.rows;
    missing.set(named, { ...known, rows: shown, count: known.count + 1 });
  }
  return {
    brought: filesBeside(desk, draft, 'documents').map((one) => ({ ...one, rows: used.get(one.name) ?? 0 })),
    missing: [...missing.values()].slice(0, MOST_TOLD),
    rows: { all: rows.length, here },
  };
}

/**
 * Takes a document that a browser sends, in place of one of that name. `settle` does its part in the draft's
 * turn, once the document is whole. Throws StopError.
 */
export async function bringDocument(
  desk: BesideDesk,
  draft: StoredDraft,
  { name: given, body }: { readonly name: string; readonly body: ReadableStream | null },
  settle: (put: () => void) => Promise<void>,
): Promise<void> {
  const name = documentName(given);
  const there = filesBeside(desk, draft, 'documents');
  if (there.length >= MOST_DOCUMENTS && !there.some((one) => one.name === name)) throw TOO_MANY();
  const folder = desk.drafts.roomOf(draft.id, 'documents');
  const aside = join(folder, temporaryName());
  try {
    await receiveFile(body, aside, { words: DOCUMENT_WORDS });
    await settle(() => renameSync(aside, join(folder, name)));
  } finally {
    rmSync(aside, { force: true });
  }
}

const DOCUMENT_WORDS = {
  empty: t(
    'Open it, and save it once more where you can find it.',
    'Open het, en sla het nog eens op waar je het kunt vinden.',
  ),
  large: t(
    'Make it smaller, or upload it on the service itself.',
    'Maak het kleiner, of upload het in het systeem zelf.',
  ),
};

const TOO_MANY = (): StopError =>
  new StopError(
    EXIT.usage,
    t(
      `${MOST_DOCUMENTS} documents is the most that one file takes.`,
      `${MOST_DOCUMENTS} documenten is het meeste dat bij één bestand kan.`,
    ),
    { next: t('Upload the rest with another file.', 'Upload de rest met een ander bestand.') },
  );

/** Takes a document away from a draft. Throws NotFound. */
export function dropDocument(desk: BesideDesk, draft: StoredDraft, name: string): void {
  rmSync(pathBeside(desk, draft, 'documents', name));
}

/** The path of a file beside a draft's own. Throws NotFound for any name that is not there. */
export function pathBeside(desk: BesideDesk, draft: StoredDraft, what: Beside, name: string): string {
  const found = filesBeside(desk, draft, what).find((one) => one.name === name);
  if (found === undefined) throw new NotFound(t('file', 'bestand'));
  return join(desk.drafts.roomOf(draft.id, what), found.name);
}

/** Gives one draft the files of another beside its own, without taking room twice where the disk can. */
export async function copyBeside(desk: BesideDesk, from: StoredDraft, to: StoredDraft): Promise<void> {
  const { use } = from.reading;
  if (use !== 'documents' && use !== 'invoices') return;
  const target = desk.drafts.roomOf(to.id, use);
  for (const { name } of filesBeside(desk, from, use)) {
    const path = pathBeside(desk, from, use, name);
    try {
      linkSync(path, join(target, name));
    } catch {
      await copyFile(path, join(target, name));
    }
  }
}

/** Throws NotNow for a draft that takes no documents. */
export function refuseOtherUse({ reading }: StoredDraft): void {
  if (reading.use === 'documents') return;
  throw new NotNow(
    t('This file does not upload documents.', 'Dit bestand uploadt geen documenten.'),
    t('Say what it is for first.', 'Zeg eerst waar het voor is.'),
  );
}
