import { EXIT, StopError } from '../../core/errors.ts';
import { type Issue, stopsRow } from '../../core/issue.ts';
import { type Bilingual, composed, NOTHING, t } from '../../core/language.ts';
import type { Value, Values } from '../../core/value.ts';
import {
  type BaselineRecord,
  type BaselineStamp,
  decodeBaselineStamp,
  isBaselineHeader,
  isBaselineSheet,
  shownHeaders,
  takeNames,
  takeShown,
  textsOf,
} from '../../files/baseline-sheet.ts';
import type { ExistingRecord } from '../../records/existing-record.ts';
import { addressOf, type MappedRow } from '../../records/mapped-row.ts';
import type { Baseline, PlanRules } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { keyText, nameText } from '../../run/service-text.ts';
import type { Resource } from '../../schema/resource.ts';
import { sameAddress } from '../../service/address.ts';
import type { Sheet, Workbook } from '../../workbook/read-workbook.ts';
import { safeCell } from '../map/safe-cell.ts';
import { listedText } from '../map/sheet-notes.ts';
import { changedKeys } from './changed-keys.ts';
import { afterRuns, findLineage, type Lineage } from './lineage.ts';
import { PackedRecords } from './packed-records.ts';
import { openShown, type ShownConflicts } from './shown-conflicts.ts';
import { shownSheetNotes } from './shown-sheets.ts';
import { unsentCells } from './unsent-cells.ts';

/** What a workbook's records were when it was written, with what is gathered while its rows are planned. */
export interface OpenBaseline extends Baseline {
  readonly emptied: EmptiedCells | null;
  /** Notes on cells that were emptied in a sheet's columns that are only shown, once its rows are planned. */
  unsentNotes(sheet: string): Bilingual[];
  readonly shown: ShownConflicts | null;
  readonly notes: readonly Bilingual[];
  /** Null for a workbook without a baseline. */
  readonly lineage: Lineage | null;
}

const NO_BASELINE: OpenBaseline = {
  at: '',
  find: () => undefined,
  named: () => [],
  all: () => [],
  unsentNotes: () => [],
  ...{ after: null, unsent: null, changed: null, emptied: null, shown: null, notes: [], lineage: null },
};

interface BaselineOptions extends Pick<PlanRules, 'onConflict'> {
  /** A command of its own takes no `--on-conflict`. */
  readonly command?: string | undefined;
}

/** The planner's key of a record that the service does not have, by its ExternalID. */
const EXTERNAL = /^external:(\d+)$/;

/** What the hidden sheet of a workbook tells: the same each time that its rows are planned. */
export interface ReadBaseline {
  readonly stamp: BaselineStamp | undefined;
  /** Null for a workbook without a baseline, or with one that is of no use. */
  readonly records: PackedRecords | null;
  readonly names: ReadonlyMap<string, Values>;
  readonly notes: readonly Bilingual[];
}

const NOTHING_TOLD = { stamp: undefined, records: null, names: new Map<string, Values>(), notes: [] };

/**
 * Reads a workbook's baseline from its hidden sheet; an empty one where it has none, or one of another
 * version, which is said. Throws StopError with EXIT.usage for one of another service, unless `onConflict` is
 * `mine`.
 */
export async function readBaseline(
  context: Context,
  workbook: Workbook,
  { onConflict, command }: BaselineOptions,
): Promise<ReadBaseline> {
  const sheets = workbook.format === 'xlsx' ? await findBaseSheets(workbook) : [];
  if (sheets.length === 0) return NOTHING_TOLD;
  const records = new PackedRecords();
  const shownSheets = new Map<string, Values[]>();
  const names = new Map<string, Values>();
  let stamp: BaselineStamp | undefined;
  let unread = 0;
  for (const sheet of sheets) {
    let first = true;
    for await (const batch of sheet.batches) {
      for (const row of batch) {
        const texts = textsOf(row);
        if (isBaselineHeader(texts)) continue;
        if (first) {
          stamp = decodeBaselineStamp(texts);
          if (stamp === undefined || !isHere(context, stamp)) {
            if (stamp !== undefined && onConflict !== 'mine')
              throw otherService(stamp, context, command != null);
            return { ...NOTHING_TOLD, notes: [refusal(stamp)] };
          }
          first = false;
        } else if (!takeShown(shownSheets, texts) && !takeNames(names, texts) && !records.add(texts))
          unread++;
      }
      await records.settle(false);
    }
  }
  await records.settle(true);
  const told = await shownSheetNotes(shownSheets, workbook.sheets);
  return { stamp, records, names, notes: unread === 0 ? told : [unreadText(unread), ...told] };
}

