import { saidName } from '../../../../core/header.ts';
import { t } from '../../../../core/language.ts';
import type { SheetReadDocument } from '../../../../import/sheets-document.ts';
import { said, say } from '../../language.ts';
import { type Option, Select } from '../../pieces/field.tsx';
import { Table } from '../../pieces/lists.tsx';
import { choiceOf, chooseFor, isUnsaid, isUnused, type SheetProps } from './reading.ts';

/** The columns of a sheet with what each is taken for, to be chosen otherwise. */
export function ColumnTable(props: SheetProps) {
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
          <ColumnLine key={column.column} {...props} column={column} />
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

const WHYS = {
  remembered: [t('known from before', 'bekend van eerder'), 'plain'],
  proposed: [t('proposal', 'voorstel'), 'warn'],
  choice: [t('you chose this', 'jij koos dit'), 'good'],
} as const;

/** The value of the choice that leaves a column unused; no field is named so. */
const NONE = '-';

function ColumnLine(props: LineProps) {
  const { column, sheet, reading } = props;
  const { letters, samples, field, why, shownOnly, proposed } = column;
  const header = column.header || say('(no header)', '(geen kop)');
  const [reason, tone] = (why !== null && why in WHYS && WHYS[why as keyof typeof WHYS]) || [];
  const { columns: chosen = [] } = choiceOf(props);
  // What was chosen shows at once: a key that is typed next finds the list as it was left.
  const own = chosen.find((one) => one.column === column.column);
  const { marks, resources } = reading.sheets;
  const fields = resources.find(({ name }) => name === sheet.resource)?.fields ?? [];
  const isKnown = [...fields, ...marks].some(({ name }) => name === field);
  const others = fields.filter(({ name }) => !proposed.includes(name));
  const optional = others.filter(({ required }) => !required);
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
            [
              null,
              isUnsaid(column) ? [['', say('– choose, or leave it –', '– kies, of laat het zo –')]] : [],
            ],
            [null, [[NONE, say('– not used –', '– niet gebruikt –')]]],
            [null, field !== null && !isKnown ? [[field, field]] : []],
            [say('May be', 'Misschien'), optionsOf(fields.filter((one) => !others.includes(one)))],
            [say('Required', 'Verplicht'), optionsOf(others.filter(({ required }) => required))],
            [say('Can be sent', 'Kan verstuurd worden'), optionsOf(optional.filter(({ sent }) => sent))],
            [
              say('Only to find or show', 'Alleen om te vinden of te tonen'),
              optionsOf(optional.filter(({ sent }) => !sent)),
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

/** Fields by their names as people say them, with the identifier where that is another. */
const optionsOf = (fields: readonly { readonly name: string; readonly help: string }[]): readonly Option[] =>
  fields.map(({ name, help }) => {
    const word = saidName(help);
    return [name, word.toLowerCase() === name.toLowerCase() ? word : `${word} (${name})`];
  });
