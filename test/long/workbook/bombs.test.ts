import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { readWorkbook } from '../../../src/workbook/read-workbook.ts';
import { DamagedPart } from '../../../src/xlsx/damage.ts';
import { BookStyles } from '../../../src/xlsx/write/book-styles.ts';
import { BOMBS, writeBomb } from '../../campaigns/fuzz/bombs.ts';
import { scratchFolder } from '../../workbook/make-workbook.ts';

const folder = scratchFolder();
const place = (name: string): string => join(folder, `${name}.xlsx`);
/** What is quickly read as well as refused. */
const SOON = 110_000;

async function rowsOf(file: string): Promise<number> {
  let rows = 0;
  for (const sheet of await readWorkbook(file)) for await (const batch of sheet.batches) rows += batch.length;
  return rows;
}

describe('a small workbook that would unpack to a huge one, of which limits are by count', () => {
  const counted = BOMBS.flatMap((bomb) =>
    bomb.over === undefined || bomb.says === undefined
      ? []
      : [{ name: bomb.name, bomb, over: bomb.over, says: bomb.says }],
  );

  test.each(counted)('is refused for $over $name, with what, how many and what to do', async (one) => {
    const file = await writeBomb(place(one.name), one.bomb, one.over);
    await expect(rowsOf(file)).rejects.toMatchObject({
      exit: EXIT.file,
      texts: {
        message: { en: expect.stringMatching(one.says), nl: expect.stringMatching(/[a-z]\.$/) },
        next: { en: expect.stringMatching(/\.$/), nl: expect.stringMatching(/\.$/) },
      },
    });
  });

  test.each(counted.filter(({ over, bomb }) => over > 2 && over < SOON && bomb.name !== 'sheets'))(
    'is read with one less than $over $name',
    async (one) => {
      expect(await rowsOf(await writeBomb(place(`${one.name} min 1`), one.bomb, one.over - 1))).toBe(2);
    },
  );
});

describe('a workbook whose reading would take time or memory by the square', () => {
  const small: Readonly<Record<string, number>> = {
    'line ends': 1_900_000,
    'line ends in a tag': 2,
    'signs of an end in a tag': 2,
    'line ends in a text': 1,
    comments: 2,
    controls: 50_000,
    'tables of one part': 50_000,
  };
  const cases = BOMBS.filter(({ name }) => small[name] !== undefined);

  test.each(cases)('is read in little time with $name', async (bomb) => {
    const file = await writeBomb(place(`klein ${bomb.name}`), bomb, small[bomb.name] ?? 1);
    const before = process.cpuUsage();
    expect(await rowsOf(file)).toBe(2);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});

describe('what is rewritten to give a workbook back', () => {
  const styles = (inside: string): BookStyles =>
    new BookStyles(
      Buffer.from(
        `<styleSheet><fonts>${inside}</fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/></cellXfs></styleSheet>`,
      ),
    );

  test('has no list of more formats than the format allows', () => {
    expect(() => styles('<font/>'.repeat(65_491))).toThrow(DamagedPart);
    expect(styles('<font/>'.repeat(65_490)).finish().length).toBeGreaterThan(65_490);
  });
});
