import { describe, expect, test } from 'vitest';
import { VirtualTime } from '../helpers/virtual-time.ts';
import type { Failure } from '../second-service/knobs.ts';
import { openSecondServiceInMemory } from '../second-service/second-service.ts';
import { open } from './open.ts';

describe('the time of an answer is that which is passed in', () => {
  const timeout = 30_000;

  function openInMemory() {
    const time = new VirtualTime();
    const served = openSecondServiceInMemory({ company: 'lookups' }, { time });
    const { url, token, connect } = served;
    const service = open(url, { token, timeout, retries: 0, connect, time });
    const fails = async (failure: Failure) => {
      served.failNext(failure);
      const from = time.steady();
      const error = await service.create().catch((reason: unknown) => reason);
      return { error, took: time.steady() - from };
    };
    const close = async () => {
      await service.close();
      await served.close();
    };
    return { time, served, service, fails, close };
  }

  test.each([
    [
      'that does not begin',
      { kind: 'hang', when: 'after' },
      timeout,
      { status: null, reason: 'no answer within 30 s (timeout)' },
    ],
    [
      'that stops halfway',
      { kind: 'trickle', bytes: 10, everyMs: timeout + 1 },
      timeout,
      { status: 200, reason: 'the answer stopped halfway: no byte for 30 s (timeout)' },
    ],
    [
      'that is never silent and never whole',
      { kind: 'trickle', bytes: 1, everyMs: timeout - 1 },
      10 * timeout,
      { status: 200, reason: 'the answer was not whole after 300 s (10 times timeout)' },
    ],
  ] as const)('one %s is lost, to the millisecond', async (_, failure, most, told) => {
    const { fails, close } = openInMemory();
    const { error, took } = await fails(failure);
    expect(error).toMatchObject({ kind: 'lost', mayHaveTakenEffect: true, ...told });
    expect(took).toBe(most);
    await close();
  });

  test('one that comes within it is read, however long the one before it took', async () => {
    const { served, service, fails, close } = openInMemory();
    served.set({ speed: { beforeMs: timeout - 1 } });
    for (let n = 0; n < 3; n += 1) await expect(service.create()).resolves.toMatchObject({ id: 1001 + n });
    served.set({ speed: { beforeMs: 0 } });
    expect((await fails({ kind: 'hang', when: 'before' })).took).toBe(timeout);
    await close();
  });

  test('each of several that are waited for has its own', async () => {
    const { time, served, service, close } = openInMemory();
    served.failNext({ kind: 'hang', when: 'before' });
    served.failNext({ kind: 'hang', when: 'before' });
    const lostAt = async (after: number): Promise<number> => {
      await time.sleep(after);
      await service.create().catch(() => {});
      return time.steady();
    };
    expect(await Promise.all([lostAt(0), lostAt(7)])).toEqual([timeout, timeout + 7]);
    await close();
  });
});
