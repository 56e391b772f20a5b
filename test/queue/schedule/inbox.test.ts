import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  claimFile,
  copyInto,
  inboxSign,
  leftClaims,
  placeClaim,
  updateClaim,
} from '../../../src/queue/schedule/claimed-file.ts';
import { AT_WORK, inboxPlaces, isTakenName, wholeFiles } from '../../../src/queue/schedule/inbox.ts';
import { tempFolder } from '../../helpers/run-cli.ts';
import { hasLinks } from '../../helpers/symlinks.ts';

/** What happens between the two looks at an inbox, which takes no time here. */
const between = vi.hoisted(() => ({ looks: (): void => {} }));
vi.mock('node:timers/promises', () => ({
  setTimeout: async (_: number, __: unknown, { signal }: { signal: AbortSignal }) => {
    between.looks();
    signal.throwIfAborted();
  },
}));
beforeEach(() => {
  between.looks = () => {};
});

const never = new AbortController().signal;
const OWNER = 'ours';

/** All files of a folder and those in it, but for what the program keeps there. */
function all(folder: string, under = ''): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((one) => {
    const path = under === '' ? one.name : `${under}/${one.name}`;
    if (path === AT_WORK) return [];
    return one.isDirectory() ? all(folder, path) : [path];
  });
}

function inboxWith(...names: string[]): string {
  const folder = tempFolder();
  for (const name of names) writeFileSync(join(folder, name), name);
  return folder;
}

async function claimed(inbox: string, name: string) {
  const claim = await claimFile(inbox, name, OWNER);
  if (claim === undefined) throw new Error(`${name} was not taken`);
  return claim;
}

it('a name is that of a file to be taken, unless a program writes or keeps it for itself', () => {
  const taken = [
    'catalogus.xlsx',
    'prijzen.CSV',
    'week 12 (2).xlsx',
    'brief.pdf',
    'a',
    '-x.csv',
    'deel.parts',
  ];
  const others = [
    ...[
      '~$catalogus.xlsx',
      '.~lock.a.xlsx#',
      '.DS_Store',
      '.catersheet',
      'a.xlsx.part',
      'a.csv.tmp',
      'a.TMP',
    ],
    ...['a.crdownload', 'a.xlsx~', 'Thumbs.db', 'desktop.ini', 'a.filepart', 'a.swp', '~a.tmp', 'a.lock'],
  ];
  expect([...taken, ...others].filter(isTakenName)).toEqual(taken);
});

describe('a file in an inbox', () => {
  it('is whole when it stays as it is, and no longer when it grows, is written again or goes away', async () => {
    const folder = inboxWith('groeit.csv', 'herschreven.csv', 'klaar.csv', 'weg.csv');
    between.looks = () => {
      appendFileSync(join(folder, 'groeit.csv'), 'meer');
      utimesSync(join(folder, 'herschreven.csv'), 1, 2);
      rmSync(join(folder, 'weg.csv'));
      writeFileSync(join(folder, 'nieuw.csv'), 'nieuw');
    };
    expect(await wholeFiles({ folder }, 3, never)).toEqual(['klaar.csv']);
  });

  it.skipIf(!hasLinks || process.platform === 'win32')('is no link, folder or pipe', async () => {
    const folder = inboxWith('klaar.csv');
    mkdirSync(join(folder, 'map.csv'));
    symlinkSync(join(folder, 'klaar.csv'), join(folder, 'verwijzing.csv'));
    spawnSync('mkfifo', [join(folder, 'pijp.csv')]);
    expect(await wholeFiles({ folder }, 0.1, never)).toEqual(['klaar.csv']);
  });

  it('is not waited for once the signal is given', async () => {
    const folder = inboxWith('klaar.csv');
    const ended = new AbortController();
    between.looks = () => ended.abort(new Error('stop'));
    await expect(wholeFiles({ folder }, 60, ended.signal)).rejects.toThrow('stop');
  });

  it('removes what was cut off before a file was taken, once it is old, and nothing else', async () => {
    const inbox = tempFolder();
    const old = new Date(Date.now() - 120_000);
    const makeFolder = (name: string, holds: string, isOld: boolean): void => {
      const folder = join(inbox, AT_WORK, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, holds), '{');
      if (isOld) utimesSync(folder, old, old);
    };
    makeFolder('20270331000000-begun', '.state.json.tmp', true);
    makeFolder('20270331000000-fresh', '.state.json.tmp', false);
    makeFolder('20270331000000-files', 'week.xlsx', true);
    expect(await leftClaims(inbox, OWNER)).toEqual({ ours: [], others: 1 });
    const left = readdirSync(join(inbox, AT_WORK)).filter((name) => name !== 'id');
    expect(left).toEqual(['20270331000000-files', '20270331000000-fresh']);
  });

  it('is taken by one program alone', async () => {
    const inbox = inboxWith('a.csv');
    const taken = await Promise.all(Array.from({ length: 8 }, () => claimFile(inbox, 'a.csv', OWNER)));
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    expect(readdirSync(join(inbox, AT_WORK))).toHaveLength(1);
  });

  it.skipIf(!hasLinks)('is not put through a link that somebody laid in the inbox', async () => {
    const [inbox, elsewhere] = [inboxWith('a.csv'), tempFolder()];
    symlinkSync(elsewhere, join(inbox, 'done'));
    const claim = await claimed(inbox, 'a.csv');
    await expect(placeClaim(claim, 'done', 0)).rejects.toThrow('is no folder but a link');
    expect(readdirSync(elsewhere)).toEqual([]);
    expect((await leftClaims(inbox, OWNER)).ours).toHaveLength(1);
  });
});

