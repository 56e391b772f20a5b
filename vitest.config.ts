import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/openapi/tools/**'],
    // Most tests wait for a program of their own or for the sandbox: four files at a time keep two cores busy.
    maxWorkers: 4,
    // Loading the program anew for every file takes as long as the tests; none of them leaves anything behind in it.
    isolate: false,
    // Only ends what hangs: on a busy machine a test that runs the program takes a minute.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    reporters: ['default', ['json', { outputFile: 'test-report.json' }]],
  },
});
