import { type Fields, identifier, text } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { generalEndpoints } from './general.ts';

/** The two segments of the path (interface 4.7); their types are not shown. */
const fields = {
  id: identifier({ create: 'required', reads: 'none', help: { en: 'The invoice', nl: 'De factuur' }, example: '2026001' }),
  extension: text({ create: 'optional', reads: 'none', help: { en: 'Kind of file, pdf where it is empty', nl: 'Soort bestand, pdf waar het leeg is' }, example: 'pdf' }),
} satisfies Fields;

const { invoiceFile: file } = generalEndpoints;

/** Invoices (facturen): files that are fetched. */
export const invoices = defineResource({
  name: 'invoices',
  sheet: 'Facturen',
  about: { en: 'Invoices to fetch', nl: 'Facturen om op te halen' },
  kind: 'download',
  command: 'invoices',
  keys: ['id'],
  id: 'id',
  extension: 'extension',
  usual: 'pdf',
  fields,
  requests: { file },
});
