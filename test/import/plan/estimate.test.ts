import { describe, expect, test } from 'vitest';
import { aboutText } from '../../../src/core/codecs/moment.ts';
import { estimateMs } from '../../../src/import/plan/plan-import.ts';
import { openLatency } from '../../../src/service/client-state.ts';

describe('the time that a plan takes', () => {
  test.each([
    ['is estimated by the latency, side by side', 1000, { latency: 80, limit: 8 }, 10_000],
    ['is estimated by the rate where that is slower', 1000, { latency: 80, limit: 8, rate: 20 }, 50_000],
    [
      'is estimated by the latency where that is slower',
      1000,
      { latency: 4000, limit: 8, rate: 20 },
      500_000,
    ],
    ['is none where nothing is to be sent', 0, { latency: null, limit: 8 }, 0],
    ['is not known before the first answer', 3, { latency: null, limit: 8 }, null],
  ])('%s', (_, requests, stats, ms) => {
    expect(estimateMs(requests, { rate: Number.POSITIVE_INFINITY, ...stats })).toBe(ms);
  });

  test('is not estimated by one list that took long', () => {
    const latency = openLatency();
    expect(latency.median()).toBeNull();
    for (const ms of [9000, 40, 50, 45, 42]) latency.answered(ms);
    expect(latency.median()).toBe(45);
    for (let at = 0; at < 500; at++) latency.answered(120);
    expect(latency.median()).toBe(120);
  });

  test.each([
    [0, 'a moment', 'een ogenblik'],
    [1_999, 'a moment', 'een ogenblik'],
    [2_400, 'about 2 seconds', 'ongeveer 2 seconden'],
    [9_600, 'about 10 seconds', 'ongeveer 10 seconden'],
    [41_000, 'about 45 seconds', 'ongeveer 45 seconden'],
    [89_000, 'about 90 seconds', 'ongeveer 90 seconden'],
    [90_000, 'about 2 minutes', 'ongeveer 2 minuten'],
    [600_000, 'about 10 minutes', 'ongeveer 10 minuten'],
    [5_400_000, 'about 1.5 hours', 'ongeveer 1,5 uur'],
    [7_000_000, 'about 2 hours', 'ongeveer 2 uur'],
  ])('is worded for %i ms as %s', (ms, en, nl) => {
    expect(aboutText(ms)).toEqual({ en, nl });
  });
});
