import { z } from 'zod';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { t } from '../core/language.ts';
import { listedMembers, type Members, typed, writeAnswer } from '../schema/answer.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { bodySchema, boolean, datetime, decimal, type Fields, integer, text } from '../schema/field.ts';
import { unshownAnswer } from '../schema/judge-answer.ts';
import { listAnswer } from '../schema/page.ts';
import { defineResource } from '../schema/resource.ts';
import { eventMembers, namedEvents } from './events.ts';
import { contacts, dropdownValues, relations } from './lookups.ts';

/** The contact person of a trip (interface 2.9). */
export const contact = {
  ...typed('int', 'ContactpersoonID', 'RelatieID'),
  Geslacht: 'unknown',
  ...typed('string', 'Voornaam', 'Tussenvoegsel', 'Achternaam', 'Telefoon', 'TelefoonPrive', 'Mobiel', 'Fax', 'Email', 'EmailPrive'),
  FinancieelContact: 'bool',
  Opmerking: 'string',
  DEL: 'bool',
  ...typed('int', 'AfdelingWaardeID', 'FunctieID'),
  ...typed('string', 'Straat', 'Huisnummer', 'Postcode', 'Plaats', 'Provincie', 'Land', 'Voorletters'),
  TitelID: 'int',
  MailingOntvangen: 'bool',
  ...typed('string', 'Twitter', 'LinkedIn'),
  ContactpersoonTypeWaardeID: 'int',
  Geachte: 'string',
} satisfies Members;

/** The customer of a trip (interface 2.9). */
export const relation = {
  RelatieID: 'int',
  ...typed('string', 'DebiteurNummer', 'CrediteurNummer', 'Bedrijfsnaam', 'Telefoon', 'Fax', 'Email', 'Website', 'BTWNummer', 'Opmerking'),
  TypeRelatieID: 'int',
  BetalingsTermijn: 'unknown',
  DEL: 'bool',
  TAVStijl: 'unknown',
  DigitaleFactuur: 'bool',
  KvKnummer: 'string',
  BedrijfsvormWaardeID: 'int',
  Broncode: 'string',
  Kredietbeperking: 'bool',
  ...typed('string', 'BankNr', 'IbanNr', 'BicNr'),
  Boekhoudkoppeling_Forceren: 'bool',
  BetalingsTermijn_Crediteur: 'unknown',
  ExternalID: 'int',
  ...typed('string', 'MandaatID', 'EvenementOpmerking'),
  EersteBoekingJaar: 'unknown',
  EersteBoekingDagMaand: 'string',
  KredietCheck: 'bool',
  KredietWaardigheid: 'unknown',
  KredietCheckDatum: 'datetime',
  TypeGebruikerWaardeID: 'int',
  IncassoRekeninghouder: 'string',
  IncassoOndertekenDatum: 'datetime',
  ...typed('unknown', 'IncassoMachtigingAkkoord', 'TAVHandmatig', 'LocatienummersTonen'),
  OprichtingsDatum: 'datetime',
} satisfies Members;

const planning = {
  ...typed('int', 'PlanningID', 'BehoefteID', 'WerknemerID', 'CompetentieID'),
  Datum: 'datetime',
  ...typed('unknown', 'Vertrek', 'Van', 'Tot', 'Retour'),
  MedewerkerAkkoordDatum: 'datetime',
  MedewerkerAkkoord: 'bool',
  ...typed('string', 'MedewerkerOpmerking', 'PlanningOpmerking'),
  ...typed('datetime', 'Invoerdatum', 'LMT'),
  ...typed('bool', 'Ziek', 'EigenAuto'),
  PlanningAkkoordStatusID: 'int',
} satisfies Members;

/** The demand for staff that a trip answers, with its planning (interface 2.9). */
const demand = {
  ...typed('int', 'BehoefteID', 'BehoefteTypeID', 'PartijID', 'LocatieID', 'AfdelingID'),
  Datum: 'datetime',
  AantalPersonen: 'int',
  ...typed('unknown', 'Van', 'Tot'),
  CompetentieID: 'int',
  ...typed('unknown', 'Vertrek', 'Retour'),
  Omschrijving: 'string',
  RitID: 'int',
  planning: { many: planning, flat: true },
} satisfies Members;

/** The members of a trip (rit) as lists return it, with its nested objects (interface 2.9). */
const tripMembers = {
  ...typed('int', 'RitID', 'PartijID'),
  Datum: 'datetime',
  Opmerking: 'string',
  Verwerkt: 'bool',
  LMT: 'datetime',
  ...typed('unknown', 'Van', 'Tot'),
  ...typed('string', 'Omschrijving', 'Naar'),
  ...typed('int', 'RelatieID', 'ContactpersoonID'),
  ...typed('string', 'Straat', 'Huisnummer', 'Postcode', 'Plaats', 'Land'),
  ...typed('bool', 'Culinair', 'Decoratie', 'Dranken', 'Entertainment', 'Materialen', 'OverigeDiensten', 'Techniek', 'Keukenrit', 'DEL'),
  ProgrammaID: 'int',
  ...typed('float', 'Verkoopprijs', 'Kostprijs', 'KM'),
  BTWID: 'int',
  RealisatieIngevoerd: 'bool',
  GrootboekrekeningID: 'int',
  OfferteTekst: 'string',
  FactuurregelID: 'int',
  LMTCreated: 'datetime',
  OmschrijvingExtern: 'string',
  OpnemenInOfferte: 'bool',
  Chauffeur: 'string',
  ...typed('int', 'TypeVoertuigID', 'SubtypeRitID', 'AantalBlauweKastenRit', 'AantalRolcontainersRit'),
  RetourRit: 'bool',
  contact: { one: contact },
  relation: { one: relation },
  event: { one: eventMembers },
  demand: { one: demand },
} satisfies Members;

