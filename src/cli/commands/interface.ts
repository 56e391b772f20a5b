import { interfaceDocument } from '../../api/interface-document.ts';
import { languageOf } from '../../api/profile-names.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import { showJson } from '../../core/standard-streams.ts';
import type { FlagsOf } from '../../options/options.ts';

/** `interface`: the service as an OpenAPI 3.1 document, on stdout. */
export async function interfaceCommand({ lang }: FlagsOf<'interface'>): Promise<ExitCode> {
  showJson(interfaceDocument(languageOf(lang)));
  return EXIT.ok;
}
