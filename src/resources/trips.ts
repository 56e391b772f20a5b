import { z } from 'zod';
import { datetimeCodec } from '../core/codecs/datetime.ts';
import { t } from '../core/language.ts';
import { listedMembers, type Members, membersRecord, writeAnswer } from '../schema/answer.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { bodySchema, boolean, datetime, decimal, type Fields, integer, text } from '../schema/field.ts';
import { listAnswer } from '../schema/list.ts';
import { defineResource } from '../schema/resource.ts';
import { eventMembers } from './events.ts';
import { dropdownValues } from './lookups.ts';

/** The contact person of a trip (interface 2.9). */
const contact = {
  ContactpersoonID: 'int',
  RelatieID: 'int',
  Geslacht: 'unknown',
  Voornaam: 'string',
  Tussenvoegsel: 'string',
  Achternaam: 'string',
  Telefoon: 'string',
  TelefoonPrive: 'string',
  Mobiel: 'string',
  Fax: 'string',
  Email: 'string',
  EmailPrive: 'string',
  FinancieelContact: 'bool',
  Opmerking: 'string',
  DEL: 'bool',
  AfdelingWaardeID: 'int',
  FunctieID: 'int',
  Straat: 'string',
  Huisnummer: 'string',
  Postcode: 'string',
  Plaats: 'string',
  Provincie: 'string',
  Land: 'string',
  Voorletters: 'string',
  TitelID: 'int',
  MailingOntvangen: 'bool',
  Twitter: 'string',
  LinkedIn: 'string',
  ContactpersoonTypeWaardeID: 'int',
  Geachte: 'string',
} satisfies Members;

/** The customer of a trip (interface 2.9). */
export const relation = {
  RelatieID: 'int',
  DebiteurNummer: 'string',
  CrediteurNummer: 'string',
  Bedrijfsnaam: 'string',
  Telefoon: 'string',
  Fax: 'string',
  Email: 'string',
  Website: 'string',
  BTWNummer: 'string',
  Opmerking: 'string',
  TypeRelatieID: 'int',
  BetalingsTermijn: 'unknown',
  DEL: 'bool',
  TAVStijl: 'unknown',
  DigitaleFactuur: 'bool',
  KvKnummer: 'string',
  BedrijfsvormWaardeID: 'int',
  Broncode: 'string',
  Kredietbeperking: 'bool',
  BankNr: 'string',
  IbanNr: 'string',
  BicNr: 'string',
  Boekhoudkoppeling_Forceren: 'bool',
  BetalingsTermijn_Crediteur: 'unknown',
  ExternalID: 'int',
  MandaatID: 'string',
  EvenementOpmerking: 'string',
  EersteBoekingJaar: 'unknown',
  EersteBoekingDagMaand: 'string',
  KredietCheck: 'bool',
  KredietWaardigheid: 'unknown',
  KredietCheckDatum: 'datetime',
  TypeGebruikerWaardeID: 'int',
  IncassoRekeninghouder: 'string',
  IncassoOndertekenDatum: 'datetime',
  IncassoMachtigingAkkoord: 'unknown',
  TAVHandmatig: 'unknown',
  LocatienummersTonen: 'unknown',
  OprichtingsDatum: 'datetime',
} satisfies Members;

const planning = {
  PlanningID: 'int',
  BehoefteID: 'int',
  WerknemerID: 'int',
  CompetentieID: 'int',
  Datum: 'datetime',
  Vertrek: 'unknown',
  Van: 'unknown',
  Tot: 'unknown',
  Retour: 'unknown',
  MedewerkerAkkoordDatum: 'datetime',
  MedewerkerAkkoord: 'bool',
  MedewerkerOpmerking: 'string',
  PlanningOpmerking: 'string',
  Invoerdatum: 'datetime',
  LMT: 'datetime',
  Ziek: 'bool',
  EigenAuto: 'bool',
  PlanningAkkoordStatusID: 'int',
} satisfies Members;

/** The demand for staff that a trip answers, with its planning (interface 2.9). */
const demand = {
  BehoefteID: 'int',
  BehoefteTypeID: 'int',
  PartijID: 'int',
  LocatieID: 'int',
  AfdelingID: 'int',
  Datum: 'datetime',
  AantalPersonen: 'int',
  Van: 'unknown',
  Tot: 'unknown',
  CompetentieID: 'int',
  Vertrek: 'unknown',
  Retour: 'unknown',
  Omschrijving: 'string',
  RitID: 'int',
  planning: { many: planning, flat: true },
} satisfies Members;

