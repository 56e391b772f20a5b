import { z } from 'zod';
import { t } from '../core/language.ts';
import { detailAnswer, listedMembers, type Members, typed, writeAnswer } from '../schema/answer.ts';
import { defineEndpoint, type Endpoint } from '../schema/endpoint.ts';
import { bodySchema, boolean, datetime, endTime, type Fields, integer, type NamedRecord, text, timeOfDay } from '../schema/field.ts';
import { harmlessAnswer, tellingAnswer } from '../schema/judge-answer.ts';
import { listAnswer } from '../schema/page.ts';
import { defineResource } from '../schema/resource.ts';
import { contacts, dropdownValues, locations, relations } from './lookups.ts';

/** The members of an event record (interface 2.7); types of single fields vary, so all are read leniently. */
export const eventMembers = {
  ProgrammaDatum: 'datetime',
  HeeftVulling: 'bool',
  ...typed('int', 'PartijID', 'RelatieID', 'ContactpersoonID', 'StatusID'),
  Datum: 'datetime',
  ...typed('int', 'LocatieID', 'AdministratieID', 'AardIDNiveau1', 'AccountmanagerID'),
  SamenstellingGasten: 'string',
  HerrinneringDatum: 'datetime',
  ...typed('string', 'Opmerkingen', 'OpmerkingenFinancieel', 'AfleverAdresStraat', 'AfleverAdresHuisnummer', 'AfleverAdresPostcode'),
  ...typed('string', 'AfleverAdresPlaats', 'AfleverAdresLand', 'AfleverAdresContactpersoon', 'AfleverAdresEmail', 'AfleverAdresTelefoonnummer'),
  Reserveringsdatum: 'datetime',
  ...typed('int', 'BronWaardeID', 'AnnuleringsredenWaardeID'),
  AnnuleringsredenToelichting: 'string',
  ...typed('int', 'LabelWaardeID', 'ProjectmanagerID'),
  OptieDatum: 'datetime',
  AantalGasten: 'int',
  ...typed('string', 'PartijOmschrijving', 'Inkoopordernummer'),
  ...typed('int', 'FactuurRelatieID', 'FactuurContactPersoonID', 'TypeWaardeID', 'BehuizingstypeWaardeID', 'SlagingsWaardeID', 'RegioWaardeID'),
  PartijNietFactureren: 'bool',
  ...typed('int', 'LocatiePrijslijstID', 'LocatiePrijslijstIDAanvullend'),
  LMT: 'datetime',
  ...typed('bool', 'OverruleFinancieelContact', 'MeerdaagseEvenement'),
  SalesCoordinatorID: 'int',
  Budget: 'float',
  DeadlineVersturen: 'datetime',
  ThemaSfeerID: 'int',
  ...typed('string', 'MateriaalOpmerkingen', 'KeukenOpmerkingen'),
  AutomatischIncasseren: 'bool',
  AantalKinderen: 'int',
  NietOpVerzamelFactuur: 'bool',
  WerkelijkAantalGasten: 'int',
  AantalGastenDefinitief: 'bool',
  ...typed('string', 'TAV', 'Geachte'),
  ...typed('int', 'KostenplaatsID', 'BTWModusWaardeID', 'CentraleProductieLocatieID'),
  GeenOmzet: 'bool',
  ...typed('int', 'AantalRolcontainers', 'AantalBlauweKasten', 'CentraalProducerenWaardeID', 'ExternalID'),
  LaatsteProductieVerversingLMT: 'datetime',
} as const satisfies Members;

/** The columns that identify the event of a row. */
export const aboutEvent = {
  PartijID: integer({ create: 'required', reads: 'none', help: t('The event', 'Het evenement'), example: 9023 }),
  'Event.ExternalID': integer({
    reads: 'none',
    refers: { resources: ['events'], sheets: t('events', 'Evenementen'), sets: 'PartijID' },
    help: t('The event by your own number; in place of PartijID', 'Het evenement met je eigen nummer; in plaats van PartijID'),
    example: 70023,
  }),
  Datum: datetime({ create: 'optional', reads: 'none', help: t('Day of the event; to find it by your own number', 'Dag van het evenement; om het met je eigen nummer te vinden'), example: '2027-04-18' }),
} satisfies Fields;