describe('a file that was taken', () => {
  it('goes to its place with what was made of it, over no other file', async () => {
    const inbox = inboxWith('a.xlsx');
    mkdirSync(join(inbox, 'done'));
    writeFileSync(join(inbox, 'done/a.xlsx'), 'earlier');
    writeFileSync(join(inbox, 'done/a-2.result.xlsx'), 'earlier');
    const claim = await claimed(inbox, 'a.xlsx');
    writeFileSync(join(claim.folder, 'a.result.xlsx'), 'result');
    const placed = await placeClaim(claim, 'done', 0);
    expect(placed.file).toBe(join(inbox, 'done/a-3.xlsx'));
    expect(placed.beside).toEqual([join(inbox, 'done/a-3.result.xlsx')]);
    expect(all(inbox).sort()).toEqual([
      ...['done/a-2.result.xlsx', 'done/a-3.result.xlsx', 'done/a-3.xlsx', 'done/a.xlsx'],
    ]);
    expect(readFileSync(join(inbox, 'done/a.xlsx'), 'utf8')).toBe('earlier');
    expect(readdirSync(join(inbox, AT_WORK))).toEqual([]);
  });

  it('is found again with its run where its program was killed, and is nobody else’s', async () => {
    const inbox = inboxWith('a.csv');
    await updateClaim(await claimed(inbox, 'a.csv'), { run: '20270331-074512-k3vq', tries: 1 });
    const { ours, others } = await leftClaims(inbox, OWNER);
    expect(ours).toMatchObject([{ name: 'a.csv', run: '20270331-074512-k3vq', tries: 1, ending: null }]);
    expect(others).toBe(0);
    expect(await leftClaims(inbox, 'another ledger')).toMatchObject({ ours: [], others: 1 });
  });

  it('goes on to the same place where its program was killed on the way', async () => {
    const inbox = inboxWith('a.csv');
    const claim = await claimed(inbox, 'a.csv');
    writeFileSync(join(claim.folder, 'a.result.csv'), 'result');
    // The result is there already, the file is not.
    const going = await updateClaim(claim, { ending: { end: 'problems', stem: 'a-2', exit: 5 } });
    mkdirSync(join(inbox, 'problems'));
    renameSync(join(claim.folder, 'a.result.csv'), join(inbox, 'problems/a-2.result.csv'));
    const [left] = (await leftClaims(inbox, OWNER)).ours;
    expect(left?.ending).toEqual(going.ending);
    if (left !== undefined) await placeClaim(left, 'problems', 5);
    expect(all(inbox).sort()).toEqual(['problems/a-2.csv', 'problems/a-2.result.csv']);
    expect(await leftClaims(inbox, OWNER)).toEqual({ ours: [], others: 0 });
  });
});

describe('an inbox', () => {
  it('has a folder for each kind that one is called after', async () => {
    const folder = tempFolder();
    for (const name of ['Pakketten', 'recipes', 'overig', 'done']) mkdirSync(join(folder, name));
    const kinds = new Map([
      ['pakketten', 'packages'],
      ['recipes', 'recipes'],
    ]);
    expect(await inboxPlaces(folder, { kinds })).toEqual([
      { folder, as: undefined },
      { folder: join(folder, 'Pakketten'), as: 'packages' },
      { folder: join(folder, 'recipes'), as: 'recipes' },
    ]);
  });

  it('is told from every other, by all who see it', async () => {
    const [one, other] = [tempFolder(), tempFolder()];
    const signs = await Promise.all([inboxSign(one), inboxSign(one), inboxSign(other)]);
    expect(await inboxSign(one)).toBe(await inboxSign(one));
    expect(await inboxSign(other)).not.toBe(await inboxSign(one));
    expect(signs[2]).toBe(await inboxSign(other));
    expect(await inboxSign('/nergens/in')).toBeUndefined();
  });
});

it('a report is copied into a folder over no other', async () => {
  const [folder, to] = [inboxWith('r.html'), tempFolder()];
  const file = join(folder, 'r.html');
  expect(await copyInto(file, to, 'r.html')).toBe(join(to, 'r.html'));
  expect(await copyInto(file, to, 'r.html')).toBe(join(to, 'r-2.html'));
  expect(existsSync(file)).toBe(true);
});
