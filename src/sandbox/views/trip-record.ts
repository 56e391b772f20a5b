import type { Value } from '../../core/value.ts';
import { filledIn, membersOf } from '../members.ts';
import type { HandlerCall } from '../requests/handler.ts';
import { CONTACTS, RELATIONS } from '../seed/relations.ts';
import type { StoredRecord } from '../store/store.ts';
import { eventRecord } from './event-record.ts';

/** The plain members of a trip (interface 2.9). */
const MEMBERS = membersOf(`
  RitID PartijID Datum Opmerking="" Verwerkt=false LMT Van Tot Omschrijving="" Naar="" RelatieID
  ContactpersoonID Straat="" Huisnummer="" Postcode="" Plaats="" Land="Nederland" Culinair=false
  Decoratie=false Dranken=false Entertainment=false Materialen=false OverigeDiensten=false Techniek=false
  Keukenrit=false DEL=false ProgrammaID Verkoopprijs Kostprijs KM BTWID RealisatieIngevoerd=false
  GrootboekrekeningID OfferteTekst="" FactuurregelID LMTCreated OmschrijvingExtern=""
  OpnemenInOfferte=false Chauffeur="" TypeVoertuigID SubtypeRitID AantalBlauweKastenRit
  AantalRolcontainersRit RetourRit=false
`);

/** The trip with its nested records (interface 2.9). Only the list by LMT returns SubtypeRitID. */
export function tripRecord(
  trip: StoredRecord,
  read: 'all' | 'byLmt',
  { store, dialect }: HandlerCall,
): Record<string, unknown> {
  const plain: Record<string, Value> = {
    ...filledIn(MEMBERS, trip.values),
    RitID: trip.id,
    LMT: trip.lmt,
  };
  if (read === 'all') delete plain.SubtypeRitID;
  const event = store.get('event', Number(plain.PartijID));
  return {
    ...plain,
    contact: CONTACTS.find((contact) => contact.ContactpersoonID === plain.ContactpersoonID) ?? null,
    relation: RELATIONS.find((relation) => relation.RelatieID === plain.RelatieID) ?? null,
    event: event === undefined ? null : eventRecord(event, 'trip', dialect),
    demand: demandRecord(trip, event),
  };
}

/** The driver's planning, part of the demand; every third trip has none. */
function planning(trip: StoredRecord): Record<string, unknown>[] {
  if (trip.id % 3 === 0) return [];
  const { Datum = null, Van = null, Tot = null, LMTCreated = null } = trip.values;
  return [
    {
      PlanningID: trip.id + 20_000,
      BehoefteID: trip.id + 10_000,
      WerknemerID: 11 + (trip.id % 4),
      CompetentieID: 1,
      ...{ Datum, Vertrek: Van, Van, Tot, Retour: Tot },
      MedewerkerAkkoordDatum: null,
      MedewerkerAkkoord: trip.id % 2 === 0,
      MedewerkerOpmerking: '',
      PlanningOpmerking: '',
      Invoerdatum: LMTCreated,
      LMT: LMTCreated,
      Ziek: false,
      EigenAuto: false,
      PlanningAkkoordStatusID: 1,
    },
  ];
}

/** The demand that a trip makes on the planning (interface 2.9). */
function demandRecord(trip: StoredRecord, event: StoredRecord | undefined): Record<string, unknown> {
  const { Datum = null, Van = null, Tot = null, PartijID = null, Omschrijving = '' } = trip.values;
  return {
    BehoefteID: trip.id + 10_000,
    BehoefteTypeID: 2,
    PartijID,
    LocatieID: event?.values.LocatieID ?? null,
    AfdelingID: 2,
    Datum,
    AantalPersonen: 1,
    Van,
    Tot,
    CompetentieID: 1,
    Vertrek: Van,
    Retour: Tot,
    Omschrijving,
    RitID: trip.id,
    planning: planning(trip),
  };
}
