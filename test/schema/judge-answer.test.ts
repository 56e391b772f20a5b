import { describe, expect, it } from 'vitest';
import { harmlessAnswer, judgeAnswer, tellingAnswer } from '../../src/schema/judge-answer.ts';

/** What an answer is taken for: where nothing is shown of it, and where `{id, success}` is (interface 4.2, 4.4). */
const CASES: readonly (readonly [answer: unknown, open: string, write: string])[] = [
  [{ id: 3, success: true }, 'done', 'done'],
  [[{ data: { id: 3, success: 'true' } }], 'done', 'done'],
  [{ success: true, message: 'verzonden, let op: fout adres' }, 'done', 'done'],
  [{ success: true, errors: ['regel 2'] }, 'doubtful', 'doubtful'],
  [{ success: true, verzonden: false }, 'doubtful', 'doubtful'],
  // A record that is given back has flags of its own.
  [{ success: true, id: 3, event: { StatusID: 3, Verzonden: false, status: 'afgekeurd' } }, 'done', 'done'],
  [{ id: 3, event: { verzonden: false } }, 'doubtful', 'doubtful'],
  [{ id: 3, errors: [] }, 'done', 'done'],
  [{ id: 3, message: 'upload failed' }, 'doubtful', 'doubtful'],
  [{ sent: 3, failed: 0 }, 'done', 'doubtful'],
  [{ sent: 0, failed: 0 }, 'doubtful', 'doubtful'],
  [{ error: null, message: 'wacht op akkoord' }, 'done', 'doubtful'],
  [{ status: 'ok' }, 'done', 'doubtful'],
  [{ status: 'error', message: 'disk full' }, 'doubtful', 'doubtful'],
  [{ error: 'disk full' }, 'doubtful', 'doubtful'],
  [{ message: 'Verstuurd.' }, 'done', 'doubtful'],
  [{ message: 'Order 881 wordt nog verstuurd' }, 'done', 'doubtful'],
  [{ id: 0, success: null }, 'doubtful', 'doubtful'],
  [{ ok: false }, 'doubtful', 'doubtful'],
  [{ verzonden: false }, 'doubtful', 'doubtful'],
  [{ httpStatus: 500 }, 'doubtful', 'doubtful'],
  [{ fault: { event: { id: 9001 } } }, 'doubtful', 'doubtful'],
  [[{ success: false }, { success: true }], 'doubtful', 'doubtful'],
  [{ success: false, id: 3 }, 'refused', 'refused'],
  [{ data: { succes: '0' } }, 'refused', 'refused'],
  [false, 'refused', 'refused'],
  [true, 'done', 'done'],
  ['OK', 'done', 'doubtful'],
  ['3 sent, 0 errors', 'done', 'doubtful'],
  ['0 sent, 0 errors', 'doubtful', 'doubtful'],
  ['wasn’t sent', 'doubtful', 'doubtful'],
  ['geen verbinding', 'doubtful', 'doubtful'],
  [{ sent: 0 }, 'doubtful', 'doubtful'],
  [{ success: true, sent: 0 }, 'done', 'done'],
  ...['', undefined, null, [], {}].map((nothing) => [nothing, 'done', 'doubtful'] as const),
];

describe('an answer', () => {
  it.each(CASES)('%j is %s where nothing is shown of it, %s to a write', (answer, open, write) => {
    expect(judgeAnswer(answer)).toBe(open);
    const read = tellingAnswer.safeParse(answer);
    expect(read.success ? (read.data.success ? 'done' : 'refused') : 'doubtful').toBe(write);
  });
});

const HARMLESS: readonly (readonly [answer: unknown, done: boolean | undefined])[] = [
  [{ PartijID: 9023 }, true],
  [{ message: 'Event refreshed' }, true],
  ...['', undefined, null, [], {}].map((nothing) => [nothing, true] as const),
  [{ success: false }, false],
  [{ error: 'no such event' }, undefined],
  ['event unknown', undefined],
];

it.each(HARMLESS)('%j to a request that may be repeated: done is %s', (answer, done) => {
  expect(harmlessAnswer.safeParse(answer).data?.success).toBe(done);
});
