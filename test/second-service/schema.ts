import type { Kind } from './types.ts';

/** What kind of value a field takes. */
export type FieldType = 'int' | 'float' | 'bool' | 'text' | 'datetime' | 'date';

/** One field of a request body. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
}

/** Reads "Name type" pairs parted by commas; an exclamation mark says required. */
function fields(list: string): Field[] {
  return list.split(',').map((pair) => {
    const [name = '', type = ''] = pair.trim().split(/\s+/);
    return { name, type: type.replace('!', '') as FieldType, required: type.endsWith('!') };
  });
}

/** Section 2.1, both columns. */
export const packageCreate =
  fields(`ExternalID int, Actief bool, ProductTypeID int!, OmschrijvingIntern text!, OmschrijvingExtern
  text, ProductCategorieID int, Offertetekst text, InterneOpmerking text, Volume float, Verkoopprijs
  float!, OpnemenInOfferte bool, OnderdelenInOfferte bool, OfferteCategorieTonen bool, LMT datetime`);

/** Section 2.1, column Update. */
export const packageUpdate = [...fields('ProductID int'), ...packageCreate];

/** Section 2.3, column Create; ExternalID is not in the table, but the detail shows it. */
export const recipeCreate =
  fields(`OmschrijvingIntern text!, ProductCategorieID int!, ProductEenheidWaardeID int!, RekenEenheidID
  int, Gewicht float!, OPK int!, Verkoopprijs float, PerStukWeergeven bool, Chargegrootte int,
  MinimaleProductieHoeveelheid int, SubAfdelingID int, THTDagenDroog int, THTDagen int,
  THTDagenAlternatief int, VoorraadProduct bool, MinimaalVoorraad int, MaximaalVoorraad int,
  THTBewaaradviesGeslotenWaardeID int, THTBewaaradviesGesloten int, THTBewaaradviesGeopendWaardeID int,
  THTBewaaradviesGeopendDagWaardeID int, ExternalID int`);

/** Section 2.3, column Update. */
export const recipeUpdate = [...fields('ProductID int!'), ...recipeCreate];

/** Section 2.6. */
export const mutationCreate = fields(`ProductID int!, WerknemerID int!, DatumTijd datetime!,
  AantalRekeneenheid float, AantalProducteenheid float, MutatieCategorieID int!, MutatieReden text!`);

/** Section 4.4, create. */
export const eventCreate =
  fields(`RelatieID int!, ContactpersoonID int!, Datum datetime!, Starttijd datetime!, Eindtijd datetime!,
  StatusID int, LocatieID int, BronWaardeID int, TypeWaardeID int, BehuizingstypeWaardeID int,
  AccountmanagerID int, CentraleProductieLocatieID int, GeenOmzet bool, CentraalProducerenWaardeID int,
  ExternalID int`);

/** Section 4.4, update. */
export const eventUpdate =
  fields(`PartijID int!, PartijOmschrijving text, RelatieID int, ContactpersoonID int, FactuurRelatieID
  int, FactuurContactpersoonID int, Datum datetime, Starttijd datetime, Eindtijd datetime, AantalGasten
  int, AantalKinderen int, WerkelijkAantalGasten int, AantalGastenDefinitief bool, LocatieID int, StatusID
  int, MateriaalOpmerkingen text, KeukenOpmerkingen text, Opmerkingen text, KostenplaatsID int,
  BTWModusWaardeID int, CentraleProductieLocatieID int, GeenOmzet bool, CentraalProducerenWaardeID int,
  ExternalID int`);

/** Section 4.5: linking, changing a link, unlinking. */
export const linkCreate = fields('PartijID int!, ArrangementID int!, Aantal int!, Datum datetime!');

/** Section 4.5, changing a link. */
export const linkUpdate = fields(
  'ArrangementID int!, PartijID int, OfferteOmschrijving text, Aantal int, Datum datetime',
);

/** Section 4.5, unlinking. */
export const linkDelete = fields('PartijID int!, ArrangementID int!, DEL bool!');

