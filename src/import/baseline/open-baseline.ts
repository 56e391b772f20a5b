import { EXIT, StopError } from '../../core/errors.ts';
import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import type { Value, Values } from '../../core/value.ts';
import {
  type BaselineStamp,
  decodeBaselineStamp,
  isBaselineHeader,
  isBaselineSheet,
  isOfSheet,
  shownHeaders,
  takeNames,
  textsOf,
} from '../../files/baseline-sheet.ts';
import { addressOf } from '../../records/mapped-row.ts';
import { canChange } from '../../records/plan-on-baseline.ts';
import type { Baseline, PlanRules } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { keyText, nameText } from '../../run/service-text.ts';
import type { Resource } from '../../schema/resource.ts';
import { sameAddress } from '../../service/address.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { safeCell } from '../map/safe-cell.ts';
import { listedText } from '../map/sheet-notes.ts';
import { type Lineage, readSendings, sentSince } from './lineage.ts';
import { PackedRecords } from './packed-records.ts';

/** What a workbook's records were when it was written, with what is gathered while its rows are planned. */
export interface OpenBaseline extends Baseline {
  /** Whether it tells what stood in the columns that are only shown. */
  readonly tellsShown: boolean;
  /** Notes on cells that were emptied, once the rows of their sheet are planned. */
  emptiedNotes(sheet: string): Bilingual[];
  readonly notes: readonly Bilingual[];
  /** Null for a workbook without a baseline. */
  readonly lineage: Lineage | null;
}

/** What the hidden sheet of a workbook tells: the same each time that its rows are planned. */
export interface ReadBaseline {
  readonly stamp: BaselineStamp | undefined;
  readonly records: PackedRecords;
  readonly names: ReadonlyMap<string, Values>;
  readonly notes: readonly Bilingual[];
}

/**
 * Reads a workbook's baseline from its hidden sheet; an empty one where it has none, or one of another
 * version, which is said. Throws StopError with EXIT.usage for one of another service, unless `onConflict` is
 * `mine`.
 */
export async function readBaseline(
  context: Context,
  workbook: Workbook,
  // A command of its own takes no `--on-conflict`.
  { onConflict, command }: Pick<PlanRules, 'onConflict'> & { readonly command?: string | undefined },
): Promise<ReadBaseline> {
  const records = new PackedRecords();
  const names = new Map<string, Values>();
  let stamp: BaselineStamp | undefined;
  let unread = 0;
  for (const sheet of workbook.sheets) {
    if (!(await isBaselineSheet(sheet))) continue;
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
            return { stamp: undefined, records, names, notes: [refusal(stamp)] };
          }
          first = false;
        } else if (!isOfSheet(texts) && !takeNames(names, texts) && !records.add(texts)) unread++;
      }
    }
  }
  return { stamp, records, names, notes: unread === 0 ? [] : [unreadText(unread)] };
}

/** A baseline to plan the rows of its workbook once. */
export async function openBaseline(
  context: Context,
  file: string,
  { stamp, records, names, notes }: ReadBaseline,
): Promise<OpenBaseline> {
  const { at = '', undoes = null } = stamp ?? {};
  const headers = stamp && shownHeaders(stamp);
  const sendings = await readSendings(context, at);
  const emptied = new Map<string, string[]>();
  return {
    ...{ at, notes, lineage: stamp ? { at, undoes } : null, tellsShown: headers !== undefined },
    named(resource, header, name) {
      const ids = names.get(`${resource} ${header}`) ?? {};
      return Object.hasOwn(ids, name) ? String(ids[name]).split(' ').map(Number) : [];
    },
    find: (...asked) => records.find(...asked),
    sent: sendings.length === 0 ? null : (was) => sentSince(context, sendings, file, was),
    shown: ({ resource, shown }, header) => shown?.[headers?.(resource).indexOf(header) ?? -1],
    // An undo has cells only for what it takes back.
    emptied: undoes === null ? (...row) => gatherEmptied(emptied, ...row) : null,
    emptiedNotes: (sheet) => (emptied.has(sheet) ? [emptiedText(emptied.get(sheet) ?? [])] : []),
  };
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
  const message = t(
    `This file was written for ${keyText(service).en}, not for ${nameText(serviceName).en}: the same numbers may be other records there.`,
    `Dit bestand is geschreven voor ${keyText(service).nl}, niet voor ${nameText(serviceName).nl}: daar kunnen dezelfde nummers andere records zijn.`,
  );
  const plain = t(
    'Use it with its own service, or export the records from here and edit that file.',
    'Gebruik het met zijn eigen systeem, of exporteer de records van hier en bewerk dat bestand.',
  );
  const next = withFlag(
    t(
      `${plain.en} Or compare its rows with this service alone, and send what differs.`,
      `${plain.nl} Of vergelijk de rijen alleen met dit systeem, en verstuur wat verschilt.`,
    ),
    '--on-conflict mine',
  );
  return new StopError(EXIT.usage, message, { next: command ? plain : next });
}

const unreadText = (count: number): Bilingual =>
  t(
    `What ${count} records were when this file was written can't be read: their ${ALONE.en}`,
    `Wat ${count} records waren toen dit bestand geschreven werd is niet te lezen: hun ${ALONE.nl}`,
  );

/** Gathers cells that were emptied since the workbook was written: import leaves their fields alone. */
function gatherEmptied(
  emptied: Map<string, string[]>,
  ...[{ mapping, action, values, issues, row }, found, was, service]: Parameters<
    NonNullable<Baseline['emptied']>
  >
): void {
  if (action === 'skip' || action === 'delete' || stopsRow(issues)) return;
  for (const field of mapping.columnOf.keys()) {
    if (values[field] !== undefined || (service.values[field] ?? null) === null) continue;
    // A cell that can't be read is not empty.
    if (found.some((issue) => issue.field === field)) continue;
    if (!wasShown(mapping.resource, field, was.values[field] ?? null)) continue;
    const cells = emptied.get(mapping.sheet) ?? [];
    emptied.set(mapping.sheet, cells);
    cells.push(addressOf(mapping, field, row) ?? field);
  }
}

/** Whether an export shows a value of a field that import takes: it leaves out a text that no cell can hold. */
function wasShown(resource: Resource, header: string, value: Value): boolean {
  const field = resource.fields[header];
  if (value === null || field === undefined || resource.keys.includes(header) || !canChange(resource, header))
    return false;
  const column = { header, field, type: field.codec.type, imported: true, path: [] };
  return safeCell(value, column, { language: 'en', locale: 'en', csv: false }, () => {}) !== null;
}

/** Most cells named; the rest is counted. */
const SHOWN = 5;

function emptiedText(all: readonly string[]): Bilingual {
  const cells = listedText(all.slice(0, SHOWN), all.length);
  return t(
    `cells that were emptied leave their field as it is: ${cells.en}; #CLEAR clears it`,
    `cellen die leeggemaakt zijn laten hun veld zoals het is: ${cells.nl}; #CLEAR maakt het leeg`,
  );
}
