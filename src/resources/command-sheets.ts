import { z } from 'zod';
import { t } from '../core/language.ts';
import { fileAnswer, openAnswer } from '../schema/answer.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { type Fields, identifier, text } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { aboutEvent, eventEndpoints } from './events.ts';

/** The three general endpoints of interface 4.7; their success responses are not shown. */
export const generalEndpoints = {
  invoiceFile: defineEndpoint({
    name: 'invoices.file',
    summary: t('Fetch an invoice as a file of the kind that extension names', 'Haal een factuur op als bestand van de soort die extension noemt'),
    section: '4.7',
    method: 'GET',
    path: 'api/v1/invoice/file/{id}/{extension}',
    texts: ['id', 'extension'],
    effect: 'none',
    returns: 'binary',
    answer: fileAnswer,
  }),
  sendAllOrders: defineEndpoint({
    name: 'orders.sendAll',
    summary: t('Send every purchase order that waits to be sent', 'Verstuur alle inkooporders die klaarstaan'),
    section: '4.7',
    method: 'GET',
    path: 'api/v1/edi/purchaseorder/sendAll',
    effect: 'each',
    returns: 'any',
    answer: openAnswer,
  }),
  sendOrder: defineEndpoint({
    name: 'orders.send',
    summary: t('Send one purchase order', 'Verstuur één inkooporder'),
    section: '4.7',
    method: 'GET',
    path: 'api/v1/edi/purchaseorder/send/{ID}',
    effect: 'each',
    returns: 'any',
    answer: openAnswer,
  }),
} as const;

/** The fields of an upload (interface 4.4), with the file as its path. */
const documentFields = {
  ...aboutEvent,
  Submap: text({ create: 'required', reads: 'none', help: t('Folder of the event', 'Map bij het evenement'), example: 'Offertes' }),
  Document: text({ create: 'required', reads: 'none', help: t('The file, by its path from the folder', 'Het bestand, met zijn pad vanaf de map'), example: 'offertes/bakker.pdf' }),
} satisfies Fields;

const { upload, find, refresh } = eventEndpoints;

/** The same endpoint, sent in the other way that a service may expect a file. */
const uploadAsText = defineEndpoint({ ...upload, sends: 'json', body: z.strictObject({ PartijID: z.int(), Submap: z.string(), Document: z.base64() }) });

/** Documents (documenten): files to upload to an event. */
export const documents = defineResource({
  name: 'documents',
  sheet: 'Documenten',
  about: t('Files that go to an event', 'Bestanden die naar een evenement gaan'),
  kind: 'document',
  command: 'documents',
  keys: ['PartijID', 'Event.ExternalID'],
  label: 'Document',
  event: 'PartijID',
  day: 'Datum',
  folder: 'Submap',
  file: 'Document',
  fields: documentFields,
  requests: { upload, uploadAsText, find },
});

/** Events to refresh (verversen): the service recalculates what they need. */
export const refreshes = defineResource({
  name: 'refresh',
  sheet: 'Verversen',
  about: t('Events that the service is to refresh', 'Evenementen die het systeem moet verversen'),
  kind: 'refresh',
  command: 'refresh',
  keys: ['PartijID', 'Event.ExternalID'],
  event: 'PartijID',
  day: 'Datum',
  fields: aboutEvent,
  requests: { refresh },
});

/** The two segments of the path (interface 4.7); their types are not shown. */
const invoiceFields = {
  id: identifier({ create: 'required', reads: 'none', help: t('The invoice', 'De factuur'), example: '2026001' }),
  extension: text({ create: 'optional', reads: 'none', help: t('Kind of file, pdf where it is empty', 'Soort bestand, pdf waar het leeg is'), example: 'pdf' }),
} satisfies Fields;

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
  fields: invoiceFields,
  requests: { file: generalEndpoints.invoiceFile },
});
