import { listAnswer } from '../schema/list.ts';
import { eventRecord } from './event-record.ts';

/** The answer of an event list: many, one or none (interface 4.4). */
export const eventList = listAnswer(eventRecord, { id: 'PartijID' });
