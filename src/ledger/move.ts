import { existsSync } from 'node:fs';
import { type StopError, usageStop } from '../core/errors.ts';
import { t } from '../core/language.ts';
import type { Time } from '../core/time.ts';
import { isDatabase } from './database-address.ts';
import { inUse, markAnew, noLedger } from './ledger-files.ts';
import { tryLock } from './lock.ts';
import { type MovedLedger, type Row, summing, sumsOf, type TableSum, tableEnd } from './move-tables.ts';
import { openDatabase, runnerOn } from './sqlite-ledger.ts';
import { MOVED, movedStop } from './stops.ts';
import { TABLES } from './tables.ts';

/** What was moved. */
interface MovedSums {
  readonly from: string;
  readonly to: string;
  readonly tables: readonly TableSum[];
}

/** Is told of each table once its rows are there. */
type OnMoved = (table: string, rows: number) => void;

/** Facts of a place, which are of no other. */
const OWN_FACTS: ReadonlySet<unknown> = new Set([MOVED[1], 'generation', 'ledger', 'run at work']);

/**
 * Moves a ledger from a file into a database, or back: all of it or nothing, held against the original by
 * the number of rows and a sum over all that they hold. The original stays, and is used no more.
 * @throws StopError (usage) where one of both is in use, is no ledger, or the target holds another.
 */
export async function moveLedger(
  from: string,
  to: string,
  time: Time,
  tell: OnMoved = () => {},
): Promise<MovedSums> {
  const [file, address] = isDatabase(from) ? [to, from] : [from, to];
  if (isDatabase(file) || !isDatabase(address) || file === ':memory:') throw NO_WAY;
  const intoDatabase = address === to;
  if (intoDatabase && !existsSync(file)) throw noLedger(file);
  const lock = tryLock(file);
  if (lock === null) throw inUse(file);
  try {
    return await withDatabase(address, time, async (database) => {
      const end = openFileEnd(file);
      try {
        const moved = intoDatabase
          ? await database.within((other) => copyInto(end, other, tell))
          : await intoFile(end, database, tell);
        end.close();
        if (intoDatabase) markMoved(file, moved.to);
        else await database.markMoved(file);
        return moved;
      } finally {
        end.close();
      }
    });
  } finally {
    lock.release();
  }
}

interface OpenDatabase {
  within<T>(work: (end: MovedLedger) => Promise<T>): Promise<T>;
  markMoved(to: string): Promise<void>;
}

/** Opens the database's ledger, with the right to send, which nobody else has meanwhile. */
async function withDatabase<T>(
  address: string,
  time: Time,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const { openDatabaseLedger, withDatabaseEnd } = await import('./postgres/pg-ledger.ts');
  const opened = await openDatabaseLedger(address, time);
  try {
    const right = await opened.tryLock();
    if (right === null) throw inUse(opened.database.place);
    return await work({
      within: (use) => withDatabaseEnd(opened.database, use),
      markMoved: async (to) => await opened.ledger.rememberFact(...MOVED, to),
    });
  } finally {
    await opened.ledger.close();
  }
}

async function intoFile(end: FileEnd, database: OpenDatabase, tell: OnMoved): Promise<MovedSums> {
  return await database.within(async (other) => {
    end.begin();
    const moved = await copyInto(other, end, tell);
    end.commit();
    return moved;
  });
}

/** Copies all rows, and reads them back. Throws to undo it. */
async function copyInto(from: MovedLedger, to: MovedLedger, tell: OnMoved): Promise<MovedSums> {
  const found = { from: from.place, to: to.place };
  const gone = await movedTo(from);
  if (gone !== undefined) throw movedStop(from.place, gone);
  // What was moved away from here is out of date: it comes back whole.
  const back = await movedTo(to);
  if (back !== undefined && back !== from.place) throw movedStop(to.place, back);
  if (back !== undefined) await clearAll(to);
  const there = await sumsOf(withoutOwnFacts(to));
  if (there.some(({ rows }) => rows > 0)) {
    const here = await sumsOf(withoutOwnFacts(from));
    if (!isSame(here, there)) throw notEmpty(to.place);
    return { ...found, tables: here };
  }
  const tables: TableSum[] = [];
  for (const table of TABLES) {
    const { add, sum, rows: count } = summing(table);
    for await (const rows of withoutOwnFacts(from).read(table)) {
      add(rows);
      await to.write(table, rows);
    }
    tables.push(sum());
    tell(table.name, count());
  }
  const written = await sumsOf(withoutOwnFacts(to));
  if (!isSame(tables, written)) throw notSame(to.place);
  return { ...found, tables };
}

