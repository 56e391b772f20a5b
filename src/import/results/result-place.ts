import { extname } from 'node:path';
import { columnLetters } from '../../core/cell.ts';
import { EXIT, StopError, usageStop } from '../../core/errors.ts';
import { OUTPUT_MARKS } from '../../core/header.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import type { SheetCounts } from '../../core/plan-report.ts';
import { hasMacros, isCsv, resultFact, resultNames, resultPath } from '../../files/file-name.ts';
import { LAST_COLUMN, LAST_ROW } from '../../files/limits.ts';
import { checkWritable, isSameFile, lookAt } from '../../files/write-aside.ts';
import type { Context } from '../../run/context.ts';
import { newReading, type SheetReading } from '../map/read-rows.ts';
import type { SheetMapping } from '../map/sheet-mapping.ts';
import type { Plan } from '../plan/plan-import.ts';

/** Where a result goes, null for nowhere, and why not where it usually does. */
interface ResultPlace {
  readonly target: string | null;
  readonly notes: readonly Bilingual[];
}

/**
 * Where a plan's result goes, after a check that it can be written: nowhere where the file is gone or was
 * changed, as a result is that file. Throws StopError with EXIT.usage.
 */
export async function placeResult(
  context: Context,
  plan: Plan,
  { out, onlyProblems }: Pick<Wishes, 'onlyProblems'> & { readonly out?: string | undefined },
): Promise<ResultPlace> {
  const { run, workbook, planOnly } = plan;
  if (planOnly !== null) return { target: null, notes: [noResult(run)] };
  const place =
    out === undefined
      ? await freePlace(context, resultPath(workbook.file, onlyProblems), { run, onlyProblems })
      : { target: out, notes: [] };
  await checkTarget(workbook.file, place.target, onlyProblems);
  checkSheets(place.target, plan.sheets);
  return place;
}

const noResult = (run: string): Bilingual =>
  withFlag(
    t(
      'There is no result, as the file is not what was planned; the run tells what became of each row.',
      'Er is geen resultaat, want het bestand is niet meer wat er gepland is; bij de run staat wat er van elke rij geworden is.',
    ),
    `catersheet runs ${run}`,
  );

/** A result of a run; where only problems are to be seen it tells less than the other of that run. */
interface Wishes {
  readonly run: string;
  readonly onlyProblems?: boolean | undefined;
}

/**
 * The usual name, or the next number where a file has that name that is no result known here, was edited
 * since, or tells what another run sent.
 */
async function freePlace(context: Context, usual: string, made: Wishes) {
  let target = usual;
  let stays: Bilingual | null = null;
  for (target of resultNames(usual)) {
    const why = await whyKept(context, target, made);
    if (why === null) break;
    stays ??= why;
  }
  if (stays === null) return { target, notes: [] };
  const note = t(
    `${usual} stays as it was: ${stays.en}; this result is ${target}`,
    `${usual} blijft zoals het was: ${stays.nl}; dit resultaat is ${target}`,
  );
  return { target, notes: [note] };
}

/** In place of a run that sent nothing: what its result tells, the next one tells again. */
const NOTHING_SENT = '-';

/** Remembers of which run a result is, and how it was left. */
export async function rememberResult(
  { ledger, serviceKey }: Context,
  file: string,
  run: string,
  sent: boolean,
): Promise<void> {
  const mark = markOf(file);
  if (mark === undefined) return;
  await ledger.rememberFact(serviceKey, resultFact(file), `${mark} ${sent ? run : NOTHING_SENT}`);
}

/** Why a result may not overwrite the file there; null for one that may. */
async function whyKept(
  { ledger }: Context,
  file: string,
  { run, onlyProblems = false }: Wishes,
): Promise<Bilingual | null> {
  const mark = markOf(file);
  if (mark === undefined) return null;
  // A dry run may have been on another service, such as the sandbox.
  for (const service of await ledger.listServices()) {
    const known = await ledger.findFact(service, resultFact(file));
    if (known === `${mark} ${NOTHING_SENT}` || (known === `${mark} ${run}` && !onlyProblems)) return null;
    if (known?.startsWith(`${mark} `) === true) return SENT;
  }
  return NOT_KNOWN;
}

const SENT = t('it tells what was sent', 'er staat in wat er verstuurd is');
const NOT_KNOWN = t(
  'it was edited since, or is no result that is known here',
  'het is daarna bewerkt, of is geen resultaat dat hier bekend is',
);

