import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, StopError } from '../core/errors.ts';
import { type Bilingual, composed, t } from '../core/language.ts';
import { shownMinute } from '../core/shown-moment.ts';
import { checkExportTarget } from '../export/export-target.ts';
import { type PlacedFile, writeAtomically } from '../files/write-aside.ts';
import { type Context, wallClock } from '../run/context.ts';
import { jobNamed } from './engine.ts';
import { isKept, isThere, pourInto, removeOld, settle } from './export-files.ts';
import {
  type AskedExport,
  ExportQueue,
  type ExportState,
  KEPT_DAYS,
  type MadeExport,
} from './export-jobs.ts';
import { keepSource } from './export-source.ts';
import { NO_WORKER } from './follow.ts';
import { countWorkers, refuseFile, withdrawExport } from './queued-runs.ts';

/** How often an export that a worker makes is looked at, ms. */
const LOOK = 500;

/** How an export that others make is followed. */
export interface FollowedExport {
  /** Hears where it is, as often as that is looked at, with the name of its job. */
  readonly looked?: ((now: ExportState['state'], job: string) => void) | undefined;
  /** The job that it was handed over with before: it is followed alone, whatever became of it. */
  readonly joins?: string | undefined;
  /** It is taken back, where it is not made yet. */
  readonly withdraws?: boolean | undefined;
}

/** Where a person wants an export that others make. */
interface Wanted extends FollowedExport {
  readonly ledger: string;
  readonly asked: AskedExport;
  /** Null for a stream. */
  readonly file: string | null;
  readonly overwrite: boolean;
  /** The file that says what to export. */
  readonly source?: string | undefined;
  readonly stream: () => Writable;
  /** Hears what is waited for. */
  readonly tell: (words: Bilingual) => void;
}

/** An export that a worker made, and that reached its place. */
export interface DeliveredExport extends PlacedFile {
  /** What it came to, in plain data. */
  readonly result: unknown;
  /** The stream's reader went away. */
  readonly cutOff: boolean;
}

/**
 * Hands an export over to workers, follows it until it is made, and puts its file in its place; one that the
 * same command asked for before is found again. Throws StopError, for one that is taken back too.
 */
export async function exportByWorkers(context: Context, wanted: Wanted): Promise<DeliveredExport> {
  refuseFile(wanted.ledger);
  const { file, overwrite, source } = wanted;
  const queue = await ExportQueue.open(wanted.ledger, context.serviceKey, context.signal);
  try {
    const fact = factOf(wanted);
    const known = await context.ledger.findFact(context.serviceKey, fact);
    if (wanted.withdraws === true) throw await takenBack(context, queue, { fact, known });
    const before = known === undefined || known.startsWith(TOLD) ? undefined : await queue.stateOf(known);
    const isThereNow =
      file !== null &&
      before?.state === 'made' &&
      (await isThere(resolve(file), before.made)) &&
      (await isKept(queue, known as string));
    if (file !== null && !isThereNow) await checkExportTarget(file, overwrite, source);
    const job = wanted.joins ?? (await jobOf(context, queue, { fact, known, wanted }));
    const made = await follow(context, queue, { job, fact, wanted });
    const delivered = isThereNow
      ? { place: file as string, notes: [], cutOff: false }
      : await deliver(queue, job, made, wanted);
    if (!delivered.cutOff)
      await settle(queue, job, { service: context.serviceKey, name: fact, value: `${TOLD}${job}` });
    return { ...delivered, result: JSON.parse(made.result) as unknown };
  } finally {
    await queue.close();
  }
}

/** Takes an export back that was handed over by this name, and answers what there is to say of it. */
async function takenBack(
  { ledger, serviceKey }: Context,
  queue: ExportQueue,
  { fact, known }: { readonly fact: string; readonly known: string | undefined },
): Promise<StopError> {
  if (known === undefined || known.startsWith(TOLD)) return notTheirs();
  await queue.database.patiently(() => withdrawExport(queue.database, known));
  if ((await queue.stateOf(known)).state !== 'withdrawn') return notTheirs();
  await ledger.rememberFact(serviceKey, fact, `${TOLD}${known}`);
  return withdrawnStop();
}

