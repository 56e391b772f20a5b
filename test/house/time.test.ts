import { expect, test } from 'vitest';
import { roomOf, source } from './source.ts';

/** Where a file is planned, applied, exported or undone: what happens there goes by the time of its session. */
const ROOMS: ReadonlySet<string> = new Set([
  ...['core', 'run', 'records', 'kinds', 'import', 'service', 'export', 'finance'],
  ...['workbook', 'template', 'check', 'calls'],
]);

const EXCEPT: ReadonlySet<string> = new Set([
  'core/time.ts',
  // The limits of an answer that comes by a real connection.
  'service/client-state.ts',
]);

const OF_ITS_OWN =
  /node:timers|\bset(?:Timeout|Interval)\(|\bDate\.now|new Date\(\)|\bperformance\.|AbortSignal\.timeout|\bsystemTime\b/;

test('nothing that plans, sends, exports or takes back reads a clock or sets a timer by itself', () => {
  const found = source
    .filter(({ path }) => ROOMS.has(roomOf(path)) && !EXCEPT.has(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, at) =>
        OF_ITS_OWN.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line) ? [`${path}:${at + 1}`] : [],
      ),
    );
  expect(found).toEqual([]);
});
