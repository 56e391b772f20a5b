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
  ['verkoop prijs', ['Verkoopprijs', 'Kostprijs']],
  ['Verkoopprys', ['Verkoopprijs']],
  ['Prijs', ['Kostprijs', 'Verkoopprijs']],
  ['Omschrijving', ['OmschrijvingExtern', 'OmschrijvingIntern']],
  ['OmschrijvingIntren', ['OmschrijvingIntern', 'OmschrijvingExtern']],
  ['Productnr', ['ProductID']],
  ['Leverancier', []],
  ['e', []],
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

test('the one that differs in letter case alone is the nearest', () => {
  expect(nearest('p-5004', ['P-5001', 'P-5002', 'P-5003', 'P-5004'])).toEqual(['P-5004', 'P-5001', 'P-5002']);
});
