import { type CallsEnd, knownOrdersIn, ordersIn, refreshIn } from '../../api/calls.ts';
import { callsDocument } from '../../api/make-documents.ts';
import { onPage } from '../../core/language.ts';
import { shownMinute } from '../../core/shown-moment.ts';
import type { Session } from '../../session/open-session.ts';
import type { JobDocument } from '../contract/documents.ts';
import type { AnsweringOf } from './answering.ts';
import type { Desk } from './desk.ts';

/** Purchase orders that are sent, and events that are refreshed, by their numbers. */
export function callRoutes(desk: Desk): AnsweringOf<'lookAtOrders' | 'makeOrders' | 'makeRefresh'> {
  return {
    lookAtOrders: async ({ body }) => {
      const ids = [...new Set(body.ids)];
      const known = await desk.inSession(undefined, (session) => knownOrdersIn(session, [...ids, 'all']));
      const shown = (at: string): string => shownMinute(at)[desk.language];
      const all = known.get('all');
      return {
        orders: ids.map((id) => {
          const one = known.get(id);
          return { id, state: one?.state ?? 'new', at: one === undefined ? null : shown(one.at) };
        }),
        allSent: all === undefined ? null : { state: all.state, at: shown(all.at) },
      };
    },
    makeOrders: async ({ body: { ids, again } }) => ({
      job: makeCalls(desk, 'orders', ids === 'all' ? '' : ids.join(', '), (session) =>
        ids === 'all'
          ? ordersIn(session, ids, { again: again === 'all' })
          : sendSome(session, ids, new Set(again === 'all' ? [] : again)),
      ),
    }),
    makeRefresh: async ({ body: { ids } }) => ({
      job: makeCalls(desk, 'refresh', ids.join(', '), (session) => refreshIn(session, ids)),
    }),
  };
}

/** Sends orders, of which only those of `again` may go once more: nobody said so of the others. */
async function sendSome(
  session: Session,
  ids: readonly string[],
  again: ReadonlySet<string>,
): Promise<CallsEnd> {
  const first = ids.filter((id) => !again.has(id));
  const repeated = ids.filter((id) => again.has(id));
  const end = first.length === 0 ? undefined : await ordersIn(session, first, { again: false });
  if (repeated.length === 0 && end !== undefined) return end;
  if (end === undefined) return await ordersIn(session, repeated, { again: true });
  const before = end.result;
  if (before.stopped !== null) {
    const unsent = repeated.map((id) => ({ id, status: 'not sent', message: null }) as const);
    return { ...end, result: { ...before, calls: [...before.calls, ...unsent] } };
  }
  const { exit, result } = await ordersIn(session, repeated, { again: true });
  return { exit, result: { ...result, calls: [...before.calls, ...result.calls] } };
}

/** Makes calls as a job; what became of each is told also where something stopped them. */
function makeCalls(
  desk: Desk,
  kind: 'orders' | 'refresh',
  title: string,
  make: (session: Session) => Promise<CallsEnd>,
): JobDocument {
  return desk.jobs.start(kind, { title, inTurn: true }, async (job) => {
    const { result } = await desk.inSession('wait', make, job);
    const { service, calls, requests } = callsDocument(result, desk.language, onPage);
    job.tell({
      answer: { kind: 'calls', document: { service, requests, calls: calls.map((one) => ({ ...one })) } },
    });
    if (result.stopped !== null) throw result.stopped;
  });
}
