import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { EXIT, StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { knownPlace } from '../../files/file-name.ts';
import { freeName, isSameFile, tryTarget } from '../../files/write-aside.ts';
import type { Context } from '../../run/context.ts';
import type { SheetCounts } from '../plan/plan-report.ts';

const CSV_ENDINGS: ReadonlySet<string> = new Set(['.csv', '.txt', '.tsv']);
/** What workbooks with macros are named by; spreadsheet programs refuse one that is named otherwise. */
const MACRO_ENDINGS: ReadonlySet<string> = new Set(['.xlsm', '.xltm']);
/** The end of a result's own name: `NAME.result`, `NAME.result-2`, … */
const RESULT = /^(.+)\.result(?:-(\d{1,9}))?$/;

/**
 * Where the result goes: `--out`, else beside the input as `NAME.result.xlsx` (`.xlsm` where it has macros).
 * The result of a result gets the next number, `NAME.result-2.xlsx`.
 */
export function resultPath(input: string, out: string | undefined): string {
  if (out !== undefined) return out;
  const ending = extname(input);
  const stem = basename(input, ending);
  const [, name = stem, number = '1'] = RESULT.exec(stem) ?? [];
  const tail = name === stem ? '' : `-${Number(number) + 1}`;
  return join(dirname(input), `${name}.result${tail}${endingFor(input)}`);
}

function endingFor(input: string): string {
  if (CSV_ENDINGS.has(extname(input).toLowerCase())) return '.csv';
  return hasMacros(input) ? '.xlsm' : '.xlsx';
}

/** Whether a workbook has macros, by its name. */
function hasMacros(file: string): boolean {
  return MACRO_ENDINGS.has(extname(file).toLowerCase());
}

/** Whether a result is written as CSV, which holds one sheet. */
export function isCsv(target: string): boolean {
  return extname(target).toLowerCase() === '.csv';
}

/**
 * Where the result of a plan goes whose file is gone or was changed: never over an earlier result, which may
 * be all that is left of it.
 */
export function planResultPath(input: string, out: string | undefined): string {
  if (out !== undefined) return out;
  const target = resultPath(input, undefined).replace(/\.xlsm$/i, '.xlsx');
  return existsSync(target) ? freeName(target) : target;
}

/**
 * Kinds of results, by how much they tell, the least first: what would be done, which rows of a run need
 * work, what became of all of them.
 */
const RESULT_KINDS = ['plan', 'problems', 'run'] as const;
/** What a result tells. */
type ResultKind = (typeof RESULT_KINDS)[number];

/** What a result tells that was written with these wishes. */
export function resultKind({ dryRun, onlyProblems = false }: Wishes): ResultKind {
  if (dryRun) return 'plan';
  return onlyProblems ? 'problems' : 'run';
}

interface Wishes {
  readonly dryRun: boolean;
  readonly onlyProblems?: boolean | undefined;
}

/** Where a result goes, and why not where it was to. */
interface ResultPlace {
  readonly target: string;
  readonly notes: readonly Bilingual[];
}

/**
 * The place of a result for which `--out` names none: its usual name, or the next number where a result of a
 * kind that tells more has that name, as it is the record of what was sent. A file that is not known as a
 * result, or was edited since, counts as such a record.
 */
export async function freePlace(context: Context, usual: string, kind: ResultKind): Promise<ResultPlace> {
  if (kind === 'run') return { target: usual, notes: [] };
  const ending = extname(usual);
  const stem = usual.slice(0, usual.length - ending.length);
  const [, name = stem, before = '1'] = /^(.*\.result)-(\d{1,9})$/.exec(stem) ?? [];
  let target = usual;
  for (let number = Number(before) + 1; !(await mayReplace(context, target, kind)); number++)
    target = `${name}-${number}${ending}`;
  return { target, notes: target === usual ? [] : [stays(usual, target)] };
}

function stays(usual: string, target: string): Bilingual {
  return t(
    `${usual} stays as it was: it tells what was sent, or was edited since; this result is ${target}`,
    `${usual} blijft zoals het was: er staat in wat er verstuurd is, of het is daarna bewerkt; dit resultaat is ${target}`,
  );
}

/** Remembers of which kind a result is, and how its file was left. */
export async function rememberResult(context: Context, file: string, kind: ResultKind): Promise<void> {
  const mark = await markOf(file);
  if (mark !== undefined)
    await context.ledger.rememberFact(context.serviceKey, factName(file), `${kind} ${mark}`);
}

/** Whether a result of this kind may be written over the file that is there, if there is one. */
async function mayReplace({ ledger, serviceKey }: Context, file: string, kind: ResultKind): Promise<boolean> {
  const mark = await markOf(file);
  if (mark === undefined) return true;
  const known = await ledger.findFact(serviceKey, factName(file));
  const [told, ...was] = known?.split(' ') ?? [];
  const rank = (RESULT_KINDS as readonly string[]).indexOf(told ?? '');
  return was.join(' ') === mark && rank >= 0 && rank <= RESULT_KINDS.indexOf(kind);
}

const factName = (file: string): string => `result ${knownPlace(file)}`;

/** Size and time of a file, by which a later edit shows; undefined where there is none. */
async function markOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`;
}

const ENDINGS: ReadonlySet<string> = new Set(['.xlsx', '.csv']);

/**
 * Makes sure, before anything is sent, that a result can be written: its name ends in .xlsx or .csv (.xlsm
 * where the input has macros, unless the result is a new workbook: `anew`), it is not the input by another
 * name or link, and its place can be written to now. Throws StopError with EXIT.usage.
 */
export async function checkTarget(input: string, target: string, anew = false): Promise<void> {
  const ending = extname(target);
  checkEnding(ending, target, hasMacros(input) && !anew);
  if (await isSameFile(input, target)) throw overInput(input);
  await tryTarget(target);
}

function checkEnding(ending: string, target: string, macros: boolean): void {
  const kind = ending.toLowerCase();
  if (macros && kind === '.xlsx') throw needsMacros(target);
  if (!ENDINGS.has(kind) && !(macros && kind === '.xlsm')) throw unknownEnding(target, ending);
}

/** A CSV holds one sheet: refuses it for a plan that has more. Throws StopError with EXIT.usage. */
export function checkSheets(target: string, sheets: readonly SheetCounts[]): void {
  if (!isCsv(target) || sheets.length < 2) return;
  const names = sheets.map(({ sheet }) => sheet);
  throw stop(
    t(
      `A CSV holds one sheet, and ${names.length} are imported: ${names.join(', ')}.`,
      `Een CSV bevat één werkblad, en er worden er ${names.length} geïmporteerd: ${names.join(', ')}.`,
    ),
    t(
      'Let --out end in .xlsx, or choose one of them with --sheet.',
      'Laat --out eindigen op .xlsx, of kies er een met --sheet.',
    ),
  );
}

function unknownEnding(target: string, ending: string): StopError {
  const next = t('Let --out end in .xlsx or .csv.', 'Laat --out eindigen op .xlsx of .csv.');
  if (ending === '') {
    return stop(
      t(
        `The result's name ${target} does not say how it is to be written.`,
        `Aan de naam ${target} is niet te zien hoe het resultaat geschreven moet worden.`,
      ),
      next,
    );
  }
  return stop(
    t(
      `The result ${target} can't be written: ${ending} is none of the kinds a result can have.`,
      `Het resultaat ${target} kan niet worden geschreven: ${ending} is geen soort die een resultaat kan hebben.`,
    ),
    next,
  );
}

function needsMacros(target: string): StopError {
  return stop(
    t(
      `The workbook has macros, which ${target} can't have by its name.`,
      `De werkmap heeft macro's, en die kan ${target} naar zijn naam niet hebben.`,
    ),
    t('Let --out end in .xlsm.', 'Laat --out eindigen op .xlsm.'),
  );
}

function overInput(input: string): StopError {
  return stop(
    t(
      `The result would overwrite the input ${input}.`,
      `Het resultaat zou het invoerbestand ${input} overschrijven.`,
    ),
    t('Name another file with --out.', 'Noem een ander bestand met --out.'),
  );
}

const stop = (message: Bilingual, next: Bilingual): StopError => new StopError(EXIT.usage, message, { next });
