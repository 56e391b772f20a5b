import { describe, expect, test } from 'vitest';
import { detailAnswer, isMissing, type Members, recordReader, writeAnswer } from '../../src/schema/answer.ts';

const record: Members = {
  ProductID: 'int',
  Verkoopprijs: 'float',
  Actief: 'bool',
  OmschrijvingIntern: 'string',
  LMT: 'datetime',
  Portieartikel: 'unknown',
};

describe('a record', () => {
  test.each([
    [
      { ProductID: '5012', Actief: '1', Verkoopprijs: '34.50' },
      { ProductID: 5012, Actief: true, Verkoopprijs: 34.5 },
    ],
    [
      { ProductID: 5012, Actief: 0, Verkoopprijs: '' },
      { ProductID: 5012, Actief: false, Verkoopprijs: null },
    ],
    [
      { OmschrijvingIntern: ' Soep ', LMT: '2027-04-28T11:30:00Z' },
      { OmschrijvingIntern: 'Soep', LMT: '2027-04-28 11:30:00' },
    ],
    // What is absent stays absent, what is not understood or not known stays as it is.
    [{}, {}],
    [
      { ProductID: 'n.v.t.', Actief: 7 },
      { ProductID: 'n.v.t.', Actief: 7 },
    ],
    [
      { NieuwVeld: { a: [1] }, nogEen: '' },
      { NieuwVeld: { a: [1] }, nogEen: '' },
    ],
    [{ Portieartikel: '' }, { Portieartikel: null }],
    [{ ProductID: { id: 5 } }, { ProductID: '{"id":5}' }],
  ])('%j is read as %j', (answer, expected) => {
    expect(recordReader(record)(answer)).toStrictEqual(expected);
  });

  test.each([['tekst'], [5], [true], [null], [undefined]])('%j is no record', (answer) => {
    expect(recordReader(record)(answer)).toBeUndefined();
  });
});

describe('a missing record', () => {
  const missing = [
    null,
    undefined,
    '',
    {},
    [],
    { success: false },
    { Success: 'false' },
    { success: '0', message: 'Niet gevonden' },
  ];
  test.each(missing.map((answer) => [answer]))('%j stands for a missing record', (answer) => {
    expect(isMissing(answer)).toBe(true);
    // An empty body is what a failing service answers too.
    expect(detailAnswer(record).safeParse(answer)).toMatchObject(
      answer === undefined ? { success: false } : { success: true, data: null },
    );
  });

  test.each([[{ data: null }], [{ data: {} }], [{ success: true, data: null }], [[null]], [[{}]]])(
    '%j holds no record',
    (answer) => {
      expect(detailAnswer(record).parse(answer)).toBeNull();
    },
  );

  test.each([
    [{ ProductID: 1 }],
    [{ success: true }],
    [0],
    ['tekst'],
    [[null]],
    [{ succesvol: false }],
    // A record that happens to have such a flag.
    [{ ProductID: 1, Actief: true, OmschrijvingIntern: 'Soep', LMT: null, success: false }],
  ])('%j is no missing record', (answer) => {
    expect(isMissing(answer)).toBe(false);
  });

  test.each([[5], ['tekst'], [false], [[5]], [{ data: ['tekst'] }]])(
    '%j is neither a record nor none',
    (answer) => {
      expect(detailAnswer(record).safeParse(answer).success).toBe(false);
    },
  );
});

describe('a detail answer', () => {
  const soup = { ProductID: 7031, OmschrijvingIntern: 'Soep' };
  test.each([
    [soup],
    [[soup]],
    [{ data: soup }],
    [[{ data: soup }]],
    [{ ProductID: '7031', OmschrijvingIntern: 'Soep' }],
  ])('%j is the record', (answer) => {
    expect(detailAnswer(record).parse(answer)).toStrictEqual(soup);
  });
});

describe('a write answer (interface 7)', () => {
  const answered = (id: number | null, success: boolean, message: string | null = null) => ({
    id,
    success,
    message,
  });
  test.each([
    [{ ProductID: 5012, success: true }, answered(5012, true)],
    [{ id: 3, succes: true }, answered(3, true)],
    [{ succes: false }, answered(null, false)],
    [{ success: '0' }, answered(null, false)],
    [{ success: '1', id: '17' }, answered(17, true)],
    [{ Success: false, Id: 17 }, answered(17, false)],
    [{ RitID: 8001 }, answered(8001, true)],
    [[{ id: 5, success: true }], answered(5, true)],
    [{ data: { ProductID: 6 }, success: true }, answered(6, true)],
    [{ data: { ProductID: 6, success: false } }, answered(6, false)],
    // A missing flag is success: a trip's update answers an empty object.
    [{}, answered(null, true)],
    [null, answered(null, true)],
    [true, answered(null, true)],
    [false, answered(null, false)],
    [{ id: '', success: true }, answered(null, true)],
    [{ id: 'n.v.t.', success: true }, answered(null, true)],
    [{ success: false, message: ' Prijs ontbreekt ' }, answered(null, false, 'Prijs ontbreekt')],
    [{ message: { nl: 'Nee' }, success: false }, answered(null, false, '{"nl":"Nee"}')],
    [{ message: 'Ongeldig', errors: { Verkoopprijs: ['te laag'] } }, answered(null, false, 'Ongeldig')],
    [{ ProductID: 5, success: true, errors: [] }, answered(5, true)],
  ])('%j is understood', (answer, expected) => {
    expect(writeAnswer.parse(answer)).toStrictEqual(expected);
  });
});
