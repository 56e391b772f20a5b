import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportRecords, importWorkbook } from '../../src/index.ts';
import { arrangements } from '../../src/resources/arrangements.ts';
import { events } from '../../src/resources/events.ts';
import { trips } from '../../src/resources/trips.ts';
import { plannerService } from './planner-service.ts';

const ZERO = '0000-00-00 00:00:00';

/** A service that holds what its own fields don't take, and links that can't be told apart. */
async function oddService() {
  const service = await plannerService();
  service.events = [
    { PartijID: 1, Datum: '2026-03-04 00:00:00', AantalGasten: 'ca. 80', OpmaakDatum: ZERO, Budget: 'veel' },
    { PartijID: 2, Datum: '2026-03-04 00:00:00', AantalGasten: 12, Budget: 5 },
  ];
  service.trips = [
    { RitID: 1, Datum: '2026-03-04 00:00:00', TypeVoertuigID: 2.5, Chauffeur: 'Jan', Omschrijving: '\u00ad' },
    { RitID: 2, Datum: '2026-03-09 00:00:00', TypeVoertuigID: 9701, Chauffeur: 'Piet', Omschrijving: 'Naar' },
  ];
  service.links = {
    1: [
      { ArrangementID: 1, Aantal: '3', Datum: ZERO },
      { ArrangementID: 2, Aantal: 2.5 },
      { ArrangementID: 3, Aantal: 4, Datum: ZERO },
      { ArrangementID: 3, Aantal: 4.5 },
      { ArrangementID: 4, Aantal: 7, OfferteOmschrijving: 'tafel 1' },
      { ArrangementID: 4, Aantal: 9, OfferteOmschrijving: 'tafel 2' },
    ],
  };
  return service;
}

test.each([events, trips, arrangements])(
  'an untouched workbook of $name is unchanged though the service holds values that its fields refuse, and no cell is emptied',
  async (resource) => {
    const service = await oddService();
    const out = join(service.folder, 'uit.xlsx');
    const wishes = { ...service.options, out, from: '2026-01-01', to: '2026-12-31' };
    const { records, notes } = await exportRecords(resource, wishes);
    expect(notes.join()).toContain('the field does not take');
    const result = await importWorkbook(out, { ...service.options, strict: true });
    expect(result.rows).toEqual([]);
    expect(result.counts).toMatchObject({ read: records, unchanged: records });
    expect(result.sheets.flatMap(({ notes: said = [] }) => said).join()).not.toContain('emptied');
  },
);