/** Trip (rit) fields: those of an update (interface 4.6), and those that tell trips apart (2.9). */
const fields = {
  RitID: integer({ update: 'required', help: t('The trip', 'De rit'), example: 8001 }),
  Datum: datetime({ help: t('Day; never sent', 'Dag; wordt nooit verstuurd') }),
  Van: datetime({ help: t('From; never sent', 'Van; wordt nooit verstuurd') }),
  Tot: datetime({ help: t('Until; never sent', 'Tot; wordt nooit verstuurd') }),
  Omschrijving: text({ help: t('Description; never sent', 'Omschrijving; wordt nooit verstuurd') }),
  Naar: text({ help: t('Destination; never sent', 'Bestemming; wordt nooit verstuurd') }),
  Plaats: text({ help: t('Place; never sent', 'Plaats; wordt nooit verstuurd') }),
  Chauffeur: text({ update: 'optional', sensible: 255, help: t('Driver', 'Chauffeur'), example: 'J. de Boer' }),
  TypeVoertuigID: integer({ update: 'optional', lookup: dropdownValues('voertuigtype', 97), help: t('Vehicle type', 'Type voertuig'), example: 9701 }),
  SubtypeRitID: integer({ update: 'optional', reads: 'list', lookup: dropdownValues('subtyperit', 96), help: t('Trip subtype', 'Subtype rit'), example: 9601 }),
  RetourRit: boolean({ update: 'optional', help: t('Return trip', 'Retourrit'), example: false }),
  Opmerking: text({ help: t('Remark; never sent', 'Opmerking; wordt nooit verstuurd') }),
  PartijID: integer({ said: namedEvents, help: t('The event; never sent', 'Het evenement; wordt nooit verstuurd') }),
  KM: decimal({ help: t('Kilometres; never sent', 'Kilometers; wordt nooit verstuurd') }),
  Verwerkt: boolean({ help: t('Processed; never sent', 'Verwerkt; wordt nooit verstuurd') }),
  LMT: datetime({ help: t('Last modified; by the service, never sent', 'Laatst gewijzigd; door het systeem, wordt nooit verstuurd') }),
} satisfies Fields;

const moment = datetimeCodec.wire;
const listed = listedMembers(fields, tripMembers);
const list = listAnswer(listed, { id: 'RitID' });

/** The four trip endpoints of interface 4.6. */
export const tripEndpoints = {
  all: defineEndpoint({
    name: 'trips.all',
    summary: t('List trips of a period', 'Lees ritten van een periode'),
    section: '4.6',
    method: 'POST',
    path: 'api/v1/ritten/all',
    effect: 'none',
    body: z.strictObject({ DatumVan: moment, DatumTot: moment }),
    answer: list,
  }),
  allByLmt: defineEndpoint({
    name: 'trips.allByLMT',
    summary: t('List trips changed after LMT', 'Lees ritten gewijzigd na LMT'),
    section: '4.6',
    method: 'POST',
    path: 'api/v1/ritten/allByLMT',
    effect: 'none',
    body: z.strictObject({ LMT: moment }),
    answer: list,
  }),
  update: defineEndpoint({
    name: 'trips.update',
    summary: t('Change a trip', 'Wijzig een rit'),
    section: '4.6',
    method: 'POST',
    path: 'api/v1/ritten',
    effect: 'same',
    body: bodySchema(fields, 'update'),
    answer: writeAnswer,
  }),
  /** The response is not shown (interface 4.6). */
  remove: defineEndpoint({ name: 'trips.delete', summary: t('Delete a trip', 'Verwijder een rit'), section: '4.6', method: 'DELETE', path: 'api/v1/ritten/{ID}', effect: 'same', returns: 'any', answer: unshownAnswer }),
} as const;

/** Trips (ritten): no request makes one; drivers and vehicles are filled in here. */
export const trips = defineResource({
  name: 'trips',
  sheet: 'Ritten',
  about: t('Drivers and vehicles of trips that are there; no trip is made here', 'Chauffeur en voertuig van ritten die er zijn; ritten maak je hier niet'),
  kind: 'trip',
  keys: ['RitID'],
  label: 'Omschrijving',
  finds: ['Datum', 'LMT'],
  id: 'RitID',
  date: 'Datum',
  modified: 'LMT',
  listed,
  // A trip holds the records of its event, customer and contact; of its employees no request gives a name.
  named: [
    { id: 'PartijID', header: '#Evenement', of: { called: t('events', 'evenementen'), name: 'evenement', label: ['PartijOmschrijving'] }, in: ['event'] },
    { id: 'RelatieID', header: '#Relatie', of: relations, in: ['relation'] },
    { id: 'ContactpersoonID', header: '#Contactpersoon', of: contacts, in: ['contact'] },
    { id: 'demand.planning.WerknemerID', of: { called: t('employees', 'werknemers'), name: 'werknemer' }, in: [] },
  ],
  fields,
  requests: tripEndpoints,
});
