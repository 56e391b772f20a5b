import { RELATIONS } from './relations.ts';

const COMPANY_NAME = 'Hoeve Wilgenoord Catering B.V.';

/** Invoices 2026001 to 2026008, one for each customer. */
export const INVOICES = RELATIONS.map(({ RelatieID, Bedrijfsnaam }) => ({
  id: 2_026_000 + RelatieID,
  customer: Bedrijfsnaam,
  amount: (250 + RelatieID * 112.35).toFixed(2),
}));

const inPdf = (text: string): string => text.replace(/[\\()]/g, '\\$&');

type Invoice = (typeof INVOICES)[number];

/** The smallest PDF that shows a few lines of text, with a cross-reference table that fits. */
function pdf({ id, customer, amount }: Invoice): Uint8Array {
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
  return Buffer.from(
    `${file}${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function xml({ id, customer, amount }: Invoice): Uint8Array {
  const parties = `<Supplier>${inXml(COMPANY_NAME)}</Supplier><Customer>${inXml(customer)}</Customer>`;
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Invoice><ID>${id}</ID>${parties}<PayableAmount currencyID="EUR">${amount}</PayableAmount></Invoice>\n`,
  );
}

/** An invoice's file in one of the formats that the service keeps; undefined for any other. */
export function invoiceFile(
  invoice: Invoice,
  extension: string,
): { bytes: Uint8Array; type: string } | undefined {
  if (extension === 'pdf') return { bytes: pdf(invoice), type: 'application/pdf' };
  if (extension === 'xml') return { bytes: xml(invoice), type: 'application/xml' };
  return undefined;
}
