import { z } from 'zod';
import { t } from '../core/language.ts';
import { type AnswerRecord, detailAnswer } from '../schema/answer.ts';
import { defineEndpoint, type Endpoint } from '../schema/endpoint.ts';
import type { Lookup, NamedRecord } from '../schema/field.ts';
import { listAnswer, type RecordPage } from '../schema/page.ts';

/** The members of lookup records are not shown (interface 2.9): each is kept as it comes. */
const lookupRecord: z.ZodType<AnswerRecord> = z.record(z.string(), z.unknown());

const list = (name: string, path: string): Endpoint<undefined, RecordPage> => defineEndpoint({ name, section: '2', method: 'GET', path, effect: 'none', answer: listAnswer(lookupRecord) });

const one = (name: string, path: string): Endpoint<undefined, AnswerRecord | null> => defineEndpoint({ name, section: '2', method: 'GET', path, effect: 'none', answer: detailAnswer(lookupRecord) });

/** The lookups named in section 2 of the interface. */
export const lookupEndpoints = {
  productTypes: list('lookups.producttype', 'api/v1/producttype/all'),
  productCategories: list('lookups.productcategory', 'api/v1/productcategory/all'),
  productActionCategories: list('lookups.productactiecategory', 'api/v1/productactiecategory/all'),
  units: list('lookups.unit', 'api/v1/unit/all'),
  departments: list('lookups.department', 'api/v1/department/all'),
  dropdownValues: list('lookups.dropdownvalue', 'api/v1/dropdownvalue/{id}'),
  relation: one('lookups.relation', 'api/v1/relation/{id}'),
  contact: one('lookups.contact', 'api/v1/relation/contact/{id}'),
  location: one('lookups.location', 'api/v1/location/{id}'),
  product: one('lookups.product', 'api/v1/product/detail/{id}'),
  trips: list('lookups.ritten', 'api/v1/core/ritten/all'),
} as const;

/** Customers, for RelatieID; the interface says where their name is (2.9). */
export const relations: NamedRecord = { called: t('customers', 'relaties'), name: 'relatie', each: lookupEndpoints.relation, id: 'RelatieID', label: ['Bedrijfsnaam'], isSure: true };
/** Contact persons, for ContactpersoonID (2.9). */
export const contacts: NamedRecord = {
  called: t('contact persons', 'contactpersonen'),
  name: 'contactpersoon',
  each: lookupEndpoints.contact,
  id: 'ContactpersoonID',
  label: ['Voornaam', 'Tussenvoegsel', 'Achternaam'],
  isSure: true,
};
/** Locations, for LocatieID; the interface does not say where their name is. */
export const locations: NamedRecord = { called: t('locations', 'locaties'), name: 'locatie', each: lookupEndpoints.location, id: 'LocatieID', isSure: true };
/** Products of any kind, for ProductID on the stock sheets. */
export const products = { called: t('products', 'producten'), name: 'product', each: lookupEndpoints.product, id: 'ProductID', label: ['OmschrijvingIntern'] } as const satisfies NamedRecord;

/** The types of products, for ProductTypeID. */
export const productTypes: Lookup = { name: 'producttype', endpoint: lookupEndpoints.productTypes };
/** The categories of products, for ProductCategorieID. */
export const productCategories: Lookup = { name: 'productcategory', endpoint: lookupEndpoints.productCategories };
/** The categories that an update of a recipe takes for ProductCategorieID (interface 2.3). */
export const productActionCategories: Lookup = { name: 'productactiecategory', endpoint: lookupEndpoints.productActionCategories };
/** The units of calculation, for RekenEenheidID. */
export const units: Lookup = { name: 'unit', endpoint: lookupEndpoints.units };
/** The departments, for SubAfdelingID. */
export const departments: Lookup = { name: 'department', endpoint: lookupEndpoints.departments };

/** Words in the names of the lists that the interface does not number. */
const LOOKS: Readonly<Record<string, RegExp>> = {
  producteenheid:
    /^(?:\d+ ?x? ?)?(?:stuks?|st|porties?|personen|persoon|schaal|schalen|bak|bakje|doos|zak|krat|fles|blik|pak|pot|emmer|tray|rol|bos|set|vat|fust|kilo|kilogram|kg|gram|g|liter|l|plaat|gastronorm|gn|karton|kan|pan|meter|piece|portion|box|bag|bottle|can|pack|unit)\b/i,
  bewaaradvies: /bewar|koel|vries|droog|donker|kamertemperatuur|°|graden|\b(?:store|keep|cool|chilled|frozen|dry)\b/i,
  bewaaradviesdagen: /^\D{0,12}\d+ ?(?:dag|dagen|uur|week|weken|maand|maanden|days?|hours?|weeks?|months?)\b/i,
  btwmodus: /\b(?:btw|vat|incl|inclusief|excl|exclusief|verlegd|vrijgesteld)\b/i,
  bron: /website|internet|google|telefo|beurs|e-?mail|social|facebook|instagram|linkedin|mond|aanbeveling|vaste klant|bestaande|advertentie|nieuwsbrief|netwerk|referral|phone/i,
  eventtype: /bruiloft|feest|congres|uitvaart|jubileum|borrel|vergader|diner|lunch|receptie|trouw|condoleance|barbecue|bbq|seminar|training|wedding|party|conference|funeral/i,
  behuizingstype: /binnen|buiten|tent|op locatie|paviljoen|kasteel|boerderij|schip|boot|loods|\b(?:indoor|outdoor|marquee|hall)\b/i,
};

/** A dropdown list; the interface gives the numbers of some, settings can give the others. */
export function dropdownValues(name: string, dropdown?: number): Lookup {
  const lookup = { name, endpoint: lookupEndpoints.dropdownValues };
  const looks = LOOKS[name];
  if (dropdown !== undefined) return { ...lookup, dropdown };
  return looks === undefined ? lookup : { ...lookup, looks };
}
