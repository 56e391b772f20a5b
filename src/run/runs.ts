import { randomBytes } from 'node:crypto';
import { EXIT, StopError } from '../core/errors.ts';
import { composed, t, withFlag } from '../core/language.ts';
import { PLAN_VERSION } from '../core/plan.ts';
import { shownDay } from '../core/shown-moment.ts';
import type { Time } from '../core/time.ts';
import { isFromCopy } from '../ledger/from-copy.ts';
import type { FoundRun, Ledger } from '../ledger/ledger.ts';
import { type Context, wallClock } from './context.ts';
import { UNSENT_DAYS } from './old-runs.ts';

/** The form of a run's id. */
export const RUN_ID = /^\d{8}-\d{6}-[a-z0-9]{4}$/;

/** Signs that can't be taken for each other, in the order in which they sort. */
const SIGNS = '23456789abcdefghjkmnpqrstuvwxyz';

/**
 * A new run's id: sorts by time, short enough to type, such as `20270331-074512-k3vq`. Of the last four signs
 * two are the part of the second, so that runs of one second sort too.
 */
export function newRunId(now: number): string {
  const [day = '', time = ''] = wallClock(now).replace(/[-:]/g, '').split(' ');
  const part = Math.floor((new Date(now).getMilliseconds() / 1000) * SIGNS.length ** 2);
  const places = [Math.floor(part / SIGNS.length), part, ...randomBytes(2)];
  const tail = places.map((place) => SIGNS[place % SIGNS.length]).join('');
  return `${day}-${time}-${tail}`;
}

/** A new run's id that the ledger does not have: two programs may begin in one instant. */
export async function freeRunId({
  ledger,
  time,
}: {
  readonly ledger: Pick<Ledger, 'findRun'>;
  readonly time: Time;
}): Promise<string> {
  for (;;) {
    const run = newRunId(time.now());
    if ((await ledger.findRun(run)) === undefined) return run;
  }
}

/** So many of the newest runs are looked through for one that may be meant, and so many are named. */
const [LOOKED_THROUGH, NAMED] = [50, 3];

/** The stop for a run that this ledger doesn't know, with those that begin or end as what was given does. */
export async function unknownRun(
  { ledger, time }: { readonly ledger: Pick<Ledger, 'listRuns'>; readonly time: Time },
  run: string,
): Promise<StopError> {
  const text = t(`There is no run ${run} in this ledger.`, `Er is geen run ${run} in dit register.`);
  const known = (await ledger.listRuns(LOOKED_THROUGH)).map((one) => one.run);
  const near = known.filter((one) => run.length > 2 && (one.startsWith(run) || one.endsWith(run)));
  const list = near.slice(0, NAMED).join(', ');
  const gone = isOld(run, time.now()) ? GONE : t('', '');
  const lists = withFlag(
    t(`The list of runs has them.${gone.en}`, `In de lijst van runs staan ze.${gone.nl}`),
    'catersheet runs',
  );
  return new StopError(EXIT.usage, text, {
    next:
      list === ''
        ? lists
        : composed([lists], ({ en, nl }) => t(`It may be ${list}. ${en}`, `Misschien is het ${list}. ${nl}`)),
  });
}

/** Whether a run is so old by its name that its plan is gone if nothing of it was sent. */
function isOld(run: string, now: number): boolean {
  const day = `${run.slice(0, 4)}-${run.slice(4, 6)}-${run.slice(6, 8)}`;
  return RUN_ID.test(run) && now - Date.parse(day) > UNSENT_DAYS * 86_400_000;
}

const GONE = t(
  ` A plan of which nothing was sent is removed after ${UNSENT_DAYS} days.`,
  ` Een plan waarvan niets verstuurd is wordt na ${UNSENT_DAYS} dagen verwijderd.`,
);

/** For a plan that was corrected on the page since it was made: nobody saw as a whole what it would send. */
export const correctedStop = (run: string): StopError =>
  new StopError(
    EXIT.usage,
    t(
      `The plan of run ${run} was corrected on the page since, and nothing of it was sent.`,
      `Het plan van run ${run} is daarna op de pagina verbeterd, en er is niets van verstuurd.`,
    ),
    {
      next: t(
        'Check it on the page once more, and send it there.',
        'Controleer het op de pagina nog eens, en verstuur het daar.',
      ),
    },
  );

/** @throws StopError (usage) for a plan that is incomplete, of another version or for another service. */
export function refuseUnsendable(
  { serviceKey, serviceName }: Context,
  { run, state, planVersion, service, prunedAt, details }: FoundRun,
): void {
  if (prunedAt !== null) throw prunedStop(run, prunedAt);
  if (details !== undefined && state === 'planning') throw correctedStop(run);
  if (details === undefined) {
    const text = t(
      `The plan of run ${run} was never completed.`,
      `Het plan van run ${run} is nooit afgemaakt.`,
    );
    throw new StopError(EXIT.usage, text, { next: AGAIN });
  }
  if (planVersion !== PLAN_VERSION) {
    const text = t(
      `Run ${run} was planned by another version of catersheet.`,
      `Run ${run} is gepland door een andere versie van catersheet.`,
    );
    throw new StopError(EXIT.usage, text, { next: AGAIN });
  }
  if (service === serviceKey) return;
  const { serviceName: plannedFor } = details as { readonly serviceName: string };
  const text = t(
    `Run ${run} is for ${plannedFor}, not for ${serviceName}.`,
    `Run ${run} is voor ${plannedFor}, niet voor ${serviceName}.`,
  );
  const next = withFlag(t('Choose its service.', 'Kies het systeem ervan.'), '--base-url');
  throw new StopError(EXIT.usage, text, { next });
}

/** @throws StopError (usage) for a plan of which what was sent may not be known, as a copy was put back. */
export async function refuseFromCopy({ ledger }: Pick<Context, 'ledger'>, run: string): Promise<void> {
  if (!(await isFromCopy(ledger, run))) return;
  const text = t(
    `The plan of run ${run} comes from before the ledger was put back: what of it was sent since may not be known.`,
    `Het plan van run ${run} is van voordat het register werd teruggezet: wat er sindsdien van verstuurd is, is misschien niet bekend.`,
  );
  throw new StopError(EXIT.usage, text, { next: AGAIN });
}

const prunedStop = (run: string, at: string): StopError =>
  new StopError(
    EXIT.usage,
    t(
      `The rows of run ${run} were removed on ${shownDay(at).en}: it can’t be taken back, and its result can’t be made again.`,
      `De rijen van run ${run} zijn op ${shownDay(at).nl} opgeruimd: hij kan niet meer worden teruggedraaid, en het resultaat niet meer gemaakt.`,
    ),
    {
      next: t(
        'What it wrote is on the service: export it, change it, and import it.',
        'Wat hij schreef staat in het systeem: exporteer het, wijzig het, en importeer het.',
      ),
    },
  );

const AGAIN = t('Import the file again.', 'Importeer het bestand opnieuw.');
