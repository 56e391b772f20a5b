import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import pino from 'pino';
import { EXIT, StopError } from '../core/errors.ts';
import { t } from '../core/language.ts';
import { isFolder, makeFolder } from '../files/folders.ts';

const KEPT_DAYS = 30;

/**
 * Names that must never be written with their value, wherever they turn up (tokens, and people's own data).
 */
const SECRET = [
  'token',
  'authorization',
  'Authorization',
  'Email',
  'EmailPrive',
  'Telefoon',
  'TelefoonPrive',
  'Mobiel',
];
const PERSONAL = ['Voornaam', 'Achternaam', 'Geachte', 'TAV', 'BankNr', 'IbanNr', 'Chauffeur'];

/** An open log and where it is written. */
interface OpenLog {
  readonly log: Logger;
  readonly file: string;
  close(): Promise<void>;
}

/** Where a log goes. */
interface LogOptions {
  /** `--log FILE`; a file a day in `folder` when absent. */
  readonly file?: string | undefined;
  readonly folder: string;
  /** Also to stderr, and down to every request. */
  readonly verbose: boolean;
  readonly clock: () => Date;
}

/** Opens the NDJSON log: one line a request and a decision. */
export function openLog(options: LogOptions): OpenLog {
  const file = options.file ?? join(options.folder, `${options.clock().toISOString().slice(0, 10)}.log`);
  try {
    makeFolder(dirname(file));
    // Windows opens a folder to add to it.
    if (isFolder(file)) throw new Error(`${file} is a folder`);
    // The stream opens it later and by itself, too late to tell the user.
    closeSync(openSync(file, 'a'));
    const destination = pino.destination({ dest: file, sync: false, minLength: 4096 });
    // A disk that fills up ends the log, never the run.
    destination.on('error', () => {});
    if (options.file === undefined) dropOldLogs(options.folder, options.clock());
    const streams: pino.StreamEntry[] = [{ level: 'debug', stream: destination }];
    if (options.verbose) streams.push({ level: 'debug', stream: process.stderr });
    const paths = [...SECRET, ...PERSONAL].flatMap((name) => [name, `*.${name}`]);
    const log = pino(
      { level: 'debug', base: null, redact: { paths, censor: '…' } },
      pino.multistream(streams),
    );
    return { log, file, close: () => flush(destination) };
  } catch (cause) {
    throw new StopError(
      EXIT.usage,
      t(`The log ${file} cannot be written.`, `Het logboek ${file} kan niet worden geschreven.`),
      { next: t('Name another file with --log.', 'Noem een ander bestand met --log.'), cause },
    );
  }
}

function flush(destination: ReturnType<typeof pino.destination>): Promise<void> {
  return new Promise((resolve) => {
    destination.on('close', () => resolve());
    destination.on('error', () => {
      // What is left would be tried again and again as the process exits, and keep it from doing so.
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
