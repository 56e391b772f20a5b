import { z } from 'zod';
import { type AnswerRecord, isMissing, listAnswer } from '../schema/answer.ts';
import { eventRecord } from './event-record.ts';

/** `{success: false}` and the like; nothing at all, `[]`, null and `{}` say that the period holds no event. */
const refusal = (answer: unknown): boolean => isMissing(answer) && typeof answer === 'object' && answer !== null && !Array.isArray(answer) && Object.keys(answer).length > 0;

const isEvent = (record: AnswerRecord): boolean => Number.isSafeInteger(record.PartijID);

/**
 * The answer of an event list: many, one or none (interface 4.4). Anything else is no answer: read as an empty list, it
 * would make events that exist look new, and they would be created twice.
 */
export const eventList: z.ZodType<AnswerRecord[]> = z
  .unknown()
  .refine((answer) => !refusal(answer), 'success false in place of a list')
  .pipe(listAnswer(eventRecord))
  .refine((records) => records.every(isEvent), 'a record without PartijID');
