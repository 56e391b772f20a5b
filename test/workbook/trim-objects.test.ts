import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPart } from '../xlsx/read/read-part.ts';
import { relationships, scratchFolder } from './make-workbook.ts';
import { problemBook } from './problem-book.ts';
import { cellIn, expectWhole, parts, refsIn, SHEET, wanted } from './trimmed.ts';

const folder = scratchFolder();
const RELS = 'xl/worksheets/_rels/sheet2.xml.rels';
const DRAWING = 'xl/drawings/drawing1.xml';
const SHAPES = 'xl/drawings/vmlDrawing1.vml';
const MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

const choice = (inside: string): string =>
  `<mc:AlternateContent ${MC}><mc:Choice Requires="a14">${inside}</mc:Choice></mc:AlternateContent>`;
const anchored = (row: number, inside: string): string =>
  `<xdr:twoCellAnchor><xdr:from><xdr:row>${row - 1}</xdr:row></xdr:from><xdr:to><xdr:row>${row - 1}</xdr:row></xdr:to>${inside}<xdr:clientData/></xdr:twoCellAnchor>`;
const frame = (name: string, inside: string): string =>
  choice(
    `<xdr:graphicFrame><xdr:cNvPr id="9" name="${name}"/><a:graphicData>${inside}</a:graphicData></xdr:graphicFrame>`,
  );
const standIn = (shape: number, name: string): string =>
  choice(
    anchored(
      7,
      `<xdr:sp><xdr:cNvPr id="${shape}" name="${name}"><a14:compatExt spid="_x0000_s${shape}"/></xdr:cNvPr></xdr:sp>`,
    ),
  );
const shape = (id: number, kind: string, inside: string): string =>
  `<v:shape id="${kind}" o:spid="_x0000_s${id}"><x:ClientData ObjectType="${kind}"><x:Anchor>1, 0, 6, 0, 2, 0, 7, 0</x:Anchor>${inside}</x:ClientData></v:shape>`;
const listed = choice(
  `<controls>${choice('<control shapeId="2001" r:id="rId30" name="Vinkje"/>')}</controls>`,
);
const cache = (list: string): string =>
  `<extLst><ext uri="a"><x14:${list}><x14:slicer r:id="rId32"/></x14:${list}></ext></extLst>`;

/** A workbook with a box to tick and an embedded object beside a record, another box on a sheet of choices, a waterfall, and a slicer; the pivot table goes down to a row. */
async function bookWith(pivotTo: number): Promise<string> {
  const plain = await problemBook(join(folder, `plain-${pivotTo}.xlsx`));
  const read = (name: string): Promise<string> => readPart(plain, name);
  const added = (rels: string, ...list: Parameters<typeof relationships>[0]): string =>
    rels.replace(
      '</Relationships>',
      `${/<Relationship .*(?=<\/Relationships>)/s.exec(relationships(list))?.[0]}</Relationships>`,
    );
  const keuzes = 'xl/worksheets/sheet4.xml';
  const more = {
    [SHEET]: (await read(SHEET))
      .replace('<tableParts', `${listed.replace('<controls', `<controls ${R}`)}<tableParts`)
      .replace('<extLst>', `<extLst>${cache('slicerList').slice('<extLst>'.length, -'</extLst>'.length)}`),
    [RELS]: added(
      await read(RELS),
      ['rId30', 'ctrlProp', '../ctrlProps/ctrlProp1.xml'],
      ['rId31', 'pivotTable', '../pivotTables/pivotTable1.xml'],
      ['rId32', 'slicer', '../slicers/slicer1.xml'],
    ),
    [DRAWING]: (await read(DRAWING)).replace(
      '</xdr:wsDr>',
      `${standIn(2001, 'Vinkje')}${standIn(2002, 'Offerte')}${anchored(6, frame('Waterval', ''))}${anchored(6, frame('Slicer', '<sle:slicer name="Slicer"/>'))}</xdr:wsDr>`,
    ),
    [SHAPES]: (await read(SHAPES)).replace(
      '</xml>',
      `${shape(2001, 'Checkbox', '<x:FmlaLink>$H$7</x:FmlaLink>')}${shape(2002, 'Pict', '')}</xml>`,
    ),
    'xl/ctrlProps/ctrlProp1.xml': '<formControlPr objectType="CheckBox" fmlaLink="$H$7"/>',
    'xl/ctrlProps/ctrlProp2.xml': '<formControlPr objectType="CheckBox" fmlaLink="Pakketten!$H$7"/>',
    [keuzes]: (await read(keuzes)).replace('</worksheet>', `${listed}</worksheet>`),
    'xl/worksheets/_rels/sheet4.xml.rels': relationships([
      ['rId30', 'ctrlProp', '../ctrlProps/ctrlProp2.xml'],
    ]),
    'xl/pivotTables/pivotTable1.xml': `<pivotTableDefinition name="P"><location ref="K4:L${pivotTo}"/></pivotTableDefinition>`,
    'xl/slicers/slicer1.xml': '<slicers><slicer name="Slicer" cache="Slicer"/></slicers>',
    'xl/slicerCaches/slicerCache1.xml': '<slicerCacheDefinition name="Slicer"/>',
    'xl/workbook.xml': (await read('xl/workbook.xml')).replace(
      '</workbook>',
      `${cache('slicerCaches')}</workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': added(await read('xl/_rels/workbook.xml.rels'), [
      ...(['rId32', 'slicerCache', 'slicerCaches/slicerCache1.xml'] as const),
    ]),
  };
  return await problemBook(join(folder, `in-${pivotTo}.xlsx`), { more });
}

test.each([
  ['with its pivot table', 5, ['Grafiek', 'Offerte', 'Waterval', 'Slicer'], 1],
  ['without it', 9, ['Grafiek', 'Offerte', 'Waterval'], 2],
])('controls go and charts stay, as does a slicer %s', async (_, pivotTo, names, said) => {
  const { target, notes } = await wanted(await bookWith(pivotTo), [4, 5]);
  const all = await parts(target);
  const drawn = refsIn(all.get(DRAWING) ?? '', /name="([^"]+)"/g).filter((name) => !name.startsWith('Foto'));
  expect([...new Set(drawn)].sort()).toEqual([...names].sort());
  expect(refsIn(all.get(SHAPES) ?? '', /ObjectType="(\w+)"/g).filter((kind) => kind !== 'Note')).toEqual([
    'Pict',
  ]);
  const [sheet, keuzes] = [all.get(SHEET) ?? '', all.get('xl/worksheets/sheet4.xml') ?? ''];
  expect(`${sheet}${keuzes}`).not.toMatch(/control|AlternateContent/);
  expect(cellIn(keuzes, 'A1')).toContain('Soep 4');
  const stays = names.includes('Slicer');
  expect([...all.keys()].filter((name) => name.startsWith('xl/ctrlProps/'))).toEqual([]);
  expect(
    [SHEET, 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels', RELS].map((name) =>
      /slicer/i.test(all.get(name) ?? ''),
    ),
  ).toEqual(Array(4).fill(stays));
  expect(['xl/slicers/slicer1.xml', 'xl/slicerCaches/slicerCache1.xml'].map((name) => all.has(name))).toEqual(
    [stays, stays],
  );
  const told = notes.filter((note) => /controls|slicers/.test(note));
  expect(told[0]).toMatch(/: 2$/);
  expect(told).toHaveLength(said);
  await expectWhole(target);
});
