import type { SecondService } from '../../second-service/second-service.ts';
import { AMOUNT, type Cell, MANAGER, type RowSpec } from '../any-service/draw-workbook.ts';

/** Added to the number of a row in its ExternalID. */
const EXTERNAL = 800_000;

type Told = Pick<RowSpec, 'sheet' | 'kind' | 'does'>;

const PACKAGE: Told = { sheet: 'Pakketten', kind: 'package', does: 'create' };
const EVENT: Told = { sheet: 'Evenementen', kind: 'event', does: 'create' };
const LINK: Told = { sheet: 'Arrangementen', kind: 'link', does: 'create' };
const MUTATION: Told = { sheet: 'Voorraadmutaties', kind: 'mutation', does: 'post' };
const COUNT: Told = { sheet: 'Voorraadtelling', kind: 'mutation', does: 'count' };

/**
 * Rows of five sheets, `size` times five packages, four events, four links, eight stock mutations and four
 * counts; what they are about is put there. Every request tells by a number in it which row it comes from.
 */
export function pacedRows({ add }: SecondService, size: number): RowSpec[] {
  const rows: RowSpec[] = [];
  const next = (): number => rows.length + 1;
  const push = (told: Told, cells: Record<string, Cell>): void => {
    const row = 2 + rows.filter(({ sheet }) => sheet === told.sheet).length;
    rows.push({ ...told, row, token: next(), cells });
  };
  for (let time = 0; time < 5 * size; time += 1) {
    const token = next();
    const text = { OmschrijvingIntern: `P${token} Borrel`, ProductTypeID: 1, Verkoopprijs: 12.5 };
    push(PACKAGE, { ExternalID: EXTERNAL + token, ...text });
  }
  const events: number[] = [];
  for (let time = 0; time < 4 * size; time += 1) {
    const token = next();
    const day = `2027-05-${10 + (token % 18)}`;
    const when = { Datum: day, Starttijd: `${day} 12:00`, Eindtijd: `${day} 15:30` };
    const who = { RelatieID: 4001, ContactpersoonID: 6001, AccountmanagerID: MANAGER + token };
    const more = { PartijOmschrijving: `E${token} Lunch`, AantalGasten: 20 + token };
    push(EVENT, { ExternalID: EXTERNAL + token, ...who, ...when, ...more });
    events.push(EXTERNAL + token);
  }
  for (const external of events) {
    const product = add.package({ OmschrijvingIntern: `Te koppelen ${next()}` });
    const cells = { ArrangementID: product, Aantal: AMOUNT + next(), Datum: '2027-05-12' };
    push(LINK, { 'Event.ExternalID': external, ...cells });
  }
  const stocked = add.recipe({ OmschrijvingIntern: 'Met voorraad' });
  add.stock(stocked, 100);
  const by = { WerknemerID: 12, DatumTijd: '2026-03-31 08:00', MutatieCategorieID: 4901 };
  for (let time = 0; time < 8 * size; time += 1) {
    const cells = { ProductID: stocked, AantalRekeneenheid: -1.5, MutatieReden: `M${next()} Bederf` };
    // Some have a name of their own, the others are known by their content.
    push(MUTATION, { '#key': time % 2 === 0 ? `m${next()}` : null, ...cells, ...by });
  }
  for (let time = 0; time < 4 * size; time += 1) {
    const product = add.recipe({ OmschrijvingIntern: `Geteld ${next()}` });
    add.stock(product, 50);
    push(COUNT, { ProductID: product, GeteldRekeneenheid: 48, MutatieReden: `C${next()} Telling`, ...by });
  }
  return rows;
}
