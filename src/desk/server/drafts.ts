import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { t } from '../../core/language.ts';
import { makeFolder } from '../../files/folders.ts';
import { PRIVATE } from '../../files/write-aside.ts';
import { cellCorrection, chosenReading, rowDecision } from '../contract/asked.ts';
import { cleanName } from './clean-name.ts';
import { NotFound, NotNow } from './refusal.ts';

const storedDraft = z.object({
  id: z.string(),
  /** The name of the file, as the user knows it. */
  name: z.string(),
  addedAt: z.string(),
  origin: z.enum(['file', 'undo', 'again']),
  of: z.string().nullable(),
  run: z.string().nullable(),
  reading: chosenReading,
  corrections: z.array(cellCorrection.extend({ text: z.string() })),
  decisions: z.array(rowDecision.extend({ decide: rowDecision.shape.decide.unwrap() })),
  /** Corrected or decided since the plan was made. */
  stale: z.boolean(),
});

/** A file on its way to the service, as it is kept on disk. */
export type StoredDraft = Readonly<z.output<typeof storedDraft>>;

/** The name of what is kept of a draft, beside the folders of its file and of what its run made. */
const [KEPT, OWN, RESULTS] = ['draft.json', 'file', 'results'] as const;
/** A draft that was not touched for so long goes, ms: its run stays in the ledger. */
const OLD = 90 * 24 * 3600 * 1000;

/**
 * The files that were brought to the desk, each in a folder of its own in the user's private folder, with
 * what was chosen and corrected: they outlive the program.
 */
export class Drafts {
  private readonly folder: string;
  private readonly known = new Map<string, StoredDraft>();
  /** The end of what was asked of a draft last. */
  private readonly turns = new Map<string, Promise<unknown>>();

  /** `folder` is made where it is missing, for its owner alone. */
  constructor(folder: string) {
    this.folder = folder;
    makeFolder(folder);
    for (const id of readdirSync(folder)) this.load(id);
  }

  /** Every draft, the newest first. */
  list(): StoredDraft[] {
    return [...this.known.values()].sort((one, other) => other.addedAt.localeCompare(one.addedAt));
  }

  /** Throws NotFound. */
  get(id: string): StoredDraft {
    const draft = this.known.get(id);
    if (draft === undefined) throw new NotFound(t('file', 'bestand'));
    return draft;
  }

  /** The draft that a run is the plan of. */
  ofRun(run: string): StoredDraft | undefined {
    return this.list().find((draft) => draft.run === run);
  }

  /** Adds a file that `write` puts in its place. Nothing is added where that fails. */
  async add(
    name: string,
    about: Partial<StoredDraft>,
    write: (path: string) => Promise<unknown>,
  ): Promise<StoredDraft> {
    const id = randomBytes(9).toString('base64url');
    const draft: StoredDraft = {
      ...{
        id,
        name: cleanName(name),
        addedAt: new Date().toISOString(),
        origin: 'file',
        of: null,
        run: null,
      },
      ...{ reading: chosenReading.parse({}), corrections: [], decisions: [], stale: false },
      ...about,
    };
    makeFolder(join(this.folder, id, OWN));
    try {
      await write(this.fileOf(draft));
      this.keep(draft);
    } catch (error) {
      this.drop(id);
      throw error;
    }
    return draft;
  }

  /** Changes a draft, and answers it as it is then. Throws NotFound. */
  change(id: string, changes: Partial<StoredDraft>): StoredDraft {
    const draft = { ...this.get(id), ...changes };
    this.keep(draft);
    return draft;
  }

  /**
   * Does work on a draft when what was asked of it before is done, so that no change works with a draft that
   * another one changes. Throws NotFound, and what `work` throws.
   */
  async inTurn<T>(id: string, work: (draft: StoredDraft) => T | Promise<T>): Promise<T> {
    const before = this.turns.get(id) ?? Promise.resolve();
    const own = before.then(async () => await work(this.get(id)));
    const end = own
      .catch(() => {})
      .then(() => {
        if (this.turns.get(id) === end) this.turns.delete(id);
      });
    this.turns.set(id, end);
    return await own;
  }

  /** Removes a draft with its file; its run stays in the ledger. */
  drop(id: string): void {
    this.known.delete(id);
    rmSync(join(this.folder, id), { recursive: true, force: true });
  }

  /** The path of a draft's file. */
  fileOf({ id, name }: Pick<StoredDraft, 'id' | 'name'>): string {
    return join(this.folder, id, OWN, name);
  }

  /** The folder of what a draft's run makes. Throws NotFound. */
  resultsOf(id: string): string {
    const folder = join(this.folder, this.get(id).id, RESULTS);
    makeFolder(folder);
    return folder;
  }

  private load(id: string): void {
    try {
      const file = join(this.folder, id, KEPT);
      const draft = storedDraft.parse(JSON.parse(readFileSync(file, 'utf8')));
      if (Date.now() - statSync(file).mtimeMs > OLD) this.drop(id);
      else if (draft.id === id) this.known.set(id, draft);
    } catch {
      // Half added when the program was killed, or of another version: it is left where it is.
    }
  }

  /** In one go: a change that comes meanwhile would be lost. */
  private keep(draft: StoredDraft): void {
    const file = join(this.folder, draft.id, KEPT);
    const aside = `${file}.${randomBytes(4).toString('hex')}`;
    writeFileSync(aside, JSON.stringify(draft), { mode: PRIVATE, flush: true });
    renameSync(aside, file);
    this.known.set(draft.id, draft);
  }
}

/** The run of a draft's plan. Throws NotNow where there is none yet. */
export function runOf({ run }: StoredDraft): string {
  if (run !== null) return run;
  throw new NotNow(
    t('This file has no plan yet.', 'Voor dit bestand is er nog geen plan.'),
    t('Have it planned first.', 'Laat eerst een plan maken.'),
  );
}
