import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../../src/core/errors.ts';
import { databaseAddress, isDatabase } from '../../../src/ledger/database-address.ts';
import { shownPlace } from '../../../src/ledger/postgres/database.ts';
import { runCli, tempFolder } from '../../helpers/run-cli.ts';

describe('the address of a ledger in a database', () => {
  test.each([
    ['postgres://jan@db.example/catersheet', true],
    ['postgresql://db.example:6432/catersheet', true],
    ['PostgreS://db.example/a', true],
    ['postgres.db', false],
    ['/srv/postgres://x', false],
    [':memory:', false],
  ])('%s is one: %s', (place, expected) => {
    expect(isDatabase(place)).toBe(expected);
  });

  test.each([
    ['postgres://jan:geheim@db.example/catersheet', 'holds a password'],
    ['postgres://jan@db.example/catersheet?password=geheim', 'holds a password'],
    ['postgres://jan@db.example', 'names no database'],
    ['postgres://jan@db.example/', 'names no database'],
    ['postgres://jan:geheim@', 'is no address of a database'],
  ])('%s is refused, and shows no password', (address, message) => {
    let stop: unknown;
    try {
      databaseAddress(address);
    } catch (error) {
      stop = error;
    }
    if (!(stop instanceof StopError)) throw new Error(`${address} was taken`);
    expect(stop.exit).toBe(EXIT.usage);
    expect(stop.message).toContain(message);
    expect(JSON.stringify(stop.texts)).not.toContain('geheim');
  });

  test.each([
    [
      'postgres://jan@db.example:6432/catersheet?sslmode=verify-full',
      'postgres://jan@db.example:6432/catersheet',
    ],
    ['postgresql://db.example/caf%C3%A9', 'postgres://db.example/café'],
  ])('%s is shown as %s', (address, shown) => {
    expect(shownPlace(address)).toBe(shown);
  });

  test('that is in a settings file is taken as it is, and tells where nobody answers', async () => {
    const home = tempFolder();
    const { code, stderr } = await runCli(['runs', '--ledger', 'postgres://jan@127.0.0.1:1/weg'], {
      cwd: home,
      env: { CATERSHEET_HOME: home, CATERSHEET_LEDGER_PASSWORD: 'geheim' },
    });
    expect(code).toBe(EXIT.usage);
    expect(stderr).toContain("The ledger postgres://jan@127.0.0.1:1/weg can't be reached");
    expect(stderr).not.toContain('geheim');
  });
});
