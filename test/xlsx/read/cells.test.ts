import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cellsText,
  oneSheet,
  type Parts,
  scratchFolder,
  stringsXml,
  stylesXml,
  workbookXml,
  writeZip,
} from '../../workbook/make-workbook.ts';

const texts = (...items: string[]): Parts => ({ 'xl/sharedStrings.xml': stringsXml(items) });
const styles = (...formats: (number | string)[]): Parts => ({ 'xl/styles.xml': stylesXml(formats) });

const ITERATES: Parts = {
  'xl/workbook.xml': workbookXml(
    '<sheets><sheet name="Pakketten" sheetId="1" r:id="rId1"/></sheets><calcPr iterate="1"/>',
  ),
};

/** Name, rows of the sheet, what must be read, other parts. */
const CASES: readonly (readonly [string, string, string, Parts?])[] = [
  ['a number', '<row r="1"><c r="A1"><v>12.5</v></c></row>', 'A1 12.5'],
  ['a number of 17 digits', '<row r="1"><c r="A1"><v>0.10000000000000001</v></c></row>', 'A1 0.1'],
  ['a number among spaces', '<row r="1"><c r="A1"><v> 7 </v></c></row>', 'A1 7'],
  [
    'a text where a number should be',
    '<row r="1"><c r="A1"><v>op aanvraag</v></c></row>',
    'A1 "op aanvraag"',
  ],
  ['zero and FALSE', '<row r="1"><c r="A1"><v>0</v></c><c r="B1" t="b"><v>0</v></c></row>', 'A1 0, B1 false'],
  [
    'booleans in both spellings',
    '<row r="1"><c t="b"><v>1</v></c><c t="b"><v>true</v></c><c t="b"><v>FALSE</v></c></row>',
    'A1 true, B1 true, C1 false',
  ],
  ['an error', '<row r="1"><c r="A1" t="e"><v>#N/A</v></c></row>', 'A1 #N/A'],
  [
    'blank cells',
    '<row r="1"><c r="A1"/><c r="B1" s="1"></c><c r="C1"><v></v></c><c r="D1"><v/></c></row>',
    '',
  ],

  [
    'a shared text',
    '<row r="1"><c r="A1" t="s"><v>1</v></c></row>',
    'A1 "Pulled pork"',
    texts('<t>Tiramisù</t>', '<t>Pulled pork</t>'),
  ],
  [
    'an empty si keeps its number',
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>',
    'B1 "Soep"',
    {
      'xl/sharedStrings.xml':
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si/><si><t>Soep</t></si></sst>',
    },
  ],
  [
    'a shared text the file lost',
    '<row r="1"><c r="A1" t="s"><v>9</v></c></row>',
    'A1 #REF!',
    texts('<t>Soep</t>'),
  ],
  [
    'rich text runs joined',
    '<row r="1"><c t="s"><v>0</v></c></row>',
    'A1 "Kerst buffet"',
    texts('<r><rPr><b/></rPr><t>Kerst</t></r><r><t xml:space="preserve"> buffet</t></r>'),
  ],
  [
    'phonetic runs dropped',
    '<row r="1"><c t="s"><v>0</v></c></row>',
    'A1 "寿司"',
    texts('<t>寿司</t><rPh sb="0" eb="2"><t>スシ</t></rPh><phoneticPr fontId="1"/>'),
  ],
  ['an inline text', '<row r="1"><c t="inlineStr"><is><t>Kaas</t></is></c></row>', 'A1 "Kaas"'],
  ['an is without a type', '<row r="1"><c><is><t>12</t></is></c></row>', 'A1 "12"'],
  [
    'empty inline texts',
    '<row r="1"><c t="inlineStr"><is><t></t></is></c><c t="inlineStr"><is><t/></is></c><c t="inlineStr"><is/></c></row>',
    '',
  ],
  ['an unknown type', '<row r="1"><c t="q"><v>4</v></c><c t="q"><v>vier</v></c></row>', 'A1 4, B1 "vier"'],

  [
    'the five named references',
    '<row r="1"><c t="str"><v>&lt;&amp;&gt;&quot;&apos;</v></c></row>',
    String.raw`A1 "<&>\"'"`,
  ],
  [
    'a reference XML does not know stays',
    '<row r="1"><c t="str"><v>&nbsp;&foo;&#x110000;</v></c></row>',
    'A1 "&nbsp;&foo;&#x110000;"',
  ],
  [
    '_xHHHH_ escapes',
    '<row r="1"><c t="str"><v>a_x0009_b_x005F_x0041_c_x00e9_</v></c></row>',
    String.raw`A1 "a\tb_x0041_cé"`,
  ],
  [
    'line ends become LF',
    '<row r="1"><c t="str"><v>a\r\nb_x000D_\nc&#13;&#10;d\re</v></c></row>',
    String.raw`A1 "a\nb\nc\nd\ne"`,
  ],
  [
    'CDATA',
    '<row r="1"><c t="str"><v>a<![CDATA[<b>&amp;]]>c</v></c><c><v><![CDATA[5]]></v></c></row>',
    'A1 "a<b>&amp;c", B1 5',
  ],
  [
    'comments inside a value',
    '<row r="1"><c><v>1<!-- <v>9</v> -->2</v></c><c t="str"><v>x<!---->y<?pi z?></v></c></row>',
    'A1 12, B1 "xy"',
  ],

  [
    'single quotes and any order of attributes',
    "<row spans='1:2' r='3'><c t='str' s='0' r='B3'><v>x</v></c></row>",
    'B3 "x"',
  ],
  [
    'attributes of another namespace',
    '<row r="1" x14:r="9"><c x14:r="Z9" x14:t="s" r="B1"><v>5</v></c></row>',
    'B1 5',
  ],
  [
    'missing r on rows and cells',
    '<row><c><v>1</v></c><c><v>2</v></c></row><row><c/><c><v>3</v></c></row>',
    'A1 1, B1 2, B2 3',
  ],
  ['a row without r takes it from its first cell', '<row><c r="B7"><v>1</v></c></row>', 'B7 1'],
  [
    'self-closing rows and rows without cells',
    '<row r="1"/><row/><row r="5"></row><row><c><v>1</v></c></row>',
    'A6 1',
  ],
  [
    'cells out of order, and one twice with the same value',
    '<row r="1"><c r="C1"><v>3</v></c><c r="A1"><v>9</v></c><c r="A1"><v>9</v></c><c r="C1"/></row>',
    'A1 9, C1 3',
  ],
  [
    'rows out of order, and one twice of which one is blank',
    '<row r="2"><c r="A2"><v>2</v></c></row><row r="1"><c r="A1"><v>1</v></c></row><row r="2"/><row r="2"><c r="B2" s="0"/></row>',
    'A2 2, A1 1',
  ],
  ['a reference in lower case', '<row r="1"><c r="ab1"><v>1</v></c></row>', 'AB1 1'],
  ['the last cell of a sheet', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', 'XFD1048576 1'],
  [
    'elements of no concern',
    '<row r="1"><extLst><ext><c r="A1"><v>9</v></c></ext></extLst><c r="A1"><v>1</v><extLst><v>9</v></extLst></c></row><other><row><c><v>9</v></c></row></other>',
    'A1 1',
  ],

  ['a formula with its number', '<row r="1"><c r="A1"><f>B1*2</f><v>4</v></c></row>', 'A1 4'],
  ['a formula with an empty text', '<row r="1"><c r="A1" t="str"><f>""</f><v></v></c></row>', ''],
  [
    'a formula with a boolean and an error',
    '<row r="1"><c t="b"><f>D1=1</f><v>1</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>',
    'A1 true, B1 #DIV/0!',
  ],
  [
    'a formula that refers to its own cell, also one that others share',
    '<row r="1"><c r="A1"><f>A1*2</f><v>0</v></c><c r="B1"><f t="shared" ref="B1:B2" si="0">B1+1</f><v>0</v></c></row>' +
      '<row r="2"><c r="B2"><f t="shared" si="0"/><v>0</v></c></row>',
    'A1 #CIRCULAR, B1 #CIRCULAR, B2 #CIRCULAR',
  ],
  [
    'a formula that refers to its own cell where that is calculated again and again',
    '<row r="1"><c r="A1"><f>A1*2</f><v>8</v></c></row>',
    'A1 8',
    ITERATES,
  ],
  ['a formula never worked out', '<row r="1"><c r="A1"><f>SUM(B:B)</f></c></row>', 'A1 #UNCACHED'],
  [
    'shared and array formulas',
    '<row r="1"><c><f t="shared" ref="A1:B1" si="0">C1</f><v>1</v></c><c><f t="shared" si="0"/><v>2</v></c><c><f t="array" ref="C1">X</f></c><c><f t="shared" si="0"/></c></row>',
    'A1 1, B1 2, C1 #UNCACHED, D1 #UNCACHED',
  ],

  ['a date', '<row r="1"><c s="0"><v>46505</v></c></row>', 'A1 on 2027-04-28', styles(14)],
  [
    'a date with a time',
    '<row r="1"><c s="0"><v>46505.4791666667</v></c></row>',
    'A1 on 2027-04-28 11:30:00',
    styles(22),
  ],
  [
    'a time',
    '<row r="1"><c s="0"><v>0.75</v></c><c s="0"><v>0</v></c></row>',
    'A1 on 18:00:00, B1 on 00:00:00',
    styles('hh:mm'),
  ],
  [
    'the day that never was',
    '<row r="1"><c s="0"><v>1</v></c><c s="0"><v>59</v></c><c s="0"><v>60</v></c><c s="0"><v>61</v></c></row>',
    'A1 on 1900-01-01, B1 on 1900-02-28, C1 on 1900-02-29, D1 on 1900-03-01',
    styles(14),
  ],
  [
    'no date: zero, negative, too late',
    '<row r="1"><c s="0"><v>0</v></c><c s="0"><v>-1</v></c><c s="0"><v>2958466</v></c></row>',
    'A1 0, B1 -1, C1 2958466',
    styles(14),
  ],
  [
    'elapsed time is a number',
    '<row r="1"><c s="0"><v>1.5</v></c><c s="1"><v>1.5</v></c></row>',
    'A1 1.5, B1 1.5',
    styles('[h]:mm', 46),
  ],
  [
    'ISO dates',
    '<row r="1"><c t="d"><v>2027-04-28</v></c><c t="d"><v>2027-04-28T11:30:00Z</v></c><c t="d"><v>2027-04-28T11:30:00.25</v></c><c t="d"><v>11:30</v></c><c t="d"><v>morgen</v></c></row>',
    'A1 on 2027-04-28, B1 on 2027-04-28 11:30:00 Z, C1 on 2027-04-28 11:30:00.250, D1 on 11:30:00, E1 "morgen"',
  ],
  ['a style the workbook lacks', '<row r="1"><c s="77"><v>46505</v></c></row>', 'A1 46505', styles(14)],
];

describe('cells of a sheet', () => {
  const folder = scratchFolder();
  test.each(CASES.map(([name, rows, expected, parts], at) => ({ name, rows, expected, parts, at })))(
    'are read: $name',
    async (one) => {
      const file = await writeZip(join(folder, `${one.at}.xlsx`), oneSheet(one.rows, one.parts));
      expect(await cellsText(file)).toBe(one.expected);
    },
  );
});