/** Size and time of a file, by which a later edit shows; undefined where there is none. */
function markOf(file: string): string | undefined {
  const found = lookAt(file);
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`;
}

const ENDINGS: ReadonlySet<string> = new Set(['.xlsx', '.csv']);

/**
 * Checks, before anything is sent, that a result can be written: its name ends in .xlsx or .csv (.xlsm where
 * the input has macros), it is not the input by another name or link, and its place is writable; where rows are
 * to be hidden it is a workbook. Throws StopError with EXIT.usage.
 */
export async function checkTarget(input: string, target: string, onlyProblems = false): Promise<void> {
  const ending = extname(target);
  const kind = ending.toLowerCase();
  const macros = hasMacros(input);
  if (macros && kind === '.xlsx') throw needsMacros(target);
  if (!ENDINGS.has(kind) && !(macros && kind === '.xlsm')) throw unknownEnding(target, ending);
  if (onlyProblems && isCsv(target)) throw hidesNothing();
  if (isSameFile(input, target)) throw overwrites(THE_RESULT, THE_INPUT, input);
  checkWritable(target);
}

/** A CSV holds one sheet: refuses it for a plan that has more. Throws StopError with EXIT.usage. */
export function checkSheets(target: string, sheets: readonly SheetCounts[]): void {
  if (!isCsv(target) || sheets.length < 2) return;
  const names = sheets.map(({ sheet }) => sheet);
  throw usageStop(
    t(
      `A CSV holds one sheet, and ${names.length} are imported: ${names.join(', ')}.`,
      `Een CSV bevat één werkblad, en er worden er ${names.length} geïmporteerd: ${names.join(', ')}.`,
    ),
    t(
      'Choose a name that ends in .xlsx, or choose one of them.',
      'Kies een naam die eindigt op .xlsx, of kies er een.',
    ),
  );
}

function unknownEnding(target: string, ending: string): StopError {
  return usageStop(
    ending === ''
      ? t(
          `The result's name ${target} does not say how it is to be written.`,
          `Aan de naam ${target} is niet te zien hoe het resultaat geschreven moet worden.`,
        )
      : t(
          `The result ${target} can't be written: ${ending} is none of the kinds a result can have.`,
          `Het resultaat ${target} kan niet worden geschreven: ${ending} is geen soort die een resultaat kan hebben.`,
        ),
    t('Choose a name that ends in .xlsx or .csv.', 'Kies een naam die eindigt op .xlsx of .csv.'),
  );
}

const hidesNothing = (): StopError =>
  usageStop(
    t('A CSV can’t hide rows that need nothing.', 'Een CSV kan geen rijen verbergen waar niets mee hoeft.'),
    t('Choose a name that ends in .xlsx.', 'Kies een naam die eindigt op .xlsx.'),
  );

const needsMacros = (target: string): StopError =>
  usageStop(
    t(
      `The workbook has macros, and a file named ${target} can't hold them.`,
      `De werkmap heeft macro's, en een bestand met de naam ${target} kan die niet bevatten.`,
    ),
    t('Choose a name that ends in .xlsm.', 'Kies een naam die eindigt op .xlsm.'),
  );

/** What a result is called in sentences about its file. */
export const THE_RESULT = t('The result', 'Het resultaat');

/** What the file that is read is called in them. */
export const THE_INPUT = t('the input', 'het invoerbestand');

/** Refuses a file that would be written over another one; `flag` names it. */
export const overwrites = (what: Bilingual, other: Bilingual, file: string): StopError =>
  usageStop(
    t(`${what.en} would overwrite ${other.en} ${file}.`, `${what.nl} zou ${other.nl} ${file} overschrijven.`),
    t('Name another file.', 'Noem een ander bestand.'),
  );

/**
 * Checks, before anything is sent, that every imported sheet has room for its outcomes: columns at its right,
 * and in a workbook a place for each row. Throws StopError with EXIT.file.
 */
export function checkRoom(target: string, plan: Pick<Plan, 'recognised' | 'readings'>): void {
  for (const entry of plan.recognised) {
    if (entry.kind !== 'import') continue;
    const { name } = entry.sheet;
    const reading = plan.readings.get(name) ?? newReading();
    if (firstFreeColumn(entry.mapping, reading) === undefined) throw noColumns(name, reading);
    if (!isCsv(target) && reading.lastRow > LAST_ROW) throw tooManyRows(name);
  }
}

function noColumns(sheet: string, { lastColumn }: SheetReading): StopError {
  const last = columnLetters(lastColumn);
  const message = t(
    `Sheet ${sheet} has no room for the outcomes: something stands in column ${last}, at the end of the sheet.`,
    `Werkblad ${sheet} heeft geen ruimte voor de uitkomsten: er staat iets in kolom ${last}, aan het eind van het blad.`,
  );
  const next = t(
    `Delete the last columns, up to ${last}, or move them next to the others.`,
    `Verwijder de laatste kolommen, tot en met ${last}, of zet ze naast de andere.`,
  );
  return new StopError(EXIT.file, message, { next });
}

function tooManyRows(sheet: string): StopError {
  const message = t(
    `Sheet ${sheet} has more rows than a workbook can hold, so its result can't be a workbook.`,
    `Werkblad ${sheet} heeft meer rijen dan in een werkmap passen, dus het resultaat kan geen werkmap zijn.`,
  );
  const next = t('Choose a name that ends in .csv.', 'Kies een naam die eindigt op .csv.');
  return new StopError(EXIT.file, message, { next });
}

/**
 * The first of a result's own columns: where those of an earlier result stand side by side, else right of the
 * last used column, and of every drawing where there is room. Columns of an earlier result with nothing right of
 * them count as free. Undefined where nothing is free.
 */
export function firstFreeColumn(
  { outputColumns }: Pick<SheetMapping, 'outputColumns'>,
  { lastColumn, lastDrawn = 0 }: Pick<SheetReading, 'lastColumn' | 'lastDrawn'>,
): number | undefined {
  const inPlace = [...outputColumns].find((first) =>
    OUTPUT_MARKS.every((_, at) => outputColumns.has(first + at)),
  );
  if (inPlace !== undefined) return inPlace;
  let right = lastColumn + 1;
  while (outputColumns.has(right - 1)) right--;
  return [Math.max(right, lastDrawn + 1), right].find(
    (first) => first + OUTPUT_MARKS.length - 1 <= LAST_COLUMN,
  );
}