/** A baseline to plan the rows of its workbook once; `run` is the one whose result it says it is. */
export async function openBaseline(
  context: Context,
  file: string,
  run: string | undefined,
  { stamp, records, names, notes }: ReadBaseline,
): Promise<OpenBaseline> {
  if (records === null) return { ...NO_BASELINE, notes };
  const at = stamp?.at ?? '';
  const undoes = stamp?.undoes ?? null;
  const headers = stamp === undefined ? undefined : shownHeaders(stamp);
  const unsent = headers === undefined ? undefined : unsentCells(headers);
  const find = findIn(records, context);
  const changed = changedKeys(
    { find, has: (...key) => records.has(...key), of: (resource) => records.of(resource) },
    headers ?? (() => []),
  );
  const lineage = await findLineage(context, file, run, { at, undoes });
  const isNew = lineage.runs.length + lineage.family.length === 0;
  const after = isNew ? null : (was: BaselineRecord) => afterRuns(context, lineage, was);
  return {
    ...{ at, after, notes, lineage },
    ...{ find, named: namesIn(names) },
    all: (resource, key) => records.all(resource, key),
    // An undo has cells only for what it takes back.
    emptied: undoes === null ? new EmptiedCells() : null,
    changed: undoes === null ? changed : null,
    ...{ unsent: unsent?.check ?? null, unsentNotes: (sheet: string) => unsent?.notes(sheet) ?? [] },
    shown: await openShown(context, { file, at, run }),
  };
}

/** Finds records, also those that are named by their ExternalID. */
function findIn(records: PackedRecords, { resources }: Context): Baseline['find'] {
  const externals = new Map(
    resources.flatMap((one) => ('external' in one ? [[one.name, one.external] as const] : [])),
  );
  return (resource, key) => {
    const number = EXTERNAL.exec(key)?.[1];
    const field = externals.get(resource);
    return number === undefined || field === undefined
      ? records.find(resource, key)
      : records.holding(resource, field, Number(number));
  };
}

/** Tells what names stood for, by the columns of each kind of records. */
const namesIn =
  (columns: ReadonlyMap<string, Values>): Baseline['named'] =>
  (resource, header, name) => {
    const ids = columns.get(`${resource} ${header}`) ?? {};
    return Object.hasOwn(ids, name) ? String(ids[name]).split(' ').map(Number) : [];
  };

async function findBaseSheets({ sheets }: Workbook): Promise<Sheet[]> {
  const found: Sheet[] = [];
  for (const sheet of sheets) if (await isBaselineSheet(sheet)) found.push(sheet);
  return found;
}

const ALONE = t('rows are compared with the service alone', 'rijen worden alleen met het systeem vergeleken');

function refusal(stamp: BaselineStamp | undefined): Bilingual {
  return stamp === undefined
    ? t(
        `What the records were when this file was written can't be read (another version wrote it): ${ALONE.en}`,
        `Wat de records waren toen dit bestand geschreven werd is niet te lezen (een andere versie schreef het): ${ALONE.nl}`,
      )
    : t(
        `This file was written for another service (${keyText(stamp.service).en}): ${ALONE.en}`,
        `Dit bestand is voor een ander systeem geschreven (${keyText(stamp.service).nl}): ${ALONE.nl}`,
      );
}

