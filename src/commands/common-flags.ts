import type { Argv } from 'yargs';
import { t } from '../core/language.ts';
import type { SessionOptions } from '../session/settings.ts';
import { wholeNumber, wrongUsage } from './usage.ts';

/** Flags that every command takes (design: "Everywhere"). */
export interface CommonFlags extends SessionOptions {
  readonly json: string | undefined;
  readonly quiet: boolean;
  readonly color: boolean;
}

/** `--lang`, for every command. */
export const langOption = { choices: ['en', 'nl'] as const, describe: 'Language of messages' };

/** `--json`, for every command. */
export const jsonOption = {
  type: 'string',
  describe: 'One JSON document on stdout; --json=all lists every row',
} as const;

/** Adds the flags that every command takes, and the check of their values. */
export function commonFlags(argv: Argv): Argv<CommonFlags> {
  const named = argv
    .option('base-url', { type: 'string', describe: 'Address of the service (CATERSHEET_BASE_URL)' })
    .option('token-file', { type: 'string', describe: 'File that holds the token (else CATERSHEET_TOKEN)' })
    .option('profile', { type: 'string', describe: 'Profile of catersheet.config.json' })
    .option('concurrency', { type: 'number', describe: 'Most requests in flight (8)' })
    .option('rate', { type: 'number', describe: 'Most requests a second' })
    .option('timeout', { type: 'number', describe: 'How long an answer may take, ms (30000)' })
    .option('retries', { type: 'number', describe: 'Attempts after the first (5)' })
    .option('ledger', { type: 'string', describe: 'File of the ledger' })
    .option('log', { type: 'string', describe: 'File of the log' });
  const shown = named
    .option('json', jsonOption)
    .option('quiet', { type: 'boolean', default: false, describe: 'No progress and no notes' })
    .option('verbose', { type: 'boolean', default: false, describe: 'The log on stderr too' })
    .option('color', { type: 'boolean', default: defaultColor(), describe: 'Colours (--no-color: none)' })
    .option('lang', langOption)
    .group(['json', 'quiet', 'verbose', 'color', 'lang'], 'Output:')
    .group(
      ['base-url', 'token-file', 'profile', 'concurrency', 'rate', 'timeout', 'retries', 'ledger', 'log'],
      'Service:',
    );
  return shown.check((flags) => {
    wholeNumber('concurrency', flags.concurrency, 1, 64);
    wholeNumber('retries', flags.retries, 0, 100);
    wholeNumber('timeout', flags.timeout, 1, 3_600_000);
    if (flags.rate !== undefined && !(flags.rate > 0))
      throw wrongUsage(t('--rate must be a number above 0.', '--rate moet een getal boven 0 zijn.'));
    if (flags.json !== undefined && !['', 'rows', 'all'].includes(flags.json))
      throw wrongUsage(t('--json takes no value, or all.', '--json krijgt geen waarde, of all.'));
    return true;
  }) as unknown as Argv<CommonFlags>;
}

function defaultColor(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}
