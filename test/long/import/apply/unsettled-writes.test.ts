import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { importWorkbook, type Progress, undoRun } from '../../../../src/index.ts';
import { arrangements } from '../../../../src/resources/arrangements.ts';
import { events } from '../../../../src/resources/events.ts';
import { packages } from '../../../../src/resources/packages.ts';
import { recipes } from '../../../../src/resources/recipes.ts';
import { atOnce } from '../../../helpers/at-once.ts';
import { runCli, tempFolder } from '../../../helpers/run-cli.ts';
import { serviceOnly } from '../../../helpers/service-options.ts';
import { optionsFor } from '../../../helpers/test-service.ts';
import { startSecondService } from '../../../second-service/second-service.ts';

const DAY = '2027-01-08 00:00:00';
const UPDATED = ['packages', 'recipes', 'events', 'links'] as const;

async function open() {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const product = service.add.package({});
  service.add.location(803, 'Serre');
  const party = service.add.event({ ExternalID: 602, Datum: DAY, LocatieID: 801 });
  const ids = {
    packages: service.add.package({ ExternalID: 600, Verkoopprijs: 12 }),
    recipes: service.add.recipe({ ExternalID: 601, OPK: 12 }),
    events: party,
    links: service.add.link(party, product, { Aantal: 12, Datum: DAY }),
  };
  const kinds = {
    packages: { as: packages, header: 'ExternalID;Verkoopprijs', cells: '600', field: 'Verkoopprijs' },
    recipes: { as: recipes, header: 'ExternalID;OPK', cells: '601', field: 'OPK' },
    events: { as: events, header: 'ExternalID;Datum;LocatieID', cells: '602;2027-01-08', field: 'LocatieID' },
    links: {
      as: arrangements,
      header: 'PartijID;ArrangementID;Datum;Aantal',
      cells: `${party};${product};2027-01-08`,
      field: 'Aantal',
    },
  };
  const options = optionsFor({ folder, url: service.url, token: service.token });
  const write = (kind: keyof typeof kinds, value: number): string => {
    const { header, cells } = kinds[kind];
    const file = `${folder}/rijen.csv`;
    writeFileSync(file, `${header}\r\n${cells};${value}`);
    return file;
  };
  const run = async (kind: keyof typeof kinds, value: number, more: object = {}) =>
    await importWorkbook(write(kind, value), { ...options, as: kinds[kind].as, doubt: 4, ...more });
  /** Runs the program, and kills it while the service works on its update, which is done this much later. */
  const killed = async (kind: keyof typeof kinds, value: number, commitAfterMs: number): Promise<void> => {
    let kill: (signal: NodeJS.Signals) => void = () => {};
    service.failNext({ kind: 'late', giveUp: 'hang', commitAfterMs }, ({ endpoint }) => {
      const isUpdate = endpoint.endsWith('.update');
      if (isUpdate) kill('SIGKILL');
      return isUpdate;
    });
    const env = {
      CATERSHEET_BASE_URL: service.url,
      CATERSHEET_TOKEN: service.token,
      CATERSHEET_HOME: folder,
    };
    const { ledger, log, out } = options;
    const files = ['--ledger', ledger, '--log', log, '--out', out, '--as', kinds[kind].as.name];
    const args = ['import', write(kind, value), '--yes', ...files];
    const onStart = (send: typeof kill): void => {
      kill = send;
    };
    const { code, stderr } = await runCli(args, { cwd: folder, env, onStart });
    expect([code, stderr, service.journal.writes.map(({ done }) => done)]).toEqual([null, '', ['waiting']]);
  };
  const held = (kind: keyof typeof kinds): unknown => service[kind].get(ids[kind])?.[kinds[kind].field];
  /** The next update is given up, and done this much later. */
  const late = (): void =>
    service.failNext({ kind: 'late', giveUp: 504, commitAfterMs: 3000 }, ({ endpoint }) =>
      endpoint.endsWith('.update'),
    );
  return { service, folder, options, run, killed, held, late };
}

