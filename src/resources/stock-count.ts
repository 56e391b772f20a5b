import { t } from '../core/language.ts';
import { decimal, type Fields } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { products } from './lookups.ts';
import { stockEndpoints, stockMutations } from './stock-mutations.ts';

const { ProductID, 'Product.ExternalID': external, AantalRekeneenheid, AantalProducteenheid, ...others } = stockMutations.fields;

/** The columns of a count: those of a mutation (interface 2.6), but with counted amounts. */
const fields = {
  // Another product than a mutation's example: counting and mutating one product in a workbook is a conflict.
  ProductID: { ...ProductID, example: 7003 },
  'Product.ExternalID': { ...external, example: 50003 },
  GeteldRekeneenheid: decimal({ create: 'optional', reads: 'none', help: t('Counted amount in units of calculation', 'Geteld aantal rekeneenheden'), example: 2.5 }),
  GeteldProducteenheid: decimal({ create: 'optional', reads: 'none', help: t('Counted amount in product units', 'Geteld aantal producteenheden'), example: 3 }),
  ...others,
} satisfies Fields;

/** Stock counts (voorraadtellingen): what is on the shelf; the difference to the current total is sent. */
export const stockCount = defineResource({
  name: 'stock-count',
  sheet: 'Voorraadtelling',
  about: t('What was counted on the shelf', 'Wat er op de plank geteld is'),
  kind: 'count',
  keys: ['ProductID', 'Product.ExternalID'],
  labelled: ['ProductID', products],
  names: ['OmschrijvingIntern', 'Omschrijving', 'ProductNaam'],
  product: 'ProductID',
  moment: 'DatumTijd',
  amounts: [
    { counted: 'GeteldRekeneenheid', sent: 'AantalRekeneenheid', total: 'Aantal', unit: 'RekenEenheid' },
    { counted: 'GeteldProducteenheid', sent: 'AantalProducteenheid', total: 'AantalProductEenheid', unit: 'ProductEenheid' },
  ],
  kept: 'VoorraadProduct',
  told: ['OmschrijvingIntern', 'RekenEenheid', 'ProductEenheid'],
  listed: { OmschrijvingIntern: 'string', ExternalID: 'int', Aantal: 'float', RekenEenheid: 'string', AantalProductEenheid: 'float', ProductEenheid: 'string', Waarde: 'float' },
  fields,
  requests: stockEndpoints,
});
