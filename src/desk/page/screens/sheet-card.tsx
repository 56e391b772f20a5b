import { useState } from 'preact/hooks';
import { saidName } from '../../../core/header.ts';
import { type Bilingual, t } from '../../../core/language.ts';
import type { SheetReadDocument } from '../../../import/sheets-document.ts';
import type { Sheets } from '../../contract/answers.ts';
import type { ChosenReading } from '../../contract/asked.ts';
import { capital, figure, said, say } from '../language.ts';
import { Box, Icon } from '../pieces/controls.tsx';
import { Input, type Option, Select } from '../pieces/field.tsx';
import { Table } from '../pieces/lists.tsx';

const WHYS: Readonly<Record<NonNullable<SheetReadDocument['resourceWhy']>, Bilingual>> = {
  name: t('by the name of the sheet', 'door de naam van het werkblad'),
  headers: t('by its headers', 'door de koppen'),
  choice: t('you chose this', 'jij koos dit'),
  proposed: t('proposal', 'voorstel'),
};

const KINDS = {
  skip: [t('left out', 'overgeslagen'), 'plain'],
  problem: [t('can’t be read yet', 'nog niet te lezen'), 'bad'],
  import: [null, 'plain'],
} as const;

/** One sheet: what it is taken for, where its headers are, what its columns are. */
export function SheetCard(props: SheetProps) {
  const { sheet, reading } = props;
  const { kind, resource, resourceWhy, columns, reason, next, serves, above, rows } = sheet;
  // Whether it is left out unless the user takes what it is proposed for.
  const isProposed = kind === 'skip' && resourceWhy === 'proposed';
  // As it is first shown: what is chosen in it never closes it over the focus.
  // Where nothing is taken for anything the user has to say it, and should see where.
  const isAny = reading.sheets.sheets.some((one) => one.kind === 'import');
  const [isOpen] = useState(kind !== 'skip' || isProposed || !isAny);
  const isTaken = kind !== 'skip' || resource !== null;
  const taken = reading.sheets.resources.find(({ name }) => name === resource);
  const [state, tone] = KINDS[kind];
  const states = [
    state && !isProposed && said(state),
    taken?.words,
    resourceWhy !== null && said(WHYS[resourceWhy]),
    sheet.hidden && say('hidden', 'verborgen'),
    rows !== null && kind === 'import' && say('1 row|{n} rows', '1 rij|{n} rijen', rows),
  ];
  const told: readonly (readonly ['plain' | 'warn' | 'bad', string | false | null])[] = [
    [
      'warn',
      isProposed &&
        say(
          'It looks like it by its columns. Take the proposals, or choose yourself what it holds; otherwise it is left out.',
          'Daar lijkt het op, naar de kolommen. Neem de voorstellen over, of kies zelf wat het bevat; anders wordt het overgeslagen.',
        ),
    ],
    [tone, !isProposed && reason && `${capital(reason)}\n${next ?? ''}`],
    [
      'plain',
      serves &&
        say(
          `Such a sheet has a command of its own: catersheet ${serves} FILE.`,
          `Zo’n werkblad heeft een eigen opdracht: catersheet ${serves} BESTAND.`,
        ),
    ],
    [
      'warn',
      above.length > 0 &&
        said(
          t(
            'Above the headers stand rows that look like records and aren’t read: {rows}.',
            'Boven de koppen staan rijen die op records lijken en niet gelezen worden: {rows}.',
          ),
          { rows: above.map((row) => figure(row)).join(', ') },
        ),
    ],
  ];
  return (
    <details class="sheet-card" open={isOpen}>
      <summary>
        <Icon name="sheet" />
        <h2>{sheet.sheet}</h2>
        <span class={`${isProposed ? 'warn' : tone}-text`}>{states.filter(Boolean).join(' · ')}</span>
      </summary>
      <div class="sheet-body">
        <KindChoice {...props} />
        {told.map(
          ([one, text]) =>
            text && (
              <Box key={text} tone={one}>
                {text}
              </Box>
            ),
        )}
        {isTaken && <ForAllRows {...props} />}
        <HeaderRow {...props} />
        {isTaken && columns.length > 0 && <ColumnTable {...props} />}
      </div>
    </details>
  );
}

/** The value of a choice that leaves a sheet out; no resource is named so. */
const OUT = '-';

