import type { Value } from '../../schema/value.ts';
import { mixTypes } from '../mixed-types.ts';
import type { Dialect } from '../options.ts';
import type { Company } from '../seed/company.ts';
import type { Stored } from '../store.ts';
import { type ProductKind, productFields } from './product-detail.ts';
import { PRODUCT_MEMBERS } from './product-members.ts';
import { nestedMembers, RECIPE_TYPE } from './product-nested.ts';

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
  product: Stored,
  { company, dialect, declaration }: { company: Company; dialect: Dialect; declaration: boolean },
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
