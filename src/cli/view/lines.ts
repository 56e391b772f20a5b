import { basename, dirname, sep } from 'node:path';
import type { Documents, StopDocument, StoppedFile } from '../../api/documents.ts';
import type { Confirm, ImportEnd } from '../../api/import-workbook.ts';
import { EXIT, type ExitCode, type StopError } from '../../core/errors.ts';
import { type Bilingual, type Language, t } from '../../core/language.ts';
import { type Line, showLines } from '../../core/standard-streams.ts';
import { shownWidth, visibleLine } from '../../core/visible-text.ts';
import type { ReadQuestions } from '../../import/import.ts';
import { COMMANDS } from '../../options/commands.ts';
import type { Progress } from '../../run/progress.ts';

/** What is said where a question was answered with No. */
export const DECLINED = t('Nothing was sent.', 'Er is niets verstuurd.');

/** Shows lines, broken at words where they are wider than the screen; a command to copy stays whole. */
export function show(to: 'stdout' | 'stderr', lines: readonly Line[], color = false): void {
  const { isTTY, columns } = process[to];
  const own = BY_NAME ? lines : lines.map(throughNpx);
  // Where nobody reads from a screen, as in a pipe, lines stay whole.
  const isWhole = isTTY !== true && !process.env.COLUMNS;
  showLines(to, isWhole ? own : own.flatMap((line) => broken(line, columnsOf(columns))), color);
}

/** Whether a shell here finds the program by its name: not where npx runs it, nor in a clone. */
export function runByName(script = '', environment: NodeJS.ProcessEnv, folder: string): boolean {
  if (basename(script) === 'catersheet') return environment.npm_lifecycle_event !== 'npx';
  const root = dirname(dirname(script));
  const isClone = basename(script) === 'catersheet.js' && !script.split(/[\\/]/).includes('node_modules');
  return !isClone || (folder !== root && !folder.startsWith(root + sep));
}

const COMMAND = new RegExp(
  `(?<![\\w./\\\\-]|npx )catersheet (?=${Object.keys(COMMANDS).join('|')}|--help)`,
  'g',
);

const BY_NAME = runByName(process.argv[1], process.env, process.cwd());

/** A line with each of our commands run by npx. */
export function throughNpx(line: Line): Line {
  const by = (text: string): string => text.replace(COMMAND, 'npx $&');
  if (typeof line === 'string') return by(line);
  const [style, text, ...before] = line;
  return [style, by(text), ...before];
}

/** A line in lines of that width: those after the first stand further in, or under the text of a list. */
export function broken(line: Line, width: number): Line[] {
  const [style, text, before = ''] = typeof line === 'string' ? (['plain', line] as const) : line;
  if (style === 'command') return [line];
  const plain = visibleLine(`${before}${text}`);
  const start = before.length <= width / 2 ? before.length : 0;
  const lines = wrap(plain, width, start || plain.search(/\S|$/) + 2);
  return lines.length === 1 ? [line] : lines.map((one) => [style, one]);
}

/** How many columns there are to write in, of those in which a text is easily read: as COLUMNS says, else the terminal. */
export const columnsOf = (terminal: number | undefined = process.stdout.columns): number =>
  Math.max(40, Math.min(110, Number(process.env.COLUMNS) || terminal || 80));

/**
 * A text in lines of at most so many columns, broken between words. Lines after the first begin with `indent`
 * blanks. A word that is longer stays whole: it may be a path or a command to copy.
 */
export function wrap(text: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  // Blanks at the start are part of the first word.
  for (const word of text.split(/(?<=\S) /)) {
    const longer = line === '' ? word : `${line} ${word}`;
    const isFull = line !== '' && shownWidth(longer) > width;
    if (isFull) lines.push(line);
    line = isFull ? ' '.repeat(indent) + word : longer;
  }
  return [...lines, line];
}

/** A text filled up with blanks to a width as it is shown: behind it, or before it. */
export function padded(text: string, width: number, before = false): string {
  const blanks = ' '.repeat(Math.max(0, width - shownWidth(text)));
  return before ? `${blanks}${text}` : `${text}${blanks}`;
}

/** What stopped a command, as `--json` prints it. */
export function stopDocument({ exit, texts }: StopError, language: Language): StopDocument {
  const { message, next } = texts;
  return { error: { exit, message: message[language], ...(next && { next: next[language] }) } };
}

/** What stopped a run, in lines: what is wrong, and the next step; of a fault its places in the program. */
export function stopLines({ texts, exit }: StopError, language: Language): Line[] {
  const next = texts.next?.[language];
  const command = texts.command?.[language];
  const after = next === undefined ? [] : exit === EXIT.fault ? next.split('\n') : nextLines(next, command);
  return [['red', texts.message[language]], ...after];
}

/** The next step; a command at its end has a line of its own, whole. */
function nextLines(next: string, command: string | undefined): Line[] {
  if (command === undefined) return [next];
  return [next.slice(0, -command.length).trimEnd(), ['command', command, '  ']];
}

/** What is asked on the terminal; each rejects with a StopError at Ctrl-C or when the signal aborts. */
interface Questions extends ReadQuestions {
  /** Asks a yes-or-no question. */
  agreed(question: Bilingual): Promise<boolean>;
  /** Shows a plan and asks whether to send it. */
  confirm: Confirm;
}

/** How a run is shown: for people or as JSON. Results go to stdout, everything else to stderr. */
export interface View {
  readonly language: Language;
  note(text: Bilingual): void;
  progress(progress: Progress): void;
  /** What is asked on the terminal; null where there is nobody to ask. */
  questions(signal?: AbortSignal): Questions | null;
  /** `stopped` is what stopped it, with how to go on. */
  showImport(end: ImportEnd, stopped: StopError | null): Promise<void>;
  /** Does work that shows several imports, and answers its exit code. */
  showSeveral(work: () => Promise<ExitCode>): Promise<ExitCode>;
  /** Shows what a command came to: in lines, or as a document. */
  show(document: Documents[keyof Documents], lines: readonly Line[], to?: 'stdout' | 'stderr'): void;
  /** Says what stopped the run, or one `file` of several; with `--json` in the document, where nothing else was shown. */
  stop(error: StopError, logFile: string | null, about?: StoppedFile): void;
  /** Clears what is on the terminal. */
  close(): void;
}
