import { useId, useState } from 'preact/hooks';
import { saidName } from '../../../../core/header.ts';
import { type Bilingual, t } from '../../../../core/language.ts';
import type { SheetReadDocument } from '../../../../import/sheets-document.ts';
import { capital, figure, said, say, sayCount } from '../../language.ts';
import { Box } from '../../pieces/error-box.tsx';
import { Input, type Option, Select } from '../../pieces/field.tsx';
import { Icon } from '../../pieces/icon.tsx';
import { chooseKind, chooseValue, type Reading } from './choices.ts';
import { ColumnTable } from './column-table.tsx';
import { HeaderRows } from './header-rows.tsx';

const WHYS: Readonly<Record<NonNullable<SheetReadDocument['resourceWhy']>, Bilingual>> = {
  name: t('by the name of the sheet', 'door de naam van het werkblad'),
  headers: t('by its headers', 'door de koppen'),
  choice: t('you chose this', 'jij koos dit'),
  proposed: t('proposal', 'voorstel'),
};

interface CardProps {
  readonly sheet: SheetReadDocument;
  readonly reading: Reading;
}

/** One sheet: what it is taken for, where its headers are, what its columns are. */
export function SheetCard({ sheet, reading }: CardProps) {
  const { kind, resource, missing, columns } = sheet;
  const needsLook = kind === 'problem' || missing.length > 0 || columns.some(needsChoice);
  // As it is first shown: what is chosen in it never closes it over the focus.
  // Where nothing is taken for anything the user has to say it, and should see where.
  const isAny = reading.sheets.sheets.some((one) => one.kind === 'import');
  const [isOpen] = useState(needsLook || kind === 'import' || !isAny);
  const isTaken = kind !== 'skip' || resource !== null;
  return (
    <details class="sheet-card" open={isOpen}>
      <summary>
        <Icon name="sheet" />
        <h2>{sheet.sheet}</h2>
        <CardState sheet={sheet} reading={reading} />
      </summary>
      <div class="sheet-body">
        <KindChoice sheet={sheet} reading={reading} />
        {isProposed(sheet) ? (
          <Box tone="warn">
            {say(
              'It looks like it by its columns. Take the proposals, or choose yourself what it holds; otherwise it is left out.',
              'Daar lijkt het op, naar de kolommen. Neem de voorstellen over, of kies zelf wat het bevat; anders wordt het overgeslagen.',
            )}
          </Box>
        ) : (
          sheet.reason !== null && (
            <Box tone={kind === 'problem' ? 'bad' : 'plain'}>
              <p>{capital(sheet.reason)}</p>
              {sheet.next !== null && <p>{sheet.next}</p>}
            </Box>
          )
        )}
        {sheet.serves !== null && (
          <Box>
            {say(
              `Such a sheet has a command of its own: catersheet ${sheet.serves} FILE.`,
              `Zo’n werkblad heeft een eigen opdracht: catersheet ${sheet.serves} BESTAND.`,
            )}
          </Box>
        )}
        {sheet.above.length > 0 && (
          <Box tone="warn">
            {say(
              `Above the headers stand rows that look like records and aren’t read: ${sheet.above.map(figure).join(', ')}.`,
              `Boven de koppen staan rijen die op records lijken en niet gelezen worden: ${sheet.above.map(figure).join(', ')}.`,
            )}
          </Box>
        )}
        {isTaken && <MissingFields sheet={sheet} reading={reading} />}
        <HeaderRows sheet={sheet} reading={reading} />
        {isTaken && columns.length > 0 && <ColumnTable sheet={sheet} reading={reading} />}
      </div>
    </details>
  );
}

/** Whether a sheet is left out unless the user takes what it is proposed for. */
const isProposed = ({ kind, resourceWhy }: SheetReadDocument): boolean =>
  kind === 'skip' && resourceWhy === 'proposed';

const needsChoice = ({ field, proposed, why }: SheetReadDocument['columns'][number]): boolean =>
  why === 'proposed' || (field === null && proposed.length > 0);

