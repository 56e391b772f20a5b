import { z } from 'zod';
import { t } from '../core/language.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { bodySchema, datetime, decimal, type Fields, identifier, integer, text, withOneOf } from '../schema/field.ts';
import { tellingAnswer } from '../schema/judge-answer.ts';
import { totalAnswer } from '../schema/page.ts';
import { defineResource } from '../schema/resource.ts';
import { dropdownValues, products } from './lookups.ts';

/** The product that a row is about. */
const catalogues = { resources: ['recipes', 'packages'], sheets: t('recipes / packages', 'Recepten / Pakketten'), sets: 'ProductID' };

/** Stock mutation (voorraadmutatie) fields: interface 2.6. */
const fields = {
  ProductID: integer({ create: 'required', reads: 'none', help: t('The product', 'Het product'), example: 7001 }),
  'Product.ExternalID': integer({ reads: 'none', refers: catalogues, help: t('Your own number of the product; in place of ProductID', 'Je eigen nummer van het product; in plaats van ProductID'), example: 50001 }),
  'Product.Artikelnummer': identifier({
    reads: 'none',
    refers: { ...catalogues, byArticle: true },
    help: t('Article number of the product; its own or the external one, in place of ProductID', 'Artikelnummer van het product; het eigen of het externe, in plaats van ProductID'),
    example: '001001',
  }),
  WerknemerID: integer({ create: 'required', reads: 'none', help: t('Employee', 'Werknemer'), example: 12 }),
  DatumTijd: datetime({ create: 'required', reads: 'none', help: t('When', 'Wanneer'), example: '2026-03-31 07:45' }),
  AantalRekeneenheid: decimal({ create: 'optional', reads: 'none', help: t('Amount in units of calculation', 'Aantal rekeneenheden'), example: 2.5 }),
  AantalProducteenheid: decimal({ create: 'optional', reads: 'none', help: t('Amount in product units', 'Aantal producteenheden'), example: 3 }),
  MutatieCategorieID: integer({ create: 'required', reads: 'none', lookup: dropdownValues('mutatiecategorie', 49), help: t('Category of the mutation', 'Mutatiecategorie'), example: 4901 }),
  MutatieReden: text({ create: 'required', reads: 'none', sensible: 255, help: t('Reason', 'Reden'), example: 'Weektelling koelcel' }),
} satisfies Fields;

/** `{total: [...], success}` (interface 2.6, 4.2), or a like shape. */
const totals = totalAnswer({ Aantal: 'float', Aantal_Edit: 'string', RekenEenheid: 'string', ProductEenheid: 'string', AantalProductEenheid: 'float', Waarde: 'float' }, ['Aantal', 'AantalProductEenheid']);

/** The two stock endpoints of interface 4.2. */
export const stockEndpoints = {
  create: defineEndpoint({
    name: 'stock.create',
    summary: t('Book a mutation of a product’s stock', 'Boek een mutatie van de voorraad van een product'),
    section: '4.2',
    method: 'PUT',
    path: 'api/v1/product/voorraadmutatie/create',
    effect: 'each',
    body: withOneOf(bodySchema(fields, 'create'), ['AantalRekeneenheid', 'AantalProducteenheid']),
    answer: tellingAnswer,
  }),
  currentTotal: defineEndpoint({
    name: 'stock.currenttotal',
    summary: t('Tell what is in stock of a product', 'Zeg hoeveel er van een product is'),
    section: '4.2',
    method: 'GET',
    path: 'api/v1/product/voorraadmutatie/currenttotal/{id}',
    effect: 'none',
    body: z.strictObject({ ProductID: z.int() }),
    answer: totals,
  }),
} as const;

/** Stock mutations (voorraadmutaties): what came in, went out or was thrown away. */
export const stockMutations = defineResource({
  name: 'stock-mutations',
  sheet: 'Voorraadmutaties',
  about: t('What came in, went out or was thrown away', 'Wat binnenkwam, eruit ging of weggegooid is'),
  kind: 'posting',
  keys: ['ProductID', 'Product.ExternalID', 'Product.Artikelnummer'],
  labelled: ['ProductID', products],
  names: ['OmschrijvingIntern', 'Omschrijving', 'ProductNaam'],
  product: 'ProductID',
  amounts: [
    { sent: 'AantalRekeneenheid', total: 'Aantal', unit: 'RekenEenheid' },
    { sent: 'AantalProducteenheid', total: 'AantalProductEenheid', unit: 'ProductEenheid' },
  ],
  fields,
  requests: stockEndpoints,
});

const { ProductID, 'Product.ExternalID': external, 'Product.Artikelnummer': article, AantalRekeneenheid, AantalProducteenheid, ...others } = stockMutations.fields;

/** The columns of a count: those of a mutation (interface 2.6), but with counted amounts. */
const countFields = {
  // Another product than a mutation's example: counting and mutating one product in a workbook is a conflict.
  ProductID: { ...ProductID, example: 7003 },
  'Product.ExternalID': { ...external, example: 50003 },
  'Product.Artikelnummer': { ...article, example: '001003' },
  GeteldRekeneenheid: decimal({ create: 'optional', reads: 'none', help: t('Counted amount in units of calculation', 'Geteld aantal rekeneenheden'), example: 2.5 }),
  GeteldProducteenheid: decimal({ create: 'optional', reads: 'none', help: t('Counted amount in product units', 'Geteld aantal producteenheden'), example: 3 }),
  '#plaats': text({
    reads: 'none',
    alias: '#place',
    sensible: 60,
    help: t('Where it was counted; the counts of a product in several places are added up', 'Waar het geteld is; tellingen van een product op verschillende plaatsen worden opgeteld'),
    example: 'Koelcel',
  }),
  ...others,
} satisfies Fields;

/** Stock counts (voorraadtellingen): what is on the shelf; the difference to the current total is sent. */
export const stockCount = defineResource({
  name: 'stock-count',
  sheet: 'Voorraadtelling',
  about: t('What was counted on the shelf', 'Wat er op de plank geteld is'),
  kind: 'count',
  keys: ['ProductID', 'Product.ExternalID', 'Product.Artikelnummer'],
  labelled: ['ProductID', products],
  names: ['OmschrijvingIntern', 'Omschrijving', 'ProductNaam'],
  product: 'ProductID',
  moment: 'DatumTijd',
  place: '#plaats',
  amounts: [
    { counted: 'GeteldRekeneenheid', sent: 'AantalRekeneenheid', total: 'Aantal', unit: 'RekenEenheid' },
    { counted: 'GeteldProducteenheid', sent: 'AantalProducteenheid', total: 'AantalProductEenheid', unit: 'ProductEenheid' },
  ],
  worth: 'Waarde',
  kept: 'VoorraadProduct',
  told: ['OmschrijvingIntern', 'Artikelnummer', 'RekenEenheid', 'ProductEenheid'],
  listed: { OmschrijvingIntern: 'string', Artikelnummer: 'string', ExternalID: 'int', Aantal: 'float', RekenEenheid: 'string', AantalProductEenheid: 'float', ProductEenheid: 'string', Waarde: 'float' },
  fields: countFields,
  requests: stockEndpoints,
});
