import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { t } from '../../core/language.ts';
import { makeFolder } from '../../files/folders.ts';
import { PRIVATE } from '../../files/write-aside.ts';
import { type ChosenReading, chosenReading } from '../contract/asked.ts';
import { cleanName } from './clean-name.ts';
import { NotFound } from './refusal.ts';

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
    for (const id of readdirSync(folder))
      if (Date.now() - statSync(join(folder, id)).mtimeMs > OLD) this.drop(id);
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
