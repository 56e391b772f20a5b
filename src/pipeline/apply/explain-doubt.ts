import type { Outcome, PlannedRow } from '../../schema/plan.ts';
import type { Values } from '../../schema/value.ts';
import type { Sending } from './sending.ts';

/** An outcome that is unknown, with what the user can look at; any other as it is. */
export async function explainDoubt<E extends Pick<Outcome, 'status' | 'message'>>(
  { guard, context }: Sending,
  doubt: { readonly planned: PlannedRow; readonly body: Values },
  ending: E,
): Promise<E> {
  if (ending.status !== 'unknown') return ending;
  // Only words: whatever goes wrong with them, that it is unknown must be written down.
  const words = await guard.describeDoubt?.(doubt).catch((error: unknown) => {
    context.log.warn({ row: doubt.planned.row, error: String(error) }, 'cannot tell what to look at');
    return null;
  });
  if (words == null) return ending;
  const { message } = ending;
  if (message === null) return { ...ending, message: words };
  return { ...ending, message: { en: `${message.en}; ${words.en}`, nl: `${message.nl}; ${words.nl}` } };
}
