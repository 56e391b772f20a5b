import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Argv } from 'yargs';
import { EXIT } from '../core/errors.ts';
import type { Language } from '../core/value.ts';
import { programPaths } from '../session/paths.ts';
import { spokenLanguage } from '../session/spoken-language.ts';
import { startSandbox } from '../start-sandbox.ts';
import { say, WORDS } from '../view/words.ts';
import type { Command } from './command.ts';
import { jsonOption, langOption } from './common-flags.ts';
import { wholeNumber } from './usage.ts';

interface SandboxFlags {
  readonly port: number | undefined;
  readonly data: string | undefined;
  readonly latency: number;
  readonly pageSize: number | undefined;
  readonly externalId: 'update' | 'create' | 'never';
  readonly json: string | undefined;
  readonly lang: Language | undefined;
}

function builder(argv: Argv): Argv<SandboxFlags> {
  return argv
    .option('port', { type: 'number', describe: 'Port on 127.0.0.1 (a free one)' })
    .option('data', { type: 'string', describe: 'Where the company is kept; :memory: keeps nothing' })
    .option('latency', { type: 'number', default: 0, describe: 'How long every answer takes, ms' })
    .option('page-size', { type: 'number', describe: 'Products on a page (100)' })
    .option('external-id', {
      choices: ['update', 'create', 'never'] as const,
      default: 'update',
      describe: 'Which request stores ExternalID',
    })
    .option('json', { ...jsonOption, describe: 'Address and token as a JSON document on stdout' })
    .option('lang', langOption)
    .check(({ port, latency, pageSize }) => {
      wholeNumber('port', port as number | undefined, 0, 65_535);
      wholeNumber('latency', latency as number, 0, 600_000);
      wholeNumber('page-size', pageSize as number | undefined, 1, 10_000);
      return true;
    })
    .example(
      '$0 sandbox --port 4010',
      'the whole service on http://127.0.0.1:4010/',
    ) as unknown as Argv<SandboxFlags>;
}

/** `sandbox`: the whole service with a made-up company, for trying and for integrators' tests. */
export const sandboxCommand: Command<SandboxFlags> = {
  builder,
  async run({ port, data, latency, pageSize, externalId, json, lang }) {
    const file =
      data === undefined ? programPaths(process.env).sandbox : data === ':memory:' ? data : resolve(data);
    const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    const token = process.env.CATERSHEET_TOKEN || undefined;
    const sandbox = await startSandbox({
      port,
      data: file,
      token,
      pageSize,
      faults: { latencyMs: latency },
      dialect: { externalId },
    });
    const { url: baseUrl, token: key } = sandbox;
    process.stdout.write(
      json === undefined
        ? `CATERSHEET_BASE_URL=${baseUrl}\nCATERSHEET_TOKEN=${key}\n`
        : `${JSON.stringify({ baseUrl, token: key, data: file }, null, 2)}\n`,
    );
    process.stderr.write(`${say(WORDS.sandboxRuns, lang ?? spokenLanguage(process.env), { file })}\n`);
    await stopped;
    await sandbox.close();
    return EXIT.ok;
  },
};
