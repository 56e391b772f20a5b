import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importWorkbook } from '../../../src/index.ts';
import { arrangements } from '../../../src/resources/arrangements.ts';
import { events } from '../../../src/resources/events.ts';
import { packages } from '../../../src/resources/packages.ts';
import { recipes } from '../../../src/resources/recipes.ts';
import { trips } from '../../../src/resources/trips.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { openTestService, optionsFor } from '../../helpers/test-service.ts';
import { startSecondService } from '../../second-service/second-service.ts';

async function open() {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const write = (...lines: string[]): string => {
    writeFileSync(`${folder}/rijen.csv`, lines.join('\r\n'));
    return `${folder}/rijen.csv`;
  };
  return { service, write, options: optionsFor({ folder, url: service.url, token: service.token }) };
}

const DONE = (run: string): unknown =>
  expect.stringMatching(new RegExp(`^done by run ${run} on \\d+ [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d$`));

const UPDATES = {
  packages: { kind: 'package', id: 'ProductID', field: 'Verkoopprijs', value: '5,5', as: packages },
  recipes: { kind: 'recipe', id: 'ProductID', field: 'OPK', value: '5', as: recipes },
  events: { kind: 'event', id: 'PartijID', field: 'AantalGasten', value: '5', as: events },
  trips: { kind: 'trip', id: 'RitID', field: 'Chauffeur', value: 'Anna', as: trips },
} as const;

it.each(Object.keys(UPDATES) as (keyof typeof UPDATES)[])(
  'a row of %s that an earlier run updated names that run and when, and one that was so already names none',
  async (name) => {
    const { service, write, options } = await open();
    const { kind, id, field, value, as } = UPDATES[name];
    const ids = [0, 1].map(() => service.add[kind]({}));
    const first = await importWorkbook(write(`${id};${field}`, `${ids[0]};${value}`), { ...options, as });
    expect(first.counts).toMatchObject({ updated: 1 });
    service.other.change(kind, ids[1] ?? 0, {
      [field]: value === 'Anna' ? value : Number(value.replace(',', '.')),
    });
    const rows = ids.map((one) => `${one};${value}`);
    const second = await importWorkbook(write(`${id};${field}`, ...rows), { ...options, as });
    expect(second.counts).toMatchObject({ unchanged: 2 });
    expect(second.rows.map(({ message }) => message)).toEqual([DONE(first.run), undefined]);
  },
);

it('a package that an earlier run created names that run and when in the JSON of all rows and in the result, in Dutch too, and is no row of the report', async () => {
  const service = await openTestService();
  const file = `${service.folder}/Pakketten.csv`;
  const row = '900001;1;Borrelplank;5,5';
  writeFileSync(file, `ExternalID;ProductTypeID;OmschrijvingIntern;Verkoopprijs\r\n${row}`);
  const args = ['import', file, '--yes', '--lang', 'nl', '--report', `${service.folder}/uit.html`];
  const first = await service.runJson(args);
  expect(first.document.counts).toMatchObject({ created: 1 });
  const { document } = await service.runJson(args);
  expect(document.counts).toMatchObject({ unchanged: 1 });
  const done = new RegExp(`gedaan door run ${first.document.run} op \\d\\d-\\d\\d-\\d{4} \\d\\d:\\d\\d`);
  expect(document.rows[0]?.message).toMatch(done);
  expect(readFileSync(document.result, 'utf8')).toMatch(done);
  expect(readFileSync(`${service.folder}/uit.html`, 'utf8')).not.toMatch(done);
  const short = await service.run([...args, '--json']);
  expect(JSON.parse(short.stdout)).toMatchObject({ counts: { unchanged: 1 }, rows: [] });
});

it('an arrangement that an earlier run linked, and one that it deleted, name that run', async () => {
  const { service, write, options } = await open();
  const party = service.add.event({ Datum: '2027-03-05' });
  const child = service.add.package({});
  const header = 'PartijID;ArrangementID;Datum;Aantal';
  const link = write(header, `${party};${child};2027-03-05;3`);
  const first = await importWorkbook(link, { ...options, as: arrangements });
  expect(first.counts).toMatchObject({ created: 1 });
  const again = await importWorkbook(link, { ...options, as: arrangements });
  expect(again.rows[0]).toMatchObject({ status: 'unchanged', message: DONE(first.run) });
  const gone = write(`${header};#action`, `${party};${child};2027-03-05;;delete`);
  const removal = await importWorkbook(gone, { ...options, as: arrangements, allowDelete: true });
  expect(removal.counts).toMatchObject({ deleted: 1 });
  const last = await importWorkbook(gone, { ...options, as: arrangements, allowDelete: true });
  expect(last.rows[0]).toMatchObject({
    status: 'unchanged',
    message: expect.stringContaining(`already gone, done by run ${removal.run} on `),
  });
});

it('a row that says something else than the last write of its record names no run', async () => {
  const { service, write, options } = await open();
  const id = service.add.package({ Verkoopprijs: 5, OmschrijvingIntern: 'Borrel' });
  await importWorkbook(write('ProductID;Verkoopprijs', `${id};7`), { ...options, as: packages });
  const second = await importWorkbook(write('ProductID;OmschrijvingIntern', `${id};Borrel`), {
    ...options,
    as: packages,
  });
  expect(second.rows[0]?.status).toBe('unchanged');
  expect(second.rows[0]?.message).toBeUndefined();
});

it('rows of an earlier run are named beyond the first five hundred, which prove what it did', async () => {
  const { service, write, options } = await open();
  const ids = Array.from({ length: 1100 }, () => service.add.package({}));
  const file = write('ProductID;Verkoopprijs', ...ids.map((id) => `${id};5,5`));
  const first = await importWorkbook(file, { ...options, as: packages });
  expect(first.counts).toMatchObject({ updated: 1100 });
  const { rows } = await importWorkbook(file, { ...options, as: packages });
  expect(new Set(rows.map(({ message }) => message))).toEqual(new Set([DONE(first.run)]));
});
