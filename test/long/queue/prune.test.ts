import { describe, expect, test } from 'vitest';
import { postgresFolder, usePostgres } from '../../helpers/postgres.ts';
import { documentOf, once, setUp, until } from '../../queue/company.ts';

const MISSING = postgresFolder() === undefined;
const server = usePostgres();

describe.skipIf(MISSING)('with PostgreSQL, old runs', () => {
  test('lose their rows, and a run that waits for a worker is sent as it was handed over', async () => {
    const { ledger, file, more, begin, times } = await setUp(server, 10);
    const name = new URL(ledger).pathname.slice(1);
    await begin('import', file, '--yes', '--json').end;
    const again = await begin('import', file, '--yes', '--json').end;
    expect(documentOf(again).counts).toMatchObject({ unchanged: 10 });
    const dry = documentOf(await begin('import', await more(2), '--dry-run', '--json').end).run;
    const person = begin('import', await more(2), '--queue', '--yes', '--json');
    await until(async () => person.told().includes('waits for a worker'));
    await server.ask(
      `update catersheet.runs set started_at = '2024' || substr(started_at, 5);
       update catersheet.states set outcome = replace(outcome, '"at":"20', '"at":"19')`,
      name,
    );
    const would = JSON.parse((await begin('runs', 'prune', '--dry-run', '--json').end).stdout);
    expect(would).toMatchObject({ plans: [dry], open: [] });
    const { code, stdout } = await begin('runs', 'prune', '--yes', '--json').end;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      // The first run wrote all its records last.
      runs: [{ run: documentOf(again).run, removed: 10, kept: 0 }],
      plans: [dry],
      size: null,
    });
    expect((await begin('worker', '--drain').end).code).toBe(0);
    expect(documentOf(await person.end).counts).toMatchObject({ created: 2 });
    const last = await begin('import', file, '--yes', '--json').end;
    expect(documentOf(last).counts).toMatchObject({ unchanged: 10 });
    expect(await times()).toEqual(once(10));
  }, 90_000);
});
