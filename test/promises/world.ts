import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { programAt } from '../helpers/program-at.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { openSecondServiceInMemory } from '../second-service/second-service.ts';

export type Cell = string | number | null;

/** A service in memory, programs that reach nothing but it, and one time for all of them, which passes by itself. */
export function openWorld(knobs: KnobChanges = {}, { patience = 0 }: { readonly patience?: number } = {}) {
  const time = new VirtualTime({ patience });
  const service = openSecondServiceInMemory(knobs, { time });
  onTestFinished(() => service.close());
  const folder = tempFolder();
  let files = 0;
  return {
    ...programAt({ time, connect: service.connect }),
    time,
    service,
    folder,
    /** What a program on a machine of its own is told: no other one knows its ledger. */
    machine: () => ({
      ...optionsFor({ folder: tempFolder(), url: service.url, token: service.token }),
      allRows: true,
    }),
    /** A CSV of these rows, the header first; answers its path. */
    sheet: (rows: readonly (readonly Cell[])[]): string => {
      files += 1;
      const file = join(folder, `week-${files}.csv`);
      writeFileSync(file, rows.map((row) => row.map((cell) => cell ?? '').join(';')).join('\r\n'));
      return file;
    },
  };
}

/** Rows of packages to create, with keys from `first` on, below their header. */
export const newPackages = (count: number, first = 900_001): (readonly Cell[])[] => [
  ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
  ...Array.from({ length: count }, (_, at): Cell[] => [first + at, `Lunch ${at + 1}`, 1, `${10 + at},25`]),
];
