import { z } from 'zod';
import { detailAnswer, writeAnswer } from '../schema/answer.ts';
import { bodySchema } from '../schema/body.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { boolean, datetime, type Fields, integer, text, timeOfDay } from '../schema/field.ts';
import { harmlessAnswer, tellingAnswer } from '../schema/judge-answer.ts';
import { defineResource } from '../schema/resource.ts';
import { eventList } from './event-list.ts';
import { eventMembers, eventRecord } from './event-record.ts';
import { dropdownValues } from './lookups.ts';

/** Event (evenement) fields: the create and update tables of interface 4.4. */
const fields = {
  PartijID: integer({ update: 'required', help: { en: 'The service’s own number of the event', nl: 'Het nummer van het evenement in de dienst' }, example: 9023 }),
  ExternalID: integer({ create: 'optional', update: 'optional', help: { en: 'Your own number of the event', nl: 'Je eigen nummer van het evenement' }, example: 70023 }),
  RelatieID: integer({ create: 'required', update: 'optional', help: { en: 'Customer', nl: 'Relatie' }, example: 1 }),
  ContactpersoonID: integer({ create: 'required', update: 'optional', help: { en: 'Contact person', nl: 'Contactpersoon' }, example: 6 }),
  Datum: datetime({ create: 'required', update: 'optional', help: { en: 'Day', nl: 'Dag' }, example: '2027-04-18' }),
  Starttijd: timeOfDay({ create: 'required', update: 'optional', reads: 'none', help: { en: 'Begin', nl: 'Begin' }, example: '2027-04-18 09:00' }),
  Eindtijd: timeOfDay({ create: 'required', update: 'optional', reads: 'none', help: { en: 'End', nl: 'Einde' }, example: '2027-04-18 17:30' }),
  PartijOmschrijving: text({ update: 'optional', sensible: 255, help: { en: 'Description', nl: 'Omschrijving' }, example: 'Lunch Bakker BV' }),
  FactuurRelatieID: integer({ update: 'optional', help: { en: 'Customer on the invoice', nl: 'Relatie op de factuur' }, example: 1 }),
  FactuurContactpersoonID: integer({ update: 'optional', listName: 'FactuurContactPersoonID', help: { en: 'Contact on the invoice', nl: 'Contactpersoon op de factuur' }, example: 6 }),
  AantalGasten: integer({ update: 'optional', help: { en: 'Guests', nl: 'Aantal gasten' }, example: 145 }),
  AantalKinderen: integer({ update: 'optional', help: { en: 'Children', nl: 'Aantal kinderen' }, example: 4 }),
  WerkelijkAantalGasten: integer({ update: 'optional', help: { en: 'Guests who came', nl: 'Werkelijk aantal gasten' }, example: 140 }),
  AantalGastenDefinitief: boolean({ update: 'optional', help: { en: 'Number of guests is final', nl: 'Aantal gasten is definitief' }, example: true }),
  LocatieID: integer({ create: 'optional', update: 'optional', help: { en: 'Location', nl: 'Locatie' }, example: 6 }),
  StatusID: integer({ create: 'optional', update: 'optional', help: { en: 'Status', nl: 'Status' }, example: 2 }),
  MateriaalOpmerkingen: text({ update: 'optional', help: { en: 'Remarks on equipment', nl: 'Opmerkingen bij materiaal' }, example: 'extra glazen' }),
  KeukenOpmerkingen: text({ update: 'optional', help: { en: 'Remarks for the kitchen', nl: 'Opmerkingen voor de keuken' }, example: '3 × glutenvrij' }),
  Opmerkingen: text({ update: 'optional', help: { en: 'Remarks', nl: 'Opmerkingen' }, example: 'DJ vanaf 21.00' }),
  KostenplaatsID: integer({ update: 'optional', help: { en: 'Cost centre', nl: 'Kostenplaats' }, example: 1 }),
  BTWModusWaardeID: integer({ update: 'optional', lookup: dropdownValues('btwmodus'), help: { en: 'VAT mode', nl: 'Btw-modus' }, example: 401 }),
  BronWaardeID: integer({ create: 'optional', lookup: dropdownValues('bron'), help: { en: 'Source', nl: 'Bron' }, example: 411 }),
  TypeWaardeID: integer({ create: 'optional', lookup: dropdownValues('eventtype'), help: { en: 'Type of event', nl: 'Soort evenement' }, example: 421 }),
  BehuizingstypeWaardeID: integer({ create: 'optional', lookup: dropdownValues('behuizingstype'), help: { en: 'Type of housing', nl: 'Behuizingstype' }, example: 431 }),
  AccountmanagerID: integer({ create: 'optional', help: { en: 'Account manager', nl: 'Accountmanager' }, example: 12 }),
  CentraleProductieLocatieID: integer({ create: 'optional', update: 'optional', reads: 'detail', help: { en: 'Central production location', nl: 'Centrale productielocatie' }, example: 1 }),
  GeenOmzet: boolean({ create: 'optional', update: 'optional', help: { en: 'No revenue', nl: 'Geen omzet' }, example: false }),
  CentraalProducerenWaardeID: integer({ create: 'optional', update: 'optional', help: { en: '1 central, 2 decentral production', nl: '1 centraal, 2 decentraal produceren' }, example: 1 }),
  MeerdaagseEvenement: boolean({ help: { en: 'Takes several days; never sent', nl: 'Duurt meer dagen; wordt nooit verstuurd' } }),
} satisfies Fields;

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const period = { DatumVan: date, DatumTot: date };

