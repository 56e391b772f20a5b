import { expect, test } from 'vitest';
import { backoff, retryAfter } from '../../src/service/failure.ts';

test.each([
  [1, 250],
  [2, 500],
  [3, 1000],
  [5, 4000],
  [8, 20_000],
  [2000, 20_000],
])('after attempt %i the wait is spread from 0 to %i ms', (attempt, most) => {
  expect(backoff(attempt, () => 0)).toBe(0);
  expect(backoff(attempt, () => 0.5)).toBe(most / 2);
  expect(backoff(attempt, () => 1)).toBe(most);
});

const NOW = Date.parse('Wed, 28 Apr 2027 10:00:00 GMT');

test.each([
  [{}, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': ' 2 ' }, 2000],
  [{ 'retry-after': '0.05' }, 50],
  [{ 'retry-after': '86400' }, 86_400_000],
  [{ 'retry-after': '9'.repeat(400) }, 1e12],
  [{ 'retry-after': '1e9' }, null],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': 'Wed, 28 Apr 2027 10:00:07 GMT' }, 7000],
  [{ 'retry-after': 'Wed, 28 Apr 2027 09:00:00 GMT' }, 0],
  [{ 'retry-after': 'Wed, 28 Apr 2027 23:00:00 GMT' }, 46_800_000],
  // The service's clock is an hour ahead.
  [{ 'retry-after': 'Wed, 28 Apr 2027 11:00:07 GMT', date: 'Wed, 28 Apr 2027 11:00:02 GMT' }, 5000],
])('%j asks to wait %j ms', (headers, ms) => {
  expect(retryAfter(headers, NOW)).toBe(ms);
});
