import { openRowChecks, type RowChecks, rowsOfFile } from '../../api/check-rows.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { openSession } from '../../session/open-session.ts';
import type { StoredDraft } from './drafts.ts';
import type { Users } from './users.ts';

type Memory = ReturnType<typeof rowsOfFile>;

/** What is kept of the draft that is worked on. */
interface Kept {
  readonly draft: string;
  /** What its plan kept of its rows; without a plan in this program, the checks read the file themselves. */
  readonly memory: Memory | undefined;
  opened?: { readonly key: string; readonly opening: ReturnType<typeof openChecks> } | undefined;
}

/** A draft's file, and what its rows are checked with. */
interface CheckedDraft {
  readonly file: string;
  readonly options: ProgramOptions;
}

/**
 * Checks of single rows of the draft that is worked on: opened with the first correction, and kept until another
 * one is. What is let go is closed when nobody works with it any more.
 */
export class DraftChecks {
  private readonly users: Users;
  private kept: Kept | undefined;

  constructor(users: Users) {
    this.users = users;
  }

  /** What a plan keeps of a draft's rows, to be checked one by one later. */
  memoryFor(draft: string): Memory {
    this.drop();
    const memory = rowsOfFile();
    this.kept = { draft, memory };
    return memory;
  }

  /**
   * The checks of a draft's rows, for its last plan and the settings in effect: opened once, however many ask
   * at once. Throws StopError.
   */
  async open(draft: StoredDraft, checked: CheckedDraft): Promise<RowChecks> {
    if (this.kept?.draft !== draft.id) {
      this.drop();
      this.kept = { draft: draft.id, memory: undefined };
    }
    const { kept } = this;
    const key = JSON.stringify([draft.run, draft.reading, checked.options]);
    if (kept.opened?.key !== key) {
      this.closeOpened(kept);
      kept.opened = { key, opening: openChecks(draft, checked, kept.memory) };
    }
    const { opening } = kept.opened;
    try {
      return (await opening).checks;
    } catch (error) {
      // The next one tries again.
      if (kept.opened?.opening === opening) kept.opened = undefined;
      throw error;
    }
  }

  /** Lets go of the checks, and of what was kept of rows; of one draft where it is named. */
  drop(draft = this.kept?.draft): void {
    const { kept } = this;
    if (kept === undefined || kept.draft !== draft) return;
    this.kept = undefined;
    this.closeOpened(kept);
    const { memory } = kept;
    if (memory !== undefined) this.users.letGo(() => memory.close());
  }

  private closeOpened({ memory, opened }: Kept): void {
    if (opened === undefined) return;
    this.users.letGo(async () => {
      const { session, checks } = await opened.opening;
      // What a plan kept stays for the next ones.
      if (memory === undefined) await checks.close().finally(() => session.close());
      else await session.close();
    });
  }
}

/** How a draft is read. */
export const readingOptions = ({ reading: { choices, ...reading } }: Pick<StoredDraft, 'reading'>) => ({
  ...reading,
  choices: choices.map((choice) => ({ ...choice })),
});

async function openChecks(draft: StoredDraft, { file, options }: CheckedDraft, rows: Memory | undefined) {
  const session = await openSession(options);
  try {
    const reading = { ...readingOptions(draft), allowDelete: true };
    const { run } = draft;
    const checks = await openRowChecks(session, file, reading, {
      ...(run && { run }),
      ...(rows && { rows }),
    });
    return { session, checks };
  } catch (error) {
    await session.close();
    throw error;
  }
}
