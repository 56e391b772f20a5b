import type { Stored } from '../store.ts';
import type { ProductKind } from './product-detail.ts';

/** Recipes are all of one type; no input of theirs names it. */
export const RECIPE_TYPE = 4;

function link(product: Stored, ordinal: number): Record<string, unknown> {
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

function stockLocation(product: Stored): Record<string, unknown> | null {
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
export function nestedMembers(
  kind: ProductKind,
  product: Stored,
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

function storage(product: Stored): Record<string, unknown> {
  const { values } = product;
  return {
    storageConditionsClosedId: values.THTBewaaradviesGeslotenWaardeID ?? null,
    storageConditionsClosedDuration: values.THTBewaaradviesGesloten ?? null,
    storageConditionsOpenId: values.THTBewaaradviesGeopendWaardeID ?? null,
    storageConditionsOpenDurationId: values.THTBewaaradviesGeopendDagWaardeID ?? null,
  };
}
