import type { HandlerCall, Handlers } from '../../../src/sandbox/requests/handler.ts';
import { foundForWrite, json } from '../../../src/sandbox/requests/reply.ts';
import { RELATIONS } from '../../../src/sandbox/seed/relations.ts';
import { wallTime } from '../../../src/sandbox/store/clock.ts';
import type { RecordKind, StoredRecord } from '../../../src/sandbox/store/store.ts';

// Among the kinds of the store only where this stands in the program.
const RELATION = 'relation' as string as RecordKind;
const FIRST = '2026-01-05 08:00:00.000';

/** A relation of the company, as it was written since. */
function stored(id: number, { store }: HandlerCall): StoredRecord | undefined {
  const known = RELATIONS.some(({ RelatieID }) => RelatieID === id);
  return store.get(RELATION, id) ?? (known ? { id, lmt: FIRST, values: {} } : undefined);
}

/** The two relation endpoints. */
export const relationHandlers: Handlers = {
  'relations.update': (call) => {
    const { RelatieID, ...changes } = call.body;
    const relation = foundForWrite(stored(Number(RelatieID), call), 'Relatie', call.dialect);
    call.store.update(relation, RELATION, changes);
    return json({ id: relation.id, success: true });
  },
  'relations.allByLMT': (call) => {
    const since = wallTime(String(call.body.LMT));
    const records = RELATIONS.flatMap((relation) => {
      const { id, lmt, values } = stored(relation.RelatieID, call) ?? { id: 0, lmt: '', values: {} };
      return lmt > since ? [{ ...relation, ...values, RelatieID: id, LMT: lmt }] : [];
    });
    return json(records);
  },
};
