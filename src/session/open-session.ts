import { statSync } from 'node:fs';
import { type Bilingual, type Language, t } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { systemTime, type Time } from '../core/time.ts';
import { tighten } from '../files/folders.ts';
import { isDatabase } from '../ledger/database-address.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type OpenedLedger, openAnyLedger } from '../ledger/open-ledger.ts';
import type { SendingRight } from '../ledger/team.ts';
import type { ProgramOptions } from '../options/options.ts';
import { allSheets } from '../resources/registry.ts';
import { findAtWork, rememberAtWork } from '../run/at-work.ts';
import type { Context } from '../run/context.ts';
import { DoubtTime } from '../run/doubt-time.ts';
import { NamedRecords } from '../run/named-records.ts';
import { removeOldPlans } from '../run/old-runs.ts';
import { SANDBOX_DROPDOWNS, SANDBOX_TOKEN } from '../sandbox/seed/lists.ts';
import { kindWords } from '../schema/resource.ts';
import { sameAddress, serviceAddress } from '../service/address.ts';
import type { ServiceOptions } from '../service/client-state.ts';
import { openService } from '../service/service.ts';
import { SharedPace } from '../service/shared-pace.ts';
import { spacingOf } from '../service/slots.ts';
import { openLog } from './log.ts';
import { ownFiles, resolveSettings, type Settings } from './settings.ts';
import { shareSandbox } from './shared-sandbox.ts';
import { readToken } from './token.ts';

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

/** What a session does together with other programs. */
export interface Together {
  /**
   * The requests in flight are shared, as the rate is, with the other programs that send to the same service
   * by the same ledger: for a ledger in a database.
   */
  readonly sharedConcurrency?: number | undefined;
}

/** What a session finds outside this program. */
export interface World extends Pick<ServiceOptions, 'connect'> {
  readonly time?: Time | undefined;
}

