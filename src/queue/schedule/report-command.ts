import { spawn } from 'node:child_process';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';

/** A program of the user's that gets a report. */
export interface ReportCommand {
  /** The program and its own arguments. */
  readonly command: readonly string[];
  /** Where it works. */
  readonly folder: string;
  /** Behind its own arguments. */
  readonly words: readonly string[];
  /** What it finds in its environment. */
  readonly told: Readonly<Record<string, string>>;
  /** How long it may take, s. */
  readonly timeout: number;
}

/**
 * What a program needs of the environment of this one. All else stays here: the token and the password of the
 * ledger stand there.
 */
const PASSED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_MESSAGES', 'TZ', 'TMPDIR', 'MAILTO'],
  ...['SystemRoot', 'SYSTEMROOT', 'Path', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'COMSPEC'],
] as const;

/** The environment of a program of the user's. */
export function reportEnvironment(
  told: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const passed = PASSED.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...told };
}

/** What a program said last, at most. */
const SAID = 500;
/** How long a program that was asked to end may take for it, ms. */
const GRACE = 3000;

/**
 * Runs a program of the user's with a report, without a shell. One that takes too long is ended, with all
 * that it started. Throws StopError (fault) where it can't be started, fails or takes too long.
 */
export async function runReportCommand(wanted: ReportCommand, signal?: AbortSignal): Promise<void> {
  const { command, folder, words, told, timeout } = wanted;
  const [program = '', ...own] = command;
  const groups = process.platform !== 'win32';
  const child = spawn(program, [...own, ...words], {
    cwd: folder,
    env: reportEnvironment(told, process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it starts is ended with it.
    detached: groups,
    windowsHide: true,
  });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said = (said + chunk.toString('utf8')).slice(-SAID);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const end = (how: NodeJS.Signals): void => {
    try {
      if (groups && child.pid !== undefined) process.kill(-child.pid, how);
      else child.kill(how);
    } catch {
      // It ended meanwhile.
    }
  };
  let late = false;
  let grace: NodeJS.Timeout | undefined;
  const stop = (): void => {
    end('SIGTERM');
    grace = setTimeout(() => end('SIGKILL'), GRACE);
  };
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, timeout * 1000);
  signal?.addEventListener('abort', stop);
  try {
    const [code, how] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (exit, by) => resolve([exit, by]));
    });
    if (late) throw failed(program, lateText(timeout), said);
    if (code !== 0)
      throw failed(program, t(`it ended with ${code ?? how}`, `het eindigde met ${code ?? how}`), said);
  } catch (cause) {
    if (cause instanceof StopError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw failed(program, t(`it can’t be started (${code})`, `het is niet te starten (${code})`), said);
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal?.removeEventListener('abort', stop);
    // What it started would be at it for ever.
    if (late || signal?.aborted === true) end('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

const lateText = (timeout: number): Bilingual =>
  t(
    `it was not done after ${timeout} s, and was ended`,
    `het was na ${timeout} s niet klaar, en is beëindigd`,
  );

function failed(program: string, { en, nl }: Bilingual, said: string): StopError {
  const last = said.trim() === '' ? '' : `: ${said.trim()}`;
  return new StopError(
    EXIT.fault,
    t(
      `The report did not get through by ${program}: ${en}${last}.`,
      `Het verslag is niet doorgegeven met ${program}: ${nl}${last}.`,
    ),
    {
      next: t(
        'Try the program by hand with a page and an exit code behind it.',
        'Probeer het programma met de hand, met een pagina en een exitcode erachter.',
      ),
    },
  );
}
