import type { MappedRow } from '../../import/map/map-row.ts';
import type { EventResource } from '../../schema/resource.ts';
import type { Existing } from '../catalogue/existing.ts';
import type { Records } from '../catalogue/record-source.ts';
import type { EventSource } from './event-source.ts';
import type { Known } from './read-ahead.ts';

/** The events as one row sees them: what was listed, and single reads for what was not or says too little. */
export function recordsFor(row: MappedRow<EventResource>, source: EventSource, known: Known): Records {
  const { fields } = row.mapping.resource;
  const needsDetail = Object.keys(row.values).some((name) => fields[name]?.reads === 'detail');
  const byId = async (id: number): Promise<Existing | null> => {
    const listed = source.listed(id);
    if (listed === undefined) return await source.detail(id);
    return needsDetail ? ((await source.detail(id)) ?? listed) : listed;
  };
  return {
    byId,
    async byExternal(external) {
      const [listed] = source.withExternal(external);
      if (listed?.id != null) return await byId(listed.id);
      const id = known.get(external)?.id;
      const remembered = id === undefined ? null : await byId(id);
      return remembered?.external === external ? remembered : null;
    },
    lacks: () => false,
    twin: (external) => source.withExternal(external)[1]?.id ?? null,
  };
}