/** Event (evenement) fields: the create and update tables of interface 4.4. */
const fields = {
  PartijID: integer({ update: 'required', help: t('The service’s own number of the event', 'Het nummer van het evenement in het systeem'), example: 9023 }),
  ExternalID: integer({ create: 'optional', update: 'optional', help: t('Your own number of the event', 'Je eigen nummer van het evenement'), example: 70023 }),
  RelatieID: integer({ create: 'required', update: 'optional', record: relations, help: t('Customer', 'Relatie'), example: 1 }),
  ContactpersoonID: integer({ create: 'required', update: 'optional', record: contacts, help: t('Contact person', 'Contactpersoon'), example: 1 }),
  Datum: datetime({ create: 'required', update: 'optional', help: t('Day', 'Dag'), example: '2027-04-18' }),
  Starttijd: timeOfDay({ create: 'required', update: 'optional', reads: 'none', help: t('Begin', 'Begin'), example: '2027-04-18 09:00' }),
  Eindtijd: endTime({ create: 'required', update: 'optional', reads: 'none', help: t('End', 'Einde'), example: '2027-04-18 17:30' }),
  PartijOmschrijving: text({ update: 'optional', sensible: 255, help: t('Description', 'Omschrijving'), example: 'Lunch Bakker BV' }),
  FactuurRelatieID: integer({ update: 'optional', record: relations, help: t('Customer on the invoice', 'Relatie op de factuur'), example: 1 }),
  FactuurContactpersoonID: integer({ update: 'optional', listName: 'FactuurContactPersoonID', record: contacts, help: t('Contact on the invoice', 'Contactpersoon op de factuur'), example: 1 }),
  AantalGasten: integer({ update: 'optional', help: t('Guests', 'Aantal gasten'), example: 145 }),
  AantalKinderen: integer({ update: 'optional', help: t('Children', 'Aantal kinderen'), example: 4 }),
  WerkelijkAantalGasten: integer({ update: 'optional', help: t('Guests who came', 'Werkelijk aantal gasten'), example: 140 }),
  AantalGastenDefinitief: boolean({ update: 'optional', help: t('Number of guests is final', 'Aantal gasten is definitief'), example: true }),
  LocatieID: integer({ create: 'optional', update: 'optional', record: locations, help: t('Location', 'Locatie'), example: 6 }),
  StatusID: integer({ create: 'optional', update: 'optional', help: t('Number of the status; the interface has no list of names', 'Nummer van de status; de interface heeft geen lijst met namen'), example: 2 }),
  MateriaalOpmerkingen: text({ update: 'optional', help: t('Remarks on equipment', 'Opmerkingen bij materiaal'), example: 'extra glazen' }),
  KeukenOpmerkingen: text({ update: 'optional', help: t('Remarks for the kitchen', 'Opmerkingen voor de keuken'), example: '3 × glutenvrij' }),
  Opmerkingen: text({ update: 'optional', help: t('Remarks', 'Opmerkingen'), example: 'DJ vanaf 21.00' }),
  KostenplaatsID: integer({ update: 'optional', help: t('Cost centre', 'Kostenplaats'), example: 1 }),
  BTWModusWaardeID: integer({ update: 'optional', lookup: dropdownValues('btwmodus'), help: t('VAT mode', 'Btw-modus'), example: 401 }),
  BronWaardeID: integer({ create: 'optional', lookup: dropdownValues('bron'), help: t('Source', 'Bron'), example: 411 }),
  TypeWaardeID: integer({ create: 'optional', lookup: dropdownValues('eventtype'), help: t('Type of event', 'Soort evenement'), example: 421 }),
  BehuizingstypeWaardeID: integer({ create: 'optional', lookup: dropdownValues('behuizingstype'), help: t('Type of housing', 'Behuizingstype'), example: 431 }),
  AccountmanagerID: integer({ create: 'optional', help: t('Account manager', 'Accountmanager'), example: 12 }),
  CentraleProductieLocatieID: integer({ create: 'optional', update: 'optional', reads: 'detail', help: t('Central production location', 'Centrale productielocatie'), example: 1 }),
  GeenOmzet: boolean({ create: 'optional', update: 'optional', help: t('No revenue', 'Geen omzet'), example: false }),
  CentraalProducerenWaardeID: integer({ create: 'optional', update: 'optional', help: t('1 central, 2 decentral production', '1 centraal, 2 decentraal produceren'), example: 1 }),
  MeerdaagseEvenement: boolean({ help: t('Takes several days; never sent', 'Duurt meer dagen; wordt nooit verstuurd') }),
} satisfies Fields;

