import { writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { packages } from '../../src/resources/packages.ts';
import { recipes } from '../../src/resources/recipes.ts';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** The cells of a row, by header. */
export type Cells = Readonly<Record<string, string | number>>;

/** What the rows of these tests are imported as. */
export const resources = { packages, recipes, events, arrangements };

/** Whole rows that create a record each, and look alike but for their number. */
export const rowsOf = {
  packages: (at: number): Cells => ({
    OmschrijvingIntern: `Pakket ${at}`,
    ProductTypeID: 1,
    Verkoopprijs: `${10 + at},25`,
  }),
  recipes: (at: number): Cells => ({
    ...{ OmschrijvingIntern: `Recept ${at}`, ProductCategorieID: 11, ProductEenheidWaardeID: 501 },
    ...{ Gewicht: `0,${at}`, OPK: at },
  }),
  events: (at: number): Cells => ({
    ...{ RelatieID: 4001, ContactpersoonID: 6001, LocatieID: 801, Datum: `2027-05-0${at}` },
    ...{ Starttijd: `2027-05-0${at} 12:00:00`, Eindtijd: `2027-05-0${at} 17:30:00` },
  }),
} as const;

/** The kinds whose records have an ExternalID. */
export type Keyed = keyof typeof rowsOf;

/** Writes rows as a CSV file; answers its path. */
export function writeRows(file: string, rows: readonly Cells[]): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [header, ...rows.map((row) => header.map((name) => row[name] ?? ''))];
  writeFileSync(file, lines.map((line) => line.join(';')).join('\r\n'));
  return file;
}

/** A second service, a folder, and what imports into it are given, for as long as a test lasts. */
export async function openRows(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  const folder = tempFolder();
  return { service, folder, options: optionsFor({ folder, url: service.url, token: service.token }) };
}