/** The eight event endpoints of interface 4.4. */
export const eventEndpoints = {
  refresh: defineEndpoint({ name: 'events.processevent', section: '4.4', method: 'GET', path: 'api/v1/event/{ID}/processevent', effect: 'same', answer: harmlessAnswer }),
  allByLmt: defineEndpoint({
    name: 'events.allByLMT',
    section: '4.4',
    method: 'POST',
    path: 'api/v1/event/allByLMT',
    effect: 'none',
    body: z.strictObject({ EnkelEvenement: z.boolean(), ...period, LMT: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/) }),
    answer: eventList,
  }),
  all: defineEndpoint({ name: 'events.all', section: '4.4', method: 'POST', path: 'api/v1/event/all', effect: 'none', body: z.strictObject({ EnkelEvenement: z.boolean(), ...period }), answer: eventList }),
  allDefinitive: defineEndpoint({
    name: 'events.allkassa',
    section: '4.4',
    method: 'POST',
    path: 'api/v1/event/allkassa',
    effect: 'none',
    body: z.strictObject({ EnkelEvent: z.boolean(), ...period }),
    answer: eventList,
  }),
  find: defineEndpoint({ name: 'events.get', section: '4.4', method: 'GET', path: 'api/v1/event/{ID}', effect: 'none', answer: detailAnswer(eventRecord) }),
  create: defineEndpoint({ name: 'events.create', section: '4.4', method: 'PUT', path: 'api/v1/event', effect: 'each', body: bodySchema(fields, 'create'), answer: writeAnswer }),
  update: defineEndpoint({ name: 'events.update', section: '4.4', method: 'POST', path: 'api/v1/event', effect: 'same', body: bodySchema(fields, 'update'), answer: writeAnswer }),
  upload: defineEndpoint({
    name: 'events.uploaddocument',
    section: '4.4',
    method: 'POST',
    path: 'api/v1/event/uploaddocument',
    effect: 'each',
    sends: 'multipart',
    body: z.strictObject({ PartijID: z.int(), Submap: z.string(), Document: z.instanceof(Blob) }),
    answer: tellingAnswer,
  }),
} as const;

const { create, update, find, all, allByLmt, allDefinitive } = eventEndpoints;

/** Events (evenementen): made and changed here, never deleted. */
export const events = defineResource({
  name: 'events',
  sheet: 'Evenementen',
  about: { en: 'The events themselves: made and changed here, never deleted', nl: 'De evenementen zelf: hier aangemaakt en gewijzigd, nooit verwijderd' },
  kind: 'event',
  keys: ['PartijID', 'ExternalID'],
  id: 'PartijID',
  external: 'ExternalID',
  label: 'PartijOmschrijving',
  date: 'Datum',
  severalDays: 'MeerdaagseEvenement',
  finds: ['MeerdaagseEvenement'],
  listed: eventMembers,
  fields,
  requests: { create, update, find, all, allByLmt, allDefinitive },
});
