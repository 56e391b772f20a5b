import { join } from 'node:path';
import envPaths from 'env-paths';
import type { Language } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import type { HeaderTable } from '../import/map/header-names.ts';
import { OPTIONS, type ProgramOptions } from '../options/options.ts';
import { DEFAULT_DIALECT, type Dialect } from '../schema/dialect.ts';
import { readProfile } from './profile.ts';
import { spokenLanguage } from './spoken-language.ts';

/** Where the program keeps its own files: the user's data and state folders, or all in CATERSHEET_HOME. */
interface Paths {
  /** The ledger: what was sent, and which ExternalID is which id. */
  readonly ledger: string;
  /** The embedded sandbox's company. */
  readonly sandbox: string;
  /** The folder of logs. */
  readonly logs: string;
}

/** The options about the service and the program, completed from profile, environment and defaults. */
export interface Settings {
  /** Null: the embedded sandbox. */
  readonly baseUrl: string | null;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly concurrency: number;
  readonly rate: number | undefined;
  readonly timeout: number;
  readonly retries: number;
  readonly allowHttp: boolean;
  readonly ledger: string;
  readonly sandboxData: string;
  readonly logFile: string | undefined;
  readonly logFolder: string;
  readonly verbose: boolean;
  readonly dialect: Dialect;
  readonly locale: Locale;
  readonly lang: Language;
  /** The name of the profile in use; absent where there is none. */
  readonly profile: string | undefined;
  /** The headers that the profile maps. */
  readonly headers: HeaderTable | undefined;
}

/**
 * The settings in effect: options before the environment before the profile. Throws StopError with EXIT.usage
 * for a profile that is missing or wrong.
 */
export function resolveSettings(
  options: ProgramOptions,
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const profile = readProfile(options.profile);
  const paths = programPaths(environment);
  return {
    baseUrl: options.baseUrl ?? (environment.CATERSHEET_BASE_URL || undefined) ?? profile.baseUrl ?? null,
    token: options.token,
    tokenFile: options.tokenFile ?? (environment.CATERSHEET_TOKEN ? undefined : profile.tokenFile),
    concurrency: options.concurrency ?? profile.concurrency ?? OPTIONS.concurrency.otherwise,
    rate: options.rate ?? profile.rate,
    timeout: options.timeout ?? profile.timeout ?? OPTIONS.timeout.otherwise,
    retries: options.retries ?? profile.retries ?? OPTIONS.retries.otherwise,
    allowHttp: options.allowHttp ?? profile.allowHttp ?? false,
    ledger: options.ledger ?? profile.ledger ?? paths.ledger,
    sandboxData: paths.sandbox,
    logFile: options.log ?? profile.log,
    logFolder: paths.logs,
    verbose: options.verbose ?? false,
    dialect: { ...DEFAULT_DIALECT, ...profile.dialect, ...options.dialect },
    locale: options.locale ?? profile.locale ?? 'nl',
    lang: options.lang ?? profile.lang ?? spokenLanguage(environment),
    profile: profile.name,
    headers: profile.headers,
  };
}

/** The program's own files on this machine. */
export function programPaths(environment: NodeJS.ProcessEnv): Paths {
  const home = environment.CATERSHEET_HOME;
  const { data, log } = home
    ? { data: home, log: join(home, 'logs') }
    : envPaths('catersheet', { suffix: '' });
  return { ledger: join(data, 'ledger.db'), sandbox: join(data, 'sandbox.db'), logs: log };
}
