import { sendOrders as send } from '../calls/send-orders.ts';
import { generalEndpoints } from '../resources/general.ts';
import { type ProgramOptions, withSession } from './with-session.ts';

/** Everything `catersheet orders send` can be told, as options. */
export interface SendOrdersOptions extends ProgramOptions {
  /** Also what was sent before, or may have been, deliberately. */
  readonly again?: boolean;
}

/** What became of each purchase order; what `catersheet orders send --json` prints. */
export interface OrdersDocument {
  readonly service: string;
  readonly calls: readonly {
    readonly id: string;
    readonly status: 'done' | 'unchanged' | 'failed' | 'unknown' | 'not sent';
    readonly message?: string;
  }[];
  readonly requests: number;
}

/**
 * Sends purchase orders over EDI, those named or all that the service has to send, each at most once as the ledger has
 * it. Asks nothing. Throws StopError for what stops it.
 */
export async function sendOrders(
  orders: readonly number[] | 'all',
  options: SendOrdersOptions = {},
): Promise<OrdersDocument> {
  return await withSession(options, 'wait', async ({ context, settings }) => {
    const ids = orders === 'all' ? orders : orders.map(String);
    const { calls, stopped, ...rest } = await send(context, generalEndpoints, {
      ids,
      again: options.again ?? false,
    });
    if (stopped !== null) throw stopped;
    return {
      ...rest,
      calls: calls.map(({ message, ...call }) =>
        message === null ? call : { ...call, message: message[settings.lang] },
      ),
    };
  });
}
