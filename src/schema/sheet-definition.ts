import type { Fields } from './field.ts';
import type { Bilingual } from './value.ts';

/** What every kind of sheet has. */
export interface SheetDefinition {
  /** Such as `packages`; what `--as` takes. */
  readonly name: string;
  /** The sheet's Dutch name, such as `Pakketten`. */
  readonly sheet: string;
  /** What its rows are, as a sentence without its full stop. */
  readonly about: Bilingual;
  /** Columns that say which record a row is about; a sheet without any of them is not recognised by its columns. */
  readonly keys: readonly string[];
  /** Columns that are never sent and help to find or to check a record all the same. */
  readonly finds?: readonly string[];
  /** The command that the sheet serves, where it is not an import. */
  readonly command?: string;
  readonly fields: Fields;
}
