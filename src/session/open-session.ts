import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type Bilingual, t, withFlag } from '../core/language.ts';
import { systemTime, type Time } from '../core/time.ts';
import { isDatabase } from '../ledger/database-address.ts';
import type { Ledger, SendingRight } from '../ledger/ledger.ts';
import { openAnyLedger } from '../ledger/open-ledger.ts';
import type { ProgramOptions } from '../options/options.ts';
import { allSheets } from '../resources/registry.ts';
import type { Context } from '../run/context.ts';
import { DoubtTime } from '../run/doubt-time.ts';
import { NamedRecords } from '../run/named-records.ts';
import { findAtWork, rememberAtWork, removeOldPlans } from '../run/runs.ts';
import { SANDBOX_DROPDOWNS, SANDBOX_TOKEN } from '../sandbox/company.ts';
import type { RunningSandbox } from '../sandbox/options.ts';
import { kindWords } from '../schema/resource.ts';
import { sameAddress, serviceAddress } from '../service/address.ts';
import type { ServiceOptions } from '../service/client-state.ts';
import { openService } from '../service/service.ts';
import { SharedPace, spacingOf } from '../service/shared-pace.ts';
import { openLog } from './log.ts';
import { readToken } from './profile.ts';
import { resolveSettings, type Settings } from './settings.ts';

/** Everything a command works with, opened; to be closed again. */
export interface Session {
  readonly context: Context;
  readonly settings: Settings;
  /** Whether the embedded sandbox serves. */
  readonly embedded: boolean;
  readonly logFile: string;
  /** The right to send; null where this program has none. */
  readonly right: SendingRight | null;
  /**
   * The context for what is done from now on: what was in doubt before has its whole time once more, as after
   * a start of the program.
   */
  anew(): Context;
  close(): Promise<void>;
}

/**
 * Only one program at a time sends with a ledger: `wait` for its turn before sending; `try` to get it for
 * planning, which then also settles what earlier runs left open; `join` those who send a run side by side;
 * absent, neither.
 */
export type Exclusive = 'wait' | 'try' | { readonly join: string } | undefined;

/** What a session finds outside this program. */
export interface World extends Pick<ServiceOptions, 'connect'> {
  readonly time?: Time | undefined;
  /**
   * The requests in flight are shared, as the rate is, with the other programs that send to the same service
   * by the same ledger: for a ledger in a database.
   */
  readonly sharedConcurrency?: number | undefined;
}

