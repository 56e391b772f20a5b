import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { runCli, tempFolder } from '../helpers/run-cli.ts';
import { startSecondService } from '../second-service/second-service.ts';

async function open() {
  const service = await startSecondService();
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const env = { CATERSHEET_TOKEN: service.token };
  const common = ['--base-url', service.url, '--ledger', `${folder}/ledger.db`];
  const run = (...args: string[]) => runCli([...args, ...common], { cwd: folder, env });
  /** Imports, and answers the run's id. */
  const imported = async (file: string, ...more: string[]) => {
    const { stdout, code } = await run('import', file, '--yes', '--json', ...more);
    return { code, id: String(JSON.parse(stdout).run) };
  };
  return { service, folder, run, imported };
}

it('applying a finished run says so and what came of it, and asks nothing', async () => {
  const { service, folder, run, imported } = await open();
  const done = await imported(await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(2) }));
  const { length } = service.journal.writes;
  const again = await run('apply', done.id);
  expect(again.code).toBe(0);
  expect(again.stdout + again.stderr).toContain(`Run ${done.id} is finished: nothing of it is left to send.`);
  expect(again.stdout).toMatch(/Pakketten +2 +2/);
  expect(again.stderr).not.toContain('terminal');
  expect(service.journal.writes).toHaveLength(length);
});

it('applying a finished run ends with the exit code of what came of it', async () => {
  const { service, folder, run, imported } = await open();
  const file = `${folder}/voorraad.csv`;
  const product = service.add.product();
  const head = 'ProductID;WerknemerID;DatumTijd;AantalRekeneenheid;MutatieCategorieID;MutatieReden';
  writeFileSync(file, `${head}\r\n${product};12;2026-10-01 08:00:00;2;4901;Bederf`);
  service.failNext({ kind: 'answer', when: 'before', status: 504, body: {} });
  const unknown = await imported(file, '--as', 'stock-mutations', '--doubt', '0');
  expect(unknown.code).toBe(6);
  const { length } = service.journal.writes;
  const again = await run('apply', unknown.id, '--doubt', '0');
  expect([again.code, service.journal.writes.length]).toEqual([6, length]);
  expect(again.stdout).toContain('--resend');
});

it('a create that is still in doubt is no finished run: it is asked for before it is sent again', async () => {
  const { service, folder, run, imported } = await open();
  const file = await makeWorkbook(`${folder}/a.xlsx`, { Pakketten: packageRows(1) });
  service.set({
    failures: { choose: ({ write }) => (write ? { kind: 'reset', when: 'before' } : undefined) },
  });
  const unknown = await imported(file, '--doubt', '0', '--retries', '0');
  expect(unknown.code).toBe(6);
  const again = await run('apply', unknown.id);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('there is no terminal to ask on');
});
