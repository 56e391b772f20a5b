import type { Row } from '../../core/cell.ts';
import { cellText } from '../../core/codec.ts';
import { EXIT, StopError } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import type { Bilingual } from '../../core/value.ts';
import {
  BASE_SHEET,
  type BaseRecord,
  type BaseStamp,
  decodeBaseStamp,
  isBaseHeader,
} from '../../files/base-sheet.ts';
import type { Baseline } from '../../records/baseline.ts';
import type { OnConflict } from '../../records/three-way.ts';
import type { Context } from '../../run/context.ts';
import type { Sheet, Workbook } from '../../workbook/read-workbook.ts';
import { EmptiedCells } from './emptied-cells.ts';
import { afterRuns, findLineage, type Lineage } from './lineage.ts';
import { PackedRecords } from './packed-records.ts';
import { openShown, type ShownConflicts } from './shown-conflicts.ts';

/** What the records of a workbook were when it was written, with what was gathered while its rows were planned. */
export interface Base extends Baseline {
  readonly emptied: EmptiedCells | null;
  readonly shown: ShownConflicts | null;
}

/** Of a workbook that says nothing of what its records were. */
const NO_BASE: Base = {
  at: '',
  find: () => undefined,
  all: () => [],
  after: null,
  emptied: null,
  shown: null,
};

/** What opening a base goes by. */
interface BaseWishes {
  /** The run that the workbook is the result of, where it says so. */
  readonly run: string | undefined;
  readonly onConflict: OnConflict;
  /** It is for a command of its own, which takes no `--on-conflict`. */
  readonly command: boolean;
}

/** A base, and what there is to know about it. */
interface OpenedBase {
  readonly base: Base;
  readonly notes: readonly Bilingual[];
  /** Null where the workbook says nothing of what its records were. */
  readonly lineage: Lineage | null;
}

/** The planner's key of a record that the service does not have, by the user's own number. */
const EXTERNAL = /^external:(\d+)$/;

/** What does not fit on one sheet goes on to others, each with all that says what it is. */
const BASE_NAME = new RegExp(`^${BASE_SHEET}(?: \\(\\d+\\))?$`);

/** Whether a workbook is one that this program wrote together with what its records were. */
export const isOurs = ({ sheets }: Workbook): boolean => sheets.some(({ name }) => BASE_NAME.test(name));

/** Whether a sheet is the hidden one that says what the records were. */
export async function isBaseSheet(sheet: Sheet): Promise<boolean> {
  if (!BASE_NAME.test(sheet.name)) return false;
  for await (const row of sheet.rows) return isBaseHeader(textsOf(row));
  return false;
}

/**
 * What a workbook says its records were, read from its hidden sheet; nothing where it has none, or one of another version, which is
 * said. Throws StopError with EXIT.usage for one of another service, unless the user wants it to count all the same.
 */
export async function openBase(
  context: Context,
  workbook: Workbook,
  { run, onConflict, command }: BaseWishes,
): Promise<OpenedBase> {
  const sheets = workbook.format === 'xlsx' ? await findBaseSheets(workbook) : [];
  if (sheets.length === 0) return { base: NO_BASE, notes: [], lineage: null };
  const records = new PackedRecords();
  let stamp: BaseStamp | undefined;
  let unread = 0;
  for (const sheet of sheets) {
    let first = true;
    for await (const batch of sheet.batches) {
      for (const row of batch) {
        const texts = textsOf(row);
        if (isBaseHeader(texts)) continue;
        if (first) {
          stamp = decodeBaseStamp(texts);
          if (stamp?.service !== context.serviceKey) {
            if (stamp !== undefined && onConflict !== 'mine') throw otherService(stamp, context, command);
            return { base: NO_BASE, notes: [refusal(stamp)], lineage: null };
          }
          first = false;
        } else if (!records.add(texts)) unread++;
      }
      await records.settle(false);
    }
  }
  await records.settle(true);
  const notes = unread === 0 ? [] : [unreadText(unread)];
  const at = stamp?.at ?? '';
  const undoes = stamp?.undoes ?? null;
  const lineage = await findLineage(context, { file: workbook.file, at, run, undoes });
  const isNew = lineage.runs.length + lineage.family.length === 0;
  const after = isNew ? null : (was: BaseRecord) => afterRuns(context, lineage, was);
  const externals = new Map(
    context.resources.flatMap((one) => ('external' in one ? [[one.name, one.external] as const] : [])),
  );
  const find: Base['find'] = (resource, key) => {
    const number = EXTERNAL.exec(key)?.[1];
    const field = externals.get(resource);
    return number === undefined || field === undefined
      ? records.find(resource, key)
      : records.holding(resource, field, Number(number));
  };
  const all: Base['all'] = (...key) => records.all(...key);
  // An undo has cells for what it takes back alone.
  const emptied = undoes === null ? new EmptiedCells() : null;
  const shown = await openShown(context, { file: workbook.file, at, run });
  return { base: { at, find, all, after, emptied, shown }, notes, lineage };
}

async function findBaseSheets({ sheets }: Workbook): Promise<Sheet[]> {
  const found: Sheet[] = [];
  for (const sheet of sheets) if (await isBaseSheet(sheet)) found.push(sheet);
  return found;
}

function textsOf({ cells }: Row): string[] {
  const texts: string[] = new Array<string>(cells.at(-1)?.column ?? 0).fill('');
  for (const cell of cells) texts[cell.column - 1] = cellText(cell);
  return texts;
}

const ALONE = t('rows are compared with the service alone', 'rijen worden alleen met de dienst vergeleken');

function refusal(stamp: BaseStamp | undefined): Bilingual {
  return stamp === undefined
    ? t(
        `What the records were when this file was written can't be read (another version wrote it): ${ALONE.en}`,
        `Wat de records waren toen dit bestand geschreven werd is niet te lezen (een andere versie schreef het): ${ALONE.nl}`,
      )
    : t(
        `This file was written for another service (${stamp.service}): ${ALONE.en}`,
        `Dit bestand is voor een andere dienst geschreven (${stamp.service}): ${ALONE.nl}`,
      );
}

/** The same numbers are other records elsewhere: a trial's file would overwrite what is in use. */
function otherService({ service }: BaseStamp, { serviceName }: Context, command: boolean): StopError {
  const mine = t(
    '; --on-conflict mine compares its rows with this service alone, and sends what differs',
    '; --on-conflict mine vergelijkt de rijen alleen met deze dienst, en verstuurt wat verschilt',
  );
  return new StopError(
    EXIT.usage,
    t(
      `This file was written for ${service}, not for ${serviceName}: the same numbers may be other records there.`,
      `Dit bestand is geschreven voor ${service}, niet voor ${serviceName}: daar kunnen dezelfde nummers andere records zijn.`,
    ),
    {
      next: t(
        `Use it with the address that it was written for${command ? '' : mine.en}.`,
        `Gebruik het met het adres waarvoor het geschreven is${command ? '' : mine.nl}.`,
      ),
    },
  );
}

const unreadText = (count: number): Bilingual =>
  t(
    `What ${count} records were when this file was written can't be read: their ${ALONE.en}`,
    `Wat ${count} records waren toen dit bestand geschreven werd is niet te lezen: hun ${ALONE.nl}`,
  );
