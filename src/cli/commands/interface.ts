import { interfaceDocument } from '../../api/interface-document.ts';
import { EXIT, type ExitCode } from '../../core/errors.ts';
import type { FlagsOf } from '../../options/options.ts';
import { spokenLanguage } from '../../session/spoken-language.ts';

/** `interface`: the service as an OpenAPI 3.1 document, on stdout. */
export async function interfaceCommand({ lang }: FlagsOf<'interface'>): Promise<ExitCode> {
  const document = interfaceDocument(lang ?? spokenLanguage(process.env));
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  return EXIT.ok;
}
