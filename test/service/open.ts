import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { systemTime, type Time } from '../../src/core/time.ts';
import { packages } from '../../src/resources/packages.ts';
import type { ServiceOptions } from '../../src/service/client-state.ts';
import { openService } from '../../src/service/service.ts';

export const TOKEN = 'tk-Geheim.12345/+=';

/** Time whose sleeps take none but count as if they did, and are remembered. */
export function quickTime(): Time & { readonly slept: number[] } {
  const slept: number[] = [];
  let ahead = 0;
  return {
    now: () => systemTime.now() + ahead,
    steady: () => systemTime.steady() + ahead,
    slept,
    async sleep(ms) {
      slept.push(ms);
      await new Promise(setImmediate);
      ahead += ms;
    },
  };
}

export const { create, update, remove, findById, list } = packages.requests;
export const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };
/** What an update and a read ask for. */
const change = { body: { ...body, ProductID: 5 } };
export const read = { params: { ID: 5 } };

/** A service with settings fit for tests, until the test is over. */
export function open(baseUrl: string, options: Partial<ServiceOptions> = {}) {
  const service = openService({
    baseUrl,
    token: TOKEN,
    concurrency: 4,
    timeout: 2000,
    retries: 2,
    log: pino({ level: 'silent' }),
    time: quickTime(),
    random: () => 0.5,
    ...options,
  });
  onTestFinished(() => service.close());
  return Object.assign(service, {
    /** One request of each effect: a read, a write that may be repeated, a create. */
    read: () => service.send(findById, read),
    update: () => service.send(update, change),
    create: () => service.send(create, { body }),
  });
}
