import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { trips } from '../../src/resources/trips.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { plannerService } from './planner-service.ts';

/** Two arrangements of one event, and one of an event without a name. */
async function linkedService() {
  const service = await plannerService();
  service.events = [
    {
      ...{ PartijID: 1, Datum: '2026-03-04 00:00:00' },
      ...{ PartijOmschrijving: 'Lunch Bakker BV', AfleverAdresPlaats: 'Nijkerk' },
    },
    { PartijID: 2, Datum: '2026-03-05 00:00:00' },
  ];
  service.links = {
    1: [
      { ArrangementID: 1, ArrangementNaam: 'Lunchbuffet', Aantal: 3 },
      { ArrangementID: 2, Aantal: 4 },
    ],
    2: [{ ArrangementID: 1, Aantal: 5 }],
  };
  return service;
}

test.each(['xlsx', 'csv'])(
  'an export of arrangements to %s shows the name, day and place of each event, which import passes over',
  async (ending) => {
    const { options, folder, asked } = await linkedService();
    const out = join(folder, `uit.${ending}`);
    await exportRecords(arrangements, { ...options, out, from: '2026-03-01', to: '2026-03-31' });
    // The list of events, and a list for each.
    expect(asked.map(({ path }) => path).toSorted()).toEqual([
      'event/1/packages',
      'event/2/packages',
      'event/all',
    ]);
    const [sheet] = (await readWorkbook(out, {})).sheets;
    const rows: unknown[][] = [];
    for await (const { cells } of sheet?.rows ?? [])
      rows.push([1, 2, 3, 4, 5, 6].map((place) => cells.find(({ column }) => column === place)?.value ?? ''));
    const [day, other] =
      ending === 'csv' ? ['2026-03-04 00:00:00', '2026-03-05 00:00:00'] : ['2026-03-04', '2026-03-05'];
    expect(rows.map((row) => row.map(String))).toEqual([
      ['PartijID', '#Evenement', '#EvenementDatum', '#Plaats', 'ArrangementID', '#Arrangement'],
      ['1', 'Lunch Bakker BV', day, 'Nijkerk', '1', 'Lunchbuffet'],
      ['1', 'Lunch Bakker BV', day, 'Nijkerk', '2', ''],
      ['2', '', other, '', '1', ''],
    ]);
    const { counts, sheets } = await importWorkbook(out, options);
    expect(counts).toMatchObject({ read: 3, unchanged: 3 });
    expect(JSON.stringify(sheets)).not.toContain('not used');
  },
);

test('NDJSON holds arrangements as they came, without their events', async () => {
  const { options, folder } = await linkedService();
  const out = join(folder, 'uit.ndjson');
  await exportRecords(arrangements, { ...options, out, from: '2026-03-01', to: '2026-03-31' });
  expect(readFileSync(out, 'utf8')).toContain('"ArrangementID":2');
  expect(readFileSync(out, 'utf8')).not.toContain('#');
});

/** The cells of a workbook's first sheet of records under these headers, as texts. */
async function cellsUnder(file: string, headers: readonly string[]): Promise<string[][]> {
  const sheet = (await readWorkbook(file, {})).sheets.find(({ name }) => name !== 'Result');
  const rows: string[][] = [];
  let places: readonly number[] | undefined;
  for await (const { cells } of sheet?.rows ?? []) {
    places ??= headers.map((header) => cells.find(({ value }) => value === header)?.column ?? 0);
    rows.push(places.map((place) => String(cells.find(({ column }) => column === place)?.value ?? '')));
  }
  return rows;
}

/** Three events of two customers, of which the service tells the name of one. */
async function namingService() {
  const service = await plannerService();
  service.events = [
    { PartijID: 1, Datum: '2026-03-04 00:00:00', RelatieID: 11, ContactpersoonID: '21', LocatieID: 0 },
    { PartijID: 2, Datum: '2026-03-05 00:00:00', RelatieID: 11, FactuurContactPersoonID: 21, LocatieID: 31 },
    { PartijID: 3, Datum: '2026-03-06 00:00:00', RelatieID: 12 },
  ];
  const told: Record<string, unknown> = {
    'relation/11': { RelatieID: 11, Bedrijfsnaam: 'Bakker BV' },
    'relation/contact/21': { ContactpersoonID: 21, Voornaam: 'Jan', Tussenvoegsel: 'de', Achternaam: 'Boer' },
    'location/31': { LocatieID: 31, Naam: 'Kasteel' },
  };
  service.onRequest = (path) => (path in told ? { status: 200, body: told[path] } : undefined);
  return service;
}

