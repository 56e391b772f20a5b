import type { Language, Locale } from '../core/value.ts';
import type { HeaderTable } from '../import/map/header-names.ts';
import { DEFAULT_DIALECT, type Dialect } from '../schema/dialect.ts';
import { programPaths } from './paths.ts';
import { readProfile } from './profile.ts';
import { spokenLanguage } from './spoken-language.ts';

/** What a caller may say about the service and the program; everything has a default. */
export interface SessionOptions {
  /** The service's address; the embedded sandbox when neither this nor the profile nor CATERSHEET_BASE_URL names one. */
  readonly baseUrl?: string | undefined;
  /** The token itself, for programs; a command line takes it from the environment or a file. */
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly profile?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly rate?: number | undefined;
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly ledger?: string | undefined;
  readonly log?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly dialect?: Partial<Dialect> | undefined;
  readonly locale?: Locale | undefined;
  readonly lang?: Language | undefined;
}

/** The same with the profile, the environment and the defaults filled in; flags win over those. */
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
  /** The name of the profile that counts; absent where there is none. */
  readonly profile: string | undefined;
  /** The profile's own headers. */
  readonly headers: HeaderTable | undefined;
}

/** Throws StopError with EXIT.usage for a profile that is not there or not as it should be. */
export function resolveSettings(
  options: SessionOptions,
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const profile = readProfile(options.profile);
  const paths = programPaths(environment);
  return {
    baseUrl: options.baseUrl ?? (environment.CATERSHEET_BASE_URL || undefined) ?? profile.baseUrl ?? null,
    token: options.token,
    tokenFile: options.tokenFile ?? (environment.CATERSHEET_TOKEN ? undefined : profile.tokenFile),
    concurrency: options.concurrency ?? profile.concurrency ?? 8,
    rate: options.rate ?? profile.rate,
    timeout: options.timeout ?? profile.timeout ?? 30_000,
    retries: options.retries ?? profile.retries ?? 5,
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
