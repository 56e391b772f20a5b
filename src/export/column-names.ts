import { type Bilingual, composed, type Language, t, withFlag } from '../core/language.ts';
import { encodeNames } from '../files/baseline-sheet.ts';
import { choicesOf } from '../import/map/lookup-names.ts';
import type { ExportColumn } from '../records/listing.ts';
import type { LookupLists } from '../run/lookup-lists.ts';
import type { Lookup } from '../schema/field.ts';
import { type ChoiceList, listOf } from '../template/columns.ts';

/** The names of one column's ids. */
interface NamedColumn {
  readonly texts: ReadonlyMap<number, string>;
  readonly list: ChoiceList;
}

const NO_NUMBER = withFlag(
  t(
    'which lists of the service hold them is not known; have the service looked through for its lists',
    'in welke lijsten van het systeem ze staan is niet bekend; laat bij het systeem de lijsten zoeken',
  ),
  'catersheet check',
);

/** What is not visible as it stands, or not kept by every program. */
const ODD = /\p{C}|\p{Zl}|\p{Zp}/u;

/**
 * The names that stand in place of ids in an export, in the columns in which import takes them: as the lists
 * to choose from have them. An id without a name stays a number.
 */
export class ColumnNames {
  private readonly lookups: LookupLists;
  private readonly columns: readonly ExportColumn[];
  private readonly language: Language;
  private named: ReadonlyMap<string, NamedColumn> = new Map();
  private readonly failing = new Map<string, { readonly why: Bilingual; readonly headers: string[] }>();
  /** Columns with a number in them. */
  private readonly filled = new Set<string>();
  private isRead = false;

  constructor(lookups: LookupLists, columns: readonly ExportColumn[], language: Language) {
    this.lookups = lookups;
    this.columns = columns.filter(({ field, imported }) => imported && field?.lookup !== undefined);
    this.language = language;
  }

  /** Reads the lists of all columns, each once, when the first records came. */
  async read(): Promise<void> {
    if (this.isRead) return;
    this.isRead = true;
    const read = this.columns.map(async ({ header, field }) => {
      // A record may have an id of either list; the one that an update takes goes first.
      const lookups = [field?.updateLookup, field?.lookup].filter((one) => one !== undefined);
      const found = await Promise.all(lookups.map((lookup) => this.choices(lookup, header)));
      return [header, joined(found.flat())] as const;
    });
    const all = await Promise.all(read);
    this.named = new Map(all.flatMap(([header, one]) => (one === null ? [] : [[header, one] as const])));
  }

  /** The text in place of a column's value; undefined where the value itself stands there. */
  textOf(header: string, value: unknown): string | undefined {
    if (typeof value !== 'number') return undefined;
    this.filled.add(header);
    return this.named.get(header)?.texts.get(value);
  }

  /** The list behind a column; undefined where it has none. */
  listOf(header: string): ChoiceList | undefined {
    return this.named.get(header)?.list;
  }

  /** The lists of all columns. */
  get lists(): readonly ChoiceList[] {
    return [...this.named.values()].map(({ list }) => list);
  }

  /** The rows of the baseline sheet that tell what names stood for when the workbook was written. */
  writtenNames(resource: string): (readonly string[])[] {
    return [...this.named].map(([header, { texts }]) => encodeNames(resource, header, texts));
  }

  /** Which columns hold numbers, as their list could not be read. */
  notes(): Bilingual[] {
    return [...this.failing.values()].flatMap(({ why, headers }) => {
      const names = headers.filter((header) => this.filled.has(header)).join(', ');
      if (names === '') return [];
      return composed([why], ({ en, nl }) =>
        t(`${names}: numbers, not names: ${en}`, `${names}: nummers, geen namen: ${nl}`),
      );
    });
  }

  private async choices(lookup: Lookup, header: string): Promise<ChoiceList[]> {
    const list = await this.lookups.read(lookup);
    if ('entries' in list) {
      const { name, choices, ...rest } = listOf(lookup.name, choicesOf(list.entries), this.language);
      const plain = choices.filter(({ text }) => !ODD.test(text));
      return plain.length === 0 ? [] : [{ ...rest, name, choices: plain }];
    }
    const unknown = 'reason' in list && list.reason === 'no-number';
    const why = unknown ? NO_NUMBER : 'failure' in list ? list.failure.reasons : list.hint;
    const place = unknown ? '' : lookup.name;
    const known = this.failing.get(place) ?? { why, headers: [] };
    this.failing.set(place, known);
    known.headers.push(header);
    return [];
  }
}

/** One or two lists as one: of an id in both the first has its text, and of a text in both its id. */
function joined(lists: readonly ChoiceList[]): NamedColumn | null {
  const [first, second] = lists;
  if (first === undefined) return null;
  const texts = new Map(first.choices.map(({ id, text }) => [id, text]));
  const list = { ...first, choices: [...first.choices] };
  const known = new Set(first.choices.map(({ text }) => text));
  for (const choice of second?.choices ?? []) {
    if (!texts.has(choice.id)) texts.set(choice.id, choice.text);
    if (!known.has(choice.text)) list.choices.push(choice);
  }
  return { texts, list };
}
