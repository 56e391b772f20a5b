// A service of packages that costs as little as one can, so that the time of a bench is the sender's; prints where it is.
//   node lean-service.mjs [LATENCY in ms] [the first id]
import { createServer } from 'node:http';

const LATENCY = Number(process.argv[2] ?? 0);
const FIRST_ID = Number(process.argv[3] ?? 5000);
const TOKEN = 'lean';
const TYPES = [1, 2].map((id) => ({ ProductTypeID: id, ProductType: `Soort ${id}`, VerkoopCategorieID: 1 }));
const CATEGORIES = [10, 11, 12].map((id) => ({
  ProductCategorieID: id,
  ProductCategorie: `Categorie ${id}`,
}));

let packages = new Map();
const NOTHING = { writes: 0, first: 0, last: 0 };
let tally = { ...NOTHING };
/** When requests came, ms. */
const times = [];

const routes = {
  'GET api/v1/producttype/all': () => TYPES,
  'GET api/v1/productcategory/all': () => CATEGORIES,
  'POST api/v1/product/pakket/allModified': () => listed(),
  'PUT api/v1/product/pakket/create': (body) => created(body),
  'POST api/v1/product/pakket/update': (body) => updated(body),
  'GET api/v1/product/pakket/detail': (_, id) => packages.get(Number(id)),
  'GET api/v1/product/pakket/detailExternal': (_, key) =>
    [...packages.values()].find(({ ExternalID }) => ExternalID === Number(key)),
  // Of the bench itself: what was written since the last time it was asked.
  'GET tally': () => {
    const told = tally;
    tally = { ...NOTHING };
    packages = new Map();
    return told;
  },
  'GET times': () => times.splice(0),
};

const now = () => new Date().toISOString().replace('T', ' ').slice(0, 23);

function created(body) {
  const ProductID = FIRST_ID + packages.size;
  packages.set(ProductID, { ...body, ProductID, ExternalID: null, LMT: now() });
  return { ProductID, success: true };
}

function updated(body) {
  const known = packages.get(body.ProductID);
  if (known !== undefined) Object.assign(known, body, { LMT: now() });
  return { ProductID: body.ProductID, success: known !== undefined };
}

function listed() {
  const data = [...packages.values()].slice(0, 100);
  const meta = { current_page: 1, from: 1, last_page: 1, path: '', per_page: '100', to: data.length };
  return [
    { data, links: { first: '', last: '', prev: null, next: null }, meta: { ...meta, total: data.length } },
  ];
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    if (request.url.startsWith('/api/')) times.push(performance.now());
    const [path] = request.url.slice(1).split('?');
    const [, plain, id] = /^(.*?)(?:\/([^/]*\d))?$/.exec(path) ?? [];
    const route = routes[`${request.method} ${plain}`] ?? routes[`${request.method} ${path}`];
    const isWrite = /\/(?:create|update)$/.test(path);
    if (isWrite) {
      tally.writes++;
      tally.first ||= performance.now();
    }
    const text = Buffer.concat(parts).toString();
    const answer = route?.(text === '' ? {} : JSON.parse(text), id);
    const end = () => {
      const bytes = Buffer.from(JSON.stringify(answer ?? { message: 'not found' }));
      response.writeHead(answer === undefined ? 404 : 200, {
        'content-type': 'application/json',
        'content-length': bytes.length,
      });
      response.end(bytes);
      if (isWrite) tally.last = performance.now();
    };
    if (LATENCY === 0) end();
    else setTimeout(end, LATENCY);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}`, token: TOKEN }));
});
