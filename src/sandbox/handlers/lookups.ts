import {
  ACTION_CATEGORIES,
  DEPARTMENTS,
  DROPDOWNS,
  LOCATIONS,
  PRODUCT_CATEGORIES,
  PRODUCT_TYPES,
  RELATIONS,
  UNITS,
} from '../company.ts';
import { found, type Handler, type Handlers, json, notFound } from '../handler.ts';
import { CONTACT_RECORDS, RELATION_RECORDS } from '../records.ts';

const list =
  (records: unknown): Handler =>
  () =>
    json(records);

const dropdown: Handler = ({ id: DropdownID, dialect }) => {
  const records = found(DROPDOWNS[DropdownID], 'Keuzelijst', dialect).map(([WaardeID, Waarde], index) => ({
    ...{ WaardeID, DropdownID, Waarde },
    Volgorde: String(index + 1),
    Actief: '1',
  }));
  return json(records);
};

/** A record of the company, by the id in the path. */
const one =
  <Found>(name: string, records: readonly Found[], key: keyof Found): Handler =>
  ({ id, dialect }) => {
    const asked = records.find((record) => record[key] === id);
    return json(found(asked, name, dialect));
  };

const COMPANY_NAME = 'Hoeve Wilgenoord Catering B.V.';

/** Invoices 2026001 to 2026008, one for each customer. */
const INVOICES = RELATIONS.map(({ RelatieID, Bedrijfsnaam }) => ({
  id: 2_026_000 + RelatieID,
  customer: Bedrijfsnaam,
  amount: (250 + RelatieID * 112.35).toFixed(2),
}));

const inPdf = (text: string): string => text.replace(/[\\()]/g, '\\$&');

type Invoice = (typeof INVOICES)[number];

/** The smallest PDF that shows a few lines of text, with a cross-reference table that fits. */
function pdf({ id, customer, amount }: Invoice): string {
  const lines = [COMPANY_NAME, `Factuur ${id}`, customer, `Totaal EUR ${amount}`];
  const text = `BT /F1 14 Tf 60 780 Td 20 TL ${lines.map((line) => `(${inPdf(line)}) Tj T*`).join(' ')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`;
  return `${file}${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function xml({ id, customer, amount }: Invoice): string {
  const parties = `<Supplier>${inXml(COMPANY_NAME)}</Supplier><Customer>${inXml(customer)}</Customer>`;
  return `<?xml version="1.0" encoding="ISO-8859-1"?>\n<Invoice><ID>${id}</ID>${parties}<PayableAmount currencyID="EUR">${amount}</PayableAmount></Invoice>\n`;
}

/** The formats in which the service keeps an invoice. */
const FILES: ReadonlyMap<string, (invoice: Invoice) => string> = new Map([
  ['pdf', pdf],
  ['xml', xml],
]);

const invoice: Handler = ({ id, parameters: { extension = '' }, dialect }) => {
  const asked = INVOICES.find((one) => one.id === id);
  const file = FILES.get(extension)?.(found(asked, 'Factuur', dialect));
  if (file === undefined) return notFound('Factuur in dit bestandsformaat niet gevonden.');
  return { status: 200, body: Buffer.from(file, 'latin1'), type: `application/${extension}` };
};

/** Sends the orders that were never sent. Every call is stored, so that calls can be counted. */
const sendAll: Handler = ({ store }) => {
  const open = store.all('order').filter(({ values }) => values.Verzonden === 0);
  store.atomic(() => {
    for (const order of open) store.update(order, 'order', { Verzonden: 1 });
    store.insert('orderCall', { InkooporderID: null });
  });
  return json({ success: true, verzonden: open.length });
};

/** Sends one order, also again. */
const send: Handler = ({ id, store, dialect }) => {
  const order = found(store.get('order', id), 'Inkooporder', dialect);
  store.atomic(() => {
    store.update(order, 'order', { Verzonden: Number(order.values.Verzonden) + 1 });
    store.insert('orderCall', { InkooporderID: id });
  });
  return json({ id, success: true });
};

/** What no sheet is for: lookups (interface section 2, which shows no records of them), invoices, orders (4.7). */
export const lookupHandlers: Handlers = {
  'lookups.producttype': list(PRODUCT_TYPES),
  'lookups.productcategory': list(PRODUCT_CATEGORIES),
  'lookups.productactiecategory': list(ACTION_CATEGORIES),
  'lookups.unit': list({ data: UNITS }),
  'lookups.department': list(DEPARTMENTS),
  'lookups.dropdownvalue': dropdown,
  'lookups.relation': one('Relatie', RELATION_RECORDS, 'RelatieID'),
  'lookups.contact': one('Contactpersoon', CONTACT_RECORDS, 'ContactpersoonID'),
  'lookups.location': one('Locatie', LOCATIONS, 'LocatieID'),
  'invoices.file': invoice,
  'orders.sendAll': sendAll,
  'orders.send': send,
};
