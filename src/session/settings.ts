import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import type { Language } from '../core/language.ts';
import type { Locale } from '../core/value.ts';
import type { HeaderTable } from '../import/map/header-names.ts';
import { databaseAddress, isDatabase } from '../ledger/database-address.ts';
import { DEFAULTS } from '../options/option-table.ts';
import { type ProfileOptions, type ProgramOptions, programOptions } from '../options/options.ts';
import { DEFAULT_DIALECT, type Dialect } from '../schema/dialect.ts';
import { configPlaces } from './config-file.ts';
import { readProfile } from './profile.ts';
import { flagValue, saidLanguage, spokenLanguage } from './spoken-language.ts';

/** What is always settled, where neither an option nor the profile says it. */
type Settled = typeof DEFAULTS & {
  readonly ledger: string;
  readonly locale: Locale;
  readonly lang: Language;
};

/** The options about the service and the program, completed from profile, environment and defaults. */
export interface Settings
  extends Omit<ProgramOptions, keyof Settled | 'baseUrl' | 'dialect'>,
    Pick<ProfileOptions, 'maxChanges' | 'maxDeletes' | 'rules'>,
    Settled {
  /** Null: the embedded sandbox. */
  readonly baseUrl: string | null;
  readonly dialect: Dialect;
  readonly sandboxData: string;
  readonly logFolder: string;
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
  const { name, headers, ...profile } = readProfile(options.profile, configPlaces(environment));
  const { ledger, sandbox: sandboxData, logs: logFolder } = programPaths(environment);
  const settled: Settled = { ...DEFAULTS, ledger, locale: 'nl', lang: spokenLanguage(environment) };
  const baseUrl =
    options.baseUrl ?? (environment.CATERSHEET_BASE_URL || undefined) ?? profile.baseUrl ?? null;
  const merged = { ...settled, ...profile, ...programOptions(options), baseUrl };
  return {
    ...{ ...merged, ledger: ledgerPlace(merged.ledger) },
    tokenFile: options.tokenFile ?? (environment.CATERSHEET_TOKEN ? undefined : profile.tokenFile),
    dialect: { ...DEFAULT_DIALECT, ...profile.dialect, ...options.dialect },
    ...{ sandboxData, logFolder, headers, profile: name },
  };
}

/**
 * The language before the flags are read: of `--lang`, else of the profile in use, else of the machine. A file of
 * settings that can't be read is refused later, with what is wrong with it.
 */
export function earlyLanguage(words: readonly string[] = process.argv.slice(2)): Language {
  const said = saidLanguage(words);
  try {
    if (said === flagValue(words, '--lang')) return said;
    return resolveSettings({ profile: flagValue(words, '--profile') }).lang;
  } catch {
    return said;
  }
}

/**
 * Where a ledger is: one that is named in two ways, such as by a link, has one lock and one mark. Throws
 * StopError with EXIT.usage for what is no address of a database.
 */
export function ledgerPlace(named: string): string {
  if (named === ':memory:') return named;
  if (isDatabase(named)) return databaseAddress(named);
  const file = resolve(named);
  try {
    return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
  } catch {
    return file;
  }
}

/**
 * Where the program keeps its own files, in the user's data and state folders, or all in CATERSHEET_HOME: the ledger, the
 * company of the embedded sandbox, and the folder of logs.
 */
export function programPaths(environment: NodeJS.ProcessEnv) {
  const home = environment.CATERSHEET_HOME;
  const { data, log } = home
    ? { data: home, log: join(home, 'logs') }
    : envPaths('catersheet', { suffix: '' });
  return { ledger: join(data, 'ledger.db'), sandbox: join(data, 'sandbox.db'), logs: log };
}
