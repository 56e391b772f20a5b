import { wallText } from '../store/clock.ts';
import type { RecordKind, Store } from '../store/store.ts';
import { EVENTS, LINKS, TRIPS } from './events.ts';
import { PACKAGES, RECIPES } from './products.ts';

const FIRST_WRITE = Date.UTC(2026, 0, 5, 8);

/** Every stocked recipe has been counted once. */
const stock = RECIPES.filter(({ values }) => values.VoorraadProduct === true).map(({ id }, index) => ({
  ...{ id, values: { Aantal: 4 + index * 2.5 } },
}));

/** Purchase orders 4501 to 4506, none of them sent. */
const orders = [1, 2, 3, 4, 5, 6].map((number) => ({
  ...{ id: 4500 + number, values: { Leverancier: `Groothandel ${number}`, Verzonden: 0 } },
}));

const SEEDED = {
  package: PACKAGES,
  recipe: RECIPES,
  stock,
  event: EVENTS,
  link: LINKS,
  trip: TRIPS,
  order: orders,
} as const satisfies Partial<Record<RecordKind, unknown>>;

/** Writes the company's records into an empty store: the same ones each time. */
export function plantCompany(store: Store): void {
  let moment = FIRST_WRITE;
  // LMTs one second apart, long before anything that the user does.
  const past = (): string => {
    moment += 1000;
    return wallText(moment);
  };
  store.atomic(() => {
    for (const [kind, records] of Object.entries(SEEDED))
      for (const { id, values } of records) store.insert(kind as RecordKind, values, { id, lmt: past() });
  });
}
