// What docs/interface.md says in words: everything else in it comes from the definitions.

/**
 * The sections by their numbers. `groups` are of requests, by the first part of their names; `sheets` are the
 * resources whose fields are told, `read` one whose single record is, `listed` one whose record in a list is.
 */
export const SECTIONS = [
  { at: '2', title: 'Fields and records' },
  { at: '2.1', title: 'Packages', sheets: ['packages'] },
  { at: '2.2', title: 'A package that is read', read: 'packages' },
  { at: '2.3', title: 'Recipes', sheets: ['recipes'] },
  { at: '2.4', title: 'A recipe that is read', read: 'recipes' },
  { at: '2.5', title: 'Products in a list', listed: 'packages' },
  { at: '2.6', title: 'Stock', sheets: ['stock-mutations', 'stock-count'], total: true },
  { at: '2.7', title: 'The record of an event', listed: 'events' },
  { at: '2.8', title: 'The record of an arrangement', listed: 'arrangements' },
  { at: '2.9', title: 'The record of a trip, and lookups', listed: 'trips', lookups: true },
  { at: '3', title: 'States' },
  { at: '4', title: 'Requests' },
  { at: '4.1', title: 'Packages', groups: ['packages'] },
  { at: '4.2', title: 'Recipes and stock', groups: ['recipes', 'stock'] },
  { at: '4.3', title: 'Lists of packages and recipes' },
  { at: '4.4', title: 'Events', groups: ['events'], sheets: ['events', 'documents', 'refresh'] },
  { at: '4.5', title: 'Arrangements', groups: ['arrangements'], sheets: ['arrangements'] },
  { at: '4.6', title: 'Trips', groups: ['trips'], sheets: ['trips'] },
  { at: '4.7', title: 'Invoices and purchase orders', groups: ['invoices', 'orders'], sheets: ['invoices'] },
  { at: '5', title: 'Authentication' },
  { at: '6', title: 'Events' },
  { at: '7', title: 'Errors' },
  { at: '8', title: 'Limits' },
  { at: '9', title: 'Versions' },
];

/** More that holds for a section. */
export const NOTES = {
  2.5: ['Packages and recipes come in lists as the same record.'],
  2.6: [
    'A mutation has `AantalRekeneenheid`, `AantalProducteenheid`, or both.',
    'A count is no request of its own: the program sends the difference with the current total as a mutation.',
  ],
  2.7: [
    'The list of definitive events ends at `GeenOmzet`. Only the read of a single event has `CentraleProductieLocatieID`.',
    'No read returns `Starttijd` and `Eindtijd`. The program compares them with what it sent last.',
  ],
  2.9: ['Of the two lists of trips, only the one by `LMT` returns `SubtypeRitID`.'],
  4: [
    '*Sent twice* is what the program counts on: whether it may send a request again after it got no answer.',
    'Fields under Create and Update are those of section 2 for products and stock, else those that follow the requests.',
  ],
  4.1: [
    'An update names the package by `ProductID`, or by `ExternalID` when that is empty.',
    'A create has no place for `ExternalID`. The program makes the package first, and stores the key with an update.',
  ],
  4.2: [
    'A create takes the ids of `productcategory` for `ProductCategorieID`, an update those of `productactiecategory`. ' +
      'So a number that the first list lacks is sent as it is.',
    'No request is known to store `ExternalID` of a recipe. The ledger remembers which number is whose.',
    'The current total is asked with a GET that has a body.',
  ],
  4.4: [
    'Creating and updating take different fields. The program sends what only an update takes right after the create.',
    'The list of definitive events calls its flag `EnkelEvent`; the others call it `EnkelEvenement`.',
    'What a refresh renews in an event is not shown. The program asks for it with `catersheet refresh` alone, and takes asking twice for harmless.',
  ],
  4.5: ['The program finds a link again by its event and its arrangement.'],
  4.6: [
    'No request makes a trip. The program changes trips that are there, and deletes them.',
    'Whether a deleted trip still comes in a list is not shown.',
  ],
  5: [
    'Every request carries `Authorization: Bearer` and a token. Without a good one the answer is 401 (section 7).',
  ],
  6: ['*Event* means a booking of a caterer here (section 2.7), never a message.'],
  7: [
    'Status 401 has a body with `errors` and `message`, both text.',
    'A write that was done has status 200, the id of the record, as `ProductID` or `id`, and a flag. ' +
      'Deletes of packages, recipes and arrangements spell the flag `succes`, others `success`.',
  ],
  8: ['Lists of packages and recipes come in pages (section 4.3).'],
  9: ['Every path has `v1` in it.'],
};

/** A page of a list: what its members hold. */
export const PAGE = {
  members: [
    ['`data`', 'records of section 2.5'],
    [
      '`links`',
      '`first`, `last`, `prev`, `next`: whole addresses, each with its `page`; `prev` and `next` may be null',
    ],
    ['`meta`', '`current_page`, `from`, `last_page`, `to`, `total` int; `path`, `per_page` string'],
  ],
  flags: [
    ['`downloadResponseAsJSON`', 'false', 'Whether everything comes at once, not in pages'],
    ['`exportWithDeclaration`', 'false', 'Whether records have their declaration of ingredients'],
  ],
};

