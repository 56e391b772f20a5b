import { signal } from '@preact/signals';

const said = signal('');

/** Has a screen reader say something when it is done with what it says now. */
export function announce(text: string): void {
  // The same text again is news too: a region that doesn't change says nothing.
  said.value = said.peek() === text ? `${text}\u00a0` : text;
}

/** Stands once on the page: what is read out. */
export function Announced() {
  return (
    <div class="unseen" role="status">
      {said.value}
    </div>
  );
}
