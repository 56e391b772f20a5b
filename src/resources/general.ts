import { fileAnswer, openAnswer } from '../schema/answer.ts';
import { defineEndpoint } from '../schema/endpoint.ts';

/** The three general endpoints of interface 4.7; their success responses are not shown. */
export const generalEndpoints = {
  invoiceFile: defineEndpoint({ name: 'invoices.file', section: '4.7', method: 'GET', path: 'api/v1/invoice/file/{id}/{extension}', texts: ['id', 'extension'], effect: 'none', returns: 'binary', answer: fileAnswer }),
  sendAllOrders: defineEndpoint({ name: 'orders.sendAll', section: '4.7', method: 'GET', path: 'api/v1/edi/purchaseorder/sendAll', effect: 'each', returns: 'any', answer: openAnswer }),
  sendOrder: defineEndpoint({ name: 'orders.send', section: '4.7', method: 'GET', path: 'api/v1/edi/purchaseorder/send/{ID}', effect: 'each', returns: 'any', answer: openAnswer }),
} as const;
