import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { hasProgram } from '../helpers/run-cli.ts';
import { followPage } from './follow-page.ts';
import { papers, ROOT } from './papers.ts';
import { draw } from './pictures.ts';

/** `npm run tour` writes the pages and their pictures anew. */
const REWRITING = process.env.CATERSHEET_PAGES === 'write';

/** All pages where they are written anew; else the one that is read first. */
const followed = papers.filter(
  ({ path, text }) => (REWRITING || /README/.test(path)) && /^```\n\$ |^<!-- picture /m.test(text),
);

it.skipIf(!hasProgram).each(followed.map(({ path, text }) => [path, text] as const))(
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
