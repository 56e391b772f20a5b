import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withRuns } from '../../src/api/runs.ts';
import { rowText } from '../../src/cli/view/row-line.ts';
import { runText } from '../../src/cli/view/summaries.ts';
import type { Language } from '../../src/core/language.ts';
import { importWorkbook } from '../../src/index.ts';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { runCli } from '../helpers/run-cli.ts';
import {
  type GatedService,
  openGatedService,
  openTestService,
  optionsFor,
  type TestService,
} from '../helpers/test-service.ts';
import { MORNING, MUTATION_HEADER, recipeIds } from '../kinds/posting/stock-fixtures.ts';

const ours = async (service: TestService): Promise<number[]> =>
  (await service.records('package'))
    .map(({ ExternalID }) => Number(ExternalID))
    .filter((external) => external >= 600_000);

/** Starts an import, and kills it once the service did so many writes, and more whose answers never come. */
async function killAfter(service: GatedService, file: string, writes: number): Promise<void> {
  const isHalfway = service.gate.shut(writes, { held: 'answers' });
  let kill: (signal: NodeJS.Signals) => void = () => {};
  const args = ['import', file, '--yes', '--out', 'r.xlsx'];
  const running = service.run(args, {
    onStart: (send) => {
      kill = send;
    },
  });
  await isHalfway;
  kill('SIGKILL');
  expect((await running).code).toBeNull();
  service.gate.open();
}

async function newestRun(service: TestService): Promise<string> {
  const { stdout } = await service.run(['runs', '--json']);
  return (JSON.parse(stdout) as { runs: { run: string }[] }).runs[0]?.run ?? '';
}

describe('a run that was killed', () => {
  it('goes on with apply, and every record is there once', async () => {
    const service = await openGatedService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(40) });
    await killAfter(service, file, 15);
    const run = await newestRun(service);
    const { stdout } = await service.run(['runs']);
    expect(stdout).toContain('interrupted, can be continued');
    const { stdout: told } = await service.run(['runs', '--json']);
    expect(JSON.parse(told)).toMatchObject({ runs: [{ run, state: 'interrupted', busy: false }] });
    const { code, document } = await service.runJson(['apply', run, '--yes', '--out', 'r.xlsx']);
    expect(document.counts).toMatchObject({ read: 40, created: 40, unknown: 0, failed: 0, notSent: 0 });
    expect(code).toBe(0);
    expect([...(await ours(service))].sort()).toEqual(
      Array.from({ length: 40 }, (_, index) => 600_000 + index),
    );
  });
});

describe.each(['update', 'create', 'never'] as const)(
  'a service that stores ExternalID on %s',
  (externalId) => {
    it('holds one record per ExternalID after two imports and a crash in between', async () => {
      const service = await openGatedService({ dialect: { externalId } });
      const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(60) });
      await killAfter(service, file, 25);
      const second = await service.runJson(['import', file, '--yes', '--out', 'r.xlsx']);
      expect(second.document.counts).toMatchObject({
        read: 60,
        failed: 0,
        unknown: 0,
        conflict: 0,
        invalid: 0,
      });
      const { created = 0, updated = 0, unchanged = 0 } = second.document.counts;
      expect(created + updated + unchanged).toBe(60);
      const third = await service.runJson(['import', file, '--yes', '--out', 'r.xlsx']);
      expect(third.document.counts).toMatchObject({ created: 0, failed: 0, unknown: 0, conflict: 0 });
      const names = (await service.records('package'))
        .map(({ OmschrijvingIntern }) => String(OmschrijvingIntern))
        .filter((name) => name.startsWith('Lunchbuffet 6'));
      expect([...new Set(names)]).toHaveLength(60);
      expect(names).toHaveLength(60);
      if (externalId === 'update')
        expect((await ours(service)).sort()).toEqual(
          Array.from({ length: 60 }, (_, index) => 600_000 + index),
        );
    });
  },
);

