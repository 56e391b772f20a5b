import { EVENTS, type Seeded } from './events.ts';
import { LOCATIONS } from './relations.ts';

const DRIVERS = ['J. de Boer', 'R. Vermeulen', ''];

function trip(event: Seeded, index: number, back: boolean): Seeded['values'] {
  const {
    Datum = null,
    RelatieID = null,
    ContactpersoonID = null,
    LocatieID,
    PartijOmschrijving,
  } = event.values;
  const location = LOCATIONS.find(({ id }) => id === LocatieID);
  const day = String(Datum).slice(0, 10);
  return {
    PartijID: event.id,
    Datum,
    Van: `${day} ${back ? '22:30:00' : '09:30:00'}`,
    Tot: `${day} ${back ? '23:45:00' : '11:00:00'}`,
    Omschrijving: `${back ? 'Retour' : 'Heen'} ${PartijOmschrijving}`,
    Naar: location?.name ?? '',
    RelatieID,
    ContactpersoonID,
    Straat: location?.street ?? '',
    Huisnummer: location?.number ?? '',
    Postcode: location?.postcode ?? '',
    Plaats: location?.place ?? '',
    Culinair: !back,
    Materialen: true,
    KM: 8 + ((index * 7) % 60),
    LMTCreated: '2026-01-05 08:00:00.000',
    Chauffeur: DRIVERS[index % 3] ?? '',
    TypeVoertuigID: index % 3 === 2 ? null : 9701 + (index % 4),
    SubtypeRitID: back ? 9602 : 9601,
    RetourRit: back,
  };
}

/** Trips 8001 to 8060: there for every event, and back for every other one. */
export const TRIPS: readonly Seeded[] = EVENTS.flatMap((event, index) =>
  index % 2 === 0 ? [trip(event, index, false), trip(event, index, true)] : [trip(event, index, false)],
).map((values, index) => ({ id: 8001 + index, values }));
