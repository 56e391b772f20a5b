import { parseIso } from '../../core/codecs/datetime.ts';
import { integerCodec } from '../../core/codecs/integer.ts';
import { EPOCH, type Lister } from '../../listing/lister.ts';
import { pagedRecords } from '../../listing/paged-records.ts';
import type { CatalogueResource } from '../../schema/resource.ts';
import { LISTED, readValues } from './existing.ts';

/** Packages and recipes: the pages of their list by LMT (interface 4.3). */
export const catalogueLister: Lister<CatalogueResource> = {
  ways: () => ['all', 'since'],
  list(context, resource, chosen, { declaration }) {
    const LMT = chosen.way === 'since' ? chosen.moment : EPOCH;
    return pagedRecords(context, resource, { LMT, ...(declaration ? { exportWithDeclaration: true } : {}) });
  },
  read(resource, record) {
    const id = integerCodec.read(record[resource.id]);
    return {
      key: typeof id === 'number' ? `id:${id}` : null,
      lmt: typeof record.LMT === 'string' ? (parseIso(record.LMT) ?? null) : null,
      values: readValues(resource, record, LISTED),
    };
  },
};
