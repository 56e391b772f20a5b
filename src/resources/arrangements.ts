import { z } from 'zod';
import { t } from '../core/language.ts';
import { listedMembers, writeAnswer } from '../schema/answer.ts';
import { defineEndpoint, type Endpoint } from '../schema/endpoint.ts';
import { bodySchema, boolean, datetime, type Fields, integer, money, type NamedRecord, text } from '../schema/field.ts';
import { tellingAnswer } from '../schema/judge-answer.ts';
import { listAnswer } from '../schema/page.ts';
import { defineResource } from '../schema/resource.ts';
import { aboutEvent, namedEvents } from './events.ts';

/** The success response is not shown (interface 4.5). */
const find: Endpoint<undefined, unknown> = defineEndpoint({
  name: 'arrangements.get',
  summary: t('Read a link by a number', 'Lees een koppeling op een nummer'),
  section: '4.5',
  method: 'GET',
  path: 'api/v1/event/package/{ID}',
  effect: 'none',
  returns: 'any',
  answer: z.unknown(),
});

/** Whether the id in that path is an ArrangementID is not told, so that one without a record is not wrong. */
const packages: NamedRecord = { called: t('arrangements', 'arrangementen'), name: 'arrangement', each: find, id: 'ArrangementID', label: ['ArrangementNaam'] };

/** Event package (arrangement) fields: the record of interface 2.8, the inputs of 4.5. */
const fields = {
  PartijID: integer({ create: 'required', update: 'optional', said: namedEvents, help: t('The event', 'Het evenement'), example: 9023 }),
  'Event.ExternalID': aboutEvent['Event.ExternalID'],
  ArrangementID: integer({ create: 'required', update: 'required', record: packages, help: t('The package', 'Het arrangement'), example: 2 }),
  Aantal: integer({ create: 'required', update: 'optional', help: t('How many', 'Aantal'), example: 145 }),
  Datum: datetime({ create: 'required', update: 'optional', help: t('Day', 'Dag'), example: '2027-04-18' }),
  OfferteOmschrijving: text({ update: 'optional', sensible: 255, help: t('Description on the quotation', 'Omschrijving op de offerte'), example: 'Lunchbuffet' }),
  ArrangementNaam: text({ help: t('Name of the package; never sent', 'Naam van het arrangement; wordt nooit verstuurd') }),
  VerkoopPrijs: money({ help: t('Sales price; never sent', 'Verkoopprijs; wordt nooit verstuurd') }),
  Actief: boolean({ help: t('In use; never sent', 'In gebruik; wordt nooit verstuurd') }),
} satisfies Fields;

const listed = listedMembers(fields);

/** The five event package endpoints of interface 4.5. */
export const arrangementEndpoints = {
  list: defineEndpoint({
    name: 'arrangements.list',
    summary: t('List the packages of an event', 'Lees de arrangementen van een evenement'),
    section: '4.5',
    method: 'GET',
    path: 'api/v1/event/{ID}/packages',
    effect: 'none',
    answer: listAnswer(listed, { ofRecord: true, id: 'ArrangementID' }),
  }),
  create: defineEndpoint({
    name: 'arrangements.create',
    summary: t('Link a package to an event', 'Koppel een arrangement aan een evenement'),
    section: '4.5',
    method: 'PUT',
    path: 'api/v1/event/package',
    effect: 'each',
    body: bodySchema(fields, 'create'),
    answer: writeAnswer,
  }),
  update: defineEndpoint({
    name: 'arrangements.update',
    summary: t('Change a package of an event', 'Wijzig een arrangement van een evenement'),
    section: '4.5',
    method: 'POST',
    path: 'api/v1/event/package',
    effect: 'same',
    body: bodySchema(fields, 'update'),
    answer: tellingAnswer,
  }),
  remove: defineEndpoint({
    name: 'arrangements.delete',
    summary: t('End a link of a package and an event, with DEL true', 'Ontkoppel een arrangement van een evenement, met DEL true'),
    section: '4.5',
    method: 'POST',
    path: 'api/v1/event/package/delete',
    effect: 'same',
    body: z.strictObject({ PartijID: z.int(), ArrangementID: z.int(), DEL: z.union([z.boolean(), z.literal([0, 1])]) }),
    answer: tellingAnswer,
  }),
  find,
} as const;

/** Arrangements: the packages linked to events. */
export const arrangements = defineResource({
  name: 'arrangements',
  sheet: 'Arrangementen',
  about: t('The packages of an event', 'De arrangementen van een evenement'),
  kind: 'link',
  keys: ['PartijID', 'Event.ExternalID', 'ArrangementID'],
  label: 'ArrangementNaam',
  labelled: ['ArrangementID', packages],
  parent: 'PartijID',
  child: 'ArrangementID',
  beside: { '#Evenement': 'PartijOmschrijving', '#EvenementDatum': 'Datum', '#Plaats': 'AfleverAdresPlaats' },
  listed,
  named: [{ id: 'ArrangementID', header: '#Arrangement', of: packages, in: [] }],
  fields,
  requests: arrangementEndpoints,
});
