import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventOf } from '../contract/documents.ts';
import { CallError } from './call.ts';
import { language } from './language.ts';
import { doubt, epoch, onChanged } from './live.ts';

/** What was asked of the server, as it is now. */
export interface Loaded<T> {
  /** Null until it is there; the last answer while it is asked for again. */
  readonly data: T | null;
  readonly error: CallError | null;
  readonly loading: boolean;
  reload(): void;
}

/** What an answer is made of: another id's news don't touch it. */
export type Watched = readonly [what: EventOf<'changed'>['what'], id?: string];

/**
 * Asks the server, and again when what is watched changed, when the connection is new and in another
 * language. `key` names what is asked for: with another one what was there goes.
 */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  watched: readonly Watched[] = [],
): Loaded<T> {
  const [state, setState] = useState<{
    key: string;
    data: T | null;
    error: CallError | null;
    loading: boolean;
  }>(() => ({ key, data: null, error: null, loading: true }));
  const [turn, setTurn] = useState(0);
  const asked = useRef(load);
  asked.current = load;
  const watch = JSON.stringify(watched);

  useEffect(() => {
    const ended = new AbortController();
    setState((before) => ({
      key,
      data: before.key === key ? before.data : null,
      error: null,
      loading: true,
    }));
    asked.current(ended.signal).then(
      (data) => !ended.signal.aborted && setState({ key, data, error: null, loading: false }),
      (error: unknown) => {
        if (ended.signal.aborted) return;
        const known = asCallError(error);
        setState((before) => ({ ...before, error: known, loading: false }));
      },
    );
    return () => ended.abort();
  }, [key, turn, epoch.value, language.value]);

  useEffect(
    () =>
      onChanged(({ what, id }) => {
        const all = JSON.parse(watch) as Watched[];
        const concerned = all.some(([of, own]) => of === what && (own === undefined || (id ?? own) === own));
        if (concerned) setTurn((before) => before + 1);
      }),
    [watch],
  );

  const current = state.key === key ? state : { data: null, error: null, loading: true };
  return { ...current, reload: () => setTurn((before) => before + 1) };
}

/** What went wrong with a call; tells the rest of the page where there is no session. */
export function asCallError(error: unknown): CallError {
  const known = error instanceof CallError ? error : new CallError(500, String(error), null);
  if (known.status === 401) doubt('unknown');
  return known;
}
