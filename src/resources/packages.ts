import { t } from '../core/language.ts';
import { bodySchema, boolean, datetime, decimal, type Fields, integer, money, text, withOneOf } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { productCategories, productTypes } from './lookups.ts';
import { articleNumbers, productOf } from './product-record.ts';

/** Package (pakket) fields: interface 2.1 (input) and 2.2 (detail). */
const fields = {
  ProductID: integer({ update: 'optional', help: t('The service’s own number of the package', 'Het nummer van het pakket in het systeem'), example: 5012 }),
  ExternalID: integer({ create: 'dialect', update: 'optional', help: t('Your own number; the package is found again by it', 'Je eigen nummer; het pakket wordt daarop teruggevonden'), example: 30012 }),
  ProductTypeID: integer({ create: 'required', update: 'required', lookup: productTypes, help: t('Product type, id or name', 'Producttype, id of naam'), example: 1 }),
  OmschrijvingIntern: text({ create: 'required', update: 'required', sensible: 255, help: t('Name in the kitchen', 'Naam in de keuken'), example: 'Kerstbuffet Luxe' }),
  Verkoopprijs: money({ create: 'required', update: 'required', help: t('Sales price', 'Verkoopprijs'), example: 34.5 }),
  OmschrijvingExtern: text({ create: 'optional', update: 'optional', sensible: 255, help: t('Name for the guest', 'Naam voor de gast'), example: 'Luxe kerstbuffet' }),
  Actief: boolean({ create: 'optional', update: 'optional', help: t('In use', 'In gebruik'), example: true }),
  ProductCategorieID: integer({ create: 'optional', update: 'optional', lookup: productCategories, help: t('Category, id or name', 'Categorie, id of naam'), example: 10 }),
  Offertetekst: text({ create: 'optional', update: 'optional', listName: 'OfferteTekst', help: t('Text on the quotation', 'Tekst op de offerte'), example: 'Inclusief servies.' }),
  InterneOpmerking: text({ create: 'optional', update: 'optional', help: t('Remark for colleagues', 'Opmerking voor collega’s'), example: 'prijs nakijken' }),
  Volume: decimal({ create: 'optional', update: 'optional', help: t('Volume; the interface names no unit', 'Volume; de interface noemt geen eenheid'), example: 2.25 }),
  OpnemenInOfferte: boolean({ create: 'optional', update: 'optional', help: t('Include in quotations', 'Opnemen in de offerte'), example: true }),
  OnderdelenInOfferte: boolean({ create: 'optional', update: 'optional', help: t('Include the parts in quotations', 'Onderdelen opnemen in de offerte'), example: false }),
  OfferteCategorieTonen: boolean({ create: 'optional', update: 'optional', help: t('Show the quotation category', 'Offertecategorie tonen'), example: false }),
  LMT: datetime({ create: 'unsent', update: 'unsent', help: t('Last modified; by the service, never sent', 'Laatst gewijzigd; door het systeem, wordt nooit verstuurd') }),
  ...articleNumbers,
} satisfies Fields;

const update = withOneOf(bodySchema(fields, 'update'), ['ProductID', 'ExternalID']);

/** Packages (pakketten): what the catalogue manager sells. */
export const packages = defineResource({
  ...productOf(fields, { name: 'packages', called: [t('a package', 'een pakket'), t('packages', 'pakketten')], section: '4.1', path: 'api/v1/product/pakket', texts: ['ID'], update }),
  sheet: 'Pakketten',
  about: t('What is sold', 'Wat je verkoopt'),
});
