import type { Values } from '../../../src/core/value.ts';
import type { Handlers, SandboxService } from '../../../src/sandbox/requests/handler.ts';
import { json, missingForWrite } from '../../../src/sandbox/requests/reply.ts';
import { RELATIONS } from '../../../src/sandbox/seed/relations.ts';
import { wallTime } from '../../../src/sandbox/store/clock.ts';
import type { RecordKind, StoredRecord } from '../../../src/sandbox/store/store.ts';
import { relationRecord } from '../../../src/sandbox/views/relation-records.ts';

// Among the kinds of the store only where this stands in the program.
const RELATION = 'relation' as string as RecordKind;
const FIRST = '2026-01-05 08:00:00.000';

/** A relation of the company, as it was written since. */
function stored(id: number, { store, company }: SandboxService): StoredRecord | undefined {
  return store.get(RELATION, id) ?? (company.relation(id) && { id, lmt: FIRST, values: {} });
}

/** The two relation endpoints. */
export const relationHandlers: Handlers = {
  'relations.update': (call, service) => {
    const { RelatieID, ...changes } = call.body as Values;
    const relation = stored(Number(RelatieID), service);
    if (relation === undefined) return missingForWrite('Relatie', 'success', service.dialect());
    service.store.update(relation, RELATION, changes);
    return json({ id: relation.id, success: true });
  },
  'relations.allByLMT': (call, service) => {
    const since = wallTime(String(call.body.LMT));
    const records = RELATIONS.flatMap((relation) => {
      const { id, lmt, values } = stored(relation.id, service) ?? { id: 0, lmt: '', values: {} };
      return lmt > since ? [{ ...relationRecord(relation), ...values, RelatieID: id, LMT: lmt }] : [];
    });
    return json(records);
  },
};
