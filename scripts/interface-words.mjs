// What docs/interface.md says in words: everything else in it comes from the definitions.

/** What a request does, by its part in a resource. */
export const PARTS = {
  create: 'Makes one',
  update: 'Changes one',
  remove: 'Deletes one',
  find: 'Reads one by its number',
  findById: 'Reads one by its number',
  findByExternal: 'Reads one by your own number, `ExternalID`',
  list: 'Lists those that changed after `LMT`',
  all: 'Lists those of a period',
  allByLmt: 'Lists those that changed after `LMT`',
};

/** What a request does, by its name, where its part does not say it. */
export const REQUESTS = {
  'stock.create': 'Books a mutation of a product’s stock',
  'stock.currenttotal': 'Tells what is in stock of a product',
  'events.processevent': 'Has the service make an event’s production anew',
  'events.allByLMT': 'Lists those of a period that changed after `LMT`',
  'events.allkassa': 'Lists those of a period that are definitive',
  'events.uploaddocument': 'Puts a file in a folder of an event',
  'arrangements.list': 'Lists those of one event',
  'arrangements.create': 'Links one to an event',
  'arrangements.update': 'Changes a link',
  'arrangements.delete': 'Ends a link, when `DEL` is true',
  'arrangements.get': 'Reads one by a number',
  'invoices.file': 'Fetches an invoice as a file of the kind `extension`',
  'orders.sendAll': 'Sends every purchase order that waits to be sent',
  'orders.send': 'Sends one purchase order',
};

/** A section for each group of requests, by the first part of their names; `sheets` are the resources that it is about. */
export const SECTIONS = {
  packages: { title: 'Packages', sheets: ['packages'] },
  recipes: { title: 'Recipes', sheets: ['recipes'] },
  stock: { title: 'Stock', sheets: ['stock-mutations', 'stock-count'] },
  events: { title: 'Events', sheets: ['events', 'documents', 'refresh'] },
  arrangements: { title: 'Arrangements', sheets: ['arrangements'] },
  trips: { title: 'Trips', sheets: ['trips'] },
  invoices: { title: 'Invoices', sheets: ['invoices'] },
  orders: { title: 'Purchase orders', sheets: [] },
};

/** More that holds for a section. */
export const NOTES = {
  packages: [
    'An update names the package by `ProductID`, or by `ExternalID` when that is empty.',
    'A create has no place for `ExternalID`. The program makes the package first, and stores the key with an update.',
  ],
  recipes: [
    'A create takes the ids of `productcategory` for `ProductCategorieID`, an update those of `productactiecategory`. ' +
      'So a number that the first list lacks is sent as it is.',
    'No request is known to store `ExternalID`. The ledger remembers which number is whose.',
  ],
  stock: [
    'A mutation has `AantalRekeneenheid`, `AantalProducteenheid`, or both.',
    'A count is no request of its own: the program sends the difference with the current total as a mutation.',
    'The current total is asked with a GET that has a body.',
  ],
  events: [
    'Creating and updating take different fields. The program sends what only an update takes right after the create.',
    'No read returns `Starttijd` and `Eindtijd`. The program compares them with what it sent last.',
    'The list of definitive events calls its flag `EnkelEvent`; the others call it `EnkelEvenement`.',
    'Its records end at `GeenOmzet`. Only the read of a single event has `CentraleProductieLocatieID`.',
  ],
  arrangements: [
    'A link is found again by its event and its arrangement.',
    'The answer to a delete has the flag alone.',
  ],
  trips: [
    'The service makes trips itself.',
    'Of the two lists, only the one by `LMT` returns `SubtypeRitID`.',
    'A deleted trip stays in the list by `LMT`, with `DEL` true.',
  ],
};

/** What a lookup is for that no column takes its values from. */
export const LOOKUPS = {
  'lookups.productactiecategory': '`ProductCategorieID`, in an update of a recipe',
  'lookups.relation': 'names of customers in the finance workbook',
  'lookups.location': 'names of locations in the finance workbook',
  'lookups.product': 'names of products in the finance workbook',
  'lookups.contact': 'not used',
  'lookups.ritten': 'not used',
};