it('an update that was given up, and arrives after its run, does not undo the next run’s', async () => {
  await atOnce(UPDATED, async (kind) => {
    const { service, run, held, late } = await open();
    const [first, second] = kind === 'events' ? [802, 803] : [20, 21];
    late();
    expect((await run(kind, first)).counts).toMatchObject({ updated: 1 });
    const told: Progress[] = [];
    const onProgress = (progress: Progress): void => void told.push(progress);
    expect((await run(kind, second, { onProgress })).counts).toMatchObject({ updated: 1 });
    expect(told.some(({ doubt }) => doubt?.rows === 1)).toBe(true);
    await service.settled();
    expect(held(kind)).toBe(second);
    // What was waited for is waited for once.
    told.length = 0;
    await run(kind, first, { onProgress });
    expect(told.filter(({ doubt }) => doubt !== undefined)).toEqual([]);
    expect(held(kind)).toBe(first);
  });
});

it('an update that was given up, and arrives after its run, does not undo the undo of that run', async () => {
  const { service, folder, options, run, held, late } = await open();
  late();
  const done = await run('packages', 20);
  const out = `${folder}/terug.xlsx`;
  await undoRun(done.run, { ...serviceOnly(options), out });
  expect((await importWorkbook(out, { ...options, doubt: 4 })).counts).toMatchObject({ updated: 1 });
  await service.settled();
  expect(held('packages')).toBe(12);
});

it('what a colleague changes while a row waits for an earlier update is not overwritten', async () => {
  const { service, run, held, late } = await open();
  const [id = 0] = service.packages.entries().find(([, { ExternalID }]) => ExternalID === 600) ?? [];
  late();
  await run('packages', 20);
  let changed = false;
  const onProgress = ({ doubt }: Progress): void => {
    if (doubt?.rows !== 1 || changed) return;
    changed = true;
    service.other.change('package', id, { Verkoopprijs: 77 });
  };
  await service.settled();
  expect((await run('packages', 21, { onProgress })).counts).toMatchObject({ conflict: 1 });
  expect(held('packages')).toBe(77);
});

it('a run that lasts until its updates can no longer arrive leaves nothing to wait for', async () => {
  const { run, late } = await open();
  late();
  await run('packages', 20, { doubt: 0 });
  const told: Progress[] = [];
  const onProgress = (progress: Progress): void => void told.push(progress);
  expect((await run('packages', 21, { onProgress })).counts).toMatchObject({ updated: 1 });
  expect(told.filter(({ doubt }) => doubt !== undefined)).toEqual([]);
});

it('an update that was out when its program was killed, and arrives later, does not undo the next run’s', async () => {
  await atOnce(UPDATED, async (kind) => {
    const { service, run, killed, held } = await open();
    const [first, second, third] = kind === 'events' ? [802, 803, 802] : [20, 21, 22];
    await killed(kind, first, 5000);
    // Not while it is planned: it came after that.
    const done = await run(kind, second, { doubt: 6 });
    expect([kind, done.counts.updated, done.rows[0]?.message]).toEqual([kind, 1, undefined]);
    await service.settled();
    expect(held(kind)).toBe(second);
    // What was waited for is waited for once.
    const told: Progress[] = [];
    await run(kind, third, { onProgress: (progress: Progress) => told.push(progress) });
    expect(told.filter(({ doubt }) => doubt !== undefined)).toEqual([]);
    expect(held(kind)).toBe(third);
  });
});

it('what a colleague changes while a killed program’s update may arrive is not overwritten', async () => {
  const { service, run, killed, held } = await open();
  const [id = 0] = service.packages.entries().find(([, { ExternalID }]) => ExternalID === 600) ?? [];
  await killed('packages', 20, 60_000);
  let changed = false;
  const onProgress = ({ doubt }: Progress): void => {
    if (doubt?.rows !== 1 || changed) return;
    changed = true;
    service.other.change('package', id, { Verkoopprijs: 77 });
  };
  expect((await run('packages', 21, { onProgress })).counts).toMatchObject({ conflict: 1 });
  expect(held('packages')).toBe(77);
});

it('a row that says what a killed program sent does not wait for it, but the next one does', async () => {
  const { service, run, killed, held } = await open();
  await killed('packages', 20, 5000);
  const told: Progress[] = [];
  const onProgress = (progress: Progress): void => void told.push(progress);
  expect((await run('packages', 20, { onProgress })).counts).toMatchObject({ updated: 1 });
  expect(told.filter(({ doubt }) => doubt !== undefined)).toEqual([]);
  expect((await run('packages', 21, { doubt: 6 })).counts).toMatchObject({ updated: 1 });
  await service.settled();
  expect(held('packages')).toBe(21);
});