/** The members of a trip (rit) as lists return it, with its nested objects (interface 2.9). */
const tripMembers = {
  RitID: 'int',
  PartijID: 'int',
  Datum: 'datetime',
  Opmerking: 'string',
  Verwerkt: 'bool',
  LMT: 'datetime',
  Van: 'unknown',
  Tot: 'unknown',
  Omschrijving: 'string',
  Naar: 'string',
  RelatieID: 'int',
  ContactpersoonID: 'int',
  Straat: 'string',
  Huisnummer: 'string',
  Postcode: 'string',
  Plaats: 'string',
  Land: 'string',
  Culinair: 'bool',
  Decoratie: 'bool',
  Dranken: 'bool',
  Entertainment: 'bool',
  Materialen: 'bool',
  OverigeDiensten: 'bool',
  Techniek: 'bool',
  Keukenrit: 'bool',
  DEL: 'bool',
  ProgrammaID: 'int',
  Verkoopprijs: 'float',
  Kostprijs: 'float',
  KM: 'float',
  BTWID: 'int',
  RealisatieIngevoerd: 'bool',
  GrootboekrekeningID: 'int',
  OfferteTekst: 'string',
  FactuurregelID: 'int',
  LMTCreated: 'datetime',
  OmschrijvingExtern: 'string',
  OpnemenInOfferte: 'bool',
  Chauffeur: 'string',
  TypeVoertuigID: 'int',
  SubtypeRitID: 'int',
  AantalBlauweKastenRit: 'int',
  AantalRolcontainersRit: 'int',
  RetourRit: 'bool',
  contact: { one: contact },
  relation: { one: relation },
  event: { one: eventMembers },
  demand: { one: demand },
} satisfies Members;

/**
 * Trip (rit) fields: those of an update (interface 4.6), and those of the record (2.9) that tell trips apart.
 */
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
  PartijID: integer({ help: t('The event; never sent', 'Het evenement; wordt nooit verstuurd') }),
  KM: decimal({ help: t('Kilometres; never sent', 'Kilometers; wordt nooit verstuurd') }),
  Verwerkt: boolean({ help: t('Processed; never sent', 'Verwerkt; wordt nooit verstuurd') }),
  LMT: datetime({ help: t('Last modified, by the service; never sent', 'Laatst gewijzigd, door de dienst; wordt nooit verstuurd') }),
} satisfies Fields;

const moment = datetimeCodec.wire;
const listed = listedMembers(fields, tripMembers);
const list = listAnswer(membersRecord(listed), { id: 'RitID' });

/** The four trip endpoints of interface 4.6. */
export const tripEndpoints = {
  all: defineEndpoint({ name: 'trips.all', section: '4.6', method: 'POST', path: 'api/v1/ritten/all', effect: 'none', body: z.strictObject({ DatumVan: moment, DatumTot: moment }), answer: list }),
  allByLmt: defineEndpoint({ name: 'trips.allByLMT', section: '4.6', method: 'POST', path: 'api/v1/ritten/allByLMT', effect: 'none', body: z.strictObject({ LMT: moment }), answer: list }),
  update: defineEndpoint({ name: 'trips.update', section: '4.6', method: 'POST', path: 'api/v1/ritten', effect: 'same', body: bodySchema(fields, 'update'), answer: writeAnswer }),
  /** The response is not shown (interface 4.6). */
  remove: defineEndpoint({ name: 'trips.delete', section: '4.6', method: 'DELETE', path: 'api/v1/ritten/{ID}', effect: 'same', answer: writeAnswer }),
} as const;

/** Trips (ritten): no request makes one; drivers and vehicles are filled in here. */
export const trips = defineResource({
  name: 'trips',
  sheet: 'Ritten',
  about: t('Drivers and vehicles of trips that are there; no trip is made here', 'Chauffeur en voertuig van ritten die er zijn; ritten maak je hier niet'),
  kind: 'trip',
  keys: ['RitID'],
  finds: ['Datum', 'LMT'],
  id: 'RitID',
  date: 'Datum',
  modified: 'LMT',
  listed,
  fields,
  requests: tripEndpoints,
});
