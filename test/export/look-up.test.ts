import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { plannerService } from './planner-service.ts';

const MARCH = { from: '2026-03-01', to: '31-03-2026' } as const;

/** Two events with their customer, arrangements and trips, of which the service tells names. */
async function namingService() {
  const service = await plannerService();
  service.events = [
    {
      ...{ PartijID: 1, Datum: '2026-03-09 00:00:00', PartijOmschrijving: 'Lunch Bakker BV' },
      ...{ RelatieID: 11, ContactpersoonID: 21, LocatieID: 31 },
    },
    { PartijID: 2, Datum: '2026-03-04 00:00:00', PartijOmschrijving: 'Borrel', RelatieID: 12 },
  ];
  service.links = { 1: [{ ArrangementID: 7, ArrangementNaam: 'Lunchbuffet', Aantal: 3 }] };
  service.trips = [
    {
      ...{ RitID: 5, Datum: '2026-03-09 00:00:00', PartijID: 1, RelatieID: 11, Omschrijving: 'Heen Lunch' },
      demand: { BehoefteID: 1, planning: [{ WerknemerID: 41 }] },
    },
  ];
  const told: Record<string, unknown> = {
    'relation/11': { RelatieID: 11, Bedrijfsnaam: 'Bakker BV' },
    'relation/contact/21': { ContactpersoonID: 21, RelatieID: 11, Voornaam: 'Jan', Achternaam: 'Boer' },
    'location/31': { LocatieID: 31, Naam: 'Kasteel' },
  };
  service.onRequest = (path) => (path in told ? { status: 200, body: told[path] } : undefined);
  return { ...service, out: join(service.folder, 'planning.xlsx') };
}

/** The sheets to see of a workbook, and the rows of the last one. */
async function lookUpIn(file: string): Promise<{ sheets: string[]; rows: string[] }> {
  const shown = (await readWorkbook(file, {})).sheets.filter(({ hidden }) => !hidden);
  const rows: string[] = [];
  let columns: readonly number[] | undefined;
  for await (const { cells } of shown.at(-1)?.rows ?? []) {
    columns ??= cells.map(({ column }) => column);
    const texts = columns.map((at) => String(cells.find(({ column }) => column === at)?.value ?? ''));
    rows.push(texts.join(' | '));
  }
  return { sheets: shown.map(({ name }) => name), rows };
}

test('the last sheet of an export lists what its numbers name, and an import passes it over', async () => {
  const { options, out } = await namingService();
  await exportRecords(['events', 'arrangements', 'trips'], { ...options, ...MARCH, out, lang: 'nl' });
  const { sheets: shown, rows } = await lookUpIn(out);
  expect(shown.at(-1)).toBe('Opzoeken');
  expect(rows).toEqual([
    'Soort | Nummer | Naam',
    'relaties | 11 | Bakker BV',
    'relaties | 12 | ',
    'contactpersonen | 21 | Jan Boer',
    'locaties | 31 | Kasteel',
    'arrangementen | 7 | Lunchbuffet',
    'evenementen | 1 | ',
    'werknemers | 41 | ',
  ]);
  const { sheets } = await importWorkbook(out, { ...options, dryRun: true });
  expect(sheets.map(({ sheet }) => sheet)).not.toContain('Opzoeken');
});
