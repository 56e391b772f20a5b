/** Rows of a plan from one place to another, both included. */
export type PlaceRange = readonly [first: number, last: number];

/** Rows of a run that one program sends: none of them waits for a row of another part. */
export interface Part {
  /** Its place among the run's parts, from 0. */
  readonly part: number;
  /** In the order of the plan. */
  readonly places: readonly PlaceRange[];
}

/** The programs that send one run side by side, as one of them has it. */
export interface Team {
  /** Lets others send parts of a run beside this program, which has the right to send alone. */
  share(run: string, parts: readonly Part[]): Promise<void>;
  /**
   * Takes the next part that no program sends, also one of a program that was not heard of for long;
   * undefined where there is none. Throws StopError where this program may send no more.
   */
  take(): Promise<Part | undefined>;
  /** To be called when all rows of a part have an outcome, or are left to who sends the run alone. */
  done(part: Part): Promise<void>;
  /**
   * Takes the run for this program alone, once no other one sends of it; false while others do. To be asked
   * by who shared it: it has the right to send as before, and the parts are gone.
   */
  alone(): Promise<boolean>;
}

/** The right to send with a ledger, which one program has at a time, or several for one run. */
export interface SendingRight {
  release(): void | Promise<void>;
  /**
   * Throws StopError where this program may send no more, as its right ended or another may have it by now: asked as
   * the bytes of each write are about to leave. Absent for a ledger in a file, whose right ends with the program.
   */
  readonly check?: () => void;
  /** Absent for a ledger in a file. */
  readonly team?: Team;
}
