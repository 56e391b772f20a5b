import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorkbook } from '../../src/index.ts';
import { COMMAND_LIST } from '../../src/options/commands.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { recipeIds } from '../kinds/posting/stock-fixtures.ts';
import { openDesk, type TestDesk } from './open-desk.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** What is typed in a terminal. */
const TYPED = new RegExp(
  `(?<![\\w-])--[a-z]|catersheet (?:${COMMAND_LIST.map(([name]) => kebab(name)).join('|')})(?![\\w-])|Ctrl-C`,
);

/** Every text in the cells of a workbook that the desk answers. */
async function textsOf(desk: TestDesk, run: string, problems = false): Promise<string[]> {
  const asking = { params: { run }, ...(problems ? { query: { problems: '1' } } : {}) };
  const response = await desk.fetch('result', asking);
  expect(response.status).toBe(200);
  return await textsIn(desk, response);
}

/** The same of any workbook that is answered. */
async function textsIn(desk: TestDesk, response: Response): Promise<string[]> {
  const file = join(desk.service.folder, `got-${Date.now()}.xlsx`);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const { sheets } = await readWorkbook(file);
  const texts: string[] = [];
  for (const sheet of sheets)
    for await (const { cells } of sheet.rows) for (const { value } of cells) texts.push(String(value));
  return texts;
}

async function reportOf(desk: TestDesk, run: string): Promise<string> {
  const response = await desk.fetch('report', { params: { run } });
  expect(response.status).toBe(200);
  // What the browser runs and draws is no text.
  return (await response.text()).replace(/<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>/g, '');
}

const typedIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => (TYPED.test(text) ? (TYPED.exec(text)?.[0] ?? '') : []));

test.each([
  ['en', /can be taken back on the page/, /Exactly this can be sent on the page/],
  ['nl', /terugdraaien op de pagina/, /kun je versturen op de pagina/],
] as const)('a report and a workbook of the page name no command (%s)', async (lang, undo, send) => {
  const desk = await openDesk({}, { lang, doubt: 1 });
  const file = await makeWorkbook(join(desk.service.folder, 'catalogus.xlsx'), {
    Pakketten: [
      ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs', 'Kleur'],
      [71_001, 'Buffet', 'Lentebuffet', 12.5, 'groen'],
      [71_002, 'Buffet', 'Zomerbuffet', 'nnb', 'geel'],
      [71_003, 'Bufet', 'Herfstbuffet', '1,234.50', 'rood'],
    ],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  const { run } = await desk.ask('plan', { params: { draft } });
  // Of a plan that was not sent there is a workbook too: what would become of each row.
  const planned = [...(await textsOf(desk, run)), await reportOf(desk, run)];
  expect(planned.some((text) => send.test(text))).toBe(true);
  expect(planned).toContain('create');
  expect(typedIn(planned)).toEqual([]);
  expect((await desk.ask('run', { params: { run } })).run.state).toBe('planned');

  await desk.ended((await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } })).job);
  const report = await reportOf(desk, run);
  const sent = [...(await textsOf(desk, run)), ...(await textsOf(desk, run, true)), report];
  expect(sent.filter((text) => undo.test(text)).length).toBeGreaterThan(1);
  expect(sent).toContain('created');
  expect(typedIn(sent)).toEqual([]);
  // How the file is read says nothing of what was asked of its run.
  expect(report).not.toMatch(/is finished: nothing of it|is klaar: er is niets meer van/);
});

test('rows in doubt are told of without a command in what the page gives back', async () => {
  const desk = await openDesk({}, { doubt: 1, retries: 0 });
  const ids = await recipeIds(desk.service, 3);
  const file = await makeWorkbook(join(desk.service.folder, 'mutaties.xlsx'), {
    Voorraadmutaties: [
      ['ProductID', 'AantalRekeneenheid', 'WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'],
      ...ids.map((id) => [id, 2, 12, '2026-11-20 08:00:00', 4901, 'Week']),
    ],
  });
  const draft = await desk.bring(file);
  await desk.planned(draft);
  const { run } = await desk.ask('plan', { params: { draft } });
  await desk.service.faults({ lostAnswer: 1, onlyWrites: true });
  await desk.ended((await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } })).job);
  await desk.service.faults({});
  const { counts } = (await desk.ask('run', { params: { run } })).run;
  expect(counts?.unknown).toBeGreaterThan(0);
  const texts = [...(await textsOf(desk, run)), await reportOf(desk, run)];
  expect(texts).toContain('unknown');
  expect(typedIn(texts)).toEqual([]);
});

test('a file of which nothing is to be sent is finished all the same, and gives its workbook back', async () => {
  const desk = await openDesk();
  const brought = async (): Promise<{ draft: string; run: string }> => {
    const draft = await desk.bring(
      await makeWorkbook(join(desk.service.folder, 'pakketten.xlsx'), {
        Pakketten: [
          ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
          [71_001, 'Buffet', 'Lentebuffet', 10],
        ],
      }),
    );
    await desk.planned(draft);
    return { draft, run: (await desk.ask('plan', { params: { draft } })).run };
  };
  const send = async ({ draft, run }: { draft: string; run: string }) =>
    await desk.ended((await desk.ask('send', { params: { draft }, body: { run, deletes: 0 } })).job);
  await send(await brought());
  const again = await brought();
  expect((await desk.ask('plan', { params: { draft: again.draft } })).requests).toBe(0);
  expect((await send(again)).state).toBe('done');
  expect((await desk.ask('run', { params: { run: again.run } })).run).toMatchObject({
    ...{ state: 'done', result: true, counts: { unchanged: 1 } },
  });
  expect(await textsOf(desk, again.run)).toContain('unchanged');
  expect((await desk.ask('home')).drafts).toEqual([]);
});

test.each(['en', 'nl'] as const)('a template of the page names no command (%s)', async (lang) => {
  const desk = await openDesk({}, { lang });
  for (const offline of [true, false]) {
    const body = { kinds: ['packages', 'stock-count'], offline };
    const made = await desk.ended((await desk.ask('makeTemplate', { body })).job);
    expect(made.stop).toBeNull();
    const texts = await textsIn(desk, await desk.fetch('jobFile', { params: { job: made.id } }));
    expect(texts.some((text) => /the page that this one comes from|waar deze vandaan komt/.test(text))).toBe(
      true,
    );
    expect(typedIn(texts)).toEqual([]);
  }
});
