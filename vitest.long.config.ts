import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** `npm run test:long`: a few tests, each as long as a hundred others. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/long/**/*.test.ts'],
    exclude: [],
    testTimeout: 900_000,
    reporters: ['default', ['json', { outputFile: 'test-report-long.json' }]],
  },
});