/** What is said where there is nothing to take back. */
const notTheirs = (): StopError =>
  new StopError(
    EXIT.usage,
    t(
      'No worker has this export, and none will make it; one that is made already is kept for you.',
      'Geen worker heeft deze export, en geen zal hem maken; een die al gemaakt is, wordt voor je bewaard.',
    ),
    {
      next: t(
        'Give the command as it was given then, in the same folder, with --withdraw. Without it the command fetches what was made.',
        'Geef de opdracht zoals toen, in dezelfde map, met --withdraw. Zonder haalt de opdracht op wat gemaakt is.',
        t('Make the export again.', 'Maak de export opnieuw.'),
      ),
      change: {},
    },
  );

/** What a command's export is called in the ledger: the same command at the same place finds it again. */
function factOf({ asked, file }: Wanted): string {
  const place = file === null ? `- ${process.cwd()}` : resolve(file);
  return `asked export ${jobNamed(hostname(), String(process.getuid?.() ?? ''), place, JSON.stringify(asked))}`;
}

/** Before the name of a job whose end was told: the same command begins anew. */
const TOLD = 'after ';

/** The job of a command: one that it was handed over with before, while it is not over for who asked. */
async function jobOf(
  { ledger, serviceKey }: Context,
  queue: ExportQueue,
  {
    fact,
    known,
    wanted,
  }: { readonly fact: string; readonly known: string | undefined; readonly wanted: Wanted },
): Promise<string> {
  if (known !== undefined && !known.startsWith(TOLD)) {
    const now = await queue.stateOf(known);
    const isOver = now.state === 'unknown' || now.state === 'withdrawn';
    const isOpen = now.state === 'made' ? await isKept(queue, known) : !isOver;
    if (!isOpen && now.state !== 'withdrawn') wanted.tell(GONE);
    else if (now.state === 'made') wanted.tell(madeText(now.at));
    if (isOpen) return known;
  }
  await removeOld(queue);
  // Whoever gives the same command at the same moment hands over the same job.
  const job = jobNamed(serviceKey, fact, known ?? '');
  if (wanted.source !== undefined) await keepSource(queue, job, wanted.source);
  await queue.handOver(job, wanted.asked);
  await ledger.rememberFact(serviceKey, fact, job);
  return job;
}

/** Waits until an export is made, and tells how far it is. Throws StopError where it can't be, or Ctrl-C. */
async function follow(
  { ledger, serviceKey, signal, onProgress }: Context,
  queue: ExportQueue,
  { job, fact, wanted }: { readonly job: string; readonly fact: string; readonly wanted: Wanted },
): Promise<MadeExport> {
  let told: string | undefined;
  for (;;) {
    const now = await queue.stateOf(job);
    wanted.looked?.(now.state, job);
    if (now.state === 'made') return now.made;
    if (now.state !== 'waiting' && now.state !== 'working') {
      await ledger.rememberFact(serviceKey, fact, `${TOLD}${job}`);
      throw now.state === 'stopped' ? now.stop : now.state === 'withdrawn' ? withdrawnStop() : goneStop();
    }
    const words = now.state === 'working' ? MAKES : await waitsText(queue, serviceKey);
    if (told !== words.en) wanted.tell(words);
    told = words.en;
    if (now.state === 'working' && now.progress !== null) onProgress?.(now.progress);
    if (signal?.aborted === true) throw leftStop(signal.reason);
    await sleep(LOOK, undefined, signal && { signal }).catch(() => {});
  }
}

