import { defineConfig } from 'vitest/config';

/** Long runs from which the project's figures come; `npm run campaign`. Their short forms are in the tests. */
export default defineConfig({
  test: {
    include: ['test/campaigns/*.campaign.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    reporters: ['verbose'],
  },
});
