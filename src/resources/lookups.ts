import { type Bilingual, t } from '../core/language.ts';
import { type AnswerRecord, detailAnswer } from '../schema/answer.ts';
import { defineEndpoint, type Endpoint } from '../schema/endpoint.ts';
import type { Lookup, NamedRecord } from '../schema/field.ts';
import { listAnswer, type RecordPage } from '../schema/page.ts';

/** The members of lookup records are not shown (interface 2.9): each is kept as it comes. */
const list = (name: string, path: string, summary: Bilingual): Endpoint<undefined, RecordPage> => defineEndpoint({ name, summary, section: '2', method: 'GET', path, effect: 'none', answer: listAnswer() });

const one = (name: string, path: string, summary: Bilingual): Endpoint<undefined, AnswerRecord | null> => defineEndpoint({ name, summary, section: '2', method: 'GET', path, effect: 'none', answer: detailAnswer() });

/** The lookups named in section 2 of the interface. */
export const lookupEndpoints = {
  productTypes: list('lookups.producttype', 'api/v1/producttype/all', t('List the types of products', 'Lees de producttypes')),
  productCategories: list('lookups.productcategory', 'api/v1/productcategory/all', t('List the categories of products', 'Lees de productcategorieën')),
  productActionCategories: list(
    'lookups.productactiecategory',
    'api/v1/productactiecategory/all',
    t('List the categories that an update of a recipe takes', 'Lees de categorieën die een wijziging van een recept aanneemt'),
  ),
  units: list('lookups.unit', 'api/v1/unit/all', t('List the units of calculation', 'Lees de rekeneenheden')),
  departments: list('lookups.department', 'api/v1/department/all', t('List the departments', 'Lees de afdelingen')),
  dropdownValues: list('lookups.dropdownvalue', 'api/v1/dropdownvalue/{id}', t('List the values of a dropdown list', 'Lees de waarden van een keuzelijst')),
  relation: one('lookups.relation', 'api/v1/relation/{id}', t('Read a customer by its number', 'Lees een relatie op nummer')),
  contact: one('lookups.contact', 'api/v1/relation/contact/{id}', t('Read a contact person by its number', 'Lees een contactpersoon op nummer')),
  location: one('lookups.location', 'api/v1/location/{id}', t('Read a location by its number', 'Lees een locatie op nummer')),
  product: one('lookups.product', 'api/v1/product/detail/{id}', t('Read a product of any kind by its number', 'Lees een product van elke soort op nummer')),
  trips: list('lookups.ritten', 'api/v1/core/ritten/all', t('List the trips to choose from', 'Lees de ritten om uit te kiezen')),
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

/** A dropdown list; the interface gives the numbers of some, settings can give the others. */
export const dropdownValues = (name: string, dropdown?: number): Lookup => ({ name, endpoint: lookupEndpoints.dropdownValues, ...(dropdown !== undefined && { dropdown }) });
