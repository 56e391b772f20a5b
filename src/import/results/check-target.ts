import { extname } from 'node:path';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';
import { isSameFile, tryTarget } from '../../files/write-aside.ts';
import type { SheetCounts } from '../plan/plan-report.ts';
import { hasMacros, isCsv } from './result-path.ts';

const ENDINGS: ReadonlySet<string> = new Set(['.xlsx', '.csv']);

/**
 * Makes sure, before anything is sent, that a result can be written: its name ends in .xlsx or .csv (in .xlsm where the input has macros, unless it is to be a workbook of its own: `anew`), it is not the
 * input by whatever name or link, and its place is an ordinary file's that can be written now. Throws StopError with
 * EXIT.usage.
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
