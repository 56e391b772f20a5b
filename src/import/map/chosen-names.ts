import { normaliseHeader } from '../../core/header.ts';
import type { DroppedHeader } from './header-memory.ts';
import { type HeaderName, withoutClashes } from './header-names.ts';
import type { HeaderCell } from './header-row.ts';
import type { RecognisedSheet } from './recognise.ts';

/**
 * The headers that the user said the meaning of, to be remembered for the next file that has them: of two
 * that contradict each other the first. A field's own header says it by itself; a header that stands there
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

/** The headers of columns that the user left unused: what was remembered of them is wrong. */
export function droppedHeaders(recognised: readonly RecognisedSheet[]): DroppedHeader[] {
  return recognised.flatMap((entry) => {
    if (entry.kind !== 'import') return [];
    const { resource, headers } = entry.mapping;
    const unused = headers.filter(
      ({ chosen, field, mark }) => chosen === true && (field ?? mark) === undefined,
    );
    return unused.map(({ header }) => ({ header, resource: resource.name }));
  });
}

function nameOf(cell: HeaderCell, headers: readonly HeaderCell[], resource: string): HeaderName[] {
  const field = cell.field ?? cell.mark;
  const text = normaliseHeader(cell.header);
  if (cell.chosen !== true || field === undefined || text === '' || text === normaliseHeader(field))
    return [];
  if (headers.some((one) => one !== cell && normaliseHeader(one.header) === text)) return [];
  const name = { header: cell.header.replace(/\s+/g, ' ').trim(), field, resource };
  // One that was taken gives way to the field's own header, and here it does not.
  const rival = headers.some((one) => normaliseHeader(one.header) === normaliseHeader(field));
  return [rival ? name : { ...name, taken: true }];
}
