import { parseIso } from '../schema/codecs/datetime.ts';
import type { FieldErrors } from './reply.ts';
import type { Company, ReferenceName } from './seed/company.ts';

/** Which list a field's id must be in. Records that come and go are looked up by their handlers. */
const REFERENCES: Readonly<Record<string, ReferenceName>> = {
  ProductTypeID: 'productTypes',
  ProductCategorieID: 'anyCategory',
  ProductEenheidWaardeID: 'productUnits',
  RekenEenheidID: 'units',
  SubAfdelingID: 'departments',
  THTBewaaradviesGeslotenWaardeID: 'storageAdvice',
  THTBewaaradviesGeopendWaardeID: 'storageAdvice',
  THTBewaaradviesGeopendDagWaardeID: 'storageDays',
  RelatieID: 'relations',
  FactuurRelatieID: 'relations',
  ContactpersoonID: 'contacts',
  FactuurContactpersoonID: 'contacts',
  LocatieID: 'locations',
  CentraleProductieLocatieID: 'locations',
  BronWaardeID: 'eventSources',
  TypeWaardeID: 'eventTypes',
  BehuizingstypeWaardeID: 'housings',
  BTWModusWaardeID: 'vatModes',
  CentraalProducerenWaardeID: 'productionModes',
  AccountmanagerID: 'employees',
  WerknemerID: 'employees',
  ArrangementID: 'arrangements',
  MutatieCategorieID: 'mutationCategories',
  TypeVoertuigID: 'vehicles',
  SubtypeRitID: 'tripSubtypes',
};

const MOMENTS = ['Datum', 'Starttijd', 'Eindtijd', 'DatumTijd', 'DatumVan', 'DatumTot', 'LMT'];

/** Ids that no list holds, and days that no calendar holds, by field; null clears and refers to nothing. */
export function referenceErrors(body: Readonly<Record<string, unknown>>, company: Company): FieldErrors {
  const errors: Record<string, string[]> = {};
  for (const [field, value] of Object.entries(body)) {
    const list = REFERENCES[field];
    if (list !== undefined && typeof value === 'number' && !company.has(list, value)) {
      errors[field] = [`Het gekozen ${field} is ongeldig.`];
    }
    if (MOMENTS.includes(field) && typeof value === 'string' && parseIso(value) === undefined) {
      errors[field] = [`Het veld ${field} bevat geen geldige datum.`];
    }
  }
  return errors;
}
