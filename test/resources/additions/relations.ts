import { z } from 'zod';
import { datetimeCodec } from '../../../src/core/codecs/datetime.ts';
import { relation } from '../../../src/resources/trips.ts';
import { listedMembers, membersRecord, writeAnswer } from '../../../src/schema/answer.ts';
import { defineEndpoint } from '../../../src/schema/endpoint.ts';
import { bodySchema, boolean, datetime, type Fields, integer, text } from '../../../src/schema/field.ts';
import { listAnswer } from '../../../src/schema/page.ts';
import { defineResource } from '../../../src/schema/resource.ts';

/** Relation fields: what an update takes. */
const fields = {
  RelatieID: integer({ update: 'required', help: { en: 'The customer', nl: 'De relatie' }, example: 1 }),
  Bedrijfsnaam: text({ update: 'optional', sensible: 255, help: { en: 'Name', nl: 'Bedrijfsnaam' }, example: 'Bakker BV' }),
  Telefoon: text({ update: 'optional', help: { en: 'Telephone', nl: 'Telefoon' }, example: '0341-555001' }),
  Email: text({ update: 'optional', help: { en: 'Mail address', nl: 'E-mailadres' }, example: 'info@bakker.example' }),
  Opmerking: text({ update: 'optional', help: { en: 'Remark', nl: 'Opmerking' }, example: 'belt voor tienen' }),
  DigitaleFactuur: boolean({ update: 'optional', help: { en: 'Invoices by mail', nl: 'Digitale factuur' }, example: true }),
  LMT: datetime({ help: { en: 'Last modified, by the service; never sent', nl: 'Laatst gewijzigd, door het systeem; wordt nooit verstuurd' } }),
} satisfies Fields;

const listed = listedMembers(fields, relation);

/** Relations (relaties): made by the service; changed here. */
export const relations = defineResource({
  name: 'relations',
  sheet: 'Relaties',
  about: { en: 'Customers, made by the service', nl: 'Relaties, door het systeem aangemaakt' },
  kind: 'trip',
  keys: ['RelatieID'],
  finds: ['LMT'],
  id: 'RelatieID',
  modified: 'LMT',
  listed,
  fields,
  requests: {
    update: defineEndpoint({ name: 'relations.update', section: '4.8', method: 'POST', path: 'api/v1/relation', effect: 'same', body: bodySchema(fields, 'update'), answer: writeAnswer }),
    allByLmt: defineEndpoint({
      name: 'relations.allByLMT',
      section: '4.8',
      method: 'POST',
      path: 'api/v1/relation/allByLMT',
      effect: 'none',
      body: z.strictObject({ LMT: datetimeCodec.wire }),
      answer: listAnswer(membersRecord(listed), { id: 'RelatieID' }),
    }),
  },
});
