import { expect, it } from 'vitest';
import { runSettings } from './fuzz/run-settings.ts';

const FILES = Number(process.env.FILES ?? 1000);
const SEED = Number(process.env.SEED ?? 1);
const FROM = Number(process.env.FROM ?? 0);

it(`${FILES} files of settings: no crash, no hang, no token told or sent`, {
  timeout: 7_200_000,
}, async () => {
  const { faults, ...figures } = await runSettings({ seed: SEED, from: FROM, files: FILES });
  console.log(JSON.stringify(figures), faults.join('\n'));
  expect(faults).toEqual([]);
});
