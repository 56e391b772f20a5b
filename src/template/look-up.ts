import { type Bilingual, type Language, t, withFlag } from '../core/language.ts';
import { LOOK_UP_DAY, LOOK_UP_HEADERS, OWN_SHEETS } from '../core/own-sheets.ts';
import { DAY_FORMAT } from '../core/shown-moment.ts';
import { isExported, listerOf } from '../lists/lists.ts';
import type { Days, ExportedResource } from '../records/listing.ts';
import type { Context } from '../run/context.ts';
import { type Field, readOnly } from '../schema/field.ts';
import { kindWords, type Resource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import type { WrittenColumn, WrittenRow, WrittenSheet } from '../xlsx/write/written-book.ts';
import { RecordNames } from './record-names.ts';

type MetRecord = RecordNames['met'][number];
type NamedId = NonNullable<ExportedResource['named']>[number];

/** The sheet that tells what ids name. */
interface LookUpSheet extends WrittenSheet {
  readonly rows: readonly WrittenRow[];
}

/** Why a name may be empty. */
const NAMELESS = t(
  'Empty where the service gives no name, as of employees',
  'Leeg waar het systeem geen naam geeft, zoals bij werknemers',
);

/** The sheet of what ids name; null where there is nothing to name. */
export function lookUpSheet(
  every: readonly (readonly MetRecord[])[],
  language: Language,
): LookUpSheet | null {
  const met = joined(every.flat());
  if (met.length === 0) return null;
  const order = new Intl.Collator(language, { numeric: true });
  const kinds = [...new Set(met.map(({ called }) => called[language]))];
  const ordered = met.toSorted(
    (one, other) =>
      kinds.indexOf(one.called[language]) - kinds.indexOf(other.called[language]) ||
      order.compare(one.day ?? '', other.day ?? '') ||
      Number(one.name === null) - Number(other.name === null) ||
      order.compare(one.name ?? '', other.name ?? '') ||
      one.id - other.id,
  );
  const isDated = met.some(({ day }) => day !== null);
  const shape = { role: 'shown', format: 'General', width: 12, note: [] } as const;
  const [kind = '', id = '', name = ''] = LOOK_UP_HEADERS[language];
  const plain = (header: string): WrittenColumn => ({ ...shape, header });
  const day = { ...plain(LOOK_UP_DAY[language]), format: DAY_FORMAT[language], width: 13 };
  const named = { ...plain(name), note: [NAMELESS[language]] };
  return {
    name: OWN_SHEETS.lookUp[language],
    table: 'tbl_look_up',
    columns: [...[kind, id].map(plain), named, ...(isDated ? [day] : [])],
    rows: ordered.map((one): WrittenRow => {
      const date = one.day === null ? null : { date: one.day };
      return [one.called[language], one.id, one.name, ...(isDated ? [date] : [])];
    }),
  };
}

/** What several kinds of records name, each once. */
function joined(met: readonly MetRecord[]): MetRecord[] {
  const known = new Map<string, MetRecord>();
  for (const one of met) {
    const key = `${one.called.en} ${one.id}`;
    const other = known.get(key);
    const both = other && { ...other, name: other.name ?? one.name, day: other.day ?? one.day };
    known.set(key, both ?? one);
  }
  return [...known.values()];
}

/** Records whose list of some days tells what ids of other sheets name. */
interface LookUpSource {
  readonly resource: ExportedResource;
  /** The records themselves are named too. */
  readonly own: boolean;
  /** The ids of theirs that are named. */
  readonly ids: ReadonlySet<string>;
  /** What is named, in words. */
  readonly called: readonly Bilingual[];
  /** The columns of the sheets that take these ids. */
  readonly columns: ReadonlySet<string>;
}

/** Which lists by days tell the ids that sheets to fill in take, where the interface has no list of all. */
export function lookUpSources(
  chosen: readonly Resource[],
  resources: readonly Resource[],
): readonly LookUpSource[] {
  const listed = resources.filter(isExported).filter((one) => listerOf(one).ways(one).includes('period'));
  const found = new Map<ExportedResource, Required<SourceParts>>();
  for (const sheet of chosen)
    for (const [name, field] of Object.entries(sheet.fields)) {
      if (readOnly(field) || field.lookup !== undefined || field.refers !== undefined) continue;
      const resource = tellerOf(listed, { sheet, name, field });
      if (resource === undefined) continue;
      const known = found.get(resource) ?? { own: false, named: new Set<NamedId>(), columns: new Set() };
      found.set(resource, known);
      known.columns.add(name);
      if (isOwn(resource, name)) known.own = true;
      else for (const one of namedBy(resource, name, field)) known.named.add(one);
    }
  return [...found].map(([resource, { own, named, columns }]) => {
    const words = [...(own ? [kindWords(resource)] : []), ...[...named].map(({ of }) => of.called)];
    const called = [...new Map(words.map((one) => [one.en, one])).values()];
    return { resource, own, called, columns, ids: new Set([...named].map(({ id }) => id)) };
  });
}

interface SourceParts {
  own: boolean;
  readonly named: Set<NamedId>;
  readonly columns: Set<string>;
}

const isOwn = (resource: ExportedResource, name: string): boolean => 'id' in resource && resource.id === name;

const namedBy = ({ named = [] }: ExportedResource, name: string, { record }: Field): readonly NamedId[] =>
  named.filter(({ id, of }) => (record === undefined ? id.split('.').at(-1) === name : of === record));

/** The records that tell what a column's ids name: those of that id, those of its own sheet, else any. */
function tellerOf(
  listed: readonly ExportedResource[],
  { sheet, name, field }: { readonly sheet: Resource; readonly name: string; readonly field: Field },
): ExportedResource | undefined {
  const telling = listed.filter((one) => namedBy(one, name, field).length > 0);
  return listed.find((one) => isOwn(one, name)) ?? telling.find((one) => one === sheet) ?? telling[0];
}

/** What the records of some days name, with notes on what could not be had: a list may fail. */
export async function readLookUp(
  context: Context,
  sources: readonly LookUpSource[],
  days: Days,
): Promise<{ readonly met: readonly (readonly MetRecord[])[]; readonly notes: readonly Bilingual[] }> {
  const met: (readonly MetRecord[])[] = [];
  const notes: Bilingual[] = [];
  for (const { resource, own, ids } of sources) {
    const names = new RecordNames(context, resource, { ids, own });
    const options = { declaration: false, namedIn: async () => [] };
    const listed = listerOf(resource).list({ ...context, resource }, { way: 'period', days }, options);
    let done = 0;
    try {
      for await (const records of listed) {
        context.signal?.throwIfAborted();
        await names.namesOf(records);
        done += records.length;
        context.onProgress?.({ stage: 'reading', of: kindWords(resource), done, total: listed.total });
      }
      notes.push(...listed.notes);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      notes.push(unlisted(resource, error));
    }
    met.push(names.met);
    notes.push(...names.notes());
  }
  return { met, notes };
}

const unlisted = ({ sheet }: ExportedResource, { reasons }: RequestError): Bilingual =>
  t(
    `${sheet}: could not be read (${reasons.en}), so their numbers may be missing on sheet ${OWN_SHEETS.lookUp.en}`,
    `${sheet}: niet te lezen (${reasons.nl}), dus nummers ervan kunnen ontbreken op werkblad ${OWN_SHEETS.lookUp.nl}`,
  );

/** What a period would add. */
export function withPeriod(sources: readonly LookUpSource[]): readonly Bilingual[] {
  const words = new Map(sources.flatMap(({ called }) => called).map((one) => [one.en, one]));
  if (words.size === 0) return [];
  const [en, nl] = (['en', 'nl'] as const).map((language) =>
    [...words.values()].map((one) => one[language]).join(', '),
  );
  return [
    withFlag(
      t(
        `for a sheet to look up numbers (${en}): give a period`,
        `voor een werkblad om nummers op te zoeken (${nl}): geef een periode`,
      ),
      '--from D --to D',
    ),
  ];
}
