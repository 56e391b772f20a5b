import type { z } from 'zod';
import { type AnswerRecord, type AnswerType, answerRecord, nestedRecord } from './answer.ts';

/** What a record holds, by the interface's own names and in its order. */
export type Members = Readonly<Record<string, Member>>;

/** A member's type; of a nested record its members, with whether there is one or may be a list of them. Either may be null. */
export type Member =
  | AnswerType
  | { readonly one: Members }
  /** `flat`: there is one as a rule, so that the first of them can stand in the row of what it is nested in. */
  | { readonly many: Members; readonly flat?: boolean };

/** The lenient schema of a record with these members; those it doesn't know are kept. */
export function membersRecord(members: Members): z.ZodType<AnswerRecord> {
  const shape = Object.entries(members).map(([name, member]) => [name, schemaOf(member)]);
  return answerRecord(Object.fromEntries(shape));
}

function schemaOf(member: Member): AnswerType | z.ZodType {
  if (typeof member === 'string') return member;
  return 'one' in member
    ? nestedRecord(membersRecord(member.one))
    : nestedRecord(membersRecord(member.many), { many: true });
}
