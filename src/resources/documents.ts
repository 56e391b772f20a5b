import { z } from 'zod';
import { t } from '../core/language.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { type Fields, text } from '../schema/field.ts';
import { defineResource } from '../schema/resource.ts';
import { aboutEvent, eventEndpoints } from './events.ts';

/** The fields of an upload (interface 4.4), with the file as its path. */
const fields = {
  ...aboutEvent,
  Submap: text({ create: 'required', reads: 'none', help: t('Folder of the event', 'Map bij het evenement'), example: 'Offertes' }),
  Document: text({ create: 'required', reads: 'none', help: t('The file, by its path from the folder', 'Het bestand, met zijn pad vanaf de map'), example: 'offertes/bakker.pdf' }),
} satisfies Fields;

const { upload, find } = eventEndpoints;

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
  fields,
  requests: { upload, uploadAsText, find },
});
