import { done, ok, shapeFor } from './answers.ts';
import { type Call, pathId, type Route, route } from './route.ts';
import type { Answer } from './types.ts';

/** Section 4.7: what they answer is not shown; sending is put down as a record, for it can't be undone. */
export const generalRoutes: readonly Route[] = [
  route('invoice.file', 'GET', 'invoice/file/{}/{}', (call) => ({
    status: 200,
    body: Buffer.from(`%PDF-1.4 factuur ${call.request.params.join('.')}\n`),
    type: 'application/pdf',
  })),
  route('edi.sendAll!', 'GET', 'edi/purchaseorder/sendAll', (call) => send(call, null)),
  route('edi.send!', 'GET', 'edi/purchaseorder/send/{}', (call) => send(call, pathId(call))),
];

function send(call: Call, order: number | null): Answer {
  const { world, source } = call;
  const id = world.create('order', { Inkooporder: order }, source);
  return order === null ? ok({ success: shapeFor(world).success }) : done(world, 'id', id);
}
