import type { Value } from '../../core/value.ts';
import type { SandboxDialect } from '../requests/options.ts';
import type { Company } from '../seed/company.ts';
import type { StoredRecord } from '../store/store.ts';
import { mixTypes } from './mixed-types.ts';
import { type ProductKind, productFields } from './product-detail.ts';

/** All members in order, then what the interface does not know. Set one by one: spreading this many is ten times slower. */
function withMembers(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  const members: Record<string, Value> = {};
  for (const name in PRODUCT_MEMBERS) members[name] = fields[name] ?? PRODUCT_MEMBERS[name] ?? null;
  for (const name in fields) members[name] ??= fields[name] ?? null;
  return members;
}

/** The record of interface 2.5, as allModified lists it; the ingredient declaration only when it was asked for. */
export function productRecord(
  kind: ProductKind,
  product: StoredRecord,
  { company, dialect, declaration }: { company: Company; dialect: SandboxDialect; declaration: boolean },
): Record<string, unknown> {
  const { Offertetekst = null, Kostprijs = null, ...fields } = productFields(kind, product, dialect);
  fields.OfferteTekst = Offertetekst;
  if (kind === 'recipe') fields.ProductTypeID = RECIPE_TYPE;
  if (!declaration)
    Object.assign(fields, { IngredientDeclaratie: null, IngredientDeclaratieCategorie: null });
  const plain = withMembers(fields);
  const record = dialect.types === 'mixed' ? mixTypes(plain, product.id) : plain;
  return Object.assign(record, {
    ProductID: product.id,
    costPrice: Kostprijs,
    productType: company.productType(Number(plain.ProductTypeID)),
    ...nestedMembers(kind, product, declaration),
  });
}

/** Recipes are all of one type; no input of theirs names it. */
const RECIPE_TYPE = 4;

function link(product: StoredRecord, ordinal: number): Record<string, unknown> {
  return {
    ProductLinkID: product.id * 10 + ordinal,
    ParentID: product.id,
    ChildID: 7001 + ((product.id + ordinal * 7) % 30),
    AantalDagenVoorEersteActie: ordinal,
    AantalMinuten: 7.5 * (ordinal + 1),
    AantalMinutenOffset: 0,
    StickersPrinten: ordinal === 0,
    ActieWaardeID: null,
    ProductieActieCategorieID: 1 + (product.id % 4),
    CompetentieID: null,
    ProductTypeID: RECIPE_TYPE,
  };
}

function stockLocation(product: StoredRecord): Record<string, unknown> | null {
  if (product.values.VoorraadProduct !== true) return null;
  const place = {
    VoorraadLocatieID: 1 + (product.id % 3),
    StellingID: 1 + (product.id % 5),
    SchapID: 1 + (product.id % 4),
  };
  return { ProductVoorraadLocatieID: product.id + 20_000, ProductID: product.id, ...place, Standaard: true };
}

const NO_STORAGE = {
  storageConditionsClosedId: null,
  storageConditionsClosed: null,
  storageConditionsClosedDuration: null,
  storageConditionsOpenId: null,
  storageConditionsOpen: null,
  storageConditionsOpenDurationId: null,
  storageConditionsOpenDuration: null,
  orderUnit: null,
};

/** The nested members of a product record (interface 2.5); of the declaration only when it was asked for. */
function nestedMembers(
  kind: ProductKind,
  product: StoredRecord,
  declaration: boolean,
): Record<string, unknown> {
  const recipe = kind === 'recipe';
  const { IngredientDeclaratie: text = null, IngredientDeclaratieCategorie: category = null } =
    product.values;
  return {
    ingredientDeclarationCategory: declaration ? category : null,
    ingredientDeclaration: declaration ? text : null,
    allergens: null,
    suppliers: null,
    servingMaterials: null,
    ...(recipe ? { nutrients: null } : {}),
    productStockLocation: recipe ? stockLocation(product) : null,
    productActions: recipe && product.id % 3 === 0 ? link(product, 2) : null,
    productLinks: recipe
      ? link(product, 0)
      : product.id % 4 === 0
        ? []
        : [link(product, 0), link(product, 1)],
    ...NO_STORAGE,
    ...storage(product),
  };
}

function storage(product: StoredRecord): Record<string, unknown> {
  const { values } = product;
  return {
    storageConditionsClosedId: values.THTBewaaradviesGeslotenWaardeID ?? null,
    storageConditionsClosedDuration: values.THTBewaaradviesGesloten ?? null,
    storageConditionsOpenId: values.THTBewaaradviesGeopendWaardeID ?? null,
    storageConditionsOpenDurationId: values.THTBewaaradviesGeopendDagWaardeID ?? null,
  };
}

/** The plain members of a product record in interface 2.5's order, and what they are when nobody gave them. */
const PRODUCT_MEMBERS: Readonly<Record<string, Value>> = {
  ProductID: null,
  ProductTypeID: null,
  Actief: false,
  OmschrijvingIntern: null,
  ProductCategorieID: null,
  ProductEenheidWaardeID: null,
  RekenEenheidID: null,
  Artikelnummer: '',
  ArtikelnummerExtern: '',
  Portieartikel: false,
  VrijVanAllergenen: false,
  RestantNietGebruiken: false,
  Gewicht: null,
  Uitlekgewicht: null,
  OPK: null,
  NietBestellen: false,
  VoorraadProduct: false,
  MinimaalVoorraad: null,
  MaximaalVoorraad: null,
  PrognoseArtikel: false,
  PerStukWeergeven: false,
  AantalDagenVoorEersteActie: 0,
  OpslagTypeWaardeID: null,
  MateriaalGroepWaardeID: null,
  OpmerkingISP: '',
  LandID: null,
  THTDagenDroog: null,
  THTDagen: null,
  THTDagenAlternatief: null,
  BeschikbaarVan: null,
  BeschikbaarTot: null,
  BeschikbaarJaar: null,
  LMT: null,
  ExternalID: null,
  IngredientDeclaratie: null,
  IngredientDeclaratieCategorie: null,
  THTBewaaradviesGeslotenWaardeID: null,
  THTBewaaradviesGesloten: null,
  THTBewaaradviesGeopendWaardeID: null,
  THTBewaaradviesGeopendDagWaardeID: null,
  Verkoopprijs: null,
  Chargegrootte: null,
  MinimaleProductieHoeveelheid: null,
  SubAfdelingID: null,
  BereidingsWijzeExtern: '',
  BereidingsWijze: '',
  OmschrijvingExtern: '',
  CommOfferteCategorieWaardeID: null,
  Volume: null,
  OfferteTekst: null,
  StreektypeWaardeID: null,
  GerechttypeWaardeID: null,
  NietLosBestelbaar: false,
  MinAantalGasten: null,
  OpnemenInOfferte: false,
  OnderdelenInOfferte: false,
  OfferteCategorieTonen: false,
  InterneOpmerking: null,
};
