import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../core/language.ts';
import type { SuggestDocument } from '../../contract/documents.ts';
import { say, sayCount } from '../language.ts';

/** Asks what can be chosen. */
export type Suggest = (search: string, signal: AbortSignal) => Promise<SuggestDocument>;

/** An input with choices says so; one without is a plain one. */
export const comboboxRole = (chooses: boolean, id: string, { open, at }: ChoiceList, isMarked: boolean) =>
  chooses
    ? ({
        ...{ role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': open },
        'aria-controls': open ? `${id}-list` : undefined,
        'aria-activedescendant': isMarked ? `${id}-${at}` : undefined,
      } as const)
    : {};

/** The choices of a cell, as far as they are shown. */
export interface ChoiceList {
  readonly open: boolean;
  /** The choice that is marked; -1 for none. */
  readonly at: number;
  readonly found: SuggestDocument;
  show(search: string): void;
  move(step: number): void;
  close(): void;
}

const NOTHING: SuggestDocument = { kind: 'none', entries: [], more: false };
/** Rest after typing until choices are asked for, ms. */
const TYPING_MS = 120;

/** Asks for choices as the user types. */
export function useChoices(suggest: Suggest): ChoiceList {
  const [search, setSearch] = useState<string | null>(null);
  const [found, setFound] = useState(NOTHING);
  const [at, setAt] = useState(-1);
  // Opened by an arrow, the list has its first choice marked.
  const first = useRef(false);
  const asked = useRef(suggest);
  asked.current = suggest;
  useEffect(() => {
    if (search === null) return;
    const ended = new AbortController();
    const wait = setTimeout(
      () => {
        asked.current(search, ended.signal).then(
          (answer) => {
            if (ended.signal.aborted) return;
            setFound(answer);
            setAt(first.current ? 0 : -1);
            first.current = false;
          },
          // Whoever can't choose can still type.
          () => setFound(NOTHING),
        );
      },
      found === NOTHING ? 0 : TYPING_MS,
    );
    return () => {
      clearTimeout(wait);
      ended.abort();
    };
  }, [search]);
  return {
    ...{ open: search !== null && found.entries.length > 0, at, found },
    show: setSearch,
    move: (step) => {
      if (search === null) {
        first.current = true;
        setFound(NOTHING);
        setSearch('');
        return;
      }
      const count = found.entries.length;
      if (count > 0)
        setAt((before) => (before < 0 && step < 0 ? count - 1 : (before + step + count) % count));
    },
    close: () => {
      setSearch(null);
      setAt(-1);
    },
  };
}

const MORE = t('Type to find the others', 'Typ om de andere te vinden');
const ONE = t('1 choice', '1 keuze');
const OTHERS = t('{n} choices', '{n} keuzes');

interface ChoicesProps {
  readonly id: string;
  readonly list: ChoiceList;
  readonly label: string;
  readonly onChoose: (text: string) => void;
}

/** The list of choices below an input. */
export function Choices({ id, list, label, onChoose }: ChoicesProps): JSX.Element {
  const { open, at, found } = list;
  const marked = useRef<HTMLDivElement>(null);
  useEffect(() => marked.current?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <>
      <span class="unseen" role="status">
        {open ? sayCount(found.entries.length, ONE, OTHERS) : ''}
      </span>
      {open && (
        <div class="choice-list">
          <div role="listbox" id={`${id}-list`} aria-label={label}>
            {found.entries.map(({ text, detail }, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the input chooses it.
              <div
                key={`${text}\0${detail ?? ''}`}
                ref={index === at ? marked : null}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                // A press takes no focus from the input.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(text)}
              >
                {text} {detail !== null && <small>{detail}</small>}
              </div>
            ))}
          </div>
          {found.more && <p class="more">{say(MORE)}</p>}
        </div>
      )}
    </>
  );
}

/** Keys of an input with choices: arrows mark one, Escape closes the list, else leaves the input. */
export function onChoiceKey(
  event: KeyboardEvent,
  list: ChoiceList,
  onCancel: (() => void) | undefined,
  chooses: boolean,
): void {
  if (chooses && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    list.move(event.key === 'ArrowDown' ? 1 : -1);
    event.preventDefault();
  } else if (event.key === 'Escape' && (list.open || onCancel !== undefined)) {
    if (list.open) list.close();
    else onCancel?.();
    event.preventDefault();
    event.stopPropagation();
  }
}
