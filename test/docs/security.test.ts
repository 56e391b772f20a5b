import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paper, ROOT } from './papers.ts';

const CAMPAIGN = /^npm run campaign (\S+)$/;

/** The rows of what was tried: the attack, and the tests that hold it. */
const tried = (
  /## What was tried[\s\S]*(?=## What is not promised)/.exec(paper('docs/security.md').text)?.[0] ?? ''
)
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 5 && !/^(?:tried|who|---|)$/.test(cells[1] ?? ''))
  .filter(([, , , tests]) => tests?.includes('`'));

test('docs/security.md has a row for each attack, with tests or a campaign that are there', () => {
  expect(tried.length).toBeGreaterThan(20);
  for (const [, attack, , tests = ''] of tried)
    for (const [, name = ''] of tests.matchAll(/`([^`]+)`/g)) {
      const campaign = CAMPAIGN.exec(name)?.[1];
      const file = campaign === undefined ? name : `campaigns/${campaign}.campaign.ts`;
      expect(existsSync(join(ROOT, 'test', file)), `${attack}: ${name}`).toBe(true);
    }
});
