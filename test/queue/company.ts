import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import type { CliResult } from '../helpers/run-cli.ts';
import { type ImportDocument, openGatedService, type TestService } from '../helpers/test-service.ts';

/** A program that runs, until it ends by itself or is told to. */
export interface Running {
  readonly end: Promise<CliResult>;
  send(signal: NodeJS.Signals): void;
  /** What it told on stderr so far. */
  told(): string;
}

function start(service: TestService, args: readonly string[]): Running {
  let send: Running['send'] = () => {};
  let told = '';
  const onTold = (text: string): void => {
    told += text;
  };
  const end = service.run(args, { onStart: (kill) => (send = kill), onTold });
  onTestFinished(async () => {
    send('SIGKILL');
    await end;
  });
  return { end, send: (signal) => send(signal), told: () => told };
}

/** The ExternalID of the first package. */
const FIRST = 72_001;

/** A company whose writes pass a gate, a ledger in a database, and a workbook of so many packages. */
export async function setUp(server: TestPostgres, rows: number, latency = 0) {
  const service = await openGatedService({ faults: { latencyMs: latency } });
  const ledger = await server.database();
  const fileOf = (name: string, from: number, count: number): Promise<string> =>
    makeWorkbook(join(service.folder, name), {
      Pakketten: [
        ['ExternalID', 'ProductTypeID', 'OmschrijvingIntern', 'Verkoopprijs'],
        ...Array.from({ length: count }, (_, at) => [
          FIRST + from + at,
          'Buffet',
          `Buffet ${from + at}`,
          12.5,
        ]),
      ],
    });
  const file = await fileOf('catalogus.xlsx', 0, rows);
  /** Some more packages, behind those of the workbook. */
  const more = (count: number): Promise<string> => fileOf('meer.xlsx', rows, count);
  const begin = (...args: string[]): Running => start(service, [...args, '--ledger', ledger]);
  /** How often each of the packages is on the service. */
  const times = async (): Promise<readonly number[]> => {
    const found = (await service.records('package')).map(({ ExternalID }) => Number(ExternalID));
    return Array.from({ length: rows }, (_, at) => found.filter((one) => one === FIRST + at).length);
  };
  return { service, ledger, gate: service.gate, file, more, begin, times };
}

/** What a program printed with --json. */
export const documentOf = ({ stdout }: CliResult): ImportDocument => JSON.parse(stdout) as ImportDocument;
/** Each of them is there once. */
export const once = (rows: number): readonly number[] => Array.from({ length: rows }, () => 1);

/** Waits until something is so. */
export async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await sleep(50);
}
