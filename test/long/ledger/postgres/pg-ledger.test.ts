import { afterAll, beforeAll, describe } from 'vitest';
import { systemTime } from '../../../../src/core/time.ts';
import type { Ledger } from '../../../../src/ledger/ledger.ts';
import { openDatabaseLedger } from '../../../../src/ledger/postgres/pg-ledger.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../../../helpers/postgres.ts';
import { describeLedger } from '../../../ledger/conformance.ts';

const MISSING = postgresFolder() === undefined;

let server: TestPostgres;
const opened: Ledger[] = [];

beforeAll(async () => {
  if (!MISSING) server = await startPostgres();
});

afterAll(async () => {
  if (MISSING) return;
  for (const ledger of opened) await ledger.close();
  await server.stop();
});

describe.skipIf(MISSING)('with PostgreSQL', () => {
  describeLedger('a PostgreSQL database', () => {
    let address: Promise<string> | undefined;
    return {
      async open() {
        address ??= server.database();
        const { ledger } = await openDatabaseLedger(await address, systemTime);
        opened.push(ledger);
        return ledger;
      },
    };
  });
});
