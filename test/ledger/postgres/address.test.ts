import { expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { databaseAddress, isDatabase } from '../../../src/ledger/database-address.ts';
import { shownPlace } from '../../../src/ledger/postgres/database.ts';

test.each([
  [
    'postgres://jan@db.example:6432/catersheet?sslmode=verify-full',
    'postgres://jan@db.example:6432/catersheet',
  ],
  ['PostgreSQL://db.example/caf%C3%A9', 'postgres://db.example/café'],
  ['postgres.db', null],
  ['/srv/postgres://x', null],
  [':memory:', null],
])('%s is an address of a database, shown as %s', (place, shown) => {
  expect(isDatabase(place)).toBe(shown !== null);
  if (shown !== null) expect(shownPlace(place)).toBe(shown);
});

test.each([
  ['postgres://jan:geheim@db.example/catersheet', 'holds a password'],
  ['postgres://jan@db.example/catersheet?password=geheim', 'holds a password'],
  ['postgres://jan@db.example/', 'names no database'],
  ['postgres://jan:geheim@', 'is no address of a database'],
])('%s is refused, and shows no password', (address, message) => {
  let stop: unknown;
  try {
    databaseAddress(address);
  } catch (error) {
    stop = error;
  }
  expect(stop).toMatchObject({ exit: EXIT.usage, message: expect.stringContaining(message) });
  expect(JSON.stringify((stop as { texts: unknown }).texts)).not.toContain('geheim');
});