const isHere = ({ serviceKey, elsewhere }: Context, { service }: BaselineStamp): boolean =>
  elsewhere === 'same' || sameAddress(service, serviceKey);

/** The same ids are other records there: the file of a test service would overwrite records in use. */
function otherService({ service }: BaselineStamp, { serviceName }: Context, command: boolean): StopError {
  const mine = command
    ? NOTHING
    : t(
        '; --on-conflict mine compares its rows with this service alone, and sends what differs',
        '; --on-conflict mine vergelijkt de rijen alleen met dit systeem, en verstuurt wat verschilt',
        NOTHING,
      );
  const message = t(
    `This file was written for ${keyText(service).en}, not for ${nameText(serviceName).en}: the same numbers may be other records there.`,
    `Dit bestand is geschreven voor ${keyText(service).nl}, niet voor ${nameText(serviceName).nl}: daar kunnen dezelfde nummers andere records zijn.`,
  );
  // A sandbox has no address to name.
  const next = service.startsWith('sandbox ')
    ? t(
        `Export the records from here with catersheet export, and edit that file${mine.en}.`,
        `Exporteer de records van hier met catersheet export, en bewerk dat bestand${mine.nl}.`,
        t(
          'Export the records from here, and edit that file.',
          'Exporteer de records van hier, en bewerk dat bestand.',
        ),
      )
    : composed([mine], ({ en, nl }) =>
        t(
          `Use it with the address that it was written for${en}.`,
          `Gebruik het met het adres waarvoor het geschreven is${nl}.`,
        ),
      );
  return new StopError(EXIT.usage, message, { next });
}

const unreadText = (count: number): Bilingual =>
  t(
    `What ${count} records were when this file was written can't be read: their ${ALONE.en}`,
    `Wat ${count} records waren toen dit bestand geschreven werd is niet te lezen: hun ${ALONE.nl}`,
  );

/** Most cells named; the rest is counted. */
const SHOWN = 5;

/** Gathers cells emptied since the workbook was written: import leaves their fields alone, and says so. */
class EmptiedCells {
  private readonly bySheet = new Map<string, { count: number; readonly first: string[] }>();

  /** Takes a row, the issues of its cells, and what its record was and is. */
  add(row: MappedRow, found: readonly Issue[], was: BaselineRecord, service: ExistingRecord): void {
    const { mapping, action, values, issues } = row;
    if (action === 'skip' || action === 'delete' || stopsRow(issues)) return;
    for (const field of mapping.columnOf.keys()) {
      if (values[field] !== undefined || (service.values[field] ?? null) === null) continue;
      // A cell that can't be read is not empty.
      if (found.some((issue) => issue.field === field)) continue;
      if (!wasShown(mapping.resource, field, was.values[field] ?? null)) continue;
      const known = this.bySheet.get(mapping.sheet) ?? { count: 0, first: [] };
      this.bySheet.set(mapping.sheet, known);
      known.count++;
      if (known.first.length < SHOWN) known.first.push(addressOf(mapping, field, row.row) ?? field);
    }
  }

  notes(sheet: string): Bilingual[] {
    const known = this.bySheet.get(sheet);
    if (known === undefined) return [];
    const cells = listedText(known.first, known.count);
    return [
      t(
        `cells that were emptied leave their field as it is: ${cells.en}; #CLEAR clears it`,
        `cellen die leeggemaakt zijn laten hun veld zoals het is: ${cells.nl}; #CLEAR maakt het leeg`,
      ),
    ];
  }
}

/** Whether an export shows a value of a field that import takes; a text too long for a cell it leaves out. */
function wasShown({ keys, fields }: Resource, header: string, value: Value): boolean {
  const field = fields[header];
  if (value === null || field === undefined || keys.includes(header)) return false;
  if (field.update === 'none' || field.update === 'unsent') return false;
  const column = { header, field, type: field.codec.type, imported: true, path: [] };
  const options = { language: 'en', locale: 'en', csv: false } as const;
  return safeCell(value, column, options, () => {}) !== null;
}
