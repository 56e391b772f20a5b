import { RowStore } from '../../files/row-store.ts';
import type { Workbook } from '../../workbook/read-workbook.ts';
import type { AboutFile, FileMemory } from '../plan/plan-import.ts';

/** What was read of a file, for checks of its rows: those on disk, and what its hidden sheets say. */
export class FileRows implements FileMemory {
  readonly store = new RowStore();
  /** Known once the file was planned. */
  about: AboutFile | undefined;

  /** The same workbook, of which the sheets that people see keep their rows. */
  keep(workbook: Workbook): Workbook {
    const sheets = workbook.sheets.map((sheet) => (sheet.hidden ? sheet : this.store.kept(sheet)));
    return { ...workbook, sheets, [Symbol.iterator]: () => sheets.values() };
  }

  learn(about: AboutFile): void {
    this.about = about;
  }

  /** Removes what is on disk. */
  async close(): Promise<void> {
    await this.store.close();
  }
}
