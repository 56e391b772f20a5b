import { parseIso } from '../../../schema/codecs/datetime.ts';
import { integerCodec } from '../../../schema/codecs/integer.ts';
import type { CatalogueResource } from '../../../schema/resource.ts';
import { LISTED, readValues } from '../../kinds/catalogue/existing.ts';
import { EPOCH } from '../selection.ts';
import type { Exporter } from './exporter.ts';
import { listedRecords } from './listed-records.ts';

/** Packages and recipes: the pages of their list by LMT (interface 4.3). */
export const catalogueExporter: Exporter<CatalogueResource> = {
  ways: ['all', 'since'],
  list(context, resource, chosen, { declaration }) {
    const LMT = chosen.way === 'since' ? chosen.moment : EPOCH;
    return listedRecords(context, resource, { LMT, ...(declaration ? { exportWithDeclaration: true } : {}) });
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
