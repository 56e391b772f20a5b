import { once } from 'node:events';
import { languageOf } from '../../api/language.ts';
import { sandboxFile, startSandbox } from '../../api/start-sandbox.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { FlagsOf } from '../../options/options.ts';
import { END_SIGNALS } from '../stops.ts';
import { say, WORDS } from '../view/words.ts';

/** `sandbox`: the whole service with a made-up company, for trying and for integrators' tests. */
export async function sandboxCommand(flags: FlagsOf<'sandbox'>): Promise<ExitCode> {
  const { port, data, latency, pageSize, externalId, json, lang } = flags;
  const file = sandboxFile(data);
  const stopped = Promise.race(END_SIGNALS.map((signal) => once(process, signal)));
  const token = process.env.CATERSHEET_TOKEN || undefined;
  const sandbox = await startSandbox({
    ...{ port, data: file, token, pageSize },
    faults: { latencyMs: latency },
    dialect: { externalId },
  });
  const { url: baseUrl, token: key } = sandbox;
  process.stdout.write(
    json === undefined
      ? `CATERSHEET_BASE_URL=${baseUrl}\nCATERSHEET_TOKEN=${key}\n`
      : `${JSON.stringify({ baseUrl, token: key, data: file }, null, 2)}\n`,
  );
  process.stderr.write(`${say(WORDS.sandboxRuns, languageOf(lang), { file })}\n`);
  await stopped;
  await sandbox.close();
  return EXIT.ok;
}
