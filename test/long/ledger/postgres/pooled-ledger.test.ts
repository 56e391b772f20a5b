import { afterAll, beforeAll, describe } from 'vitest';
import { systemTime } from '../../../../src/core/time.ts';
import type { Ledger } from '../../../../src/ledger/ledger.ts';
import { openDatabaseLedger } from '../../../../src/ledger/postgres/pg-ledger.ts';
import { hasPgbouncer, startPgbouncer } from '../../../helpers/pgbouncer.ts';
import { postgresFolder, startPostgres, type TestPostgres } from '../../../helpers/postgres.ts';
import { describeLedger } from '../../../ledger/conformance.ts';

const MISSING = postgresFolder() === undefined;

let server: TestPostgres;
let bouncer: Awaited<ReturnType<typeof startPgbouncer>> | undefined;
const opened: Ledger[] = [];

beforeAll(async () => {
  if (MISSING) return;
  server = await startPostgres();
  if (hasPgbouncer()) bouncer = await startPgbouncer(server);
});

afterAll(async () => {
  if (MISSING) return;
  for (const ledger of opened) await ledger.close();
  await bouncer?.stop();
  await server.stop();
});

describe.skipIf(MISSING)('with PostgreSQL, and where it is there with PgBouncer', () => {
  describeLedger('a PostgreSQL database, behind a pooler in transaction mode', () => {
    let address: Promise<string> | undefined;
    return {
      async open() {
        address ??= server.database().then((own) => bouncer?.by(own) ?? own);
        const { ledger } = await openDatabaseLedger(await address, systemTime);
        opened.push(ledger);
        return ledger;
      },
    };
  });
});
