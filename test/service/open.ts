import { pino } from 'pino';
import { systemTime, type Time } from '../../src/core/time.ts';
import type { ServiceOptions } from '../../src/service/client-state.ts';
import { openService, type Service } from '../../src/service/service.ts';

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

/** A service with settings fit for tests. */
export function open(baseUrl: string, options: Partial<ServiceOptions> = {}): Service {
  return openService({
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
}