/** Removes all that a ledger holds, but what is of its place. */
async function clearAll(ledger: MovedLedger): Promise<void> {
  for (const table of TABLES) {
    const own: Row[] = [];
    if (table.name === 'facts')
      for await (const rows of ledger.read(table))
        own.push(...rows.filter((row) => isOwnFact(row) && row.name !== MOVED[1]));
    await ledger.clear(table);
    await ledger.write(table, own);
  }
}

/** Where a ledger was moved to; undefined for one that was not. */
async function movedTo(ledger: Pick<MovedLedger, 'read'>): Promise<string | undefined> {
  const facts = TABLES.find(({ name }) => name === 'facts');
  if (facts === undefined) return undefined;
  for await (const rows of ledger.read(facts))
    for (const { service, name, value } of rows)
      if (service === MOVED[0] && name === MOVED[1] && value) return String(value);
  return undefined;
}

const isOwnFact = ({ service, name }: Row): boolean => service === '' && OWN_FACTS.has(name);

const isSame = (one: readonly TableSum[], other: readonly TableSum[]): boolean =>
  one.every(({ rows, sum }, at) => other[at]?.rows === rows && other[at]?.sum === sum);

const withoutOwnFacts = (ledger: Pick<MovedLedger, 'read'>): Pick<MovedLedger, 'read'> => ({
  async *read(table) {
    for await (const rows of ledger.read(table))
      yield table.name === 'facts' ? rows.filter((row) => !isOwnFact(row)) : rows;
  },
});

/** A copy from before that is put back by hand is told from what is here now. */
const markMoved = (file: string, to: string): void =>
  markAnew(file, (db) => {
    db.prepare('insert or replace into facts (service, name, value) values (?, ?, ?)').run(...MOVED, to);
  });

const NO_WAY = usageStop(
  t(
    'A ledger is moved from a file to a database, or from a database to a file.',
    'Een register verhuist van een bestand naar een database, of van een database naar een bestand.',
  ),
  t(
    'Give both: catersheet ledger move ledger.db postgres://user@server/database.',
    'Geef beide: catersheet ledger move ledger.db postgres://gebruiker@server/database.',
  ),
);

const notEmpty = (place: string): StopError =>
  usageStop(
    t(`The ledger ${place} holds something else already.`, `In het register ${place} staat al iets anders.`),
    t(
      'Two ledgers are not joined: name an empty one.',
      'Twee registers worden niet samengevoegd: noem een leeg.',
    ),
  );

const notSame = (place: string): StopError =>
  usageStop(
    t(
      `What was written to ${place} is not what was read; nothing was moved.`,
      `Wat in ${place} geschreven is, is niet wat er gelezen werd; er is niets verhuisd.`,
    ),
    t(
      'Check the original with catersheet ledger check, and try again.',
      'Controleer het origineel met catersheet ledger check, en probeer het opnieuw.',
    ),
  );

/** A ledger in a file as an end of a move; what is written counts once `commit` is called. */
interface FileEnd extends MovedLedger {
  begin(): void;
  commit(): void;
  close(): void;
}

/** Opens a ledger's file to be moved, or to be moved to. Throws StopError for what is none. */
function openFileEnd(file: string): FileEnd {
  const db = openDatabase(file);
  const run = runnerOn(db);
  const direct = {
    read: async (text, ...params) => run(text, params) as never[],
    write: async (statements) => statements.map(({ text, params }) => run(text, params) as never[]),
  } satisfies Parameters<typeof tableEnd>[0];
  return {
    ...tableEnd(direct, file),
    begin: () => void db.exec('begin immediate'),
    commit: () => void db.exec('commit'),
    close: () => void db.close(),
  };
}
