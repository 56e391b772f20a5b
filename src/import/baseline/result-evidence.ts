import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { StopError } from '../../core/errors.ts';
import { type Bilingual, t } from '../../core/language.ts';
import { resultFact, resultNames, resultPath } from '../../files/file-name.ts';
import { isSameFile } from '../../files/write-aside.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { isCounted, isDone, nameByEvidence } from '../../records/evidence.ts';
import type { MappedRow, RowEvidence, RowPlace } from '../../records/mapped-row.ts';
import type { PlanRules } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { readWorkbook, type Workbook } from '../../workbook/read-workbook.ts';
import { columnHabits } from '../map/column-habits.ts';
import type { MapOptions } from '../map/map-row.ts';
import { newReading, readRows } from '../map/read-rows.ts';
import { type ImportSheet, type RecogniseOptions, recogniseSheets } from '../map/recognise.ts';
import { learnPosted, type ResultSource, sentElsewhere } from './posted-rows.ts';

/** What results say of the rows of a file. */
export interface ResultEvidence {
  /** Puts it beside each row, which is then about the record with its `#id`. Throws StopError as below. */
  take(rows: readonly MappedRow[]): void;
  /** What was used, once all rows are planned. */
  notes(): Bilingual[];
}

/** What is known of the run whose result a file is; the same each time that its rows are planned. */
export interface ReadEvidence {
  readonly source: ResultSource;
  /** This ledger has the run. */
  readonly own: boolean;
  /** The user said that what it was sent to is another service than this one. */
  readonly isOther: boolean;
  /** Values for all rows come from beside the file. */
  readonly isGiven: boolean;
  /** What results beside the file say. */
  readonly beside: readonly BesideResult[];
  readonly notes: readonly Bilingual[];
}

/** Reads what a file says of the result that it is; `run`: the one that its summary names. */
export async function readEvidence(
  context: Context,
  workbook: Workbook,
  run: string | undefined,
  rules: Pick<PlanRules, 'onConflict'> & BesideOptions,
): Promise<ReadEvidence> {
  const { ledger, serviceKey, elsewhere } = context;
  const source = await learnPosted(context, workbook, rules);
  const named = source.run ?? run;
  const written = (await ledger.findFact(serviceKey, resultFact(workbook.file))) !== undefined;
  const isKnown = named !== undefined && (await ledger.findRun(named))?.service === serviceKey;
  const isOther = source.isHere === false && (rules.onConflict === 'mine' || elsewhere === 'other');
  const isHere = source.isHere ?? (written || isKnown ? true : null);
  const { results: beside, notes } = await readBeside(context, workbook, rules);
  const own = isKnown || (named === undefined && written);
  const isGiven = rules.set.some(({ field }) => !field.startsWith('#'));
  return { source: { ...source, isHere }, own, isOther, isGiven, beside, notes };
}

/**
 * Opens what a result says, for one plan of its rows. Throws StopError with EXIT.usage at the first row that
 * was sent to another service: the same number is another record here, or the row would be sent twice.
 */
export function openEvidence(
  context: Context,
  { source, own, isOther, isGiven, ...more }: ReadEvidence,
): ResultEvidence {
  const first = new Map<string, RowPlace>();
  const completed = (row: MappedRow, evidence: RowEvidence): RowEvidence => {
    const { resource, sheet } = row.mapping;
    const { id } = evidence;
    const name = `${resource.name} ${id}`;
    const twin = id === null || row.action === 'skip' ? undefined : first.get(name);
    if (id !== null && row.action !== 'skip' && twin === undefined) first.set(name, { sheet, row: row.row });
    const isListed = source.posted !== null && (id === null || source.posted.has(name));
    return { ...evidence, own, isListed, isGiven, isHere: source.isHere === true, ...(twin && { twin }) };
  };
  const beside = openBeside(more.beside);
  const name = (row: MappedRow, evidence: RowEvidence): void => {
    Object.assign(row, { evidence });
    const { resource } = row.mapping;
    if (kindOf(resource).compared === true && 'id' in resource) nameByEvidence(row, evidence, resource.id);
  };
  return {
    take(rows) {
      for (const row of rows) {
        const { evidence } = row;
        if (row.action === 'skip' || (isOther && evidence !== undefined))
          Object.assign(row, { evidence: undefined });
        else if (evidence === undefined) {
          const found = beside.find(row);
          if (found !== undefined) name(row, { ...found, isGiven });
        } else if (source.isHere === false && source.service !== null) {
          if (evidence.id !== null || isDone(evidence)) throw sentElsewhere(source.service, context);
        } else name(row, completed(row, evidence));
      }
    },
    notes: () => [...more.notes, ...beside.notes()],
  };
}

/** What a result beside the file says of its rows, which are known by their own cells. Plain data. */
interface BesideResult {
  /** Its name. */
  readonly name: string;
  /** Its ids are of this service, as it says itself. */
  readonly isHere: boolean;
  readonly says: readonly Pick<RowEvidence, 'status' | 'id'>[];
  /** The places in `says` of rows that hold the same, in the order of the result. */
  readonly byContent: ReadonlyMap<string, readonly number[]>;
  /** The place of the row with this key of the user's own. */
  readonly byKey: ReadonlyMap<string, number>;
}

/** How the file was read: its results are read the same way. */
type BesideOptions = RecogniseOptions & MapOptions;

/**
 * Reads the results that lie beside a file, as their names go, and that are of runs which this ledger does
 * not have; with notes on those that can't be used.
 */