function KindChoice(props: SheetProps) {
  const { kind, resource, mayBe } = props.sheet;
  const { resources } = props.reading.sheets;
  const value = resource ?? (kind === 'skip' ? OUT : '');
  const options = (isLikely: boolean) =>
    resources.flatMap(({ name, sheet, words }): Option[] =>
      mayBe.includes(name) === isLikely
        ? [[name, sheet.toLowerCase() === words ? sheet : `${sheet}: ${words}`]]
        : [],
    );
  return (
    <Select
      label={say('This sheet holds', 'Dit werkblad bevat')}
      value={value}
      groups={[
        [null, value === '' ? [['', say('– choose –', '– kies –')]] : []],
        [null, [[OUT, say('– leave this sheet out –', '– dit werkblad overslaan –')]]],
        [say('May be', 'Misschien'), options(true)],
        [say('All kinds', 'Alle soorten'), options(false)],
      ]}
      onValue={(chosen) => {
        if (chosen !== '') chooseFor(props, { as: chosen === OUT ? null : chosen });
      }}
    />
  );
}

/** The fields that the sheet lacks, such as who counted and when, each with one value for all rows. */
function ForAllRows({ sheet: { resource, missing }, reading: { sheets, choose } }: SheetProps) {
  const { set } = sheets.chosen;
  const known = sheets.resources.find(({ name }) => name === resource)?.fields ?? [];
  const fields = known.filter(({ name }) => missing.includes(name) || name in set);
  if (fields.length === 0) return null;
  return (
    <Box tone={missing.length > 0 ? 'warn' : 'plain'}>
      <p>
        {say(
          'Not in your file. Choose a column for it below, or give all rows one value. Rows on records that are there already can do without.',
          'Niet in je bestand. Kies er hieronder een kolom voor, of geef alle rijen één waarde. Rijen op records die er al zijn, kunnen zonder.',
        )}
      </p>
      <div class="fields">
        {fields.map((one) => (
          <Input
            key={one.name}
            label={say(`${wordOf(one)} for all rows`, `${wordOf(one)} voor alle rijen`)}
            // What its name says already is not said again.
            hint={saidName(one.help) === one.help ? '' : one.help}
            late
            value={set[one.name] ?? ''}
            onValue={(value) => {
              const { [one.name]: _, ...others } = set;
              choose({ set: value === '' ? others : { ...others, [one.name]: value } });
            }}
          />
        ))}
      </div>
    </Box>
  );
}

/** So many characters of a row are shown, to be told by. */
const MOST = 90;

/** The row with the headers, and its first other rows to choose from, as the sheet shows them. */
function HeaderRow(props: SheetProps) {
  const { headerRow, top } = props.sheet;
  return (
    <Select
      label={say('The headers stand in', 'De koppen staan in')}
      value={String(headerRow ?? '')}
      groups={[
        [
          null,
          headerRow === null
            ? [['', say('– no row looks like headers –', '– geen rij lijkt op koppen –')]]
            : [],
        ],
        [
          null,
          top.map(({ row, cells }): Option => {
            const text = cells.map((cell) => cell.text).join(' · ');
            return [String(row), `${say('row', 'rij')} ${row}: ${text.slice(0, MOST)}`];
          }),
        ],
      ]}
      onValue={(row) => row !== '' && chooseFor(props, { headerRow: Number(row) })}
    />
  );
}

/** The columns of a sheet with what each is taken for, to be chosen otherwise. */
function ColumnTable(props: SheetProps) {
  const { columns, columnsLeft } = props.sheet;
  return (
    <>
      <Table
        class="columns-table"
        heads={[
          say('Column', 'Kolom'),
          say('Header', 'Kop'),
          say('First values', 'Eerste waarden'),
          say('Is taken for', 'Wordt genomen voor'),
        ]}
      >
        {columns.map((column) => (
          <ColumnLine key={`${column.column} ${props.sheet.resource}`} {...props} column={column} />
        ))}
      </Table>
      {columnsLeft > 0 && (
        <p class="dim">
          {say(
            'and 1 column more, not used|and {n} columns more, not used',
            'en nog 1 kolom, niet gebruikt|en nog {n} kolommen, niet gebruikt',
            columnsLeft,
          )}
        </p>
      )}
    </>
  );
}

interface LineProps extends SheetProps {
  readonly column: SheetReadDocument['columns'][number];
}

const REASONS = {
  remembered: [t('known from before', 'bekend van eerder'), 'plain'],
  proposed: [t('proposal', 'voorstel'), 'warn'],
  choice: [t('you chose this', 'jij koos dit'), 'good'],
} as const;

/** The value of the choice that leaves a column unused; no field is named so. */
const NONE = '-';

