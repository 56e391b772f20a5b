import type { Documents } from '../../api/documents.ts';
import { sandboxFile, sandboxToken, startSandbox } from '../../api/start-sandbox.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { showJson, showLines } from '../../core/standard-streams.ts';
import type { FlagsOf } from '../../options/options.ts';
import { earlyLanguage } from '../../session/settings.ts';
import { askedToEnd } from '../stops.ts';
import { show } from '../view/lines.ts';

/** `sandbox`: the whole service with a made-up company, for trying and for integrators' tests. */
export async function sandboxCommand(flags: FlagsOf<'sandbox'>): Promise<ExitCode> {
  const { port, data, latency, pageSize, externalId, json } = flags;
  const file = sandboxFile(data);
  const stopped = askedToEnd();
  const token = process.env.CATERSHEET_TOKEN || sandboxToken();
  const sandbox = await startSandbox({
    ...{ port, data: file, token, pageSize },
    faults: { latencyMs: latency },
    dialect: { externalId },
  });
  const { url: baseUrl, token: key } = sandbox;
  if (json !== undefined) showJson({ baseUrl, token: key, data: file } satisfies Documents['sandbox']);
  else showLines('stdout', [`CATERSHEET_BASE_URL=${baseUrl}`, `CATERSHEET_TOKEN=${key}`]);
  show('stderr', [
    t(
      `The sandbox keeps its company in ${file}. Ctrl-C ends it.`,
      `De ingebouwde proefomgeving bewaart haar bedrijf in ${file}. Stop met Ctrl-C.`,
    )[earlyLanguage()],
  ]);
  await stopped;
  await sandbox.close();
  return EXIT.ok;
}
