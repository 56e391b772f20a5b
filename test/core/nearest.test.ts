import { expect, test } from 'vitest';
import { nearest } from '../../src/core/nearest.ts';

const HEADERS = [
  'Verkoopprijs',
  'Kostprijs',
  'OmschrijvingIntern',
  'OmschrijvingExtern',
  'Volume',
  'ProductID',
  'OPK',
];

test.each([
  ['Verkoopprijs', ['Verkoopprijs', 'Kostprijs']],
  ['verkoop prijs', ['Verkoopprijs', 'Kostprijs']],
  ['Verkoopprys', ['Verkoopprijs']],
  ['Prijs', ['Kostprijs', 'Verkoopprijs']],
  [' prijs ', ['Kostprijs', 'Verkoopprijs']],
  ['Omschrijving', ['OmschrijvingExtern', 'OmschrijvingIntern']],
  ['OmschrijvingIntren', ['OmschrijvingIntern', 'OmschrijvingExtern']],
  ['VOLUME (l)', ['Volume']],
  ['Productnr', ['ProductID']],
  ['OPL', ['OPK']],
  ['Leverancier', []],
  ['e', []],
  ['pr', []],
  ['', []],
])('the names near %j are %j', (wanted, expected) => {
  expect(nearest(wanted, HEADERS)).toEqual(expected);
});

test('near names come nearest first, equally near ones by name, and at most as many as asked for', () => {
  const soups = ['tomatensoep', 'tomatensoup', 'Tomatensoep', 'uiensoep', ''];
  expect(nearest('tomatensoep', soups)).toHaveLength(3);
  expect(nearest('tomatensoep', soups, 1)).toHaveLength(1);
  expect(nearest('tomatensoepje', ['tomatensoup', 'tomatensoep'])).toEqual(['tomatensoep', 'tomatensoup']);
});

test('an empty name is near to nothing, and nothing is near to an empty one', () => {
  expect(nearest('soep', ['', ' '])).toEqual([]);
});
