import { checkIn } from '../../api/check-service.ts';
import type { Documents } from '../../api/documents.ts';
import { interfaceDocument } from '../../api/interface-document.ts';
import { checkDocument } from '../../api/make-documents.ts';
import { sandboxFile, sandboxToken, startSandbox } from '../../api/start-sandbox.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { t } from '../../core/language.ts';
import { showJson, showLines } from '../../core/standard-streams.ts';
import type { FlagsOf } from '../../options/options.ts';
import { earlyLanguage } from '../../session/settings.ts';
import { inSession } from '../show.ts';
import { askedToEnd } from '../stops.ts';
import { show } from '../view/lines.ts';
import { checkText } from '../view/summaries.ts';

/** `check`: whether the service answers, takes the token and gives its lists. */
export async function checkCommand(flags: FlagsOf<'check'>): Promise<ExitCode> {
  return await inSession(flags, undefined, async (session, view) => {
    const end = await checkIn(session, flags);
    view.show(checkDocument(end, view.language), checkText(end, view.language));
    return end.ok ? EXIT.ok : EXIT.service;
  });
}

/** `interface`: the service as an OpenAPI 3.1 document, on stdout. */
export async function interfaceCommand(): Promise<ExitCode> {
  showJson(interfaceDocument(earlyLanguage()));
  return EXIT.ok;
}

/** `sandbox`: the whole service with a made-up company, for trying and for integrators' tests. */
export async function sandboxCommand(flags: FlagsOf<'sandbox'>): Promise<ExitCode> {
  const { port, data, json } = flags;
  const file = sandboxFile(data);
  const stopped = askedToEnd();
  const token = process.env.CATERSHEET_TOKEN || sandboxToken();
  const sandbox = await startSandbox({ port, data: file, token });
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
