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
