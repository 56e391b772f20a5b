import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/core/errors.ts';
import { type HeaderName, layered, readMap } from '../../../src/import/map/header-names.ts';
import { resources } from '../../../src/resources/registry.ts';
import { tempFolder } from '../../helpers/run-cli.ts';

async function read(content: string, extension: string): Promise<string[]> {
  const file = join(tempFolder(), `koppen.${extension}`);
  writeFileSync(file, content);
  return readMap(file, resources).map(shown);
}

const shown = ({ header, field, resource }: HeaderName): string =>
  `${resource === null ? '' : `${resource}: `}${header} = ${field}`;

const BOTH = ['Artikelnr = ExternalID', 'Wat = #action'];

describe('a file of headers', () => {
  test.each<[string, string, string[]]>([
    ['json', '{ "Artikelnr": "ExternalID", "Wat": "#action" }', BOTH],
    ['json', '\ufeff{ "Artikelnr": "externalid ", "Wat": "#ACTION" }', BOTH],
    [
      'json',
      '{ "packages": { "Naam": "OmschrijvingIntern" }, "Ritten": { "Nr": "RitID" } }',
      ['packages: Naam = OmschrijvingIntern', 'trips: Nr = RitID'],
    ],
    [
      'json',
      '{ "Nr": "ExternalID", "packages": { "Nr": "ProductID" } }',
      ['Nr = ExternalID', 'packages: Nr = ProductID'],
    ],
  ])('%s: %s', async (extension, content, expected) => {
    expect(await read(content, extension)).toEqual(expected);
  });

  test.each([
    [
      'json',
      '{ "Naam": "OmschrijvingItern" }',
      '"Naam" is to stand for OmschrijvingItern',
      'OmschrijvingIntern',
    ],
    [
      'json',
      '{ "ExternalID": "Kassacode" }',
      '"ExternalID" is to stand for Kassacode',
      'Your own header comes first',
    ],
    [
      'json',
      '{ "gerechten": { "Naam": "OmschrijvingIntern" } }',
      'no kind of sheet called gerechten',
      'packages, recipes',
    ],
    ['json', '{ "Nr": "ExternalID", "nr": "ProductID" }', '"nr" is to stand for two columns', ''],
    ['json', '{ "Nr": ', 'it is not valid JSON', 'name a file that holds JSON'],
    ['json', '{ "Nr": 3 }', 'it is not an object of texts', 'Write pairs'],
    ['csv', 'Artikelnr;ExternalID', 'it is not valid JSON', 'Write pairs'],
  ])('%s: %s stops: %s', async (extension, content, message, next) => {
    await expect(read(content, extension)).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringContaining(message),
      texts: { next: { en: expect.stringContaining(next), nl: expect.any(String) } },
    });
  });
});

test('headers over others take the place of those for the same field or header', () => {
  const name = (header: string, field: string, resource: string | null = null): HeaderName => ({
    header,
    field,
    resource,
  });
  const base = [
    name('Nr', 'ExternalID'),
    name('Naam', 'OmschrijvingIntern'),
    name('Prijs', 'Verkoopprijs', 'packages'),
    name('Wat', '#action', 'packages'),
  ];
  const over = [
    name('Art', 'ExternalID'),
    name('NAAM ', 'OmschrijvingExtern'),
    name('Bedrag', 'Verkoopprijs'),
    name('Wat', '#key', 'recipes'),
  ];
  expect(layered(base, over).map(shown)).toEqual(['packages: Wat = #action', ...over.map(shown)]);
});

test.each<[string, string[]]>([
  ['Artikelnr=ExternalID;Wat=#action', BOTH],
  ['Artikelnr = ExternalID; Wat = #action;', BOTH],
  ['Prijs; excl=Verkoopprijs', ['Prijs; excl = Verkoopprijs']],
  [
    'packages:Naam=OmschrijvingIntern;Ritten:Nr=RitID;Art:nr=ExternalID',
    ['packages: Naam = OmschrijvingIntern', 'trips: Nr = RitID', 'Art:nr = ExternalID'],
  ],
])('a map may stand on the command line: %s', async (text, expected) => {
  expect(readMap(text, resources).map(shown)).toEqual(expected);
});

test.each([
  ['Artikelnr=ExternalID;Prijs', 'Prijs" does not name a header and a column'],
  ['Artikelnr=ExternalI', '"Artikelnr" is to stand for ExternalI, and there is no such column'],
])('a map on the command line that can’t be used is refused: %s', async (text, message) => {
  expect(() => readMap(text, resources)).toThrow(message);
});