/** Opens a session for work and closes it however the work ends. Throws what either throws. */
export async function withSession<T>(
  options: ProgramOptions,
  exclusive: Exclusive,
  work: (session: Session) => Promise<T>,
  world: World = {},
): Promise<T> {
  const session = await openSession(options, exclusive, world);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/**
 * Opens the service (or the embedded sandbox when none is named), the ledger and the log. Throws StopError
 * with EXIT.usage for settings that cannot be used.
 */
export async function openSession(
  options: ProgramOptions,
  exclusive?: Exclusive,
  world: World = {},
): Promise<Session> {
  const settings = resolveSettings(options);
  const opened: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    const failed: unknown[] = [];
    // One that can't be closed must not keep the others, and the process, open.
    for (const one of opened.splice(0).reverse()) {
      try {
        await one();
      } catch (error) {
        failed.push(error);
      }
    }
    if (failed.length > 0) throw failed[0];
  };
  try {
    return { settings, close, ...(await open(settings, exclusive, world, opened)) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens one thing after the other; `opened` closes them in reverse order. */
async function open(
  settings: Settings,
  exclusive: Exclusive,
  { time = systemTime, connect, sharedConcurrency }: World,
  opened: (() => unknown)[],
): Promise<Omit<Session, 'settings' | 'close'>> {
  const { baseUrl, logFolder, verbose = false, signal, onWait, rate, sandboxData } = settings;
  const { log, file, close } = openLog({ file: settings.log, folder: logFolder, verbose, time });
  opened.push(close);
  let right: SendingRight | null = null;
  // Released after the ledger is closed, which may still have to write.
  opened.push(() => right?.release());
  const opening = await openAnyLedger(settings.ledger, time, (words) => {
    log.warn(words.en);
    onWait?.(words);
  });
  const { ledger } = opening;
  opened.push(() => ledger.close());
  const wait = async (): Promise<void> => onWait?.(await waitingText(ledger));
  if (exclusive === 'wait') right = await opening.lock({ signal, onWait: wait });
  if (exclusive === 'try') right = await opening.tryLock();
  const alone = right !== null;
  if (typeof exclusive === 'object') right = await opening.join(exclusive.join);
  if (alone) {
    // What the last program that had it was at is not what this one is at.
    await rememberAtWork(ledger);
    if ((await ledger.listRuns(1)).length > 0) opening.keepCopy();
    // In a database they may wait for a worker.
    if (!isDatabase(settings.ledger)) await removeOldPlans(ledger, time.now());
  }
  const address =
    baseUrl === null
      ? await shareSandbox(sandboxData)
      : { url: baseUrl, token: settings.token ?? readToken(settings.tokenFile, process.env), close() {} };
  opened.push(() => address.close());
  const { url, token } = address;
  const serviceKey =
    baseUrl === null
      ? sandboxKey(sandboxData)
      : await nameInLedger(ledger, serviceAddress(baseUrl, settings.allowHttp).href);
  // One pace with all programs that use the same ledger and service.
  const pace = { service: serviceKey, spacing: rate && spacingOf(rate), concurrency: sharedConcurrency };
  const source = await opening.joinPace?.(pace);
  opened.push(() => source?.leave());
  const shared = source && new SharedPace(source, sharedConcurrency);
  opened.push(() => shared?.close());
  const doubts = new DoubtTime(settings.doubt, time, settings);
  const service = openService({
    ...{ ...settings, baseUrl: url, token, time, connect, log, signal, shared },
    onList: listTeller(doubts),
    mayWrite: () => right?.check?.(),
  });
  opened.push(() => service.close(), doubts.end);
  const isSandbox = baseUrl === null || token.startsWith(SANDBOX_TOKEN);
  const dialect = isSandbox ? withOwnLists(settings.dialect) : settings.dialect;
  const context: Context = {
    ...{ ...settings, dialect, service, serviceKey, ledger, log, time, resources: allSheets },
    ...{ doubts, onProgress: doubts.tell, exclusive: alone, serviceName: baseUrl ?? 'sandbox' },
    user: userName(),
    named: new NamedRecords({ ...settings, dialect, service }),
  };
  const anew = (): Context => {
    const again = new DoubtTime(settings.doubt, time, settings);
    opened.push(again.end);
    return { ...context, doubts: again, onProgress: again.tell };
  };
  return { context, right, anew, logFile: file, embedded: baseUrl === null };
}

/** Who uses this machine; a container may have no name for its user. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** A sandbox knows its own lists; numbers in a profile are of another service. */
const withOwnLists = (dialect: Settings['dialect']): Settings['dialect'] => ({
  ...dialect,
  dropdowns: { ...dialect.dropdowns, ...SANDBOX_DROPDOWNS },
});

const LISTS = t('lists of names', 'lijsten met namen');

/** Tells of lists of the service that are read, by the words for what they hold. */
function listTeller({ tell }: DoubtTime): ServiceOptions['onList'] {
  const kinds = new Map(allSheets.map((resource) => [resource.name, kindWords(resource)]));
  return (endpoint, done, total) =>
    tell({ stage: 'listing', of: kinds.get(endpoint.split('.')[0] ?? '') ?? LISTS, done, total });
}

async function waitingText(ledger: Ledger): Promise<Bilingual> {
  const run = await findAtWork(ledger);
  const busy = run === undefined ? undefined : await ledger.findRun(run);
  const who = busy === undefined ? '' : ` (${busy.run}, ${busy.file})`;
  const told = t(
    `Another catersheet is at work with this ledger${who}; waiting until it is done.`,
    `Een andere catersheet is bezig met dit register${who}; er wordt gewacht tot die klaar is.`,
  );
  return withFlag(told, 'stop: Ctrl-C');
}

/** The address as the ledger has it: another way to write it is no other service. */
async function nameInLedger(ledger: Ledger, address: string): Promise<string> {
  const known = (await ledger.listServices()).filter((one) => sameAddress(one, address));
  return known.includes(address) ? address : (known[0] ?? address);
}

/** The identity of the embedded sandbox: its file, as its port differs each time. */
function sandboxKey(file: string): string {
  const { ino, birthtimeMs } = statSync(file);
  return `sandbox ${ino}-${Math.floor(birthtimeMs)}`;
}

interface Kept {
  users: number;
  readonly starting: Promise<RunningSandbox>;
}

/** Most commands need no sandbox: it is loaded where one does. */
const start = async (data: string): Promise<RunningSandbox> =>
  (await import('../sandbox/sandbox.ts')).createSandbox({ data });

/** The sandboxes that serve in this process, by their file. */
const serving = new Map<string, Kept>();
/** Those that are ending: their file is theirs until then. */
const ending = new Map<string, Promise<void>>();

/**
 * Opens the sandbox with this file, or the one that serves it in this process already: the page has a
 * session open for corrections while another sends. Throws StopError where another process has the file.
 */
export async function shareSandbox(data: string) {
  while (ending.has(data)) await ending.get(data)?.catch(() => {});
  const kept = serving.get(data) ?? { users: 0, starting: start(data) };
  serving.set(data, kept);
  kept.users += 1;
  try {
    const { url, token } = await kept.starting;
    return { url, token, close: () => leave(data, kept) };
  } catch (error) {
    if (serving.get(data) === kept) serving.delete(data);
    throw error;
  }
}

async function leave(data: string, kept: Kept): Promise<void> {
  kept.users -= 1;
  if (kept.users > 0) return;
  serving.delete(data);
  const end = kept.starting.then((sandbox) => sandbox.close());
  ending.set(data, end);
  await end.finally(() => ending.delete(data));
}
