import type { Moves } from './move-formula.ts';
import type { RowMap } from './row-map.ts';

/** What the elements around a sheet's rows are brought up to date by. */
export interface Around {
  readonly sheet: string;
  readonly rows: RowMap;
  readonly moves: Moves;
  /** The sheet is the one that the workbook opens on, or not; undefined where that stays as it was. */
  readonly selected: boolean | undefined;
  /** Relationships of the sheet that are no more. */
  readonly dropped: ReadonlySet<string>;
  /** Slicers and timelines are no more. */
  readonly unsliced: boolean;
  /** Called for a list to choose from that lacks choices by now, and goes. */
  readonly onLostList: () => void;
}
