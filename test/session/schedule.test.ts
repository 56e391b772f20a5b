import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StopError } from '../../src/core/errors.ts';
import { lastDue, nextDue } from '../../src/queue/schedule/cron-moments.ts';
import { readConfig } from '../../src/session/config-file.ts';
import { cronProblem } from '../../src/session/cron-text.ts';
import { dayIn, isRelativeDay, todayIn } from '../../src/session/relative-day.ts';
import { resolveSettings } from '../../src/session/settings.ts';
import { tempFolder } from '../helpers/run-cli.ts';

/** What a settings file with this schedule says; the words of the stop where it is refused. */
function read(...schedule: unknown[]): unknown {
  const folder = tempFolder();
  const file = join(folder, 'catersheet.config.json');
  writeFileSync(file, JSON.stringify({ profiles: { default: { schedule } } }));
  try {
    return readConfig(file)?.profiles.default?.schedule;
  } catch (error) {
    return (error as StopError).message.replace(file, 'FILE');
  }
}

const EXPORT = { name: 'prijzen', cron: '0 3 * * *', export: ['packages'], to: '/srv/uit' };
const CHECK = { name: 'controle', cron: '*/30 7-18 * * 1-5', check: true };
const INBOX = { name: 'inbox', inbox: '/srv/in' };

describe('a schedule in a file of settings', () => {
  it.each<[string, object]>([
    ['an export', EXPORT],
    [
      'an export of several kinds since the last',
      { ...EXPORT, export: ['packages', 'recipes'], since: 'last' },
    ],
    ['an export of a period', { ...EXPORT, export: ['events'], days: { from: '-7d', to: '+30d' } }],
    [
      'a period for finance',
      { ...EXPORT, export: ['finance'], days: { from: 'month-1m', to: 'month-end-1m' } },
    ],
    ['a check with its own time zone', { ...CHECK, tz: 'Europe/Amsterdam' }],
    ['an inbox', INBOX],
    ['an inbox that sends', { ...INBOX, send: true, allowDelete: true, as: 'packages', settle: 10 }],
    ['a report into a folder', { ...INBOX, report: { to: '/srv/verslagen', when: 'always' } }],
    ['a report by a program', { ...INBOX, report: { command: ['/usr/bin/mail-report', '-s'], timeout: 30 } }],
  ])('may hold %s', (_, entry) => {
    expect(read(entry)).toEqual([entry]);
  });

  it.each<[string, unknown[], string]>([
    ['nothing to do', [{ name: 'leeg', cron: '0 3 * * *' }], 'entry "leeg": give it one of "export"'],
    ['two things to do', [{ ...EXPORT, check: true }], 'entry "prijzen": give it one of "export"'],
    [
      'a cron with an hour 25',
      [{ ...CHECK, cron: '0 25 * * *' }],
      'entry "controle": cron: "25" is no hour: expected 0 to 23',
    ],
    ['a cron of seconds', [{ ...CHECK, cron: '0 0 3 * * *' }], 'has 6 fields, and needs five'],
    [
      'a time zone that is none',
      [{ ...CHECK, tz: 'Amsterdam' }],
      'tz: no time zone; write it as in Europe/Amsterdam',
    ],
    [
      'finance with another kind',
      [{ ...EXPORT, export: ['finance', 'events'] }],
      'a finance export is a workbook of its own',
    ],
    [
      'a day that is none',
      [{ ...EXPORT, days: { from: 'gisteren', to: 'today' } }],
      'days.from: no day; write it as in -7d',
    ],
    [
      'the same name twice',
      [EXPORT, { ...CHECK, name: 'PRIJZEN' }],
      'entry "PRIJZEN": another entry has that name',
    ],
    [
      'the same inbox twice',
      [INBOX, { ...INBOX, name: 'in 2', inbox: '/srv/x/../in' }],
      'entry "in 2": another entry has that inbox',
    ],
    ['a name of signs', [{ ...INBOX, name: '../in' }], 'begins with a letter or digit'],
    ['a kind and kinds', [{ ...INBOX, as: 'packages', byKind: true }], '"as" and "byKind" don’t go together'],
    [
      'an export into an inbox',
      [{ ...EXPORT, to: '/srv/in' }, INBOX],
      'entry "prijzen": it writes into an inbox',
    ],
  ])('is refused for %s, and the entry is named', (_, entries, words) => {
    const said = read(...entries);
    expect(said).toMatch(/^FILE is not as it should be: profiles\.default\.schedule: /);
    expect(said).toContain(words);
  });

  it('counts its folders and programs from its own file, and other programs by their names', () => {
    const home = tempFolder();
    mkdirSync(home, { recursive: true });
    const report = { to: 'verslagen', command: ['./meld', 'x'] };
    const schedule = [
      { ...EXPORT, to: 'uit', report },
      { ...INBOX, inbox: 'in', report: { command: ['mail-report'] } },
    ];
    writeFileSync(
      join(home, 'catersheet.config.json'),
      JSON.stringify({ profiles: { default: { schedule } } }),
    );
    const [out, inbox] = resolveSettings({}, { CATERSHEET_HOME: home }).schedule;
    expect(out).toMatchObject({
      to: join(home, 'uit'),
      report: { to: join(home, 'verslagen'), command: [join(home, 'meld'), 'x'] },
    });
    expect(inbox).toMatchObject({ inbox: join(home, 'in'), report: { command: ['mail-report'] } });
  });
});

