import { openRowChecks, type RowChecks, rowsOfFile } from '../../api/check-rows.ts';
import type { SessionInput } from '../../api/import-workbook.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { openSession, type Session } from '../../session/open-session.ts';
import { readingOptions } from './draft-options.ts';
import type { StoredDraft } from './drafts.ts';
import type { Users } from './users.ts';

type Memory = ReturnType<typeof rowsOfFile>;

/** Checks that stay open: those of the file on the page, and of the one before. */
const MOST_OPEN = 2;

interface Opened {
  readonly session: Session;
  readonly checks: RowChecks;
}

/** A draft's file, and what its rows are checked with. */
interface CheckedDraft {
  readonly file: string;
  readonly options: ProgramOptions;
  /** How its rows come to files. */
  readonly beside: Pick<SessionInput, 'folder' | 'findFile'>;
}

/** What is kept of a draft. */
interface Kept {
  /** What its plan kept of its rows; without a plan in this program, the checks read the file themselves. */
  readonly memory: Memory | undefined;
  readonly opened: { readonly key: string; readonly opening: Promise<Opened> } | undefined;
}

/**
 * Checks of single rows of drafts: opened with the first correction, and kept while a draft is worked on.
 * What is let go is closed when nobody works with it any more.
 */
export class DraftChecks {
  private readonly users: Users;
  /** By draft, the one that was used last at the end. */
  private readonly kept = new Map<string, Kept>();

  constructor(users: Users) {
    this.users = users;
  }

  /** What a plan keeps of a draft's rows, to be checked one by one later; that of the oldest plans goes. */
  memoryFor(draft: string): Memory {
    this.drop(draft);
    const memory = rowsOfFile();
    this.keep(draft, { memory, opened: undefined });
    return memory;
  }

  /**
   * The checks of a draft's rows, for its last plan and the settings in effect: opened once, however many ask
   * at once. Throws StopError.
   */
  async open(draft: StoredDraft, { file, options, beside }: CheckedDraft): Promise<RowChecks> {
    const key = JSON.stringify([draft.run, draft.reading, draft.allowDelete, options]);
    const known = this.kept.get(draft.id);
    const isSame = known?.opened?.key === key;
    if (known !== undefined && !isSame) this.close(known);
    const opening = isSame
      ? known.opened.opening
      : this.opening(draft, { file, options, beside }, known?.memory);
    const now: Kept = { memory: known?.memory, opened: { key, opening } };
    this.keep(draft.id, now);
    try {
      return (await opening).checks;
    } catch (error) {
      // The next one tries again.
      if (this.kept.get(draft.id)?.opened?.opening === opening)
        this.kept.set(draft.id, { ...now, opened: undefined });
      throw error;
    }
  }

  /** Lets go of the checks of a draft, and of what was kept of its rows. */
  drop(draft: string): void {
    const known = this.kept.get(draft);
    this.kept.delete(draft);
    if (known === undefined) return;
    this.close(known);
    const { memory } = known;
    if (memory !== undefined) this.users.letGo(() => memory.close());
  }

  /** Lets go of all of them. */
  dropAll(): void {
    for (const id of [...this.kept.keys()]) this.drop(id);
  }

  private keep(draft: string, now: Kept): void {
    this.kept.delete(draft);
    this.kept.set(draft, now);
    for (const id of [...this.kept.keys()].slice(0, -MOST_OPEN)) this.drop(id);
  }

  private close({ memory, opened }: Kept): void {
    if (opened === undefined) return;
    this.users.letGo(async () => {
      const { session, checks } = await opened.opening;
      // What a plan kept is not theirs: it stays for the next ones.
      if (memory === undefined) await checks.close().finally(() => session.close());
      else await session.close();
    });
  }

  private async opening(
    draft: StoredDraft,
    { file, options, beside }: CheckedDraft,
    rows: Memory | undefined,
  ): Promise<Opened> {
    const session = await openSession(options);
    try {
      const reading = { ...readingOptions(draft), ...beside, allowDelete: draft.allowDelete };
      const checks = await openRowChecks(session, file, reading, {
        ...(draft.run === null ? {} : { run: draft.run }),
        ...(rows === undefined ? {} : { rows }),
      });
      return { session, checks };
    } catch (error) {
      await session.close();
      throw error;
    }
  }
}
