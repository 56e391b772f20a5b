import { datetime, type Fields, integer } from '../schema/field.ts';

/** The columns that say which event a row is about. */
export const aboutEvent = {
  PartijID: integer({ create: 'required', reads: 'none', help: { en: 'The event', nl: 'Het evenement' }, example: 9023 }),
  'Event.ExternalID': integer({
    reads: 'none',
    refers: { resources: ['events'], sets: 'PartijID' },
    help: { en: 'The event by your own number, in place of PartijID', nl: 'Het evenement met je eigen nummer, in plaats van PartijID' },
    example: 70023,
  }),
  Datum: datetime({ create: 'optional', reads: 'none', help: { en: 'Day of the event, to find it by your own number', nl: 'Dag van het evenement, om het met je eigen nummer te vinden' }, example: '2027-04-18' }),
} satisfies Fields;
