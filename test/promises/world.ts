import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, onTestFinished } from 'vitest';
import { postgresFolder, usePostgres } from '../helpers/postgres.ts';
import { programAt } from '../helpers/program-at.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import { VirtualTime } from '../helpers/virtual-time.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { openSecondServiceInMemory } from '../second-service/second-service.ts';

export type Cell = string | number | null;

/** Databases for the ledgers of the next machines; none: they have files. */
let databases: string[] | undefined;

/** The most machines of one test. */
const MACHINES = 6;

/** Databases that were made before, and those of them that no test has used since they were emptied. */
const made: string[] = [];
let unused: readonly string[] = [];

/** The same tests with ledgers in files and, where there is PostgreSQL, in databases. */
export function onEachLedger(tests: (inDatabase: boolean) => void): void {
  describe('with its ledger in a file', () => tests(false));
  describe.skipIf(postgresFolder() === undefined)('with its ledger in PostgreSQL', () => {
    const server = usePostgres();
    beforeEach(async () => {
      while (made.length < MACHINES) made.push(await server.database());
      for (const address of made.filter((one) => !unused.includes(one)))
        await server.ask('drop schema if exists catersheet cascade', new URL(address).pathname.slice(1));
      databases = [...made];
      return () => {
        unused = databases ?? [];
        databases = undefined;
      };
    });
    tests(true);
  });
}

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
    machine: () => {
      const options = optionsFor({ folder: tempFolder(), url: service.url, token: service.token });
      return { ...options, ledger: databases === undefined ? options.ledger : nextOf(databases) };
    },
    /** A CSV of these rows, the header first; answers its path. */
    sheet: (rows: readonly (readonly Cell[])[]): string => {
      files += 1;
      const file = join(folder, `week-${files}.csv`);
      writeFileSync(file, rows.map((row) => row.map((cell) => cell ?? '').join(';')).join('\r\n'));
      return file;
    },
  };
}

function nextOf(addresses: string[]): string {
  const address = addresses.pop();
  if (address === undefined) throw new Error(`a test has ${MACHINES} machines at most`);
  return address;
}

/** Rows of packages to create, with keys from `first` on, below their header. */
export const newPackages = (count: number, first = 900_001): (readonly Cell[])[] => [
  ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
  ...Array.from({ length: count }, (_, at): Cell[] => [first + at, `Lunch ${at + 1}`, 1, `${10 + at},25`]),
];
