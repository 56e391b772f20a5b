import { z } from 'zod';
import { listAnswer, writeAnswer } from '../schema/answer.ts';
import { bodySchema } from '../schema/body.ts';
import { datetimeCodec } from '../schema/codecs/datetime.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { boolean, type Fields, integer, text } from '../schema/field.ts';
import { dropdownValues } from './lookups.ts';
import { tripRecord } from './trip-record.ts';

/** Trip (rit) fields that an update takes: interface 4.6. */
const fields = {
  RitID: integer({ update: 'required', help: { en: 'The trip', nl: 'De rit' }, example: 8001 }),
  Chauffeur: text({ update: 'optional', help: { en: 'Driver', nl: 'Chauffeur' }, example: 'J. de Boer' }),
  TypeVoertuigID: integer({ update: 'optional', lookup: dropdownValues('voertuigtype', 97), help: { en: 'Vehicle type', nl: 'Type voertuig' }, example: 9701 }),
  SubtypeRitID: integer({ update: 'optional', reads: 'list', lookup: dropdownValues('subtyperit', 96), help: { en: 'Trip subtype', nl: 'Subtype rit' }, example: 9601 }),
  RetourRit: boolean({ update: 'optional', help: { en: 'Return trip', nl: 'Retourrit' }, example: false }),
} satisfies Fields;

const moment = datetimeCodec.wire;
const list = listAnswer(tripRecord);

/** The four trip endpoints of interface 4.6. */
export const tripEndpoints = {
  all: defineEndpoint({ name: 'trips.all', section: '4.6', method: 'POST', path: 'api/v1/ritten/all', effect: 'none', body: z.strictObject({ DatumVan: moment, DatumTot: moment }), answer: list }),
  allByLmt: defineEndpoint({ name: 'trips.allByLMT', section: '4.6', method: 'POST', path: 'api/v1/ritten/allByLMT', effect: 'none', body: z.strictObject({ LMT: moment }), answer: list }),
  update: defineEndpoint({ name: 'trips.update', section: '4.6', method: 'POST', path: 'api/v1/ritten', effect: 'same', body: bodySchema(fields, 'update'), answer: writeAnswer }),
  /** The response is not shown (interface 4.6). */
  remove: defineEndpoint({ name: 'trips.delete', section: '4.6', method: 'DELETE', path: 'api/v1/ritten/{ID}', effect: 'same', answer: writeAnswer }),
} as const;
