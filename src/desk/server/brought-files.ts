import { randomBytes } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { isDeviceName } from '../../files/file-name.ts';
import { makeFolder } from '../../files/folders.ts';
import { PRIVATE, writeFailureReason } from '../../files/write-aside.ts';
import { type ChosenReading, chosenReading } from '../contract/asked.ts';
import { NotFound } from './answering.ts';

/** The names in the folder of a file: where the file itself is, and how it is to be read. */
const [OWN, READING] = ['file', 'reading.json'] as const;
/** A file that was brought so long ago goes, ms: its run stays in the ledger. */
const OLD = 90 * 24 * 3600 * 1000;

/**
 * The files that were brought to the desk, each in a folder of its own in the user's private folder, with what
 * was chosen of its reading. All else of them is in the ledger, with their plans.
 */
export class BroughtFiles {
  private readonly folder: string;

  /** `folder` is made where it is missing, for its owner alone; old files in it go. */
  constructor(folder: string) {
    this.folder = folder;
    makeFolder(folder);
    removeOld(folder, OLD);
  }

  /** Adds a file that `write` puts in its place, and answers its id. Nothing is added where that fails. */
  async add(
    name: string,
    write: (path: string) => Promise<unknown>,
    reading: ChosenReading = chosenReading.parse({}),
  ): Promise<string> {
    const id = randomBytes(9).toString('base64url');
    makeFolder(join(this.folder, id, OWN));
    try {
      await write(join(this.folder, id, OWN, cleanName(name)));
      this.keepReading(id, reading);
    } catch (error) {
      this.drop(id);
      throw error;
    }
    return id;
  }

  /** The path of a file, which ends with its name as the user knows it. Throws NotFound. */
  pathOf(id: string): string {
    const folder = join(this.folder, id, OWN);
    const names = /^[\w-]+$/.test(id) && existsSync(folder) ? readdirSync(folder) : [];
    // No file that was brought is hidden: others are there for a moment, as a plan tries its result's place.
    const name = names.find((one) => !one.startsWith('.'));
    if (name === undefined) throw new NotFound(t('file', 'bestand'));
    return join(folder, name);
  }

  /** The id of a file by its path; null for one that was not brought here, or is gone. */
  idOf(path: string): string | null {
    const [id = '', own] = relative(this.folder, path).split(sep);
    return own === OWN && existsSync(path) ? id : null;
  }

  /** What was chosen of the reading of a file. */
  readingOf(id: string): ChosenReading {
    try {
      return chosenReading.parse(JSON.parse(readFileSync(join(this.folder, id, READING), 'utf8')));
    } catch {
      return chosenReading.parse({});
    }
  }

  /** Keeps what is chosen of the reading of a file. */
  keepReading(id: string, reading: ChosenReading): void {
    const file = join(this.folder, id, READING);
    writeFileSync(`${file}.new`, JSON.stringify(reading), { mode: PRIVATE, flush: true });
    renameSync(`${file}.new`, file);
  }

  /** Removes a file. */
  drop(id: string): void {
    rmSync(join(this.folder, id), { recursive: true, force: true });
  }
}

/** Removes what was put in a folder longer ago than that, ms. */
export function removeOld(folder: string, age: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > age) rmSync(path, { recursive: true, force: true });
  }
}

/** The longest name that is kept, in characters: with room for what a result adds. */
const LONGEST = 120;

/** What no file system takes, what turns a text round, and what ends a line. */
const ODD = /[<>:"|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name from a browser as that of a file of ours: without a path, and one that every file system takes. */
export function cleanName(given: string): string {
  const last = given.normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(ODD, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  const ending = extname(plain).slice(0, 12);
  const stem = plain.slice(0, plain.length - extname(plain).length);
  const kept = [...stem].slice(0, LONGEST - ending.length);
  const named = `${kept.join('').trim() || 'workbook'}${ending}`;
  return isDeviceName(named) ? `_${named}` : named;
}

/** Writes a body to a file for its owner alone, as it comes. Throws StopError for one that is empty or breaks off. */
export async function receiveFile(body: globalThis.ReadableStream | null, path: string): Promise<void> {
  if (body === null) throw EMPTY();
  try {
    await pipeline(
      body as ReadableStream<Uint8Array>,
      createWriteStream(path, { mode: PRIVATE, flags: 'wx' }),
    );
  } catch (cause) {
    const reason = writeFailureReason(cause);
    throw new StopError(
      EXIT.usage,
      reason === undefined
        ? t('The file did not come through whole.', 'Het bestand kwam niet heel over.')
        : t(`The file can't be kept: ${reason.en}.`, `Het bestand kan niet bewaard worden: ${reason.nl}.`),
      { next: t('Bring it once more.', 'Breng het nog eens.'), cause },
    );
  }
  if (statSync(path).size === 0) throw EMPTY();
}

const EMPTY = (): StopError =>
  new StopError(EXIT.file, t('The file is empty.', 'Het bestand is leeg.'), {
    next: t('Choose the workbook or CSV itself.', 'Kies de werkmap of CSV zelf.'),
  });
