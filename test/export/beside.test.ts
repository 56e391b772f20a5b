import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { readWorkbook } from '../../src/workbook/read-workbook.ts';
import { plannerService } from './planner-service.ts';

/** Two arrangements of one event, and one of an event without a name. */
async function linkedService() {
  const service = await plannerService();
  service.events = [
    {
      ...{ PartijID: 1, Datum: '2026-03-04 00:00:00' },
      ...{ PartijOmschrijving: 'Lunch Bakker BV', AfleverAdresPlaats: 'Nijkerk' },
    },
    { PartijID: 2, Datum: '2026-03-05 00:00:00' },
  ];
  service.links = {
    1: [
      { ArrangementID: 1, ArrangementNaam: 'Lunchbuffet', Aantal: 3 },
      { ArrangementID: 2, Aantal: 4 },
    ],
    2: [{ ArrangementID: 1, Aantal: 5 }],
  };
  return service;
}

test.each(['xlsx', 'csv'])(
  'an export of arrangements to %s shows the name, day and place of each event, which import passes over',
  async (ending) => {
    const { options, folder, asked } = await linkedService();
    const out = join(folder, `uit.${ending}`);
    await exportRecords(arrangements, { ...options, out, from: '2026-03-01', to: '2026-03-31' });
    // The list of events, and a list for each.
    expect(asked.map(({ path }) => path).toSorted()).toEqual([
      'event/1/packages',
      'event/2/packages',
      'event/all',
    ]);
    const [sheet] = (await readWorkbook(out, {})).sheets;
    const rows: string[] = [];
    for await (const { cells } of sheet?.rows ?? []) {
      const shown = [1, 2, 3, 4, 5, 6].map((place) => cells.find(({ column }) => column === place)?.value);
      rows.push(shown.map((value) => `${value ?? ''}`.replace(' 00:00:00', '')).join(';'));
    }
    expect(rows).toEqual([
      'PartijID;#Evenement;#EvenementDatum;#Plaats;ArrangementID;#Arrangement',
      '1;Lunch Bakker BV;2026-03-04;Nijkerk;1;Lunchbuffet',
      '1;Lunch Bakker BV;2026-03-04;Nijkerk;2;',
      '2;;2026-03-05;;1;',
    ]);
    const { counts, sheets } = await importWorkbook(out, options);
    expect(counts).toMatchObject({ read: 3, unchanged: 3 });
    expect(JSON.stringify(sheets)).not.toContain('not used');
  },
);
