import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Room for what all tests write at once, bytes. */
const ROOM = 2 ** 31;

// A ledger waits for the disk at each commit, in every test that sends: memory as a disk takes half the time.
const memory = '/dev/shm';
const isRoomy = (): boolean => {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > ROOM;
};
const parent = process.env.TMPDIR === undefined && existsSync(memory) && isRoomy() ? memory : tmpdir();

/** All that tests write outside their own folders; it goes with them. */
const temporary = mkdtempSync(join(parent, 'catersheet-tests-'));
// A database server runs as somebody else.
chmodSync(temporary, 0o755);
process.env.TMPDIR = temporary;
process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 20 }));

// Whoever runs the tests may have settings and a ledger of their own.
const nobody = join(temporary, 'nobody');

/** Tests that wait for programs, and for what a service does late. */
const WAITING = /[\\/](promises|records|cli|import[\\/]apply|docs)[\\/]/;

/** Begins with what waits most, so that at the end no core stands still for a file that began late. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification): boolean => WAITING.test(moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/openapi/tools/**', 'test/long/**'],
    globalSetup: ['test/helpers/parts.ts'],
    // Hardly a test waits: time passes by itself in them.
    maxWorkers: 2,
    // Loading the program anew for every file takes as long as the tests; none of them leaves anything behind in it.
    isolate: false,
    // What a test sets is no matter of the next one.
    unstubEnvs: true,
    unstubGlobals: true,
    sequence: { sequencer: LongFirst },
    // What the built program compiles is kept between tests, each of which has a home of its own.
    env: { CATERSHEET_HOME: nobody, NODE_COMPILE_CACHE: join(nobody, 'code') },
    // Only ends what hangs: on a busy machine a test that runs the program takes a minute, and a long one several.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', ['json', { outputFile: 'test-report.json' }]],
  },
});
