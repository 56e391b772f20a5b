import type { Contact, Location, Relation } from '../seed/relations.ts';
import { membersOf } from './members.ts';

/** The relation of interface 2.9. */
export function relationRecord({ id, name, externalId, place }: Relation): Record<string, unknown> {
  return {
    ...RELATION,
    RelatieID: id,
    DebiteurNummer: String(10_000 + id),
    Bedrijfsnaam: name,
    Telefoon: `0341-5550${String(id).padStart(2, '0')}`,
    Email: `relatie${id}@example.nl`,
    ExternalID: externalId,
    EersteBoekingJaar: 2019 + (id % 6),
    EersteBoekingDagMaand: `0${1 + (id % 9)}-15`,
    Plaats: place,
  };
}

const RELATION = membersOf(`
  RelatieID DebiteurNummer CrediteurNummer Bedrijfsnaam Telefoon Fax="" Email Website="" BTWNummer
  Opmerking="" TypeRelatieID=1 BetalingsTermijn=30 DEL=false TAVStijl=1 DigitaleFactuur=true KvKnummer
  BedrijfsvormWaardeID Broncode="" Kredietbeperking=false BankNr="" IbanNr="" BicNr=""
  Boekhoudkoppeling_Forceren=false BetalingsTermijn_Crediteur ExternalID MandaatID EvenementOpmerking
  EersteBoekingJaar EersteBoekingDagMaand KredietCheck=false KredietWaardigheid KredietCheckDatum
  TypeGebruikerWaardeID IncassoRekeninghouder IncassoOndertekenDatum IncassoMachtigingAkkoord TAVHandmatig
  LocatienummersTonen OprichtingsDatum Plaats
`);

/** The contact person of interface 2.9. */
export function contactRecord({ id, relationId, given, infix, family }: Contact): Record<string, unknown> {
  return {
    ...CONTACT,
    ContactpersoonID: id,
    RelatieID: relationId,
    Voornaam: given,
    Tussenvoegsel: infix,
    Achternaam: family,
    Mobiel: `06-5550010${id}`,
    Email: `contact${id}@example.nl`,
    FinancieelContact: id % 2 === 0,
    Voorletters: `${given.slice(0, 1)}.`,
  };
}

const CONTACT = membersOf(`
  ContactpersoonID RelatieID Geslacht Voornaam Tussenvoegsel Achternaam Telefoon="" TelefoonPrive=""
  Mobiel Fax="" Email EmailPrive="" FinancieelContact Opmerking="" DEL=false AfdelingWaardeID FunctieID
  Straat="" Huisnummer="" Postcode="" Plaats="" Provincie="" Land="Nederland" Voorletters TitelID
  MailingOntvangen=true Twitter LinkedIn ContactpersoonTypeWaardeID Geachte
`);

/** A location; its record is not shown by the interface. */
export function locationRecord(location: Location): Record<string, unknown> {
  const { id, name, street, number, postcode, place } = location;
  return {
    LocatieID: id,
    Locatie: name,
    Straat: street,
    Huisnummer: number,
    Postcode: postcode,
    Plaats: place,
    Actief: true,
  };
}
