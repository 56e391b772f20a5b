import type { Argv } from 'yargs';
import { interfaceDocument } from '../api/interface-document.ts';
import { EXIT } from '../core/errors.ts';
import type { Language } from '../core/value.ts';
import { spokenLanguage } from '../session/spoken-language.ts';
import type { Command } from './command.ts';
import { jsonOption, langOption } from './common-flags.ts';

interface InterfaceFlags {
  readonly lang: Language | undefined;
}

/** `interface`: the service as an OpenAPI 3.1 document, on stdout. */
export const interfaceCommand: Command<InterfaceFlags> = {
  builder: (argv: Argv) =>
    argv
      .option('json', { ...jsonOption, describe: 'What it prints is JSON, with or without' })
      .option('lang', { ...langOption, describe: 'Language of the descriptions' })
      .example(
        '$0 interface > openapi.json',
        'for the tools that integrators use',
      ) as unknown as Argv<InterfaceFlags>,
  async run({ lang }) {
    const document = interfaceDocument(lang ?? spokenLanguage(process.env));
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return EXIT.ok;
  },
};
