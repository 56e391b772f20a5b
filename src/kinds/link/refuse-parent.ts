import { t } from '../../core/language.ts';
import type { MappedRow } from '../../import/map/map-row.ts';
import type { LinkResource } from '../../schema/resource.ts';
import { type Decision, refuseField } from '../row-decision.ts';
import { type Parent, referenceField } from './parent.ts';

type Row = MappedRow<LinkResource>;

/** Says on the row's key why there is nothing to link to. */
export function refuseParent(row: Row, parent: Parent): Decision {
  const { resource } = row.mapping;
  const reference = referenceField(resource) ?? resource.parent;
  if (parent === 'unnamed') {
    const column = row.mapping.columnOf.has(reference) ? reference : resource.parent;
    return refuseField(row, column, 'key-missing', `${resource.parent} / ${reference}`);
  }
  if (parent === 'missing')
    return refuseField(row, reference, 'record-missing', whereOf(resource, reference));
  if ('several' in parent)
    return refuseField(row, reference, 'reference-ambiguous', parent.several.join(', '));
  if ('blocked' in parent) {
    const { sheet, row: number } = parent.blocked;
    const hint = t(`${sheet} row ${number}`, `${sheet} rij ${number}`);
    return refuseField(row, reference, 'parent-not-sent', hint);
  }
  if ('other' in parent)
    return refuseField(row, reference, 'keys-differ', otherText(row, resource.parent, parent.other));
  return refuseField(row, resource.parent, 'record-missing', whereOf(resource, reference));
}

/** The sheets' own names are not known here; the resources' names are what `--as` takes. */
function whereOf({ fields }: LinkResource, reference: string): string {
  return fields[reference]?.refers?.resources.join(', ') ?? '';
}

function otherText({ values }: Row, parent: string, other: number | null) {
  const id = values[parent];
  if (other === null) {
    return t(
      `it belongs to a record that is still to be created, not to ${parent} ${id}`,
      `het hoort bij een record dat nog wordt aangemaakt, niet bij ${parent} ${id}`,
    );
  }
  return t(
    `it belongs to ${parent} ${other}, not to ${id}`,
    `het hoort bij ${parent} ${other}, niet bij ${id}`,
  );
}
