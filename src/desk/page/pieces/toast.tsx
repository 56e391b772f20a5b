import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { t } from '../../../core/language.ts';
import { say } from '../language.ts';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

const toasts = signal<readonly Toast[]>([]);
const said = signal('');

/** How long a text stays that needs no answer, ms. */
const SHOWN_MS = 8000;

let last = 0;

/** Has a screen reader say something when it is done with what it says now. */
export function announce(text: string): void {
  // The same text again is news too: a region that doesn't change says nothing.
  said.value = said.peek() === text ? `${text}\u00a0` : text;
}

/** Shows for a while that something was done, or went wrong, without taking the focus. */
export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++last;
  toasts.value = [...toasts.peek().slice(-2), { id, text, tone }];
  announce(text);
  if (tone === 'good') setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.peek().filter((one) => one.id !== id);
}

/** Stands once on the page: what is shown for a while, and what is read out. */
export function Toasts(): JSX.Element {
  return (
    <>
      <div class="unseen" role="status">
        {said.value}
      </div>
      <section class="toasts" aria-label={say(MESSAGES)}>
        {toasts.value.map(({ id, text, tone }) => (
          <div key={id} class={`toast ${tone}`}>
            <Icon name={tone === 'good' ? 'check' : 'warning'} />
            <p>{text}</p>
            <button
              type="button"
              class="button plain cross"
              aria-label={say(CLOSE)}
              onClick={() => dismiss(id)}
            >
              <Icon name="cross" />
            </button>
          </div>
        ))}
      </section>
    </>
  );
}

const MESSAGES = t('Messages', 'Meldingen');
const CLOSE = t('Close', 'Sluiten');
