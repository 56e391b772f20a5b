import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RouteName } from '../../src/desk/contract/paths.ts';
import { COMMAND_LIST } from '../../src/options/commands.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { type Asking, openDesk, type TestDesk } from './open-desk.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What is typed in a terminal. */
const TYPED = new RegExp(
  `(?<![\\w-])--[a-z]|catersheet (?:${COMMAND_LIST.map(([name]) => kebab(name)).join('|')})(?![\\w-])|Ctrl-C`,
);

/** The texts of an answer that hold what is typed in a terminal. */
function typedIn(value: unknown): string[] {
  if (typeof value === 'string') return TYPED.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(typedIn);
}

/** Everything that a desk answers, whole, however it ends. */
function listening(desk: TestDesk) {
  const heard: { readonly route: string; readonly status: number; readonly answer: unknown }[] = [];
  const hear = async (route: RouteName, asking: Asking = {}): Promise<{ job?: { id: string } }> => {
    const response = await desk.fetch(route, asking);
    const answer = (await response.json()) as { job?: { id: string } };
    heard.push({ route, status: response.status, answer });
    if (answer.job === undefined) return answer;
    const job = await desk.ended(answer.job as never);
    heard.push({ route: `${route}, its job`, status: job.stop?.exit ?? 0, answer: job });
    return answer;
  };
  /** Reads and plans a file, and looks at all of its plan. */
  const look = async (draft: string, rows: readonly { sheet: string; row: number }[] = []): Promise<void> => {
    const params = { draft };
    await hear('sheets', { params });
    await hear('makePlan', { params, body: {} });
    await hear('plan', { params });
    await hear('planRows', { params, body: {} });
    for (const query of rows) await hear('planRow', { params, query });
  };
  return { heard, hear, look };
}

test.each(['en', 'nl'] as const)('no answer names a command, whatever goes wrong (%s)', async (lang) => {
  const desk = await openDesk({}, { lang });
  const { heard, hear, look } = listening(desk);
  const bring = async (name: string, content: string | Buffer): Promise<string> => {
    const file = join(desk.service.folder, name);
    writeFileSync(file, content);
    return await desk.bring(file);
  };
  const book = async (name: string, sheets: Parameters<typeof makeWorkbook>[1]): Promise<string> => {
    const file = join(desk.service.folder, name);
    await makeWorkbook(file, sheets);
    return await desk.bring(file);
  };
  await look(await bring('nul.csv', 'ProductID;Verkoopprijs\n1;2\0\n'));
  await look(await bring('latin.csv', Buffer.from('ProductID;OmschrijvingIntern\n1001;Caf\xe9\n', 'latin1')));
  await look(
    await bring(
      'mixed.csv',
      Buffer.from('A;Café\n1;2\n3;Caf\xe9\n'.replace('Café', 'Caf\u00c3\u00a9'), 'latin1'),
    ),
  );
  await look(await bring('what.csv', 'Artikel;Bedrag;Naam\nx;y;z\n'));
  await look(await bring('count.csv', 'ProductID;Aantal\n1001;2\n'));
  await look(await bring('empty.csv', 'ProductID;Verkoopprijs\n'));
  await look(
    await book('none.xlsx', {
      Blad: [
        ['Artikel', 'Bedrag', 'Naam'],
        ['x', 'y', 'z'],
      ],
    }),
  );
  await look(
    await book('no-header.xlsx', {
      Pakketten: [
        ['Artikel', 'Bedrag', 'Naam'],
        ['x', 'y', 'z'],
      ],
    }),
  );
  await look(
    await book('documents.xlsx', {
      Documenten: [
        ['PartijID', 'Document'],
        [1, 'a.pdf'],
      ],
    }),
  );
  const rows = [2, 3, 4, 5].map((row) => ({ sheet: 'Pakketten', row }));
  await look(
    await book('rows.xlsx', {
      Lees: [['Zo vul je dit in']],
      Pakketten: [
        ['#action', 'ProductID', 'ExternalID', 'Verkoopprijs', 'ProductTypeID', 'Omschrijving intern'],
        ['delete', 1001, null, null, null, null],
        [null, null, 71001, '1,234.50', 'Bufet', 'x'],
        ['create', null, 71002, 'nnb', 1, 'y'],
        [null, 99_999_999, null, 3, null, null],
      ],
    }),
    rows,
  );
  await hear('makeExport', { body: { what: ['packages'], from: '2026-11-01', to: null } });
  await hear('makeExport', { body: { what: ['packages'], from: '2026-11-31', to: '2026-11-01' } });
  await hear('makeExport', { body: { what: ['events'], from: null, to: null } });
  await hear('makeExport', { body: { what: ['packages'], definitive: true } });
  await hear('makeExport', { body: { what: ['packages', 'recipes'], format: 'csv' } });
  await hear('makeExport', { body: { what: ['packages'], since: 'last' } });
  await hear('makeFinance', { body: { from: '2026-11-31', to: '2026-11-01', all: false } });
  await hear('makeTemplate', {
    body: { kinds: ['events'], offline: true, from: '2026-11-01', to: '2026-11-02' },
  });
  await hear('makeTemplate', { body: { kinds: ['arrangements'], offline: false, from: null, to: null } });
  await hear('check', { body: { lists: true } });
  await hear('run', { params: { run: 'R-none' } });
  await hear('goOn', { params: { run: 'R-none' } });
  await hear('settle', { params: { run: 'R-none' }, body: { rows: [{ sheet: 'A', row: 2 }], as: 'again' } });
  await hear('takeBack', { params: { run: 'R-none' } });
  await hear('useProfile', { body: { profile: 'none' } });
  expect(heard.flatMap(({ route, answer }) => typedIn(answer).map((text) => `${route}: ${text}`))).toEqual(
    [],
  );
  // It was no fine weather.
  expect(heard.filter(({ status }) => status !== 0 && status !== 200).length).toBeGreaterThan(15);
});