describe('a cron text', () => {
  it.each([
    ...['* * * * *', '0 3 * * *', '*/30 7-18 * * 1-5', '0 0 1 jan,jul *', '15,45 6 L * *', '0 8 * * MON-FRI'],
    ...['0 8 * * 1#2', '0 8 * * 5L', '0 0 * * 7', '5-55/10 * * * *', '@daily', '@hourly', ' 0  3 * * * '],
  ])('%j is taken, by the engine too', (text) => {
    expect(cronProblem(text)).toBeUndefined();
    const at = new Date('2026-11-26T12:00:30Z');
    expect(nextDue(text, 'Europe/Amsterdam', at).getTime()).toBeGreaterThan(at.getTime());
    expect(lastDue(text, 'Europe/Amsterdam', at).getTime()).toBeLessThanOrEqual(at.getTime());
  });

  it.each([
    ...['', '3', '* * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *', '* * * 13 *', '* * * * 8'],
    ...[
      '*/0 * * * *',
      '5-1 * * * *',
      '1-2-3 * * * *',
      '-1 * * * *',
      'a * * * *',
      '* * * foo *',
      '1,, * * * *',
    ],
    ...['@reboot', '0 0 3 * * *', '* * * * 1#6', '*/ * * * *', '1.5 * * * *'],
  ])('%j is refused', (text) => {
    expect(cronProblem(text)?.en).toMatch(/write it as in/);
  });

  it.each([
    ['0 3 * * *', 'Europe/Amsterdam', '2026-11-26T01:59:59Z', '2026-11-25T02:00:00.000Z'],
    ['0 3 * * *', 'Europe/Amsterdam', '2026-07-26T02:00:00Z', '2026-07-26T01:00:00.000Z'],
  ])('%s in %s was last due at %s at %s', (cron, zone, at, expected) => {
    expect(lastDue(cron, zone, new Date(at)).toISOString()).toBe(expected);
  });
});

describe('a day that is counted from today', () => {
  it.each([
    ['today', '2026-11-26'],
    ['-7d', '2026-11-19'],
    ['+30d', '2026-12-26'],
    ['week', '2026-11-23'],
    ['week-end', '2026-11-29'],
    ['week+1w', '2026-11-30'],
    ['month', '2026-11-01'],
    ['month-end', '2026-11-30'],
    ['month-1m', '2026-10-01'],
    ['month-end-1m', '2026-10-31'],
    ['-9m', '2026-02-26'],
    ['year', '2026-01-01'],
    ['year-end+1y', '2027-12-31'],
    ['2026-11-01', '2026-11-01'],
    ['1-2-2027', '1-2-2027'],
  ])('%s is %s on 26 November 2026', (text, expected) => {
    expect(dayIn(text, '2026-11-26')).toBe(expected);
  });

  it.each([
    ['2027-03-31', '-1m', '2027-02-28'],
    ['2028-02-29', '-1y', '2027-02-28'],
    ['2026-11-29', 'week', '2026-11-23'],
  ])('on %s %s is %s', (today, text, expected) => {
    expect(dayIn(text, today)).toBe(expected);
  });

  it('is told from a plain day', () => {
    expect(['-7d', 'month', 'Week-End+2w', '2026-11-01', '7', 'd', ''].map(isRelativeDay)).toEqual([
      ...[true, true, true, false, false, false, false],
    ]);
  });

  it('is today by the clock of its time zone', () => {
    const at = new Date('2026-11-25T23:30:00Z');
    expect([todayIn('UTC', at), todayIn('Europe/Amsterdam', at)]).toEqual(['2026-11-25', '2026-11-26']);
  });
});