describe('a planned run', () => {
  it('is sent exactly as shown, once', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(6) });
    const plan = await service.runJson(['import', file, '--dry-run']);
    const first = await service.runJson(['apply', plan.document.run, '--yes']);
    expect(first.document.counts).toMatchObject({ created: 6 });
    await service.clearLog();
    const second = await service.runJson(['apply', plan.document.run, '--yes']);
    expect(second.document.counts).toMatchObject({ created: 6 });
    expect((await service.log()).counts).toEqual({});
    expect(await ours(service)).toHaveLength(6);
  });

  it('is sent also when its file is gone', async () => {
    const service = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(3) });
    const plan = await service.runJson(['import', file, '--dry-run']);
    rmSync(file);
    const { stderr, document } = await service.runJson(['apply', plan.document.run, '--yes']);
    expect(document.counts).toMatchObject({ created: 3 });
    expect(stderr).toContain('is gone');
    const shown = await service.run(['runs', plan.document.run]);
    expect(shown.stdout.match(/: created/g)).toHaveLength(3);
  });

  it('that is not known, or is for another service, is refused', async () => {
    const service = await openTestService();
    const other = await openTestService();
    const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(3) });
    const plan = await service.runJson(['import', file, '--dry-run']);
    expect((await service.run(['apply', 'geen-run', '--yes'])).code).toBe(2);
    const env = { CATERSHEET_BASE_URL: other.url, CATERSHEET_TOKEN: other.token };
    const { code, stderr } = await service.run(['apply', plan.document.run, '--yes'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('not for');
  });
});

/** What `runs` and `runs RUN` show of every run, the newest first, in a ledger. */
async function shownRuns(ledger: string, lang: Language): Promise<string[]> {
  const shown: string[] = [];
  await withRuns({ ledger, lang }, async ({ list, open }) => {
    for (const one of await list()) {
      shown.push(...runText(one, lang));
      const { rows, dryRun } = await open(one.run);
      for await (const row of rows) shown.push(rowText(row, dryRun, lang));
    }
  });
  return shown;
}

it('runs count what was posted as posted, beside what was created, before it is sent and after', async () => {
  const service = await openTestService();
  const options = optionsFor(service);
  const [id = 0] = await recipeIds(service, 1);
  const sheets = {
    Pakketten: packageRows(2),
    Voorraadmutaties: [[...MUTATION_HEADER], [id, 12, MORNING, 3, 4901, 'Inkoop']],
  };
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, sheets);
  await importWorkbook(file, { ...options, dryRun: true });
  const before = (await shownRuns(options.ledger, 'en')).join('\n');
  expect(before).toContain('3 rows, 2 to create, 1 to post');
  expect(before).toMatch(/Voorraadmutaties 2 .*: to post/);
  await importWorkbook(file, options);
  const after = (await shownRuns(options.ledger, 'nl')).join('\n');
  expect(after).toContain('3 rijen, 2 aangemaakt, 1 geboekt');
  expect(after).toMatch(/Voorraadmutaties 2 .*: geboekt/);
  const count = {
    Voorraadtelling: [
      ['ProductID', 'GeteldRekeneenheid', 'DatumTijd', 'WerknemerID'],
      [id, 90, MORNING, 12],
    ],
  };
  const counted = await makeWorkbook(`${service.folder}/b.xlsx`, count);
  const set = { MutatieCategorieID: '4901', MutatieReden: 'Telling' };
  await importWorkbook(counted, { ...options, set });
  const [, , numbers, row] = await shownRuns(options.ledger, 'nl');
  expect(numbers).toBe('    1 rij, 1 geboekt');
  expect(row).toMatch(/Voorraadtelling 2 .*: geboekt/);
});

it('runs say that there are none yet, beside an empty stdout', async () => {
  const { stdout, stderr } = await runCli(['runs', '--ledger', ':memory:', '--lang', 'nl']);
  expect([stdout, stderr]).toEqual(['', 'Er zijn nog geen runs.\n']);
});