/** Puts what was made in its place. Throws StopError; a file that existed is then as it was. */
async function deliver(
  queue: ExportQueue,
  job: string,
  made: MadeExport,
  { file, stream }: Wanted,
): Promise<Omit<DeliveredExport, 'result'>> {
  if (file === null) {
    const decoder = new StringDecoder('utf8');
    // As text, which a terminal shows with every sign visible.
    const end = await pourInto(queue, job, made, { stream: stream(), as: (bytes) => decoder.write(bytes) });
    if (end === 'gone') throw goneStop();
    return { place: '-', notes: [], cutOff: end === 'cut off' };
  }
  const placed = await writeAtomically(file, async (to) => {
    if ((await pourInto(queue, job, made, { stream: to })) === 'gone') throw goneStop();
  });
  return { ...placed, cutOff: false };
}

async function waitsText({ database }: ExportQueue, serviceKey: string): Promise<Bilingual> {
  const running = await database.patiently(() => countWorkers(database, serviceKey));
  return running === 0
    ? composed([WAITS, NO_WORKER], ({ en, nl }, none) => t(`${en} ${none.en}`, `${nl} ${none.nl}`))
    : WAITS;
}

const WAITS = t(
  'The export waits for a worker. Ctrl-C leaves it there; the same command finds it again.',
  'De export wacht op een worker. Met Ctrl-C laat je hem daar; dezelfde opdracht vindt hem weer.',
  t('The export waits for a worker.', 'De export wacht op een worker.'),
);

/** What is said of an export that was taken back. */
const withdrawnStop = (): StopError =>
  new StopError(
    EXIT.interrupted,
    t(
      'The export was withdrawn: workers don’t make it.',
      'De export is ingetrokken: workers maken hem niet.',
    ),
    { next: t('Ask for it again when you want.', 'Vraag er opnieuw om wanneer je wilt.'), change: {} },
  );

const MAKES = t('A worker makes the export.', 'Een worker maakt de export.');
const GONE = t(
  `The export that was handed over before is no longer kept (that is for ${KEPT_DAYS} days): it is made anew.`,
  `De export die eerder was overgegeven, wordt niet meer bewaard (dat is ${KEPT_DAYS} dagen): hij wordt opnieuw gemaakt.`,
);

/** What is said of a file that waited to be fetched: the service may have changed since. */
function madeText(at: Date): Bilingual {
  const { en, nl } = shownMinute(wallClock(at));
  return t(
    `This export was handed over before: it is of ${en}. The same command once more makes one of now.`,
    `Deze export was eerder overgegeven: hij is van ${nl}. Nog eens dezelfde opdracht maakt er een van nu.`,
    t(`This export was made ${en}.`, `Deze export is gemaakt op ${nl}.`),
  );
}

/** What is said of an export that others go on with. */
const leftStop = (cause: unknown): StopError =>
  new StopError(
    EXIT.interrupted,
    t(
      `The export is left to the workers, who make it. Its file is kept for ${KEPT_DAYS} days.`,
      `De export is aan de workers gelaten, die hem maken. Het bestand wordt ${KEPT_DAYS} dagen bewaard.`,
    ),
    {
      cause,
      next: t(
        'The same command finds it again, and writes the file.',
        'Dezelfde opdracht vindt hem weer, en schrijft het bestand.',
        t('Come back to fetch it.', 'Kom terug om hem op te halen.'),
      ),
      change: {},
    },
  );

/** What is said where the file is not there, or no more whole. */
const goneStop = (): StopError =>
  new StopError(
    EXIT.service,
    t(
      'The file that a worker wrote is no longer kept: another program fetched it, or its time was over.',
      'Het bestand dat een worker schreef, wordt niet meer bewaard: een ander programma haalde het op, of de tijd was om.',
    ),
    {
      next: t(
        'Give the same command again.',
        'Geef dezelfde opdracht opnieuw.',
        t('Make the export again.', 'Maak de export opnieuw.'),
      ),
      change: {},
    },
  );
