import type { Values } from '../../core/value.ts';
import type { RecordKind, Store } from '../store/store.ts';
import { EVENTS, LINKS, TRIPS } from './events.ts';
import { extraPackages, PACKAGES, RECIPES } from './products.ts';

const FIRST_WRITE = Date.UTC(2026, 0, 5, 8);

/** Moments of the past, one second apart: the seeded records were written long before anything the user does. */
function createPast(): () => string {
  let moment = FIRST_WRITE;
  return () => {
    moment += 1000;
    return new Date(moment).toISOString().replace('T', ' ').replace('Z', '');
  };
}

type Plant = (kind: RecordKind, id: number | undefined, values: Values) => void;

function plantProducts(plant: Plant): void {
  for (const { id, values } of PACKAGES) plant('package', id, values);
  for (const { id, values } of RECIPES) plant('recipe', id, values);
}

/** Every stocked recipe has been counted once. */
function plantStock(plant: Plant): void {
  const stocked = RECIPES.filter(({ values }) => values.VoorraadProduct === true);
  for (const [index, { id }] of stocked.entries()) plant('stock', id, { Aantal: 4 + index * 2.5 });
}

function plantEvents(plant: Plant): void {
  for (const { id, values } of EVENTS) plant('event', id, values);
  for (const { id, values } of LINKS) plant('link', id, values);
  for (const { id, values } of TRIPS) plant('trip', id, values);
}

/** Purchase orders 4501 to 4506, none of which has been sent. */
function plantOrders(plant: Plant): void {
  for (let id = 4501; id <= 4506; id += 1)
    plant('order', id, { Leverancier: `Groothandel ${id - 4500}`, Verzonden: 0 });
}

/** Writes the company's records into an empty store, the same ones each time. */
export function plantCompany(store: Store, extra: number): void {
  const past = createPast();
  const plant: Plant = (kind, id, values) => {
    store.insert(kind, values, id === undefined ? { lmt: past() } : { id, lmt: past() });
  };
  store.atomic(() => {
    plantProducts(plant);
    plantStock(plant);
    plantEvents(plant);
    plantOrders(plant);
    for (const values of extraPackages(extra)) plant('package', undefined, values);
  });
}
