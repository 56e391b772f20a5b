import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packages } from '../../src/resources/packages.ts';
import { openConcurrencyLimit, openPace } from '../../src/service/pace.ts';
import { open } from './open.ts';
import { json, type ScriptedServer, startServer } from './scripted-server.ts';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const { create } = packages.requests;
const body = { ProductTypeID: 1, OmschrijvingIntern: 'Lunch Klassiek', Verkoopprijs: 14.5 };
const done = json({ ProductID: 1, success: true });

describe('the limit of requests in flight', () => {
  test('is halved, and grows by one a round', () => {
    const width = openConcurrencyLimit(16);
    width.lower(0.5);
    expect(width.limit).toBe(8);
    for (let answer = 0; answer < 8; answer += 1) width.accepted();
    expect(width.limit).toBe(9);
    for (let answer = 0; answer < 200; answer += 1) width.accepted();
    expect(width.limit).toBe(16);
    for (let times = 0; times < 9; times += 1) width.lower(0.5);
    expect(width.limit).toBe(1);
  });

  test('is lowered once for a whole round that is turned away', async () => {
    let left = 8;
    server.script((...request) => {
      left -= 1;
      return left >= 0 ? json({}, 429, { 'retry-after': '0' })(...request) : done(...request);
    });
    const service = open(server.baseUrl, { concurrency: 8 });
    await Promise.all(Array.from({ length: 8 }, () => service.send(create, { body })));
    expect(service.stats).toMatchObject({ refused: 8, requests: 16 });
    expect(service.stats.limit).toBeGreaterThanOrEqual(4);
    await service.close();
  });
});

describe('the pace', () => {
  test('is what the service bore, its pause included', () => {
    const pace = openPace();
    for (let at = 1000; at < 1020; at += 1) pace.accepted(at);
    pace.pause(1020, 1000);
    pace.slowDown(1020);
    expect(pace.rate(2020)).toBeCloseTo(20 / 1.02, 1);
    expect(pace.next()).toBe(2020);
  });

  test('recovers slowly at first, then fully', () => {
    const pace = openPace();
    for (let at = 0; at < 10; at += 1) pace.accepted(at);
    pace.pause(10, 990);
    pace.slowDown(10);
    const learned = pace.rate(1000);
    expect(pace.rate(1000 + 10_000) / learned).toBeLessThan(1.1);
    expect(pace.rate(1000 + 60_000) / learned).toBeGreaterThan(5);
    expect(pace.rate(1000 + 150_000) / learned).toBeGreaterThan(10_000);
  });

  test('never exceeds the user’s ceiling', () => {
    const pace = openPace(5);
    expect(pace.rate(0)).toBe(5);
    pace.accepted(0);
    pace.pause(1, 1);
    pace.slowDown(1);
    expect(pace.rate(1e9)).toBe(5);
  });

  test('is lowered again when the service takes nothing at all', () => {
    const pace = openPace();
    for (let at = 0; at < 100; at += 1) pace.accepted(at);
    pace.pause(100, 1000);
    pace.slowDown(100);
    const before = pace.rate(1100);
    pace.pause(1100, 1000);
    pace.slowDown(1100);
    expect(pace.rate(2100)).toBeCloseTo(before / 2, 5);
  });
});
