import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Makes what runs apart from the sources, so that the tests need no build: the sandbox's thread and the page. */
export default async function makeParts(): Promise<void> {
  execFileSync(process.execPath, [path('scripts/desk-page.mjs')]);
  // All packages stay where they are.
  const bundle = await rolldown({
    input: path('src/sandbox-worker.ts'),
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'silent',
  });
  await bundle.write({ file: path('dist/sandbox-worker.js'), format: 'esm', codeSplitting: false });
  await bundle.close();
}
