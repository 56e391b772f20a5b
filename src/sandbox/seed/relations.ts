/** A customer: what differs from one to the next. */
export interface Relation {
  readonly id: number;
  readonly name: string;
  readonly place: string;
  readonly externalId: number | null;
}

/** Relations 1 to 8. */
export const RELATIONS: readonly Relation[] = [
  { id: 1, name: 'Bakker BV', place: 'Nijkerk', externalId: 91001 },
  { id: 2, name: 'Gemeente Eikenrode', place: 'Eikenrode', externalId: 91002 },
  { id: 3, name: 'Familie Jansen', place: 'Putten', externalId: null },
  { id: 4, name: 'De Vries Advocaten', place: 'Amersfoort', externalId: 91004 },
  { id: 5, name: 'Müller & Söhne GmbH', place: 'Kleef', externalId: 91005 },
  { id: 6, name: "'t Hof van Eikenrode", place: 'Eikenrode', externalId: null },
  { id: 7, name: 'Streekziekenhuis De Linde', place: 'Ermelo', externalId: 91007 },
  { id: 8, name: 'Jansen Bouw BV', place: 'Barneveld', externalId: null },
];

/** Someone at a customer. */
export interface Contact {
  readonly id: number;
  readonly relationId: number;
  readonly given: string;
  readonly infix: string;
  readonly family: string;
}

/** Contact persons 1 to 8, one of each relation. */
export const CONTACTS: readonly Contact[] = [
  { id: 1, relationId: 1, given: 'Marijke', infix: '', family: 'Bakker' },
  { id: 2, relationId: 2, given: 'Henk', infix: 'van den', family: 'Berg' },
  { id: 3, relationId: 3, given: 'Sanne', infix: '', family: 'Jansen' },
  { id: 4, relationId: 4, given: 'Pieter', infix: 'de', family: 'Vries' },
  { id: 5, relationId: 5, given: 'Jürgen', infix: '', family: 'Müller' },
  { id: 6, relationId: 6, given: 'Esmée', infix: "van 't", family: 'Hof' },
  { id: 7, relationId: 7, given: 'Daan', infix: '', family: 'Smit' },
  { id: 8, relationId: 8, given: 'Sanne', infix: '', family: 'Jansen' },
];

/** Where an event takes place. */
export interface Location {
  readonly id: number;
  readonly name: string;
  readonly street: string;
  readonly number: string;
  readonly postcode: string;
  readonly place: string;
}

const ADDRESSES = [
  ['Hoeve Wilgenoord', 'Wilgenlaan', '1', '3861 AA', 'Nijkerk'],
  ['Kasteel Eikenrode', 'Oprijlaan', '12', '3771 BB', 'Eikenrode'],
  ['De Oude Stadszaal', 'Markt', '7a', '3811 CC', 'Amersfoort'],
  ['Strandpaviljoen Zilt', 'Strandweg', '40', '3841 DD', 'Harderwijk'],
  ['Congrescentrum De Linde', 'Stationsplein', '3', '3851 EE', 'Ermelo'],
  ['Op locatie van de klant', '', '', '', ''],
] as const;

/** Locations 1 to 6. */
export const LOCATIONS: readonly Location[] = ADDRESSES.map(
  ([name, street, number, postcode, place], index) => ({
    id: index + 1,
    name,
    street,
    number,
    postcode,
    place,
  }),
);
