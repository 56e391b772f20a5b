import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { t, withFlag } from '../core/language.ts';
import { shellWord } from '../core/visible-text.ts';
import { PRIVATE, temporaryBeside } from '../files/write-aside.ts';
import { listCopies } from './copies.ts';
import type { Db } from './schema.ts';
import { damagedStop } from './stops.ts';

/**
 * What a ledger should hold at least, in the file LEDGER.mark beside it: one that was emptied, lost, swapped for
 * another, or put back as it was earlier does not pass for what it is not.
 */
interface Mark {
  /** Which ledger it is; none of one that was made by an earlier program and not opened since. */
  readonly ledger?: string | null;
  /** Goes up in the ledger, then here, as what must not be sent twice is written: at most once a second. */
  readonly generation: number;
  readonly runs: number;
  readonly last: string | null;
  /** The ledger's file as it was when it was closed. */
  readonly left?: string;
}

/** A mark that can't be read says that there was a ledger, and nothing of what it held. */
const UNREADABLE: Mark = { generation: Number.NaN, runs: 0, last: null };

/** The mark beside a ledger; undefined where there is none. */
export function readMark(file: string): Mark | undefined {
  try {
    const { generation, ...mark } = JSON.parse(readFileSync(`${file}.mark`, 'utf8')) as Mark;
    return Number.isSafeInteger(generation) ? { ...mark, generation } : UNREADABLE;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : UNREADABLE;
  }
}

/** What a ledger holds. */
function markOf(db: Db): Mark {
  const [found] = db
    .prepare(
      `select count(*) as runs, max(run) as last,
       (select value from facts where service = '' and name = 'generation') as generation,
       (select value from facts where service = '' and name = 'ledger') as ledger from runs`,
    )
    .all() as { runs: number; last: string | null; generation: string | null; ledger: string | null }[];
  const { runs = 0, last = null, generation, ledger = null } = found ?? {};
  return { generation: Number(generation ?? 0), runs, last, ledger };
}

/** Writes the mark. Where that fails the old one stays, which asks less of the ledger. */
function writeMark(file: string, mark: Mark): void {
  const aside = temporaryBeside(`${file}.mark`);
  try {
    writeFileSync(aside, `${JSON.stringify(mark)}\n`, { mode: PRIVATE });
    renameSync(aside, `${file}.mark`);
  } catch {
    try {
      rmSync(aside, { force: true });
    } catch {}
  }
}

const EVERY = 1000;

/** Keeps the mark of a ledger; one in memory has none. */
export function openMarks(db: Db, file: string) {
  if (file === ':memory:') return undefined;
  let at = Number.NEGATIVE_INFINITY;
  const own = placeOf(file);
  if (markOf(db).ledger === null)
    db.prepare(`insert or ignore into facts (service, name, value) values ('', 'ledger', ?)`).run(
      randomUUID(),
    );
  const next = db.prepare(
    `insert into facts (service, name, value) values ('', 'generation', '1')
     on conflict do update set value = cast(value + 1 as text)`,
  );
  return {
    due: () => performance.now() - at > EVERY,
    count: () => void next.run(),
    take() {
      at = performance.now();
      const mark = markOf(db);
      return () => {
        if (placeOf(file) === own) writeMark(file, mark);
      };
    },
    keep(close: () => void) {
      // Another ledger that was put in its place meanwhile has a mark of its own.
      if (placeOf(file) !== own) return close();
      const mark = markOf(db);
      close();
      writeMark(file, { ...mark, left: stateOf(file) });
    },
  };
}

/** The size of a file, bytes; 0 where there is none. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Which file has a name: another after it was replaced. */
export function placeOf(file: string): bigint | undefined {
  try {
    return statSync(file, { bigint: true }).ino;
  } catch {
    return undefined;
  }
}

/** Size and time of change of a ledger's file. */
function stateOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return `${found?.size} ${found?.mtimeNs}`;
}

/** Whether a ledger is as a program of ours left it, with nothing beside it that belongs into it. */
export const isAsLeft = (file: string, mark: Mark | undefined): boolean =>
  mark?.left !== undefined && mark.left === stateOf(file) && sizeOf(`${file}-wal`) === 0;

/**
 * Whether a ledger is to be made, as there never was one.
 * @throws StopError for one that is gone or empty.
 */
export function isNew(file: string, mark: Mark | undefined): boolean {
  if (sizeOf(file) > 0) return false;
  const held = (mark?.generation ?? 0) !== 0 || listCopies(file).length > 0 || sizeOf(`${file}-wal`) > 0;
  if (!held) return true;
  const { runs = 0, last = null } = mark ?? {};
  const [en, nl] = last === null ? ['', ''] : [`, the last ${last}`, `, de laatste ${last}`];
  const state =
    statSync(file, { throwIfNoEntry: false }) === undefined
      ? t('is gone', 'is weg')
      : t('is empty', 'is leeg');
  throw damagedStop(
    file,
    t(`${state.en}, but held runs: ${runs}${en}`, `${state.nl}, maar er stonden runs in: ${runs}${nl}`),
  );
}

/** @throws StopError for a ledger that is older than its mark, or another one. */
export function refuseOlder(db: Db, file: string, mark: Mark | undefined): void {
  const now = markOf(db);
  // Of one that never held anything nothing is lost.
  const isOther = mark?.ledger != null && mark.generation > 0 && now.ledger !== mark.ledger;
  // What a mark that can't be read asked is not known.
  if (mark === undefined || (!isOther && !(now.generation < mark.generation))) return;
  const [then, held] = [mark, now].map(({ runs, last }) => `${runs}${last === null ? '' : `, ${last}`}`);
  const asItIs = withFlag(
    t(
      'If you put it back yourself, whoever set the program up can go on with it as it is.',
      'Heb je het zelf teruggezet, dan kan wie het programma heeft geïnstalleerd er zo mee verder.',
    ),
    `catersheet ledger restore ${shellWord(file)} --ledger ${shellWord(file)}`,
  );
  if (isOther)
    throw damagedStop(
      file,
      t(
        `is another one than was here: its runs are ${held}, and should be ${then}`,
        `is een ander dan hier was: de runs zijn ${held}, en horen ${then} te zijn`,
      ),
      { more: asItIs },
    );
  throw damagedStop(
    file,
    t(
      `lacks what was written last: its runs are ${held}, and should be ${then}. It was put back from earlier, or its -wal file is missing`,
      `mist wat er het laatst in kwam: de runs zijn ${held}, en horen ${then} te zijn. Het is van eerder teruggezet, of het bestand -wal ontbreekt`,
    ),
    { more: asItIs },
  );
}
