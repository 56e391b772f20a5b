import type { SecondService } from '../../second-service/second-service.ts';
import { AMOUNT, MANAGER, type RowSpec } from '../any-service/draw-workbook.ts';

/** Added to the number of a row in its ExternalID. */
const EXTERNAL = 800_000;

/**
 * Rows of all seven sheets, 36 for each of `size`; what they are about is put there. Every request tells by a
 * number in it which row it comes from.
 */
export function pacedRows({ add }: SecondService, size: number): RowSpec[] {
  const rows: RowSpec[] = [];
  const push = (
    count: number,
    [sheet, kind, does]: readonly [string, RowSpec['kind'], RowSpec['does']],
    cellsOf: (token: number, time: number) => RowSpec['cells'],
  ): void => {
    for (let time = 0; time < count * size; time += 1) {
      const [row, token] = [2 + rows.filter((one) => one.sheet === sheet).length, rows.length + 1];
      const cells = cellsOf(token, time);
      rows.push({
        sheet,
        kind,
        does,
        row,
        token,
        cells,
        ...(kind === 'trip' && { target: Number(cells.RitID) }),
      });
    }
  };
  push(5, ['Pakketten', 'package', 'create'], (token) => ({
    ExternalID: EXTERNAL + token,
    OmschrijvingIntern: `P${token} Borrel`,
    ProductTypeID: 1,
    Verkoopprijs: 12.5,
  }));
  push(4, ['Evenementen', 'event', 'create'], (token) => {
    const day = `2027-05-${10 + (token % 18)}`;
    const when = { Datum: day, Starttijd: `${day} 12:00`, Eindtijd: `${day} 15:30` };
    const who = { RelatieID: 4001, ContactpersoonID: 6001, AccountmanagerID: MANAGER + token };
    const more = { PartijOmschrijving: `E${token} Lunch`, AantalGasten: 20 + token };
    return { ExternalID: EXTERNAL + token, ...who, ...when, ...more };
  });
  push(4, ['Arrangementen', 'link', 'create'], (token, time) => ({
    // The events stand behind the packages.
    'Event.ExternalID': EXTERNAL + 5 * size + 1 + time,
    ArrangementID: add.package({ OmschrijvingIntern: `Te koppelen ${token}` }),
    Aantal: AMOUNT + token,
    Datum: '2027-05-12',
  }));
  const stocked = (name: string, amount: number): number => {
    const product = add.recipe({ OmschrijvingIntern: name });
    add.stock(product, amount);
    return product;
  };
  const by = { WerknemerID: 12, DatumTijd: '2026-03-31 08:00', MutatieCategorieID: 4901 };
  const product = stocked('Met voorraad', 100);
  push(8, ['Voorraadmutaties', 'mutation', 'post'], (token, time) => ({
    // Some have a name of their own, the others are known by their content.
    '#key': time % 2 === 0 ? `m${token}` : null,
    ProductID: product,
    AantalRekeneenheid: -1.5,
    MutatieReden: `M${token} Bederf`,
    ...by,
  }));
  push(4, ['Voorraadtelling', 'mutation', 'count'], (token) => ({
    ProductID: stocked(`Geteld ${token}`, 50),
    GeteldRekeneenheid: 48,
    MutatieReden: `C${token} Telling`,
    ...by,
  }));
  push(5, ['Recepten', 'recipe', 'create'], (token) => ({
    ExternalID: EXTERNAL + token,
    OmschrijvingIntern: `R${token} Soep`,
    OPK: 4,
    ProductCategorieID: 11,
    ProductEenheidWaardeID: 501,
    Gewicht: 0.25,
  }));
  const trip = (token: number) => ({
    RitID: add.trip({ Datum: '2027-03-01', Chauffeur: `Oud ${token}` }),
    Datum: '2027-03-01',
  });
  push(5, ['Ritten', 'trip', 'update'], (token) => ({
    ...trip(token),
    '#action': null,
    Chauffeur: `T${token} Bus`,
    RetourRit: true,
  }));
  push(1, ['Ritten', 'trip', 'delete'], (token) => ({ ...trip(token), '#action': 'delete' }));
  return rows;
}