async function readBeside(
  context: Context,
  workbook: Workbook,
  options: BesideOptions,
): Promise<{ readonly results: readonly BesideResult[]; readonly notes: readonly Bilingual[] }> {
  const results: BesideResult[] = [];
  const notes: Bilingual[] = [];
  for (const file of resultNames(resultPath(workbook.file, undefined))) {
    if (!existsSync(file)) break;
    if ((await isSameFile(file, workbook.file)) || (await isKnown(context, file))) continue;
    try {
      const result = await readResult(context, file, workbook.format, options);
      if (result === 'elsewhere') notes.push(elsewhereText(basename(file)));
      else if (result !== null) results.push(result);
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      notes.push(unreadText(basename(file), error.texts.message));
    }
  }
  return { results, notes };
}

/** Whether this ledger wrote it, for this service or another: it knows better what came of its rows. */
async function isKnown({ ledger }: Context, file: string): Promise<boolean> {
  for (const service of await ledger.listServices())
    if ((await ledger.findFact(service, resultFact(file))) !== undefined) return true;
  return false;
}

async function readResult(
  context: Context,
  file: string,
  like: Workbook['format'],
  options: BesideOptions,
): Promise<BesideResult | 'elsewhere' | null> {
  const book = await readWorkbook(file);
  const source = await learnPosted(context, book, { onConflict: 'mine' });
  if (source.isHere === false) return 'elsewhere';
  if (source.run !== null && (await context.ledger.findRun(source.run)) !== undefined) return null;
  // The sheet of a CSV goes by the file's own name.
  const wishes = like === 'csv' ? { ...options, only: [], choices: [] } : options;
  const recognised = await recogniseSheets(book, wishes);
  const says: Pick<RowEvidence, 'status' | 'id'>[] = [];
  const byContent = new Map<string, number[]>();
  const byKey = new Map<string, number>();
  let tells = false;
  const sheets = recognised.filter((one): one is ImportSheet => one.kind === 'import');
  for (const { sheet, mapping } of sheets) {
    if (mapping.outputs === undefined) continue;
    const habits = await columnHabits(sheet, mapping, options.locale, context.signal);
    for await (const { records } of readRows(sheet, mapping, { ...options, ...habits }, newReading()))
      for (const row of records) {
        const { status = null, id = null } = row.evidence ?? {};
        const content = contentName(row);
        const places = byContent.get(content) ?? [];
        byContent.set(content, places);
        places.push(says.length);
        for (const key of keyNames(row)) byKey.set(key, says.length);
        says.push({ status, id });
        tells ||= isTold(row, { status, id });
      }
  }
  return tells ? { name: basename(file), isHere: source.isHere === true, says, byContent, byKey } : null;
}

/** Whether a row was sent, or may have been, or was held against a total. */
const isTold = ({ mapping: { resource } }: MappedRow, said: Pick<RowEvidence, 'status' | 'id'>): boolean =>
  said.id !== null ||
  isDone(said) ||
  said.status === 'unknown' ||
  (kindOf(resource).tells === true && isCounted(said));

/** Names a row by all that it says, before names are looked up. */
function contentName({ mapping, action, reference, values, names }: MappedRow): string {
  const said = Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
  const named = names.map(({ field, name }) => [field, name]);
  const text = JSON.stringify([mapping.resource.name, action, reference, said, named]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Names a row by each key of the user's own that is in it. */
function keyNames({ mapping: { resource }, reference, values }: MappedRow): string[] {
  const external = 'external' in resource ? values[resource.external] : undefined;
  const keys = [
    ...(typeof external === 'number' ? [`external ${external}`] : []),
    ...(reference === null ? [] : [`key ${reference}`]),
  ];
  return keys.map((key) => `${resource.name} ${key}`);
}

/** Holds the rows of a file, in their order, against the results beside it; the last result goes first. */
function openBeside(results: readonly BesideResult[]) {
  const newest = [...results].reverse();
  const taken = newest.map(() => new Map<string, number>());
  const used = new Map<string, number>();
  return {
    /** What they say of a row; undefined where they say nothing. */
    find(row: MappedRow): RowEvidence | undefined {
      let found: RowEvidence | undefined;
      const content = newest.length === 0 ? '' : contentName(row);
      for (const [at, result] of newest.entries()) {
        const before = taken[at]?.get(content) ?? 0;
        const place = result.byContent.get(content)?.[before];
        // In each of them, so that of equal rows each keeps its own.
        if (place !== undefined) taken[at]?.set(content, before + 1);
        if (found !== undefined) continue;
        const keyed = keyNames(row).map((key) => result.byKey.get(key));
        const said = result.says[place ?? keyed.find((one) => one !== undefined) ?? -1];
        if (said === undefined || !isTold(row, said)) continue;
        // What a key alone names was edited since.
        const isListed = place === undefined;
        found = { ...said, own: false, isHere: result.isHere, isListed, from: result.name };
        used.set(result.name, (used.get(result.name) ?? 0) + 1);
      }
      return found;
    },
    /** Says which rows were held against which result. */
    notes: (): Bilingual[] =>
      [...used].map(([name, count]) =>
        t(
          `${name}, beside this file, is of a run that is not known here: it says what came of ${count} of its rows, and they are held against it`,
          `${name}, naast dit bestand, is van een run die hier niet bekend is: er staat in wat er van ${count} rijen geworden is, en die worden ernaast gelegd`,
        ),
      ),
  };
}

const elsewhereText = (name: string): Bilingual =>
  t(
    `${name}, beside this file, is of another service: it says nothing of rows here`,
    `${name}, naast dit bestand, is van een ander systeem: over de rijen hier zegt het niets`,
  );

const unreadText = (name: string, why: Bilingual): Bilingual =>
  t(
    `${name}, beside this file, can't be read, so it is not known whether its run sent these rows: ${why.en}`,
    `${name}, naast dit bestand, is niet te lezen, dus het is niet bekend of die run deze rijen verstuurd heeft: ${why.nl}`,
  );
