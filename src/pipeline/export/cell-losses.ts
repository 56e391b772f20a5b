import type { Bilingual } from '../../schema/value.ts';
import type { CellLoss } from './safe-cell.ts';

/** One kind of loss in one column as it adds up: how often, and where first. */
interface Tally {
  readonly why: CellLoss;
  readonly header: string;
  count: number;
  readonly first: string;
}

/** So many records without a row are named. */
const NAMED = 20;

/** Counts what cells could not say, and records that have no row. */
export class CellLosses {
  private readonly tallies = new Map<string, Tally>();
  private readonly rowless: string[] = [];
  private readonly misshapen = new Map<string, string[]>();

  /** A record that has no row, as an import would not find it: it is deleted. */
  leave(name: string): void {
    this.rowless.push(name);
  }

  /** What should be a record in a record is something else. */
  misshape(path: string, name: string): void {
    const names = this.misshapen.get(path);
    if (names !== undefined) names.push(name);
    else this.misshapen.set(path, [name]);
  }

  /** `address` is where the cell stands, worked out for the first of its kind alone. */
  lose(why: CellLoss, header: string, address: () => string): void {
    const known = this.tallies.get(`${why} ${header}`);
    if (known !== undefined) known.count++;
    else this.tallies.set(`${why} ${header}`, { why, header, count: 1, first: address() });
  }

  /** What there is to say of them, in the order in which they came. */
  notes(): Bilingual[] {
    const shapes = [...this.misshapen].map(([path, names]) => misshapenText(path, names));
    const cells = [...this.tallies.values()].map((tally) => TEXTS[tally.why](tally));
    return [...(this.rowless.length === 0 ? [] : [deletedText(this.rowless)]), ...shapes, ...cells];
  }
}

const listOf = (names: readonly string[]): string =>
  names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');

function deletedText(names: readonly string[]): Bilingual {
  return {
    en: `${names.length} deleted, without a row (NDJSON holds them, with DEL): ${listOf(names)}`,
    nl: `${names.length} verwijderd, zonder rij (NDJSON bevat ze, met DEL): ${listOf(names)}`,
  };
}

function misshapenText(path: string, names: readonly string[]): Bilingual {
  return {
    en: `${path}: not as the interface describes it in ${times(names.length, 'record', 'records')}; its cells are empty, and NDJSON holds it as it came: ${listOf(names)}`,
    nl: `${path}: niet zoals de interface het beschrijft in ${times(names.length, 'record', 'records')}; de cellen ervan zijn leeg, en NDJSON bevat wat er kwam: ${listOf(names)}`,
  };
}

const TEXTS: Readonly<Record<CellLoss, (loss: Tally) => Bilingual>> = {
  'too-long': ({ header, count, first }) => ({
    en: `${header}: ${times(count, 'text', 'texts')} longer than a cell holds (32,767 characters), first in ${first}; the cell is empty, an import leaves the field alone, and a CSV or NDJSON holds it in full`,
    nl: `${header}: ${times(count, 'tekst', 'teksten')} langer dan een cel kan bevatten (32.767 tekens), de eerste in ${first}; de cel is leeg, een import laat het veld met rust, en een CSV of NDJSON bevat de hele tekst`,
  }),
  refused: ({ header, count, first }) => ({
    en: `${header}: ${times(count, 'value', 'values')} that the field does not take, first in ${first}, as the service has them: an import of this workbook leaves them alone unless they are changed; of a CSV it refuses them`,
    nl: `${header}: ${times(count, 'waarde', 'waarden')} die het veld niet aanneemt, de eerste in ${first}, zoals de dienst ze heeft: een import van deze werkmap laat ze met rust zolang ze niet worden gewijzigd; van een CSV weigert hij ze`,
  }),
  misread: ({ header, count, first }) => ({
    en: `${header}: ${times(count, 'value', 'values')} that an import would take for something else, first in ${first}; the cell is empty, an import leaves the field alone, and NDJSON holds the value`,
    nl: `${header}: ${times(count, 'waarde', 'waarden')} die een import voor iets anders zou aanzien, de eerste in ${first}; de cel is leeg, een import laat het veld met rust, en NDJSON bevat de waarde`,
  }),
};

const times = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
