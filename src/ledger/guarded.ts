import type { StopError } from '../core/errors.ts';
import type { Ledger } from './ledger.ts';

/** A ledger whose methods say what is wrong with where it is kept, where that or what it holds is. */
export function guarded(ledger: Ledger, stopOf: (error: unknown) => StopError | undefined): Ledger {
  const rethrow = (error: unknown): never => {
    throw stopOf(error) ?? error;
  };
  const methods = Object.entries(ledger).map(([name, method]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => {
      try {
        const answer = method(...given);
        return answer instanceof Promise ? answer.catch(rethrow) : answer;
      } catch (error) {
        return rethrow(error);
      }
    },
  ]);
  return Object.fromEntries(methods) as Ledger;
}
