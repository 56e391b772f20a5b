import { z } from 'zod';
import { writeAnswer } from '../schema/answer.ts';
import { bodySchema } from '../schema/body.ts';
import { datetimeCodec } from '../schema/codecs/datetime.ts';
import { defineEndpoint } from '../schema/endpoint.ts';
import { boolean, datetime, decimal, type Fields, integer, text } from '../schema/field.ts';
import { listAnswer } from '../schema/list.ts';
import { defineResource } from '../schema/resource.ts';
import { dropdownValues } from './lookups.ts';
import { tripMembers, tripRecord } from './trip-record.ts';

/** Trip (rit) fields: what an update takes (interface 4.6), and of the record (2.9) what tells one trip from another. */
const fields = {
  RitID: integer({ update: 'required', help: { en: 'The trip', nl: 'De rit' }, example: 8001 }),
  Datum: datetime({ help: { en: 'Day; never sent', nl: 'Dag; wordt nooit verstuurd' } }),
  Van: datetime({ help: { en: 'From; never sent', nl: 'Van; wordt nooit verstuurd' } }),
  Tot: datetime({ help: { en: 'Until; never sent', nl: 'Tot; wordt nooit verstuurd' } }),
  Omschrijving: text({ help: { en: 'Description; never sent', nl: 'Omschrijving; wordt nooit verstuurd' } }),
  Naar: text({ help: { en: 'Destination; never sent', nl: 'Bestemming; wordt nooit verstuurd' } }),
  Plaats: text({ help: { en: 'Place; never sent', nl: 'Plaats; wordt nooit verstuurd' } }),
  Chauffeur: text({ update: 'optional', sensible: 255, help: { en: 'Driver', nl: 'Chauffeur' }, example: 'J. de Boer' }),
  TypeVoertuigID: integer({ update: 'optional', lookup: dropdownValues('voertuigtype', 97), help: { en: 'Vehicle type', nl: 'Type voertuig' }, example: 9701 }),
  SubtypeRitID: integer({ update: 'optional', reads: 'list', lookup: dropdownValues('subtyperit', 96), help: { en: 'Trip subtype', nl: 'Subtype rit' }, example: 9601 }),
  RetourRit: boolean({ update: 'optional', help: { en: 'Return trip', nl: 'Retourrit' }, example: false }),
  Opmerking: text({ help: { en: 'Remark; never sent', nl: 'Opmerking; wordt nooit verstuurd' } }),
  PartijID: integer({ help: { en: 'The event; never sent', nl: 'Het evenement; wordt nooit verstuurd' } }),
  KM: decimal({ help: { en: 'Kilometres; never sent', nl: 'Kilometers; wordt nooit verstuurd' } }),
  Verwerkt: boolean({ help: { en: 'Processed; never sent', nl: 'Verwerkt; wordt nooit verstuurd' } }),
  LMT: datetime({ help: { en: 'Last modified, by the service; never sent', nl: 'Laatst gewijzigd, door de dienst; wordt nooit verstuurd' } }),
} satisfies Fields;

const moment = datetimeCodec.wire;
const list = listAnswer(tripRecord, { id: 'RitID' });

/** The four trip endpoints of interface 4.6. */
export const tripEndpoints = {
  all: defineEndpoint({ name: 'trips.all', section: '4.6', method: 'POST', path: 'api/v1/ritten/all', effect: 'none', body: z.strictObject({ DatumVan: moment, DatumTot: moment }), answer: list }),
  allByLmt: defineEndpoint({ name: 'trips.allByLMT', section: '4.6', method: 'POST', path: 'api/v1/ritten/allByLMT', effect: 'none', body: z.strictObject({ LMT: moment }), answer: list }),
  update: defineEndpoint({ name: 'trips.update', section: '4.6', method: 'POST', path: 'api/v1/ritten', effect: 'same', body: bodySchema(fields, 'update'), answer: writeAnswer }),
  /** The response is not shown (interface 4.6). */
  remove: defineEndpoint({ name: 'trips.delete', section: '4.6', method: 'DELETE', path: 'api/v1/ritten/{ID}', effect: 'same', answer: writeAnswer }),
} as const;

/** Trips (ritten): made by the service; drivers and vehicles are filled in here. */
export const trips = defineResource({
  name: 'trips',
  sheet: 'Ritten',
  about: { en: 'Trips are made by the service; drivers and vehicles are filled in here', nl: 'Ritten maakt de dienst; chauffeur en voertuig vul je hier in' },
  kind: 'trip',
  keys: ['RitID'],
  finds: ['Datum', 'LMT'],
  id: 'RitID',
  date: 'Datum',
  modified: 'LMT',
  listed: tripMembers,
  fields,
  requests: tripEndpoints,
});
