import type { Value, Values } from '../../core/value.ts';
import type { SandboxDialect } from '../requests/options.ts';
import type { StoredRecord } from '../store/store.ts';

type Members = Readonly<Record<string, Value>>;

/** The members of a package's detail (interface 2.2) and what they are when nobody gave them. */
const PACKAGE: Members = {
  Actief: false,
  ProductTypeID: null,
  OmschrijvingIntern: null,
  OmschrijvingExtern: '',
  ProductCategorieID: null,
  Offertetekst: null,
  InterneOpmerking: null,
  Volume: null,
  Verkoopprijs: null,
  OpnemenInOfferte: false,
  OnderdelenInOfferte: false,
  OfferteCategorieTonen: false,
};

/** The members of a recipe's detail (interface 2.4). */
const RECIPE: Members = {
  Actief: false,
  OmschrijvingIntern: null,
  ProductCategorieID: null,
  ProductEenheidWaardeID: null,
  Verkoopprijs: null,
  OPK: null,
  Gewicht: null,
  PerStukWeergeven: false,
  Chargegrootte: null,
  MinimaleProductieHoeveelheid: null,
  SubAfdelingID: null,
  THTDagenDroog: null,
  THTDagen: null,
  THTDagenAlternatief: null,
  VoorraadProduct: false,
  MinimaalVoorraad: null,
  MaximaalVoorraad: null,
  Kostprijs: null,
  IngredientDeclaratie: null,
  IngredientDeclaratieCategorie: null,
  THTBewaaradviesGeslotenWaardeID: null,
  THTBewaaradviesGesloten: null,
  THTBewaaradviesGeopendWaardeID: null,
  THTBewaaradviesGeopendDagWaardeID: null,
};

/** Stored with a recipe, but returned by lists only (interface 2.4, 2.5). */
const LIST_ONLY = ['RekenEenheidID'];

export type ProductKind = 'package' | 'recipe';

/** A product's fields: those that nobody gave or that were cleared are as the interface shows an empty one. */
export function productFields(
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
    ExternalID: externalId(product.values, dialect),
  };
}

/** A service that never keeps ExternalID has none of its own records' either. */
function externalId(values: Values, dialect: SandboxDialect): Value {
  return dialect.externalId === 'never' ? null : (values.ExternalID ?? null);
}

/** The record of interface 2.2 or 2.4. A field the interface gains is returned as it was sent. */
export function productDetail(
  kind: ProductKind,
  product: StoredRecord,
  dialect: SandboxDialect,
): Record<string, Value> {
  const members = productFields(kind, product, dialect);
  for (const name of LIST_ONLY) delete members[name];
  return members;
}
