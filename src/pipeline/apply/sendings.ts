import type { Bilingual, Locale } from '../../schema/value.ts';
import { createConflictKeeper } from '../base/open-conflicts.ts';
import type { Context } from '../context.ts';
import type { SourceSummary } from '../kinds/kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import type { AddressOf } from './failure-outcome.ts';
import type { Sending } from './sending.ts';
import { createTurns } from './turns.ts';

/** What sending works with, by resource. */
export interface Sendings {
  of(resource: string): Sending;
  /** What the user should know of the service, said once. */
  notes(): Bilingual[];
  readonly breaker: Breaker;
}

export interface SendingsOptions {
  readonly run: string;
  readonly sources: ReadonlyMap<string, SourceSummary>;
  readonly addressOf: AddressOf;
  readonly locale?: Locale | undefined;
}

/** Prepares one Sending a resource; all share one breaker, as they share one service. */
export function createSendings(context: Context, options: SendingsOptions): Sendings {
  const breaker = createBreaker(Math.max(8, context.concurrency));
  // One more for every eight: while it is written down that it sends, the others keep the pipe full.
  const turns = createTurns(() => Math.ceil(context.service.stats.limit * 1.125));
  const made = new Map<string, Sending>();
  const make = (name: string): Sending => {
    const resource = context.resources.find((candidate) => candidate.name === name);
    if (resource === undefined) throw new TypeError(`no resource ${name}`);
    const summary = options.sources.get(name) ?? { strategy: 'rows', newest: null };
    const guard = kindOf(resource).guard({ context, run: options.run, summary }, resource);
    const { run, addressOf, locale } = options;
    const conflicts = createConflictKeeper(context, resource, run);
    return { context, run, resource, guard, breaker, turns, addressOf, locale, conflicts };
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
