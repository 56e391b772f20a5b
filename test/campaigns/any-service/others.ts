import type { Random } from '../../second-service/random.ts';
import type { SecondService } from '../../second-service/second-service.ts';
import type { Kind, Values } from '../../second-service/types.ts';
import type { RowSpec } from './draw-workbook.ts';
import { type Finding, storeOf } from './judge.ts';

/** A colleague at work while a run sends: on records of their own, and on stock that is being counted. */
export function disturb(random: Random, service: SecondService, rows: readonly RowSpec[]): void {
  const { other } = service;
  const own = service.add.package({ OmschrijvingIntern: 'Van een collega' });
  const actions = [
    () => other.create('package', { OmschrijvingIntern: 'X Soep', ProductTypeID: 1, Verkoopprijs: 10.125 }),
    () =>
      other.create('recipe', { OmschrijvingIntern: 'X Brood', ProductCategorieID: 11, Gewicht: 1, OPK: 1 }),
    () => other.create('event', { RelatieID: 4001, ContactpersoonID: 6001, Datum: '2027-02-11' }),
    () => other.change('package', own, { Verkoopprijs: random.between(1, 20) }),
  ];
  for (let time = 0; time < 4; time += 1) {
    const action = random.pick(actions);
    service.at(1 + Math.floor(random.between(0, 12)), action, { side: random.pick(['before', 'after']) });
  }
  // The kitchen uses exactly what a count adds, or something else, right after it was posted.
  const counted = rows.filter(({ does }) => does === 'count');
  for (const { cells } of counted) {
    const product = Number(cells.ProductID);
    const used = random.pick([Number(cells.GeteldRekeneenheid) - 50, 1]);
    const isIt = (body: unknown) => (body as Values | undefined)?.ProductID === product;
    service.at(
      ({ endpoint, body }) => endpoint === 'stock.mutation' && isIt(body),
      () => other.useStock(product, used),
      { side: 'after' },
    );
  }
}

/**
 * What somebody else does between a plan and its sending, by the rows it is about; each with a check that
 * what they did is still there and there once.
 */
export function touchBetween(
  random: Random,
  service: SecondService,
  rows: readonly RowSpec[],
): Map<number, () => Finding | undefined> {
  const touched = new Map<number, () => Finding | undefined>();
  for (const row of rows) {
    if (!random.chance(0.5)) continue;
    const check = row.does === 'create' ? createdFirst(service, row) : changedFirst(service, row);
    if (check) touched.set(row.token, check);
  }
  return touched;
}

function createdFirst(service: SecondService, row: RowSpec): (() => Finding | undefined) | undefined {
  const { kind, cells, token } = row;
  if (kind === 'link') {
    if (cells.PartijID === undefined) return undefined;
    const pair = { PartijID: Number(cells.PartijID), ArrangementID: Number(cells.ArrangementID) };
    service.other.create('link', { ...pair, Aantal: 5, Datum: '2027-04-04' });
    return () => {
      const there = service.links.where(pair).map(({ Aantal }) => Aantal);
      if (there.length === 1 && there[0] === 5) return undefined;
      return {
        kind: 'overwrote or doubled what somebody linked after the plan',
        about: `link ${token}: ${there}`,
      };
    };
  }
  if (cells.ExternalID === undefined) return undefined;
  const kept = Object.entries(cells).filter(([name]) => !name.startsWith('#'));
  const id = service.other.create(kind, Object.fromEntries(kept) as Values);
  if (storeOf(service, kind).get(id)?.ExternalID !== cells.ExternalID) return () => undefined;
  return () => {
    const isDouble = service.journal.ours.some(({ what, by, kind: of }) => {
      const body = service.journal.requests[Number(by) - 1]?.body as Values | undefined;
      const names = ['OmschrijvingIntern', 'AccountmanagerID'];
      return what === 'created' && of === kind && names.every((name) => body?.[name] === cells[name]);
    });
    if (!isDouble) return undefined;
    return { kind: `created what somebody created after the plan (${kind})`, about: `${kind} ${token}` };
  };
}

function changedFirst(service: SecondService, row: RowSpec): (() => Finding | undefined) | undefined {
  const { kind, target } = row;
  if (target === undefined || row.does !== 'update') return undefined;
  const fields: { [K in Kind]?: string } = { event: 'AantalGasten', link: 'Aantal', trip: 'Chauffeur' };
  const name = fields[kind] ?? 'Verkoopprijs';
  service.other.change(kind, target, { [name]: kind === 'trip' ? 'Van een ander' : 77 });
  const theirs = storeOf(service, kind).get(target)?.[name];
  return () => {
    const now = storeOf(service, kind).get(target)?.[name];
    if (now === theirs) return undefined;
    return {
      kind: `overwrote what somebody changed after the plan (${kind})`,
      about: `${kind} ${target}: ${now}`,
    };
  };
}
