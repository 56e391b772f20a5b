import { EXIT, StopError } from '../../core/errors.ts';
import { issueAt } from '../../core/issue.ts';
import { type Bilingual, t } from '../../core/language.ts';
import type { Outcome, PlannedRow, Step } from '../../core/plan.ts';
import type { Locale, Values } from '../../core/value.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { type ConflictKeeper, createConflictKeeper, NO_CONFLICTS } from '../../records/open-conflicts.ts';
import type { SourceSummary } from '../../records/planning.ts';
import type { RowGuard } from '../../records/row-guard.ts';
import type { Context } from '../../run/context.ts';
import type { Resource } from '../../schema/resource.ts';
import type { RequestError } from '../../service/request-error.ts';
import { resourceNamed } from '../map/sheet-by-headers.ts';

/** What sending rows of one resource works with. */
export interface Sending {
  readonly context: Context;
  readonly run: string;
  readonly resource: Resource;
  readonly guard: RowGuard;
  readonly breaker: Breaker;
  /** A row records its intent and sends only with a slot: each is a doubt after a crash, so there are few. */
  readonly slots: ReturnType<typeof createSendSlots>;
  readonly addressOf: AddressOf;
  readonly conflicts: ConflictKeeper;
  /** How the file's numbers are written. */
  readonly locale?: Locale | undefined;
}

/** One step of a row, about to be sent. */
export interface Attempt {
  readonly planned: PlannedRow;
  readonly step: Step;
  /** Its place among the row's steps. */
  readonly at: number;
  readonly id: number | null;
  /** When an earlier try sent it without an answer; null when it was not sent before. */
  readonly doubt: string | null;
  /** A change of the record since the plan is someone else's. */
  readonly recheck: boolean;
}

/** It went through, or what became of the row. */
export type Sent = { readonly id: number | null; readonly body: Values } | { readonly ending: Ending };

/** What became of a row, but for its place and time. */
export type Ending = Pick<Outcome, 'status' | 'id' | 'message' | 'issues' | 'unfinished'>;

/** What sending works with, by resource. */
export interface Sendings {
  of(resource: string): Sending;
  /** What the user should know of the service, said once. */
  notes(): Bilingual[];
  readonly breaker: Breaker;
}

interface SendingsOptions extends Pick<Sending, 'run' | 'addressOf' | 'locale'> {
  readonly sources: ReadonlyMap<string, SourceSummary>;
}

/** Prepares one Sending a resource; all share one breaker, as they share one service. */
export function createSendings(context: Context, options: SendingsOptions): Sendings {
  const breaker = createBreaker(Math.max(8, context.concurrency));
  // One more for every eight: while one records its intent, the others keep the pipe full.
  const slots = createSendSlots(() => Math.ceil(context.service.stats.limit * 1.125));
  const made = new Map<string, Sending>();
  const make = (name: string): Sending => {
    const resource = resourceNamed(context, name);
    const summary = options.sources.get(name) ?? { strategy: 'rows', newest: null };
    const { run, addressOf, locale } = options;
    const kind = kindOf(resource);
    const guard = kind.guard({ context, run, summary }, resource);
    const conflicts = kind.compared ? createConflictKeeper(context, resource, run) : NO_CONFLICTS;
    return { context, run, resource, guard, breaker, slots, addressOf, locale, conflicts };
  };
  return {
    breaker,
    of(resource) {
      const sending = made.get(resource) ?? make(resource);
      made.set(resource, sending);
      return sending;
    },
    notes: () => [...made.values()].flatMap(({ guard }) => guard.notes()),
  };
}

/** Where a field of a row stands in the user's file; null when it has no column. */
type AddressOf = (planned: PlannedRow, field: string) => string | null;

/** What a failed request means for its row, with the service's words about fields on their columns. */
export function failureOf(
  planned: PlannedRow,
  error: RequestError,
  addressOf: AddressOf,
): Pick<Outcome, 'status' | 'message' | 'issues'> {
  const issues = Object.entries(error.fields).map(([field, words]) =>
    issueAt(
      { code: 'service-refused', found: '', hint: words.join(' ') },
      { field, address: addressOf(planned, field) },
    ),
  );
  const { words, reasons } = error;
  if (error.mayHaveTakenEffect) return { status: 'unknown', issues, message: doubtText(error) };
  return { status: 'failed', issues, message: { en: words ?? reasons.en, nl: words ?? reasons.nl } };
}

/** Nothing came back, or nothing that tells; what came is said. */
function doubtText({ status, reasons, words }: RequestError): Bilingual {
  const answered = status !== null && status >= 200 && status < 400;
  const said = words === null ? '' : ` (${words})`;
  const lost = words === null ? '' : `: ${words}`;
  const [en, nl] = answered
    ? [`and ${reasons.en}${said}`, `en ${reasons.nl}${said}`]
    : [`but no answer came back (${reasons.en}${lost})`, `maar er kwam geen antwoord (${reasons.nl}${lost})`];
  return t(
    `sent, ${en}; look on the service whether it is there before sending it again`,
    `verstuurd, ${nl}; kijk op de dienst of het er staat voor je het opnieuw verstuurt`,
  );
}

/** The row was not sent, as it can't be read whether its record changed. */
export function cannotCheck(planned: PlannedRow, error: RequestError): Ending {
  return {
    status: 'failed',
    id: planned.id,
    issues: [],
    message: t(
      `not sent, as it can't be checked whether the record changed meanwhile (${error.reasons.en})`,
      `niet verstuurd, want er is niet na te gaan of het record intussen gewijzigd is (${error.reasons.nl})`,
    ),
  };
}

/** Send slots, given in the order of asking; `most` is asked each time, as the limit changes. */
export function createSendSlots(most: () => number) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const next = (): void => {
    while (waiting.length > 0 && taken < most()) {
      taken++;
      waiting.shift()?.();
    }
  };
  return {
    /** Waits for a slot; answers the function that gives it back. */
    async take(): Promise<() => void> {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      next();
      await turn;
      let back = false;
      return () => {
        if (back) return;
        back = true;
        taken--;
        next();
      };
    },
  };
}

type Breaker = ReturnType<typeof createBreaker>;

/** Nothing came back, or only that it is too busy; any other answer tells that the service is there. */
function away({ kind, status }: RequestError): boolean {
  return kind === 'unreachable' || kind === 'busy' || (kind === 'lost' && status === null);
}

/** Ends a run after `limit` rows in a row that could not reach the service. */
function createBreaker(limit: number) {
  let rows = 0;
  let stop: StopError | null = null;
  return {
    /** The reason to stop, once there is one. */
    stop: (): StopError | null => stop,
    /** Takes every row's end; null for one that went through. */
    note(error: RequestError | null): void {
      rows = error !== null && away(error) ? rows + 1 : 0;
      if (rows < limit || stop !== null) return;
      const message = t(
        `The service could not be reached for ${rows} rows in a row; the rest was not sent.`,
        `De dienst was ${rows} rijen achter elkaar niet bereikbaar; de rest is niet verstuurd.`,
      );
      const next = t('Check the connection.', 'Kijk de verbinding na.');
      stop = new StopError(EXIT.service, message, { next });
    },
  };
}
