import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ImportDocument } from '../../src/index.ts';
import { type CliOptions, hasProgram, runCli, tempFolder } from '../helpers/run-cli.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** A document of `--json`, also of what was stopped. */
export type Told = ImportDocument & { readonly error?: { readonly message: string; readonly next?: string } };

/** The program on a machine of its own, at the second service: in a process of its own where it is built. */
export async function openProgram(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  const folder = tempFolder();
  const place = {
    CATERSHEET_HOME: join(folder, 'home'),
    CATERSHEET_BASE_URL: service.url,
    CATERSHEET_TOKEN: service.token,
  };
  const run = (args: readonly string[], options: CliOptions = {}) =>
    runCli(args, { cwd: folder, own: hasProgram, ...options, env: { ...place, ...options.env } });
  return {
    service,
    folder,
    run,
    async json(
      ...args: readonly string[]
    ): Promise<{ readonly code: number | null; readonly document: Told }> {
      const { code, stdout } = await run([...args, '--json']);
      return { code, document: JSON.parse(stdout) as Told };
    },
    write: (name: string, ...lines: readonly string[]) =>
      writeFileSync(join(folder, name), lines.join('\r\n')),
    read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
  };
}
