import { expect, it } from 'vitest';
import { importWorkbook, refreshEvents, uploadDocuments } from '../../src/index.ts';
import { makeWorkbook } from '../helpers/make-workbook.ts';
import { serviceOnly } from '../helpers/service-options.ts';
import { put } from '../kinds/document/fixtures.ts';
import { openRows } from '../records/keyed-rows.ts';

const STOCK = ['WerknemerID', 'DatumTijd', 'MutatieCategorieID', 'MutatieReden'] as const;
const stocked = (at: string) => [12, at, 4901, 'Telling koelcel'];

/** What the first ledger imported before. */
const EARLIER = {
  Pakketten: [
    ['ExternalID', 'OmschrijvingIntern', 'ProductTypeID', 'Verkoopprijs'],
    [30_001, 'Kerstbuffet', 1, 34.5],
  ],
  Recepten: [
    ['ExternalID', 'OmschrijvingIntern', 'ProductCategorieID', 'ProductEenheidWaardeID', 'Gewicht', 'OPK'],
    [40_001, 'Erwtensoep', 11, 501, 0.3, 10],
    [40_002, 'Bietensoep', 11, 501, 0.3, 10],
  ],
  Voorraadmutaties: [
    ['Product.ExternalID', 'AantalRekeneenheid', ...STOCK],
    [40_002, 3, ...stocked('2026-03-02 08:00')],
  ],
  Voorraadtelling: [
    ['Product.ExternalID', 'GeteldRekeneenheid', ...STOCK],
    [30_001, 7, ...stocked('2026-03-03 08:00')],
  ],
  Evenementen: [
    ['ExternalID', 'RelatieID', 'ContactpersoonID', 'Datum', 'Starttijd', 'Eindtijd', 'AantalGasten'],
    [8001, 4001, 6001, '2027-05-01', '2027-05-01 12:00', '2027-05-01 15:00', 40],
  ],
  Arrangementen: [
    ['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'],
    [8001, 1, 40, '2027-05-01'],
  ],
};

/** Rows of all seven sheets, on records that it made and on others, by the user's own numbers alone. */
const rowsNow = (ids: { readonly package: number; readonly trip: number }) => ({
  Pakketten: [
    ['ExternalID', 'Verkoopprijs'],
    [30_001, 36],
    [101, 19],
    [30_999, 20],
  ],
  Recepten: [
    ['ExternalID', 'Gewicht'],
    [40_001, 0.4],
    [40_999, 0.4],
  ],
  Voorraadmutaties: [
    ['Product.ExternalID', 'AantalRekeneenheid', ...STOCK],
    [40_001, 2, ...stocked('2026-03-04 08:00')],
    [40_999, 2, ...stocked('2026-03-04 08:00')],
  ],
  Voorraadtelling: [
    ['Product.ExternalID', 'GeteldRekeneenheid', ...STOCK],
    [101, 5, ...stocked('2026-03-05 08:00')],
  ],
  Evenementen: [
    ['ExternalID', 'AantalGasten', 'Datum'],
    [8001, 45, null],
    [7001, 46, null],
    [7002, 47, null],
    [7002, 47, '2027-01-01'],
    [7999, 48, null],
  ],
  Arrangementen: [
    ['Event.ExternalID', 'ArrangementID', 'Aantal', 'Datum'],
    [8001, 1, 45, null],
    [7003, ids.package, 46, null],
    // Its event is far from its day.
    [7002, 2, 47, '2027-01-01'],
    [7999, 1, 48, null],
  ],
  Ritten: [
    ['RitID', 'Chauffeur'],
    [ids.trip, 'Joost de Wit'],
    [999_999, 'Joost de Wit'],
  ],
});

it('a row means the same whatever was imported before it and from which machine, in each of the seven sheets', async () => {
  const { service, folder, options } = await openRows();
  const far = service.add.event({ PartijOmschrijving: 'Jubileum', Datum: '2028-11-20', ExternalID: 7002 });
  const near = service.add.event({ PartijOmschrijving: 'Diner', Datum: '2027-03-03', ExternalID: 7003 });
  const borrel = Number(service.packages.all().find(({ ExternalID }) => ExternalID === 101)?.ProductID);
  service.add.link(near, borrel, { Aantal: 40, Datum: '2027-03-03' });
  const trip = Number(service.trips.all()[0]?.RitID);
  const on = (ledger: string) => ({ ...options, ledger: `${folder}/${ledger}.db` });
  const before = await importWorkbook(await makeWorkbook(`${folder}/eerder.xlsx`, EARLIER), on('first'));
  expect(before.counts).toMatchObject({ read: 7, created: 7 });

  const file = await makeWorkbook(`${folder}/nu.xlsx`, rowsNow({ package: borrel, trip }));
  put(`${folder}/offerte.pdf`, 'offerte');
  const documents = put(
    `${folder}/documenten.csv`,
    'Event.ExternalID;Submap;Document\n8001;Offertes;offerte.pdf\n7002;Offertes;offerte.pdf\n7999;Offertes;offerte.pdf\n',
  );
  const refreshes = put(`${folder}/verversen.csv`, 'Event.ExternalID\n8001\n7002\n7999\n');
  const plansOn = async (ledger: string) => {
    const more = { ...on(ledger), dryRun: true } as const;
    const calls = serviceOnly({ ...more, allRows: undefined });
    const plans = [
      await importWorkbook(file, more),
      await uploadDocuments(documents, { ...calls, from: folder }),
      await refreshEvents(refreshes, calls),
    ];
    const planned = plans.flatMap(({ rows }) =>
      rows.map(({ sheet, row, status, id, changes, issues }) => ({
        ...{ sheet, row, status, id, changes },
        issues: issues?.map(({ code, field }) => `${field} ${code}`),
      })),
    );
    return { planned, counts: plans.map(({ counts }) => counts) };
  };
  const plan = await plansOn('first');
  const said = plan.planned.map(({ sheet, row, status }) => `${sheet} ${row} ${status}`);
  expect(said).toMatchInlineSnapshot(`
    [
      "Pakketten 2 update",
      "Pakketten 3 update",
      "Pakketten 4 invalid",
      "Recepten 2 update",
      "Recepten 3 invalid",
      "Evenementen 2 update",
      "Evenementen 3 update",
      "Evenementen 4 update",
      "Evenementen 5 update",
      "Evenementen 6 invalid",
      "Voorraadmutaties 2 create",
      "Voorraadmutaties 3 invalid",
      "Voorraadtelling 2 create",
      "Arrangementen 2 update",
      "Arrangementen 3 update",
      "Arrangementen 4 create",
      "Arrangementen 5 invalid",
      "Ritten 2 update",
      "Ritten 3 invalid",
      "documenten 4 invalid",
      "verversen 4 invalid",
    ]
  `);
  expect(plan.counts.slice(1)).toMatchObject([
    { created: 2, invalid: 1 },
    { updated: 2, invalid: 1 },
  ]);
  expect(plan.planned.find(({ sheet, row }) => sheet === 'Evenementen' && row === 4)?.id).toBe(far);
  for (const ledger of ['second', 'second', 'third', 'first']) expect(await plansOn(ledger)).toEqual(plan);
});
