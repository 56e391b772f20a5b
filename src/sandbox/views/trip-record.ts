import type { Value } from '../../schema/value.ts';
import type { Service } from '../service.ts';
import type { Stored } from '../store.ts';
import { eventRecord } from './event-record.ts';
import { contactRecord, relationRecord } from './relation-records.ts';
import { demand } from './trip-demand.ts';

/** The plain members of a trip in interface 2.9's order, and what they are when nobody gave them. */
const MEMBERS: Readonly<Record<string, Value>> = {
  RitID: null,
  PartijID: null,
  Datum: null,
  Opmerking: '',
  Verwerkt: false,
  LMT: null,
  Van: null,
  Tot: null,
  Omschrijving: '',
  Naar: '',
  RelatieID: null,
  ContactpersoonID: null,
  Straat: '',
  Huisnummer: '',
  Postcode: '',
  Plaats: '',
  Land: 'Nederland',
  Culinair: false,
  Decoratie: false,
  Dranken: false,
  Entertainment: false,
  Materialen: false,
  OverigeDiensten: false,
  Techniek: false,
  Keukenrit: false,
  DEL: false,
  ProgrammaID: null,
  Verkoopprijs: null,
  Kostprijs: null,
  KM: null,
  BTWID: null,
  RealisatieIngevoerd: false,
  GrootboekrekeningID: null,
  OfferteTekst: '',
  FactuurregelID: null,
  LMTCreated: null,
  OmschrijvingExtern: '',
  OpnemenInOfferte: false,
  Chauffeur: '',
  TypeVoertuigID: null,
  SubtypeRitID: null,
  AantalBlauweKastenRit: null,
  AantalRolcontainersRit: null,
  RetourRit: false,
};

/** The record of interface 2.9 with its contact, relation, event and demand. Only the list by LMT returns SubtypeRitID. */
export function tripRecord(
  trip: Stored,
  read: 'all' | 'byLmt',
  { store, company, dialect }: Service,
): Record<string, unknown> {
  const filled = Object.fromEntries(Object.entries(trip.values).filter(([, value]) => value !== null));
  const plain: Record<string, Value> = { ...MEMBERS, ...filled, RitID: trip.id, LMT: trip.lmt };
  if (read === 'all') delete plain.SubtypeRitID;
  const event = store.get('event', Number(plain.PartijID));
  const contact = company.contact(Number(plain.ContactpersoonID));
  const relation = company.relation(Number(plain.RelatieID));
  return {
    ...plain,
    contact: contact === undefined ? null : contactRecord(contact),
    relation: relation === undefined ? null : relationRecord(relation),
    event: event === undefined ? null : eventRecord(event, 'trip', company, dialect()),
    demand: demand(trip, event),
  };
}