interface Address {
  readonly baseUrl: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Opens the service (or the embedded sandbox when none is named), the ledger and the log. Throws StopError
 * with EXIT.usage for settings that cannot be used.
 */
export async function openSession(
  options: ProgramOptions,
  exclusive?: Exclusive,
  together: Together = {},
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
    return {
      settings,
      close,
      embedded: settings.baseUrl === null,
      ...(await open({ settings, exclusive, together, world }, opened)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a session for work and closes it however the work ends. Throws what either throws. */
export async function withSession<T>(
  options: ProgramOptions,
  exclusive: Exclusive,
  work: (session: Session) => Promise<T>,
  together: Together = {},
  world: World = {},
): Promise<T> {
  const session = await openSession(options, exclusive, together, world);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

interface SessionSetup {
  readonly settings: Settings;
  readonly exclusive: Exclusive;
  readonly together: Together;
  readonly world: World;
}

/** Opens one thing after the other; `opened` closes them in reverse order. */
async function open(
  { settings, exclusive, together, world }: SessionSetup,
  opened: (() => unknown)[],
): Promise<Pick<Session, 'context' | 'logFile' | 'right' | 'anew'>> {
  const { time = systemTime } = world;
  const { baseUrl, logFolder, verbose = false, signal, onWait } = settings;
  const { log, file, close } = openLog({ file: settings.log, folder: logFolder, verbose, time });
  opened.push(close);
  tighten(ownFiles(process.env));
  let lock: SendingRight | null = null;
  // Released after the ledger is closed, which may still have to write.
  opened.push(() => lock?.release());
  const tell = (words: Bilingual): void => {
    log.warn(words.en);
    onWait?.(words);
  };
  const opening = await openAnyLedger(settings.ledger, time, tell);
  const { ledger } = opening;
  opened.push(() => ledger.close());
  const wait = async (): Promise<void> => onWait?.(await waitingText(ledger));
  if (exclusive === 'wait') lock = await opening.lock({ signal, onWait: wait });
  if (exclusive === 'try') lock = await opening.tryLock();
  const alone = lock !== null;
  if (typeof exclusive === 'object') lock = await opening.join(exclusive.join);
  // What the last program that had it was at is not what this one is at.
  if (alone) await rememberAtWork(ledger);
  if (alone && (await ledger.listRuns(1)).length > 0) opening.keepCopy();
  // In a database they may wait for a worker.
  if (alone && !isDatabase(settings.ledger)) await removeOldPlans(ledger, time.now());
  const address = await findService(settings);
  opened.push(() => address.close());
  const doubts = new DoubtTime(settings.doubt, time, settings);
  const serviceName = baseUrl ?? 'sandbox';
  const serviceKey =
    baseUrl === null
      ? sandboxKey(settings.sandboxData)
      : await nameInLedger(ledger, serviceAddress(baseUrl, settings.allowHttp).href);
  const shared = await joinPace(opening, { service: serviceKey, settings, together }, opened);
  const onList = listTeller(doubts);
  const mayWrite = (): void => lock?.check?.();
  const serving = { time, connect: world.connect, log, signal, onList, shared, mayWrite };
  const service = openService({ ...settings, ...address, ...serving });
  opened.push(() => service.close());
  opened.push(doubts.end);
  const anew = (): Context => {
    const again = new DoubtTime(settings.doubt, time, settings);
    opened.push(again.end);
    return { ...context, doubts: again, onProgress: again.tell };
  };
  const found = { service, serviceName, serviceKey, ledger, resources: allSheets };
  const own = { log, time, doubts, onProgress: doubts.tell, exclusive: alone };
  const dialect = withOwnLists(settings.dialect, address.token);
  const named = new NamedRecords({ ...settings, dialect, service });
  const context = { ...settings, dialect, ...found, ...own, named };
  return { logFile: file, context, right: lock, anew };
}

/** A sandbox that was started on its own has the lists that the embedded one has. */
const withOwnLists = (dialect: Settings['dialect'], token: string): Settings['dialect'] =>
  token.startsWith(SANDBOX_TOKEN)
    ? { ...dialect, dropdowns: { ...SANDBOX_DROPDOWNS, ...dialect.dropdowns } }
    : dialect;

/** Keeps to one pace with all programs that use the same ledger and service. */
async function joinPace(
  { joinPace: join }: OpenedLedger,
  { service, settings, together }: { service: string; settings: Settings; together: Together },
  opened: (() => unknown)[],
): Promise<SharedPace | undefined> {
  if (join === undefined) return undefined;
  const concurrency = together.sharedConcurrency;
  const spacing = settings.rate && spacingOf(settings.rate);
  const source = await join({ service, spacing, concurrency });
  opened.push(() => source.leave());
  const shared = new SharedPace(source, concurrency);
  opened.push(() => shared.close());
  return shared;
}

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
  const who = (language: Language): string =>
    busy === undefined ? '' : ` (${busy.run}, ${busy.file}, ${shownMinute(busy.startedAt)[language]})`;
  return t(
    `Another catersheet is at work with this ledger${who('en')}; waiting until it is done. Ctrl-C stops waiting.`,
    `Een andere catersheet is bezig met dit register${who('nl')}; er wordt gewacht tot die klaar is. Ctrl-C stopt het wachten.`,
    t(
      `Another catersheet is at work with this ledger${who('en')}; waiting until it is done.`,
      `Een andere catersheet is bezig met dit register${who('nl')}; er wordt gewacht tot die klaar is.`,
    ),
  );
}

async function findService(settings: Settings): Promise<Address> {
  const { baseUrl, token, tokenFile } = settings;
  if (baseUrl !== null) {
    return { baseUrl, token: token ?? readToken(tokenFile, process.env), close: async () => {} };
  }
  const { url, token: own, close } = await shareSandbox(settings.sandboxData);
  return { baseUrl: url, token: own, close };
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
