import type { Values } from '../../core/value.ts';
import type { StoredRecord } from '../store/store.ts';
import { CONTACTS, LOCATIONS, RELATIONS } from './relations.ts';

/** A record before it is written. */
export type Seeded = Pick<StoredRecord, 'id' | 'values'>;

const OCCASIONS: readonly (readonly [name: string, type: number, from: string, to: string])[] = [
  ['Bruiloft', 421, '14:00', '23:30'],
  ['Personeelsfeest', 422, '17:00', '23:00'],
  ['Congres', 423, '09:00', '17:30'],
  ['Uitvaart', 424, '11:00', '13:30'],
  ['Jubileum', 425, '15:00', '20:00'],
];

const FIRST_DAY = Date.UTC(2026, 9, 2);

const dayOf = (number: number): string =>
  new Date(FIRST_DAY + number * 9 * 86_400_000).toISOString().slice(0, 10);

/** Events 9001 to 9040 with ExternalID 70001 to 70040, every ninth day from 2 October 2026. */
export const EVENTS: readonly Seeded[] = Array.from({ length: 40 }, (_, index) => {
  const [occasion, type, from, to] = OCCASIONS[index % OCCASIONS.length] ?? ['Feest', 422, '17:00', '23:00'];
  const relation = RELATIONS[(index * 3) % RELATIONS.length];
  const contact = CONTACTS.find(({ RelatieID }) => RelatieID === relation?.RelatieID);
  const day = dayOf(index);
  return {
    id: 9001 + index,
    values: {
      ExternalID: 70_001 + index,
      RelatieID: relation?.RelatieID ?? null,
      ContactpersoonID: contact?.ContactpersoonID ?? null,
      FactuurRelatieID: relation?.RelatieID ?? null,
      Datum: `${day} 00:00:00`,
      Starttijd: `${day} ${from}:00`,
      Eindtijd: `${day} ${to}:00`,
      StatusID: 1 + (index % 4),
      LocatieID: 1 + (index % 6),
      AantalGasten: 20 + ((index * 37) % 280),
      AantalKinderen: index % 5 === 0 ? 8 : null,
      AantalGastenDefinitief: index % 4 === 2,
      PartijOmschrijving: `${occasion} ${relation?.Bedrijfsnaam ?? ''}`,
      TypeWaardeID: type,
      BronWaardeID: 411 + (index % 4),
      BTWModusWaardeID: 402,
      AccountmanagerID: 12,
      Opmerkingen: index % 6 === 0 ? 'Parkeren achter het gebouw' : null,
      KeukenOpmerkingen: index % 7 === 0 ? '3 × glutenvrij' : null,
      CentraalProducerenWaardeID: 1 + (index % 2),
      GeenOmzet: false,
    },
  };
});

/** Links 60001 to 60060: one or two arrangements on each event. */
export const LINKS: readonly Seeded[] = EVENTS.flatMap((event, index) => {
  const { AantalGasten = null, Datum = null } = event.values;
  const link = (ArrangementID: number): Values => ({
    PartijID: event.id,
    ArrangementID,
    Aantal: AantalGasten,
    Datum,
  });
  const first = link(1 + (index % 20));
  return index % 2 === 0 ? [first, link(1 + ((index + 7) % 20))] : [first];
}).map((values, index) => ({ id: 60_001 + index, values }));

const DRIVERS = ['J. de Boer', 'R. Vermeulen', ''];

function trip(event: Seeded, index: number, back: boolean): Values {
  const {
    Datum = null,
    RelatieID = null,
    ContactpersoonID = null,
    LocatieID,
    PartijOmschrijving,
  } = event.values;
  const location = LOCATIONS.find((place) => place.LocatieID === LocatieID);
  const day = String(Datum).slice(0, 10);
  return {
    PartijID: event.id,
    Datum,
    Van: `${day} ${back ? '22:30:00' : '09:30:00'}`,
    Tot: `${day} ${back ? '23:45:00' : '11:00:00'}`,
    Omschrijving: `${back ? 'Retour' : 'Heen'} ${PartijOmschrijving}`,
    Naar: location?.Locatie ?? '',
    RelatieID,
    ContactpersoonID,
    Straat: location?.Straat ?? '',
    Huisnummer: location?.Huisnummer ?? '',
    Postcode: location?.Postcode ?? '',
    Plaats: location?.Plaats ?? '',
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