test.each([
  ['nobody answers', { baseUrl: 'http://127.0.0.1:9' }],
  ['the token is wrong', { token: 'wrong' }],
] as const)('no answer names a command where %s', async (_, options) => {
  const desk = await openDesk({}, { retries: 0, ...options });
  const { heard, hear } = listening(desk);
  await hear('service');
  await hear('check', { body: { lists: false } });
  await hear('makeExport', { body: { what: ['packages'] } });
  await hear('makeTemplate', { body: { kinds: ['packages'], offline: false, from: null, to: null } });
  expect(heard.flatMap(({ answer }) => typedIn(answer))).toEqual([]);
  expect(heard.some(({ status }) => status === 4)).toBe(true);
});

test('no answer names a command where the ledger is damaged, and the way out is said without one', async () => {
  const desk = await openDesk();
  const { heard, hear } = listening(desk);
  writeFileSync(join(desk.service.folder, 'other.db'), 'no ledger at all, but long enough to be read as one');
  const other = await openDesk({}, { ledger: join(desk.service.folder, 'other.db') });
  const told = listening(other);
  await told.hear('home');
  await hear('home');
  expect([...heard, ...told.heard].flatMap(({ answer }) => typedIn(answer))).toEqual([]);
  expect(told.heard[0]?.answer).toMatchObject({ next: expect.stringContaining('There is no copy of it.') });
});

test('what a user wrote comes through whole, also where it looks like a command', async () => {
  const desk = await openDesk();
  const [name, sheet, value] = [
    'use catersheet apply (--yes); or not.xlsx',
    'Pakketten',
    '"--lang nl"; --map x',
  ];
  const file = join(desk.service.folder, name);
  await makeWorkbook(file, {
    [sheet]: [
      [
        'ExternalID',
        'ProductTypeID',
        'OmschrijvingIntern',
        'Verkoopprijs',
        'ProductCategorieID',
        '--since last',
      ],
      [71001, 'Buffet', 'See catersheet export (--out file); then eat.', value, 'Feestdagen', 'x'],
    ],
  });
  const draft = await desk.bring(file);
  const params = { draft };
  expect((await desk.ask('draft', { params })).draft.file.name).toBe(name);
  const { sheets } = await desk.ask('sheets', { params });
  expect(sheets[0]?.columns.map(({ header }) => header)).toContain('--since last');
  await desk.planned(draft);
  const detail = await desk.ask('planRow', { params, query: { sheet, row: 2 } });
  const cell = detail.cells.find(({ field }) => field === 'Verkoopprijs');
  expect(cell?.text).toBe(value);
  expect(cell?.issues[0]?.message).toContain(value);
  expect(detail.row).toMatchObject({ label: 'See catersheet export (--out file); then eat.' });
  expect(detail.row.message).toContain(value);
  const plan = await desk.ask('plan', { params });
  expect(plan.file).toBe(name);
  expect(plan.groups.find(({ field }) => field === 'Verkoopprijs')?.message).toContain(value);
});
