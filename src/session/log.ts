import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { usageStop } from '../core/errors.ts';
import { t, withFlag } from '../core/language.ts';
import { logLines } from '../core/standard-streams.ts';
import type { Time } from '../core/time.ts';
import { isFolder, makeFolder } from '../files/folders.ts';
import { isHeldHere } from '../files/held-files.ts';
import { PRIVATE } from '../files/write-aside.ts';

const KEPT_DAYS = 30;

/** How each line of a log begins. */
const LOG_START = '{"level":';

/** Names whose values are never written: tokens, and people's own data. */
const NEVER: ReadonlySet<string> = new Set([
  ...['token', 'authorization', 'Authorization'],
  ...['Email', 'EmailPrive', 'Telefoon', 'TelefoonPrive', 'Mobiel'],
  ...['Voornaam', 'Achternaam', 'Geachte', 'TAV', 'BankNr', 'IbanNr', 'Chauffeur'],
]);

type Line = Readonly<Record<string, unknown>>;

/** What a line says, without what is never written: by the names of its members and of theirs. */
function hidden(line: Line, deep = true): Line {
  let shown = line;
  for (const [name, value] of Object.entries(line)) {
    const isPart = deep && typeof value === 'object' && value !== null;
    const now = NEVER.has(name) ? '…' : isPart ? hidden(value as Line, false) : value;
    if (now !== value) shown = { ...shown, [name]: now };
  }
  return shown;
}

/** Where a log is written. */
interface LogOptions {
  /** The file of `--log`; absent: a file a day in `folder`. */
  readonly file?: string | undefined;
  readonly folder: string;
  /** Also to stderr, every request included. */
  readonly verbose: boolean;
  readonly time: Time;
}

/** Opens the NDJSON log: one line for each request and decision. Throws StopError with EXIT.usage. */
export function openLog(options: LogOptions) {
  const file =
    options.file ?? join(options.folder, `${new Date(options.time.now()).toISOString().slice(0, 10)}.log`);
  try {
    makeFolder(dirname(file));
    // Windows opens a folder to add to it.
    if (isFolder(file)) throw new Error(`${file} is a folder`);
    if (!mayBeLog(file)) throw new Error(`${file} holds something else`);
    // The stream itself would open the file later, too late to tell the user.
    const opened = openSync(file, 'a', PRIVATE);
    const destination = pino.destination({ dest: opened, sync: false, minLength: 4096 });
    // A full disk ends the log, never the run.
    destination.on('error', () => {});
    if (options.file === undefined) dropOldLogs(options.folder, new Date());
    const streams: pino.StreamEntry[] = [{ level: 'debug', stream: logLines(destination) }];
    if (options.verbose) streams.push({ level: 'debug', stream: logLines() });
    // The library's own way, by paths, took a twentieth of the time of a program that sends.
    const formatters = { log: (line: Line) => hidden(line) };
    // What stands on all lines of a part is written by these.
    const serializers = Object.fromEntries([...NEVER].map((name) => [name, () => '…']));
    const log = pino({ level: 'debug', base: null, formatters, serializers }, pino.multistream(streams));
    return { log, file, close: () => flush(destination) };
  } catch (cause) {
    throw usageStop(
      t(`The log ${file} cannot be written.`, `Het logboek ${file} kan niet worden geschreven.`),
      withFlag(
        t(
          'Name a new file for it, or one that is a log of this program.',
          'Noem er een nieuw bestand voor, of een logboek van dit programma.',
        ),
        '--log',
      ),
      cause,
    );
  }
}

/** Whether a file is new, a device, or holds a log already: nothing else gets lines of ours. */
function mayBeLog(file: string): boolean {
  if (isHeldHere(file)) return false;
  const size = statSync(file, { throwIfNoEntry: false });
  if (size === undefined || size.isCharacterDevice() || (size.isFile() && size.size === 0)) return true;
  if (!size.isFile()) return false;
  const from = openSync(file, 'r');
  try {
    const start = Buffer.alloc(LOG_START.length);
    readSync(from, start, 0, start.length, 0);
    return start.toString('latin1') === LOG_START;
  } finally {
    closeSync(from);
  }
}

function flush(destination: ReturnType<typeof pino.destination>): Promise<void> {
  return new Promise((resolve) => {
    destination.on('close', () => resolve());
    destination.on('error', () => {
      // Writing the rest would be retried forever and keep the process from ending.
      destination.destroy();
      resolve();
    });
    destination.end();
  });
}

function dropOldLogs(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    if (!/^\d{4}-\d{2}-\d{2}\.log$/.test(name)) continue;
    const file = join(folder, name);
    if (now.getTime() - statSync(file).mtimeMs > KEPT_DAYS * 86_400_000) rmSync(file, { force: true });
  }
}
