import { normaliseHeader } from '../../core/header.ts';
import { type HeaderName, UNUSED, withoutClashes } from './header-names.ts';
import type { HeaderCell } from './header-row.ts';
import type { RecognisedSheet } from './recognise.ts';

/**
 * The headers that the user said the meaning of, or left unused, to be remembered for the next file that has them: of
 * two that contradict each other the first. A field's own header says it by itself; a header that stands there
 * twice tells nothing.
 */
export function chosenNames(recognised: readonly RecognisedSheet[]): HeaderName[] {
  const names = recognised.flatMap((entry): HeaderName[] => {
    if (entry.kind !== 'import') return [];
    const { resource, headers } = entry.mapping;
    return headers.flatMap((cell) => nameOf(cell, headers, resource.name));
  });
  return withoutClashes(names);
}

function nameOf(cell: HeaderCell, headers: readonly HeaderCell[], resource: string): HeaderName[] {
  const field = cell.field ?? cell.mark;
  const text = normaliseHeader(cell.header);
  if (cell.chosen !== true || text === '' || text === normaliseHeader(field ?? '')) return [];
  if (headers.some((one) => one !== cell && normaliseHeader(one.header) === text)) return [];
  const header = cell.header.replace(/\s+/g, ' ').trim();
  return [
    field === undefined ? { header, field: UNUSED, resource } : { header, field, resource, taken: true },
  ];
}
