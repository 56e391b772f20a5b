import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { followPage, type Picture } from './follow-page.ts';
import { papers, ROOT } from './papers.ts';
import { contentSum, draw, PICTURES, SUMS } from './pictures.ts';
import { closestTo, samePrint } from './prints.ts';

/** `npm run tour` writes the pages and their pictures anew; without it they are compared with what the program does. */
const REWRITING = process.env.CATERSHEET_PAGES === 'write';

const sums: Record<string, string> = existsSync(SUMS) ? JSON.parse(readFileSync(SUMS, 'utf8')) : {};

/** A picture is of what the program makes now. */
async function expectDrawn(picture: Picture): Promise<void> {
  const sum = await contentSum(picture);
  const target = join(PICTURES, `${picture.name}.png`);
  if (REWRITING && (sum !== sums[picture.name] || !existsSync(target))) {
    await draw(picture);
    sums[picture.name] = sum;
    const sorted = Object.fromEntries(Object.entries(sums).sort());
    writeFileSync(SUMS, `${JSON.stringify(sorted, null, 2)}\n`);
  }
  expect(sums[picture.name], `${picture.name}.png is out of date: npm run tour`).toBe(sum);
  expect(existsSync(target), `${picture.name}.png is there`).toBe(true);
}

const followed = papers.filter(({ text }) => /^```\n\$ |^<!-- picture /m.test(text));

describe('what the program prints is what a page shows', () => {
  it.each(followed.map(({ path, text }) => [path, text] as const))(
    'when its commands are given one after the other: %s',
    { timeout: REWRITING ? 600_000 : 180_000 },
    async (path, text) => {
      const now = await followPage(text, { onPicture: expectDrawn, rewriting: REWRITING });
      if (REWRITING && now !== text) writeFileSync(join(ROOT, path), now);
    },
  );

  it('also where a page is written anew: as much is left out as before, and only new lines change', () => {
    const shown = 'Read 20270331-075208-q7c9\none\n…\nthree\nfour, 0.3 s\n';
    const printed = 'Read 20280101-000000-aaaa\none!\ntwo\nmore\nthree\nfour, 9.9 s\nfive\n';
    const now = closestTo(shown, printed);
    expect(now).toBe('Read 20270331-075208-q7c9\none!\n…\nthree\nfour, 0.3 s\nfive\n');
    samePrint(printed, now);
    expect(closestTo('', 'one\ntwo\n')).toBe('one\ntwo\n');
  });

  it('and a page that shows something else is found', () => {
    expect(() => samePrint('one\ntwo\n', 'one\n2\n')).toThrow();
    expect(() => samePrint('one\ntwo\nthree\n', 'one\n…\ntwo\n')).toThrow();
    samePrint('one\ntwo\nthree\n', 'one\n…\nthree\n');
  });
});
