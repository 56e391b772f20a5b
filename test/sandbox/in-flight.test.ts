import { expect, test } from 'vitest';
import { measureInFlight } from '../../src/sandbox/requests/request-log.ts';

test.each([
  ['nothing', [], { average: 0, max: 0 }],
  [
    'with gaps',
    [
      [0, 10],
      [20, 10],
      [40, 10],
    ],
    { average: 0.5, max: 1 },
  ],
  [
    'two lanes',
    [
      [0, 10],
      [0, 10],
      [10, 10],
      [10, 10],
      [20, 10],
      [20, 10],
    ],
    { average: 2, max: 2 },
  ],
  [
    'a long tail, which is left out',
    [
      [0, 10],
      [0, 10],
      [10, 1000],
    ],
    { average: 2, max: 2 },
  ],
] as const)('%s', (_, spans, expected) => {
  expect(measureInFlight(spans.map(([at, ms]) => ({ at, ms })))).toEqual(expected);
});
