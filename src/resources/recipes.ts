import { t } from '../core/language.ts';
import { boolean, datetime, decimal, type Fields, integer, money, text } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { departments, dropdownValues, productActionCategories, productCategories, units } from './lookups.ts';
import { articleNumbers, productOf } from './product-record.ts';

/** Recipe (recept) fields: interface 2.3 (input) and 2.4 (detail). */
const fields = {
  ProductID: integer({ update: 'required', help: t('The service’s own number of the recipe', 'Het nummer van het recept in het systeem'), example: 7001 }),
  ExternalID: integer({ create: 'dialect', update: 'dialect', help: t('Your own number; the recipe is found again by it', 'Je eigen nummer; het recept wordt daarop teruggevonden'), example: 50001 }),
  OmschrijvingIntern: text({ create: 'required', update: 'required', sensible: 255, help: t('Name in the kitchen', 'Naam in de keuken'), example: 'Tomatensoep' }),
  ProductCategorieID: integer({ create: 'required', update: 'required', lookup: productCategories, updateLookup: productActionCategories, help: t('Category, id or name', 'Categorie, id of naam'), example: 1 }),
  ProductEenheidWaardeID: integer({ create: 'required', update: 'required', lookup: dropdownValues('producteenheid'), help: t('Product unit', 'Producteenheid'), example: 201 }),
  Gewicht: decimal({ create: 'required', update: 'required', help: t('Weight', 'Gewicht'), example: 0.25 }),
  OPK: integer({ create: 'required', update: 'required', help: t('A whole number; the interface does not say what it means', 'Een geheel getal; de interface zegt niet wat het betekent'), example: 10 }),
  RekenEenheidID: integer({ create: 'optional', update: 'optional', reads: 'list', lookup: units, help: t('Unit of calculation, id or name', 'Rekeneenheid, id of naam'), example: 1 }),
  Verkoopprijs: money({ create: 'optional', update: 'optional', help: t('Sales price', 'Verkoopprijs'), example: 3.95 }),
  PerStukWeergeven: boolean({ create: 'optional', update: 'optional', help: t('Show per piece', 'Per stuk weergeven'), example: false }),
  Chargegrootte: integer({ create: 'optional', update: 'optional', help: t('Batch size', 'Chargegrootte'), example: 20 }),
  MinimaleProductieHoeveelheid: integer({ create: 'optional', update: 'optional', help: t('Smallest amount to produce', 'Minimale productiehoeveelheid'), example: 5 }),
  SubAfdelingID: integer({ create: 'optional', update: 'optional', lookup: departments, help: t('Department, id or name', 'Subafdeling, id of naam'), example: 2 }),
  THTDagenDroog: integer({ create: 'optional', update: 'optional', help: t('Shelf life in days, dry', 'Houdbaar in dagen, droog'), example: 30 }),
  THTDagen: integer({ create: 'optional', update: 'optional', help: t('Shelf life in days', 'Houdbaar in dagen'), example: 3 }),
  THTDagenAlternatief: integer({ create: 'optional', update: 'optional', help: t('Shelf life in days, alternative', 'Houdbaar in dagen, alternatief'), example: 5 }),
  VoorraadProduct: boolean({ create: 'optional', update: 'optional', help: t('Kept in stock', 'Voorraadproduct'), example: true }),
  MinimaalVoorraad: integer({ create: 'optional', update: 'optional', help: t('Smallest stock', 'Minimale voorraad'), example: 2 }),
  MaximaalVoorraad: integer({ create: 'optional', update: 'optional', help: t('Largest stock', 'Maximale voorraad'), example: 20 }),
  THTBewaaradviesGeslotenWaardeID: integer({ create: 'optional', update: 'optional', lookup: dropdownValues('bewaaradvies'), help: t('How to keep it, closed', 'Bewaaradvies, gesloten'), example: 301 }),
  THTBewaaradviesGesloten: integer({ create: 'optional', update: 'optional', help: t('Days it keeps, closed', 'Dagen houdbaar, gesloten'), example: 5 }),
  THTBewaaradviesGeopendWaardeID: integer({ create: 'optional', update: 'optional', lookup: dropdownValues('bewaaradvies'), help: t('How to keep it, opened', 'Bewaaradvies, geopend'), example: 302 }),
  THTBewaaradviesGeopendDagWaardeID: integer({ create: 'optional', update: 'optional', lookup: dropdownValues('bewaaradviesdagen'), help: t('Days it keeps, opened', 'Dagen houdbaar, geopend'), example: 312 }),
  Actief: boolean({ help: t('In use; never sent', 'In gebruik; wordt nooit verstuurd') }),
  Kostprijs: money({ reads: 'detail', help: t('Cost price; never sent', 'Kostprijs; wordt nooit verstuurd') }),
  IngredientDeclaratie: text({ declared: true, help: t('Ingredient declaration; never sent', 'Ingrediëntendeclaratie; wordt nooit verstuurd') }),
  IngredientDeclaratieCategorie: text({ declared: true, help: t('Category of the declaration; never sent', 'Categorie van de declaratie; wordt nooit verstuurd') }),
  LMT: datetime({ help: t('Last modified; by the service, never sent', 'Laatst gewijzigd; door het systeem, wordt nooit verstuurd') }),
  ...articleNumbers,
} satisfies Fields;

/** Recipes (recepten): what the kitchen makes. */
export const recipes = defineResource({
  ...productOf(fields, { name: 'recipes', called: [t('a recipe', 'een recept'), t('recipes', 'recepten')], section: '4.2', path: 'api/v1/product/recept' }),
  sheet: 'Recepten',
  about: t('What the kitchen makes', 'Wat de keuken maakt'),
});