/** Section 4.6, update. */
export const tripUpdate = fields(
  'RitID int!, Chauffeur text, TypeVoertuigID int, SubtypeRitID int, RetourRit bool',
);

/** Section 4.3. */
export const modifiedBody = fields('LMT datetime!, downloadResponseAsJSON bool, exportWithDeclaration bool');

/** Section 4.4: the bodies of the three event lists. */
export const eventAllBody = fields('EnkelEvenement bool!, DatumVan date!, DatumTot date!');

/** Section 4.4, allByLMT. */
export const eventByLmtBody = fields('EnkelEvenement bool!, DatumVan date!, DatumTot date!, LMT datetime!');

/** Section 4.4, allkassa. */
export const eventKassaBody = fields('EnkelEvent bool!, DatumVan date!, DatumTot date!');

/** Section 4.6: the bodies of the two trip lists. */
export const tripAllBody = fields('DatumVan datetime!, DatumTot datetime!');

/** Section 4.6, allByLMT. */
export const tripByLmtBody = fields('LMT datetime!');

/** A delete of 4.1 and 4.2. */
export const productDelete = fields('ProductID int!');

/** Section 4.4, upload. */
export const documentUpload = fields('PartijID int!, Submap text!');

/** The field that holds a record's id. */
export const idField: Readonly<Record<Kind, string>> = {
  package: 'ProductID',
  recipe: 'ProductID',
  product: 'ProductID',
  event: 'PartijID',
  link: 'LinkID',
  trip: 'RitID',
  mutation: 'MutatieID',
  stock: 'ProductID',
  document: 'DocumentID',
  order: 'OrderID',
};

const bools = new Set(
  `Actief OpnemenInOfferte OnderdelenInOfferte OfferteCategorieTonen PerStukWeergeven VoorraadProduct
  Portieartikel VrijVanAllergenen RestantNietGebruiken NietBestellen PrognoseArtikel NietLosBestelbaar
  Standaard HeeftVulling PartijNietFactureren OverruleFinancieelContact MeerdaagseEvenement
  AutomatischIncasseren NietOpVerzamelFactuur AantalGastenDefinitief GeenOmzet Verwerkt Culinair Decoratie
  Dranken Entertainment Materialen OverigeDiensten Techniek Keukenrit DEL RealisatieIngevoerd RetourRit
  StickersPrinten`.split(/\s+/),
);

const floats = new Set(
  `Volume Verkoopprijs VerkoopPrijs Kostprijs costPrice Gewicht Uitlekgewicht Budget KM AantalRekeneenheid
  AantalProducteenheid Waarde`.split(/\s+/),
);

const ints = new Set(
  `OPK Chargegrootte MinimaleProductieHoeveelheid THTDagenDroog THTDagen THTDagenAlternatief
  MinimaalVoorraad MaximaalVoorraad THTBewaaradviesGesloten AantalDagenVoorEersteActie MinAantalGasten
  AantalGasten AantalKinderen WerkelijkAantalGasten AantalRolcontainers AantalBlauweKasten
  AantalBlauweKastenRit AantalRolcontainersRit Aantal`.split(/\s+/),
);

const datetimes = new Set(
  `Datum ProgrammaDatum HerrinneringDatum Reserveringsdatum OptieDatum DeadlineVersturen BeschikbaarVan
  BeschikbaarTot LaatsteProductieVerversingLMT LMT LMTCreated Van Tot DatumTijd Starttijd Eindtijd`.split(
    /\s+/,
  ),
);

/** What kind of value a field of an answer holds; ids are told apart from other whole numbers. */
export function typeOf(name: string): FieldType | 'id' {
  if (/ID(Niveau1|Aanvullend)?$/.test(name)) return 'id';
  if (bools.has(name)) return 'bool';
  if (floats.has(name)) return 'float';
  if (ints.has(name)) return 'int';
  return datetimes.has(name) ? 'datetime' : 'text';
}
