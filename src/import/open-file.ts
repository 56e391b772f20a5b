import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, StopError, usageStop } from '../core/errors.ts';
import { INPUT_MARKS, normaliseHeader } from '../core/header.ts';
import { t } from '../core/language.ts';
import { nearest } from '../core/nearest.ts';
import { resultFact, resultNames, resultPath } from '../files/file-name.ts';
import { isSameFile } from '../files/write-aside.ts';
import type { Context } from '../run/context.ts';
import type { Resource } from '../schema/resource.ts';
import { readWorkbook, type Workbook } from '../workbook/read-workbook.ts';
import { learnPosted } from './baseline/result-evidence.ts';
import type { HeaderWishes } from './map/find-header.ts';
import {
  type HeaderName,
  type HeaderSources,
  type KnownHeaders,
  knownHeaders,
  namesFor,
} from './map/header-names.ts';
import { isListed } from './map/listed-columns.ts';
import { resourcesOf } from './map/sheet-by-headers.ts';
import type { FileMemory } from './plan/plan-import.ts';
import type { CsvWishes } from './plan/saved-plan.ts';

/** A file, and how its user says that it is read. */
export interface FileToRead extends HeaderSources, CsvWishes, Pick<HeaderWishes, 'headerRow'> {
  readonly file: string;
  /** The command whose sheets are meant; those of an import when absent. */
  readonly command?: string | undefined;
  readonly as?: Resource | undefined;
  /** Keeps what is read of the file. */
  readonly memory?: FileMemory | undefined;
}

/** An opened file, with the headers of the user's own that it is read by. */
interface OpenFile {
  readonly workbook: Workbook;
  readonly headers: KnownHeaders;
  /** The headers that were given to a CSV: they become its first row. */
  readonly given: ReturnType<typeof givenColumns>;
}

/**
 * Opens a file with the headers of the user's own: those given, else those remembered. Throws StopError with
 * EXIT.file for what can't be read, with EXIT.usage for headers that can't be used.
 */
export async function openFile(context: Context, request: FileToRead): Promise<OpenFile> {
  const headers = await knownHeaders(context, request);
  const { file, delimiter, encoding, command, as } = request;
  const kinds = as === undefined ? resourcesOf(context, command) : [as];
  const given = givenColumns(request.columns, kinds, { ...request, names: headers.names });
  const workbook = await readWorkbook(file, { delimiter, encoding, columns: given?.columns });
  return { workbook: request.memory?.keep(workbook) ?? workbook, headers, given };
}

/** What stands for a column that does not count. */
const PASSED_OVER = '-';

/** The headers that the user gives to a CSV without any. */
interface GivenColumns {
  readonly columns: readonly string[];
  /** They become the first row. */
  readonly headerRow: 1;
}

/**
 * The headers of `--columns`, undefined where none are given. Throws StopError with EXIT.usage for one that
 * no sheet has, naming those that look like it, and where `headerRow` names a row all the same.
 */
function givenColumns(
  given: readonly string[] | undefined,
  resources: readonly Resource[],
  { names = [], headerRow }: { names?: readonly HeaderName[] | undefined; headerRow?: number | undefined },
): GivenColumns | undefined {
  if (given === undefined) return undefined;
  if (headerRow !== undefined)
    throw usageStop(
      t(
        'Names for the columns say that there is no row of headers, and a row of headers is named too.',
        'Namen voor de kolommen zeggen dat er geen kopregel is, en er is ook een kopregel genoemd.',
      ),
      t('Leave one of the two out.', 'Laat een van de twee weg.'),
    );
  const columns = given.map((name) => (name.trim() === '' ? PASSED_OVER : name.trim()));
  const known = new Set<string>(INPUT_MARKS);
  for (const resource of resources) for (const name of namesFor(resource, names).keys()) known.add(name);
  const unknown = columns.find(
    (name) =>
      name !== PASSED_OVER &&
      !known.has(normaliseHeader(name)) &&
      !resources.some((resource) => isListed(resource, name)),
  );
  if (unknown !== undefined) throw noColumn(unknown, resources);
  return { columns, headerRow: 1 };
}

function noColumn(name: string, resources: readonly Resource[]): Error {
  const fields = [...new Set(resources.flatMap(({ fields: own }) => Object.keys(own)))];
  const near = nearest(name, fields).join(', ');
  const skip = t(
    `${PASSED_OVER} stands for a column that does not count`,
    `${PASSED_OVER} staat voor een kolom die niet telt`,
  );
  return usageStop(
    t(`No sheet has a column ${name}.`, `Geen enkel werkblad heeft een kolom ${name}.`),
    near === ''
      ? t(`Use columns of the template; ${skip.en}.`, `Gebruik kolommen uit het sjabloon; ${skip.nl}.`)
      : t(
          `Columns that look like it: ${near}; ${skip.en}.`,
          `Kolommen die erop lijken: ${near}; ${skip.nl}.`,
        ),
  );
}

/** Refuses a file beside which a result lies, as their names go, of a run that this ledger does not know. */
export async function refuseBeside(context: Context, workbook: Workbook): Promise<void> {
  const usual = new Set([resultPath(workbook.file), resultPath(workbook.file, true)]);
  for (const one of usual) await refuseNamed(context, workbook, one);
}

async function refuseNamed(context: Context, workbook: Workbook, usual: string): Promise<void> {
  for (const file of resultNames(usual)) {
    if (!existsSync(file)) return;
    if (isSameFile(file, workbook.file) || (await isKnown(context, file))) continue;
    const name = basename(file);
    const message = t(
      `${name}, beside this file, is the result of a run that is not known here: rows of this file may have been sent.`,
      `${name}, naast dit bestand, is het resultaat van een run die hier niet bekend is: rijen van dit bestand kunnen verstuurd zijn.`,
    );
    const next = t(
      'Import that result in place of this file; it repeats nothing. Or move it elsewhere, to send these rows.',
      'Importeer dat resultaat in plaats van dit bestand; daarbij wordt niets herhaald. Of zet het ergens anders, om deze rijen te versturen.',
    );
    throw new StopError(EXIT.usage, message, { next });
  }
}

/** Statuses of a dry run are others. */
const SENT: readonly unknown[] = [
  'created',
  'updated',
  'deleted',
  'unknown',
  'failed',
  'unchanged',
  'conflict',
];

/** Whether a result is of a run that this ledger knows better, was sent to another service, or sent nothing. */
async function isKnown(context: Context, file: string): Promise<boolean> {
  const { ledger } = context;
  for (const service of await ledger.listServices())
    if ((await ledger.findFact(service, resultFact(file))) !== undefined) return true;
  const book = await readWorkbook(file);
  const { isHere, run } = await learnPosted(context, book, { onConflict: 'mine' });
  if (isHere === false || (run !== null && (await ledger.findRun(run)) !== undefined)) return true;
  for (const { rows } of book.sheets) {
    let status: number | undefined;
    for await (const { cells } of rows) {
      status ??= cells.find(({ value }) => value === '#status')?.column;
      if (cells.some(({ column, value }) => column === status && SENT.includes(value))) return false;
    }
  }
  return true;
}
