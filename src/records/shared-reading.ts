import type { Time } from '../core/time.ts';

/**
 * A reading shared by all who `asked` before it began, however late their turn comes: it shows the service as
 * it was after each asked.
 */
export function sharedReading<K, T>(
  time: Time,
  read: (key: K) => Promise<T>,
): (key: K, asked?: number | undefined) => Promise<T> {
  const next = new Map<K, Promise<T>>();
  const latest = new Map<K, { readonly begun: number; readonly reading: Promise<T> }>();
  const begin = (key: K): Promise<T> => {
    next.delete(key);
    const begun = time.steady();
    const reading = read(key);
    latest.set(key, { begun, reading });
    // What could not be read is read anew for whoever comes then.
    reading.catch(() => latest.delete(key));
    return reading;
  };
  return (key, asked = Number.POSITIVE_INFINITY) => {
    const last = latest.get(key);
    if (last !== undefined && last.begun >= asked) return last.reading;
    const ended = last?.reading.then(nothing, nothing) ?? Promise.resolve();
    const reading = next.get(key) ?? ended.then(() => begin(key));
    next.set(key, reading);
    return reading;
  };
}

const nothing = (): void => {};

/** A look-up that asks for each key once: whoever asks again gets the same answer, on its way or there. */
export function askedOnce<K, T, More extends readonly unknown[] = []>(
  ask: (key: K, ...more: More) => T,
): (key: K, ...more: More) => T {
  const answers = new Map<K, T>();
  return (key, ...more) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = ask(key, ...more);
    answers.set(key, answer);
    return answer;
  };
}