const EVENT_NAMES = ['PartijID', '#Relatie', '#Contactpersoon', '#FactuurContactpersoon', '#Locatie'];

test('an export of events shows the names of customers, contacts and locations, each asked for once', async () => {
  const service = await namingService();
  const out = join(service.folder, 'uit.xlsx');
  await exportRecords(events, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  expect(service.asked.map(({ path }) => path).toSorted()).toEqual([
    'event/all',
    'location/31',
    'relation/11',
    'relation/12',
    'relation/contact/21',
  ]);
  expect(await cellsUnder(out, EVENT_NAMES)).toEqual([
    EVENT_NAMES,
    ['1', 'Bakker BV', 'Jan de Boer', '', ''],
    ['2', 'Bakker BV', '', 'Jan de Boer', 'Kasteel'],
    ['3', '', '', '', ''],
  ]);
  const { counts, sheets } = await importWorkbook(out, service.options);
  expect(counts).toMatchObject({ read: 3, unchanged: 3 });
  expect(JSON.stringify(sheets)).not.toContain('not used');
});

/** Puts other values in the cells of an exported sheet's row, by headers. */
async function typed(file: string, sheet: string, row: number, values: Record<string, unknown>) {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const own = book.getWorksheet(sheet);
  own?.getRow(1).eachCell((cell, at) => {
    const header = String(cell.value).replace(/ \*$/, '');
    if (header in values) own.getCell(row, at).value = values[header] as exceljs.CellValue;
  });
  await book.xlsx.writeFile(file);
}

test.each(['xlsx', 'csv'])(
  'a result in %s shows the name of a changed id, and none where that is not known; so does the next',
  async (ending) => {
    const service = await namingService();
    const out = join(service.folder, 'uit.xlsx');
    await exportRecords(events, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
    // The first as another row has it, the second invalid too, the third to a record without a name.
    await typed(out, 'Evenementen', 2, { LocatieID: 31 });
    await typed(out, 'Evenementen', 3, { RelatieID: 12, LocatieID: 99, Datum: 'gisteren' });
    await typed(out, 'Evenementen', 4, { RelatieID: 11 });
    const first = join(service.folder, `een.${ending}`);
    const told = await importWorkbook(out, { ...service.options, dryRun: true, out: first });
    const headers = ['PartijID', 'LocatieID', '#Locatie', 'RelatieID', '#Relatie'];
    const expected = [
      headers,
      ['1', '31', 'Kasteel', '11', 'Bakker BV'],
      ['2', '99', '', '12', ''],
      ['3', '', '', '11', 'Bakker BV'],
    ];
    expect(await cellsUnder(first, headers)).toEqual(expected);
    expect(JSON.stringify(told.rows)).not.toContain('cell-not-sent');
    if (ending === 'csv') return;
    const second = join(service.folder, 'twee.xlsx');
    const again = await importWorkbook(first, { ...service.options, dryRun: true, out: second });
    expect(await cellsUnder(second, headers)).toEqual(expected);
    expect(JSON.stringify([again.rows, again.notes])).not.toMatch(/cell-not-sent|emptied/);
  },
);

test('a row of arrangements given another event and package keeps the names of neither', async () => {
  const service = await linkedService();
  Object.assign(service.events[1] ?? {}, { PartijOmschrijving: 'Diner' });
  Object.assign(service.links[2]?.[0] ?? {}, { ArrangementNaam: 'Lunchbuffet' });
  const out = join(service.folder, 'uit.xlsx');
  await exportRecords(arrangements, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  await typed(out, 'Arrangementen', 2, { ArrangementID: 8 });
  await typed(out, 'Arrangementen', 3, { PartijID: 2 });
  await typed(out, 'Arrangementen', 4, { Aantal: 'veel' });
  const result = join(service.folder, 'een.xlsx');
  await importWorkbook(out, { ...service.options, dryRun: true, out: result });
  const headers = ['PartijID', '#Evenement', 'ArrangementID', '#Arrangement'];
  expect(await cellsUnder(result, headers)).toEqual([
    headers,
    ['1', '', '8', ''],
    ['2', '', '2', ''],
    ['2', 'Diner', '1', 'Lunchbuffet'],
  ]);
});

test('an export of events with --ids asks for no names and has no columns of them', async () => {
  const service = await namingService();
  const out = join(service.folder, 'uit.xlsx');
  await exportRecords(events, { ...service.options, out, from: '2026-03-01', to: '2026-03-31', ids: true });
  expect(service.asked.map(({ path }) => path)).toEqual(['event/all']);
  expect((await cellsUnder(out, EVENT_NAMES))[0]).toEqual(['PartijID', '', '', '', '']);
});

test('names that the service refuses to tell are one note, and the events are exported', async () => {
  const service = await namingService();
  service.onRequest = (path) => (path.startsWith('relation') ? { status: 403, body: {} } : undefined);
  const out = join(service.folder, 'uit.xlsx');
  const told = await exportRecords(events, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  expect(told).toMatchObject({ records: 3, complete: true });
  expect(told.notes.filter((note) => note.startsWith('names of customers'))).toHaveLength(1);
});

test('an export asks for the names of no more than 300 records, and says of how many it did not', async () => {
  const service = await plannerService();
  service.events = Array.from({ length: 310 }, (_, at) => {
    return { PartijID: at + 1, Datum: '2026-03-04 00:00:00', RelatieID: at + 1 };
  });
  service.onRequest = (path) =>
    path.startsWith('relation/')
      ? { status: 200, body: { RelatieID: Number(path.slice(9)), Bedrijfsnaam: `Bedrijf ${path.slice(9)}` } }
      : undefined;
  const out = join(service.folder, 'uit.csv');
  const told = await exportRecords(events, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  expect(service.asked.filter(({ path }) => path.startsWith('relation/'))).toHaveLength(300);
  expect(told.notes.join()).toContain('names of 10 customers are not shown');
  expect(readFileSync(out, 'utf8')).toContain(';Bedrijf 300;');
});

test('where there are more names than that, those that few records share go before the others', async () => {
  const service = await plannerService();
  service.events = Array.from({ length: 310 }, (_, at) => {
    return { PartijID: at + 1, Datum: '2026-03-04 00:00:00', RelatieID: at + 1, LocatieID: 1 + (at % 20) };
  });
  const out = join(service.folder, 'uit.csv');
  await exportRecords(events, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  const asked = service.asked.map(({ path }) => path.split('/')[0]);
  expect(asked.filter((kind) => kind === 'location')).toHaveLength(20);
  expect(asked.filter((kind) => kind === 'relation')).toHaveLength(280);
});

test('an export of trips shows the names that come with each trip, without asking', async () => {
  const service = await plannerService();
  service.trips = [
    {
      ...{ RitID: 5, Datum: '2026-03-04 00:00:00', PartijID: 1, RelatieID: 11, ContactpersoonID: 21 },
      event: { PartijID: 1, PartijOmschrijving: 'Lunch Bakker BV', AfleverAdresPlaats: 'Nijkerk' },
      relation: { RelatieID: 11, Bedrijfsnaam: 'Bakker BV' },
      contact: { ContactpersoonID: 21, Voornaam: 'Jan', Achternaam: 'Boer' },
    },
    {
      ...{ RitID: 6, Datum: '2026-03-04 00:00:00', PartijID: 2, RelatieID: 12 },
      event: { PartijID: 2, PartijOmschrijving: '', AfleverAdresPlaats: 'Nijkerk' },
      relation: null,
    },
  ];
  const out = join(service.folder, 'uit.xlsx');
  await exportRecords(trips, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  expect(service.asked.map(({ path }) => path)).toEqual(['ritten/all']);
  const headers = ['RitID', '#Evenement', '#Relatie', '#Contactpersoon'];
  expect(await cellsUnder(out, headers)).toEqual([
    headers,
    ['5', 'Lunch Bakker BV', 'Bakker BV', 'Jan Boer'],
    ['6', '', '', ''],
  ]);
  const { counts, sheets } = await importWorkbook(out, service.options);
  expect(counts).toMatchObject({ read: 2, unchanged: 2 });
  expect(JSON.stringify(sheets)).not.toContain('not used');
});

test('a workbook of trips shows what can be edited, then names, then values; the rest is one group that opens', async () => {
  const service = await plannerService();
  service.trips = [
    {
      ...{ RitID: 5, Datum: '2026-03-04 00:00:00', PartijID: 1, RelatieID: 11, DEL: false },
      ...{ LMTCreated: '2026-03-01 10:00:00', relation: { RelatieID: 11, Bedrijfsnaam: 'Bakker BV' } },
    },
  ];
  const out = join(service.folder, 'uit.xlsx');
  await exportRecords(trips, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(out);
  const sheet = book.getWorksheet('Ritten');
  const headers: string[] = [];
  sheet?.getRow(1).eachCell(({ value }) => headers.push(String(value).replace(' *', '')));
  const hidden = headers.map((_, at) => sheet?.getColumn(at + 1).hidden === true);
  expect(headers.filter((_, at) => hidden[at] !== true)).toEqual([
    ...['RitID', '#Relatie', 'Chauffeur', 'TypeVoertuigID', 'SubtypeRitID', 'RetourRit'],
    ...['Datum', 'PartijID', 'RelatieID', 'DEL', 'LMTCreated'],
  ]);
  // All that is hidden stands side by side.
  expect(hidden.lastIndexOf(false)).toBeLessThan(hidden.indexOf(true));
  const { counts, rows } = await importWorkbook(out, { ...service.options, dryRun: true });
  expect({ counts, rows }).toMatchObject({ counts: { read: 1, unchanged: 1 }, rows: [] });
});

/** The rows of a workbook's last visible sheet, with its name. */
async function lastSheet(file: string): Promise<{ name: string; rows: string[][] }> {
  const sheet = (await readWorkbook(file, {})).sheets.filter(({ hidden }) => !hidden).at(-1);
  const rows: string[][] = [];
  for await (const { cells } of sheet?.rows ?? [])
    rows.push([1, 2, 3, 4, 5].map((at) => String(cells.find(({ column }) => column === at)?.value ?? '')));
  return { name: sheet?.name ?? '', rows };
}

test('the last sheet of an export names what its ids are, each once, and import knows it as its own', async () => {
  const service = await namingService();
  service.links = { 1: [{ ArrangementID: 7, ArrangementNaam: 'Lunchbuffet', Aantal: 3 }] };
  service.trips = [
    {
      ...{ RitID: 5, Datum: '2026-03-04 00:00:00', PartijID: 1, RelatieID: 12 },
      relation: { RelatieID: 12, Bedrijfsnaam: 'Smit' },
      demand: { BehoefteID: 1, planning: [{ WerknemerID: 41 }, { WerknemerID: 42 }] },
    },
  ];
  const out = join(service.folder, 'uit.xlsx');
  const wishes = { ...service.options, out, from: '2026-03-01', to: '2026-03-31' };
  await exportRecords([events, arrangements, trips], wishes);
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(out);
  const notes: unknown[] = [];
  book
    .getWorksheet('Look up')
    ?.getRow(1)
    .eachCell(({ note }) => notes.push(note));
  const said = ['as of employees', 'How many records', 'number of the first'];
  for (const text of said) expect(JSON.stringify(notes)).toContain(text);
  expect(await lastSheet(out)).toEqual({
    name: 'Look up',
    rows: [
      ['Kind', 'Number', 'Name', 'Records', 'First in'],
      ['customers', '11', 'Bakker BV', '2', 'Evenementen 1'],
      ['customers', '12', 'Smit', '2', 'Evenementen 3'],
      ['contact persons', '21', 'Jan de Boer', '2', 'Evenementen 1'],
      ['locations', '31', 'Kasteel', '1', 'Evenementen 2'],
      ['arrangements', '7', 'Lunchbuffet', '1', 'Arrangementen 1'],
      ['events', '1', '', '1', 'Ritten 5'],
      ['employees', '41', '', '1', 'Ritten 5'],
      ['employees', '42', '', '1', 'Ritten 5'],
    ],
  });
  const { counts, sheets } = await importWorkbook(out, service.options);
  expect(counts).toMatchObject({ read: 5, unchanged: 5 });
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Evenementen', 'Arrangementen', 'Ritten']);
});

test('a workbook without ids to name has no sheet to look them up', async () => {
  const service = await plannerService();
  service.events = [{ PartijID: 1, Datum: '2026-03-04 00:00:00' }];
  const out = join(service.folder, 'uit.xlsx');
  await exportRecords(events, { ...service.options, out, from: '2026-03-01', to: '2026-03-31' });
  expect((await lastSheet(out)).name).toBe('Evenementen');
});
