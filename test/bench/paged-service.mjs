// A service that holds as many packages as its argument says, in pages of a hundred; prints where it is. It makes each page as
// it is asked for, so that the last one costs as little as the first.
//   node paged-service.mjs PACKAGES
import { createServer } from 'node:http';

const HELD = Number(process.argv[2]);
const PAGE = 100;
/** Records were written one after the other in these years; the last day's are as many as a day's of a busy kitchen. */
const [FIRST, LAST] = ['2023-01-01', '2026-01-01'].map(Date.parse);
const writtenAt = (n) =>
  new Date(FIRST + Math.floor(((LAST - FIRST) * n) / HELD)).toISOString().slice(0, 23).replace('T', ' ');
const LISTS = {
  '/api/v1/producttype/all': [1, 2].map((id) => ({
    ...{ ProductTypeID: id, ProductType: `Soort ${id}`, VerkoopCategorieID: 1 },
  })),
  '/api/v1/productcategory/all': [10, 11, 12].map((id) => ({
    ...{ ProductCategorieID: id, ProductCategorie: `Categorie ${id}` },
  })),
};

const packageOf = (n) => ({
  ...{
    ProductID: 5000 + n,
    ProductTypeID: 1 + (n % 2),
    Actief: n % 7 > 0,
    LMT: writtenAt(n),
    ExternalID: 700_000_000 + n,
  },
  ...{
    OmschrijvingIntern: `Lunchpakket ${n}`,
    OmschrijvingExtern: `Uitgebreide lunch nummer ${n} met koffie & thee`,
  },
  ...{ ProductCategorieID: 10 + (n % 3), Verkoopprijs: (n % 9000) / 100 + 5, Volume: (n % 400) / 8 },
  ...{
    OfferteTekst: 'Inclusief servies, bestek en linnen.',
    InterneOpmerking: `prijs nakijken voor seizoen ${n % 12}`,
  },
  ...{ OpnemenInOfferte: true, OnderdelenInOfferte: false, OfferteCategorieTonen: n % 2 === 0 },
});

/** The number of the first record that was written after a moment. */
function firstAfter(since) {
  const at = Date.parse(`${since.replace(' ', 'T')}Z`);
  return Math.max(0, Math.min(HELD, Math.floor(((at - FIRST) / (LAST - FIRST)) * HELD) + 1));
}

function listed(page, since) {
  // Of later ones a reader asks whether there are any.
  const total = since < writtenAt(0) ? HELD : Math.max(0, HELD - firstAfter(since));
  const last = Math.max(1, Math.ceil(total / PAGE));
  const from = HELD - total + (page - 1) * PAGE;
  const data = Array.from({ length: Math.max(0, Math.min(PAGE, HELD - from)) }, (_, at) =>
    packageOf(from + at),
  );
  const address = (number) => `${origin()}/api/v1/product/pakket/allModified?page=${number}`;
  const links = { first: address(1), last: address(last) };
  const beside = { prev: page > 1 ? address(page - 1) : null, next: page < last ? address(page + 1) : null };
  const meta = {
    current_page: page,
    from: (page - 1) * PAGE + 1,
    last_page: last,
    path: '',
    per_page: String(PAGE),
  };
  return [
    { data, links: { ...links, ...beside }, meta: { ...meta, to: (page - 1) * PAGE + data.length, total } },
  ];
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { pathname, searchParams } = new URL(request.url, origin());
    const answer = pathname.endsWith('/pakket/allModified')
      ? listed(Number(searchParams.get('page') ?? 1), JSON.parse(Buffer.concat(parts)).LMT)
      : LISTS[pathname];
    const bytes = Buffer.from(JSON.stringify(answer ?? { message: 'not found' }));
    response.writeHead(answer === undefined ? 404 : 200, {
      ...{ 'content-type': 'application/json', 'content-length': bytes.length },
    });
    response.end(bytes);
  });
});
const origin = () => `http://127.0.0.1:${server.address().port}`;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: origin(), token: 'paged' })));
