import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDesk } from '../../desk/open-desk.ts';
import { startProgram } from '../../desk/own-program.ts';
import { makeWorkbook } from '../../helpers/make-workbook.ts';
import type { CliResult } from '../../helpers/run-cli.ts';
import { openGatedService, type TestService } from '../../helpers/test-service.ts';
import { recipeIds } from '../../kinds/stock/stock-fixtures.ts';

type Program = Awaited<ReturnType<typeof startProgram>>;

const ROWS = 24;
const MUTATION = [
  ...['#key', 'ProductID', 'AantalRekeneenheid', 'WerknemerID', 'DatumTijd'],
  ...['MutatieCategorieID', 'MutatieReden'],
];

async function mutationsFile(service: TestService): Promise<string> {
  const ids = await recipeIds(service, ROWS);
  const lines = ids.map((id, at) => [`k${at}`, id, 2, 12, '2026-11-20 08:00:00', 4901, 'Week']);
  return await makeWorkbook(join(service.folder, 'mutaties.xlsx'), {
    Voorraadmutaties: [MUTATION, ...lines],
  });
}

const postedIn = async (service: TestService): Promise<number> =>
  (await service.records('mutation')).filter(({ MutatieReden }) => MutatieReden === 'Week').length;

async function sentSoFar(desk: Program, job: string): Promise<number> {
  const { jobs } = await desk.ask('news', { since: 0 });
  return jobs.find(({ id }) => id === job)?.progress?.done ?? 0;
}

test('a run that the page sends is sent by no terminal meanwhile, whatever the page looks at', async () => {
  const service = await openGatedService();
  const desk = await startProgram(service, { concurrency: 1 });
  const draft = await desk.bring(await mutationsFile(service));
  expect((await desk.planned(draft)).state).toBe('done');
  const { run } = await desk.plan(draft);
  const isHalfway = service.gate.shut(2);
  const { job } = await desk.ask('send', { run, deletes: 0 });
  await isHalfway;
  await desk.ask('home');
  await desk.ask('listRuns');
  await desk.ask('service');
  const waits = 'Another catersheet is at work with this ledger';
  let terminal: Promise<CliResult> | undefined;
  await new Promise<void>((resolve) => {
    let told = '';
    const onTold = (text: string): void => {
      told += text;
      if (told.includes(waits)) resolve();
    };
    terminal = service.run(['apply', run, '--yes'], { own: true, onTold });
    // One that does not wait must not be waited for.
    void terminal.then(() => resolve());
  });
  await desk.ask('home');
  expect(await sentSoFar(desk, job.id)).toBeLessThan(ROWS);
  service.gate.open();
  expect((await desk.ended(job)).state).toBe('done');
  const ended = await terminal;
  expect(await postedIn(service)).toBe(ROWS);
  expect(ended?.stderr).toContain(waits);
  expect(ended?.code).not.toBeNull();
});

test('a copy that a terminal puts in the place of the ledger is what an open page reads and sends with from then on', async () => {
  const desk = await openDesk();
  const { service } = desk;
  let key = 80_000;
  const send = async (): Promise<string> => {
    key += 1;
    const file = await makeWorkbook(join(service.folder, `een-${key}.xlsx`), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        [key, 'Buffet', `Buffet ${key}`, 10],
      ],
    });
    const draft = await desk.bring(file);
    expect((await desk.planned(draft)).state).toBe('done');
    const { run } = await desk.plan(draft);
    const { job } = await desk.ask('send', { run, deletes: 0 });
    expect((await desk.ended(job)).state).toBe('done');
    return run;
  };
  const listed = async (): Promise<string[]> => (await desk.ask('listRuns')).runs.map(({ run }) => run);
  const first = await send();
  const copy = join(service.folder, 'copy.db');
  expect((await service.run(['ledger', 'backup', copy], { own: true })).code).toBe(0);
  const second = await send();
  expect(await listed()).toEqual([second, first]);
  expect((await service.run(['ledger', 'restore', copy, '--yes'], { own: true })).code).toBe(0);
  expect(await listed()).toEqual([first]);
  const third = await send();
  expect(await listed()).toEqual([third, first]);
  expect((await service.run(['ledger', 'check'], { own: true })).code).toBe(0);
});