/** Where the ids of a field come from, by the interface, where the program reads no list of them to find names. */
export const SOURCES = {
  packages: { ProductID: 'api/v1/product/detail/{id}' },
  recipes: {
    ProductID: 'api/v1/product/detail/{id}',
    ProductCategorieID: { create: 'api/v1/productcategory/all', update: 'api/v1/productactiecategory/all' },
  },
  events: {
    PartijID: 'api/v1/event/{id}',
    RelatieID: 'api/v1/relation/{id}',
    ContactpersoonID: 'api/v1/relation/contact/{id}',
    FactuurRelatieID: 'api/v1/relation/{id}',
    FactuurContactpersoonID: 'api/v1/relation/contact/{id}',
    LocatieID: 'api/v1/location/{id}',
  },
  arrangements: { PartijID: 'api/v1/event/{id}', ArrangementID: 'api/v1/event/{id}/packages' },
  trips: { RitID: 'api/v1/core/ritten/all' },
};

/** What else the program does with a lookup. */
export const LOOKUPS = {
  'lookups.relation': 'names of customers in the finance workbook',
  'lookups.location': 'names of locations in the finance workbook',
  'lookups.product': 'names of products in the finance workbook',
  'lookups.contact': 'the program does not ask it',
  'lookups.ritten': 'the program does not ask it',
};

/** What the interface leaves open: in which section it is told, which requests' answers it is about, and how the program copes. */
export const OPEN = [
  {
    id: 'token',
    section: '5',
    open: 'Where a token comes from, how long it lives and what it allows',
    copes:
      'You give it, in `CATERSHEET_TOKEN` or a file. A 401 ends the run at once; it can be continued with another token.',
  },
  {
    id: 'other-errors',
    section: '7',
    open: 'Errors other than 401',
    copes:
      'A missing record may be a 404, null, `{}`, or `success` false. By a 400, 422, 500 or an answer without a record it may ' +
      'be too: then a list tells, or whether another record is answered. What `errors` says of a field stands at that field’s cell. ' +
      'The network, 408, 425, 429, 502, 503 and 504 are tried again. What must not happen twice is tried again only after ' +
      'a 429, or where no byte left; after any of the others it is looked for.',
  },
  {
    id: 'rate-limits',
    section: '8',
    open: 'How many requests are allowed',
    copes:
      '`--concurrency` and `--rate` bound them. On 429 and 503 fewer go at a time, and `Retry-After` is obeyed.',
  },
  {
    id: 'lengths',
    section: '8',
    open: 'The longest text and the largest document',
    copes:
      'A text of more than 255 characters in a short field has a warning, and is sent whole. Files are streamed.',
  },
  {
    id: 'notifications',
    section: '6',
    open: 'Whether the service tells others of changes',
    copes: 'The program listens for none. `export --since last` asks what changed.',
  },
  {
    id: 'versions',
    section: '9',
    open: 'Versions other than v1',
    copes: 'The program knows v1 alone.',
  },
  {
    id: 'product-types',
    section: '2.5',
    open: 'The type of each member of a product record',
    copes:
      'A number may come as text, a flag as 0, 1 or text, nothing as empty text. Each is read by its field. ' +
      'What can’t be read stays as it came, and is never sent back.',
  },
  {
    id: 'whole-download',
    section: '4.3',
    requests: [],
    open: 'The answer with `downloadResponseAsJSON`',
    copes:
      'The program asks for it where that takes fewer requests, up to 5,000 records: a list, `{data}` and `[{data}]` are understood. Where pages come, they are read.',
  },
  {
    id: 'page-size',
    section: '4.3',
    open: 'How large a page is',
    copes: '`meta` and `links` of the first page tell how many pages there are, and where the next one is.',
  },
  {
    id: 'event-types',
    section: '2.7',
    open: 'The type of each member of an event record',
    copes: 'Members are read as those of a product record are.',
  },
  {
    id: 'event-lists',
    section: '4.4',
    open: 'Whether a list of events is a list',
    copes:
      'A list, one record, and either within `data` are read. `success` false, or an empty body, is no list, and stops the command. ' +
      '`EnkelEvenement` is false, unless `dialect.enkelEvenement` says otherwise.',
  },
  {
    id: 'statuses',
    section: '3',
    open: 'The values of `StatusID` and `PlanningAkkoordStatusID`, and their order',
    copes: 'A status is sent as the number that the sheet holds. The service judges it.',
  },
  {
    id: 'upload-encoding',
    section: '4.4',
    open: 'How the file of an upload is encoded',
    copes: 'It goes as a form (multipart). With `dialect.upload` `base64` it is text in JSON.',
  },
  {
    id: 'event-package',
    section: '4.5',
    requests: ['arrangements.get'],
    open: 'What a single read answers',
    copes: 'Only `catersheet check` asks for it. An import reads the list of the event.',
  },
  {
    id: 'trip-delete',
    section: '4.6',
    requests: ['trips.delete'],
    open: 'What a delete answers',
    copes: 'A status of 200 to 299 is done, unless the answer says that it failed.',
  },
  {
    id: 'invoice-file',
    section: '4.7',
    requests: ['invoices.file'],
    open: 'What is answered, and what `extension` may be',
    copes:
      'The bytes have to be what the extension says. A page of HTML, an error or half a file is no invoice.',
  },
  {
    id: 'orders',
    section: '4.7',
    requests: ['orders.sendAll', 'orders.send'],
    open: 'What is answered, and what exactly happens',
    copes:
      'An answer that does not tell of a failure is done, whatever it holds. Any other is unknown: the ledger keeps it, ' +
      'and the program does not send that order again by itself.',
  },
  {
    id: 'lookup-members',
    section: '2.9',
    open: 'The members of a lookup’s records',
    copes:
      'The id and the name are found by what members are called and hold. `dialect.lookups` names them where that goes wrong. ' +
      '`dialect.dropdowns` gives the number of a dropdown list that has none here.',
  },
];
