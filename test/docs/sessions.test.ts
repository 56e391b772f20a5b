import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { followPage } from './follow-page.ts';
import { papers, ROOT } from './papers.ts';
import { draw } from './pictures.ts';
import { closestTo } from './prints.ts';

/** `npm run tour` writes the pages and their pictures anew. */
const REWRITING = process.env.CATERSHEET_PAGES === 'write';

const followed = papers.filter(({ text }) => /^```\n\$ |^<!-- picture /m.test(text));

it.each(followed.map(({ path, text }) => [path, text] as const))(
  'the commands of %s work, given one after the other',
  { timeout: REWRITING ? 600_000 : 180_000 },
  async (path, text) => {
    const onPicture = async (picture: Parameters<typeof draw>[0]) => {
      if (REWRITING) await draw(picture);
    };
    const now = await followPage(text, { onPicture, rewriting: REWRITING });
    if (REWRITING && now !== text) writeFileSync(join(ROOT, path), now);
  },
);

it('where a page is written anew as much is left out as before, and only new lines change', () => {
  const shown = 'Read 20270331-075208-q7c9\none\n…\nthree\nfour, 0.3 s\n';
  const printed = 'Read 20280101-000000-aaaa\none!\ntwo\nmore\nthree\nfour, 9.9 s\nfive\n';
  const now = closestTo(shown, printed);
  expect(now).toBe('Read 20270331-075208-q7c9\none!\n…\nthree\nfour, 0.3 s\nfive\n');
  expect(closestTo('', 'one\ntwo\n')).toBe('one\ntwo\n');
});