/** What the interface leaves open: in which section it is told, which requests' answers it is about, and how the program copes. */
export const OPEN = [
  {
    id: 'token',
    section: 'general',
    open: 'Where a token comes from, how long it lives and what it allows',
    copes:
      'You give it, in `CATERSHEET_TOKEN` or a file. A 401 ends the run at once; it can be continued with another token.',
  },
  {
    id: 'other-errors',
    section: 'general',
    open: 'Errors other than 401',
    copes:
      'A missing record may be a 404, null, `{}`, or `success` false. What `errors` says of a field stands at that field’s cell. ' +
      'The network, 408, 425, 429, 502, 503 and 504 are tried again, as long as nothing can happen twice.',
  },
  {
    id: 'rate-limits',
    section: 'general',
    open: 'How many requests are allowed',
    copes:
      '`--concurrency` and `--rate` bound them. On 429 and 503 fewer go at a time, and `Retry-After` is obeyed.',
  },
  {
    id: 'lengths',
    section: 'general',
    open: 'The longest text and the largest document',
    copes:
      'A text of more than 255 characters in a short field has a warning, and is sent whole. Files are streamed.',
  },
  {
    id: 'notifications',
    section: 'general',
    open: 'Whether the service tells others of changes',
    copes: 'The program listens for none. `export --since last` asks what changed.',
  },
  {
    id: 'versions',
    section: 'general',
    open: 'Versions other than v1',
    copes: 'The program knows v1 alone.',
  },
  {
    id: 'product-types',
    section: 'packages',
    open: 'The type of each member of a product record',
    copes:
      'A number may come as text, a flag as 0, 1 or text, nothing as empty text. Each is read by its field. ' +
      'What can’t be read stays as it came, and is never sent back.',
  },
  {
    id: 'whole-download',
    section: 'packages',
    requests: [],
    open: 'The answer with `downloadResponseAsJSON`',
    copes:
      'The program never asks for it: it reads page by page. A list, `{data}` and `[{data}]` would be understood.',
  },
  {
    id: 'page-size',
    section: 'packages',
    open: 'How large a page is',
    copes: '`meta` and `links` of the first page tell how many pages there are, and where the next one is.',
  },
  {
    id: 'event-types',
    section: 'events',
    open: 'The type of each member of an event record',
    copes: 'As of a product record.',
  },
  {
    id: 'event-lists',
    section: 'events',
    open: 'Whether a list of events is a list',
    copes:
      'A list, one record, and either within `data` are read. `success` false, or an empty body, is no list, and stops the command. ' +
      '`EnkelEvenement` is false, unless `dialect.enkelEvenement` says otherwise.',
  },
  {
    id: 'statuses',
    section: 'events',
    open: 'The values of `StatusID` and `PlanningAkkoordStatusID`, and their order',
    copes: 'A status is sent as the number that the sheet holds. The service judges it.',
  },
  {
    id: 'upload-encoding',
    section: 'events',
    open: 'How the file of an upload is encoded',
    copes: 'It goes as a form (multipart). With `dialect.upload` `base64` it is text in JSON.',
  },
  {
    id: 'event-package',
    section: 'arrangements',
    requests: ['arrangements.get'],
    open: 'What a single read answers',
    copes: 'Only `catersheet check` asks for it. An import reads the list of the event.',
  },
  {
    id: 'trip-delete',
    section: 'trips',
    requests: ['trips.delete'],
    open: 'What a delete answers',
    copes: 'A status of 200 to 299 is done, unless the answer says that it failed.',
  },
  {
    id: 'invoice-file',
    section: 'invoices',
    requests: ['invoices.file'],
    open: 'What is answered, and what `extension` may be',
    copes:
      'The bytes have to be what the extension says. A page of HTML, an error or half a file is no invoice.',
  },
  {
    id: 'orders',
    section: 'orders',
    requests: ['orders.sendAll', 'orders.send'],
    open: 'What is answered, and what exactly happens',
    copes:
      'An answer that says it was done is done. Any other is unknown: the ledger keeps it, and the program does not ' +
      'send that order again by itself.',
  },
  {
    id: 'lookup-members',
    section: 'lookups',
    open: 'The members of a lookup’s records',
    copes:
      'The id and the name are found by what members are called and hold. `dialect.lookups` names them where that goes wrong. ' +
      '`dialect.dropdowns` gives the number of a dropdown list that has none here.',
  },
];
