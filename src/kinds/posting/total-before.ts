import type { Bilingual } from '../../core/value.ts';
import type { Context } from '../../run/context.ts';
import { fromMicros } from './micros.ts';
import type { StockResource } from './product.ts';
import { lookAtTotal, type Total } from './total.ts';

/** A product whose total stands in doubt, and the run that may have changed it. */
interface Place {
  readonly run: string;
  readonly product: number;
}

const factName = ({ name }: StockResource, { run, product }: Place): string =>
  `total before ${name} of ${run}, product ${product}`;

/**
 * Remembers a product's total as it was before a run posted on it: all there is to tell by, should an answer be lost.
 * What an earlier part of the same run remembered stands.
 */
export async function rememberBefore(context: Context, resource: StockResource, place: Place): Promise<void> {
  const { ledger, serviceKey } = context;
  const name = factName(resource, place);
  if ((await ledger.findFact(serviceKey, name)) !== undefined) return;
  const total = await lookAtTotal(context, resource, place.product);
  if (total === null) return;
  const plain = Object.entries(total).map(([member, micros]) => [member, micros?.toString() ?? null]);
  await ledger.rememberFact(serviceKey, name, JSON.stringify(Object.fromEntries(plain)));
}

async function totalBefore(context: Context, resource: StockResource, place: Place): Promise<Total | null> {
  const fact = await context.ledger.findFact(context.serviceKey, factName(resource, place));
  if (fact === undefined) return null;
  const plain = Object.entries(JSON.parse(fact) as Record<string, string | null>);
  return Object.fromEntries(
    plain.map(([member, micros]) => [member, micros === null ? null : BigInt(micros)]),
  );
}

/** The member of a total that tells of what a request posts. */
function toldBy({ amounts }: StockResource, body: Readonly<Record<string, unknown>>): string {
  const told = amounts.find(({ sent }) => body[sent] != null) ?? amounts[0];
  return told?.total ?? '';
}

/** What the user can look at: the product's total before the run posted on it, and now. Null when neither is known. */
export async function tellTotals(
  context: Context,
  resource: StockResource,
  place: Place,
  body: Readonly<Record<string, unknown>>,
  now: Total | null,
): Promise<Bilingual | null> {
  const member = toldBy(resource, body);
  const [then, today] = [(await totalBefore(context, resource, place))?.[member], now?.[member]];
  const { run, product } = place;
  if (then == null && today == null) return null;
  const told = (was: string, is: string): string =>
    [then == null ? '' : was, today == null ? '' : is].filter((part) => part !== '').join(', ');
  return {
    en: told(
      `${member} of product ${product} was ${shown(then)} before run ${run} posted on it`,
      `it is ${shown(today)} now`,
    ),
    nl: told(
      `${member} van product ${product} was ${shownDutch(then)} voordat run ${run} erop boekte`,
      `het is nu ${shownDutch(today)}`,
    ),
  };
}

const shown = (micros: bigint | null | undefined): string =>
  micros == null ? '' : String(fromMicros(micros));

const shownDutch = (micros: bigint | null | undefined): string => shown(micros).replace('.', ',');
