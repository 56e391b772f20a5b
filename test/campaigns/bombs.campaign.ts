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
/** ONLY bombs of these names. */
const { ONLY = '' } = process.env;

/** The ways in which a file is opened: to plan, to give it back, to export the products that it names. */
const WAYS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  'dry run': (file) => ['import', file, '--dry-run'],
  import: (file) => ['import', file, '--yes', '--out', `uit${extname(file)}`],
  'only problems': (file) => ['import', file, '--dry-run', '--only', 'problems', '--report', 'verslag.html'],
  'stock of its products': (file) => ['export', 'stock', '--file', file, '--out', 'lijst.xlsx'],
};

const CASES: readonly (readonly [string, (folder: string) => Promise<string>])[] = [
  ...BOMBS.map(
    (bomb) => [bomb.name, (folder: string) => writeBomb(join(folder, 'bom.xlsx'), bomb, bomb.full)] as const,
  ),
  ...Object.entries(CSV_BOMBS).map(([name, textOf]) => {
    const make = async (folder: string): Promise<string> => {
      writeFileSync(join(folder, 'bom.csv'), textOf());
      return join(folder, 'bom.csv');
    };
    return [`a CSV: ${name}`, make] as const;
  }),
];

it.each(CASES.filter(([name]) => new RegExp(ONLY).test(name)))(
  'a file of 5 MB costs little, also to give back: %s',
  { timeout: 600_000 },
  async (name, make) => {
    const service = await openTestService();
    const folder = mkdtempSync(join(tmpdir(), 'catersheet-bombs-'));
    const env = {
      CATERSHEET_BASE_URL: service.url,
      CATERSHEET_TOKEN: service.token,
      CATERSHEET_HOME: folder,
    };
    const faults: string[] = [];
    try {
      const file = await make(folder);
      expect(statSync(file).size).toBeLessThan(MOST_BYTES);
      for (const [way, argsOf] of Object.entries(WAYS)) {
        const end = await measured(argsOf(file), { cwd: folder, seconds: KILLED_AFTER, env });
        const { code, work, megabytes, said } = end;
        const told = `${name}, ${way}: exit ${code}, ${work.toFixed(1)} s, ${Math.round(megabytes)} MB`;
        console.log(told, said.trim().split('\n').slice(-2).join(' | ').slice(0, 200));
        const isAllowed = [0, 3, 4, 5].includes(code ?? -1);
        if (!isAllowed || work > MOST_SECONDS || megabytes > MOST_MEGABYTES)
          faults.push(`${told} ${said.slice(-500)}`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(faults).toEqual([]);
  },
);
