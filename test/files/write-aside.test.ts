import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { EXIT, StopError } from '../../src/core/errors.ts';
import { checkWritable, type PlacedFile, writeAtomically } from '../../src/files/write-aside.ts';
import { scratchFolder } from '../workbook/make-workbook.ts';

const scratch = scratchFolder();
let count = 0;

function folder(): string {
  const made = join(scratch, `map-${count++}`);
  mkdirSync(made);
  return made;
}

const write = (target: string): Promise<PlacedFile> =>
  writeAtomically(target, async (stream) => {
    stream.write('nieuw');
  });

interface Refusal {
  readonly what: string;
  /** Makes what is refused, and answers the target. */
  readonly make: (folder: string) => string;
  readonly says: string;
}

type Move = NonNullable<NonNullable<Parameters<typeof writeAtomically>[2]>['move']>;

const windows = process.platform === 'win32';
/** One that nobody misses, where there is such a one. */
const DEVICE = existsSync('/dev/full') ? '/dev/full' : '/dev/null';

const REFUSALS: readonly Refusal[] = [
  {
    what: 'a folder',
    make: (at) => {
      mkdirSync(join(at, 'uit.xlsx'));
      return join(at, 'uit.xlsx');
    },
    says: 'it is a folder',
  },
  { what: 'a missing folder', make: (at) => join(at, 'weg', 'uit.xlsx'), says: 'its folder does not exist' },
  {
    what: 'a file as its folder',
    make: (at) => {
      writeFileSync(join(at, 'brief'), 'oud');
      return join(at, 'brief', 'uit.xlsx');
    },
    says: windows ? 'its folder' : 'its folder is a file',
  },
  {
    what: 'a path with a name too long',
    make: (at) => join(at, `${'x'.repeat(300)}.xlsx`),
    says: 'name is too long',
  },
  ...(windows
    ? []
    : [
        { what: 'a device', make: () => DEVICE, says: 'no ordinary file' },
        {
          what: 'a link that leads nowhere',
          make: (at: string) => {
            symlinkSync(join(at, 'weg.xlsx'), join(at, 'uit.xlsx'));
            return join(at, 'uit.xlsx');
          },
          says: 'leads nowhere',
        },
      ]),
];

describe('a target that can’t be written is refused beforehand', () => {
  test.each(REFUSALS)('as $what', async ({ make, says }) => {
    const at = folder();
    const target = make(at);
    const before = readdirSync(at);
    let refused: unknown;
    try {
      checkWritable(target);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(StopError);
    expect((refused as StopError).exit).toBe(EXIT.usage);
    expect((refused as StopError).message).toContain(says);
    expect(readdirSync(at)).toEqual(before);
  });
});

describe('a target that can be written', () => {
  test('is left as it is by trying', async () => {
    const at = folder();
    checkWritable(join(at, 'nieuw.xlsx'));
    expect(readdirSync(at)).toEqual([]);
    writeFileSync(join(at, 'oud.xlsx'), 'oud');
    checkWritable(join(at, 'oud.xlsx'));
    expect(readFileSync(join(at, 'oud.xlsx'), 'utf8')).toBe('oud');
  });

  test.skipIf(windows)('is written where its link leads, and the link stays', async () => {
    const at = folder();
    writeFileSync(join(at, 'echt.xlsx'), 'oud');
    symlinkSync(join(at, 'echt.xlsx'), join(at, 'uit.xlsx'));
    checkWritable(join(at, 'uit.xlsx'));
    await write(join(at, 'uit.xlsx'));
    expect(lstatSync(join(at, 'uit.xlsx')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(at, 'echt.xlsx'), 'utf8')).toBe('nieuw');
    expect(readdirSync(at).sort()).toEqual(['echt.xlsx', 'uit.xlsx']);
  });
});

describe('a file that another program holds open', () => {
  const holding =
    (held: string, code: string, times = Number.POSITIVE_INFINITY): Move =>
    async (from, to) => {
      if (to === held && times-- > 0) throw Object.assign(new Error('held'), { code });
      await rename(from, to);
    };
  const fill = async (stream: Writable): Promise<void> => {
    stream.write('nieuw');
  };

  test.each(['EBUSY', 'EACCES'])(
    '%s: stays as it was, the result gets the next free number',
    async (code) => {
      const at = folder();
      const target = join(at, 'week.result.xlsx');
      for (const name of ['week.result.xlsx', 'week.result-2.xlsx']) writeFileSync(join(at, name), 'oud');
      const { place, notes } = await writeAtomically(target, fill, {
        move: holding(target, code),
        pauses: [],
      });
      expect(place).toBe(join(at, 'week.result-3.xlsx'));
      expect(notes[0]?.nl).toContain('staat open');
      expect(readFileSync(target, 'utf8')).toBe('oud');
      expect(readFileSync(place, 'utf8')).toBe('nieuw');
      expect(readdirSync(at).filter((name) => name.includes('catersheet'))).toEqual([]);
    },
  );

  test.each(['EBUSY'])('%s: is replaced once it is let go of', async (code) => {
    const target = join(folder(), 'week.result.xlsx');
    writeFileSync(target, 'oud');
    const pauses = [1, 1, 1];
    const placed = await writeAtomically(target, fill, {
      move: holding(target, code, pauses.length),
      pauses,
    });
    expect(placed).toEqual({ place: target, notes: [] });
    expect(readFileSync(target, 'utf8')).toBe('nieuw');
  });

  test.each([['EMFILE', 'too many files and connections are open (--concurrency)']])(
    'is not waited for when something else is wrong, as %s is',
    async (code, says) => {
      const target = join(folder(), 'week.result.xlsx');
      const [full, tries] = [Object.assign(new Error('full'), { code }), [] as string[]];
      const move: Move = (_, to) => {
        tries.push(to);
        return Promise.reject(full);
      };
      await expect(writeAtomically(target, fill, { move, pauses: [1, 1] })).rejects.toThrow(says);
      expect(tries).toEqual([target]);
    },
  );
});

describe('what writers that were killed left behind', () => {
  const DAY = 86_400;
  const ID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';

  test.each([
    ['stays for a day', `.catersheet-${ID}.part`, DAY - 60, true],
    ['is removed by the next one after a day', `.catersheet-${ID}.part`, DAY + 60, false],
    ['stays where it is of the user’s own', '.catersheet-notitie.part', 2 * DAY, true],
  ])('%s', async (_, name, age, stays) => {
    const at = folder();
    writeFileSync(join(at, name), 'half');
    const then = Date.now() / 1000 - age;
    utimesSync(join(at, name), then, then);
    await write(join(at, 'uit.xlsx'));
    expect(readdirSync(at).sort()).toEqual([...(stays ? [name] : []), 'uit.xlsx'].sort());
  });
});
