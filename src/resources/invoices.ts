import { t } from '../core/language.ts';
import { type Fields, identifier, text } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { generalEndpoints } from './general.ts';

/** The two segments of the path (interface 4.7); their types are not shown. */
const fields = {
  id: identifier({ create: 'required', reads: 'none', help: t('The invoice', 'De factuur'), example: '2026001' }),
  extension: text({ create: 'optional', reads: 'none', help: t('Kind of file, pdf where it is empty', 'Soort bestand, pdf waar het leeg is'), example: 'pdf' }),
} satisfies Fields;

const { invoiceFile: file } = generalEndpoints;

/** Invoices (facturen): files to fetch. */
export const invoices = defineResource({
  name: 'invoices',
  sheet: 'Facturen',
  about: t('Invoices to fetch', 'Facturen om op te halen'),
  kind: 'download',
  command: 'invoices',
  keys: ['id'],
  id: 'id',
  extension: 'extension',
  usual: 'pdf',
  fields,
  requests: { file },
});
