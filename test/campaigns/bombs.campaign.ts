import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestService } from '../helpers/test-service.ts';
import { BOMBS, writeBomb } from './fuzz/bombs.ts';
import { CSV_BOMBS } from './fuzz/csv-bombs.ts';
import { measured } from './fuzz/measured.ts';

/** What a workbook of 5 MB may take: seconds of work, and megabytes. */
const MOST_SECONDS = 10;
const MOST_MEGABYTES = 400;
const MOST_BYTES = 5_200_000;
/** Nothing is left of a program that goes on for so long. */
const KILLED_AFTER = 60;
const ALLOWED = [0, 3, 4, 5];
const ONLY = process.env.ONLY;
const ONLY_WAY = process.env.WAY;

const isMeant = (name: string): boolean => ONLY === undefined || new RegExp(ONLY).test(name);

/** The ways in which a file is opened: to plan, to give it back, to export the products that it names. */
const WAYS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  'dry run': (file) => ['import', file, '--dry-run'],
  import: (file) => ['import', file, '--yes', '--out', `uit${extname(file)}`],
  'only problems': (file) => ['import', file, '--dry-run', '--only', 'problems', '--report', 'verslag.html'],
  'stock of its products': (file) => ['export', 'stock', '--file', file, '--out', 'lijst.xlsx'],
};

/** Imports a file in every way, and says what was wrong. */
async function tryOut(name: string, make: (folder: string) => Promise<string>): Promise<string[]> {
  const service = await openTestService();
  const folder = mkdtempSync(join(tmpdir(), 'catersheet-bombs-'));
  const own = { CATERSHEET_BASE_URL: service.url, CATERSHEET_TOKEN: service.token, CATERSHEET_HOME: folder };
  try {
    const file = await make(folder);
    const bytes = statSync(file).size;
    const faults: string[] = bytes < MOST_BYTES ? [] : [`${bytes} bytes`];
    for (const [way, argsOf] of Object.entries(WAYS)) {
      if (ONLY_WAY !== undefined && way !== ONLY_WAY) continue;
      const { code, work, megabytes, said } = await measured(argsOf(file), {
        ...{ cwd: folder, seconds: KILLED_AFTER, env: own },
      });
      const words = said.trim().split('\n').slice(-2).join(' | ').slice(0, 200);
      console.log(
        `${name}, ${way}: ${(bytes / 1e6).toFixed(1)} MB, exit ${code}, ${work.toFixed(1)} s, ${Math.round(megabytes)} MB: ${words}`,
      );
      if (!ALLOWED.includes(code ?? -1)) faults.push(`${way}: exit ${code}: ${said.slice(-500)}`);
      if (work > MOST_SECONDS) faults.push(`${way}: ${work} s`);
      if (megabytes > MOST_MEGABYTES) faults.push(`${way}: ${megabytes} MB`);
    }
    return faults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it.each(BOMBS.filter(({ name }) => isMeant(name)))(
  'a workbook of 5 MB with $full $name costs little, also to give back',
  { timeout: 600_000 },
  async (bomb) => {
    const faults = await tryOut(bomb.name, (folder) => writeBomb(join(folder, 'bom.xlsx'), bomb, bomb.full));
    expect(faults).toEqual([]);
  },
);

it.each(Object.entries(CSV_BOMBS).filter(([name]) => isMeant(name)))(
  'a CSV of 5 MB with %s costs little, also to give back',
  { timeout: 600_000 },
  async (name, textOf) => {
    const faults = await tryOut(name, async (folder) => {
      const file = join(folder, 'bom.csv');
      writeFileSync(file, textOf());
      return file;
    });
    expect(faults).toEqual([]);
  },
);
