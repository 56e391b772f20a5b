import { membersOf } from '../members.ts';

const RELATION = membersOf(`
  RelatieID DebiteurNummer CrediteurNummer Bedrijfsnaam Telefoon Fax="" Email Website="" BTWNummer
  Opmerking="" TypeRelatieID=1 BetalingsTermijn=30 DEL=false TAVStijl=1 DigitaleFactuur=true KvKnummer
  BedrijfsvormWaardeID Broncode="" Kredietbeperking=false BankNr="" IbanNr="" BicNr=""
  Boekhoudkoppeling_Forceren=false BetalingsTermijn_Crediteur ExternalID MandaatID EvenementOpmerking
  EersteBoekingJaar EersteBoekingDagMaand KredietCheck=false KredietWaardigheid KredietCheckDatum
  TypeGebruikerWaardeID IncassoRekeninghouder IncassoOndertekenDatum IncassoMachtigingAkkoord TAVHandmatig
  LocatienummersTonen OprichtingsDatum Plaats
`);

const CUSTOMERS: readonly (readonly [name: string, place: string, external: number | null])[] = [
  ['Bakker BV', 'Nijkerk', 91001],
  ['Gemeente Eikenrode', 'Eikenrode', 91002],
  ['Familie Jansen', 'Putten', null],
  ['De Vries Advocaten', 'Amersfoort', 91004],
  ['Müller & Söhne GmbH', 'Kleef', 91005],
  ["'t Hof van Eikenrode", 'Eikenrode', null],
  ['Streekziekenhuis De Linde', 'Ermelo', 91007],
  ['Jansen Bouw BV', 'Barneveld', null],
];

/** Relations 1 to 8 (interface 2.9). */
export const RELATIONS = CUSTOMERS.map(([name, place, external], index) => ({
  ...RELATION,
  RelatieID: index + 1,
  DebiteurNummer: String(10_001 + index),
  Bedrijfsnaam: name,
  Telefoon: `0341-5550${String(index + 1).padStart(2, '0')}`,
  Email: `relatie${index + 1}@example.nl`,
  ExternalID: external,
  EersteBoekingJaar: 2019 + ((index + 1) % 6),
  EersteBoekingDagMaand: `0${1 + ((index + 1) % 9)}-15`,
  Plaats: place,
}));

const CONTACT = membersOf(`
  ContactpersoonID RelatieID Geslacht Voornaam Tussenvoegsel Achternaam Telefoon="" TelefoonPrive=""
  Mobiel Fax="" Email EmailPrive="" FinancieelContact Opmerking="" DEL=false AfdelingWaardeID FunctieID
  Straat="" Huisnummer="" Postcode="" Plaats="" Provincie="" Land="Nederland" Voorletters TitelID
  MailingOntvangen=true Twitter LinkedIn ContactpersoonTypeWaardeID Geachte
`);

const PEOPLE = [
  ['Marijke', '', 'Bakker'],
  ['Henk', 'van den', 'Berg'],
  ['Sanne', '', 'Jansen'],
  ['Pieter', 'de', 'Vries'],
  ['Jürgen', '', 'Müller'],
  ['Esmée', "van 't", 'Hof'],
  ['Daan', '', 'Smit'],
  ['Sanne', '', 'Jansen'],
] as const;

/** Contact persons 1 to 8, one of each relation (interface 2.9). */
export const CONTACTS = PEOPLE.map(([given, infix, family], index) => ({
  ...CONTACT,
  ContactpersoonID: index + 1,
  RelatieID: index + 1,
  Voornaam: given,
  Tussenvoegsel: infix,
  Achternaam: family,
  Mobiel: `06-5550010${index + 1}`,
  Email: `contact${index + 1}@example.nl`,
  FinancieelContact: index % 2 === 1,
  Voorletters: `${given.slice(0, 1)}.`,
}));

const ADDRESSES = [
  ['Hoeve Wilgenoord', 'Wilgenlaan', '1', '3861 AA', 'Nijkerk'],
  ['Kasteel Eikenrode', 'Oprijlaan', '12', '3771 BB', 'Eikenrode'],
  ['De Oude Stadszaal', 'Markt', '7a', '3811 CC', 'Amersfoort'],
  ['Strandpaviljoen Zilt', 'Strandweg', '40', '3841 DD', 'Harderwijk'],
  ['Congrescentrum De Linde', 'Stationsplein', '3', '3851 EE', 'Ermelo'],
  ['Op locatie van de klant', '', '', '', ''],
] as const;

/** Locations 1 to 6, where events take place; the interface shows no record of them. */
export const LOCATIONS = ADDRESSES.map(([Locatie, Straat, Huisnummer, Postcode, Plaats], index) => ({
  ...{ LocatieID: index + 1, Locatie, Straat, Huisnummer, Postcode, Plaats },
  Actief: true,
}));
