import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a page without a session asks for one less and less often, and then no more', async () => {
  const asked: number[] = [];
  const refuse = async () => {
    asked.push(Date.now());
    return new Response('{"message":"geen sessie"}', { status: 401 });
  };
  vi.stubGlobal('fetch', refuse);
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('navigator', { languages: [] });
  vi.stubGlobal('location', { hash: '' });
  let opened = (_: { readonly key: string }): void => {};
  vi.stubGlobal('addEventListener', (_: string, listener: typeof opened) => (opened = listener));
  const page = new URL('../../../src/desk/page/live.ts', import.meta.url).pathname;
  const { connect, connection } = (await import(page)) as {
    readonly connect: () => void;
    readonly connection: { readonly value: string };
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  connect();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(connection.value).toBe('unknown');
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.length).toBeLessThan(12);
  const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  const { length } = asked;
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(asked).toHaveLength(length);
  // Until a new address was opened in another window.
  opened({ key: 'catersheet-session' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveLength(length + 1);
});
