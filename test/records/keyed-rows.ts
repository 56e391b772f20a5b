import { onTestFinished } from 'vitest';
import { tempFolder } from '../helpers/run-cli.ts';
import { optionsFor } from '../helpers/test-service.ts';
import type { KnobChanges } from '../second-service/knobs.ts';
import { startSecondService } from '../second-service/second-service.ts';

/** A second service, a folder, and what imports into it are given, for as long as a test lasts. */
export async function openRows(knobs: KnobChanges = {}) {
  const service = await startSecondService(knobs);
  onTestFinished(() => service.close());
  const folder = tempFolder();
  return { service, folder, options: optionsFor({ folder, url: service.url, token: service.token }) };
}
