import type { Value } from '../../core/value.ts';
import { membersOf, mixTypes } from '../members.ts';
import type { SandboxDialect } from '../requests/options.ts';
import { PRODUCT_TYPES } from '../seed/lists.ts';
import type { StoredRecord } from '../store/store.ts';

/** A package's detail (interface 2.2). */
const PACKAGE = membersOf(`
  Actief=false ProductTypeID OmschrijvingIntern OmschrijvingExtern="" ProductCategorieID Offertetekst
  InterneOpmerking Volume Verkoopprijs OpnemenInOfferte=false OnderdelenInOfferte=false
  OfferteCategorieTonen=false
`);

/** A recipe's detail (interface 2.4). */
const RECIPE = membersOf(`
  Actief=false OmschrijvingIntern ProductCategorieID ProductEenheidWaardeID Verkoopprijs OPK Gewicht
  PerStukWeergeven=false Chargegrootte MinimaleProductieHoeveelheid SubAfdelingID THTDagenDroog THTDagen
  THTDagenAlternatief VoorraadProduct=false MinimaalVoorraad MaximaalVoorraad Kostprijs
  IngredientDeclaratie IngredientDeclaratieCategorie THTBewaaradviesGeslotenWaardeID
  THTBewaaradviesGesloten THTBewaaradviesGeopendWaardeID THTBewaaradviesGeopendDagWaardeID
`);

/** The kinds of products that the sandbox keeps. */
export type ProductKind = 'package' | 'recipe';

/** A product's fields; one that was never given or was cleared is as the interface shows an empty one. */
function productFields(
  kind: ProductKind,
  product: StoredRecord,
  dialect: SandboxDialect,
): Record<string, Value> {
  const members: Record<string, Value> = { ...(kind === 'package' ? PACKAGE : RECIPE) };
  for (const [name, value] of Object.entries(product.values)) {
    if (value !== null) members[name] = value;
    else members[name] ??= null;
  }
  return {
    ProductID: product.id,
    ...members,
    LMT: product.lmt,
    // A service that never keeps ExternalID has none of its seeded records either.
    ExternalID: dialect.externalId === 'never' ? null : (product.values.ExternalID ?? null),
  };
}

/** The record of interface 2.2 or 2.4. A field that the tables above lack is returned as it was sent. */
export function productDetail(
  kind: ProductKind,
  product: StoredRecord,
  dialect: SandboxDialect,
): Record<string, Value> {
  const members = productFields(kind, product, dialect);
  // Lists alone return it (interface 2.4, 2.5).
  delete members.RekenEenheidID;
  return members;
}

/** All members in order, then unknown ones. Set one by one: spreading this many is ten times slower. */
function withMembers(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  const members: Record<string, Value> = {};
  for (const name in PRODUCT_MEMBERS) members[name] = fields[name] ?? PRODUCT_MEMBERS[name] ?? null;
  for (const name in fields) members[name] ??= fields[name] ?? null;
  return members;
}

/** The product of interface 2.5, as allModified lists it; `declaration`: with its ingredient declaration. */
export function productRecord(
  kind: ProductKind,
  product: StoredRecord,
  dialect: SandboxDialect,
  declaration: boolean,
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
    productType: PRODUCT_TYPES.find(({ ProductTypeID }) => ProductTypeID === plain.ProductTypeID) ?? null,
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

/** The nested members of a product record (interface 2.5). */
function nestedMembers(
  kind: ProductKind,
  product: StoredRecord,
  declaration: boolean,
): Record<string, unknown> {
  const recipe = kind === 'recipe';
  const { values } = product;
  return {
    ingredientDeclarationCategory: declaration ? (values.IngredientDeclaratieCategorie ?? null) : null,
    ingredientDeclaration: declaration ? (values.IngredientDeclaratie ?? null) : null,
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
    storageConditionsClosedId: values.THTBewaaradviesGeslotenWaardeID ?? null,
    storageConditionsClosed: null,
    storageConditionsClosedDuration: values.THTBewaaradviesGesloten ?? null,
    storageConditionsOpenId: values.THTBewaaradviesGeopendWaardeID ?? null,
    storageConditionsOpen: null,
    storageConditionsOpenDurationId: values.THTBewaaradviesGeopendDagWaardeID ?? null,
    storageConditionsOpenDuration: null,
    orderUnit: null,
  };
}

/** The plain members of a product record, in order (interface 2.5). */
const PRODUCT_MEMBERS = membersOf(`
  ProductID ProductTypeID Actief=false OmschrijvingIntern ProductCategorieID ProductEenheidWaardeID
  RekenEenheidID Artikelnummer="" ArtikelnummerExtern="" Portieartikel=false VrijVanAllergenen=false
  RestantNietGebruiken=false Gewicht Uitlekgewicht OPK NietBestellen=false VoorraadProduct=false
  MinimaalVoorraad MaximaalVoorraad PrognoseArtikel=false PerStukWeergeven=false
  AantalDagenVoorEersteActie=0 OpslagTypeWaardeID MateriaalGroepWaardeID OpmerkingISP="" LandID
  THTDagenDroog THTDagen THTDagenAlternatief BeschikbaarVan BeschikbaarTot BeschikbaarJaar LMT ExternalID
  IngredientDeclaratie IngredientDeclaratieCategorie THTBewaaradviesGeslotenWaardeID
  THTBewaaradviesGesloten THTBewaaradviesGeopendWaardeID THTBewaaradviesGeopendDagWaardeID Verkoopprijs
  Chargegrootte MinimaleProductieHoeveelheid SubAfdelingID BereidingsWijzeExtern="" BereidingsWijze=""
  OmschrijvingExtern="" CommOfferteCategorieWaardeID Volume OfferteTekst StreektypeWaardeID
  GerechttypeWaardeID NietLosBestelbaar=false MinAantalGasten OpnemenInOfferte=false
  OnderdelenInOfferte=false OfferteCategorieTonen=false InterneOpmerking
`);
