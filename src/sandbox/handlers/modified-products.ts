import { wallTime } from '../clock.ts';
import { pageNumber, pageOf } from '../paging.ts';
import { json, type Reply } from '../reply.ts';
import type { Call, Service } from '../service.ts';
import type { Stored } from '../store.ts';
import type { ProductKind } from '../views/product-detail.ts';
import { productRecord } from '../views/product-record.ts';

/** Products turned into text at a time, so that other requests get their turn during a whole download. */
const PIECE = 500;

type Present = (product: Stored) => Record<string, unknown>;

interface Query {
  readonly kind: ProductKind;
  readonly since: string;
  readonly present: Present;
}

function* joined(products: readonly Stored[], present: Present): Generator<string> {
  for (let start = 0; start < products.length; start += PIECE) {
    const piece = products.slice(start, start + PIECE).map((product) => JSON.stringify(present(product)));
    yield `${start > 0 ? ',' : ''}${piece.join(',')}`;
  }
}

function* whole(query: Query, address: string, service: Service): Generator<string> {
  // Read at once: a product written during the download would otherwise be missing from it or in it twice.
  const products = service.store.modified(query.kind, query.since);
  const { download } = service.dialect();
  const total = products.length;
  const { links, meta } = pageOf(products, { address, current: 1, size: Math.max(1, total), total });
  const tail = `],"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}}]`;
  yield { array: '[', data: '{"data":[', page: '[{"data":[' }[download];
  yield* joined(products, query.present);
  yield { array: ']', data: ']}', page: tail }[download];
}

function page(query: Query, call: Call, service: Service): Reply {
  const { store, pageSize: size } = service;
  const current = pageNumber(call.query);
  const products = store.modified(query.kind, query.since, size, (current - 1) * size);
  const total = store.countModified(query.kind, query.since);
  const place = { address: call.address, current, size, total };
  return json([pageOf(products.map(query.present), place)]);
}

/** The products modified after LMT, page by page or all at once (interface 4.3). */
export function listModified(kind: ProductKind, call: Call, service: Service): Reply {
  const { company } = service;
  const view = { company, dialect: service.dialect(), declaration: call.body.exportWithDeclaration === true };
  const present: Present = (product) => productRecord(kind, product, view);
  const query = { kind, since: wallTime(String(call.body.LMT)), present };
  return call.body.downloadResponseAsJSON === true
    ? { kind: 'stream', status: 200, chunks: whole(query, call.address, service) }
    : page(query, call, service);
}
