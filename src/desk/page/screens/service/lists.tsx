import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../core/language.ts';
import type { SettingsDocument } from '../../../contract/documents.ts';
import { call } from '../../call.ts';
import { figure, say } from '../../language.ts';
import { Button } from '../../pieces/button.tsx';
import { ErrorBox, type Wrong } from '../../pieces/error-box.tsx';
import { toast } from '../../pieces/toast.tsx';
import { wrongOf } from '../../wrong.ts';

type Dropdown = SettingsDocument['dropdowns'][number];

const TITLE = t('Lists to choose from', 'Keuzelijsten');
const WHY = t(
  'The service numbers its dropdown lists and doesn’t say which is which. You can tell by what is in them.',
  'Het systeem nummert zijn keuzelijsten en zegt er niet bij welke wat is. Je ziet het aan wat erin staat.',
);
const UNKNOWN = t('I don’t know', 'Weet ik niet');
const NUMBER = t('Number {n}', 'Nummer {n}');
const MORE = t('and {n} more', 'en nog {n}');
const EMPTY = t('(an empty list)', '(een lege lijst)');
const SAVE = t('Keep these lists', 'Deze lijsten bewaren');
const SAVED = t('The lists are kept.', 'De lijsten zijn bewaard.');

interface ListsProps {
  readonly settings: SettingsDocument;
  readonly reload: () => void;
}

/** Which dropdown number is which list, chosen by what is in it. */
export function Lists({ settings: { service, dropdowns }, reload }: ListsProps): JSX.Element {
  const [chosen, setChosen] = useState<Readonly<Record<string, number>>>({});
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setWrong(null);
    try {
      await call('chooseLists', { body: { service, numbers: chosen } });
      toast(say(SAVED));
      setChosen({});
      reload();
    } catch (error) {
      setWrong(wrongOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="lists">
      <h2 id="lists">{say(TITLE)}</h2>
      <p class="dim">{say(WHY)}</p>
      {dropdowns.map((dropdown) => (
        <ListChoice
          key={dropdown.name}
          dropdown={dropdown}
          number={chosen[dropdown.name] ?? dropdown.number}
          onChoose={(number) => setChosen({ ...chosen, [dropdown.name]: number })}
        />
      ))}
      {wrong !== null && <ErrorBox error={wrong} />}
      {Object.keys(chosen).length > 0 && (
        <Button look="primary" busy={busy} onClick={() => void save()}>
          {say(SAVE)}
        </Button>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly dropdown: Dropdown;
  readonly number: number | null;
  readonly onChoose: (number: number) => void;
}

function ListChoice({ dropdown, number, onChoose }: ChoiceProps): JSX.Element {
  const { name, words, candidates } = dropdown;
  return (
    <fieldset class="checks list-choice">
      <legend>
        <b>{words}</b> <span class="dim">{name}</span>
      </legend>
      {candidates.map(({ number: own, entries, total }) => {
        const left = (total ?? entries.length) - entries.length;
        const shown = entries.length === 0 ? say(EMPTY) : entries.join(', ');
        return (
          <label key={own} class="check">
            <input type="radio" name={name} checked={number === own} onChange={() => onChoose(own)} />
            <span>
              <b>{say(NUMBER, { n: own })}</b> {shown}
              {left > 0 && ` ${say(MORE, { n: figure(left) })}`}
            </span>
          </label>
        );
      })}
      {number === null && <p class="dim">{say(UNKNOWN)}</p>}
    </fieldset>
  );
}
