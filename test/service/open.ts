import { pino } from 'pino';
import type { ServiceOptions } from '../../src/service/client-state.ts';
import { type Clock, systemClock } from '../../src/service/clock.ts';
import { openService, type Service } from '../../src/service/service.ts';

export const TOKEN = 'tk-Geheim.12345/+=';

/** A clock whose sleeps take no time but count as if they did, and are remembered. */
export function quickClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    slept,
    async sleep(ms) {
      slept.push(ms);
      await new Promise(setImmediate);
      ahead += ms;
    },
    random: () => 0.5,
  };
}

/** A service with settings fit for tests. */
export function open(baseUrl: string, options: Partial<ServiceOptions> = {}): Service {
  return openService({
    baseUrl,
    token: TOKEN,
    concurrency: 4,
    timeout: 2000,
    retries: 2,
    log: pino({ level: 'silent' }),
    clock: quickClock(),
    ...options,
  });
}