function ColumnLine(props: LineProps) {
  const { column, sheet, reading } = props;
  const { letters, samples, field, why, shownOnly } = column;
  // The list stays as it was first shown: a browser goes by the places in one that is open or typed into.
  const [first] = useState(column);
  const header = column.header || say('(no header)', '(geen kop)');
  const [reason, tone] = (why !== null && why in REASONS && REASONS[why as keyof typeof REASONS]) || [];
  const { columns: chosen = [] } = choiceOf(props);
  // What was chosen shows at once: a key that is typed next finds the list as it was left.
  const own = chosen.find((one) => one.column === column.column);
  const { marks, resources } = reading.sheets;
  const fields = resources.find(({ name }) => name === sheet.resource)?.fields ?? [];
  const isKnown = [...fields, ...marks].some(({ name }) => name === field);
  const others = fields.filter(({ name }) => !first.proposed.includes(name));
  return (
    <tr class={why === 'proposed' || isUnused(column) ? 'look' : undefined}>
      <td>{letters}</td>
      <th scope="row" class={column.header === '' ? 'dim' : undefined}>
        {header}
      </th>
      <td class="dim">{samples.join(' · ')}</td>
      <td>
        <Select
          bare
          label={say(
            `Column ${letters}, ${header}: is taken for`,
            `Kolom ${letters}, ${header}: wordt genomen voor`,
          )}
          value={own === undefined ? (field ?? (isUnsaid(column) ? '' : NONE)) : (own.field ?? NONE)}
          groups={[
            [null, isUnsaid(first) ? [['', say('– choose, or leave it –', '– kies, of laat het zo –')]] : []],
            [null, [[NONE, say('– not used –', '– niet gebruikt –')]]],
            [null, field !== null && !isKnown ? [[field, field]] : []],
            [say('May be', 'Misschien'), optionsOf(fields.filter((one) => !others.includes(one)))],
            [say('Can be sent', 'Kan verstuurd worden'), optionsOf(others.filter(({ sent }) => sent))],
            [
              say('Only to find or show', 'Alleen om te vinden of te tonen'),
              optionsOf(others.filter(({ sent }) => !sent)),
            ],
            [
              say('Of catersheet itself', 'Van catersheet zelf'),
              marks.map(({ name }): Option => [name, name]),
            ],
          ]}
          onValue={(value) => {
            if (value === '') return;
            const now = { column: column.column, field: value === NONE ? null : value };
            chooseFor(props, { columns: [...chosen.filter((one) => one !== own), now] });
          }}
        />{' '}
        {reason && <span class={`pill ${tone}`}>{said(reason)}</span>}
        {shownOnly && field !== null && (
          <span class="dim">{say('shown, never sent', 'getoond, nooit verstuurd')}</span>
        )}
      </td>
    </tr>
  );
}

interface Field {
  readonly name: string;
  readonly help: string;
}

/** A field as people say it, with the identifier where that is another. */
function wordOf({ name, help }: Field): string {
  const word = saidName(help) || name;
  return word.toLowerCase() === name.toLowerCase() ? word : `${word} (${name})`;
}

const optionsOf = (fields: readonly Field[]): readonly Option[] =>
  fields.map((one) => [one.name, wordOf(one)]);

/** What is said of a sheet. */
type SheetChoice = ChosenReading['choices'][number];

/** What a file is taken for, and how something else is chosen: with all that was chosen before. */
export interface Reading {
  readonly sheets: Sheets;
  choose(changed: Partial<ChosenReading>): void;
}

/** What each part of a sheet is given. */
interface SheetProps {
  readonly sheet: SheetReadDocument;
  readonly reading: Reading;
}

/** What was chosen of a sheet so far. */
const choiceOf = ({ sheet, reading: { sheets } }: SheetProps): SheetChoice =>
  sheets.chosen.choices.find((one) => one.sheet === sheet.sheet) ?? { sheet: sheet.sheet };

/** The choices with others in the place of those on the same sheets. */
export const withChoices = (all: readonly SheetChoice[], own: readonly SheetChoice[]): SheetChoice[] => [
  ...all.filter(({ sheet }) => own.every((one) => one.sheet !== sheet)),
  ...own,
];

/** Chooses otherwise on one sheet. Another kind or other headers match its columns anew: what was said of them goes. */
function chooseFor(props: SheetProps, changed: Omit<SheetChoice, 'sheet'>): void {
  const { sheets, choose } = props.reading;
  const choice = { ...choiceOf(props), columns: undefined, ...changed };
  choose({ choices: withChoices(sheets.chosen.choices, [choice]) });
}

type Column = SheetReadDocument['columns'][number];

/** Whether nobody said yet what a column is, nor that it is not used: either can be said, and is kept. */
const isUnsaid = ({ field, why }: Column): boolean => field === null && why === null;

/** The same of a column with values. */
export const isUnused = (column: Column): boolean =>
  isUnsaid(column) && column.samples.length > 0 && !column.shownOnly;
