import { openRowChecks, type RowChecks, rowsOfFile } from '../../api/check-rows.ts';
import type { ProgramOptions } from '../../options/options.ts';
import { openSession } from '../../session/open-session.ts';
import type { ChosenReading } from '../contract/asked.ts';
import type { Draft } from './draft.ts';
import type { Users } from './users.ts';

type Memory = ReturnType<typeof rowsOfFile>;

/** What is kept of the file that is worked on. */
interface Kept {
  readonly source: string;
  /** What its plan kept of its rows; without a plan in this program, the checks read the file themselves. */
  readonly memory: Memory | undefined;
  opened?: { readonly key: string; readonly opening: ReturnType<typeof openChecks> } | undefined;
}

/** A file, how it is read, and what its rows are checked with. */
interface CheckedFile {
  readonly file: string;
  readonly reading: ChosenReading;
  readonly options: ProgramOptions;
}

/**
 * Checks of single rows of the file that is worked on: opened with the first correction, and kept until another
 * one is. What is let go is closed when nobody works with it any more.
 */
export class DraftChecks {
  private readonly users: Users;
  private kept: Kept | undefined;

  constructor(users: Users) {
    this.users = users;
  }

  /** What a plan keeps of a file's rows, to be checked one by one later. */
  memoryFor(source: string): Memory {
    this.drop();
    const memory = rowsOfFile();
    this.kept = { source, memory };
    return memory;
  }

  /**
   * The checks of a file's rows, for its last plan and the settings in effect: opened once, however many ask
   * at once. Throws StopError.
   */
  async open({ source, run }: Draft, checked: CheckedFile): Promise<RowChecks> {
    if (this.kept?.source !== source) {
      this.drop();
      this.kept = { source, memory: undefined };
    }
    const { kept } = this;
    const key = JSON.stringify([run, checked]);
    if (kept.opened?.key !== key) {
      this.closeOpened(kept);
      kept.opened = { key, opening: openChecks(run, checked, kept.memory) };
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

  /** Lets go of the checks, and of what was kept of rows; of one file where it is named. */
  drop(source = this.kept?.source): void {
    const { kept } = this;
    if (kept === undefined || kept.source !== source) return;
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

/** How a file is read, for its plan. */
export const readingOptions = ({ choices, ...reading }: ChosenReading) => ({
  ...reading,
  choices: choices.map((choice) => ({ ...choice })),
});

async function openChecks(run: string, { file, reading, options }: CheckedFile, rows: Memory | undefined) {
  const session = await openSession(options);
  try {
    const input = { ...readingOptions(reading), allowDelete: true };
    const checks = await openRowChecks(session, file, input, { run, ...(rows && { rows }) });
    return { session, checks };
  } catch (error) {
    await session.close();
    throw error;
  }
}