function CardState({ sheet, reading }: CardProps) {
  const { kind, hidden, resource, resourceWhy, rows } = sheet;
  const taken = reading.sheets.resources.find(({ name }) => name === resource);
  const why = resourceWhy === null ? null : WHYS[resourceWhy];
  return (
    <span class="card-state">
      {isProposed(sheet) && taken !== undefined ? (
        <span class="pill warn">{say(`proposal: ${taken.words}`, `voorstel: ${taken.words}`)}</span>
      ) : (
        kind === 'skip' && <span class="pill">{say('left out', 'overgeslagen')}</span>
      )}
      {kind === 'problem' && <span class="pill bad">{say('can’t be read yet', 'nog niet te lezen')}</span>}
      {hidden && <span class="pill">{say('hidden', 'verborgen')}</span>}
      {kind !== 'skip' && taken !== undefined && (
        <span>
          {taken.words}
          {why !== null && <span class="dim"> · {said(why)}</span>}
        </span>
      )}
      {rows !== null && kind === 'import' && (
        <span class="dim">{sayCount(rows, t('1 row', '1 rij'), t('{n} rows', '{n} rijen'))}</span>
      )}
    </span>
  );
}

/** The value of a choice that leaves a sheet out; no resource is named so. */
const OUT = '-';

function KindChoice({ sheet, reading }: CardProps) {
  const { sheets, choose } = reading;
  const { kind, resource, mayBe } = sheet;
  const likely = sheets.resources.filter(({ name }) => mayBe.includes(name));
  const value = kind === 'skip' ? (resource ?? OUT) : (resource ?? '');
  const option = ({ name, sheet: usual, words }: (typeof sheets.resources)[number]): Option => [
    name,
    usual.toLowerCase() === words ? usual : `${usual}: ${words}`,
  ];
  return (
    <Select
      {...{ label: say('This sheet holds', 'Dit werkblad bevat'), value }}
      groups={[
        [
          null,
          [
            ...(value === '' ? [['', say('– choose –', '– kies –')] as const] : []),
            [OUT, say('– leave this sheet out –', '– dit werkblad overslaan –')],
          ],
        ],
        [say('May be', 'Misschien'), likely.map(option)],
        [
          say('All kinds', 'Alle soorten'),
          sheets.resources.filter((one) => !likely.includes(one)).map(option),
        ],
      ]}
      onValue={(chosen) => {
        if (chosen !== '') choose(chooseKind(sheets, sheet.sheet, chosen === OUT ? null : chosen));
      }}
    />
  );
}

/** The fields that the sheet lacks, each with one value for all rows, and those that got one. */
function MissingFields({ sheet, reading }: CardProps) {
  const id = useId();
  const { sheets, choose } = reading;
  const kind = sheets.resources.find(({ name }) => name === sheet.resource);
  const { set } = sheets.chosen;
  const given = Object.keys(set).filter((field) => kind?.fields.some(({ name }) => name === field));
  const fields = [...new Set([...sheet.missing, ...given])];
  if (fields.length === 0) return null;
  const count = sheet.missing.length;
  const helpOf = (field: string): string => kind?.fields.find(({ name }) => name === field)?.help ?? '';
  return (
    <section class={`box ${count > 0 ? 'warn' : 'plain'}`} aria-labelledby={id}>
      <div class="missing">
        <p id={id}>
          {count > 0 && (
            <>
              <strong>
                {sayCount(
                  count,
                  t(
                    '1 column is missing that a new record needs',
                    'Er ontbreekt 1 kolom die een nieuw record nodig heeft',
                  ),
                  t(
                    '{n} columns are missing that a new record needs',
                    'Er ontbreken {n} kolommen die een nieuw record nodig heeft',
                  ),
                )}
              </strong>
              .{' '}
            </>
          )}
          {say(
            'Choose them below, or give all rows one value. Rows on records that are there already can do without.',
            'Kies ze hieronder, of geef alle rijen één waarde. Rijen op records die er al zijn, kunnen zonder.',
          )}
        </p>
        <div class="fields">
          {fields.map((field) => (
            <Input
              key={field}
              label={say(
                `${saidName(helpOf(field)) || field} for all rows`,
                `${saidName(helpOf(field)) || field} voor alle rijen`,
              )}
              hint={helpOf(field)}
              late
              value={set[field] ?? ''}
              onValue={(value) => choose(chooseValue(sheets, field, value))}
            />
          ))}
        </div>
      </div>
    </section>
  );
}
