import type { Seeds } from './seeds.ts';
import type { World } from './world.ts';

/** The lookups of a small made-up caterer: what records refer to. */
export function addLookups({ lookups }: World, add: Seeds): void {
  const { relation, contact, location } = lookups;
  add.names('productType', { 1: 'Pakket', 2: 'Recept', 3: 'Ingrediënt' });
  add.names('productCategory', { 11: 'Soepen', 12: 'Hapjes', 13: 'Hoofdgerechten', 14: 'Desserts' });
  add.names('productActionCategory', { 11: 'Soepen', 12: 'Hapjes', 13: 'Hoofdgerechten', 21: 'Snijden' });
  add.names('unit', { 1: 'stuk', 2: 'kg', 3: 'liter' });
  add.names('department', { 31: 'Warme keuken', 32: 'Koude keuken', 33: 'Patisserie' });
  add.dropdown(49, { 4901: 'Telling', 4902: 'Breuk', 4903: 'Retour' });
  add.dropdown(96, { 9601: 'Levering', 9602: 'Ophalen' });
  add.dropdown(97, { 9701: 'Bestelbus', 9702: 'Koelwagen' });
  add.dropdown(50, { 501: 'portie', 502: 'schaal', 503: 'bak' });
  add.dropdown(51, { 511: 'Koel bewaren', 512: 'Droog bewaren' });
  add.dropdown(52, { 521: 'Website', 522: 'Telefoon' });
  relation.set(4001, {
    RelatieID: 4001,
    Bedrijfsnaam: 'Zalencentrum De Linde',
    DebiteurNummer: 20001,
    DEL: false,
  });
  relation.set(4002, {
    RelatieID: 4002,
    Bedrijfsnaam: 'Bakkerij Van Oord & Zn.',
    DebiteurNummer: 20002,
    DEL: false,
  });
  relation.set(4000000001, {
    RelatieID: 4000000001,
    Bedrijfsnaam: 'Gemeente Veldhoek',
    DebiteurNummer: 20003,
    DEL: false,
  });
  contact.set(6001, {
    ContactpersoonID: 6001,
    RelatieID: 4001,
    Voornaam: 'Noor',
    Achternaam: 'Timmers',
    Email: 'noor@delinde.example',
  });
  contact.set(6002, {
    ContactpersoonID: 6002,
    RelatieID: 4002,
    Voornaam: 'Sem',
    Achternaam: 'van Oord',
    Email: 'sem@vanoord.example',
  });
  location.set(801, { LocatieID: 801, Locatie: 'Grote zaal' });
  location.set(802, { LocatieID: 802, Locatie: 'Tuin' });
}

/** Some records of the same caterer. */
export function addRecords({ lookups }: World, add: Seeds): void {
  const borrel = add.package({ OmschrijvingIntern: 'Borrel luxe', Verkoopprijs: 18.75, ExternalID: 101 });
  const lunch = add.package({ OmschrijvingIntern: 'Zakelijke lunch', Verkoopprijs: 24.5, ExternalID: 102 });
  add.package({ OmschrijvingIntern: 'Walking dinner', Verkoopprijs: 49, ProductCategorieID: 13 });
  const soup = add.recipe({ OmschrijvingIntern: 'Pompoensoep', Verkoopprijs: 4.25, Kostprijs: 1.1 });
  add.recipe({ OmschrijvingIntern: 'Vijgencake', ProductCategorieID: 14, SubAfdelingID: 33 });
  const flour = add.product({ OmschrijvingIntern: 'Tarwebloem', Kostprijs: 0.9 });
  add.stock(soup, 24);
  add.stock(flour, 75.5, { RekenEenheid: 'kg', ProductEenheid: 'zak', Factor: 25 });
  const party = add.event({ PartijOmschrijving: 'Nieuwjaarsborrel', Datum: '2027-01-08', ExternalID: 7001 });
  const meeting = add.event({ PartijOmschrijving: 'Ledendag', Datum: '2027-02-12', StatusID: 1 });
  add.link(party, borrel, { Aantal: 40, Datum: '2027-01-08' });
  add.link(meeting, lunch, { Aantal: 25, Datum: '2027-02-12' });
  const trip = add.trip({ PartijID: party, Datum: '2027-01-08', Chauffeur: 'Joost' });
  add.trip({ PartijID: meeting, Datum: '2027-02-12' });
  const values = { BehoefteID: 1, PartijID: party, AantalPersonen: 2, RitID: trip };
  lookups.demand.set(trip, { values, planning: [{ PlanningID: 1, BehoefteID: 1 }] });
}
