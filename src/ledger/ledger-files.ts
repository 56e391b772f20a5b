import { copyFileSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'libsql';
import { type StopError, usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { systemTime } from '../core/time.ts';
import { isHeldHere } from '../files/held-files.ts';
import { temporaryBeside, writeFailureReason } from '../files/write-aside.ts';
import { copiedAt, copyLedger, keepCopy, listCopies, stamp } from './copies.ts';
import { isDatabase } from './database-address.ts';
import { placeOfCopied } from './ledger.ts';
import { tryLock } from './lock.ts';
import { openMarks, readMark } from './mark.ts';
import { type Db, numberOf, renew } from './schema.ts';
import { closeWhole, lookInto } from './sqlite-ledger.ts';
import { columnsOf, TABLES, type Table } from './tables.ts';

/** Whether the ledger is whole, what it holds, and which copies there are of it; nothing is changed. */
export async function checkLedger(ledger: string) {
  if (!isDatabase(ledger)) return { ...checkFile(ledger), isFile: true };
  const { lookIntoDatabase } = await import('./postgres/pg-ledger.ts');
  return { ledger, found: await lookIntoDatabase(ledger), copies: [], isFile: false };
}

function checkFile(ledger: string) {
  const copies = listCopies(ledger).map(lookIntoCopy);
  return { ledger, found: lookInto(ledger, readMark(ledger)), copies };
}

/** Throws StopError for a ledger in a database, which is not copied as a file is. */
function refuseDatabase(ledger: string): void {
  if (!isDatabase(ledger)) return;
  throw usageStop(
    t(
      `The ledger ${ledger} is a database: its backups are made and put back with its own programs.`,
      `Het register ${ledger} is een database: back-ups worden met de eigen programma's gemaakt en teruggezet.`,
    ),
    t('See docs/operations.md: pg_dump and pg_restore.', 'Zie docs/operations.md: pg_dump en pg_restore.'),
  );
}

const lookIntoCopy = (file: string) => ({ file, at: copiedAt(file), found: lookInto(file) });

/**
 * Copies the ledger as it is now into a file, or else beside it. Throws StopError with EXIT.usage for one
 * that is damaged, and for a file that is no backup of a ledger.
 */
export function backUpLedger(named: string | undefined, ledger: string) {
  refuseDatabase(ledger);
  const found = lookInto(ledger, readMark(ledger));
  if (found?.stop !== undefined) throw found.stop;
  if (found === undefined) throw noLedger(ledger);
  const target = named === undefined ? undefined : resolve(named);
  const replaced = target !== undefined && existsSync(target);
  if (replaced) refuseTarget(target);
  try {
    if (target !== undefined) copyLedger(ledger, target);
    return {
      ledger,
      backup: target ?? keepCopy(ledger, systemTime.now()),
      replaced,
      holds: found.holds,
    };
  } catch (cause) {
    const reason = writeFailureReason(cause);
    if (reason === undefined) throw cause;
    const text = t(
      `The backup ${target ?? ledger} can't be written: ${reason.en}.`,
      `De back-up ${target ?? ledger} kan niet worden geschreven: ${reason.nl}.`,
    );
    throw usageStop(text, ANOTHER, cause);
  }
}

const ANOTHER = t('Name another file.', 'Noem een ander bestand.');

/** A file is replaced only by a backup of what it is a backup of: no ledger that is used, nothing else. */
function refuseTarget(target: string): void {
  const used = ['.mark', '-wal', '-lock'].some((end) => existsSync(target + end));
  if (!used && statSync(target).isFile() && lookInto(target)?.holds !== undefined) return;
  throw usageStop(
    t(
      `${target} is there already, and is no backup of a ledger; it is not overwritten.`,
      `${target} bestaat al, en is geen back-up van een register; het wordt niet overschreven.`,
    ),
    ANOTHER,
  );
}

/** The stop for a ledger that is not there. */
export const noLedger = (file: string): StopError =>
  usageStop(
    t(`There is no ledger ${file} yet.`, `Er is nog geen register ${file}.`),
    withFlag(t('Name another one.', 'Noem een ander.'), '--ledger'),
  );

/**
 * The copy that is named, or the newest that is whole, to be put back. Throws StopError with EXIT.usage for
 * one that is damaged or no ledger, and where there is none.
 */
export function chooseCopy(named: string | undefined, ledger: string) {
  refuseDatabase(ledger);
  const { copies, found: now } = checkFile(ledger);
  // What was put back would send again beside the one that is in use.
  if (now?.moved !== undefined) throw now.moved;
  const copy = named === undefined ? undefined : resolve(named);
  const chosen =
    copy === undefined
      ? copies.find(({ found }) => found?.holds !== undefined)
      : (copies.find(({ file }) => file === copy) ?? lookIntoCopy(copy));
  const { file, at, found } = chosen ?? {};
  const another = withFlag(
    t('Name a backup of your own.', 'Noem een eigen back-up.'),
    'catersheet ledger restore backup.db',
  );
  // What is to be done about a ledger is no advice about a copy.
  if (found?.stop !== undefined) throw usageStop(found.stop.texts.message, another);
  if (file === undefined || at === undefined || found === undefined)
    throw usageStop(
      copy === undefined
        ? t(`There is no whole copy of ${ledger}.`, `Er is geen hele kopie van ${ledger}.`)
        : t(`There is no ledger in ${copy}.`, `Er is geen register in ${copy}.`),
      another,
    );
  return { ledger, copies, copy: file, at, holds: found.holds };
}

/** Puts a chosen copy in the place of the ledger, which is kept, and says what the copy does not know. */
export function restoreLedger(chosen: ReturnType<typeof chooseCopy>) {
  const mark = readMark(chosen.ledger);
  const { kept, lost, carried } = putBack(chosen.ledger, chosen.copy);
  const held = mark === undefined || Number.isNaN(mark.generation) ? undefined : mark.runs;
  const { holds = chosen.holds } = lookInto(chosen.ledger) ?? {};
  return { ...chosen, holds, kept: kept ?? null, lost, carried, held: held ?? null };
}

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

/** The stop for a ledger that another program has. */
export const inUse = (place: string) =>
  usageStop(
    t(`Another program uses the ledger ${place}.`, `Een ander programma gebruikt het register ${place}.`),
    t(
      'Wait until it is done, or end it, and give the same command again.',
      'Wacht tot het klaar is, of sluit het, en geef dezelfde opdracht opnieuw.',
    ),
  );
