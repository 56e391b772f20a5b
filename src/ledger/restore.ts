import { copyFileSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import Database from 'libsql';
import { usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { isHeldHere } from '../files/held-files.ts';
import { temporaryBeside } from '../files/write-aside.ts';
import { copyLedger, stamp } from './copies.ts';
import { placeOfCopied } from './from-copy.ts';
import { tryLock } from './lock.ts';
import { openMarks } from './mark.ts';
import { numberOf } from './scan.ts';
import { type Db, renew } from './schema.ts';
import { closeWhole } from './sqlite-ledger.ts';
import { columnsOf, TABLES, type Table } from './tables.ts';

/** What tells that something was sent, and of what: it stays true whichever copy is put back. */
const CARRIED: readonly Table[] = TABLES.filter(({ name }) => ['postings', 'keys', 'memory'].includes(name));
/** Rows that are carried over at a time; of a damaged table those that come before the damage and after. */
const BATCH = 1000;

/** Says of the plans that are not done that they come from a copy. */
function markPlans(db: Db): void {
  const mark = db.prepare('insert or ignore into facts (service, name, value) values (?, ?, ?)');
  const open = db.prepare("select run from runs where state <> 'done'").all() as { run: string }[];
  for (const { run } of open) mark.run(...placeOfCopied(run), 'yes');
}

/**
 * Puts a whole copy in the place of a ledger. What was there stays beside it under another name; what can
 * still be read in it of what was sent is carried over. A ledger named as its own copy goes on as it is.
 * @throws StopError (usage) while this process or another one uses the ledger; otherwise what is wrong.
 */
export function putBack(file: string, copy: string) {
  // Its bytes are read, and closing what they are read from takes this process's locks on it.
  if (isHeldHere(file)) throw inUse(file);
  const lock = tryLock(file);
  if (lock === null) throw inUse(file);
  try {
    if (existsSync(file) && realpathSync(copy) === realpathSync(file)) {
      markAnew(file, markPlans);
      return { kept: undefined, lost: [], carried: 0 };
    }
    const part = temporaryBeside(file);
    try {
      const saved = makePart(file, copy, part);
      const kept = setAside(file);
      renameSync(part, file);
      markAnew(file);
      return { kept, ...saved };
    } finally {
      rmSync(part, { force: true });
    }
  } finally {
    lock.release();
  }
}

type Saved = { lost: ReturnType<typeof lostRuns>; carried: number };

/** Makes the new ledger, with what could be read in the old one, unless it is damaged by that. */
function makePart(file: string, copy: string, part: string): Saved {
  const old = temporaryBeside(file);
  const saved = { lost: [], carried: 0 } as Saved;
  try {
    // Of the old one a copy is read: reading it would fold its -wal file into it.
    for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, old + end);
    if ((statSync(old, { throwIfNoEntry: false })?.size ?? 0) > 0) {
      copyLedger(copy, part, (db) => {
        carryOver(db, old, saved);
        markPlans(db);
      });
      return saved;
    }
  } catch {
    // Too damaged, or no room for it.
    saved.carried = 0;
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(old + end, { force: true });
  }
  copyLedger(copy, part, markPlans);
  return saved;
}

function carryOver(db: Db, old: string, saved: Saved): void {
  // A copy from before an update of the program lacks what the old one has; of an old one that does, the rest is
  // carried over.
  renew(db);
  db.exec(`attach '${old.replaceAll("'", "''")}' as old`);
  try {
    saved.lost = lostRuns(db);
    const isNewer = isLater(db);
    for (const table of CARRIED) saved.carried += carryTable(db, table, isNewer);
  } catch {
    // Nothing of it can be read.
  } finally {
    db.exec('detach old');
  }
}

/** Whether the old ledger is of after the copy: an older one may have been put in its place before. */
function isLater(db: Db): boolean {
  const [old, copied] = ['old', 'main'].map(
    (of) => `select cast(value as integer) from ${of}.facts where service = '' and name = 'generation'`,
  );
  try {
    return numberOf(db, `select coalesce((${old}), 0) >= coalesce((${copied}), 0)`) === 1;
  } catch {
    // It is damaged there: it was in use until now.
    return true;
  }
}

/** The runs that the old ledger knew, and the copy doesn't. */
function lostRuns(db: Db) {
  const query = `select cast(run as blob) as run, cast(file as blob) as file, cast(started_at as blob) as startedAt
    from old.runs where run not in (select run from main.runs) order by started_at`;
  const lost: { readonly run: string; readonly file: string; readonly startedAt: string }[] = [];
  try {
    for (const row of db.prepare(query).iterate() as Iterable<
      Record<'run' | 'file' | 'startedAt', ArrayBuffer>
    >) {
      const text = (key: keyof typeof row): string => Buffer.from(row[key]).toString('utf8');
      lost.push({ run: text('run'), file: text('file'), startedAt: text('startedAt') });
    }
  } catch {
    // Those before the damage are better than none.
  }
  return lost;
}

function carryTable(db: Db, table: Table, isNewer: boolean): number {
  const { name } = table;
  const columns = columnsOf(table).join(', ');
  // What was sent last, and held then, is what the later one tells.
  const isTold = name === 'memory' && isNewer;
  const known = isTold
    ? 'on conflict do update set value = excluded.value where t.value <> excluded.value'
    : '';
  let carried = 0;
  for (const order of ['', ' desc'])
    try {
      for (let from = 0; ; from += BATCH) {
        // Rows of plans are not carried over: which of them wrote a record tells nothing without them.
        const which = name === 'memory' ? `where kind <> 'write'` : '';
        const rows = `from old.${name} ${which} order by 1${order}, 2${order}, 3${order}, 4${order} limit ${BATCH} offset ${from}`;
        carried += db
          .prepare(`insert or ignore into main.${name} as t (${columns}) select ${columns} ${rows} ${known}`)
          .run().changes;
        if (name === 'postings') settleAsOld(db, rows);
        if (numberOf(db, `select count(*) from (select * ${rows})`) < BATCH) return carried;
      }
    } catch {
      // From the other end, up to the damage.
    }
  return carried;
}

/** What the old ledger knows to be done is so, where the copy has it in doubt. */
function settleAsOld(db: Db, rows: string): void {
  db.prepare(
    `update main.postings set state = 'done', id = done.id
     from (select * ${rows}) as done where done.state = 'done' and main.postings.state <> 'done'
       and (main.postings.service, main.postings.resource, main.postings.fingerprint)
         = (done.service, done.resource, done.fingerprint)`,
  ).run();
}

/** Moves a ledger and what belongs to it away; its -wal first, which must never meet another ledger. */
function setAside(file: string): string | undefined {
  const ends = ['-wal', '-shm', ''].filter((end) => existsSync(file + end));
  if (ends.length === 0) return undefined;
  const kept = `${file}.damaged-${stamp(Date.now())}`;
  try {
    for (const end of ends) renameSync(file + end, kept + end);
  } catch (error) {
    // Windows does not move what is open.
    if (['EBUSY', 'EPERM', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code)))
      throw inUse(file);
    throw error;
  }
  return kept;
}

/** The mark says from now on what this ledger holds: another one than every copy that was made before. */
export function markAnew(file: string, change: (db: Db) => void = () => {}): void {
  const db = new Database(file, { timeout: 10_000 });
  change(db);
  db.exec(`delete from facts where service = '' and name = 'ledger'`);
  const marks = openMarks(db, file);
  marks?.count();
  marks?.keep(() => closeWhole(db));
}

const inUse = (file: string) =>
  usageStop(
    t(`Another program uses the ledger ${file}.`, `Een ander programma gebruikt het register ${file}.`),
    t(
      'Wait until it is done, or end it, and give the same command again.',
      'Wacht tot het klaar is, of sluit het, en geef dezelfde opdracht opnieuw.',
    ),
  );
