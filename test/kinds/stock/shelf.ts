import type { ImportWorkbookOptions } from '../../../src/index.ts';
import type { KnobChanges } from '../../second-service/knobs.ts';
import { openKind, type Row } from '../open-kind.ts';

export const DAY = '2026-10-02';
const at = (hour: string): string => `${DAY} ${hour}:00:00`;
export const [NIGHT, MORNING, NOON] = [at('02'), at('08'), at('12')] as const;

/** Products with so much in stock each, which are counted and used. */
export function openShelf(knobs: KnobChanges = {}, amounts: readonly number[] = [24]) {
  const kind = openKind('stock-count', knobs);
  const { service, send } = kind;
  const products = amounts.map((amount, index) => {
    const id = service.add.recipe({ ExternalID: 8801 + index, OmschrijvingIntern: `Soep ${index}` });
    service.add.stock(id, amount);
    return id;
  });
  const [product = 0] = products;
  const rest = { WerknemerID: 12, MutatieCategorieID: 4901, MutatieReden: 'Week' };
  const counted = (GeteldRekeneenheid: number | string | null, DatumTijd = MORNING, more: Row = {}): Row => ({
    ...{ ProductID: product, GeteldRekeneenheid, DatumTijd },
    ...rest,
    ...more,
  });
  const used = (AantalRekeneenheid: number | string | null, DatumTijd = NIGHT, more: Row = {}): Row => ({
    ...{ ProductID: product, AantalRekeneenheid, DatumTijd },
    ...rest,
    ...more,
  });
  type More = Partial<ImportWorkbookOptions>;
  const one = async (row: Row, more: More) => {
    const { run, rows } = await send([row], more);
    return { run, status: rows[0]?.status, message: rows[0]?.message ?? '' };
  };
  return {
    ...kind,
    ...{ products, product, counted, used },
    count: (amount: number, moment = MORNING, more: More = {}) => one(counted(amount, moment), more),
    use: (amount: number, moment = NIGHT, more: More = {}) =>
      one(used(amount, moment), { as: 'stock-mutations', ...more }),
    stock: () => service.stockTotal(product),
    /** The next reads of a total answer these amounts. */
    shows: (...totals: readonly unknown[]) => {
      for (const Aantal of totals) {
        const body = { total: [{ Aantal, AantalProductEenheid: Aantal, RekenEenheid: 'l' }] };
        service.failNext(
          { kind: 'answer', when: 'before', status: 200, body },
          ({ endpoint }) => endpoint === 'stock.currentTotal',
        );
      }
    },
  };
}
