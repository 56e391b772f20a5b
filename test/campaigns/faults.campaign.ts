import { expect, it } from 'vitest';
import { makeWorkbook, packageRows } from '../helpers/make-workbook.ts';
import { openTestService } from '../helpers/test-service.ts';
import { difference, resendMissing, sevenSheets, stateOf, undisturbed } from './seven-sheets.ts';

const ROWS = Number(process.env.ROWS ?? 200);
const SEEDS = Number(process.env.SEEDS ?? 5);

it(`5 % answers lost, 5 % resets, 5 % 503 and 2 % pages of HTML, over all seven sheets (${ROWS} rows each), ${SEEDS} times`, async () => {
  const whole = await undisturbed(ROWS, 5);
  for (let seed = 1; seed <= SEEDS; seed++) {
    const service = await openTestService({ seed });
    const file = await sevenSheets(`${service.folder}/a.xlsx`, ROWS);
    await service.faults({
      latencyMs: 5,
      lostAnswer: 0.05,
      reset: 0.05,
      status503: 0.05,
      retryAfter: 0,
      html: 0.02,
    });
    const { code, document } = await service.runJson([
      'import',
      file,
      '--yes',
      '--concurrency',
      '16',
      '--retries',
      '8',
      '--out',
      'r.xlsx',
    ]);
    console.log('seed', seed, 'exit', code, document.counts);
    const wrong = document.rows.filter(
      ({ status, sheet }) =>
        !['created', 'updated', 'unchanged'].includes(status) &&
        !(status === 'unknown' && sheet === 'Voorraadmutaties'),
    );
    expect(wrong).toEqual([]);
    await service.faults({ lostAnswer: 0, reset: 0, status503: 0, html: 0 });
    await resendMissing(service, document.rows, document.run);
    expect(difference(await stateOf(service), whole.state), `seed ${seed}`).toEqual([]);
  }
});

it('a limit of 20 requests/s with 429 and Retry-After: 400 rows, no failed row, at most 15 % refused', async () => {
  const service = await openTestService({ faults: { latencyMs: 20, rateLimit: 20 } });
  const file = await makeWorkbook(`${service.folder}/a.xlsx`, { Pakketten: packageRows(400) });
  const { document } = await service.runJson(['import', file, '--yes', '--out', 'r.xlsx']);
  const { refused, requests } = await service.log();
  console.log('refused', refused, 'of', requests.length, document.counts);
  expect(document.counts).toMatchObject({ created: 400, failed: 0 });
  expect(refused / requests.length).toBeLessThanOrEqual(0.15);
});
