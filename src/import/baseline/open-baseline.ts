import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EXIT, StopError } from '../../core/errors.ts';
import { stopsRow } from '../../core/issue.ts';
import { type Bilingual, t, withFlag } from '../../core/language.ts';
import type { Value, Values } from '../../core/value.ts';
import {
  type BaselineRecord,
  type BaselineStamp,
  decodeBaselineRecord,
  decodeBaselineStamp,
  isBaselineHeader,
  isBaselineSheet,
  shownHeaders,
  takeNames,
  textsOf,
} from '../../files/baseline-sheet.ts';
import { comparablePath } from '../../files/file-name.ts';
import { HashIndex, hashOf } from '../../ledger/hash-index.ts';
import { addressOf } from '../../records/mapped-row.ts';
import { canChange } from '../../records/plan-on-baseline.ts';
import type { Baseline, PlanRules, SentSince } from '../../records/planning.ts';
import type { Context } from '../../run/context.ts';
import { keyText, nameText } from '../../run/service-text.ts';
import type { Resource } from '../../schema/resource.ts';
import { sameAddress } from '../../service/address.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import { safeCell } from '../map/safe-cell.ts';
import { listedText } from '../map/sheet-notes.ts';

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
        } else if (!takeNames(names, texts) && !records.add(texts)) unread++;
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

/** Records packed together: finding one unpacks its neighbours. */
const PIECE = 16;
/** Neighbours repeat each other's names and texts: the least effort does. */
const LITTLE = { level: 1 } as const;
/** Neither stands in JSON unescaped. */
const [BETWEEN_CELLS, BETWEEN_RECORDS] = ['\t', '\n'];

/** Baseline records by resource and key, packed: 100,000 of 2 KB each take some tens of MB. */
class PackedRecords {
  private readonly packed: Buffer[] = [];
  private readonly index = new HashIndex();
  /** What was unpacked last, for rows in the order of the file. */
  private unpacked: { readonly at: number; readonly lines: readonly string[] } = { at: -1, lines: [] };
  private waiting: string[] = [];
  private count = 0;

  /** Adds a row of the baseline sheet, as the texts of its cells; false for one that holds no record. */
  add(texts: readonly string[]): boolean {
    const line = texts.join(BETWEEN_CELLS);
    const [resource = '', key = ''] = texts;
    const whole = resource !== '' && key !== '' && !line.includes(BETWEEN_RECORDS);
    if (!whole || line.split(BETWEEN_CELLS).length !== texts.length) return false;
    this.index.add(hashOf(`${resource} ${key}`), this.count++);
    this.waiting.push(line);
    // A copy: zlib's buffer holds on to a larger block than it fills.
    if (this.waiting.length === PIECE)
      this.packed.push(Buffer.from(deflateRawSync(this.waiting.splice(0).join(BETWEEN_RECORDS), LITTLE)));
    return true;
  }

  /** The record with this key; undefined where there is none, or more than one. */
  find(resource: string, key: string): BaselineRecord | undefined {
    const places = this.index.find(hashOf(`${resource} ${key}`));
    const all = places.flatMap(
      (place) => decodeBaselineRecord(this.lineAt(place).split(BETWEEN_CELLS)) ?? [],
    );
    const [own, ...others] = all.filter((one) => one.resource === resource && one.key === key);
    return others.length > 0 ? undefined : own;
  }

  private lineAt(place: number): string {
    const at = Math.floor(place / PIECE);
    const piece = this.packed[at];
    if (piece !== undefined && this.unpacked.at !== at)
      this.unpacked = { at, lines: inflateRawSync(piece).toString().split(BETWEEN_RECORDS) };
    return (piece === undefined ? this.waiting : this.unpacked.lines)[place % PIECE] ?? '';
  }
}

/** Which workbook a plan is of. Plain data. */
interface Lineage {
  /** When the workbook was written, ISO in UTC: the same for a file and its copies, whatever their names. */
  readonly at: string;
  /** The run that the workbook takes back. */
  readonly undoes: string | null;
}

/** A run that sent a workbook or a copy of it; `place`: where the file stood, null where it was corrected. */
interface Sending {
  readonly run: string;
  readonly place: string | null;
}

/** Most runs remembered of one workbook. */
const MOST = 100;

const factName = (at: string): string => `runs of the workbook of ${at}`;
const takenBack = (run: string): string => `${run} was taken back`;

/** The runs that sent the workbook of this moment or a copy of it, in the order of sending. */
async function readSendings({ ledger, serviceKey }: Context, at: string): Promise<readonly Sending[]> {
  return JSON.parse((await ledger.findFact(serviceKey, factName(at))) ?? '[]') as Sending[];
}

/**
 * Remembers that a run sends the workbook that stands at this place; one that takes a run back belongs to that
 * run's workbook too.
 */
export async function rememberSending(
  context: Context,
  { run, lineage }: { readonly run: string; readonly lineage: Lineage | null },
  place: string | null,
): Promise<void> {
  const { ledger, serviceKey } = context;
  if (lineage?.undoes != null) await ledger.rememberFact(serviceKey, takenBack(lineage.undoes), run);
  let sending: Sending = { run, place: place === null ? null : comparablePath(place) };
  for (let of = lineage; of !== null; sending = { run, place: null }) {
    const others = (await readSendings(context, of.at)).filter((one) => one.run !== run);
    const all = JSON.stringify([...others, sending].slice(-MOST));
    await ledger.rememberFact(serviceKey, factName(of.at), all);
    const above = of.undoes === null ? undefined : (await ledger.findRun(of.undoes))?.details;
    of = (above as { readonly lineage?: Lineage | null } | undefined)?.lineage ?? null;
  }
}

/** The last run that took a run back, in whole or in part; undefined when none did. */
export async function findTakenBack(
  { ledger, serviceKey }: Pick<Context, 'ledger' | 'serviceKey'>,
  run: string,
): Promise<string | undefined> {
  return await ledger.findFact(serviceKey, takenBack(run));
}

/** What these runs sent of a record; `file`: the one that is planned. */
async function sentSince(
  { ledger }: Context,
  sendings: readonly Sending[],
  file: string,
  { resource, key }: BaselineRecord,
): Promise<SentSince> {
  const sent: Record<string, SentSince[string]> = {};
  for (const { run, place } of sendings)
    for (const { seq, changes } of await ledger.plannedFor(run, resource, key)) {
      const [stored] = await ledger.readRows(run, { after: seq - 1, limit: 1 });
      if (stored?.planned.seq !== seq || stored.outcome?.status !== 'updated') continue;
      for (const { field, to } of changes) sent[field] = { to, here: place === comparablePath(file) };
    }
  return sent;
}
