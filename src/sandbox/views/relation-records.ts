import type { Contact, Location, Relation } from '../seed/relations.ts';

/** The relation of interface 2.9. */
export function relationRecord(relation: Relation): Record<string, unknown> {
  const { id, name } = relation;
  return {
    RelatieID: id,
    DebiteurNummer: String(10_000 + id),
    CrediteurNummer: null,
    Bedrijfsnaam: name,
    Telefoon: `0341-5550${String(id).padStart(2, '0')}`,
    Fax: '',
    Email: `relatie${id}@example.nl`,
    Website: '',
    BTWNummer: null,
    Opmerking: '',
    TypeRelatieID: 1,
    BetalingsTermijn: 30,
    DEL: false,
    TAVStijl: 1,
    DigitaleFactuur: true,
    KvKnummer: null,
    BedrijfsvormWaardeID: null,
    Broncode: '',
    Kredietbeperking: false,
    BankNr: '',
    IbanNr: '',
    BicNr: '',
    Boekhoudkoppeling_Forceren: false,
    BetalingsTermijn_Crediteur: null,
    ExternalID: relation.externalId,
    MandaatID: null,
    EvenementOpmerking: null,
    EersteBoekingJaar: 2019 + (id % 6),
    EersteBoekingDagMaand: `0${1 + (id % 9)}-15`,
    KredietCheck: false,
    KredietWaardigheid: null,
    KredietCheckDatum: null,
    TypeGebruikerWaardeID: null,
    IncassoRekeninghouder: null,
    IncassoOndertekenDatum: null,
    IncassoMachtigingAkkoord: null,
    TAVHandmatig: null,
    LocatienummersTonen: null,
    OprichtingsDatum: null,
    Plaats: relation.place,
  };
}

/** The contact person of interface 2.9. */
export function contactRecord(contact: Contact): Record<string, unknown> {
  const { id } = contact;
  return {
    ContactpersoonID: id,
    RelatieID: contact.relationId,
    Geslacht: null,
    Voornaam: contact.given,
    Tussenvoegsel: contact.infix,
    Achternaam: contact.family,
    Telefoon: '',
    TelefoonPrive: '',
    Mobiel: `06-5550010${id}`,
    Fax: '',
    Email: `contact${id}@example.nl`,
    EmailPrive: '',
    FinancieelContact: id % 2 === 0,
    Opmerking: '',
    DEL: false,
    AfdelingWaardeID: null,
    FunctieID: null,
    Straat: '',
    Huisnummer: '',
    Postcode: '',
    Plaats: '',
    Provincie: '',
    Land: 'Nederland',
    Voorletters: `${contact.given.slice(0, 1)}.`,
    TitelID: null,
    MailingOntvangen: true,
    Twitter: null,
    LinkedIn: null,
    ContactpersoonTypeWaardeID: null,
    Geachte: null,
  };
}

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
