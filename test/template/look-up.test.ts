import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importWorkbook, writeTemplate } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { stockCount } from '../../src/resources/stock.ts';
import { trips } from '../../src/resources/trips.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { plannerService } from '../export/planner-service.ts';
import { packageFaults } from '../helpers/excel-rules.ts';
import { fillIn, partsOf } from './fill-in.ts';

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
  return { ...service, out: join(service.folder, 'sjabloon.xlsx'), service };
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

test('a template with a period lists what the numbers of its sheets name, each list asked for once', async () => {
  const { options, out, asked } = await namingService();
  const sheets = [events, arrangements, trips, stockCount];
  const written = await writeTemplate(sheets, { ...options, ...MARCH, out, lang: 'nl' });
  expect(written.lookUp).toEqual({ rows: 9, notes: [] });
  expect(packageFaults(await partsOf(readFileSync(out)))).toEqual([]);
  const { sheets: shown, rows } = await lookUpIn(out);
  expect(shown.at(-1)).toBe('Opzoeken');
  expect(rows).toEqual([
    'Soort | Nummer | Naam | Datum',
    'evenementen | 2 | Borrel | 2026-03-04',
    'evenementen | 1 | Lunch Bakker BV | 2026-03-09',
    'relaties | 11 | Bakker BV | ',
    'relaties | 12 |  | ',
    'contactpersonen | 21 | Jan Boer | ',
    'locaties | 31 | Kasteel | ',
    'arrangementen | 7 | Lunchbuffet | ',
    'ritten | 5 | Heen Lunch | 2026-03-09',
    'werknemers | 41 |  | ',
  ]);
  expect(asked.map(({ path }) => path).toSorted()).toEqual([
    ...['event/1/packages', 'event/2/packages', 'event/all', 'event/all', 'location/31'],
    ...['relation/11', 'relation/12', 'relation/contact/21', 'ritten/all'],
  ]);
});

test('a filled in template with a sheet to look up numbers is imported without a word on that sheet', async () => {
  const { options, out, folder } = await namingService();
  await writeTemplate([trips], { ...options, ...MARCH, out });
  const file = join(folder, 'ingevuld.xlsx');
  writeFileSync(file, await fillIn(readFileSync(out), { Ritten: [{ RitID: 5, Chauffeur: 'Jan' }] }));
  const { counts, sheets } = await importWorkbook(file, { ...options, dryRun: true });
  expect(counts).toMatchObject({ read: 1, updated: 1 });
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Ritten']);
});

test('a list that the service does not give is a note, and the template is written without its numbers', async () => {
  const { service, options, out } = await namingService();
  service.onRequest = (path) =>
    path === 'event/all' ? { status: 403, body: { message: 'mag niet' } } : undefined;
  const written = await writeTemplate([events, trips], { ...options, ...MARCH, out });
  expect(written.lookUp.notes).toEqual([
    expect.stringMatching(/^Evenementen: could not be read \(.*\), so their numbers may be missing/),
  ]);
  expect((await lookUpIn(out)).rows.slice(1)).toEqual(['trips | 5 | Heen Lunch | 2026-03-09']);
});

test.each([
  ['en', 'for a sheet to look up numbers (trips): give a period (--from D --to D)'],
  ['nl', 'voor een werkblad om nummers op te zoeken (ritten): geef een periode (--from D --to D)'],
] as const)(
  'without a period a template asks nothing more and says what to give (%s)',
  async (lang, note) => {
    const { options, out, asked } = await namingService();
    const { lookUp } = await writeTemplate([trips], { ...options, out, lang });
    expect(lookUp).toEqual({ rows: 0, notes: [note] });
    expect(asked).toEqual([]);
  },
);

test('a period without the service, half a period and one that ends before it begins are refused', async () => {
  const { options, out } = await namingService();
  for (const period of [
    { ...MARCH, offline: true },
    { from: MARCH.from },
    { from: '2026-04-01', to: '2026-03-01' },
  ])
    await expect(writeTemplate([trips], { ...options, ...period, out })).rejects.toMatchObject({ exit: 2 });
});
