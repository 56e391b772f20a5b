import type { Language } from '../core/language.ts';
import { LOOK_UP_HEADERS, OWN_SHEETS } from '../core/own-sheets.ts';
import type { BookFeed } from '../xlsx/write/write-book.ts';
import type { WrittenRow } from '../xlsx/write/written-book.ts';
import type { RecordNames } from './record-names.ts';

type MetRecord = RecordNames['met'][number];

/** Adds the list of what the ids of exported records name, as met there; no sheet where there are none. */
export async function addLookUp(
  book: BookFeed,
  names: readonly (RecordNames | null)[],
  language: Language,
): Promise<void> {
  const met = joined(names.flatMap((one) => one?.met ?? []));
  if (met.length === 0) return;
  const shape = { role: 'shown', format: 'General', width: 12, note: [] } as const;
  const columns = LOOK_UP_HEADERS[language].map((header) => ({ header, ...shape }));
  const sheet = book.sheet({ name: OWN_SHEETS.lookUp[language], table: 'tbl_look_up', columns });
  const order = new Intl.Collator(language, { numeric: true });
  const kinds = [...new Set(met.map(({ called }) => called[language]))];
  const rows = met.toSorted(
    (one, other) =>
      kinds.indexOf(one.called[language]) - kinds.indexOf(other.called[language]) ||
      Number(one.name === null) - Number(other.name === null) ||
      order.compare(one.name ?? '', other.name ?? '') ||
      one.id - other.id,
  );
  await sheet.add(
    rows.map(({ called, id, name, records, first }): WrittenRow => {
      return [called[language], id, name, records, first];
    }),
  );
}

/** What several kinds of records name, each once. */
function joined(met: readonly MetRecord[]): MetRecord[] {
  const known = new Map<string, MetRecord>();
  for (const one of met) {
    const key = `${one.called.en} ${one.id}`;
    const other = known.get(key);
    const both = other && { ...other, name: other.name ?? one.name, records: other.records + one.records };
    known.set(key, both ?? one);
  }
  return [...known.values()];
}