/** An event record as any read may return it (interface 2.7); a list holds any number of them (4.4). */
const listed = listedMembers(fields, eventMembers);
const list = listAnswer(listed, { id: 'PartijID' });

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const period = { DatumVan: date, DatumTot: date };

/** The eight event endpoints of interface 4.4. */
export const eventEndpoints = {
  refresh: defineEndpoint({
    name: 'events.processevent',
    summary: t('Refresh an event', 'Ververs een evenement'),
    section: '4.4',
    method: 'GET',
    path: 'api/v1/event/{ID}/processevent',
    effect: 'same',
    answer: harmlessAnswer,
  }),
  allByLmt: defineEndpoint({
    name: 'events.allByLMT',
    summary: t('List events of a period changed after LMT', 'Lees evenementen van een periode gewijzigd na LMT'),
    section: '4.4',
    method: 'POST',
    path: 'api/v1/event/allByLMT',
    effect: 'none',
    body: z.strictObject({ EnkelEvenement: z.boolean(), ...period, LMT: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/) }),
    answer: list,
  }),
  all: defineEndpoint({
    name: 'events.all',
    summary: t('List events of a period', 'Lees evenementen van een periode'),
    section: '4.4',
    method: 'POST',
    path: 'api/v1/event/all',
    effect: 'none',
    body: z.strictObject({ EnkelEvenement: z.boolean(), ...period }),
    answer: list,
  }),
  allDefinitive: defineEndpoint({
    name: 'events.allkassa',
    summary: t('List definitive events of a period', 'Lees definitieve evenementen van een periode'),
    section: '4.4',
    method: 'POST',
    path: 'api/v1/event/allkassa',
    effect: 'none',
    body: z.strictObject({ EnkelEvent: z.boolean(), ...period }),
    answer: list,
  }),
  find: defineEndpoint({
    name: 'events.get',
    summary: t('Read an event by its number', 'Lees een evenement op nummer'),
    section: '4.4',
    method: 'GET',
    path: 'api/v1/event/{ID}',
    effect: 'none',
    answer: detailAnswer(listed, 'PartijID'),
  }),
  create: defineEndpoint({
    name: 'events.create',
    summary: t('Make an event', 'Maak een evenement'),
    section: '4.4',
    method: 'PUT',
    path: 'api/v1/event',
    effect: 'each',
    body: bodySchema(fields, 'create'),
    answer: writeAnswer,
  }),
  update: defineEndpoint({
    name: 'events.update',
    summary: t('Change an event', 'Wijzig een evenement'),
    section: '4.4',
    method: 'POST',
    path: 'api/v1/event',
    effect: 'same',
    body: bodySchema(fields, 'update'),
    answer: tellingAnswer,
  }),
  upload: defineEndpoint({
    name: 'events.uploaddocument',
    summary: t('Put a file in a folder of an event', 'Zet een bestand in een map van een evenement'),
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

/** Events, whose names people keep beside a PartijID. */
export const namedEvents: NamedRecord = { called: t('events', 'evenementen'), name: 'evenement', each: find as Endpoint<undefined, unknown>, id: 'PartijID', label: ['PartijOmschrijving'] };

/** Events (evenementen): created and changed here, never deleted. */
export const events = defineResource({
  name: 'events',
  sheet: 'Evenementen',
  about: t('The events themselves: made and changed here, never deleted', 'De evenementen zelf: hier aangemaakt en gewijzigd, nooit verwijderd'),
  kind: 'event',
  keys: ['PartijID', 'ExternalID'],
  id: 'PartijID',
  external: 'ExternalID',
  label: 'PartijOmschrijving',
  names: ['Omschrijving'],
  date: 'Datum',
  finds: ['MeerdaagseEvenement'],
  listed,
  named: [
    { id: 'RelatieID', header: '#Relatie', of: relations },
    { id: 'ContactpersoonID', header: '#Contactpersoon', of: contacts },
    { id: 'FactuurRelatieID', header: '#FactuurRelatie', of: relations },
    { id: 'FactuurContactpersoonID', header: '#FactuurContactpersoon', of: contacts },
    { id: 'LocatieID', header: '#Locatie', of: locations },
  ],
  fields,
  requests: { create, update, find, all, allByLmt, allDefinitive },
});
