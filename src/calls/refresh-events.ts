import { same } from '../core/language.ts';
import type { Context } from '../run/context.ts';
import type { RefreshResource } from '../schema/resource.ts';
import { RequestError } from '../service/request-error.ts';
import { type CallsResult, makeCalls, unreachableEnd } from './calls.ts';

/** Has the service refresh events; a repeated refresh does no harm. */
export async function refreshEvents(
  context: Context,
  { requests }: RefreshResource,
  ids: readonly string[],
): Promise<CallsResult> {
  return await makeCalls(context, ids, async (ID) => {
    try {
      const { success, message } = await context.service.send(requests.refresh, { params: { ID } });
      const said = message ?? 'success: false';
      return success ? { status: 'done', message: null } : { status: 'failed', message: same(said) };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return (
        unreachableEnd(context, error) ?? {
          status: error.mayHaveTakenEffect ? 'unknown' : 'failed',
          message: error.text,
        }
      );
    }
  });
}
