import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { BroughtDocuments } from '../../../contract/beside-documents.ts';
import type { DraftDocument } from '../../../contract/documents.ts';
import { beginPlan } from '../../begin.ts';
import { call } from '../../call.ts';
import { figure, say, sayCount, sizeText } from '../../language.ts';
import { asCallError, useLoaded } from '../../loaded.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { filesWithin, useWindowDrop } from '../../window-drop.ts';
import { type Bringing, useBringing, wrongOf } from './use-bringing.ts';

const TITLE = t('The documents themselves', 'De documenten zelf');
const WHAT = t(
  'Drop the documents that the rows name here, or a folder that holds them. They are found by their names.',
  'Zet hier de documenten neer die de rijen noemen, of een map waar ze in staan. Ze worden op naam gevonden.',
);
const LET_GO = t('Let go to add them', 'Laat los om ze erbij te zetten');
const CHOOSE = t('Choose documents', 'Documenten kiezen');
const CHOOSE_FOLDER = t('Choose a folder', 'Een map kiezen');
const ALL_HERE = t('Every row has its document.', 'Elke rij heeft zijn document.');
const SOME_HERE = t(
  '{here} of {all} rows have their document.',
  '{here} van de {all} rijen hebben hun document.',
);

interface PartProps {
  readonly draft: DraftDocument;
  /** Where all is there it is folded away: the rows are what is looked at. */
  readonly isFolded?: boolean;
}

/** The documents that go with a sheet: those that are there, those that rows lack, and how they come. */
export function DocumentsPart({ draft, isFolded = false }: PartProps): JSX.Element {
  const params = { draft: draft.id };
  const loaded = useLoaded(`documents ${draft.id}`, (signal) => call('documents', { params, signal }), [
    ['drafts', draft.id],
  ]);
  const failed = useSignal<Wrong | null>(null);
  const planAgain = (): void => {
    if (draft.run === null) return;
    void beginPlan(draft.id).catch((error: unknown) => {
      failed.value = asCallError(error);
    });
  };
  const { bringing, wrong, bring, stop } = useBringing(draft.id, planAgain);
  const { data, error, reload } = loaded;
  const isWhole = data !== null && data.rows.here === data.rows.all;
  const shown = wrongOf(wrong) ?? failed.value;
  return (
    <details class="tile documents" open={!isFolded || !isWhole || bringing !== null}>
      <summary>
        <h2>{say(TITLE)}</h2>{' '}
        {data !== null && (
          <span class={isWhole ? 'pill good' : 'pill warn'}>
            {isWhole
              ? say(ALL_HERE)
              : say(SOME_HERE, { here: figure(data.rows.here), all: figure(data.rows.all) })}
          </span>
        )}
      </summary>
      {error !== null && <ErrorBox error={error} onRetry={reload} />}
      <DropPlace bringing={bringing} onFiles={(files) => void bring(files)} onStop={stop} />
      {shown !== null && <ErrorBox error={shown} />}
      {data !== null && <Missing missing={data.missing} />}
      {data !== null && data.brought.length > 0 && (
        <Brought draft={draft.id} brought={data.brought} busy={bringing !== null} />
      )}
    </details>
  );
}

const BRINGING = t('{name}: {at} of {of}', '{name}: {at} van {of}');
const STOP = t('Stop', 'Stoppen');

interface DropProps {
  readonly bringing: Bringing | null;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onStop: () => void;
}

function DropPlace({ bringing, onFiles, onStop }: DropProps): JSX.Element {
  const over = useSignal(false);
  useWindowDrop(
    (isOver) => {
      over.value = isOver;
    },
    (event) => void filesWithin(event).then(onFiles),
  );
  return (
    <div class={`drop small ${over.value ? 'over' : ''}`}>
      <p>{say(over.value ? LET_GO : WHAT)}</p>
      {bringing === null ? (
        <div class="actions">
          <ChooseFiles word={say(CHOOSE)} onFiles={onFiles} />
          <ChooseFiles word={say(CHOOSE_FOLDER)} isFolder onFiles={onFiles} />
        </div>
      ) : (
        <div class="bring">
          <p>{say(BRINGING, { name: bringing.name, at: figure(bringing.at), of: figure(bringing.of) })}</p>
          <progress aria-label={say(TITLE)} max={1} value={bringing.part} />
          <Button small onClick={onStop}>
            {say(STOP)}
          </Button>
        </div>
      )}
    </div>
  );
}

interface ChooseProps {
  readonly word: string;
  readonly isFolder?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

function ChooseFiles({ word, isFolder = false, onFiles }: ChooseProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        {...(isFolder ? { webkitdirectory: true } : {})}
        class="unseen"
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Button icon="file" onClick={() => input.current?.click()}>
        {word}
      </Button>
    </>
  );
}

const ONE_MISSING = t('1 document is missing', 'Er ontbreekt nog 1 document');
const MISSING = t('{n} documents are missing', 'Er ontbreken nog {n} documenten');
const SEVERAL = t(
  'several files of this name, each by another path: give each a name of its own, in the sheet too',
  'meer bestanden met deze naam, elk met een ander pad: geef elk een eigen naam, ook in het werkblad',
);
const ROW = t('row {rows}', 'rij {rows}');
const ROWS = t('rows {rows}', 'rijen {rows}');

function Missing({ missing }: Pick<BroughtDocuments, 'missing'>): JSX.Element | null {
  if (missing.length === 0) return null;
  return (
    <details open={missing.length <= 10}>
      <summary>{sayCount(missing.length, ONE_MISSING, MISSING)}</summary>
      <ul class="beside-list">
        {missing.map(({ name, why, rows, count }) => (
          <li key={name}>
            <b>{name}</b>{' '}
            <span class="dim">
              {say(count === 1 ? ROW : ROWS, {
                rows: `${rows.map(({ row }) => row).join(', ')}${count > rows.length ? ' …' : ''}`,
              })}
              {why === 'several' && ` · ${say(SEVERAL)}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const ONE_HERE = t('1 document is here', '1 document staat erbij');
const HERE = t('{n} documents are here', '{n} documenten staan erbij');
const NO_ROW = t('no row names it', 'geen rij noemt het');
const REMOVE = t('Remove {name}', '{name} weghalen');

interface BroughtProps extends Pick<BroughtDocuments, 'brought'> {
  readonly draft: string;
  readonly busy: boolean;
}

function Brought({ draft, brought, busy }: BroughtProps): JSX.Element {
  const wrong = useSignal<Wrong | null>(null);
  const drop = async (document: string): Promise<void> => {
    wrong.value = null;
    await call('dropDocument', { params: { draft, document } }).catch((error: unknown) => {
      wrong.value = asCallError(error);
    });
  };
  return (
    <details>
      <summary>{sayCount(brought.length, ONE_HERE, HERE)}</summary>
      {wrong.value !== null && <ErrorBox error={wrong.value} />}
      <ul class="beside-list">
        {brought.map(({ name, bytes, rows }) => (
          <li key={name}>
            <span>
              {name}{' '}
              <span class="dim figures">
                {sizeText(bytes)}
                {rows === 0 && ` · ${say(NO_ROW)}`}
              </span>
            </span>
            <Button
              small
              look="plain"
              icon="cross"
              busy={busy}
              label={say(REMOVE, { name })}
              onClick={() => void drop(name)}
            >
              {''}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
