import { appendFileSync, readFileSync } from 'node:fs';
import type { Replacement } from '../../api/run-table.ts';
import { makeFolder } from '../../files/folders.ts';
import { PRIVATE } from '../../files/write-aside.ts';
import type { CellCorrection } from '../../import/correct/corrected-workbook.ts';
import type { Desk } from './desk.ts';
import type { StoredDraft } from './drafts.ts';

/** Where a row stands in the user's file. */
export interface Place {
  readonly sheet: string;
  readonly row: number;
}

/** Names a place. */
export const placeKey = ({ sheet, row }: Place): string => `${row}\0${sheet}`;

/** The mark of the cell that says what is to be done with a row. */
export const ACTION = '#action';

/** Whether a correction is the header that such cells got, and of no row. */
export const isActionHeader = ({ text }: Pick<CellCorrection, 'text'>): boolean => text === ACTION;

/** The corrections that the user made. */
export const ownCorrections = ({ corrections }: Pick<StoredDraft, 'corrections'>): CellCorrection[] =>
  corrections.filter((one) => !isActionHeader(one));

/** What was corrected in each row and how its conflict was decided, as text; rows without are absent. */
function signsOf({ corrections, decisions }: StoredDraft): ReadonlyMap<string, string> {
  const all = new Map<string, unknown[]>();
  const add = (place: Place, what: unknown): void => {
    const key = placeKey(place);
    all.set(key, [...(all.get(key) ?? []), what]);
  };
  for (const one of corrections.toSorted((a, b) => a.column - b.column)) add(one, [one.column, one.text]);
  for (const one of decisions) add(one, one.decide);
  return new Map([...all].map(([key, what]) => [key, JSON.stringify(what)]));
}

/** A line of the file: a row that was checked, or one that is as in its plan again. */
interface Line {
  readonly sign: string;
  readonly place: string;
  readonly kept: Replacement | null;
}

/**
 * Rows of a draft that were checked again, kept beside its file: after a new start of the program they are
 * there at once. A line at the end of a file each, so that many corrected rows make the next no slower.
 */
export function keepChecked(
  desk: Desk,
  draft: StoredDraft,
  checked: readonly Replacement[],
  restored: readonly Place[] = [],
): void {
  const signs = signsOf(draft);
  const line = (place: string, kept: Replacement | null): string => {
    const one: Line = { sign: signs.get(place) ?? '', place, kept };
    return `${JSON.stringify(one)}\n`;
  };
  const lines = [
    ...checked.map((one) => line(placeKey(one.row), one)),
    ...restored.map((place) => line(placeKey(place), null)),
  ];
  makeFolder(desk.drafts.checkedOf(draft.id));
  appendFileSync(fileOf(desk, draft), lines.join(''), { mode: PRIVATE });
}

/** Those rows as they were checked with what is corrected and decided now; others have to be checked anew. */
export function checkedBefore(desk: Desk, draft: StoredDraft): readonly Replacement[] {
  const signs = signsOf(draft);
  const found = new Map<string, Replacement>();
  for (const text of linesOf(fileOf(desk, draft))) {
    const line = lineIn(text);
    if (line === undefined) continue;
    if (line.kept === null || line.sign !== (signs.get(line.place) ?? '')) found.delete(line.place);
    else found.set(line.place, line.kept);
  }
  return [...found.values()];
}

/** One for each plan and language: what is shown of a row is in words. */
const fileOf = (desk: Desk, { id, run }: StoredDraft): string =>
  `${desk.drafts.checkedOf(id)}/${run}.${desk.language}.jsonl`;

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Undefined for a line that was not wholly written. */
function lineIn(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
