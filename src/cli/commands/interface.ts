import { interfaceDocument } from '../../api/interface-document.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { showJson } from '../../core/standard-streams.ts';
import { earlyLanguage } from '../../session/settings.ts';

/** `interface`: the service as an OpenAPI 3.1 document, on stdout. */
export async function interfaceCommand(): Promise<ExitCode> {
  showJson(interfaceDocument(earlyLanguage()));
  return EXIT.ok;
}
