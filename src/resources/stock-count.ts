import { t } from '../core/language.ts';
import { decimal, type Fields } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { stockEndpoints, stockMutations } from './stock-mutations.ts';

const { ProductID, 'Product.ExternalID': external, AantalRekeneenheid, AantalProducteenheid, ...others } = stockMutations.fields;

/** The columns of a count: those of a mutation (interface 2.6), with the counted amount in the place of the mutated one. */
const fields = {
  // Not the product of a mutation's example: what is counted and mutated in one workbook is a conflict.
  ProductID: { ...ProductID, example: 7003 },
  'Product.ExternalID': { ...external, example: 50003 },
  GeteldRekeneenheid: decimal({ create: 'optional', reads: 'none', help: t('Counted amount in units of calculation', 'Geteld aantal rekeneenheden'), example: 2.5 }),
  GeteldProducteenheid: decimal({ create: 'optional', reads: 'none', help: t('Counted amount in product units', 'Geteld aantal producteenheden'), example: 3 }),
  ...others,
} satisfies Fields;

/** Stock counts (voorraadtellingen): what lies on the shelf; sent is the difference to the current total. */
export const stockCount = defineResource({
  name: 'stock-count',
  sheet: 'Voorraadtelling',
  about: t('What was counted on the shelf', 'Wat er op de plank geteld is'),
  kind: 'count',
  keys: ['ProductID', 'Product.ExternalID'],
  product: 'ProductID',
  moment: 'DatumTijd',
  amounts: [
    { counted: 'GeteldRekeneenheid', sent: 'AantalRekeneenheid', total: 'Aantal', unit: 'RekenEenheid', divided: false },
    { counted: 'GeteldProducteenheid', sent: 'AantalProducteenheid', total: 'AantalProductEenheid', unit: 'ProductEenheid', divided: true },
  ],
  kept: 'VoorraadProduct',
  told: ['OmschrijvingIntern', 'RekenEenheid', 'ProductEenheid'],
  listed: { OmschrijvingIntern: 'string', ExternalID: 'int', Aantal: 'float', RekenEenheid: 'string', AantalProductEenheid: 'float', ProductEenheid: 'string', Waarde: 'float' },
  fields,
  requests: stockEndpoints,
});
